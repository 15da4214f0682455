from __future__ import annotations

import pytest

from pipeline.server.options import NAMES, Asked, collect, parse
from schemas.errors import InvalidRequest
from schemas.requests import ReadOptions


def refusal(**options: str) -> str:
    with pytest.raises(InvalidRequest) as caught:
        parse(collect(options.items()))
    return caught.value.message


def test_nothing_asked_is_the_defaults() -> None:
    assert parse({}) == Asked()
    assert parse({}).read == ReadOptions()
    assert parse({}).output.name == "json"


def test_everything_asked() -> None:
    asked = parse(
        {
            "type": "receipt",
            "pages": "1-3,7-",
            "dpi": "300",
            "words": "true",
            "output": "text",
            "priority": "high",
            "deadline_ms": "1500.5",
        }
    )
    assert asked.read == ReadOptions((1, 2, 3), 7, 300, words=True, doc_type="receipt")
    assert (asked.output.name, asked.priority, asked.deadline_ms) == ("text", 0, 1500.5)


@pytest.mark.parametrize(("text", "priority"), [("high", 0), ("Normal", 1), ("low", 2), ("0", 0), ("1", 1), ("2", 2)])
def test_priorities(text: str, priority: int) -> None:
    assert parse({"priority": text}).priority == priority


@pytest.mark.parametrize(("text", "wanted"), [("true", True), ("1", True), ("No", False), ("false", False)])
def test_words(text: str, wanted: bool) -> None:
    assert parse({"words": text}).read.words is wanted


def test_outputs_that_place_words_ask_for_them() -> None:
    assert parse({"output": "hocr"}).read.words
    assert not parse({"output": "hocr", "words": "false"}).read.words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pages", "1,-2"),
        ("pages", "3-1"),
        ("pages", "x"),
        ("dpi", "35"),
        ("dpi", "1201"),
        ("dpi", "2e2"),
        ("dpi", "²"),
        ("words", "maybe"),
        ("output", "docx"),
        ("priority", "3"),
        ("priority", "-1"),
        ("deadline_ms", "0"),
        ("deadline_ms", "-5"),
        ("deadline_ms", "nan"),
        ("deadline_ms", "inf"),
        ("deadline_ms", "9999999999"),
    ],
)
def test_what_cannot_be_is_refused_by_its_value(name: str, text: str) -> None:
    assert text in refusal(**{name: text})


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    message = refusal(outpt="text")
    assert "did you mean output?" in message
    assert all(name in message for name in NAMES)


def test_an_option_in_two_places_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="dpi is given twice"):
        collect([("dpi", "100")], [("dpi", "200")])
