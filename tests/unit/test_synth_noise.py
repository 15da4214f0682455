from __future__ import annotations

import copy
import random

import pytest
from rapidfuzz.distance import Levenshtein

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.synth.noise import cut_polygon, disturb
from tests.unit.synth_pages import bill


def _box(x: float, y: float, width: float, height: float = 20.0) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _row() -> Example:
    """Two neighbours on one row, parts of one entity, and a line below."""
    lines = [
        TextLine("Total: RM", _box(10, 10, 90)),  # type: ignore[arg-type]
        TextLine("12.50", _box(120, 10, 50)),  # type: ignore[arg-type]
        TextLine("Thank you", _box(10, 60, 90)),  # type: ignore[arg-type]
    ]
    entities = [Entity("total", (Span(1, 0, 5),), value="12.50"), Entity("currency", (Span(0, 7, 9),))]
    return Example("row", "receipt", 300, 200, lines, entities, values={"total": ["12.50"]})


@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0, 5.0])
def test_spans_stay_in_range_and_polygons_on_the_page(strength: float) -> None:
    _, example = bill()
    for seed in range(60):
        seen = disturb(example, random.Random(seed), strength)
        assert seen.lines
        for line in seen.lines:
            assert line.text.strip()
            assert all(-1e-6 <= x <= seen.width + 1e-6 and -1e-6 <= y <= seen.height + 1e-6 for x, y in line.polygon)
        for entity in seen.entities:
            assert entity.spans
            for span in entity.spans:
                assert 0 <= span.line < len(seen.lines)
                assert 0 <= span.start < span.end <= len(seen.lines[span.line].text)
        assert all(0 <= a < len(seen.entities) and 0 <= b < len(seen.entities) for a, b in seen.links)


def test_entities_keep_about_their_text() -> None:
    _, example = bill()
    before = {(entity.name, entity.group): example.text_of(entity) for entity in example.entities}
    alike = []
    for seed in range(200):
        seen = disturb(example, random.Random(seed))
        for entity in seen.entities:
            text, truth = seen.text_of(entity), before[entity.name, entity.group]
            alike.append(
                Levenshtein.normalized_similarity(text.replace(" ", "").upper(), truth.replace(" ", "").upper())
            )
    assert sum(alike) / len(alike) > 0.95
    assert min(alike) < 1.0  # something does go wrong


def test_links_join_the_same_pair() -> None:
    _, example = bill()
    for seed in range(100):
        seen = disturb(example, random.Random(seed))
        for question, answer in seen.links:
            assert seen.entities[question].name == "question"
            assert seen.entities[answer].name == "answer"


def test_neighbours_are_merged_sometimes_with_the_right_spans() -> None:
    merged = 0
    for seed in range(300):
        seen = disturb(_row(), random.Random(seed), 1.5)
        total = next((entity for entity in seen.entities if entity.name == "total"), None)
        if total and "Total" in seen.lines[total.spans[0].line].text:
            merged += 1
            assert Levenshtein.distance(seen.text_of(total), "12.50") <= 3
        assert not any("Thank" in line.text and "Total" in line.text for line in seen.lines)
    assert 5 < merged < 150


def test_lines_are_split_sometimes() -> None:
    counts = [len(disturb(_row(), random.Random(seed)).lines) for seed in range(300)]
    assert any(count > 3 for count in counts)
    assert counts.count(3) > 150


def test_cut_polygons_follow_the_text() -> None:
    line = TextLine("合计 12", _box(0, 0, 100))  # type: ignore[arg-type]
    left, right = cut_polygon(line, 0, 2), cut_polygon(line, 2, 5)
    assert left[0] == (0.0, 0.0)
    assert 50 < left[1][0] < right[0][0] < 70
    assert right[2] == (100.0, 20.0)


def test_same_seed_same_page_and_the_given_page_is_untouched() -> None:
    _, example = bill()
    before = copy.deepcopy(example)
    first, second = (disturb(example, random.Random(7)) for _ in range(2))
    assert first == second
    assert example == before
    assert disturb(example, random.Random(8)) != first


def test_no_strength_no_change() -> None:
    _, example = bill()
    assert disturb(example, random.Random(1), 0.0) == example


def test_an_empty_page() -> None:
    seen = disturb(Example("empty", None, 100, 100, []), random.Random(1))
    assert seen.lines == []
