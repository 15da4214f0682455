from __future__ import annotations

import re
from pathlib import Path

import pytest

from schemas.doctypes import TYPES, DocType, load_doctypes
from schemas.doctypes.definition import FieldType, ValidatorName
from schemas.doctypes.reference import markdown
from schemas.document import Line, Page
from schemas.fields import Field
from stages.fields.build import build_fields
from stages.fields.key_value import read_keys
from stages.fields.tables import read_rows
from stages.fields.titles import recognise

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "fields.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert found is not None
    return found[1]


def typewritten(text: str) -> Page:
    """A page as a typewriter would write it: 10 by 20 pixels a letter; a wide gap begins another line."""
    lines = []
    for row, written in enumerate(text.splitlines()):
        for piece in re.finditer(r"\S+(?: \S+)*", written):
            left, top, right, bottom = 10.0 * piece.start(), 30.0 * row, 10.0 * piece.end(), 30.0 * row + 20
            lines.append(Line(piece[0], 0.99, ((left, top), (right, top), (right, bottom), (left, bottom))))
    return Page(1, 800, 600, lines=lines)


@pytest.fixture
def doctypes(tmp_path: Path) -> dict[str, DocType]:
    (tmp_path / "delivery_note.yaml").write_text(block("yaml"), encoding="utf-8")
    return load_doctypes(tmp_path)


def test_the_worked_example_is_read_as_the_text_says(doctypes: dict[str, DocType]) -> None:
    page = typewritten(block("text"))
    found = recognise(doctypes.values(), [page])
    assert found is not None
    assert found[0] == "delivery_note"
    doctype = doctypes["delivery_note"]
    fields = build_fields(doctype, read_keys(doctype, [page]) + read_rows(doctype, [page]), [page])

    single = {name: field.value for name, field in fields.items() if isinstance(field, Field)}
    assert single == {
        "number": "DN-2024/117",
        "date": "2024-05-03",
        "customer": "Corner Cafe 12 Quay Street Bristol BS1 4DJ",
        "carrier": "Van Gogh Logistics",
        "weight": "7.5",
    }
    rows = fields["items"]
    assert isinstance(rows, list)
    values = [{name: part.value for name, part in row.value.items()} for row in rows if isinstance(row.value, dict)]
    assert values == [
        {"article": "Espresso beans", "quantity": 12, "weight": "6.0"},
        {"article": "Filter paper", "quantity": 40, "weight": "1.5"},
    ]
    weight = fields["weight"]
    assert isinstance(weight, Field)
    assert [check.passed for check in weight.checks] == [True]


def test_a_total_that_does_not_add_up_is_said(doctypes: dict[str, DocType]) -> None:
    page = typewritten(block("text").replace("7.5", "8.5"))
    doctype = doctypes["delivery_note"]
    weight = build_fields(doctype, read_keys(doctype, [page]) + read_rows(doctype, [page]), [page])["weight"]
    assert isinstance(weight, Field)
    assert (weight.value, weight.needs_review) == ("8.5", True)


def test_the_tables_of_the_built_in_types_are_current() -> None:
    _, _, tables = TEXT.partition("### `bank_card`")
    expected = markdown(load_doctypes().values()).partition("### `bank_card`")[2]
    assert tables.strip() == expected.strip(), "python -m schemas.doctypes.reference"


def test_every_property_type_and_validator_is_described() -> None:
    described = set(re.findall(r"`(\w+)`", TEXT))
    assert set(TYPES) - {"pair"} <= described
    assert set(ValidatorName.__args__) <= described  # type: ignore[attr-defined]
    assert set(FieldType.model_fields) - {"name"} <= described
    assert set(DocType.model_fields) - {"name"} <= described
