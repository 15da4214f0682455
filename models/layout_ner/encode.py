"""From lines of text with polygons to the arrays that the network takes.

Lines come in reading order. Every line's characters are followed by a break, so that the network's convolutions see
where lines end. Positions are given twice: as shares of the text's extent on the page, which say "top" or "right", and
in units of the median line height, which say "the next line" whatever the resolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.layout_ner.example import TextLine
from models.layout_ner.vocabulary import BREAK, KINDS, PAD, Vocabulary, kind_of

GEOMETRY = 12
"""Numbers per line; see :func:`geometry_of`."""

PLACES = 4
"""Numbers per character: x in the page's text, position in the line from its start, from its end, and as a share."""

MAX_LINE = 400
"""Characters of one line that are looked at; a longer one is cut."""

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

_BREAK_KIND = KINDS.index("break")


@dataclass(slots=True)
class Encoded:
    """One page, or a window of it.

    ``characters``, ``kinds``, ``line_of``: (T,) int64; ``places``: (T, 4) and ``geometry``: (L, 12) float32.
    ``offset_of``: (T,) int64, where in its line's text a character stands; -1 for breaks. ``hint`` is the number of
    the document type that is asked for, from 1, or 0 if that is not known.
    """

    characters: Integers
    kinds: Integers
    line_of: Integers
    offset_of: Integers
    places: Floats
    geometry: Floats
    hint: int = 0

    @property
    def length(self) -> int:
        """Characters and breaks."""
        return len(self.characters)


def encode(lines: Sequence[TextLine], vocabulary: Vocabulary, hint: int = 0) -> Encoded:
    """Encode the lines of a page, which must not be none."""
    if not lines:
        raise ValueError("a page without lines cannot be encoded")
    texts = [line.text[:MAX_LINE] for line in lines]
    geometry = geometry_of(lines)
    lengths = np.array([len(text) + 1 for text in texts])
    line_of = np.repeat(np.arange(len(lines)), lengths)
    starts = np.cumsum(lengths) - lengths
    offsets = np.arange(len(line_of)) - starts[line_of]
    characters = np.full(len(line_of), BREAK, np.int64)
    kinds = np.full(len(line_of), _BREAK_KIND, np.int64)
    inside = offsets < lengths[line_of] - 1
    joined = "".join(texts)
    characters[inside] = [vocabulary.number(char) for char in joined]
    kinds[inside] = [kind_of(char) for char in joined]
    share = (offsets + 0.5) / lengths[line_of]
    x0, x1 = geometry[line_of, 0], geometry[line_of, 1]
    places = np.stack(
        [
            x0 + (x1 - x0) * share,
            np.minimum(offsets, 32) / 32,
            np.minimum(lengths[line_of] - 1 - offsets, 32) / 32,
            share,
        ],
        axis=1,
    ).astype(np.float32)
    offset_of = np.where(inside, offsets, -1).astype(np.int64)
    return Encoded(characters, kinds, line_of.astype(np.int64), offset_of, places, geometry, hint)


def geometry_of(lines: Sequence[TextLine]) -> Floats:
    """Where lines stand: (L, 12).

    x0, x1, y0, y1 as shares of the extent of all text; the logarithm of height and width in median heights; the
    distance to the first and the last line in 50 median heights; left, right and middle x and middle y in median
    heights.
    """
    quads = np.array([line.polygon for line in lines], np.float64).reshape(-1, 4, 2)
    left, right = quads[:, :, 0].min(1), quads[:, :, 0].max(1)
    # A slanted line's box is taller than its text: the text's height is the mean of its short sides.
    height = np.maximum(
        1e-3,
        (np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)) / 2,
    )
    middle = quads[:, :, 1].mean(1)
    top, bottom = middle - height / 2, middle + height / 2
    unit = float(np.median(height))
    x_low, x_span = left.min(), max(1e-3, right.max() - left.min())
    y_low, y_high = top.min(), bottom.max()
    y_span = max(1e-3, y_high - y_low)
    columns = [
        (left - x_low) / x_span,
        (right - x_low) / x_span,
        (top - y_low) / y_span,
        (bottom - y_low) / y_span,
        np.log(height / unit),
        np.log(np.maximum(right - left, 1e-3) / unit) / 3,
        (middle - y_low) / unit / 50,
        (y_high - middle) / unit / 50,
        (left - x_low) / unit,
        (right - x_low) / unit,
        ((left + right) / 2 - x_low) / unit,
        (middle - y_low) / unit,
    ]
    stacked: Floats = np.nan_to_num(np.stack(columns, axis=1), posinf=0.0, neginf=0.0).astype(np.float32)
    return stacked


def collate(pages: Sequence[Encoded], length: int | None = None, lines: int | None = None) -> list[npt.NDArray[Any]]:
    """Stack pages to the network's inputs.

    Args:
        pages: N pages.
        length: padded number of characters T; the longest page's if None.
        lines: padded number of lines L; the largest page's if None.

    Returns:
        characters (N, T) int64, kinds (N, T) int64, line_of (N, T) int64 (-1 is padding), places (N, T, 4) float32,
        geometry (N, L, 12) float32, hint (N,) int64.
    """
    length = length or max(page.length for page in pages)
    lines = lines or max(len(page.geometry) for page in pages)
    count = len(pages)
    characters = np.full((count, length), PAD, np.int64)
    kinds = np.zeros((count, length), np.int64)
    line_of = np.full((count, length), -1, np.int64)
    places = np.zeros((count, length, PLACES), np.float32)
    geometry = np.zeros((count, lines, GEOMETRY), np.float32)
    for row, page in enumerate(pages):
        characters[row, : page.length] = page.characters
        kinds[row, : page.length] = page.kinds
        line_of[row, : page.length] = page.line_of
        places[row, : page.length] = page.places
        geometry[row, : len(page.geometry)] = page.geometry
    return [characters, kinds, line_of, places, geometry, np.array([page.hint for page in pages], np.int64)]
