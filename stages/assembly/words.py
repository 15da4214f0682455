"""Word boxes, from the columns in which the recogniser saw the characters. No model of its own is needed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from models.ctc import DecodedText
from schemas.document import Word
from stages.assembly.polygons import to_confidence, to_polygon

_WORD = re.compile(r"\S+")


def words_of(decoded: DecodedText, quad: npt.NDArray[Any], vertical: bool, page_size: tuple[int, int]) -> list[Word]:
    """Split a line at white space and give each word its part of the line's quad.

    A character sits where its probability peaks; a word reaches to the middle between its outer characters and the
    spaces beside them, and at the ends of the line to the line's end.

    Args:
        decoded: the line, with the column of every character.
        quad: (4, 2) page pixels, clockwise from the text's own top left.
        vertical: the text was read from the top down.
        page_size: width and height in pixels; polygons are clipped to it.

    Returns:
        The words in reading order. Joined with spaces they give the text (its runs of white space as one space).
    """
    width = max(decoded.width_columns, 1)
    centres = [(column + 0.5) / width for column in decoded.columns]
    words = []
    for match in _WORD.finditer(decoded.text):
        begin, end = match.span()
        start = (centres[begin - 1] + centres[begin]) / 2 if begin else 0.0
        stop = (centres[end - 1] + centres[end]) / 2 if end < len(centres) else 1.0
        scores = decoded.char_confidences[begin:end]
        words.append(
            Word(
                text=match.group(),
                confidence=to_confidence(sum(scores) / len(scores)),
                polygon=to_polygon(part_of_quad(quad, start, stop, vertical), page_size),
            )
        )
    return words


def part_of_quad(quad: npt.NDArray[Any], start: float, stop: float, vertical: bool) -> npt.NDArray[np.float64]:
    """The part of a quad between two fractions (0 to 1) of its length along the text.

    Text runs from the first point to the second, vertical text from the first to the fourth.
    """
    points = np.asarray(quad, np.float64)
    p0, p1, p2, p3 = points
    if vertical:
        return np.stack([p0 + start * (p3 - p0), p1 + start * (p2 - p1), p1 + stop * (p2 - p1), p0 + stop * (p3 - p0)])
    return np.stack([p0 + start * (p1 - p0), p0 + stop * (p1 - p0), p3 + stop * (p2 - p3), p3 + start * (p2 - p3)])
