from __future__ import annotations

import pytest

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.training.mix import mix


def page(name: str, texts: list[str], fields: dict[str, list[int]], height: float = 20.0) -> Example:
    lines = [
        TextLine(text, ((10.0, y), (10.0 + 8 * len(text), y), (10.0 + 8 * len(text), y + height), (10.0, y + height)))
        for text, y in zip(texts, (1.5 * height * n for n in range(len(texts))), strict=True)
    ]
    entities = [
        Entity(field, tuple(Span(number, 0, len(texts[number])) for number in numbers))
        for field, numbers in fields.items()
    ]
    return Example(name, "receipt", 400, 400, lines, entities, frozenset({"tax"}))


A = page(
    "a",
    ["A LTD", "1 ROAD", "TOWN", "2020-01-02", "9.00"],
    {"company": [0], "address": [1, 2], "date": [3], "total": [4]},
)
B = page("b", ["B INC", "TEL 5", "03/04/2021", "ITEM", "8.50"], {"company": [0], "date": [2], "total": [4]}, 40.0)


def test_the_head_of_one_stands_above_the_body_of_the_other() -> None:
    mixed = mix(A, B)
    assert mixed is not None
    assert [line.text for line in mixed.lines] == ["A LTD", "1 ROAD", "TOWN", "TEL 5", "03/04/2021", "ITEM", "8.50"]
    assert {e.name: mixed.text_of(e) for e in mixed.entities} == {
        "company": "A LTD", "address": "1 ROAD TOWN", "date": "03/04/2021", "total": "8.50",
    }  # fmt: skip
    middles = [sum(y for _, y in line.polygon) / 4 for line in mixed.lines]
    assert middles == sorted(middles)
    heights = {round(line.polygon[3][1] - line.polygon[0][1]) for line in mixed.lines}
    assert heights == {40}, "one size of print"
    assert all(0 <= x <= mixed.width and 0 <= y <= mixed.height for line in mixed.lines for x, y in line.polygon)
    assert mixed.unknown == {"tax"}


@pytest.mark.parametrize(
    "odd",
    [
        page("footer", ["2020-01-02", "9.00", "A LTD"], {"company": [2], "date": [0], "total": [1]}),
        page("headless", ["2020-01-02", "9.00"], {"date": [0], "total": [1]}),
        page("bodiless", ["A LTD", "1 ROAD"], {"company": [0], "address": [1]}),
    ],
    ids=lambda example: example.name,
)
def test_a_page_that_cannot_be_cut_is_not_mixed(odd: Example) -> None:
    assert mix(odd, B) is None
    assert mix(A, odd) is None


def test_neither_page_is_changed() -> None:
    before = (A.lines[0].polygon, B.lines[-1].polygon, len(A.lines), len(B.lines))
    mix(A, B)
    assert before == (A.lines[0].polygon, B.lines[-1].polygon, len(A.lines), len(B.lines))
