"""Typed fields among the network's tags: amounts and dates are whole, single and without what stands beside them."""

from __future__ import annotations

import numpy as np
import pytest

from models.layout_ner.decode import decode
from models.layout_ner.encode import encode
from models.layout_ner.example import TextLine
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import standard_vocabulary

TAGS = TagSet({"receipt": ["company", "date", "total"]})
KINDS = {"company": "text", "date": "date", "total": "money"}
VOCABULARY = standard_vocabulary()


def found(texts: list[str], marks: list[tuple[str, int, str, float]]) -> dict[str, list[str]]:
    """Candidates where ``marks`` (field, line, text, probability) say what the network says."""
    lines = [
        TextLine(text, ((0.0, 20.0 * n), (200.0, 20.0 * n), (200.0, 20.0 * n + 15), (0.0, 20.0 * n + 15)))
        for n, text in enumerate(texts)
    ]
    page = encode(lines, VOCABULARY)
    tags = np.zeros((page.length, len(TAGS)), np.float32)
    starts = np.flatnonzero(np.diff(page.line_of, prepend=-1))
    for number, (name, line, text, probability) in enumerate(marks):
        begin = TAGS.begin("receipt", name)
        assert begin is not None
        at = starts[line] + texts[line].index(text)
        fresh = number == 0 or marks[number - 1][0] != name
        tags[at : at + len(text), begin + 1] = probability
        tags[at, begin + 1 if not fresh else begin] = probability
        if fresh:
            tags[at, begin + 1] = 0
    tags[:, 0] = 1 - tags[:, 1:].sum(axis=1)
    names: dict[str, list[str]] = {}
    for candidate in decode(tags, page, lines, TAGS, "receipt", KINDS):
        names.setdefault(candidate.name, []).append(candidate.content)
    return names


def test_text_goes_on_in_the_next_line_and_amounts_do_not() -> None:
    marks = [
        ("company", 0, "BEST", 0.9),
        ("company", 1, "SHOP", 0.9),
        ("total", 2, "9.00", 0.9),
        ("total", 3, "8.00", 0.9),
    ]
    assert found(["BEST", "SHOP", "9.00", "8.00"], marks) == {"company": ["BEST SHOP"], "total": ["9.00", "8.00"]}


@pytest.mark.parametrize(
    ("line", "marked", "date"),
    [
        ("DATE 22-05-16 12:18", "22-05-16 12:18", "22-05-16"),
        ("22/05/2016 1:05:33 PM", "22/05/2016 1:05:33 PM", "22/05/2016"),
        ("12:18 22/05/2016", "12:18 22/05/2016", "22/05/2016"),
        ("2016-05-22", "2016-05-22", "2016-05-22"),
        ("12:18", "12:18", "12:18"),  # nothing but a time: it stays, to be refused for what it is
    ],
)
def test_a_date_comes_without_its_time(line: str, marked: str, date: str) -> None:
    assert found([line], [("date", 0, marked, 0.9)]) == {"date": [date]}


def test_an_amount_that_the_network_only_holds_possible_is_a_candidate() -> None:
    assert found(["TOTAL 9.00", "CASH 10.00"], [("total", 0, "9.00", 0.3)]) == {"total": ["9.00"]}
    assert found(["TOTAL 9.00"], [("total", 0, "9.00", 0.02)]) == {}
    assert found(["TOTAL nine"], [("total", 0, "nine", 0.3)]) == {}, "no amount, and not sure"


def test_words_are_whole() -> None:
    assert found(["BEST SHOP LTD"], [("company", 0, "BEST SHO", 0.9)]) == {"company": ["BEST SHOP"]}
