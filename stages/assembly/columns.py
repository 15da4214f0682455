"""Find columns of running text, and nothing else that merely looks like columns.

Forms, tables and receipts have white gutters too, but are read row by row: a key with its value, an article with its
price. So a gutter counts only where the text beside it runs on from line to line: either most lines on both sides fill
their column, or the lines of the two sides do not stand beside each other at all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stages.assembly.frame import Boxes

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Lengths are in line heights.
_GUTTER = 0.8  # width of a gutter
_NARROW_GUTTER, _NARROW_LINES = -0.3, 12  # a narrow one is believed where many lines on both sides keep to it
_SAME_ROW = 0.5
_EDGE_LINES, _EDGE_RANGE = 4, 1.5  # a column's left edge has at least so many lines starting within so much
_MIN_LINES = 5  # on each side
_TEXT_WIDTH = 10.0  # running text has lines at least this long
_FULL = 0.75  # a full line has at least this part of its column's usual width
_FULL_SHARE = 0.6  # of the lines are full
_APART_LINES, _APART_WIDTH, _APART_MEDIAN = 8, 6.0, 4.5
_APART_DISTANCE = 0.3


class Split(NamedTuple):
    """Parts in reading order; each an array of indices."""

    above: Ints
    left: Ints
    right: Ints
    below: Ints


def find_columns(boxes: Boxes, members: Ints, line_height: float) -> Split | None:
    """Look for the gutter with the most text beside it.

    A gutter need not run through the whole page: boxes that cross it (a title, a table) bound it above and below.

    Args:
        boxes: all boxes of the page.
        members: which of them to look at.
        line_height: the page's usual line height.

    Returns:
        The parts, or None where the members are to be read row by row.
    """
    if members.size < 2 * _MIN_LINES:
        return None
    edges = _left_edges(boxes.left[members], line_height)
    wide = boxes.width[members] >= _APART_WIDTH * line_height  # a side without such a line is no column of text
    best: tuple[int, int] = (0, 0)
    split: Split | None = None
    for edge in edges:
        for gutter, least in ((_GUTTER, _MIN_LINES), (_NARROW_GUTTER, _NARROW_LINES)):
            before = boxes.right[members] <= edge - gutter * line_height
            after = (boxes.left[members] >= edge + min(gutter, -0.05) * line_height) & ~before
            if min(before.sum(), after.sum()) < least or not ((before & wide).any() and (after & wide).any()):
                continue
            slab = _slabs(boxes.y[members], before, after, line_height)
            for k in range(0, int(slab.max()) + 1, 2):
                sides = members[(slab == k) & before], members[(slab == k) & after]
                if min(side.size for side in sides) < least:
                    continue
                found = _split(boxes, members[slab < k], *sides, members[slab > k], line_height)
                if found is None:
                    continue
                score = (min(found.left.size, found.right.size), found.left.size + found.right.size)
                if score > best:
                    best, split = score, found
    return split


def _left_edges(left: npt.NDArray[np.float64], line_height: float) -> npt.NDArray[np.float64]:
    """Where columns may begin: places at which several lines start."""
    starts = np.sort(left)
    there = np.searchsorted(starts, starts + _EDGE_RANGE * line_height, side="right") - np.arange(starts.size)
    edges = starts[there >= _EDGE_LINES]
    return edges[np.diff(edges, prepend=-np.inf) > 0.1 * line_height]


def _slabs(y: npt.NDArray[np.float64], before: Mask, after: Mask, line_height: float) -> Ints:
    """Number the stretches between crossing boxes from the top: 0, 2, 4 ...; the crossing rows are 1, 3, 5 ..."""
    crossing = ~before & ~after
    if not crossing.any():
        return np.zeros(y.size, np.int64)
    marks = np.sort(y[crossing])
    position = np.searchsorted(marks, y)
    near = np.minimum(
        np.abs(y - marks[np.maximum(position - 1, 0)]), np.abs(y - marks[np.minimum(position, marks.size - 1)])
    )
    in_row = crossing | (near < _SAME_ROW * line_height)  # what stands beside a crossing box belongs to its row
    order = np.argsort(y, kind="stable")
    changes = np.diff(in_row[order].astype(np.int64), prepend=0) != 0
    slab = np.empty(y.size, np.int64)
    slab[order] = np.cumsum(changes)
    return slab


def _split(boxes: Boxes, above: Ints, left: Ints, right: Ints, below: Ints, line_height: float) -> Split | None:
    """Split at a gutter if the text beside it is in columns."""
    if not _beside(boxes, left, right):
        return None
    if _runs_on(boxes, left, right, line_height):
        return Split(above, left, right, below)
    # Of unrelated blocks, only what has the other one beside it is known to be a column.
    top = max(boxes.y[left].min(), boxes.y[right].min()) - _SAME_ROW * line_height
    bottom = min(boxes.y[left].max(), boxes.y[right].max()) + _SAME_ROW * line_height
    higher, lower, middle = [], [], []
    for side in (left, right):
        y = boxes.y[side]
        higher.append(side[y < top])
        lower.append(side[y > bottom])
        middle.append(side[(y >= top) & (y <= bottom)])
    if not _independent(boxes, middle[0], middle[1], line_height):
        return None
    return Split(np.concatenate([above, *higher]), middle[0], middle[1], np.concatenate([*lower, below]))


def _beside(boxes: Boxes, a: Ints, b: Ints) -> bool:
    """Whether the two sides stand beside each other for at least half of the shorter one's extent."""
    top, bottom = max(boxes.y[a].min(), boxes.y[b].min()), min(boxes.y[a].max(), boxes.y[b].max())
    return bool(bottom - top >= 0.5 * min(np.ptp(boxes.y[a]), np.ptp(boxes.y[b])))


def _runs_on(boxes: Boxes, a: Ints, b: Ints, line_height: float) -> bool:
    """Whether most lines on both sides fill their column."""
    for side in (a, b):
        usual = _usual_width(boxes, side)
        if usual < _TEXT_WIDTH * line_height or np.mean(boxes.width[side] >= _FULL * usual) < _FULL_SHARE:
            return False
    return True


def _independent(boxes: Boxes, a: Ints, b: Ints, line_height: float) -> bool:
    """Whether the lines of the two sides stand beside each other no more often than by chance.

    One constant offset, as skew makes it, is allowed for. The bar is half way between chance and always.
    """
    few, many = (a, b) if a.size <= b.size else (b, a)
    if few.size < _APART_LINES:
        return False
    for side in (a, b):  # a column of amounts is none of text
        if _usual_width(boxes, side) < _APART_WIDTH * line_height:
            return False
        if np.median(boxes.width[side]) < _APART_MEDIAN * line_height:
            return False
    reach = _APART_DISTANCE * line_height
    distance = boxes.y[few][:, None] - boxes.y[many][None, :]
    nearest = distance[np.arange(few.size), np.abs(distance).argmin(axis=1)]
    together = np.mean(np.abs(nearest - np.median(nearest)) <= reach)
    gaps = np.diff(np.sort(boxes.y[many]), append=np.inf)
    by_chance = np.minimum(gaps, 2 * reach).sum() / (np.ptp(boxes.y[many]) + 2 * reach)
    return bool(together < (1 + by_chance) / 2)


def _usual_width(boxes: Boxes, side: Ints) -> float:
    """How wide a column's long lines are: all but a tenth are no wider."""
    widths = np.sort(boxes.right[side] - boxes.left[side])
    return float(widths[int(0.9 * (widths.size - 1))])
