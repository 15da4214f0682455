"""The place of a part of a line."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.example import Span
from schemas.document import Line, Page, Polygon, Word
from stages.fields.regions import polygon_of, regions_of

FLAT: Polygon = ((100.0, 10.0), (300.0, 10.0), (300.0, 30.0), (100.0, 30.0))
TALL: Polygon = ((10.0, 100.0), (30.0, 100.0), (30.0, 300.0), (10.0, 300.0))


def test_whole_line_is_its_polygon() -> None:
    line = Line("Total 12.00", 0.9, FLAT)
    assert polygon_of(line, 0, 11) == FLAT


def test_part_by_usual_widths() -> None:
    # Ten characters of one width: the last four take two fifths.
    line = Line("合计金额共计壹佰元整", 0.9, FLAT)
    assert polygon_of(line, 6, 10) == ((220.0, 10.0), (300.0, 10.0), (300.0, 30.0), (220.0, 30.0))


def test_ideographs_are_wider_than_digits() -> None:
    line = Line("金额12", 0.9, FLAT)
    (left, _), *_ = polygon_of(line, 2, 4)
    assert 200 < left < 260


def test_vertical_text_is_cut_across() -> None:
    line = Line("合计壹佰", 0.9, TALL)
    assert polygon_of(line, 2, 4) == ((10.0, 200.0), (30.0, 200.0), (30.0, 300.0), (10.0, 300.0))


def test_slanted_line() -> None:
    slanted: Polygon = ((0.0, 0.0), (100.0, 50.0), (90.0, 70.0), (-10.0, 20.0))
    part = polygon_of(Line("合计壹佰", 0.9, slanted), 0, 2)
    assert part == ((0.0, 0.0), (50.0, 25.0), (40.0, 45.0), (-10.0, 20.0))


def test_words_tell_better() -> None:
    boxes = [
        ((100.0, 10.0), (150.0, 10.0), (150.0, 30.0), (100.0, 30.0)),
        ((260.0, 10.0), (300.0, 10.0), (300.0, 30.0), (260.0, 30.0)),
    ]
    words = [Word("Total", 0.9, boxes[0]), Word("12.00", 0.9, boxes[1])]
    line = Line("Total 12.00", 0.9, FLAT, words=words)
    assert polygon_of(line, 6, 11) == boxes[1]
    assert polygon_of(line, 5, 11) == boxes[1]
    part = polygon_of(line, 9, 11)
    assert 260 < part[0][0] < part[1][0] == 300


def test_words_that_do_not_fit_are_ignored() -> None:
    line = Line("合计壹佰", 0.9, FLAT, words=[Word("合计", 0.9, TALL)])
    assert polygon_of(line, 2, 4) == ((200.0, 10.0), (300.0, 10.0), (300.0, 30.0), (200.0, 30.0))


def test_regions_of_several_lines() -> None:
    page = Page(3, 400, 400, lines=[Line("合计壹佰", 0.9, FLAT), Line("整", 0.9, TALL)])
    regions = regions_of([Span(0, 2, 4), Span(1, 0, 1), Span(5, 0, 1), Span(0, 3, 3), Span(0, 9, 12)], page)
    assert [region.page for region in regions] == [3, 3]
    assert regions[1].polygon == TALL


@given(st.text(min_size=1, max_size=20), st.integers(0, 20), st.integers(1, 20))
def test_parts_lie_within_the_line(text: str, start: int, length: int) -> None:
    page = Page(1, 400, 400, lines=[Line(text, 0.9, FLAT)])
    for region in regions_of([Span(0, start, start + length)], page):
        for x, y in region.polygon:
            assert math.isfinite(x)
            assert 100 <= x <= 300
            assert 10 <= y <= 30


@pytest.mark.parametrize("text", [" ", "   12  "])
def test_spaces_at_the_ends_are_left_out(text: str) -> None:
    part = polygon_of(Line(text, 0.9, FLAT), 0, len(text))
    assert part[0][0] <= part[1][0]
