"""Word lists written as one text."""

from __future__ import annotations


def listed(text: str, separator: str | None = None) -> list[str]:
    """The words of a text: what stands between its white space, or its separators."""
    return text.split(separator)
