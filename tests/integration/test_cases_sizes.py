"""CASES 9 and 10: pages of odd sizes, and where their polygons lie."""

from __future__ import annotations

import numpy as np
import pytest
from rapidfuzz import fuzz

from pipeline.api import Inklane
from schemas.document import Document, Line
from tests.factories.text_pages import TextPage, letter, overlap, sentence


def lines_of(document: Document) -> list[Line]:
    (page,) = document.pages
    return page.lines


def found(text: str, lines: list[Line]) -> Line:
    """The line that reads most like this text."""
    return max(lines, key=lambda line: fuzz.ratio(line.text.lower(), text.lower()))


def check_inside(document: Document) -> None:
    for page in document.pages:
        for line in page.lines:
            for x, y in line.polygon:
                assert 0 <= x <= page.width
                assert 0 <= y <= page.height


@pytest.mark.parametrize("side", [1, 2, 15, 17, 31, 33, 63])
def test_small_sides_are_read_without_complaint(inklane: Inklane, side: int) -> None:
    others = (1, 2, 15, 63, 400)
    speckled = np.random.default_rng(side).integers(0, 256, (400, 400, 3), np.uint8)
    sizes = [(side, other) for other in others] + [(other, side) for other in others]
    pages = [TextPage(speckled[:height, :width].copy()) for width, height in sizes]
    for (width, height), document in zip(sizes, inklane.read([page.png() for page in pages]), strict=True):
        assert isinstance(document, Document)
        assert (document.pages[0].width, document.pages[0].height) == (width, height)
        check_inside(document)


@pytest.mark.parametrize("turned", [False, True])
def test_a_strip_is_read(inklane: Inklane, turned: bool) -> None:
    page = TextPage.blank(1920, 40).write("river window 204", 40, 9).write("garden station 31.50", 1500, 9)
    document = inklane.read_one((page.quarter_turned(90) if turned else page).png())
    check_inside(document)
    if not turned:
        assert [line.text for line in lines_of(document)] == ["river window 204", "garden station 31.50"]
        left, right = (line.polygon for line in lines_of(document))
        assert left[0][0] < 60
        assert right[0][0] > 1450


def test_a_receipt_as_long_as_a_roll_is_read_line_by_line(inklane: Inklane) -> None:
    count = 300
    page = TextPage.blank(250, 14400)
    for i in range(count):
        page.write(sentence(i, 1), 15 + i % 5 * 10, 20 + i * 48, 20)
    document = inklane.read_one(page.png())
    check_inside(document)
    read = [line.text for line in lines_of(document)]
    assert len(set(page.texts) & set(read)) >= 0.95 * count
    in_order = [page.texts.index(text) for text in read if text in page.texts]
    assert in_order == sorted(in_order)
    assert len(read) <= count * 1.03, "what lies in the overlap of two tiles is not read twice"


@pytest.mark.parametrize("size", [(641, 433), (1013, 777)])
@pytest.mark.parametrize("degrees", [12, -12])
def test_a_page_turned_by_12_degrees_has_polygons_where_its_lines_are(
    inklane: Inklane, size: tuple[int, int], degrees: float
) -> None:
    page = letter(7, *size).rotated(degrees)
    document = inklane.read_one(page.png())
    check_inside(document)
    for text, box in zip(page.texts, page.boxes, strict=True):
        line = found(text, lines_of(document))
        assert fuzz.ratio(line.text, text) > 85
        assert overlap(np.array(line.polygon), box) > 0.7


def test_text_at_every_border_has_polygons_inside_the_page(inklane: Inklane) -> None:
    page = TextPage.blank(437, 311)
    for text, left, top in (("river", -3, -4), ("window", 370, 0), ("garden", 0, 297), ("station", 371, 299)):
        page.write(text, left, top, 22)
    page.write("market purple", 120, 150, 22)
    document = inklane.read_one(page.png())
    check_inside(document)
    assert len(lines_of(document)) >= 4
    assert "market purple" in [line.text for line in lines_of(document)]


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_polygons_are_in_the_pixels_of_the_page_that_was_given(inklane: Inklane, factor: float) -> None:
    page = letter(6, 900, 500, 30)
    plain, scaled = (inklane.read_one(p.png()) for p in (page, page.scaled(factor)))
    for text in page.texts:
        first, second = (np.array(found(text, lines_of(document)).polygon) for document in (plain, scaled))
        assert overlap(first, second / factor) > 0.7
