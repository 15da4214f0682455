from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.document import Line, Page, Polygon
from stages.fields.colons import colon_pairs
from stages.fields.pairs import FormEntity, link, read_form
from stages.fields.places import Box, boxes_of

Entity = tuple[str, float, float]
"""A question where the text ends with "?", else an answer; left and top. A letter is 10 pixels wide, a line 20 high."""


def linked(*entities: Entity) -> set[tuple[str, str]]:
    boxes = [Box(x, y, x + 10 * len(text), y + 20) for text, x, y in entities]
    texts = [text for text, _, _ in entities]
    pairs = link([FormEntity(box, text.endswith("?")) for box, text in zip(boxes, texts, strict=True)])
    return {(texts[question], texts[answer]) for question, answer in pairs}


def test_an_answer_beside_or_under_its_question() -> None:
    assert linked(("Name?", 0, 0), ("Li", 100, 2), ("Town?", 300, 0), ("Ulm", 400, 0)) == {
        ("Name?", "Li"),
        ("Town?", "Ulm"),
    }
    assert linked(("Name?", 0, 0), ("Li", 0, 25), ("Town?", 300, 0), ("Ulm", 310, 25)) == {
        ("Name?", "Li"),
        ("Town?", "Ulm"),
    }


def test_beside_comes_before_under() -> None:
    assert linked(("Name?", 0, 0), ("Li", 100, 0), ("Town?", 0, 25), ("Ulm", 100, 25)) == {
        ("Name?", "Li"),
        ("Town?", "Ulm"),
    }


def test_options_of_a_row_belong_to_its_question() -> None:
    options = [(f"option {n}", 100.0 + 150 * n, 100.0) for n in range(5)]
    assert linked(("Name?", 0, 60), ("Li", 100, 60), ("Kind?", 0, 100), *options) == {
        ("Name?", "Li"), *(("Kind?", text) for text, _, _ in options),
    }  # fmt: skip


def test_lines_of_a_text_belong_to_the_question_of_the_first() -> None:
    lines = [(f"line {n} of it", 100.0, 25.0 * n) for n in range(4)]
    assert linked(("Why?", 0, 0), *lines) == {("Why?", text) for text, _, _ in lines}


def test_cells_of_a_column_belong_to_its_head_and_those_of_a_table_to_both() -> None:
    cells = [(f"{name}{n}", x, 30.0 * n) for n in range(1, 5) for name, x in (("a", 0.0), ("b", 200.0))]
    assert linked(("First?", 0, 0), ("Second?", 200, 0), *cells) == {
        *(("First?", text) for text, x, _ in cells if x == 0), *(("Second?", text) for text, x, _ in cells if x),
    }  # fmt: skip
    table = linked(("Tea?", 0, 30), ("Milk?", 0, 60), ("Qty?", 200, 0), ("t", 200, 30), ("m", 200, 60))
    assert table == {("Tea?", "t"), ("Milk?", "m"), ("Qty?", "t"), ("Qty?", "m")}


def test_what_is_far_away_belongs_to_nothing() -> None:
    assert linked(("Name?", 0, 0), ("Li", 600, 900)) == set()
    assert linked(("Name?", 0, 0)) == linked(("Li", 0, 0)) == linked() == set()


@given(
    st.lists(
        st.tuples(st.booleans(), *(st.floats(0, 300) for _ in range(2)), *(st.floats(0, 90) for _ in range(2))),
        max_size=12,
    )
)
def test_links_lead_from_questions_to_answers_and_none_is_there_twice(
    drawn: list[tuple[bool, float, float, float, float]],
) -> None:
    entities = [FormEntity(Box(x, y, x + w, y + h), question) for question, x, y, w, h in drawn]
    pairs = link(entities)
    assert len(pairs) == len(set(pairs))
    for question, answer in pairs:
        assert entities[question].is_question
        assert not entities[answer].is_question
    for answer in {answer for _, answer in pairs}:
        assert sum(other == answer for _, other in pairs) <= 2


def box(x: float, y: float, text: str) -> Polygon:
    return (x, y), (x + 10 * len(text), y), (x + 10 * len(text), y + 20), (x, y + 20)


def form(*lines: Entity) -> Page:
    return Page(1, 1000, 1000, lines=[Line(text, 0.9, box(x, y, text)) for text, x, y in lines])


