"""Invented names, places, numbers, dates and amounts, composed by chance from many parts so that few repeat.

Every function takes the random generator first and depends on nothing else. English texts come in ordinary case;
templates that print capitals call ``upper()``.
"""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a text: how this package writes its long lists."""
    return tuple(text.split())
