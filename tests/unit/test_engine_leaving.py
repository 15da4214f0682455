"""Documents that nobody wants any more, or whose time is up, cost nothing from then on."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import pytest

from schemas.document import Document
from schemas.errors import DeadlineExceeded
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import STAGES, items_of, request


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("slots", [1, 4])
def test_cancelled_while_a_stage_works_on_it(benches: MakeBench, stage: str, slots: int) -> None:
    """What runs is thrown away; what waits and what is held is freed at once."""
    bench = benches(slots=slots, lanes=1, max_pages=2, max_open=2, fields=True)
    release = bench.probe.hold(stage, "victim")
    victim = bench.submit("victim", ["abc", "def"])
    bench.probe.wait_for(stage, "victim")
    assert victim.cancel()
    assert wait([victim], PATIENCE).done == {victim}
    # Only an item that is being opened or decoded still holds its credit, until its lane is done with it.
    free = {name: credits for name, credits in bench.credits().items() if credits is not None}
    assert free == {"open": 2 - (stage == "open"), "decode": 2 - (stage == "decode")}
    assert set(bench.engine.waiting().values()) == {0}
    other = bench.submit("other", ["abc-other"])
    release.set()
    assert items_of(other.result(PATIENCE)) == [["abc-other"]]
    bench.engine.close()
    assert not set(STAGES[STAGES.index(stage) + 1 :]) & set(bench.probe.stages_of("victim"))


@pytest.mark.parametrize("stage", STAGES)
def test_cancelled_while_it_waits_for_a_stage_it_is_never_run_there(benches: MakeBench, stage: str) -> None:
    """CASES 22."""
    bench = benches(slots=8, lanes=1, boost=False, fields=True)
    release = bench.probe.hold(stage, "first")
    first = bench.submit("first", ["first"])
    bench.probe.wait_for(stage, "first")
    victim = bench.submit("victim", ["victim"])
    bench.wait_until_offered(stage, "victim")
    assert bench.engine.waiting()[stage] == 1
    assert victim.cancel()
    assert bench.engine.waiting()[stage] == 0
    release.set()
    assert items_of(first.result(PATIENCE)) == [["first"]]
    assert items_of(bench.read("next", ["next"])) == [["next"]]
    assert stage not in bench.probe.stages_of("victim")


def test_a_cancelled_document_makes_room_for_the_next(benches: MakeBench) -> None:
    bench = benches(max_waiting=1)
    release = bench.probe.hold("open", "first")
    first = bench.submit("first", ["abc"])
    bench.probe.wait_for("open", "first")
    submitted: list[Future[Document]] = []
    thread = threading.Thread(target=lambda: submitted.append(bench.submit("second", ["def"])))
    thread.start()  # waits for room
    first.cancel()
    thread.join(PATIENCE)
    release.set()
    assert items_of(submitted[0].result(PATIENCE)) == [["def"]]


def test_a_deadline_that_has_passed_costs_nothing(bench: Bench) -> None:
    with pytest.raises(DeadlineExceeded):
        bench.read("late", ["abc"], deadline=time.monotonic() - 1)
    assert bench.probe.stages_of("late") == []
    assert bench.engine.counts.snapshot()["open"].dropped == {"deadline": 1}


def test_a_deadline_passes_while_the_document_waits_for_a_busy_machine(benches: MakeBench) -> None:
    bench = benches(slots=1)
    release = bench.probe.hold("detection", "busy")
    busy = bench.submit("busy", ["abc"])
    bench.probe.wait_for("detection", "busy")
    late = bench.submit("late", ["def"], deadline=time.monotonic() + 0.02)
    assert isinstance(late.exception(PATIENCE), DeadlineExceeded), "told although nothing has become free"
    assert not busy.done()
    release.set()
    busy.result(PATIENCE)
    assert bench.probe.stages_of("late") == []


@pytest.mark.parametrize("stage", STAGES[:-1])
def test_a_deadline_that_passes_on_the_way_ends_the_document_before_the_next_stage(
    benches: MakeBench, stage: str
) -> None:
    bench = benches(fields=True)
    asked = request("late", ["abc"], ["def"])

    def too_late() -> None:
        asked.deadline = time.monotonic() - 1

    bench.probe._rules[stage, "late"] = too_late
    with pytest.raises(DeadlineExceeded):
        bench.send(asked).result(PATIENCE)
    bench.engine.close()
    assert STAGES[STAGES.index(stage) + 1] not in bench.probe.stages_of("late")


@pytest.mark.parametrize("seed", range(3))
def test_cancellations_at_any_moment_leave_nothing_behind(benches: MakeBench, seed: int) -> None:
    chance = random.Random(seed)
    bench = benches(slots=3, lanes=2, max_pages=3, max_open=2, max_waiting=20, fields=True)
    stages = list(STAGES)
    for i in range(80):
        if i % 4 == 0:
            victim: dict[str, Any] = {}

            def cancel(victim: dict[str, Any] = victim) -> None:
                victim["future"].cancel()

            ready = threading.Event()

            def rule(ready: threading.Event = ready, cancel: Callable[[], None] = cancel) -> None:
                assert ready.wait(PATIENCE)
                cancel()  # from inside a lane

            bench.probe._rules[chance.choice(stages), f"doc{i}"] = rule
            victim["future"] = bench.submit(f"doc{i}", [f"{i}-one"], [f"{i}-two"])
            ready.set()
        else:
            bench.submit(f"doc{i}", [f"{i}-one"], [f"{i}-two"])
    wait(bench.futures, PATIENCE)
    for i, future in enumerate(bench.futures):
        assert future.done()
        if i % 4:
            assert items_of(future.result()) == [[f"{i}-one"], [f"{i}-two"]]
        else:
            assert future.cancelled()
