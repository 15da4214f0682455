"""The fields stage: which type a document is, and that nothing in it costs the document its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from models.layout_ner.candidate import Candidate
from models.layout_ner.encode import encode
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.doctypes import DocType, load_doctypes
from schemas.document import Line, Page
from schemas.fields import Field
from stages.devices.cpu import CpuDevice
from stages.fields.doc_type import MIN_CONFIDENCE, TITLE_DECIDES, Decision, by_network, settle
from stages.fields.readers import FieldsPage, keys_reader, network_reader, text_lines
from stages.fields.stage import FAILED, Fields, FieldsItem, FieldsResult, FieldsStage
from stages.layout_ner.stage import PageTags
from stages.stage import LaneContext

TAGS = TagSet({"receipt": ("company", "total"), "vat_invoice": ("buyer_name",)})
TYPES = TAGS.types
LETTER = DocType.model_validate(
    {
        "name": "letter",
        "names": {"en": "Letter"},
        "titles": ["Business letter", "letter"],
        "fields": {"subject": {"keys": ["Subject"]}},
    }
)


def page(*texts: str, number: int = 1) -> Page:
    lines = [
        Line(
            text,
            0.9,
            ((10, 20 * i), (10 + 8 * len(text), 20 * i), (10 + 8 * len(text), 20 * i + 15), (10, 20 * i + 15)),
        )
        for i, text in enumerate(texts)
    ]
    return Page(number, 600, 800, lines=lines)


def tagged(of: Page, types: Sequence[float], total: str = "") -> FieldsPage:
    """A page whose network sees the total where ``total`` stands."""
    encoded = encode(text_lines(of), Vocabulary("ab"))
    tags = np.zeros((encoded.length, len(TAGS)), np.float32)
    tags[:, 0] = 1
    begin = TAGS.begin("receipt", "total")
    assert begin is not None
    for index, line in enumerate(of.lines):
        at = line.text.find(total) if total else -1
        if at >= 0:
            first = int(np.flatnonzero(encoded.line_of == index)[0]) + at
            tags[first : first + len(total)] = 0
            tags[first, begin] = 1
            tags[first + 1 : first + len(total), begin + 1] = 1
    return FieldsPage(of, PageTags(encoded, tags, np.array(types, np.float32)))


def build(doctype: DocType, candidates: list[Candidate], pages: list[Page]) -> Fields:
    return {c.name: Field("text", c.content, c.content, c.confidence) for c in candidates}


def read(item: FieldsItem, **changes: Any) -> FieldsResult:
    doctypes = {**load_doctypes(), "letter": LETTER}
    readers = {"network": network_reader(TAGS), "keys": keys_reader}
    stage = FieldsStage(doctypes, **{"readers": readers, "build": build, "types": TYPES, **changes})
    device = CpuDevice(1)
    lane = LaneContext(device, device.stream())
    results = stage.split(stage.predict(stage.collate([stage.prepare(item, lane)], lane), lane), [item], lane)
    assert len(results) == 1
    return results[0]


# --- the type -------------------------------------------------------------------------------------------------------


def said(*rows: Sequence[float]) -> list[Any]:
    return [np.array(row, np.float32) for row in rows]


def test_the_most_probable_type_is_it_and_its_probability_said() -> None:
    decision = by_network(said((0.1, 0.8, 0.1)), TYPES)
    assert decision.doc_type == "receipt"
    assert decision.confidence == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("row", [(0.9, 0.05, 0.05), (0.4, 0.35, 0.25), (0.2, 0.45, 0.35), (1.0, 0.0, 0.0)])
def test_an_unsure_page_is_of_no_type(row: tuple[float, ...]) -> None:
    decision = by_network(said(row), TYPES)
    assert decision.doc_type is None
    assert decision.confidence == pytest.approx(row[0], abs=1e-6)
    assert max(row[1:]) < MIN_CONFIDENCE


def test_pages_of_no_type_do_not_hide_the_one_that_matters() -> None:
    decision = by_network(said((0.01, 0.01, 0.98), *[(0.99, 0.005, 0.005)] * 6), TYPES)
    assert decision.doc_type == "vat_invoice"
    assert decision.confidence < 0.9


def test_one_page_among_hundreds_does_not_make_the_type() -> None:
    assert by_network(said((0.1, 0.9, 0.0), *[(0.99, 0.005, 0.005)] * 300), TYPES).doc_type is None


def test_pages_that_contradict_each_other_make_no_type() -> None:
    assert by_network(said((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.48, 0.52)), TYPES).confidence < 0.6


def test_without_a_page_there_is_no_type() -> None:
    assert by_network([], TYPES) == Decision(None, 0.0)


@pytest.mark.parametrize(
    ("network", "titled", "expected"),
    [
        (Decision("receipt", 0.9), None, "receipt"),
        (Decision("receipt", 0.9), ("letter", 0.55), "receipt"),
        (Decision("receipt", 0.9), ("letter", 0.75), "letter"),
        (Decision("receipt", 0.52), ("letter", 0.55), "letter"),
        (Decision(None, 0.9), ("letter", 0.5), "letter"),
        (Decision(None, 0.9), None, None),
    ],
)
def test_a_clear_title_of_a_type_that_was_added_decides(
    network: Decision, titled: tuple[str, float] | None, expected: str | None
) -> None:
    decision = settle(network, titled)
    assert decision.doc_type == expected
    assert decision.confidence == (titled[1] if titled and expected == "letter" else network.confidence)


# --- the stage ------------------------------------------------------------------------------------------------------


def test_a_recognised_type_is_read_from_the_networks_tags() -> None:
    pages = [tagged(page("shop", "total 12.00"), (0, 1, 0), "12.00"), FieldsPage(page("blank", number=2))]
    result = read(FieldsItem("auto", pages))
    assert result.doc_type == "receipt"
    assert result.confidence == pytest.approx(1)
    assert {name: field.content for name, field in result.fields.items() if isinstance(field, Field)} == {
        "total": "12.00"
    }
    assert result.warnings == []


def test_a_named_type_is_not_questioned() -> None:
    result = read(FieldsItem("receipt", [tagged(page("total 12.00"), (1, 0, 0), "12.00")]))
    assert (result.doc_type, result.confidence) == ("receipt", 1.0)
    assert set(result.fields) == {"total"}


def test_a_page_of_no_type_has_no_fields() -> None:
    result = read(FieldsItem("auto", [tagged(page("total 12.00"), (0.9, 0.1, 0), "12.00")]))
    assert (result.doc_type, result.fields) == (None, {})
    assert result.confidence == pytest.approx(0.9)


def test_a_type_that_the_network_does_not_know_is_told_by_its_title() -> None:
    letter = page("Letter", "Subject: greetings", "total 12.00")
    result = read(FieldsItem("auto", [tagged(letter, (0, 1, 0), "12.00")]))
    assert result.doc_type == "letter"
    assert result.confidence is not None
    assert TITLE_DECIDES <= result.confidence <= 1
    assert {name: field.content for name, field in result.fields.items() if isinstance(field, Field)} == {
        "subject": "greetings"
    }


def test_a_type_with_keys_alone_needs_no_network() -> None:
    result = read(FieldsItem("letter", [FieldsPage(page("Subject: greetings"))]))
    assert (result.doc_type, result.confidence, set(result.fields)) == ("letter", 1.0, {"subject"})


def test_a_type_of_the_network_that_is_no_document_type_here_is_none() -> None:
    tags = TagSet({"passport": ("name",)})
    result = read(FieldsItem("auto", [tagged(page("x"), (0, 1))]), types=tags.types)
    assert result.doc_type is None


@pytest.mark.parametrize("part", ["readers", "build"])
def test_an_error_costs_the_fields_and_not_the_document(part: str) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("oh no")

    change = {"network": broken} if part == "readers" else broken
    result = read(FieldsItem("receipt", [tagged(page("total 1"), (0, 1, 0), "1")]), **{part: change})
    assert (result.doc_type, result.fields) == ("receipt", {})
    assert [(notice.code, notice.message) for notice in result.warnings] == [
        (FAILED, "the fields could not be read: ZeroDivisionError: oh no")
    ]
