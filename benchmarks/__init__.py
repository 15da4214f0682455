"""Measurements of speed, accuracy and memory; see README.md."""
