"""Draws the documents in samples/ and writes their truth: ``python -m scripts.samples``.

Everything on them is invented. Drawing needs the fonts that samples/README.md names, reading the finished files none.
"""