def found(page: Page, name: str, number: int, start: int = 0, end: int | None = None) -> Candidate:
    text = page.lines[number].text
    end = len(text) if end is None else end
    return Candidate(name, text[start:end], (Span(number, start, end),), page.page, 0.9)


def test_candidates_of_one_line_are_told_apart_by_their_characters() -> None:
    page = form(("Name Li Town Ulm", 0, 0), ("Signature", 0, 60), ("stray", 700, 700))
    candidates = [
        found(page, "question", 0, 0, 4), found(page, "answer", 0, 5, 7), found(page, "question", 0, 8, 12),
        found(page, "answer", 0, 13, 16), found(page, "question", 1), found(page, "answer", 2),
        found(page, "header", 1),
    ]  # fmt: skip
    read = read_form(candidates, [page, Page(2, 10, 10)])
    assert [(one.name, one.content, one.group) for one in read] == [
        ("pairs.question", "Name", 0), ("pairs.answer", "Li", 0), ("pairs.question", "Town", 1),
        ("pairs.answer", "Ulm", 1), ("pairs.question", "Signature", 2), ("pairs.answer", "stray", 3),
        ("header", "Signature", None),
    ]  # fmt: skip


def test_groups_are_numbered_over_all_pages_and_a_page_without_tags_is_read_by_its_colons() -> None:
    first, second = form(("Name", 0, 0), ("Li", 100, 0)), form(("Town: Ulm", 0, 0))
    second.page = 2
    read = read_form([found(first, "question", 0), found(first, "answer", 1)], [first, second])
    assert [(one.name, one.content, one.page, one.group) for one in read] == [
        ("pairs.question", "Name", 1, 0), ("pairs.answer", "Li", 1, 0),
        ("pairs.question", "Town", 2, 1), ("pairs.answer", "Ulm", 2, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name: Li Lei", [("Name", "Li Lei")]),
        ("姓名：张三 性别：男", [("姓名", "张三"), ("性别", "男")]),
        ("Date: 12:30 Room: 5", [("Date", "12:30"), ("Room", "5")]),
        ("First name: Ann  Last name: Lee", [("First name", "Ann"), ("Last name", "Lee")]),
        ("at 12:30", []),
        ("see http://example.org/x", []),
        ("Name:", []),
        (": x", []),
        ("Name: ____", []),
        ("a sentence so long that it is hardly a question at all: yes", []),
        ("a:b" * 500, []),
        ("", []),
    ],
)
def test_a_colon_divides_question_and_answer(text: str, expected: list[tuple[str, str]]) -> None:
    page = form((text, 0, 0))
    pairs = colon_pairs(page)
    assert [(question.content, answer.content) for question, answer in pairs] == expected
    for one in (one for both in pairs for one in both):
        assert text[one.spans[0].start : one.spans[0].end] == one.content


def test_the_slant_of_a_page_is_taken_out() -> None:
    def turned(polygon: Polygon, degrees: float) -> Polygon:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        a, b, c, d = ((x * cos - y * sin, x * sin + y * cos) for x, y in polygon)
        return a, b, c, d

    polygons = [turned(box(0, 0, "Name"), 4), turned(box(900, 0, "Li"), 4)]
    left, right = boxes_of(polygons)
    assert left.middle == pytest.approx(right.middle, abs=0.01)
    assert left.height == pytest.approx(20, abs=0.01)


@pytest.mark.parametrize(("folder", "least"), [("funsd_dev", 0.8), ("xfund_zh_dev", 0.85)])
def test_pairs_of_real_forms_from_their_true_entities(shared_data: Path, folder: str, least: float) -> None:
    right = wrong = missed = 0
    for text in (shared_data / folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        lines = json.loads(text)["lines"]
        boxes = boxes_of([tuple(map(tuple, line["polygon"])) for line in lines])  # type: ignore[misc]
        kept = [n for n, one in enumerate(lines) if one["label"] in ("question", "answer") and one["text"].strip()]
        label = {lines[n]["id"]: lines[n]["label"] for n in kept}
        true = {
            (a, b)
            for n in kept
            for a, b in lines[n]["linking"]
            if (label.get(a), label.get(b)) == ("question", "answer")
        }
        pairs = link([FormEntity(boxes[n], lines[n]["label"] == "question") for n in kept])
        read = {(lines[kept[question]]["id"], lines[kept[answer]]["id"]) for question, answer in pairs}
        right, wrong, missed = right + len(read & true), wrong + len(read - true), missed + len(true - read)
    assert 2 * right / (2 * right + wrong + missed) >= least
