"""Fields on their way: after the last page, for the type that is asked for, and never at the text's cost."""

from __future__ import annotations

from concurrent.futures import wait
from typing import Any

import pytest

from pipeline.doc_types import asked_type, load_types
from schemas.doctypes import load_doctypes
from schemas.document import Document
from schemas.errors import InvalidRequest, SettingsError
from schemas.fields import Field
from schemas.requests import ReadOptions
from schemas.settings import Settings
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import items_of


@pytest.fixture
def fields(benches: MakeBench) -> Bench:
    """An engine that reads fields: digits are a receipt's total, and what begins with "r" is one."""
    return benches(fields=True)


def contents(document: Document) -> dict[str, str]:
    found = {}
    for name, field in document.fields.items():
        assert isinstance(field, Field)
        found[name] = field.content
    return found


def read(bench: Bench, *pages: Any, doc_type: str | None = None, name: str = "doc", **options: Any) -> Document:
    return bench.read(name, *pages, options=ReadOptions(doc_type=doc_type, **options))


def test_a_type_is_recognised_and_its_fields_are_read(fields: Bench) -> None:
    document = read(fields, ["receipt", "sum-12"])
    assert (document.doc_type, document.doc_type_confidence) == ("receipt", 1.0)
    assert contents(document) == {"total.1": "12"}
    assert items_of(document) == [["receipt", "sum-12"]]
    counts = {stage: timing.items for stage, timing in document.timings.items()}
    assert (counts["layout_ner"], counts["fields"]) == (1, 1)
    assert document.warnings == []


def test_a_page_of_no_known_type_has_no_fields(fields: Bench) -> None:
    document = read(fields, ["letter", "sum-12"])
    assert (document.doc_type, document.doc_type_confidence, document.fields) == (None, 1.0, {})


def test_a_named_type_is_read_whatever_the_page_looks_like(fields: Bench) -> None:
    document = read(fields, ["letter", "sum-12"], doc_type="receipt")
    assert (document.doc_type, document.doc_type_confidence) == ("receipt", 1.0)
    assert contents(document) == {"total.1": "12"}


def test_fields_wait_for_the_last_page_and_know_theirs(fields: Bench) -> None:
    document = read(fields, ["receipt", "abc"], [], ["r34"], None, ["r56"])
    assert contents(document) == {"total.3": "34", "total.5": "56"}
    stages = [stage for stage, _ in fields.probe.log]
    assert stages.count("layout_ner") == 3
    assert stages.count("fields") == 1
    assert stages[-1] == "fields"


def test_the_alternatives_that_fields_need_are_not_part_of_the_result(fields: Bench) -> None:
    for asked in (False, True):
        document = read(fields, ["receipt", "sum-12"], alternatives=asked)
        assert contents(document) == {"total.1": "12"}, "the fields stage saw them"
        kept = [line.alternatives is not None for page in document.pages for line in page.lines]
        assert kept == [asked] * 2


def test_none_asks_for_no_fields(fields: Bench) -> None:
    document = read(fields, ["receipt", "sum-12"], doc_type="none")
    assert (document.doc_type, document.doc_type_confidence, document.fields) == (None, None, {})
    assert not {"layout_ner", "fields"} & set(fields.probe.stages_of("doc"))


def test_a_blank_document_has_no_fields_and_no_type(fields: Bench) -> None:
    document = read(fields, [], [])
    assert (document.doc_type, document.fields, document.warnings) == (None, {}, [])
    assert "layout_ner" not in fields.probe.stages_of("doc")


def test_a_type_that_the_network_has_not_learnt_is_read_without_it(fields: Bench) -> None:
    document = read(fields, ["abc"], doc_type="bank_card")
    assert document.doc_type == "bank_card"
    assert "layout_ner" not in fields.probe.stages_of("doc")


def test_an_unknown_type_is_refused_before_any_work(fields: Bench) -> None:
    with pytest.raises(
        InvalidRequest, match=r"no document type 'reciept'; did you mean receipt\? there are auto, none"
    ):
        read(fields, ["abc"], doc_type="reciept")
    assert fields.probe.log == []


def test_with_fields_off_there_are_no_such_stages_and_asking_is_refused(bench: Bench) -> None:
    document = read(bench, ["receipt", "sum-12"])
    assert (document.doc_type, document.doc_type_confidence, document.fields) == (None, None, {})
    assert all(line.alternatives is None for page in document.pages for line in page.lines)
    assert read(bench, ["abc"], doc_type="none").fields == {}
    with pytest.raises(InvalidRequest, match=r"fields\.enabled"):
        read(bench, ["abc"], doc_type="receipt")


def test_fields_are_looked_for_on_the_first_pages_only(benches: MakeBench) -> None:
    bench = benches(fields=True, settings={"max_pages": 2})
    document = read(bench, ["r11"], ["r22"], ["r33"])
    assert contents(document) == {"total.1": "11", "total.2": "22"}
    assert [notice.code for notice in document.warnings] == ["fields_partial"]
    assert items_of(document) == [["r11"], ["r22"], ["r33"]]
    assert contents(read(bench, ["r11"], ["r22"], ["r33"], pages=(2, 3))) == {"total.2": "22", "total.3": "33"}


def test_many_documents_at_once_each_get_their_own_fields(fields: Bench) -> None:
    pages = {f"doc{i}": [[f"receipt-{'x' * (i % 5)}", f"n-{i:03}"] for _ in range(1 + i % 3)] for i in range(60)}
    futures = {name: fields.submit(name, *content) for name, content in pages.items()}
    wait(futures.values(), PATIENCE)
    for i, future in enumerate(futures.values()):
        expected = {f"total.{page + 1}": f"{i:03}" for page in range(1 + i % 3)}
        assert contents(future.result()) == expected
    counts = fields.engine.counts.snapshot()["layout_ner"]
    assert counts.batches < counts.items, "pages of many documents share batches"


# --- which type is asked for ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "asked", "expected"),
    [
        ("auto", None, "auto"),
        ("receipt", None, "receipt"),
        ("receipt", "auto", "auto"),
        ("auto", "form", "form"),
        ("none", None, None),
        ("none", "receipt", "receipt"),
        ("receipt", "none", None),
    ],
)
def test_the_request_goes_before_the_setting(setting: str, asked: str | None, expected: str | None) -> None:
    settings = Settings(fields={"doc_type": setting})
    assert asked_type(asked, settings, load_types(settings)) == expected


def test_a_setting_that_names_no_type_is_told_at_the_start() -> None:
    with pytest.raises(SettingsError, match=r"fields\.doc_type: there is no document type 'invoice'.*vat_invoice"):
        load_types(Settings(fields={"doc_type": "invoice"}))


def test_without_fields_no_type_is_loaded() -> None:
    assert load_types(Settings(fields={"enabled": False, "doc_type": "whatever"})) == {}
    assert set(load_types(Settings())) == set(load_doctypes())
