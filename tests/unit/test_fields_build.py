"""From candidates to fields: chosen, typed, checked and placed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.doctypes import DocType, load_doctypes
from schemas.document import Line, Page
from schemas.fields import Check, Field
from stages.fields.build import MISSING, build_fields, missing_fields
from stages.fields.calibration import Calibration

TYPES = load_doctypes()


def page_of(*texts: str, number: int = 1) -> Page:
    lines = [
        Line(text, 0.9, ((0.0, y), (10.0 * len(text), y), (10.0 * len(text), y + 8), (0.0, y + 8)))
        for y, text in ((20.0 * k, text) for k, text in enumerate(texts))
    ]
    return Page(number, 1000, 1000, lines=lines)


def found(page: Page, name: str, text: str, confidence: float = 0.9, group: int | None = None) -> Candidate:
    for number, line in enumerate(page.lines):
        start = line.text.find(text)
        if start >= 0:
            return Candidate(name, text, (Span(number, start, start + len(text)),), page.page, confidence, group)
    raise AssertionError(text)


def one(fields: dict[str, Field | list[Field]], name: str) -> Field:
    field = fields[name]
    assert isinstance(field, Field)
    return field


def failed(field: Field) -> list[str]:
    return [check.name for check in field.checks if not check.passed]


def test_a_receipt() -> None:
    page = page_of("ACME SDN. BHD.", "12, JALAN SS 2", "Date: 25/03/2018 18:24", "TOTAL RM 20.14", "Invoice CS-01/A")
    candidates = [
        found(page, "company", "ACME SDN. BHD."),
        found(page, "date", "25/03/2018 18:24"),
        found(page, "total", "20.14"),
        found(page, "receipt_number", "CS-01/A"),
    ]
    fields = build_fields(TYPES["receipt"], candidates, [page])
    assert list(fields) == ["company", "date", "total", "currency", "receipt_number"]
    assert {name: one(fields, name).value for name in fields} == {
        "company": "ACME SDN. BHD.",
        "date": "2018-03-25",
        "total": "20.14",
        "currency": "MYR",
        "receipt_number": "CS-01/A",
    }
    assert one(fields, "total").currency == "MYR"
    assert one(fields, "company").currency is None
    assert one(fields, "date").content == "25/03/2018 18:24"
    assert not any(one(fields, name).needs_review for name in fields)
    (region,) = one(fields, "total").regions
    assert region.page == 1
    assert region.polygon[0][0] > 60


def test_full_width_is_normalised_and_the_raw_text_kept() -> None:
    """Case 15."""
    page = page_of("合计：￥１，２３４．５０", "２０２４年０３月０５日", "某某商店（总店）　")
    candidates = [
        found(page, "total", "￥１，２３４．５０"),
        found(page, "date", "２０２４年０３月０５日"),
        found(page, "company", "某某商店（总店）　"),
    ]
    fields = build_fields(TYPES["receipt"], candidates, [page])
    assert (one(fields, "total").value, one(fields, "total").content) == ("1234.50", "￥１，２３４．５０")
    assert (one(fields, "date").value, one(fields, "date").content) == ("2024-03-05", "２０２４年０３月０５日")
    assert (one(fields, "company").value, one(fields, "company").content) == ("某某商店(总店)", "某某商店（总店）　")


def test_no_candidates_no_fields() -> None:
    for doctype in TYPES.values():
        assert build_fields(doctype, [], [page_of("any text 12.00 2018-03-25")]) == {}
        assert build_fields(doctype, [], []) == {}


def test_missing_required_fields_are_told() -> None:
    page = page_of("TOTAL 12.00")
    fields = build_fields(TYPES["receipt"], [found(page, "total", "12.00")], [page])
    notices = missing_fields(TYPES["receipt"], fields)
    assert [notice.code for notice in notices] == [MISSING, MISSING]
    assert "(company)" in notices[0].message
    assert "(date)" in notices[1].message
    assert missing_fields(TYPES["form"], {}) == []


def test_the_greatest_sum_of_confidences_is_taken() -> None:
    page = page_of("TOTAL RM 12.00", "SUBTOTAL 15.00", "12.00")
    candidates = [
        found(page, "total", "RM 12.00", 0.5),
        found(page, "total", "15.00", 0.6),
        Candidate("total", "12.00", (Span(2, 0, 5),), 1, 0.4),
    ]
    total = one(build_fields(TYPES["receipt"], candidates, [page]), "total")
    assert (total.value, total.content) == ("12.00", "RM 12.00")
    # Odds 1 against 1.5: less than half, since the other one is not unlikely either.
    assert total.confidence == pytest.approx(1 / (1 + 1 + 1.5), abs=1e-4)
    assert total.needs_review


def test_agreement_does_not_lower_confidence() -> None:
    page = page_of("TOTAL 12.00", "CASH 12.00")
    candidates = [found(page, "total", "12.00", 0.8), Candidate("total", "12.00", (Span(1, 5, 10),), 1, 0.7)]
    assert one(build_fields(TYPES["receipt"], candidates, [page]), "total").confidence == 0.8


def test_a_right_check_digit_counts_more() -> None:
    page = page_of("110105194912310021", "11010519491231002X")
    candidates = [
        found(page, "id_number", "110105194912310021", 0.9),
        found(page, "id_number", "11010519491231002X", 0.5),
    ]
    assert one(build_fields(TYPES["id_card"], candidates, [page]), "id_number").value == "11010519491231002X"


def test_what_cannot_be_understood_stays_as_content() -> None:
    page = page_of("Date: ??", "TOTAL abc")
    candidates = [found(page, "date", "??"), found(page, "total", "abc")]
    fields = build_fields(TYPES["receipt"], candidates, [page])
    for name, content in (("date", "??"), ("total", "abc")):
        field = one(fields, name)
        assert (field.value, field.content, field.needs_review) == (None, content, True)
        assert len(failed(field)) == 1


def test_a_failed_check_leaves_value_and_confidence() -> None:
    page = page_of("110105194912310021")
    field = one(build_fields(TYPES["id_card"], [found(page, "id_number", "110105194912310021")], [page]), "id_number")
    assert (field.value, field.confidence, field.needs_review) == ("110105194912310021", 0.9, True)
    assert Check("resident_id", False, "the check digit is 1; it should be X") in field.checks


def test_low_confidence_needs_review() -> None:
    page = page_of("TOTAL 12.00")
    fields = build_fields(TYPES["receipt"], [found(page, "total", "12.00", 0.4)], [page])
    assert one(fields, "total").needs_review
    fields = build_fields(TYPES["receipt"], [found(page, "total", "12.00", 0.4)], [page], review_below=0.3)
    assert not one(fields, "total").needs_review
    assert build_fields(TYPES["receipt"], [found(page, "total", "12.00", 0.4)], [page], min_confidence=0.5) == {}


def test_calibrated_confidence() -> None:
    page = page_of("TOTAL 12.00", "2018-03-25")
    candidates = [found(page, "total", "12.00", 0.8), found(page, "date", "2018-03-25", 0.8)]
    calibration = Calibration.from_mapping({"receipt.total": [[0, 0], [1, 0.5]]})
    fields = build_fields(TYPES["receipt"], candidates, [page], calibration=calibration)
    assert (one(fields, "total").confidence, one(fields, "date").confidence) == (0.4, 0.8)


@pytest.mark.parametrize(
    ("others", "value", "settled"),
    [
        ((), "2018-04-03", False),
        (("Due 25/04/2018",), "2018-04-03", True),
        (("Due 04/25/2018",), "2018-03-04", True),
        (("TOTAL RM 5.00",), "2018-04-03", True),
        (("TOTAL USD 5.00",), "2018-03-04", True),
        (("TOTAL $5.00",), "2018-04-03", False),
    ],
)
def test_ambiguous_dates(others: tuple[str, ...], value: str, settled: bool) -> None:
    page = page_of("Date 03/04/2018", *others)
    field = one(build_fields(TYPES["receipt"], [found(page, "date", "03/04/2018")], [page]), "date")
    assert field.value == value
    assert ("ambiguous_date" in failed(field)) is not settled
    assert "ambiguous_date" in [check.name for check in field.checks]
    assert field.needs_review is not settled


@pytest.mark.parametrize(("other", "value"), [("营业执照", "2024-03-05"), ("Licence", "2005-03-24")])
def test_years_of_two_digits_in_front(other: str, value: str) -> None:
    page = page_of("24/03/05", other)
    field = one(
        build_fields(TYPES["business_license"], [found(page, "established", "24/03/05")], [page]), "established"
    )
    assert field.value == value
    assert failed(field) == ["ambiguous_date"]


def test_no_tax_is_no_fault() -> None:
    page = page_of("合计 ¥150.50 ***")
    field = one(build_fields(TYPES["vat_invoice"], [found(page, "tax", "***")], [page]), "tax")
    assert (field.value, field.content, field.needs_review) == (None, "***", False)
    assert [check.passed for check in field.checks] == [True]


def test_rows() -> None:
    page = page_of(
        "*餐饮*餐费 1 100.00 6%", "*物流*运费 2.5 50.50 免税", "合计 ¥150.50 ¥9.03", "¥159.53 壹佰伍拾玖元伍角叁分"
    )
    candidates = [
        found(page, "items.amount", "50.50", 0.7, group=4),
        found(page, "items.name", "*物流*运费", 0.9, group=4),
        found(page, "items.quantity", "2.5", 0.9, group=4),
        found(page, "items.tax_rate", "免税", 0.9, group=4),
        found(page, "items.name", "*餐饮*餐费", 0.9, group=2),
        found(page, "items.quantity", "1", 0.9, group=2),
        found(page, "items.amount", "100.00", 0.9, group=2),
        found(page, "items.tax_rate", "6%", 0.9, group=2),
        found(page, "amount", "¥150.50"),
        found(page, "tax", "¥9.03"),
        found(page, "total", "¥159.53"),
        found(page, "total_in_words", "壹佰伍拾玖元伍角叁分"),
    ]
    fields = build_fields(TYPES["vat_invoice"], candidates, [page])
    rows = fields["items"]
    assert isinstance(rows, list)
    values = []
    for row in rows:
        assert row.type == "object"
        assert isinstance(row.value, dict)
        values.append({name: part.value for name, part in row.value.items()})
    assert values == [
        {"name": "*餐饮*餐费", "quantity": 1, "amount": "100.00", "tax_rate": "6"},
        {"name": "*物流*运费", "quantity": "2.5", "amount": "50.50", "tax_rate": "免税"},
    ]
    assert rows[0].content == "*餐饮*餐费 1 100.00 6%"
    assert (rows[0].confidence, rows[1].confidence) == (0.9, 0.7)
    assert len(rows[0].regions) == 4
    assert {(check.name, check.passed) for check in one(fields, "total").checks} == {("sum", True), ("capitals", True)}


def test_parts_without_a_group_are_rows_of_their_own() -> None:
    page = page_of("Header", "Name:", "Anna", "Date:")
    candidates = [
        found(page, "pairs.question", "Name:", group=0),
        found(page, "pairs.answer", "Anna", group=0),
        found(page, "pairs.question", "Date:"),
        found(page, "header", "Header"),
    ]
    fields = build_fields(TYPES["form"], candidates, [page])
    headers, pairs = fields["header"], fields["pairs"]
    assert isinstance(headers, list)
    assert isinstance(pairs, list)
    assert [header.value for header in headers] == ["Header"]
    assert [list(pair.value) for pair in pairs if isinstance(pair.value, dict)] == [
        ["question", "answer"],
        ["question"],
    ]


def test_several_pages_and_lines() -> None:
    first, second = page_of("ACME", "12, JALAN", "SS 2"), page_of("TOTAL 12.00", number=2)
    candidates = [
        Candidate("address", "12, JALAN SS 2", (Span(1, 0, 9), Span(2, 0, 4)), 1, 0.9),
        found(second, "total", "12.00"),
        Candidate("company", "ACME", (Span(7, 0, 4),), 9, 0.9),
    ]
    fields = build_fields(TYPES["receipt"], candidates, [first, second])
    assert [region.page for region in one(fields, "address").regions] == [1, 1]
    assert [region.page for region in one(fields, "total").regions] == [2]
    assert one(fields, "company").regions == []


def test_a_mark_beside_a_number_is_left_out() -> None:
    page = page_of("No.24952000000123456789")
    candidate = found(page, "invoice_number", "No.24952000000123456789")
    doctype = DocType.model_validate(
        {
            "name": "slip",
            "names": {"en": "Slip"},
            "reader": "network",
            "fields": {"invoice_number": {"type": "id", "pattern": r"\d{8}|\d{20}"}},
        }
    )
    field = one(build_fields(doctype, [candidate], [page]), "invoice_number")
    assert (field.value, field.content, failed(field)) == ("24952000000123456789", "No.24952000000123456789", [])


def test_a_number_too_long_is_not_cut() -> None:
    page = page_of("123456789")
    field = one(
        build_fields(TYPES["vat_invoice"], [found(page, "invoice_number", "123456789")], [page]), "invoice_number"
    )
    assert field.value == "123456789"
    assert failed(field) == ["pattern"]


def plain_values(value: Any) -> Any:
    """Every leaf of a result; fails on a type that JSON does not have."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):
            yield from plain_values(getattr(value, part.name))
    elif isinstance(value, dict):
        for part in value.values():
            yield from plain_values(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from plain_values(part)
    else:
        yield value


@given(st.data())
def test_whatever_the_candidates_the_values_are_plain(data: st.DataObject) -> None:
    """Case 16: no NaN, no infinity, no type of NumPy's; and nothing is lost silently."""
    doctype = TYPES[data.draw(st.sampled_from(sorted(TYPES)))]
    names = [name for name, _ in doctype.walk()]
    texts = data.draw(
        st.lists(st.text(alphabet="0123456789/.-年月日壹佰元OlXRM ¥%男abＡ１", max_size=20), min_size=1, max_size=4)
    )
    page = page_of(*texts)
    candidates = [
        Candidate(
            data.draw(st.sampled_from(names)),
            text,
            (Span(number, 0, len(text)),),
            1,
            data.draw(st.sampled_from([0.0, 0.3, 0.99, 1.0, math.nan, math.inf])),
            data.draw(st.sampled_from([None, 0])),
        )
        for number, text in enumerate(texts)
    ]
    for leaf in plain_values(build_fields(doctype, candidates, [page])):
        assert type(leaf) in (str, int, float, bool, type(None))
        assert not isinstance(leaf, float) or math.isfinite(leaf)
