"""Prefix beam search, against the sum over all column paths."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.ctc import Alternatives
from models.ctc_beam import Pattern, beam_search
from schemas.errors import InvalidRequest


def make(probabilities: list[list[float]], characters: str) -> Alternatives:
    """Alternatives with every class in every column, best first, from a (T, C) table whose column 0 is the blank."""
    table: npt.NDArray[np.float32] = np.array(probabilities, np.float32).reshape(-1, len(characters) + 1)
    order = np.argsort(-table, axis=1, kind="stable").astype(np.int32)
    return Alternatives(order, np.take_along_axis(table, order, axis=1), tuple(characters))


def spell(text: str, characters: str, noise: dict[int, str] | None = None) -> Alternatives:
    """A line that clearly reads ``text`` (a blank after every character), with second readings at some places.

    ``noise`` maps a position to a character that is a little more probable there than the right one.
    """
    rows = []
    for i, char in enumerate(text):
        row = dict.fromkeys(("", *characters), 0.001)
        row[char] = 0.4 if noise and i in noise else 0.9
        if noise and i in noise:
            row[noise[i]] = 0.5
        rows += [list(row.values()), [0.98] + [0.001] * len(characters)]
    return make(rows, characters)


def enumerate_paths(alternatives: Alternatives) -> dict[str, float]:
    """The probability of every text: the sum over all paths that spell it."""
    symbols = ("", *alternatives.characters)
    totals: dict[str, float] = {}
    rows = [
        list(zip(i, p, strict=True))
        for i, p in zip(alternatives.indices.tolist(), alternatives.probabilities.tolist(), strict=True)
    ]
    for path in itertools.product(*rows):
        probability = math.prod(p for _, p in path)
        text = "".join(symbols[c] for c, _ in itertools.groupby(c for c, _ in path))
        if probability > 0:
            totals[text] = totals.get(text, 0.0) + probability
    return totals


@st.composite
def lines(draw: st.DrawFn) -> Alternatives:
    """A tiny line: up to five columns, two or three characters (two of which may look the same)."""
    characters = draw(st.sampled_from(["ab", "abc", "aba"]))
    weight = st.sampled_from([0.0, 0.0625, 0.25, 0.5, 0.9])
    row = st.lists(weight, min_size=len(characters) + 1, max_size=len(characters) + 1)
    return make(draw(st.lists(row, max_size=5)), characters)


@given(lines())
@settings(max_examples=60)
def test_a_wide_beam_is_exact(line: Alternatives) -> None:
    expected = enumerate_paths(line)
    found = beam_search(line, beam_width=10_000, n_best=10_000)
    assert {h.text for h in found} == set(expected)
    for text, score in found:
        assert math.isfinite(score)
        assert score == pytest.approx(min(math.log(expected[text]), 0.0), abs=1e-9)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)


@pytest.mark.parametrize("pattern", ["a*b", "(ab|ba)+", "[ab]{2}", "b?", "a|b|c", "(?:a(?!a)|b)*"])
@given(line=lines())
@settings(max_examples=15)
def test_with_a_pattern_a_wide_beam_finds_exactly_the_matches(pattern: str, line: Alternatives) -> None:
    expected = {t: p for t, p in enumerate_paths(line).items() if re.fullmatch(pattern, t)}
    found = beam_search(line, beam_width=10_000, n_best=10_000, pattern=pattern)
    assert {h.text for h in found} == set(expected)
    for text, score in found:
        assert score == pytest.approx(min(math.log(expected[text]), 0.0), abs=1e-9)


@given(lines(), st.integers(1, 4))
@settings(max_examples=40)
def test_a_narrow_beam_never_overrates(line: Alternatives, width: int) -> None:
    expected = enumerate_paths(line)
    found = beam_search(line, beam_width=width, n_best=3)
    assert len(found) <= min(3, width)
    for text, score in found:
        assert score <= math.log(expected[text]) + 1e-9


@pytest.mark.parametrize(
    ("truth", "pattern", "noise"),
    [
        ("11010519491231002X", r"\d{17}[\dX]", {3: "O", 10: "Z"}),
        ("110105194912310021", r"\d{17}[\dX]", {17: "I"}),
        ("AB-12", r"[A-Z]{2}-\d{2}", {0: "4", 3: "I"}),
        ("12/05", r"(0[1-9]|1[0-2])/\d\d", {0: "7"}),
    ],
)
def test_a_pattern_restores_what_a_smudge_hides(truth: str, pattern: str, noise: dict[int, str]) -> None:
    line = spell(truth, "".join(sorted(set(truth) | set(noise.values()))), noise)
    assert beam_search(line)[0].text != truth
    assert beam_search(line, pattern=pattern)[0].text == truth


def test_accept_has_the_last_word() -> None:
    line = spell("73", "1357", {0: "1"})
    assert beam_search(line)[0].text == "13"
    assert beam_search(line, accept=lambda text: sum(map(int, text)) == 10)[0].text == "73"
    assert beam_search(line, accept=lambda text: False) == []


def test_the_same_column_never_gives_two_letters() -> None:
    line = make([[0.0, 1.0], [0.0, 1.0]], "a")
    assert [h.text for h in beam_search(line)] == ["a"]
    assert beam_search(line, pattern="aa") == []


def test_nothing_to_read_is_the_empty_text_with_certainty() -> None:
    line = Alternatives(np.zeros((0, 3), np.int32), np.zeros((0, 3), np.float32), ())
    assert beam_search(line) == [("", 0.0)]
    assert beam_search(line, pattern="a+") == []


def test_a_long_line_does_not_underflow() -> None:
    line = make([[0.3, 0.2, 0.1]] * 400, "ab")
    found = beam_search(line, beam_width=4)
    assert found
    assert all(math.isfinite(h.score) and type(h.score) is float for h in found)


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a{3,1}", "*", "(?P<x"])
def test_a_bad_pattern_is_the_callers_fault(pattern: str) -> None:
    with pytest.raises(InvalidRequest, match="not a valid regular expression"):
        beam_search(make([[0.5, 0.5]], "a"), pattern=pattern)


def test_a_search_that_runs_out_of_time_says_why() -> None:
    with pytest.raises(InvalidRequest, match="too long"):
        beam_search(make([[0.5, 0.5]], "a"), pattern="a", timeout_s=0)


@pytest.mark.parametrize(("beam_width", "n_best"), [(0, 1), (1, 0), (-3, 5)])
def test_sizes_must_be_positive(beam_width: int, n_best: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(make([[0.5, 0.5]], "a"), beam_width=beam_width, n_best=n_best)


@pytest.mark.parametrize(
    ("prefix", "viable", "complete"),
    [
        ("", True, False),
        ("1234", True, False),
        ("12X", False, False),
        ("1" * 18, True, True),
        ("1" * 17 + "X", True, True),
        ("1" * 17 + "A", False, False),
        ("1" * 19, False, False),
    ],
)
def test_prefixes_of_a_fixed_length_number(prefix: str, viable: bool, complete: bool) -> None:
    pattern = Pattern(r"\d{17}[\dX]")
    assert pattern.may_match(prefix) is viable
    assert pattern.matches(prefix) is complete
