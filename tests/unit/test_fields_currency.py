"""The currency of the main amount: beside it, in its label, in the head of its column."""

from __future__ import annotations

import re

import pytest

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.doctypes import load_doctypes
from schemas.document import Line, Page
from schemas.fields import Field
from stages.fields.build import build_fields
from stages.fields.currency import currency_at

RECEIPT = load_doctypes()["receipt"]


def written(*rows: str) -> Page:
    """10 by 20 pixels a letter, 20 an ideograph; two spaces begin another line on the row."""
    lines = []
    for number, row in enumerate(rows):
        top = 30.0 * number
        for piece in re.finditer(r"\S+(?: \S+)*", row):
            left = sum(map(_width, row[: piece.start()]))
            right = left + sum(map(_width, piece[0]))
            lines.append(Line(piece[0], 0.99, ((left, top), (right, top), (right, top + 20), (left, top + 20))))
    return Page(1, 800, 600, lines=lines)


def _width(char: str) -> float:
    return 20.0 if ord(char) > 0x2E80 else 10.0


def at(page: Page, text: str, name: str = "total", which: int = -1, confidence: float = 0.8) -> Candidate:
    """The text where it stands on the page, by default for the last time."""
    number = [number for number, line in enumerate(page.lines) if text in line.text][which]
    start = page.lines[number].text.rindex(text)
    return Candidate(name, text, (Span(number, start, start + len(text)),), 1, confidence)


def field(fields: dict[str, Field | list[Field]], name: str) -> Field:
    found = fields[name]
    assert isinstance(found, Field)
    return found


@pytest.mark.parametrize(
    ("rows", "sign"),
    [
        (["TOTAL RM9.00"], "RM"),
        (["TOTAL  $ 9.00"], "$"),
        (["实付 9.00元"], "元"),
        (["合计 ￥9.00元"], "￥"),
        (["TOTAL (RM) 9.00"], "RM"),
        (["TOTAL AMOUNT (MYR) : 9.00"], "MYR"),
        (["TOTAL RM  9.00"], "RM"),
        (["Total  RM  9.00"], "RM"),
        (["TOTAL (RM)  3  9.00"], "RM"),
        (["合计(元)  9.00"], "元"),
        (["合计：元  9.00"], "元"),
        (["ITEM    AMOUNT (RM)", "TEA            9.00", "TOTAL          9.00"], "RM"),
        (["Item  Qty  Amount MYR", "Tea   1    9.00", "Total      9.00"], "MYR"),
        (["ITEM AMOUNT MYR", "TEA        9.00", "TOTAL      9.00"], "MYR"),
        (["品名  数量  金额(元)", "茶    1    9.00", "合计       9.00"], "元"),
        (["          RM", "TOTAL   9.00"], "RM"),
    ],
)
def test_the_sign_of_an_amount_is_found(rows: list[str], sign: str) -> None:
    page = written(*rows)
    found = currency_at("currency", at(page, "9.00"), page)
    assert found is not None
    assert (found.name, found.content, found.confidence, found.page) == ("currency", sign, 0.8, 1)
    [span] = found.spans
    assert page.lines[span.line].text[span.start : span.end] == sign


@pytest.mark.parametrize(
    "rows",
    [
        ["TOTAL 9.00"],
        ["FIRM 9.00"],  # the end of a word
        ["FORM  9.00"],
        ["CASH RM 10.00  TOTAL  9.00"],  # of another amount
        ["USD 3.00  TOTAL  9.00"],
        ["SUBTOTAL (RM)  8.50", "TOTAL          9.00"],  # of another row
        ["TAX (RM) 0.50", "  TOTAL 9.00"],
        ["元旦特价  9.00"],  # a part of a word
        ["单价(元)", "茶  1  5.00           4.00", "合计                  9.00"],  # of another column
        ["TOTAL  9.00", "       RM"],  # under it
        ["TOTAL  9.00  RM 10.00"],
    ],
)
def test_the_sign_of_something_else_is_not_taken(rows: list[str]) -> None:
    page = written(*rows)
    assert currency_at("currency", at(page, "9.00"), page) is None


def test_spans_that_the_page_does_not_have_find_nothing() -> None:
    page = written("TOTAL RM9.00")
    assert currency_at("currency", Candidate("total", "9.00", (Span(7, 0, 4),), 1, 0.9), page) is None
    assert currency_at("currency", Candidate("total", "9.00", (), 1, 0.9), page) is None


def test_the_rule_goes_before_the_candidate() -> None:
    page = written("CARD USD 20.00", "TOTAL (RM)  9.00")
    fields = build_fields(RECEIPT, [at(page, "USD", "currency", confidence=0.99), at(page, "9.00")], [page])
    currency = field(fields, "currency")
    assert (currency.type, currency.value, currency.content) == ("currency", "MYR", "RM")
    assert currency.confidence == field(fields, "total").confidence == 0.8
    assert not currency.needs_review
    [region] = currency.regions
    assert region.polygon == ((70.0, 30.0), (90.0, 30.0), (90.0, 50.0), (70.0, 50.0)) or region.polygon[0][0] > 50
    assert field(fields, "total").currency == "MYR"


@pytest.mark.parametrize("candidates", [["9.00"], []])
def test_without_a_sign_at_the_amount_the_candidate_counts(candidates: list[str]) -> None:
    page = written("TOTAL  9.00", "All prices in USD")
    found = [at(page, "USD", "currency", confidence=0.7), *(at(page, one) for one in candidates)]
    currency = field(build_fields(RECEIPT, found, [page]), "currency")
    assert (currency.value, currency.confidence) == ("USD", 0.7)


def test_any_place_where_the_chosen_amount_stands_may_tell() -> None:
    page = written("GRAND TOTAL  9.00", "AMOUNT DUE (£)  9.00", "CHANGE USD  1.00")
    amounts = [at(page, "9.00", which=0, confidence=0.9), at(page, "9.00", which=1, confidence=0.6)]
    fields = build_fields(RECEIPT, [*amounts, at(page, "1.00", confidence=0.2)], [page])
    assert field(fields, "currency").value == "GBP"


def test_a_shared_sign_is_the_currency_that_the_page_names() -> None:
    page = written("CASH RM 20.00", "CHANGE RM 11.00", "TOTAL $9.00")
    fields = build_fields(RECEIPT, [at(page, "9.00")], [page])
    assert field(fields, "currency").value == field(fields, "total").currency == "MYR"
    assert field(fields, "currency").content == "$"


def test_the_label_tells_more_than_the_rest_of_the_page() -> None:
    page = written("CARD USD 3.00", "PAID USD 1.00", "TOTAL (RM)  9.00")
    fields = build_fields(RECEIPT, [at(page, "9.00")], [page])
    assert field(fields, "total").currency == field(fields, "currency").value == "MYR"


def test_an_amount_that_is_not_sure_enough_gives_no_currency() -> None:
    page = written("TOTAL RM9.00")
    fields = build_fields(RECEIPT, [at(page, "9.00", confidence=0.3)], [page], min_confidence=0.5)
    assert fields == {}
    fields = build_fields(RECEIPT, [at(page, "9.00", confidence=0.3)], [page])
    assert field(fields, "currency").needs_review


def test_the_fields_stay_in_the_order_of_the_type() -> None:
    page = written("ACME", "TOTAL RM9.00", "No. 17")
    found = [at(page, "17", "receipt_number"), at(page, "9.00"), at(page, "ACME", "company")]
    assert list(build_fields(RECEIPT, found, [page])) == ["company", "total", "currency", "receipt_number"]
