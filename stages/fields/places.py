"""Where lines stand to each other: to the right on the same row, below in the same column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from schemas.document import Line, Page, Polygon

SAME_ROW = 0.5
"""Lines share a row if their middles are no more than this many line heights apart."""

ROWS_BELOW = 2.5
"""A value below its key begins no more than so many line heights under it."""


@dataclass(slots=True, frozen=True)
class Box:
    """An upright box in pixels of the page, once the page's slant is taken out."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """In pixels; never 0."""
        return max(1e-6, self.bottom - self.top)

    @property
    def middle(self) -> float:
        """The y of its middle."""
        return (self.top + self.bottom) / 2

    def part(self, start: float, end: float) -> Box:
        """From one fraction of its width to another."""
        width = self.right - self.left
        return Box(self.left + start * width, self.top, self.left + end * width, self.bottom)


def boxes_of(polygons: Sequence[Polygon]) -> list[Box]:
    """A box for each line, in a frame in which the rows of the page are level.

    The slant is the median of the long lines' own; a page is rarely more than a few degrees off, but over its width
    that is more than a row.
    """
    angles: list[tuple[float, float]] = []
    for a, b, c, d in polygons:
        across, down = (b[0] + c[0] - a[0] - d[0]) / 2, (b[1] + c[1] - a[1] - d[1]) / 2
        if across > 0 and abs(down) < across / 4:
            angles.append((math.atan2(down, across), across))
    slant = _weighted_median(angles)
    cos, sin = math.cos(slant), math.sin(slant)
    boxes = []
    for polygon in polygons:
        xs = [x * cos + y * sin for x, y in polygon]
        ys = [y * cos - x * sin for x, y in polygon]
        boxes.append(Box(min(xs), (ys[0] + ys[1]) / 2, max(xs), (ys[2] + ys[3]) / 2))
    return boxes


def boxes_of_page(page: Page) -> list[Box]:
    """A box for each line of a page."""
    return boxes_of([line.polygon for line in page.lines])


def right_of(box: Box, boxes: Sequence[Box]) -> list[int]:
    """The boxes on the same row that begin right of this one, the nearest first."""
    found = [
        index
        for index, other in enumerate(boxes)
        if other.left >= box.right - 0.3 * box.height
        and abs(other.middle - box.middle) <= SAME_ROW * max(box.height, min(other.height, 2 * box.height))
    ]
    return sorted(found, key=lambda index: (boxes[index].left, index))


def below(box: Box, boxes: Sequence[Box], reach: float = ROWS_BELOW) -> list[int]:
    """The boxes in the same column that begin below this one within ``reach`` of its heights, the nearest first."""
    found = []
    for index, other in enumerate(boxes):
        gap = other.top - box.bottom
        if not -0.4 * box.height <= gap <= reach * box.height or other.middle <= box.middle + 0.5 * box.height:
            continue
        if overlap(box, other) > 0 or _centred(box, other):
            found.append(index)
    return sorted(found, key=lambda index: (round(boxes[index].top / box.height), -overlap(box, boxes[index]), index))


def overlap(a: Box, b: Box) -> float:
    """How many pixels of width two boxes have in common; negative: the gap between them."""
    return min(a.right, b.right) - max(a.left, b.left)


def characters(line: Line, box: Box, start: int, end: int) -> Box:
    """Roughly where characters ``start`` to ``end`` of a line stand: an ideograph is as wide as two letters."""
    widths = [2.0 if ord(char) > 0x2E80 else 1.0 for char in line.text]
    total = sum(widths) or 1.0
    return box.part(sum(widths[:start]) / total, sum(widths[:end]) / total)


def _centred(a: Box, b: Box) -> bool:
    return abs((a.left + a.right) / 2 - (b.left + b.right) / 2) <= a.height


def _weighted_median(values: Iterable[tuple[float, float]]) -> float:
    ordered = sorted(values)
    half = sum(weight for _, weight in ordered) / 2
    for value, weight in ordered:
        half -= weight
        if half <= 0:
            return value
    return 0.0
