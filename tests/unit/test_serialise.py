from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.document import Document, Line, Notice, Page, Polygon, StageTiming, Word
from schemas.errors import DamagedFile
from schemas.fields import Check, Field, Region
from schemas.serialise import failure_to_json, from_json, json_schema, to_json

ROOT = Path(__file__).resolve().parents[2]
BOX: Polygon = ((1.0, 2.0), (30.5, 2.0), (30.5, 12.25), (1.0, 12.25))


def full() -> Document:
    words = [Word("Total", 0.75, BOX), Word("9.50", 0.5, BOX)]
    return Document(
        file="scans/é 文.jpg",
        doc_type="receipt",
        doc_type_confidence=0.75,
        fields={
            "company": Field("text", "Bäckerei", "Backerei", 0.5, [Region(1, BOX)], [Check("known", True, "is known")]),
            "total": Field(
                "money", "9.50", "9,50", 0.25, [Region(1, BOX), Region(2, BOX)], needs_review=True, currency="EUR"
            ),
            "items": [
                Field(
                    "object", {"count": Field("number", 2, "2", 1.0), "rate": Field("rate", None, "?", 0.0)}, "2", 1.0
                )
            ],
        },
        pages=[
            Page(1, 640, 480, 90, [Line("Total 9.50", 0.5, BOX, words), Line("发票", 0.25, BOX)]),
            Page(2, 0, 0, error=Notice("damaged_file", "cut off", 2)),
        ],
        warnings=[Notice("first_frame_only", "an animation")],
        timings={"decode": StageTiming(1.5, 2.5, 0.0, 3)},
        elapsed_ms=12.5,
        models={"detection": "det", "recognition": "rec"},
    )


def test_keys_and_their_order_are_as_documented() -> None:
    value = json.loads(to_json(full()))
    assert list(value) == [
        "file",
        "doc_type",
        "doc_type_confidence",
        "fields",
        "pages",
        "warnings",
        "timings",
        "models",
    ]
    first, second = value["pages"]
    assert list(first) == ["page", "width", "height", "angle", "lines"]
    assert list(second) == ["page", "width", "height", "angle", "lines", "error"]
    with_words, without = first["lines"]
    assert list(with_words) == ["text", "confidence", "polygon", "words"]
    assert list(without) == ["text", "confidence", "polygon"]
    assert list(with_words["words"][0]) == ["text", "confidence", "polygon"]
    assert list(second["error"]) == list(value["warnings"][0]) == ["code", "message", "page"]
    keys = ["type", "value", "content", "confidence", "regions", "checks", "needs_review"]
    assert list(value["fields"]["company"]) == list(value["fields"]["items"][0]) == keys
    assert list(value["fields"]["items"][0]["value"]["count"]) == keys
    assert list(value["fields"]["total"]) == [*keys, "currency"]
    assert list(value["fields"]["total"]["regions"][0]) == ["page", "polygon"]
    assert list(value["fields"]["company"]["checks"][0]) == ["name", "passed", "reason"]
    assert list(value["timings"]) == ["elapsed_ms", "stages"]
    assert list(value["timings"]["stages"]["decode"]) == ["queue_ms", "busy_ms", "network_ms", "items"]


@pytest.mark.parametrize("indent", [False, True])
def test_a_document_reads_back_as_it_was(indent: bool) -> None:
    assert from_json(to_json(full(), indent=indent)) == full()


def test_indented_a_polygon_is_on_one_line_and_so_is_a_timing() -> None:
    lines = [line.strip() for line in to_json(full(), indent=True).decode().splitlines()]
    polygons = [json.loads(line.removeprefix('"polygon": ').removesuffix(",")) for line in lines if "polygon" in line]
    assert polygons
    assert all(len(polygon) == 4 for polygon in polygons)
    timings = [line for line in lines if '"busy_ms"' in line]
    assert all(line.endswith(("}", "},")) and '"items"' in line for line in timings)
    assert len(timings) == len(full().timings)
    assert max(line.count('"text"') for line in lines) == 1


