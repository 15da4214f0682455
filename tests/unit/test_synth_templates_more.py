"""Further training families: what is announced stands on the page, agrees, and keeps within the page."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import cache

import cn2an
import pytest
from stdnum import luhn
from stdnum.cn import ric, uscc

from models.layout_ner.example import Example
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import FAMILIES, Family
from models.layout_ner.synth.sheet import Run, Sheet

MODULES = (
    *("policies_scrambled", "policies_more_zh", "policies_more_en", "receipts_scrambled_en"),
    *("receipts_more_en", "receipts_trips_en", "receipts_scrambled_zh", "receipts_more_zh"),
    *("receipts_slips_zh", "receipts_bills_zh", "train_more", "vat_more"),
    *("licences_more", "cards_more", "ids_more", "forms_more"),
    *("forms_mixed", "other_notes", "other_permits", "other_papers"),
    *("other_office",),
)
PACKAGE = "models.layout_ner.synth.templates"
FIELDS = {
    "receipt": "company address date total tax currency receipt_number",
    "id_card": "name sex ethnicity birth_date address id_number issuing_authority valid_from valid_to",
    "vat_invoice": (
        "invoice_code invoice_number issue_date buyer_name buyer_tax_id seller_name seller_tax_id amount tax total "
        "total_in_words items.name items.quantity items.unit_price items.amount items.tax_rate"
    ),
    "insurance_policy": "policy_number policyholder insured id_number product sum_insured premium start_date end_date",
    "bank_card": "card_number bank valid_thru",
    "business_license": (
        "credit_code company company_type legal_representative registered_capital established address scope"
    ),
    "train_ticket": "train origin destination departure seat price passenger id_number",
    "form": "header question answer",
}
ALWAYS = {
    "receipt": {"company", "date", "total"},
    "vat_invoice": {"invoice_number", "issue_date", "buyer_name", "seller_name", "total", "items.name", "items.amount"},
    "insurance_policy": {"policy_number", "insured", "start_date", "end_date"},
    "bank_card": {"card_number"},
    "business_license": {"company", "scope", "address"},
    "train_ticket": {"train", "origin", "destination", "departure", "price"},
}
DAYS = {"date", "issue_date", "birth_date", "valid_from", "valid_to", "established", "start_date", "end_date"}
SUMS = {"total", "tax", "price", "amount", "items.amount", "items.unit_price", "items.quantity"}
WORDED_SUMS = {"registered_capital", "sum_insured", "premium"}
REPEATED = {"total", "tax", "currency"}  # a receipt may print these more than once
SEEDS = range(14)

for name in MODULES:
    importlib.import_module(f"{PACKAGE}.{name}")
OURS = [family for family in FAMILIES if family.template.__module__.rsplit(".", 1)[-1] in MODULES]

each = pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)


def of_type(*names: str) -> pytest.MarkDecorator:
    chosen = [family for family in OURS if family.doc_type in names]
    return pytest.mark.parametrize("family", chosen, ids=lambda family: family.name)


def laid_out(family: Family, seed: int) -> Sheet:
    rng = random.Random(f"{family.name} {seed}")
    return family.template(rng, Palette(family.split, rng))


@cache
def pages(name: str) -> tuple[tuple[Sheet, Example], ...]:
    family = next(family for family in OURS if family.name == name)
    sheets = [laid_out(family, seed) for seed in SEEDS]
    return tuple((sheet, sheet.example(name, family.doc_type)) for sheet in sheets)


def box(run: Run) -> tuple[float, float, float, float]:
    font, size = run.font, run.size
    return run.x, run.y - font.ascent * size, run.x + font.length(run.text.rstrip(), size), run.y + font.descent * size


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text).upper()


@each
def test_every_run_stands_on_the_page_and_apart_from_the_others(family: Family) -> None:
    for seed, (sheet, _) in enumerate(pages(family.name)):
        boxes = [(run, *box(run)) for run in sheet.runs if run.text.strip()]
        for run, left, top, right, bottom in boxes:
            assert left >= -1, (seed, run.text)
            assert top >= -1, (seed, run.text)
            assert right <= sheet.width + 1, (seed, run.text)
            assert bottom <= sheet.height + 1, (seed, run.text)
        boxes.sort(key=lambda item: item[2])
        for index, (run, left, top, right, bottom) in enumerate(boxes):
            for other, left2, top2, right2, bottom2 in boxes[index + 1 :]:
                if top2 >= bottom:
                    break
                shared = max(0.0, min(right, right2) - max(left, left2)) * max(0.0, min(bottom, bottom2) - top2)
                smaller = min((right - left) * (bottom - top), (right2 - left2) * (bottom2 - top2))
                assert shared <= 0.15 * smaller, (seed, run.text, other.text)


@each
def test_entities_have_known_names_and_whole_texts(family: Family) -> None:
    for seed, (_, example) in enumerate(pages(family.name)):
        assert len(example.lines) >= 2, seed
        if family.doc_type is None:
            assert not example.entities
            continue
        names = [entity.name for entity in example.entities]
        assert set(names) <= set(FIELDS[family.doc_type].split())
        assert set(names) >= ALWAYS.get(family.doc_type, set()), (seed, ALWAYS[family.doc_type] - set(names))
        for entity in example.entities:
            for span in entity.spans:
                piece = example.lines[span.line].text[span.start : span.end]
                assert piece == piece.strip() != "", (seed, entity.name)
            if family.doc_type != "form":
                assert entity.value, (seed, entity.name)


@each
def test_a_field_that_stands_once_is_marked_once(family: Family) -> None:
    if family.doc_type == "form":
        return
    for seed, (_, example) in enumerate(pages(family.name)):
        for name, values in example.values.items():
            if name.startswith("items."):
                groups = [entity.group for entity in example.entities if entity.name == name]
                assert None not in groups
                assert len(set(groups)) == len(groups), (seed, name)
            elif name in REPEATED and family.doc_type == "receipt":
                assert len(set(values)) == 1, (seed, name, values)
            else:
                assert len(values) == 1, (seed, name, values)


@each
def test_values_say_what_is_printed(family: Family) -> None:
    for seed, (_, example) in enumerate(pages(family.name)):
        for entity in example.entities:
            text, value = example.text_of(entity), entity.value
            if value is None or value == "permanent":
                continue
            says = (seed, entity.name, text, value)
            if entity.name in DAYS:
                day = date.fromisoformat(value)
                printed = _day_of(text)
                if printed is not None:
                    assert printed == day, says
                else:
                    digits = re.sub(r"\D", "", text)
                    assert "〇" in text or f"{day.year % 100:02d}" in digits, says
            elif entity.name == "departure":
                moment = datetime.fromisoformat(value)
                assert f"{moment:%H:%M}" in text, says
                assert str(moment.year) in text, says
            elif entity.name == "valid_thru":
                year, month = value.split("-")
                assert re.sub(r"\D", "", text) in (month + year, month + year[2:]), says
            elif entity.name == "card_number":
                assert re.sub(r"\D", "", text) == value, says
                assert luhn.is_valid(value)
            elif entity.name in SUMS:
                assert Decimal(text.replace(",", "").replace("***", "0")) == Decimal(value), says
            elif entity.name in WORDED_SUMS:
                assert Decimal(value) > 0
                figures = re.search(r"\d[\d,]*(\.\d+)?", text)
                if figures:
                    shown = Decimal(figures.group().replace(",", ""))
                    assert shown * (10_000 if "万" in text else 1) == Decimal(value), says
            elif entity.name == "items.tax_rate":
                assert value == text or Decimal(value) * 100 == Decimal(text.rstrip("%")), says
            else:
                assert squeezed(text) == squeezed(value), says


def _day_of(text: str) -> date | None:
    """The day that a numeric date with the year first says."""
    found = re.match(r"\s*(\d{4})\D*(\d{1,2})\D*?(\d{1,2})(?!\d)", text) or re.fullmatch(r"(\d{4})(\d{2})(\d{2})", text)
    return date(*(int(part) for part in found.groups())) if found else None


@of_type("id_card")
def test_identity_numbers_agree_with_birth_and_sex(family: Family) -> None:
    for _, example in pages(family.name):
        values = {entity.name: entity.value or "" for entity in example.entities}
        if "id_number" in values:
            assert ric.is_valid(values["id_number"])
            if "birth_date" in values:
                assert values["id_number"][6:14] == values["birth_date"].replace("-", "")
            if "sex" in values:
                assert (int(values["id_number"][16]) % 2 == 1) == (values["sex"] == "男")
        if values.get("valid_to", "permanent") != "permanent":
            assert values["valid_from"] < values["valid_to"]


@of_type("business_license", "insurance_policy")
def test_codes_are_valid_and_periods_run_forward(family: Family) -> None:
    for _, example in pages(family.name):
        values = {entity.name: entity.value or "" for entity in example.entities}
        if "credit_code" in values:
            assert uscc.is_valid(values["credit_code"])
        if values.get("end_date", "permanent") != "permanent":
            assert values["start_date"] < values["end_date"]


@of_type("vat_invoice")
def test_invoices_add_up(family: Family) -> None:
    for seed, (_, example) in enumerate(pages(family.name)):
        value = {e.name: Decimal(e.value or 0) for e in example.entities if e.name in ("amount", "tax", "total")}
        rows = [Decimal(e.value or 0) for e in example.entities if e.name == "items.amount"]
        if "amount" in value:
            assert sum(rows) == value["amount"], seed
            assert value["amount"] + value["tax"] == value["total"], seed
        for words in example.values.get("total_in_words", []):
            assert round(Decimal(str(cn2an.cn2an(_plain(words), "smart"))), 2) == value["total"], (seed, words)


def _plain(words: str) -> str:
    """Capitals of money as a decimal number in Chinese numerals."""
    whole, _, rest = words.replace("圆", "元").replace("正", "整").rstrip("整").partition("元")
    cents = {unit: rest[rest.index(unit) - 1] for unit in "角分" if unit in rest}
    return (whole or "零") + "点" + cents.get("角", "零") + cents.get("分", "零")


@of_type("form")
def test_links_join_questions_to_answers(family: Family) -> None:
    linked = 0
    for _, example in pages(family.name):
        answered = set()
        for question, answer in example.links:
            assert example.entities[question].name == "question"
            assert example.entities[answer].name == "answer"
            answered.add(answer)
        assert {number for number, entity in enumerate(example.entities) if entity.name == "answer"} == answered
        linked += len(answered)
    assert linked > len(SEEDS)


def test_pages_depend_on_the_seed_alone() -> None:
    texts: Callable[[Sheet], list[str]] = lambda sheet: [run.text for run in sheet.runs]  # noqa: E731
    for family in OURS:
        again = laid_out(family, SEEDS[1])
        assert texts(again) == texts(pages(family.name)[1][0])
        assert texts(again) != texts(pages(family.name)[2][0])


def test_they_are_all_for_training_and_of_every_type() -> None:
    assert {family.split for family in OURS} == {"train"}
    least = {"receipt": 24, "insurance_policy": 14, "train_ticket": 6, "vat_invoice": 6, "business_license": 6}
    least |= {"bank_card": 6, "id_card": 4, "form": 12}
    types = [family.doc_type for family in OURS]
    assert {name: types.count(name) for name, count in least.items() if types.count(name) < count} == {}
    assert types.count(None) >= 14
