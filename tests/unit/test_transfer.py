"""Labels carried over from lines as written to lines as read."""

from __future__ import annotations

import math

import pytest

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.transfer import transfer
from schemas.document import Polygon


def box(x: float, y: float, width: float, height: float = 20) -> Polygon:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def line(text: str, x: float, y: float) -> TextLine:
    return TextLine(text, box(x, y, 10 * len(text)))


def page(lines: list[TextLine], *entities: Entity, **rest: object) -> Example:
    return Example("page", "receipt", 600, 400, lines, list(entities), **rest)  # type: ignore[arg-type]


def spelled(example: Example) -> list[tuple[str, str]]:
    return [(entity.name, example.text_of(entity)) for entity in example.entities]


WRITTEN = [line("TOTAL: 12.00 RM", 0, 0), line("OLD SHOP", 0, 40), line("ELM STREET 5", 0, 80), line("OXFORD", 0, 120)]
TOTAL = Entity("total", (Span(0, 7, 12),), value="12.00")
SHOP = Entity("company", (Span(1, 0, 8),))
ADDRESS = Entity("address", (Span(2, 0, 12), Span(3, 0, 6)))


def test_the_same_lines() -> None:
    example = page(WRITTEN, TOTAL, SHOP, ADDRESS)
    assert transfer(example, WRITTEN) == example


def test_misread_characters_and_lost_spaces() -> None:
    read = [line("T0TAL:1Z.00RM", 3, 1), line("0LD SH0P", 0, 42), line("ELM STREET5", 1, 79), line("0XFORD.", 0, 121)]
    carried = transfer(page(WRITTEN, TOTAL, SHOP, ADDRESS), read)
    assert spelled(carried) == [("total", "1Z.00"), ("company", "0LD SH0P"), ("address", "ELM STREET5 0XFORD.")]
    assert carried.entities[0].value == "12.00"
    assert carried.unknown == frozenset()


def test_a_split_line() -> None:
    read = [line("TOTAL:", 0, 0), line("12.00", 70, 0), line("RM", 130, 0)]
    carried = transfer(page(WRITTEN, TOTAL), read)
    assert carried.entities == [Entity("total", (Span(1, 0, 5),), value="12.00")]


def test_an_entity_split_by_reading() -> None:
    read = [line("OLD", 0, 40), line("SHOP", 40, 40)]
    assert transfer(page(WRITTEN, SHOP), read).entities == [Entity("company", (Span(0, 0, 3), Span(1, 0, 4)))]


def test_merged_neighbours() -> None:
    written = [line("DATE 1/2/2020", 0, 0), line("NO 77", 200, 0), line("CASH", 0, 30)]
    number, date = Entity("receipt_number", (Span(1, 3, 5),)), Entity("date", (Span(0, 5, 13),))
    read = [TextLine("DATE 1/2/2020 NO 77", box(0, 0, 250)), line("CASH", 0, 30)]
    carried = transfer(page(written, number, date), read)
    assert spelled(carried) == [("receipt_number", "77"), ("date", "1/2/2020")]


def test_rows_that_overlap_are_not_mixed_up() -> None:
    written = [TextLine("7.00", box(0, 0, 40, 24)), TextLine("8.00", box(0, 17, 40, 24))]
    carried = transfer(page(written, Entity("total", (Span(1, 0, 4),))), [TextLine("7.00", box(0, 1, 40, 24))])
    assert carried.entities == []
    assert carried.unknown == frozenset()


def test_what_was_not_read_is_left_out_with_its_links() -> None:
    example = page(WRITTEN, TOTAL, SHOP, ADDRESS, links=[(0, 1), (1, 2)], values={"total": ["12.00"]})
    carried = transfer(example, WRITTEN[1:])
    assert spelled(carried) == [("company", "OLD SHOP"), ("address", "ELM STREET 5 OXFORD")]
    assert carried.links == [(0, 1)]
    assert carried.values == {"total": ["12.00"]}
    assert carried.unknown == frozenset()  # nothing that was read could be it


def test_what_was_read_as_something_else_becomes_unknown() -> None:
    written = [line("AAAA", 0, 0), line("12.00", 100, 0)]
    read = [TextLine("#%&!?#%&!", box(0, 0, 150))]
    carried = transfer(page(written, Entity("total", (Span(1, 0, 5),))), read)
    assert carried.entities == []
    assert carried.unknown == {"total"}


def test_a_misread_single_character_stays_what_it_is() -> None:
    written = [line("男", 0, 0)]
    carried = transfer(page(written, Entity("sex", (Span(0, 0, 1),))), [line("另", 0, 0)])
    assert spelled(carried) == [("sex", "另")]


def test_little_that_is_read_beyond_the_end_belongs_to_it_much_does_not() -> None:
    written = [line("OLD SHOP", 0, 40)]
    example = page(written, Entity("company", (Span(0, 0, 8),)))
    assert spelled(transfer(example, [line("'OLD SHOP'", 0, 40)])) == [("company", "'OLD SHOP'")]
    assert spelled(transfer(example, [line("OLD SHOP AND SEAL", 0, 40)])) == [("company", "OLD SHOP")]


@pytest.mark.parametrize("degrees", [-90, -10, 10, 90, 180])
def test_turned_pages(degrees: float) -> None:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def turned(one: TextLine) -> TextLine:
        a, b, c, d = ((x * cos - y * sin, x * sin + y * cos) for x, y in one.polygon)
        return TextLine(one.text, (a, b, c, d))

    written = [turned(one) for one in WRITTEN]
    read = [turned(one) for one in (line("TOTAL:", 0, 0), line("12.00 RM", 70, 0), *WRITTEN[1:])]
    carried = transfer(page(written, TOTAL, SHOP, ADDRESS), read)
    assert spelled(carried) == [("total", "12.00"), ("company", "OLD SHOP"), ("address", "ELM STREET 5 OXFORD")]


def test_pages_without_lines() -> None:
    assert transfer(page([]), WRITTEN).entities == []
    assert transfer(page(WRITTEN, TOTAL), []).entities == []