VALUES = st.one_of(st.none(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.text())
FIELDS = st.builds(
    Field,
    type=st.text(max_size=4),
    value=st.one_of(
        VALUES, st.dictionaries(st.text(), VALUES.map(lambda value: Field("text", value, "", 0.0)), max_size=3)
    ),
    content=st.text(),
    confidence=st.floats(0, 1),
    checks=st.lists(st.builds(Check, st.text(), st.booleans(), st.text()), max_size=2),
    currency=st.one_of(st.none(), st.text()),
)


@given(st.dictionaries(st.text(), st.one_of(FIELDS, st.lists(FIELDS, max_size=2)), max_size=3))
def test_indented_or_not_the_data_is_equal_and_reads_back(fields: Any) -> None:
    document = Document("x", fields=fields)
    data = to_json(document)
    assert json.loads(to_json(document, indent=True)) == json.loads(data)
    assert to_json(from_json(data)) == data


def test_a_failure_has_the_name_and_the_error() -> None:
    value = json.loads(failure_to_json("a\udcff.png", DamagedFile("cut “short”")))
    assert value == {"file": "a\ufffd.png", "error": {"code": "damaged_file", "message": "cut “short”"}}


def test_what_beam_search_needs_stays_out() -> None:
    document = full()
    document.pages[0].lines[0].alternatives = np.zeros((4, 2))
    assert to_json(document) == to_json(full())


NUMBERS = st.one_of(
    st.floats(), st.floats(width=32).map(np.float32), st.floats().map(np.float64), st.integers(-9, 9).map(np.int64)
)
TEXTS = st.text(st.characters(codec=None), max_size=8)  # lone surrogates among them
POINTS = st.tuples(NUMBERS, NUMBERS)


@given(TEXTS, NUMBERS, st.tuples(POINTS, POINTS, POINTS, POINTS), NUMBERS)
def test_whatever_a_stage_hands_over_becomes_strict_json_that_validates(
    text: str, confidence: float, polygon: Any, milliseconds: float
) -> None:
    line = Line(text, confidence, polygon, [Word(text, confidence, polygon)])
    page = Page(1, np.int32(9), np.int64(9), np.int16(90), [line])  # type: ignore[arg-type]
    document = Document(
        text,
        pages=[page],
        doc_type_confidence=confidence,
        fields={text: Field(text, confidence, text, confidence, [Region(1, polygon)], [Check(text, True, text)])},
        timings={"decode": StageTiming(queue_ms=milliseconds, items=np.uint8(3))},  # type: ignore[arg-type]
        elapsed_ms=milliseconds,
    )
    data = to_json(document)
    json.loads(data.decode("utf-8"), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    again = from_json(data)
    assert 0 <= again.pages[0].lines[0].confidence <= 1
    assert to_json(again) == data


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), np.float32("nan")])
def test_numbers_that_are_not_finite_are_cleaned(bad: float) -> None:
    line = Line("x", bad, ((bad, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, bad)))
    document = Document(
        "a", fields={"total": Field("number", bad, "", bad)}, pages=[Page(1, 3, 3, lines=[line])], elapsed_ms=bad
    )
    value = json.loads(to_json(document))
    read = value["pages"][0]["lines"][0]
    assert read["confidence"] == 0
    assert read["polygon"] == [[0, 1], [2, 1], [2, 2], [1, 0]]
    assert (value["fields"]["total"]["value"], value["fields"]["total"]["confidence"]) == (None, 0)
    assert value["timings"]["elapsed_ms"] == 0


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (np.array(3), 3),
        (np.str_("a"), "a"),
        (Colour.RED, "red"),
        (date(2024, 3, 14), "2024-03-14"),
        (Decimal("9.50"), "9.50"),
        (10**30, str(10**30)),
    ],
)
def test_field_values_become_plain(value: Any, expected: Any) -> None:
    read = json.loads(to_json(Document("a", fields={"f": Field("text", value, "", 1.0)})))["fields"]["f"]["value"]
    assert read == expected
    assert type(read) is type(expected)


@pytest.mark.parametrize("value", [object(), [1], True, np.bool_(True), np.zeros(2), b"a"])
def test_a_value_that_json_cannot_hold_is_named(value: Any) -> None:
    row = Field("object", {"b": Field("text", value, "", 1.0)}, "", 1.0)
    with pytest.raises(TypeError, match=rf"fields\.a\.1\.b: a value of type {type(value).__name__}"):
        to_json(Document("a", fields={"a": [Field("text", "", "", 1.0), row]}))


def test_what_is_no_field_is_named() -> None:
    with pytest.raises(TypeError, match=r"fields\.a: a str is no field"):
        to_json(Document("a", fields={"a": "text"}))  # type: ignore[dict-item]


def test_json_of_an_earlier_version_reads_back() -> None:
    value = json.loads(to_json(Document("a")))
    del value["doc_type_confidence"]
    assert from_json(json.dumps(value)) == Document("a")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("pages"), "pages: Field required"),
        (lambda d: d["pages"][0]["lines"][0].update(confidence=1.5), r"pages\.0\.lines\.0\.confidence"),
        (lambda d: d["pages"][0]["lines"][1]["polygon"].pop(), r"pages\.0\.lines\.1\.polygon"),
        (lambda d: d["timings"].update(elapsed_ms="soon"), r"timings\.elapsed_ms"),
        (lambda d: d["fields"]["total"].pop("value"), r"fields\.total"),
        (lambda d: d["fields"]["company"]["regions"][0].update(page=0), r"fields\.company"),
    ],
)
def test_what_is_no_document_is_refused_with_the_key(change: Any, message: str) -> None:
    value = json.loads(to_json(full()))
    change(value)
    with pytest.raises(ValueError, match=message):
        from_json(json.dumps(value))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe"])
def test_what_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not the JSON of a document"):
        from_json(data)


def test_keys_of_a_later_version_are_passed_over() -> None:
    value = json.loads(to_json(full()))
    value["tables"] = []
    value["pages"][0]["lines"][0]["language"] = "en"
    assert from_json(json.dumps(value)) == full()


def test_output_is_utf8_under_the_c_locale() -> None:
    code = (
        "import sys; from schemas.document import *; from schemas.serialise import to_json;"
        "sys.stdout.buffer.write(to_json(Document('\\u53d1\\u7968.jpg')))"
    )
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert json.loads(done.stdout.decode("utf-8"))["file"] == "发票.jpg"
    assert "发票".encode() in done.stdout


def test_the_schema_that_is_checked_in_is_the_one_in_the_code() -> None:
    checked_in = json.loads((ROOT / "docs" / "document.schema.json").read_text(encoding="utf-8"))
    assert checked_in == json_schema(), "run: python -m schemas.serialise > docs/document.schema.json"


def test_the_documented_example_is_what_is_written() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert found is not None
    example = json.loads(found[1])
    written = json.loads(to_json(from_json(found[1])))
    assert written == example
    assert json.dumps(written) == json.dumps(example)  # in the same order, too
