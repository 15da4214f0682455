"""Greedy CTC decoding, against a plain loop that follows PaddleOCR's rule and promotes likely spaces."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from models.ctc import CtcDecoder, DecodedText
from schemas.errors import ModelError

CHARACTERS = tuple("abc ")
SPACE = 4


def batch(rows: list[list[int]], probs: list[list[float]]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Rows of best classes and their probabilities as the backend's (N, T, 1) arrays."""
    return np.array(rows, np.int32)[..., None], np.array(probs, np.float32)[..., None]


def plain_decode(
    candidates: list[list[int]], probs: list[list[float]], valid: int
) -> tuple[str, list[int], list[float]]:
    """One line the slow way: text, peak column and first column's probability of every character."""
    classes, likely = [row[0] for row in candidates], [row[0] for row in probs]
    for column in range(valid):
        spaces = [p for c, p in zip(candidates[column][1:], probs[column][1:], strict=True) if c == SPACE]
        if classes[column] == 0 and spaces and max(spaces) > 0.08:
            classes[column], likely[column] = SPACE, max(spaces)
    text, columns, confidences = "", [], []
    column = 0
    while column < valid:
        end = column
        while end < valid and classes[end] == classes[column]:
            end += 1
        char = CHARACTERS[classes[column] - 1] if classes[column] else ""
        if char and not (char == " " and text.endswith(" ")):
            text += char
            columns.append(max(range(column, end), key=lambda i: likely[i]))
            confidences.append(likely[column])
        column = end
    return text, columns, confidences


def test_a_space_wins_over_the_blank_when_it_is_likely_enough() -> None:
    indices = np.array([[[1, 0], [0, SPACE], [2, SPACE], [0, SPACE], [3, 0]]], np.int32)
    probs = np.array([[[1, 0], [0.8, 0.2], [0.6, 0.4], [0.95, 0.05], [1, 0]]], np.float32)
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs)
    assert line.text == "a bc"
    assert line.columns == (0, 1, 2, 4)
    assert line.confidence == pytest.approx(2.6 / 3)


def test_spaces_do_not_double() -> None:
    indices = np.array([[[1, 0], [SPACE, 0], [0, 1], [0, SPACE], [2, 0]]], np.int32)
    probs = np.array([[[1, 0], [0.9, 0], [0.9, 0], [0.8, 0.2], [1, 0]]], np.float32)
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs)
    assert (line.text, line.columns) == ("a b", (0, 1, 4))


@pytest.mark.parametrize(("chance", "text"), [(0.3, "\u53d1\u7968"), (0.6, "\u53d1 \u7968")])
def test_ideographs_are_parted_by_sure_spaces_only(chance: float, text: str) -> None:
    order = [3, 0] if chance > 0.5 else [0, 3]
    indices = np.array([[[1, 0], order, [2, 0]]], np.int32)
    probs = np.array([[[1, 0], sorted([chance, 1 - chance], reverse=True), [1, 0]]], np.float32)
    [line] = CtcDecoder(("\u53d1", "\u7968", " ")).decode(indices, probs)
    assert line.text == text


def test_runs_collapse_and_a_blank_between_doubles_a_letter() -> None:
    indices, probs = batch([[1, 1, 0, 1, 2, 2, 4, 3]], [[0.5, 0.75, 0.9, 0.25, 0.5, 0.25, 1.0, 0.5]])
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs)
    assert line.text == "aab c"
    assert line.columns == (1, 3, 4, 6, 7)
    assert line.char_confidences == (0.5, 0.25, 0.5, 1.0, 0.5)
    assert line.confidence == pytest.approx(0.4375), "spaces do not count"
    assert line.width_columns == 8


def test_padding_contributes_neither_text_nor_confidence() -> None:
    indices, probs = batch([[1, 2, 0, 3, 3]] * 2, [[1, 0.5, 0.9, 0.1, 0.2]] * 2)
    cut, full = CtcDecoder(CHARACTERS).decode(indices, probs, valid_columns=[2, 5])
    assert (cut.text, cut.confidence, cut.width_columns, cut.columns) == ("ab", 0.75, 2, (0, 1))
    assert (full.text, full.columns) == ("abc", (0, 1, 4))


def test_the_last_character_may_spill_one_column_into_the_padding() -> None:
    indices, probs = batch([[1, 0, 2, 3]], [[1, 1, 0.5, 1]])
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs, valid_columns=[2])
    assert (line.text, line.columns, line.width_columns) == ("ab", (0, 1), 2)


def test_runs_do_not_join_across_lines() -> None:
    indices, probs = batch([[0, 1], [1, 0], [1, 1]], [[0.5, 0.5]] * 3)
    assert [line.text for line in CtcDecoder(CHARACTERS).decode(indices, probs)] == ["a", "a", "a"]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, -1.0, 7.0])
def test_confidence_is_finite_and_within_bounds_whatever_the_network_says(bad: float) -> None:
    indices, probs = batch([[1, 2]], [[bad, bad]])
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs)
    assert line.text == "ab"
    assert 0 <= line.confidence <= 1


