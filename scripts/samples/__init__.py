"""Draws the documents in samples/ and writes their truth: ``python -m scripts.samples``.

Everything on them is invented. Drawing needs the Debian packages fonts-liberation and fonts-wqy-zenhei; reading the
finished files does not.
"""
