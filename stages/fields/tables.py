"""Rows of a repeated group, read by the keys over their columns: "Item  Qty  Price" and what stands beneath."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.doctypes import DocType, FieldType
from schemas.document import Page
from stages.fields.folded import Folded, fold
from stages.fields.keys import KeyIndex
from stages.fields.places import SAME_ROW, Box, boxes_of_page, characters
from stages.fields.shapes import locate

CONFIDENCE = 0.8
"""A rule of thumb, as in :mod:`stages.fields.key_value`."""

_MOST_GAP = 3.0
"""A table ends where so many line heights are empty."""


@dataclass(slots=True, frozen=True)
class _Column:
    part: FieldType
    box: Box


@dataclass(slots=True)
class _Cell:
    line: int
    folded: Folded
    box: Box


def read_rows(doctype: DocType, pages: Sequence[Page]) -> list[Candidate]:
    """Find the rows of every repeated group whose parts have keys.

    A head is a row of the page with the keys of at least two parts. A line beneath belongs to the column whose head it
    is nearest to. A row needs at least two parts, or the first one's; the table ends at a key of another field, at a
    wide gap or at the end of the page.

    Returns:
        Candidates named ``group.part``; ``group`` numbers the rows over all pages.
    """
    found: list[Candidate] = []
    for group in doctype.fields:
        if group.type == "object" and group.repeated and sum(bool(part.keys) for part in group.parts) > 1:
            number = 0
            for page in pages:
                for row in _rows(doctype, group, page):
                    found += [
                        Candidate(name, content, (span,), page.page, CONFIDENCE, number) for name, content, span in row
                    ]
                    number += 1
    return found


def _rows(doctype: DocType, group: FieldType, page: Page) -> list[list[tuple[str, str, Span]]]:
    boxes = boxes_of_page(page)
    cells = [
        _Cell(number, fold(line.text), box) for number, (line, box) in enumerate(zip(page.lines, boxes, strict=True))
    ]
    columns = _head(group, cells, page)
    if not columns:
        return []
    bottom = max(column.box.bottom for column in columns)
    others = KeyIndex.of({one.name: one.keys for one in doctype.fields if one.name != group.name and not one.repeated})
    rows: list[list[tuple[str, str, Span]]] = []
    beneath = sorted((cell for cell in cells if cell.box.middle > bottom), key=lambda cell: cell.box.middle)
    for line in _grouped(beneath):
        if line[0].box.top - bottom > _MOST_GAP * line[0].box.height:
            break
        if any(hit.start == 0 and hit.clear for cell in line for hit in others.find(cell.folded)):
            break
        row = _row(group, columns, line, doctype.date_order, page)
        if len(row) > 1 or any(name == f"{group.name}.{group.parts[0].name}" for name, _, _ in row):
            rows.append(row)
        bottom = max(cell.box.bottom for cell in line)
    return rows


def _head(group: FieldType, cells: list[_Cell], page: Page) -> list[_Column]:
    """The columns, from the row of the page that has the most of the group's keys."""
    index = KeyIndex.of({part.name: part.keys for part in group.parts})
    parts = {part.name: part for part in group.parts}
    best: list[_Column] = []
    for line in _grouped(sorted(cells, key=lambda cell: cell.box.middle)):
        columns: dict[str, _Column] = {}
        for cell in line:
            for hit in index.find(cell.folded):
                if hit.marked:
                    continue
                box = characters(page.lines[cell.line], cell.box, *cell.folded.span(hit.start, hit.end))
                name = next((name for name in index.names[hit.key] if name not in columns), None)
                if name is not None:
                    columns[name] = _Column(parts[name], box)
        if len(columns) > max(1, len(best)):
            best = sorted(columns.values(), key=lambda column: column.box.left)
    return best


def _grouped(cells: list[_Cell]) -> list[list[_Cell]]:
    """Rows of cells that are sorted by their middles."""
    rows: list[list[_Cell]] = []
    for cell in cells:
        if rows and abs(cell.box.middle - rows[-1][0].box.middle) <= SAME_ROW * cell.box.height:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return [sorted(row, key=lambda cell: cell.box.left) for row in rows]


def _row(
    group: FieldType, columns: list[_Column], line: list[_Cell], order: str, page: Page
) -> list[tuple[str, str, Span]]:
    """The parts of one row: each cell goes to the nearest column, if it holds a value of its type."""
    row: dict[str, tuple[str, str, Span]] = {}
    for cell in line:
        column = min(columns, key=lambda column: _distance(column.box, cell.box))
        name = f"{group.name}.{column.part.name}"
        place = locate(column.part, cell.folded.text, order) if name not in row else None
        if place is not None:
            start, end = cell.folded.span(*place)
            row[name] = (name, page.lines[cell.line].text[start:end], Span(cell.line, start, end))
    return list(row.values())


def _distance(head: Box, cell: Box) -> float:
    """Left, right or middle: columns are aligned in one of three ways."""
    return min(
        abs(head.left - cell.left),
        abs(head.right - cell.right),
        abs(head.left + head.right - cell.left - cell.right) / 2,
    )
