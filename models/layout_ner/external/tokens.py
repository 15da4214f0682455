"""Lines of text as sub-words, each with its line's box and the characters that it stands for."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.layout_ner.example import TextLine
from schemas.document import Polygon

Box = tuple[int, int, int, int]

FRAME = 1000
"""Boxes count in a frame of 1000 by 1000, whatever the page's size (LayoutLM, Xu et al. 2020)."""

WORD_START = "▁"
"""How SentencePiece marks the beginning of a word."""

_NEARBY = 8


@dataclass(slots=True, frozen=True)
class Token:
    """A sub-word: its text and box, and that it stands for characters ``start`` to ``end`` (exclusive) of a line."""

    text: str
    line: int
    start: int
    end: int
    box: Box


def tokenise(
    lines: Sequence[TextLine],
    cut: Callable[[str], Sequence[str]],
    width: float,
    height: float,
    largest: int = FRAME,
) -> list[Token]:
    """Cut lines to sub-words, line by line.

    Args:
        lines: the page's lines in reading order.
        cut: from a line's text to its sub-words.
        width: the page's width, in the unit of the polygons.
        height: its height.
        largest: the largest coordinate that the model knows.
    """
    tokens = []
    for number, line in enumerate(lines):
        pieces = list(cut(line.text))
        box = scaled_box(line.polygon, width, height, largest)
        for piece, (start, end) in zip(pieces, align(line.text, pieces), strict=True):
            tokens.append(Token(piece, number, start, end, box))
    return tokens


def scaled_box(polygon: Polygon, width: float, height: float, largest: int = FRAME) -> Box:
    """Left, top, right and bottom of the polygon in the frame of :data:`FRAME`, inside it whatever is given."""
    xs = [_scaled(x, width, largest) for x, _ in polygon]
    ys = [_scaled(y, height, largest) for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def align(text: str, pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Which characters of a text each of its sub-words stands for; ``(n, n)`` for a mark without a character.

    Tokenisers normalise (NFKC), so that a piece may have more or fewer characters than the text it comes from; what
    cannot be found is taken to follow on.
    """
    folded: list[str] = []
    origin: list[int] = []
    for at, char in enumerate(text):
        for part in unicodedata.normalize("NFKC", char):
            if not part.isspace():
                folded.append(part)
                origin.append(at)
    spans = []
    position = 0
    for piece in pieces:
        core = [char for char in piece if char != WORD_START and not char.isspace()]
        position = _find(folded, core, position)
        end = min(position + len(core), len(folded))
        if not core or position >= len(folded):
            at = origin[position] if position < len(folded) else len(text)
            spans.append((at, at))
            continue
        spans.append((origin[position], origin[end - 1] + 1))
        position = end
    return spans


def _find(folded: Sequence[str], core: Sequence[str], position: int) -> int:
    """Where the piece stands, from ``position`` and not far behind it; ``position`` if it is not there."""
    for start in range(position, min(position + _NEARBY, len(folded) - len(core) + 1)):
        if list(folded[start : start + len(core)]) == list(core):
            return start
    return position


def _scaled(value: float, size: float, largest: int) -> int:
    return int(max(0.0, min(largest, value * FRAME / size)))
