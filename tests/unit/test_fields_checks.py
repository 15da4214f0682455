"""What must hold between the fields of a document."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.doctypes import DocType
from schemas.fields import Check, Field
from stages.fields.checks import check_document

TYPE = DocType.model_validate(
    {
        "name": "bill",
        "names": {"en": "Bill"},
        "reader": "network",
        "fields": {
            "amount": {"type": "money"},
            "tax": {"type": "money"},
            "total": {"type": "money"},
            "words": {"type": "capitals"},
            "start": {"type": "date"},
            "end": {"type": "month"},
            "id_number": {"type": "id"},
            "birth_date": {"type": "date"},
            "sex": {"type": "sex"},
            "items": {"type": "object", "repeated": True, "parts": {"amount": {"type": "money"}, "name": {}}},
        },
        "checks": [
            {"check": "sum", "total": "total", "of": ["amount", "tax"]},
            {"check": "sum", "total": "amount", "of": ["items.amount"]},
            {"check": "capitals", "words": "words", "figures": "total"},
            {"check": "order", "first": "start", "last": "end"},
            {"check": "birth_date", "id_number": "id_number", "birth_date": "birth_date"},
            {"check": "sex", "id_number": "id_number", "sex": "sex"},
        ],
    }
)
ID = "11010519491231002X"


def checked(rows: list[str | None] | None = None, **values: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {name: Field("text", value, str(value), 0.9) for name, value in values.items()}
    if rows is not None:
        fields["items"] = [
            Field("object", {"amount": Field("money", row, str(row), 0.9)} if row != "-" else {}, "", 0.9)
            for row in rows
        ]
    check_document(TYPE, fields)
    return fields


def found(fields: dict[str, Any], name: str) -> list[tuple[str, bool]]:
    return [(check.name, check.passed) for check in fields[name].checks]


@pytest.mark.parametrize(
    ("amount", "tax", "total", "passed"),
    [
        ("100.00", "6.00", "106.00", True),
        ("100.00", "6.00", "106.01", True),
        ("100.00", "6.00", "106.02", False),
        ("-100.00", "-6.00", "-106.00", True),
        ("0.10", "0.20", "0.30", True),
    ],
)
def test_total_is_amount_and_tax(amount: str, tax: str, total: str, passed: bool) -> None:
    fields = checked(amount=amount, tax=tax, total=total)
    for name, value in (("amount", amount), ("tax", tax), ("total", total)):
        assert found(fields, name) == [("sum", passed)]
        assert fields[name].needs_review is not passed
        assert fields[name].value == value
        assert fields[name].confidence == 0.9


def test_reason_shows_the_numbers() -> None:
    fields = checked(amount="100.00", tax="6.00", total="16.00")
    assert fields["total"].checks == [Check("sum", False, "100.00 + 6.00 is 106.00, not 16.00")]


def test_items_sum_to_the_amount() -> None:
    assert found(checked(["1.00", "2.50", "3.00"], amount="6.50"), "amount") == [("sum", True)]
    assert found(checked(["1.00", "2.50", "3.00"], amount="7.50"), "amount") == [("sum", False)]


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": "100.00", "total": "106.00"},
        {"amount": "100.00", "tax": None, "total": "106.00"},
        {"amount": "100.00", "tax": "x", "total": "106.00"},
        {"amount": "100.00", "tax": "NaN", "total": "106.00"},
    ],
)
def test_what_is_not_known_is_not_checked(fields: dict[str, str | None]) -> None:
    assert found(checked(None, **fields), "total") == []


def test_a_row_that_is_not_understood_is_not_summed() -> None:
    assert found(checked(["1.00", None], amount="1.00"), "amount") == []
    assert found(checked(["1.00", "-"], amount="1.00"), "amount") == []


@pytest.mark.parametrize(("words", "passed"), [("106.00", True), ("160.00", False)])
def test_words_and_figures(words: str, passed: bool) -> None:
    fields = checked(words=words, total="106.00")
    assert found(fields, "words") == found(fields, "total") == [("capitals", passed)]


@pytest.mark.parametrize(
    ("start", "end", "passed"),
    [
        ("2024-03-05", "2025-03", True),
        ("2024-03-05", "2024-03", True),
        ("2024-03-05", "2024-02", False),
        ("2024-03-05", "permanent", True),
    ],
)
def test_start_before_end(start: str, end: str, passed: bool) -> None:
    assert found(checked(start=start, end=end), "end") == [("order", passed)]


@pytest.mark.parametrize(("born", "passed"), [("1949-12-31", True), ("1949-12-30", False)])
def test_number_and_date_of_birth(born: str, passed: bool) -> None:
    assert found(checked(id_number=ID, birth_date=born), "birth_date") == [("birth_date", passed)]


@pytest.mark.parametrize(("sex", "passed"), [("F", True), ("M", False)])
def test_number_and_sex(sex: str, passed: bool) -> None:
    assert found(checked(id_number=ID, sex=sex), "sex") == [("sex", passed)]


def test_a_number_that_is_none_tells_nothing() -> None:
    fields = checked(id_number="1101", birth_date="1949-12-31", sex="M")
    assert found(fields, "birth_date") == found(fields, "sex") == []
