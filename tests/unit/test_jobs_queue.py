"""The order in which files of jobs are read."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.server.jobs.queue import JobQueue, Unit

UNITS = st.lists(
    st.builds(Unit, st.integers(0, 5).map(float), st.sampled_from(["j1", "j2", "j3"]), st.integers(0, 3), st.just("")),
    unique_by=lambda unit: (unit.job_id, unit.position),
)
OWNER = {"j1": "a", "j2": "a", "j3": "b"}


@given(UNITS, st.sets(st.sampled_from(["j1", "j2", "j3"])))
def test_nothing_is_lost_or_taken_twice_and_all_is_in_order(units: list[Unit], dropped: set[str]) -> None:
    units = [Unit(unit.arrival, unit.job_id, unit.position, OWNER[unit.job_id]) for unit in units]
    queue = JobQueue()
    for unit in [*units, *units]:
        queue.add(unit)
    assert len(queue) == len(units)
    for job_id in dropped:
        queue.drop(job_id)
    left = [unit for unit in units if unit.job_id not in dropped]
    assert all(queue.has(job_id) == any(unit.job_id == job_id for unit in left) for job_id in OWNER)
    reading: Counter[str] = Counter()
    while (taken := queue.take(reading)) is not None:
        assert taken == min(left, key=lambda each: (reading[each.owner], each.arrival))  # of equals the first
        left.remove(taken)
        reading[taken.owner] += 1
    assert not left
    assert len(queue) == 0


def test_what_was_dropped_may_come_again() -> None:
    queue = JobQueue()
    unit = Unit(1.0, "j1", 0, "a")
    queue.add(unit)
    queue.drop("j1")
    queue.add(unit)
    assert queue.take({}) == unit
    assert queue.take({}) is None


def test_a_cleared_queue_is_empty() -> None:
    queue = JobQueue()
    queue.add(Unit(1.0, "j1", 0, "a"))
    queue.clear()
    assert queue.take({}) is None
    assert not queue.has("j1")
