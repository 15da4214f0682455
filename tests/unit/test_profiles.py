"""From a stage's settings and the measured defaults to its batching policy."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.profiles import batch_policy, cpu_profile, detection_lanes, lane_count
from schemas.settings import StageSettings


def test_what_the_settings_leave_open_comes_from_the_defaults() -> None:
    policy = batch_policy(StageSettings(), max_size=6, max_pixels=1000)
    assert (policy.max_size, policy.max_cost, policy.preferred_sizes) == (6, 1000, ())


def test_what_the_settings_say_wins() -> None:
    said = StageSettings(
        max_batch_size=16,
        max_batch_pixels=77,
        max_queue_delay_ms=40,
        preferred_batch_sizes=(4, 8),
        priority_aging_ms=500,
        overdue_ms=250,
    )
    policy = batch_policy(said, max_size=6, max_pixels=1000)
    assert (policy.max_size, policy.max_cost, policy.preferred_sizes) == (16, 77, (4, 8))
    assert (policy.max_delay, policy.aging, policy.overdue) == (0.04, 0.5, 0.25)


def test_a_preferred_size_over_the_defaults_size_is_left_out() -> None:
    assert batch_policy(StageSettings(preferred_batch_sizes=(4, 32)), max_size=6).preferred_sizes == (4,)


def test_a_stage_that_does_not_batch_never_waits_for_more() -> None:
    assert batch_policy(StageSettings(max_queue_delay_ms=40)).max_delay == 0.0


def test_nothing_is_overdue_before_it_is_due() -> None:
    policy = batch_policy(StageSettings(max_queue_delay_ms=3000, overdue_ms=10), max_size=4)
    assert policy.overdue >= policy.max_delay


@pytest.mark.parametrize(
    "values", [{"max_batch_size": 4, "preferred_batch_sizes": (8,)}, {"preferred_batch_sizes": (0,)}]
)
def test_preferred_sizes_that_cannot_be_are_refused_by_name(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="preferred_batch_sizes"):
        StageSettings(**values)


@pytest.mark.parametrize("precision", ["f32", "bf16", "f16", "something new"])
def test_every_precision_has_a_profile_that_can_run(precision: str) -> None:
    profile = cpu_profile(precision)
    assert profile.line_batch >= 1
    assert profile.line_pixels >= 48 * 320
    assert 0 < profile.max_padding <= 0.12


@pytest.mark.parametrize(("cores", "lanes"), [(1, 1), (2, 1), (4, 1), (5, 2), (8, 2), (64, 16)])
def test_detection_has_a_lane_for_four_cores(cores: int, lanes: int) -> None:
    assert detection_lanes(cores) == lanes


def test_instances_are_the_lanes() -> None:
    assert lane_count(StageSettings(), 3) == 3
    assert lane_count(StageSettings(instances=5), 3) == 5
