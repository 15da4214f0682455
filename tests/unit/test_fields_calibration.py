"""Confidences, from raw to measured."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import ModelError
from stages.fields.calibration import IDENTITY, Calibration, fit


def test_without_a_table_nothing_changes() -> None:
    assert IDENTITY(0.37, "receipt.total") == 0.37
    assert IDENTITY(math.nan) == 0.0
    assert IDENTITY(1.7) == 1.0


def test_straight_lines_between_points() -> None:
    calibration = Calibration.from_mapping({"default": [[0.2, 0.1], [0.6, 0.3], [0.8, 0.9]]})
    assert calibration(0.4) == pytest.approx(0.2)
    assert calibration(0.0) == 0.1
    assert calibration(1.0) == 0.9
    assert calibration(0.6) == pytest.approx(0.3)


def test_the_first_name_with_a_table_counts() -> None:
    calibration = Calibration.from_mapping({"receipt.total": [[0, 0.5], [1, 0.5]], "default": [[0, 0], [1, 0.8]]})
    assert calibration(0.9, "receipt.total", "receipt") == 0.5
    assert calibration(0.5, "receipt.date", "receipt") == pytest.approx(0.4)


@pytest.mark.parametrize(
    "table",
    [[], 3, [[0.1]], [["a", "b"]], [[0, 1.5]], [[0.5, 0.5], [0.4, 0.6]], [[0.1, 0.5], [0.4, 0.2]], [[0, math.nan]]],
)
def test_bad_tables_are_refused(table: Any) -> None:
    with pytest.raises(ModelError, match="calibration of 'default'"):
        Calibration.from_mapping({"default": table})


def test_fit_finds_the_shares() -> None:
    # 100 values at 0.9 of which 70 are right, 100 at 0.5 of which 20 are.
    confidences = [0.9] * 100 + [0.5] * 100
    correct = [True] * 70 + [False] * 30 + [True] * 20 + [False] * 80
    calibration = Calibration.from_mapping({"default": fit(confidences, correct, points=2)})
    assert calibration(0.9) == pytest.approx(0.7, abs=0.02)
    assert calibration(0.5) == pytest.approx(0.2, abs=0.02)


def test_fit_of_nothing_is_the_identity() -> None:
    assert Calibration.from_mapping({"default": fit([], [])})(0.3) == pytest.approx(0.3)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=200), st.integers(1, 30))
def test_fit_never_falls(values: list[tuple[float, bool]], points: int) -> None:
    table = fit([c for c, _ in values], [ok for _, ok in values], points)
    calibration = Calibration.from_mapping({"default": table})
    steps = [calibration(k / 50) for k in range(51)]
    assert steps == sorted(steps)
    assert all(0 <= step <= 1 for step in steps)


def test_equal_confidences_are_not_told_apart_by_what_became_of_them() -> None:
    table = fit([1.0] * 100, [number % 4 > 0 for number in range(100)])
    assert Calibration({"default": table})(1.0) == pytest.approx(0.75, abs=0.01)
