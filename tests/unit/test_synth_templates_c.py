"""Template families of cards, licences, policies and forms: what is announced stands on the page, and agrees."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import pytest
from stdnum import luhn
from stdnum.cn import ric, uscc

from models.layout_ner.example import Example
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import FAMILIES, Family
from models.layout_ner.synth.sheet import Run, Sheet

MODULES = (
    *("id_cards", "id_cards_val", "bank_cards", "bank_cards_val", "licences", "licences_val"),
    *("policies_zh", "policies_en", "policies_val", "forms_en", "forms_en_office", "forms_zh", "forms_val"),
)
PACKAGE = "models.layout_ner.synth.templates"
FIELDS = {
    "id_card": "name sex ethnicity birth_date address id_number issuing_authority valid_from valid_to",
    "bank_card": "card_number bank valid_thru",
    "business_license": (
        "credit_code company company_type legal_representative registered_capital established address scope"
    ),
    "insurance_policy": "policy_number policyholder insured id_number product sum_insured premium start_date end_date",
    "form": "header question answer",
}
SEEDS = range(20)

for name in MODULES:
    importlib.import_module(f"{PACKAGE}.{name}")
OURS = [family for family in FAMILIES if family.template.__module__.rsplit(".", 1)[-1] in MODULES]


def pages(family: Family) -> Iterator[tuple[Sheet, Example]]:
    for seed in SEEDS:
        rng = random.Random(f"{family.name} {seed}")
        sheet = family.template(rng, Palette(family.split, rng))
        yield sheet, sheet.example(f"{family.name}-{seed}", family.doc_type)


def box(run: Run) -> tuple[float, float, float, float]:
    font, size = run.font, run.size
    return run.x, run.y - font.ascent * size, run.x + font.length(run.text.rstrip(), size), run.y + font.descent * size


def day_of(text: str) -> date | None:
    """The day that a numeric date with the year first says."""
    found = re.match(r"\s*(\d{4})\D*(\d{1,2})\D*?(\d{1,2})(?!\d)", text)
    if found is None:
        found = re.fullmatch(r"(\d{4})(\d{2})(\d{2})", text)
    return date(*(int(part) for part in found.groups())) if found else None


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)
def test_every_run_stands_on_the_page_and_apart_from_the_others(family: Family) -> None:
    for sheet, _ in pages(family):
        boxes = [(run, *box(run)) for run in sheet.runs if run.text.strip()]
        for run, left, top, right, bottom in boxes:
            assert left >= -1, run.text
            assert top >= -1, run.text
            assert right <= sheet.width + 1, run.text
            assert bottom <= sheet.height + 1, run.text
        boxes.sort(key=lambda item: item[2])
        for index, (run, left, top, right, bottom) in enumerate(boxes):
            for other, left2, top2, right2, bottom2 in boxes[index + 1 :]:
                if top2 >= bottom:
                    break
                shared = max(0.0, min(right, right2) - max(left, left2)) * max(0.0, min(bottom, bottom2) - top2)
                smaller = min((right - left) * (bottom - top), (right2 - left2) * (bottom2 - top2))
                assert shared <= 0.12 * smaller, f"{run.text!r} and {other.text!r}"


@pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)
def test_entities_have_known_names_and_whole_texts(family: Family) -> None:
    assert family.doc_type is not None
    for _, example in pages(family):
        assert example.entities
        for entity in example.entities:
            assert entity.name in FIELDS[family.doc_type].split()
            assert entity.spans
            for span in entity.spans:
                piece = example.lines[span.line].text[span.start : span.end]
                assert piece
                assert piece == piece.strip()
            if family.doc_type != "form":
                assert entity.value
        single = [entity.name for entity in example.entities]
        if family.doc_type != "form":
            assert len(single) == len(set(single)), "a field that occurs twice"


@pytest.mark.parametrize("family", OURS, ids=lambda family: family.name)
def test_values_say_what_is_printed(family: Family) -> None:
    days = {"birth_date", "valid_from", "valid_to", "established", "start_date", "end_date"}
    for _, example in pages(family):
        for entity in example.entities:
            text = example.text_of(entity)
            if entity.value is None:
                continue
            if entity.name in days and entity.value != "permanent":
                value = date.fromisoformat(entity.value)
                printed = day_of(text)
                if printed is not None:
                    assert printed == value, text
                else:
                    assert re.search(r"[〇零○一二]|\d", text), text
            elif entity.name == "valid_thru":
                year, month = entity.value.split("-")
                assert re.sub(r"\D", "", text) in (month + year, month + year[2:])
            elif entity.name == "card_number":
                assert re.sub(r"\D", "", text) == entity.value
                assert luhn.is_valid(entity.value)
            elif entity.name in ("registered_capital", "sum_insured", "premium"):
                amount = Decimal(entity.value)
                assert amount > 0
                figures = re.search(r"\d[\d,]*(\.\d+)?", text)
                if figures:
                    shown = Decimal(figures.group().replace(",", ""))
                    assert shown * (10_000 if "万" in text else 1) == amount, text
            elif entity.value != "permanent":
                assert squeezed(entity.value) == squeezed(text)


@pytest.mark.parametrize("family", [f for f in OURS if f.doc_type == "id_card"], ids=lambda family: family.name)
def test_identity_numbers_agree_with_birth_and_sex(family: Family) -> None:
    for _, example in pages(family):
        values = {entity.name: entity.value or "" for entity in example.entities}
        if "id_number" in values:
            assert ric.is_valid(values["id_number"])
            assert values["id_number"][6:14] == values["birth_date"].replace("-", "")
            assert (int(values["id_number"][16]) % 2 == 1) == (values["sex"] == "男")
        if values.get("valid_to", "permanent") != "permanent":
            assert values["valid_from"] < values["valid_to"]


@pytest.mark.parametrize(
    "family",
    [f for f in OURS if f.doc_type in ("business_license", "insurance_policy")],
    ids=lambda family: family.name,
)
def test_codes_are_valid_and_periods_run_forward(family: Family) -> None:
    for _, example in pages(family):
        values = {entity.name: entity.value or "" for entity in example.entities}
        if "credit_code" in values:
            assert uscc.is_valid(values["credit_code"])
        if family.doc_type == "business_license":
            assert {"company", "scope", "address"} <= set(values)
        elif values["end_date"] != "permanent":
            assert values["start_date"] < values["end_date"]


@pytest.mark.parametrize("family", [f for f in OURS if f.doc_type == "form"], ids=lambda family: family.name)
def test_links_join_questions_to_answers(family: Family) -> None:
    linked = 0
    for _, example in pages(family):
        answered = set()
        for question, answer in example.links:
            assert example.entities[question].name == "question"
            assert example.entities[answer].name == "answer"
            answered.add(answer)
        answers = {number for number, entity in enumerate(example.entities) if entity.name == "answer"}
        assert answers == answered
        linked += len(answers)
    assert linked > len(SEEDS)


def test_enough_families_of_each_type_and_split() -> None:
    for doc_type in FIELDS:
        ours = [family for family in OURS if family.doc_type == doc_type]
        train = [family for family in ours if family.split == "train"]
        assert len(train) >= (8 if doc_type == "form" else 5)
        assert len(ours) - len(train) >= (3 if doc_type == "form" else 2)


def test_the_same_seed_makes_the_same_page() -> None:
    for family in OURS[::5]:
        first, second = ([line.text for line in next(pages(family))[1].lines] for _ in range(2))
        assert first == second
