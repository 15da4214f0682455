"""Which read line is which line of the truth: one-to-one, by the overlap of their polygons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import shapely

from schemas.document import Line, Page, Polygon
from schemas.truth import TruthLine, TruthPage

MIN_IOU = 0.5
"""A line is found when its polygon overlaps the truth's by this much (intersection over union, as in ICDAR 2015)."""


@dataclass(slots=True, frozen=True)
class Match:
    """The pair of line ``truth`` and line ``read`` (positions in their lists), and the overlap of their polygons."""

    truth: int
    read: int
    iou: float


@dataclass(slots=True)
class PageComparison:
    """One page's truth beside what was read, polygons of both in the truth's frame.

    ``pairs`` are matched lines in the truth's order, ``missed`` lines of the truth without a match, ``extra`` read
    lines without one. Lines of the truth without text mark places that are not judged: they are in none of the
    three, nor is a line that was read there.
    """

    page: int
    width: float
    height: float
    pairs: list[tuple[TruthLine, Line]] = field(default_factory=list)
    missed: list[TruthLine] = field(default_factory=list)
    extra: list[Line] = field(default_factory=list)


def match(truth: Sequence[Polygon], read: Sequence[Polygon], min_iou: float = MIN_IOU) -> list[Match]:
    """Pair polygons one to one, the largest overlap first.

    A polygon counts as the convex hull of its points, so that the order of the points does not matter; one without
    an area matches nothing.

    Returns:
        The pairs with an intersection over union of at least ``min_iou``, in the truth's order.
    """
    if not truth or not read:
        return []
    expected, found = _hulls(truth), _hulls(read)
    t, r = shapely.STRtree(found).query(expected)
    overlap = shapely.area(shapely.intersection(expected[t], found[r]))
    union = shapely.area(expected)[t] + shapely.area(found)[r] - overlap
    iou = np.divide(overlap, union, out=np.zeros_like(overlap), where=union > 0)
    free_truth, free_read = set(range(len(truth))), set(range(len(read)))
    pairs: list[Match] = []
    for index in np.lexsort((r, t, -iou)):  # the positions settle ties, so that the result is always the same
        pair = Match(int(t[index]), int(r[index]), float(iou[index]))
        if pair.iou >= min_iou and pair.truth in free_truth and pair.read in free_read:
            free_truth.discard(pair.truth)
            free_read.discard(pair.read)
            pairs.append(pair)
    return sorted(pairs, key=lambda pair: pair.truth)


def compare(truth: TruthPage, read: Page | None) -> PageComparison:
    """Match the lines of one page.

    Args:
        truth: the labelled page.
        read: what was read; its polygons are scaled to the truth's frame (a PDF may have been rendered at any
            resolution). None where the page was not read.
    """
    lines = _scaled(read, truth.width, truth.height) if read is not None else []
    pairs = match([line.polygon for line in truth.lines], [line.polygon for line in lines])
    result = PageComparison(truth.page, truth.width, truth.height)
    of_truth = {pair.truth: pair.read for pair in pairs}
    of_read = set(of_truth.values())
    for position, line in enumerate(truth.lines):
        if not line.text:
            continue
        if position in of_truth:
            result.pairs.append((line, lines[of_truth[position]]))
        else:
            result.missed.append(line)
    result.extra = [line for position, line in enumerate(lines) if position not in of_read]
    return result


def _hulls(polygons: Sequence[Polygon]) -> npt.NDArray[np.object_]:
    points = np.asarray(polygons, np.float64)
    hulls: npt.NDArray[np.object_] = shapely.convex_hull(shapely.multipoints(points))
    return hulls


def _scaled(page: Page, width: float, height: float) -> list[Line]:
    if page.width < 1 or page.height < 1:
        return []
    x_scale, y_scale = width / page.width, height / page.height
    if x_scale == y_scale == 1:
        return page.lines
    return [Line(line.text, line.confidence, _scale(line.polygon, x_scale, y_scale)) for line in page.lines]


def _scale(polygon: Polygon, x_scale: float, y_scale: float) -> Polygon:
    a, b, c, d = ((x * x_scale, y * y_scale) for x, y in polygon)
    return a, b, c, d
