from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.matching import compare, match
from schemas.document import Line, Page, Polygon
from schemas.truth import TruthLine, TruthPage


def box(left: float, top: float, width: float = 40, height: float = 10) -> Polygon:
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


@pytest.mark.parametrize(
    ("polygon", "iou"),
    [
        (box(0, 0), 1.0),
        (box(0, 0, 40, 20), 0.5),
        (box(0, 0, 20, 10), 0.5),
        (box(10, 0), 0.6),
        (((0, 10), (40, 10), (40, 0), (0, 0)), 1.0),  # the same box from another corner, the other way round
        (((0, 0), (40, 10), (40, 0), (0, 10)), 1.0),  # its points in a crossing order
        (((20, 0), (40, 5), (20, 10), (0, 5)), 0.5),  # the rhombus inside the box
    ],
)
def test_the_overlap_of_two_polygons(polygon: Polygon, iou: float) -> None:
    [pair] = match([box(0, 0)], [polygon], min_iou=0.1)
    assert pair.iou == pytest.approx(iou)


@pytest.mark.parametrize(
    "polygon",
    [
        box(0, 0, 40, 20.5),
        box(14, 0),
        box(100, 100),
        ((0, 0), (0, 0), (0, 0), (0, 0)),
        ((0, 0), (40, 0), (40, 0), (0, 0)),
    ],
)
def test_less_than_half_or_no_area_is_no_match(polygon: Polygon) -> None:
    assert match([box(0, 0)], [polygon]) == []
    assert match([polygon], [polygon, box(0, 0)]) == match([polygon], [polygon])


def test_each_line_is_matched_once_the_best_first() -> None:
    pairs = match([box(0, 0)], [box(8, 0), box(2, 0), box(0, 2)])
    assert [(pair.truth, pair.read) for pair in pairs] == [(0, 1)]
    pairs = match([box(4, 0), box(0, 0)], [box(0, 0)])
    assert [(pair.truth, pair.read) for pair in pairs] == [(1, 0)]


@pytest.mark.parametrize(("truth", "read"), [([], []), ([box(0, 0)], []), ([], [box(0, 0)])])
def test_nothing_matches_nothing(truth: list[Polygon], read: list[Polygon]) -> None:
    assert match(truth, read) == []


BOXES = st.lists(
    st.builds(box, st.integers(0, 60), st.integers(0, 30), st.integers(0, 40), st.integers(0, 12)), max_size=12
)


@given(BOXES, BOXES, st.randoms(use_true_random=False))
def test_matching_is_one_to_one_symmetric_and_blind_to_order(
    truth: list[Polygon], read: list[Polygon], order: random.Random
) -> None:
    pairs = match(truth, read)
    assert len({pair.truth for pair in pairs}) == len({pair.read for pair in pairs}) == len(pairs)
    assert all(0.5 <= pair.iou <= 1 + 1e-9 for pair in pairs)
    shuffled = order.sample(read, len(read))
    best = max((pair.iou for pair in pairs), default=0)
    assert max((pair.iou for pair in match(truth, shuffled)), default=0) == pytest.approx(best)
    assert max((pair.iou for pair in match(read, truth)), default=0) == pytest.approx(best)


@pytest.mark.parametrize(("width", "height"), [(100, 50), (250, 125), (40, 30)])
def test_a_page_read_at_another_size_is_scaled(width: int, height: int) -> None:
    truth = TruthPage(1, 100, 50, (TruthLine("a", box(10, 20)),))
    x, y = width / 100, height / 50
    read = Page(1, width, height, lines=[Line("a", 1.0, box(10 * x, 20 * y, 40 * x, 10 * y))])
    result = compare(truth, read)
    assert len(result.pairs) == 1
    assert result.pairs[0][1].polygon[2] == pytest.approx((50, 30))
    assert read.lines[0].polygon[2] == pytest.approx((50 * x, 30 * y))  # the result itself is left alone


def test_places_without_text_are_not_judged() -> None:
    truth = TruthPage(1, 100, 100, (TruthLine("", box(0, 0)), TruthLine("", box(0, 20)), TruthLine("a", box(0, 40))))
    read = Page(1, 100, 100, lines=[Line("stamp", 0.6, box(0, 0)), Line("junk", 0.6, box(0, 80))])
    result = compare(truth, read)
    assert result.pairs == []
    assert [line.text for line in result.missed] == ["a"]
    assert [line.text for line in result.extra] == ["junk"]


@pytest.mark.parametrize("read", [None, Page(1, 0, 0), Page(1, 0, 0, lines=[Line("a", 1.0, box(0, 0))])])
def test_a_page_that_was_not_read_misses_everything(read: Page | None) -> None:
    result = compare(TruthPage(1, 100, 100, (TruthLine("a", box(0, 0)),)), read)
    assert (len(result.pairs), len(result.missed), len(result.extra)) == (0, 1, 0)
