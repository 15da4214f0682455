"""The characters in which printed values are compared: NFKC, upper case, no white space, no punctuation."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def normalise(text: str) -> str:
    """The characters of a text that count."""
    return "".join(map(_normal, text))


def normalise_with_positions(text: str) -> tuple[str, list[int]]:
    """The characters that count, and for each of them its position in ``text``."""
    chars: list[str] = []
    positions: list[int] = []
    for position, char in enumerate(text):
        normal = _normal(char)
        chars.append(normal)
        positions += [position] * len(normal)
    return "".join(chars), positions


@lru_cache(maxsize=65536)
def _normal(char: str) -> str:
    """One character may become several (a ligature) or none (a comma)."""
    return "".join(
        c for c in unicodedata.normalize("NFKC", char).upper() if not c.isspace() and unicodedata.category(c)[0] != "P"
    )
