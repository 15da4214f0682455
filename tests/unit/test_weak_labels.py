"""Labels for fields that a page's truth says nothing about."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from models.layout_ner.datasets import load_examples
from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.synth.generate import examples
from pipeline.training.weak_labels import all_with_weak_labels, with_weak_labels
from schemas.doctypes import DocType, load_doctypes

TYPES = load_doctypes()
RECEIPT = TYPES["receipt"]
UNKNOWN = frozenset({"tax", "receipt_number", "currency"})


def receipt(*rows: str, total: str | None = "106.00", unknown: frozenset[str] = UNKNOWN) -> Example:
    """10 by 20 pixels a letter; two spaces begin another line on the row. The last total is labelled."""
    lines = []
    for number, row in enumerate(rows):
        for piece in re.finditer(r"\S+(?: \S+)*", row):
            left, top, right = 10.0 * piece.start(), 30.0 * number, 10.0 * piece.end()
            lines.append(TextLine(piece[0], ((left, top), (right, top), (right, top + 20), (left, top + 20))))
    example = Example("page", "receipt", 800, 1000, lines, unknown=unknown)
    if total is not None:
        number = max(number for number, line in enumerate(lines) if total in line.text)
        start = lines[number].text.rindex(total)
        example.entities.append(Entity("total", (Span(number, start, start + len(total)),)))
    return example


def found(example: Example, name: str, doctype: DocType = RECEIPT) -> tuple[list[str], bool]:
    """The texts that are labelled, and whether the field still is unknown."""
    labelled = with_weak_labels(example, doctype)
    texts = [labelled.text_of(entity) for entity in labelled.entities if entity.name == name]
    return texts, name in labelled.unknown


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("GST  6.00", "6.00"),
        ("GST @6%: RM6.00", "6.00"),
        ("TOTAL GST :  RM 6.00", "6.00"),
        ("GST PAYABLE (6%)  6.00", "6.00"),
        ("TOTAL INCLUDES 6% GST  6.00", "6.00"),
        ("Tax:  RM  6.00", "6.00"),
    ],
)
def test_a_tax_behind_its_own_words(row: str, text: str) -> None:
    assert found(receipt("TOTAL  106.00", row), "tax") == ([text], False)


@pytest.mark.parametrize(
    "rows",
    [
        ["TOTAL EXCL. GST  6.00"],  # not the tax's own words
        ["TOTAL EXCL. GST: 6.00"],
        ["TOTAL EXCL.  GST  6.00"],
        ["GST  100.00  6.00"],  # two amounts
        ["GST 6% 100.00 6.00"],
        ["GST  60.00"],  # more than a tax is
        ["GST: -6.00"],
        ["GST  6%"],
        ["VAT: 077 9915 06"],  # a number of another kind
        ["GST  6.00", "SERVICE TAX  2.00"],  # two that say different things
        ["SUBTOTAL  100.00"],
    ],
)
def test_a_doubtful_tax_is_left_alone(rows: list[str]) -> None:
    assert found(receipt(*rows, "TOTAL  106.00"), "tax") == ([], True)


def test_a_tax_needs_a_total_to_be_small_against() -> None:
    assert found(receipt("GST  6.00", total=None), "tax") == ([], True)


def test_the_same_tax_in_the_table_of_taxes_is_labelled_too() -> None:
    example = receipt("GST  6.00", "TOTAL  106.00", "CODE  NET     TAX", "SR    100.00  6.00")
    assert found(example, "tax") == (["6.00", "6.00"], False)


@pytest.mark.parametrize(
    "rows",
    [
        ["TEA  6.00", "GST  6.00", "TOTAL  106.00"],  # above: an item
        ["GST  6.00", "TOTAL  106.00", "SR  100.00  6.00", "ALL  100.00  6.00"],  # which of the two?
        ["GST  6.00", "TOTAL  106.00", "CHANGE 6.00"],
    ],
)
def test_where_the_same_amount_may_be_something_else_the_field_stays_unknown(rows: list[str]) -> None:
    assert found(receipt(*rows), "tax") == (["6.00"], True)


def test_no_tax_at_all_is_no_reason_to_label_every_zero() -> None:
    assert found(receipt("GST  0.00", "TOTAL  106.00", "CHANGE  0.00"), "tax") == (["0.00"], True)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("Invoice No: A-1042", "A-1042"),
        ("RECEIPT NO.  003-1220815", "003-1220815"),
        ("(RECEIPT NO: REC-15)", "REC-15"),
        ("BILL NO: #775", "#775"),
    ],
)
def test_a_number_behind_its_own_words(row: str, text: str) -> None:
    assert found(receipt(row, "TOTAL  106.00"), "receipt_number") == ([text], False)


@pytest.mark.parametrize(
    "rows",
    [
        ["GST REG NO: 000656195584"],
        ["INVOICE (COPY)"],
        ["PLEASE KEEP THIS RECEIPT 14 DAYS"],
        ["ORDER NO: 1042"],  # may have a number of its own
        ["BILL NO: 7"],  # too short
        ["INVOICE NO: 1042 / POS2"],  # where does it end?
        ["INVOICE NO: 1042", "RECEIPT NO: 1043"],
    ],
)
def test_a_doubtful_number_is_left_alone(rows: list[str]) -> None:
    assert found(receipt(*rows, "TOTAL  106.00"), "receipt_number") == ([], True)


def test_the_sign_at_the_total_is_its_currency() -> None:
    assert found(receipt("AMOUNT(RM)", "TOTAL (RM)  106.00"), "currency") == (["RM"], False)
    # A head of a column tells it as well, but then nobody marks it.
    assert found(receipt("ITEM    AMOUNT(RM)", "TOTAL       106.00"), "currency") == ([], True)


def test_what_is_labelled_already_is_not_labelled_twice() -> None:
    example = receipt("TOTAL RM 106.00", total="RM 106.00")
    assert found(example, "currency") == ([], True)


def test_what_the_truth_speaks_about_is_left_to_it() -> None:
    example = receipt("GST  6.00", "TOTAL  106.00", unknown=frozenset())
    assert with_weak_labels(example, RECEIPT) is example


def test_the_page_given_is_not_changed() -> None:
    example = receipt("GST  6.00", "TOTAL RM  106.00")
    before = replace(example, entities=list(example.entities))
    assert with_weak_labels(example, RECEIPT) != example
    assert example == before


def test_pages_of_no_known_type_stay_as_they_are() -> None:
    page, other = receipt("GST  6.00", "TOTAL  106.00"), Example("x", None, 100, 100, [])
    foreign = replace(page, doc_type="no_such_type")
    [[first, second], [third]] = all_with_weak_labels([[page, other], [foreign]], TYPES)
    assert [entity.name for entity in first.entities] == ["total", "tax"]
    assert second is other
    assert third is foreign


def test_on_synthetic_receipts_hardly_any_label_is_wrong() -> None:
    names = ("tax", "receipt_number")
    right, wrong = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for example in examples(17, 80, "train", ["receipt"]):
        kept = [entity for entity in example.entities if entity.name not in UNKNOWN]
        labelled = with_weak_labels(replace(example, entities=kept, unknown=UNKNOWN), RECEIPT)
        for name in names:
            truth = {span for entity in example.entities if entity.name == name for span in entity.spans}
            spans = {span for entity in labelled.entities if entity.name == name for span in entity.spans}
            right[name] += len(spans & truth)
            wrong[name] += len(spans - truth)
    for name in names:
        assert right[name] >= 10
        assert wrong[name] <= 0.03 * right[name]


def test_real_receipts_get_labels(shared_data: Path, tmp_path: Path) -> None:
    labels = (shared_data / "sroie_train" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "labels.jsonl").write_text("\n".join(labels[:40]), encoding="utf-8")
    pages = load_examples(tmp_path, doctypes=TYPES)
    labelled = [with_weak_labels(page, RECEIPT) for page in pages]
    names = [entity.name for page in labelled for entity in page.entities]
    assert names.count("receipt_number") >= 10
    assert names.count("tax") >= 5
    assert all(0 <= s.start < s.end <= len(p.lines[s.line].text) for p in labelled for e in p.entities for s in e.spans)
