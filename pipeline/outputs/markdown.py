"""A document as Markdown: its fields as a table on top, then paragraphs, and tables where lines stand in columns.

What was read never becomes markup: everything that Markdown or HTML could take for some is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pipeline.outputs.layout import Block, Table, blocks_of
from pipeline.outputs.lines import bounds
from pipeline.outputs.text import one_row
from schemas.document import Document, Line, Page
from schemas.fields import Field

_SPECIAL = re.compile(r"[\\`*_\[\]|~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# At the start of a row: heading, list or rule, underline, table; or a numbered list.
_MARK = re.compile(r"^(?:[#=]|[+-](?=[\s+-]|$)|:(?=-))")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_NUMBER = re.compile(r"[^\w]*[\d.,:'\s/%+\-−]*\d[\d.,:'\s/%+\-−]*[^\w]*(?:[A-Z]{1,3}|元)?")
_WIDE = r"\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_WIDE_ENDS = re.compile(rf"[{_WIDE}]\Z"), re.compile(rf"\A[{_WIDE}]")


def to_markdown(document: Document) -> str:
    """GitHub-flavoured Markdown; pages are separated by a rule."""
    parts = [*_fields(document), "\n\n---\n\n".join(page_markdown(page) for page in document.pages)]
    text = "\n\n".join(part for part in parts if part)
    return f"{text}\n" if text else ""


def escape(text: str) -> str:
    """The text on one row, such that Markdown shows it as it is, wherever it stands."""
    row = re.sub(r"\s+", " ", one_row(text))
    row = _SPECIAL.sub(lambda match: "\\" + match[0], row)
    row = re.sub("[&<>]", lambda match: _ENTITIES[match[0]], row)
    row = _MARK.sub(lambda match: "\\" + match[0], row)
    return _NUMBERED.sub(r"\1\\\2", row)


def page_markdown(page: Page) -> str:
    """One page alone."""
    return "\n\n".join(_page(page))


def joined(lines: Sequence[Line]) -> str:
    """Lines that run on as one row: without a space between Chinese characters, unless they stand side by side."""
    row = one_row(lines[0].text) if lines else ""
    for above, line in pairwise(lines):
        text = one_row(line.text)
        close = _WIDE_ENDS[0].search(row) and _WIDE_ENDS[1].search(text) and not _side_by_side(above, line)
        row += text if close else f" {text}"
    return row


def _side_by_side(one: Line, other: Line) -> bool:
    _, top, _, bottom = bounds(one.polygon)
    _, other_top, _, other_bottom = bounds(other.polygon)
    middle = (other_top + other_bottom) / 2
    return top < middle < bottom


def _page(page: Page) -> Iterator[str]:
    if page.error is not None:
        yield f"> page {page.page} could not be read: {escape(page.error.message)}"
    for block in blocks_of(page):
        text = _block(block)
        if text:
            yield text


def _block(block: Block) -> str:
    if isinstance(block, Table):
        cells = [[escape(joined(cell)) for cell in row] for row in block.rows]
        head, body = _head(cells)
        return _table(head, body, [_is_number_column(column) for column in zip(*(body or cells), strict=True)])
    return escape(joined(block.lines))


def _head(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The first row is the head if it alone has no digit and no cell of it is empty; otherwise there is none."""
    first, *rest = rows
    named = all(first) and not any(char.isdigit() for cell in first for char in cell)
    if named and any(char.isdigit() for row in rest for cell in row for char in cell):
        return first, rest
    return [""] * len(first), rows


def _is_number_column(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(_NUMBER.fullmatch(cell.replace("\\", "")) for cell in filled)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    rule = ["---:" if numbers else "---" for numbers in right]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def _fields(document: Document) -> Iterator[str]:
    """A table of the fields that are there once, then one for each repeated field."""
    single = {name: field for name, field in document.fields.items() if isinstance(field, Field)}
    if single:
        rows = [[escape(name), *_cells(field)] for name, field in single.items()]
        head = ["field", "value", "confidence", "to review"]
        yield _table(head, rows, [False, False, True, False])
    for name, several in document.fields.items():
        if isinstance(several, list) and several:
            yield _rows(name, several)


def _rows(name: str, rows: list[Field]) -> str:
    parts = list(dict.fromkeys(part for row in rows if isinstance(row.value, dict) for part in row.value))
    cells = []
    for row in rows:
        if isinstance(row.value, dict):
            values = [_value(row.value[part]) if part in row.value else "" for part in parts]
        else:
            values = [_value(row), *[""] * (len(parts) - 1)]
        cells.append([*values, _review(row)])
    head = [f"{escape(name)}: {escape(part)}" for part in parts] or [escape(name)]
    right = [_is_number_column(column) for column in list(zip(*cells, strict=True))[:-1]]
    return _table([*head, "to review"], cells, [*right, False])


def _cells(field: Field) -> list[str]:
    return [_value(field), f"{min(1.0, max(0.0, field.confidence)):.2f}", _review(field)]


def _value(field: Field) -> str:
    if isinstance(field.value, dict):
        return "; ".join(f"{escape(name)}: {_value(part)}" for name, part in field.value.items())
    text = field.content if field.value is None else str(field.value)
    return escape(f"{text} {field.currency}" if field.currency else text)


def _review(field: Field) -> str:
    """Why the value should be looked at; empty where it need not."""
    if not field.needs_review:
        return ""
    reasons = [check.reason for check in field.checks if not check.passed]
    return escape("; ".join(reasons)) if reasons else "could not be understood"