@pytest.mark.parametrize(
    ("rows", "valid"), [([[0, 0, 0]], None), ([[]], None), ([[1, 2, 3]], [0]), ([[1, 2, 3]], [-4])]
)
def test_an_empty_line_has_confidence_zero(rows: list[list[int]], valid: list[int] | None) -> None:
    indices, probs = batch(rows, [[0.9] * len(row) for row in rows])
    [line] = CtcDecoder(CHARACTERS).decode(indices, probs, valid)
    assert (line.text, line.confidence, line.columns, line.char_confidences) == ("", 0.0, (), ())


def test_no_lines_give_no_results() -> None:
    decoder = CtcDecoder(CHARACTERS)
    assert decoder.decode(np.zeros((0, 5, 1), np.int32), np.zeros((0, 5, 1), np.float32)) == []


def test_pruned_classes_count_within_keep() -> None:
    indices, probs = batch([[1, 2]], [[0.5, 0.5]])
    [line] = CtcDecoder(CHARACTERS, keep=(0, 3, 4)).decode(indices, probs)
    assert line.text == "c "
    assert CtcDecoder(CHARACTERS, keep=(0, 3, 4)).class_count == 3


@pytest.mark.parametrize("keep", [(), (1, 2), (0, 5), (0, 1, 0), (0, -1)])
def test_keep_must_fit_the_character_set(keep: tuple[int, ...]) -> None:
    with pytest.raises(ModelError):
        CtcDecoder(CHARACTERS, keep=keep)


@pytest.mark.parametrize("index", [5, -1])
def test_a_class_beyond_the_characters_is_an_error_that_says_so(index: int) -> None:
    indices, probs = batch([[index]], [[0.5]])
    with pytest.raises(ModelError, match="character set"):
        CtcDecoder(CHARACTERS).decode(indices, probs)


@pytest.mark.parametrize(
    ("shape", "other", "valid"), [((2, 3), (2, 3), None), ((1, 3, 1), (1, 2, 1), None), ((2, 3, 1), (2, 3, 1), [1])]
)
def test_shapes_that_do_not_fit_are_refused(
    shape: tuple[int, ...], other: tuple[int, ...], valid: list[int] | None
) -> None:
    with pytest.raises(ValueError, match="must"):
        CtcDecoder(CHARACTERS).decode(np.zeros(shape, np.int32), np.zeros(other, np.float32), valid)


def columns_read(valid: int, width: int) -> int:
    """The columns of a line's image, and one of the padding."""
    return min(valid + 1, width) if valid else 0


def only_python_types(value: Any) -> bool:
    """Whether a tree of results holds no NumPy type."""
    if isinstance(value, dict):
        return all(map(only_python_types, value.values()))
    if isinstance(value, tuple | list):
        return all(map(only_python_types, value))
    return type(value) in (str, int, float)


@st.composite
def batches(draw: st.DrawFn) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], list[int]]:
    """A small batch with its valid columns."""
    shape = (draw(st.integers(1, 4)), draw(st.integers(1, 9)), draw(st.integers(1, 3)))
    indices = draw(hnp.arrays(np.int32, shape, elements=st.integers(0, len(CHARACTERS))))
    probs = draw(hnp.arrays(np.float32, shape, elements=st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0])))
    return indices, probs, draw(st.lists(st.integers(0, shape[1]), min_size=shape[0], max_size=shape[0]))


@given(batches())
def test_equals_the_plain_loop(
    case: tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], list[int]],
) -> None:
    indices, probs, valid = case
    for line, result in enumerate(CtcDecoder(CHARACTERS).decode(indices, probs, valid)):
        text, columns, confidences = plain_decode(
            indices[line].tolist(), probs[line].tolist(), columns_read(valid[line], indices.shape[1])
        )
        columns = [min(column, valid[line] - 1) for column in columns]
        sure = [p for char, p in zip(text, confidences, strict=True) if char != " "]
        mean = sum(sure) / len(sure) if sure else 0.0
        assert result == DecodedText(text, mean, tuple(columns), tuple(confidences), valid[line])
        assert only_python_types(asdict(result))


@given(batches())
def test_alternatives_are_self_contained(
    case: tuple[npt.NDArray[np.int32], npt.NDArray[np.float32], list[int]],
) -> None:
    indices, probs, valid = case
    for line, kept in enumerate(CtcDecoder(CHARACTERS).alternatives(indices, probs, valid)):
        table, own = ("", *CHARACTERS), ("", *kept.characters)
        width = columns_read(valid[line], indices.shape[1])
        assert [[own[i] for i in row] for row in kept.indices.tolist()] == [
            [table[i] for i in row] for row in indices[line, :width].tolist()
        ]
        assert np.array_equal(kept.probabilities, probs[line, :width])
        assert set(kept.characters) <= {table[i] for i in indices[line, :width].ravel().tolist()}
