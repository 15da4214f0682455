"""From recognised lines to a page."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from models.ctc import Alternatives, DecodedText
from stages.assembly.polygons import to_confidence, to_polygon
from stages.assembly.stage import AssemblyItem, AssemblyStage, RecognisedLine
from stages.devices.cpu import CpuDevice
from stages.stage import LaneContext


def line(text: str, x: float, y: float, confidence: float = 0.9, vertical: bool = False) -> RecognisedLine:
    """A recognised line of 100 by 20 pixels."""
    quad = np.array([[x, y], [x + 100, y], [x + 100, y + 20], [x, y + 20]], np.float32)
    n = len(text)
    decoded = DecodedText(text, confidence, tuple(range(n)), (confidence,) * n, max(n, 1))
    kept = Alternatives(np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32), ())
    return RecognisedLine(quad, 0.8, decoded, vertical, kept)


def run(*items: AssemblyItem) -> list[Any]:
    """All of a stage's steps."""
    device = CpuDevice(1)
    lane = LaneContext(device, device.stream())
    stage = AssemblyStage()
    batch = stage.collate([stage.prepare(item, lane) for item in items], lane)
    return stage.split(stage.predict(batch, lane), items, lane)


def test_a_page_has_its_lines_in_reading_order() -> None:
    lines = [line("third", 20, 60.127), line("second", 200, 21), line("first", 20, 20)]
    [page] = run(AssemblyItem(3, 640, 480, 90, lines))
    assert (page.page, page.width, page.height, page.angle, page.error) == (3, 640, 480, 90, None)
    assert [x.text for x in page.lines] == ["first", "second", "third"]
    assert page.lines[2].polygon == ((20.0, 60.13), (120.0, 60.13), (120.0, 80.13), (20.0, 80.13))
    assert all(x.words is None and x.alternatives is None for x in page.lines)


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("alternatives", [False, True])
def test_words_and_alternatives_come_when_asked_for(words: bool, alternatives: bool) -> None:
    item = AssemblyItem(1, 640, 480, 0, [line("two words", 5, 5)], words=words, alternatives=alternatives)
    [page] = run(item)
    [result] = page.lines
    assert (result.words is not None) == words
    assert (result.alternatives is not None) == alternatives
    if words:
        assert [w.text for w in result.words] == ["two", "words"]


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("lines", [[], [line("", 5, 5, 0.0)], [line("  ", 5, 5)], [line("faint", 5, 5, 0.49)]])
def test_a_page_without_readable_lines_is_empty(lines: list[RecognisedLine], words: bool) -> None:
    [page] = run(AssemblyItem(1, 640, 480, 0, lines, words=words, alternatives=True, min_confidence=0.5))
    assert page.lines == []


def test_lines_at_the_limit_of_confidence_stay() -> None:
    lines = [line("out", 5, 5, 0.499), line("in", 5, 40, 0.5)]
    [page] = run(AssemblyItem(1, 640, 480, 0, lines, min_confidence=0.5))
    assert [x.text for x in page.lines] == ["in"]


def test_pages_of_a_batch_stay_apart() -> None:
    first, second = run(AssemblyItem(1, 640, 480, 0, [line("a", 5, 5)]), AssemblyItem(2, 640, 480))
    assert [x.text for x in first.lines] == ["a"]
    assert second.lines == []


@pytest.mark.parametrize(("x", "y"), [(-30, -8), (600, 470), (-1000, 5000), (0.004, 0.006)])
def test_polygons_stay_in_the_page(x: float, y: float) -> None:
    [page] = run(AssemblyItem(1, 640, 480, 0, [line("edge of it", x, y)], words=True))
    polygons = [page.lines[0].polygon, *[w.polygon for w in page.lines[0].words]]
    assert all(len(p) == 4 for p in polygons)
    assert all(0 <= px <= 640 and 0 <= py <= 480 for p in polygons for px, py in p)


def python_types(value: Any) -> set[type]:
    """The types of all leaves of a result."""
    if isinstance(value, dict):
        return set().union(*map(python_types, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(python_types, value))
    return {type(value)}


def test_no_numpy_type_reaches_the_result() -> None:
    lines = [line("one two", 20, 20), line("three", 300, 21)]
    lines[0].decoded = DecodedText("one two", np.float32(0.9), (0, 1, 2, 3, 4, 5, 6), (np.float32(0.9),) * 7, 7)  # type: ignore[arg-type]
    [page] = run(AssemblyItem(1, 640, 480, 0, lines, words=True))
    assert python_types(asdict(page)) <= {int, float, str, type(None)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.123456, 0.1235), (1.0000001, 1.0), (-0.1, 0.0), (math.nan, 0.0), (math.inf, 1.0), (np.float32(0.5), 0.5)],
)
def test_confidences_are_plain_numbers_from_0_to_1(value: float, expected: float) -> None:
    result = to_confidence(value)
    assert result == expected
    assert type(result) is float


@pytest.mark.parametrize("bad", [np.zeros((3, 2)), np.full((4, 2), math.nan), np.full((4, 2), math.inf)])
def test_a_polygon_that_is_none_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="four finite points"):
        to_polygon(bad, (10, 10))
