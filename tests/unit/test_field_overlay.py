"""Fields drawn over the page."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from pipeline.field_overlay import COLOUR, Mark, marks
from pipeline.visualise import confidence_colour, draw
from schemas.document import Line, Page, Polygon
from schemas.fields import Field, Region


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def field(*regions: Region, value: str | dict[str, Field] = "x") -> Field:
    return Field("text" if isinstance(value, str) else "object", value, "x", 0.9, list(regions))


ROW = field(
    value={"name": field(Region(1, box(1, 1, 5, 5))), "amount": field(Region(1, box(6, 1, 9, 5)))},
)
FIELDS: dict[str, Field | list[Field]] = {
    "address": field(Region(1, box(0, 0, 9, 9)), Region(1, box(0, 10, 9, 19))),
    "total": field(Region(2, box(0, 0, 9, 9))),
    "items": [ROW, ROW],
    "date": field(),
}


def test_each_region_of_a_page_is_marked_and_rows_by_their_parts() -> None:
    assert [mark.name for mark in marks(FIELDS, 1)] == ["address"] * 2 + ["items.name", "items.amount"] * 2
    assert marks(FIELDS, 2) == [Mark("total", box(0, 0, 9, 9))]
    assert marks(FIELDS, 3) == []


def paper() -> npt.NDArray[np.uint8]:
    return np.full((240, 300, 3), 255, np.uint8)


def blue(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    return np.argwhere((picture[..., ::-1] == COLOUR).all(axis=2))


@pytest.mark.parametrize("factor", [1, 2])
def test_the_outline_is_where_the_value_stands_whatever_the_pictures_size(factor: int) -> None:
    fields: dict[str, Field | list[Field]] = {"total": field(Region(1, box(100, 40, 200, 60)))}
    page = Page(1, 300 // factor, 240 // factor)
    if factor == 2:
        fields = {"total": field(Region(1, box(50, 20, 100, 30)))}
    found = blue(draw(paper(), page, fields=fields))
    assert len(found) > 100
    (top, left), (_, right) = found.min(axis=0), found.max(axis=0)
    assert 37 <= top <= 41
    assert 97 <= left <= 101
    assert 199 <= right <= 203


def test_without_fields_nothing_is_blue_and_lines_keep_their_colours() -> None:
    line = Line("12.00", 0.95, box(100, 40, 200, 60))
    page = Page(1, 300, 240, lines=[line])
    assert len(blue(draw(paper(), page))) == 0
    assert len(blue(draw(paper(), page, fields={"total": field(Region(2, line.polygon))}))) == 0
    picture = draw(paper(), page, fields={"total": field(Region(1, box(100, 150, 200, 170)))})
    assert (picture[..., ::-1] == confidence_colour(0.95)).all(axis=2).any()
    assert len(blue(picture)) > 100


@pytest.mark.parametrize("name", ["total", "a very long name of a field " * 9, ""])
@pytest.mark.parametrize("place", [box(-50, -50, 500, 500), box(299, 239, 300, 240), box(5, 5, 5, 5)])
def test_any_name_at_any_place_can_be_drawn(name: str, place: Polygon) -> None:
    picture = draw(paper(), Page(1, 300, 240), fields={name: field(Region(1, place))}, panel=True, legend=True)
    assert picture.shape[1] == 600


def test_the_legend_names_fields_where_there_are_some() -> None:
    page = Page(1, 300, 240)
    fields: dict[str, Field | list[Field]] = {"total": field(Region(1, box(100, 40, 200, 60)))}
    wide = np.full((240, 1200, 3), 255, np.uint8)
    without = draw(wide, page, legend=True)[240:]
    with_fields = draw(wide, page, fields=fields, legend=True)[240:]
    assert len(blue(without)) == 0
    assert len(blue(with_fields)) > 20
