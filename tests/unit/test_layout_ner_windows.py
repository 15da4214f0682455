"""Padded shapes, and windows of pages that are too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.layout_ner.windows import MAX_CHARACTERS, MAX_LINES, Window, cut, padded_shape

LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=120)


def test_a_page_that_fits_is_one_window() -> None:
    assert cut([50] * 60) == [Window(0, 60, 0, 60)]
    assert cut([MAX_CHARACTERS]) == [Window(0, 1, 0, 1)]
    assert cut([1] * MAX_LINES) == [Window(0, MAX_LINES, 0, MAX_LINES)]


@pytest.mark.parametrize("lengths", [[50] * 500, [1] * 5000, [401] * 40, [MAX_CHARACTERS * 2, 5, 5]])
def test_a_longer_page_is_cut(lengths: list[int]) -> None:
    windows = cut(lengths)
    assert len(windows) > 1
    for window in windows:
        assert window.last - window.first <= MAX_LINES
        if window.last - window.first > 1:
            assert sum(lengths[window.first : window.last]) <= MAX_CHARACTERS


@given(LENGTHS, st.integers(60, 200), st.integers(9, 30), st.integers(0, 4))
def test_every_line_is_answered_for_once_and_within_bounds(
    lengths: list[int], characters: int, lines: int, context: int
) -> None:
    windows = cut(lengths, characters, lines, context)
    answered = [line for window in windows for line in range(window.start, window.end)]
    assert answered == list(range(len(lengths)))
    for window in windows:
        assert 0 <= window.first <= window.start < window.end <= window.last <= len(lengths)
        assert window.last - window.first <= lines
        assert sum(lengths[window.first : window.last]) <= characters


def test_lines_at_an_edge_are_seen_with_their_neighbours() -> None:
    windows = cut([10] * 400, 1000, 64, 4)
    for before, after in zip(windows, windows[1:], strict=False):
        assert before.last - before.end == 4
        assert after.start - after.first == 4


@pytest.mark.parametrize(("size", "expected"), [(1, 128), (128, 128), (129, 192), (193, 256), (257, 384), (1500, 1536)])
def test_sizes_grow_in_few_steps(size: int, expected: int) -> None:
    assert padded_shape([size], [Window(0, 1, 0, 1)]) == (expected, 16)


@given(st.integers(1, 4096), st.integers(1, 512))
def test_padding_is_bounded(characters: int, lines: int) -> None:
    lengths = [0] * (lines - 1) + [characters]
    padded = padded_shape(lengths, [Window(0, lines, 0, lines)])
    assert characters <= padded[0]
    assert lines <= padded[1]
    assert padded[0] == 128 or padded[0] < 1.5 * characters
    assert padded[1] == 16 or padded[1] < 2 * lines


def test_the_shape_holds_the_largest_window() -> None:
    lengths = [10] * 200
    windows = cut(lengths, 500, 30, 2)
    assert padded_shape(lengths, windows) == (384, 32)
    assert padded_shape([5], cut([5])) == (128, 16)
