"""Group boxes into rows: what stands side by side, however wide the gap between."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stages.assembly.frame import Boxes

Ints = npt.NDArray[np.int64]

_ROW_OVERLAP = 0.5  # neighbours share at least this part of the lower one's height
_STACKED = 0.5  # boxes that share more than this part of the narrower one's width stand above each other
_MUCH_HIGHER = 2.5  # a box this many times higher than its neighbour spans rows rather than standing in one ...
_HIGH = 2.0  # ... if it is also this many line heights high
_GAP_WEIGHT = 0.02  # between equally level neighbours the nearer one comes first: bent rows meet others far off


def rows_in_order(boxes: Boxes, members: Ints, line_height: float) -> list[list[int]]:
    """Group boxes into rows, from the top down, each from left to right.

    Two boxes side by side belong together when they overlap across the lines at the ends that face each other: ends,
    because on a curved or slightly inclined row far ends differ while near ones do not. The most level and nearest
    pairs join first, and no row takes in two boxes that stand above each other, so dense lines stay apart although
    their boxes overlap.

    Args:
        boxes: all boxes of the page.
        members: which of them to group.
        line_height: the page's usual line height.

    Returns:
        Rows of indices into ``boxes``; together they are ``members``.
    """
    order = members[np.argsort(boxes.y[members], kind="stable")]
    group: dict[int, list[int]] = {int(i): [int(i)] for i in order}
    for a, b in _side_by_side(boxes, order, line_height):
        if group[a] is group[b]:
            continue
        if any(_stacked(boxes, i, j) for i in group[a] for j in group[b]):
            continue
        merged = group[a] + group[b]
        for i in merged:
            group[i] = merged
    rows = list({id(row): row for row in group.values()}.values())
    for row in rows:
        row.sort(key=lambda i: (boxes.left[i], boxes.y[i], i))
    return sorted(rows, key=lambda row: (_row_y(boxes, row, line_height), boxes.left[row[0]]))


def _side_by_side(boxes: Boxes, order: Ints, line_height: float) -> list[tuple[int, int]]:
    """Pairs that may share a row, the closest first. ``order`` is sorted from the top down."""
    y, height = boxes.y[order], boxes.height[order]
    reach = y + np.maximum(_MUCH_HIGHER / 2 * height, line_height) + line_height  # farther down nothing can overlap
    count = np.searchsorted(y, reach, side="right") - np.arange(1, y.size + 1)
    first = np.repeat(np.arange(y.size), count)
    second = first + 1 + np.arange(first.size) - np.repeat(np.cumsum(count) - count, count)
    a, b = order[first], order[second]

    a_first = boxes.left[a] + boxes.right[a] <= boxes.left[b] + boxes.right[b]
    distance = np.abs(np.where(a_first, boxes.y_right[a] - boxes.y_left[b], boxes.y_left[a] - boxes.y_right[b]))
    low = np.minimum(boxes.height[a], boxes.height[b])
    high = np.maximum(boxes.height[a], boxes.height[b])
    overlap = np.minimum((low + high) / 2 - distance, low)
    spans_rows = (high > _MUCH_HIGHER * low) & (high > _HIGH * line_height)
    common = np.minimum(boxes.right[a], boxes.right[b]) - np.maximum(boxes.left[a], boxes.left[b])
    stacked = common > _STACKED * np.minimum(boxes.width[a], boxes.width[b])
    chosen = np.flatnonzero((overlap >= _ROW_OVERLAP * low) & ~spans_rows & ~stacked)
    rank = distance / low + _GAP_WEIGHT * np.maximum(-common, 0.0) / line_height
    chosen = chosen[np.argsort(rank[chosen], kind="stable")]
    return list(zip(a[chosen].tolist(), b[chosen].tolist(), strict=True))


def _stacked(boxes: Boxes, a: int, b: int) -> bool:
    common = min(boxes.right[a], boxes.right[b]) - max(boxes.left[a], boxes.left[b])
    return bool(common > _STACKED * min(boxes.width[a], boxes.width[b]))


def _row_y(boxes: Boxes, row: list[int], line_height: float) -> float:
    """Where a row stands; a box that spans rows stands where its first line would."""
    first_line = [
        boxes.y[i] - (boxes.height[i] - line_height) / 2 if boxes.height[i] > _HIGH * line_height else boxes.y[i]
        for i in row
    ]
    return float(np.mean(first_line))
