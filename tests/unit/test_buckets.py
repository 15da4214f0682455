"""The series of line widths: little padding, few shapes, decided by the line alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.recognition.buckets import GRAIN, MAX_WIDTH, MIN_WIDTH, bucket_of, bucket_widths

paddings = st.floats(0.0, 0.5)
widths_of_lines = st.integers(1, 2 * MAX_WIDTH)


@given(max_padding=paddings)
def test_the_series_ascends_in_whole_grains_from_the_least_to_the_most(max_padding: float) -> None:
    widths = bucket_widths(max_padding)
    assert (widths[0], widths[-1]) == (MIN_WIDTH, MAX_WIDTH)
    assert list(widths) == sorted(set(widths))
    assert all(width % GRAIN == 0 for width in widths)


@given(max_padding=paddings, width=st.integers(MIN_WIDTH + 1, MAX_WIDTH))
def test_a_line_over_the_shortest_bucket_is_padded_by_no_more_than_promised_or_a_grain(
    max_padding: float, width: int
) -> None:
    bucket = bucket_of(width, bucket_widths(max_padding))
    assert width <= bucket
    assert bucket - width <= max(max_padding * bucket + 1e-6, GRAIN - 1)


@pytest.mark.parametrize("max_padding", [0.06, 0.09, 0.12, 0.2])
def test_from_six_percent_on_the_promise_holds_for_every_line_over_the_shortest_bucket(max_padding: float) -> None:
    widths = bucket_widths(max_padding)
    shares = [1 - width / bucket_of(width, widths) for width in range(MIN_WIDTH + 1, MAX_WIDTH + 1)]
    assert max(shares) <= max_padding


@given(max_padding=paddings, width=st.integers(1, MIN_WIDTH))
def test_a_short_line_gets_the_shortest_bucket(max_padding: float, width: int) -> None:
    assert bucket_of(width, bucket_widths(max_padding)) == MIN_WIDTH


@given(max_padding=paddings, width=st.integers(MAX_WIDTH, 10 * MAX_WIDTH))
def test_a_line_longer_than_the_longest_bucket_gets_that(max_padding: float, width: int) -> None:
    assert bucket_of(width, bucket_widths(max_padding)) == MAX_WIDTH


@given(max_padding=paddings, width=st.integers(1, MAX_WIDTH))
def test_it_is_the_smallest_bucket_that_holds_the_line(max_padding: float, width: int) -> None:
    widths = bucket_widths(max_padding)
    assert bucket_of(width, widths) == min(bucket for bucket in widths if bucket >= width)


def test_more_padding_means_fewer_shapes() -> None:
    counts = [len(bucket_widths(padding)) for padding in (0.02, 0.06, 0.09, 0.12, 0.3)]
    assert counts == sorted(counts, reverse=True)
