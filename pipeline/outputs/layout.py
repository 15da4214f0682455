"""The lines of a page grouped into rows, paragraphs and tables, by where they stand. No network is asked.

Lines come in reading order, which columns of running text and rows have gone into already; what follows one another
there is all that is looked at. Boxes are measured along the page's usual slant, so that a few degrees change nothing.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.outputs.columns import Columns
from pipeline.outputs.lines import is_vertical
from schemas.document import Line, Page

_ROW_OVERLAP = 0.5  # lines of a row share at least this part of the lower one's height
_SAME_SIZE = 1.6  # a line this many times higher than its neighbour is no part of the paragraph
_PARAGRAPH_GAP = 0.8  # line heights between the lines of one paragraph, at most
_INDENT = 1.5  # line heights by which a line that begins a paragraph is indented
_FULL = 0.85  # a line that is followed by another of its paragraph fills this part of the widest
_TABLE_GAP = 2.5  # line heights between the rows of one table, at most
_SLENDER = 3.0  # lines this many times longer than high tell the page's slant


@dataclass(slots=True)
class Box:
    """A line and its bounding box along the page's slant: pixels, but in a frame turned by the slant."""

    line: Line
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.bottom - self.top


Row = list[Box]


@dataclass(slots=True)
class Paragraph:
    """Lines that run on: every one but the last fills the width."""

    lines: list[Line]


@dataclass(slots=True)
class Table:
    """Rows of as many cells each; a cell is the lines in it, none where it is empty."""

    rows: list[list[list[Line]]] = field(default_factory=list)


Block = Paragraph | Table


def blocks_of(page: Page) -> list[Block]:
    """The paragraphs and tables of a page in reading order. Every line is in exactly one of them."""
    rows = rows_of(page)
    blocks: list[Block] = []
    at = 0
    while at < len(rows):
        end, columns = _table_from(rows, at)
        if columns is not None:
            blocks.append(Table([columns.cells(row) for row in rows[at:end]]))
        else:
            end = _paragraph_end(rows, at)
            blocks.extend(_paragraphs(rows[at:end]))
        at = end
    return blocks


def rows_of(page: Page) -> list[Row]:
    """Lines that stand side by side and follow one another in reading order, from left to right."""
    boxes = _boxes(page.lines)
    rows: list[Row] = []
    for box in boxes:
        if rows and _continues(rows[-1], box):
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _boxes(lines: Sequence[Line]) -> list[Box]:
    slant = _slant(lines)
    cos, sin = math.cos(slant), math.sin(slant)
    boxes = []
    for line in lines:
        xs = [x * cos + y * sin for x, y in line.polygon]
        ys = [y * cos - x * sin for x, y in line.polygon]
        boxes.append(Box(line, min(xs), min(ys), max(xs), max(ys)))
    return boxes


def _slant(lines: Sequence[Line]) -> float:
    """The median direction of the page's slender horizontal lines, in radians; 0 where there are none."""
    angles = []
    for line in lines:
        (ax, ay), (bx, by), _, (dx, dy) = line.polygon
        length, height = math.hypot(bx - ax, by - ay), math.hypot(dx - ax, dy - ay)
        angle = math.atan2(by - ay, bx - ax)
        if length >= _SLENDER * height and abs(angle) < math.pi / 4:
            angles.append(angle)
    return statistics.median(angles) if angles else 0.0


def _continues(row: Row, box: Box) -> bool:
    last = row[-1]
    if is_vertical(last.line) or is_vertical(box.line):
        return False
    shared = min(last.bottom, box.bottom) - max(last.top, box.top)
    low = min(last.height, box.height)
    return shared >= _ROW_OVERLAP * low and (box.left + box.right) > (last.left + last.right) and box.left > last.left


def _table_from(rows: list[Row], at: int) -> tuple[int, Columns | None]:
    """How far a table reaches that begins with this row, and its columns; None where none begins."""
    if len(rows[at]) < 2:
        return at, None
    columns = Columns(rows[at])
    if len(columns) < len(rows[at]):  # lines that overlap
        return at, None
    end, kept, several = at + 1, columns, 1
    for index in range(at + 1, len(rows)):
        row = rows[index]
        if _gap(rows[index - 1], row) > _TABLE_GAP * _height(rows[index - 1]):
            break
        wider = columns.with_row(row)
        if wider is None:
            break
        columns = wider
        if len(row) > 1:  # a row of one cell belongs to the table only between others
            end, kept, several = index + 1, columns, several + 1
    return (end, kept) if several > 1 else (at, None)


def _paragraph_end(rows: list[Row], at: int) -> int:
    """The end of the rows from here on that may be one paragraph: one line each, alike, close together."""
    end = at + 1
    if len(rows[at]) > 1 or is_vertical(rows[at][0].line):
        return end
    left, right = rows[at][0].left, rows[at][0].right
    for before, row in pairwise(rows[at:]):
        if len(row) > 1 or is_vertical(row[0].line):
            break
        low, high = sorted((before[0].height, row[0].height))
        below = row[0].top - before[0].bottom
        left, right = min(left, before[0].left), max(right, before[0].right)
        overlap = min(right, row[0].right) - max(left, row[0].left)
        # A line far above its predecessor opens the next column.
        if high > _SAME_SIZE * low or not -high < below <= _PARAGRAPH_GAP * high or overlap <= 0:
            break
        end += 1
    return end


def _paragraphs(rows: list[Row]) -> Iterator[Paragraph]:
    """Cut where a line ends early, as what follows was not pushed onto a new one by the margin, or is indented."""
    left = min(box.left for row in rows for box in row)
    right = max(box.right for row in rows for box in row)
    lines: list[Line] = []
    for row in rows:
        if lines and row[0].left - left > _INDENT * _height(row):
            yield Paragraph(lines)
            lines = []
        lines.extend(box.line for box in row)
        if row[-1].right - left < _FULL * (right - left):
            yield Paragraph(lines)
            lines = []
    if lines:
        yield Paragraph(lines)


def _gap(above: Row, below: Row) -> float:
    return min(box.top for box in below) - max(box.bottom for box in above)


def _height(row: Row) -> float:
    return statistics.median(box.height for box in row)
