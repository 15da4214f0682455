"""Cells of a table put into rows."""

from __future__ import annotations

import math

import pytest

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.doctypes import load_doctypes
from schemas.document import Line, Page, Point
from stages.fields.rows import grouped

INVOICE = load_doctypes()["vat_invoice"]


class Table:
    """Lines on a page, each a cell that is a candidate."""

    def __init__(self, degrees: float = 0.0) -> None:
        self.page = Page(1, 1000, 1000)
        self.candidates: list[Candidate] = []
        self._cos, self._sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def put(self, x: float, y: float, text: str) -> None:
        def at(x: float, y: float) -> Point:
            return (x * self._cos - y * self._sin, x * self._sin + y * self._cos)

        right = x + 10 * len(text)
        polygon = (at(x, y), at(right, y), at(right, y + 20), at(x, y + 20))
        self.page.lines.append(Line(text, 0.9, polygon))

    def cell(self, name: str, x: float, *rows: tuple[float, str], confidence: float = 0.9) -> None:
        first = len(self.page.lines)
        for y, text in rows:
            self.put(x, y, text)
        spans = tuple(Span(first + number, 0, len(text)) for number, (_, text) in enumerate(rows))
        self.candidates.append(Candidate(f"items.{name}", " ".join(text for _, text in rows), spans, 1, confidence))

    def rows(self) -> list[dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for one in grouped(INVOICE, self.candidates, self.page):
            assert one.group is not None
            assert one.name not in found.setdefault(one.group, {})
            found[one.group][one.name.removeprefix("items.")] = one.content
        assert list(found) == sorted(found) or set(found) == set(range(len(found)))
        return [found[number] for number in sorted(found)]


@pytest.mark.parametrize("degrees", [0, 2, -2])
def test_cells_side_by_side_make_a_row(degrees: float) -> None:
    table = Table(degrees)
    for column, x in (("amount", 800), ("name", 20), ("quantity", 500)):  # not in the order of the page
        for row, y in enumerate((100, 130, 160)):
            table.cell(column, x, (y, f"{column[0]}{row}"))
    assert table.rows() == [{"amount": f"a{row}", "name": f"n{row}", "quantity": f"q{row}"} for row in range(3)]


def test_a_name_over_two_lines_is_one_cell() -> None:
    table = Table()
    table.cell("name", 20, (100, "a long name"), (125, "goes on"))
    table.cell("name", 20, (150, "short"))
    table.cell("amount", 800, (100, "1.00"))
    table.cell("amount", 800, (150, "2.00"))
    assert table.rows() == [{"name": "a long name goes on", "amount": "1.00"}, {"name": "short", "amount": "2.00"}]


def test_a_part_that_is_missing_leaves_the_row() -> None:
    table = Table()
    table.cell("name", 20, (100, "one"))
    table.cell("name", 20, (130, "two"))
    table.cell("amount", 800, (130, "2.00"))
    assert table.rows() == [{"name": "one"}, {"name": "two", "amount": "2.00"}]


def test_an_unsure_cell_may_join_a_row_and_makes_none() -> None:
    table = Table()
    table.cell("name", 20, (100, "one"))
    table.cell("amount", 800, (100, "1.00"), confidence=0.1)
    table.cell("amount", 800, (400, "9.00"), confidence=0.1)
    assert table.rows() == [{"name": "one", "amount": "1.00"}]


def test_other_fields_and_rows_that_are_known_pass() -> None:
    table = Table()
    table.cell("name", 20, (100, "one"))
    total = Candidate("total", "1.00", (Span(0, 0, 1),), 1, 0.9)
    known = Candidate("items.amount", "3.00", (Span(0, 0, 1),), 1, 0.9, group=7)
    found = grouped(INVOICE, [*table.candidates, total, known], table.page)
    assert found[1:] == [total, known]
    assert found[0].group == 0
    assert grouped(INVOICE, [], table.page) == []
