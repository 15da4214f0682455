"""The dispatcher with real lanes: threads, errors, and everything accounted for."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from stages.batcher import BatchPolicy, DropReason, Item
from stages.dispatcher import Dispatcher, StageEntry
from stages.lane import BatchReport, Payload
from stages.stage import LaneContext
from tests.factories.lanes import PATIENCE, FakeStage, Meter, item, real_lanes
from tests.factories.recording_device import RecordingDevice, RecordingEvent, RecordingStream


class Crowd:
    """A dispatcher with threads. ``ended`` counts what became of each value."""

    def __init__(self, slots: int) -> None:
        self.changed = threading.Condition()
        self.ended: Counter[tuple[Any, str]] = Counter()
        self.results: dict[Any, Any] = {}
        self.reports: list[BatchReport] = []
        self.deaths: list[BaseException] = []
        self.next: dict[str, str] = {}
        self.dispatcher = Dispatcher(slots, self._on_result, self._on_drop, self.reports.append, self.deaths.append)

    def add(self, stage: FakeStage, lanes: int, size: int = 1, **rest: Any) -> None:
        policy = BatchPolicy(max_size=size, max_delay=0.0)
        entry = StageEntry(stage.name, policy, room=rest.pop("room", 10_000), **rest)
        self.dispatcher.add(entry, real_lanes(stage, lanes, self.dispatcher, self.deaths))
        if entry.feeds:
            self.next[stage.name] = entry.feeds

    def _on_result(self, done: Item[Payload], result: Any, report: BatchReport) -> None:
        value = done.payload.value
        if not isinstance(result, Exception) and report.stage in self.next:
            stage = self.next[report.stage]
            self.dispatcher.offer(stage, [item(value, stage, wanted=done.wanted, event=report.event)])
        else:
            self._end(value, "failed" if isinstance(result, Exception) else "done", result)

    def _on_drop(self, left: Item[Payload], reason: DropReason) -> None:
        self._end(left.payload.value, reason, None)

    def _end(self, value: Any, how: str, result: Any) -> None:
        with self.changed:
            self.ended[value, how] += 1
            self.results[value] = result
            self.changed.notify_all()

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.ended.total() >= count, PATIENCE), self.ended

    def close(self) -> None:
        self.dispatcher.close()
        assert not self.deaths
        assert self.dispatcher.busy() == 0


@pytest.mark.parametrize("slots", [1, 2, 4])
def test_threads_inside_the_stages_never_exceed_the_slots_and_reach_them(slots: int) -> None:
    meter, crowd = Meter(), Crowd(slots)
    full = threading.Barrier(slots)  # passes only when as many threads as there are slots stand at it

    def work(name: str) -> Any:
        def inside(values: Sequence[Any], lane: LaneContext) -> None:
            meter.enter(name)
            full.wait(PATIENCE)
            meter.leave(name)

        return inside

    for name in "ab":
        crowd.add(FakeStage(name, on_predict=work(name)), lanes=4)
    crowd.dispatcher.start()
    for name in "ab":
        crowd.dispatcher.offer(name, [item((name, i), name) for i in range(8)])
    crowd.wait_for(16)
    crowd.close()
    assert meter.most["all"] == slots
    assert sorted(value for value, how in crowd.ended if how == "done") == [(n, i) for n in "ab" for i in range(8)]


def test_a_failing_item_stops_nothing() -> None:
    """CASES 23: the next request succeeds."""

    def refuse(values: Sequence[Any], lane: LaneContext) -> None:
        if "bad" in values:
            raise ValueError("broken")

    crowd = Crowd(1)
    crowd.add(FakeStage("a", on_predict=refuse), lanes=1, size=8)
    crowd.dispatcher.start()
    for turn in range(3):
        values = [f"{turn}-{i}" for i in range(7)]
        crowd.dispatcher.offer("a", [item(value, "a") for value in ["bad", *values]])
        crowd.wait_for(8 * (turn + 1))
    crowd.close()
    assert crowd.ended["bad", "failed"] == 3
    assert sum(how == "done" for _, how in crowd.ended) == 21


def test_a_batch_too_large_for_the_device_is_remembered() -> None:
    sizes: list[int] = []
    gate = threading.Event()

    def fit(values: Sequence[Any], lane: LaneContext) -> None:
        assert gate.wait(PATIENCE)
        if len(values) > 3:
            raise MemoryError
        sizes.append(len(values))

    crowd = Crowd(1)
    crowd.add(FakeStage("a", on_predict=fit), lanes=1, size=8)
    crowd.dispatcher.start()
    crowd.dispatcher.offer("a", [item(i, "a", bucket="wide") for i in range(20)])
    gate.set()
    crowd.wait_for(20)
    crowd.close()
    assert {how for _, how in crowd.ended} == {"done"}
    # 8 fails, then its halves of 4 fail, so 2 is the most that is tried from then on.
    assert sizes[:4] == [2, 2, 2, 2]
    assert set(sizes[4:]) == {2}


def test_close_waits_for_what_runs() -> None:
    inside, gate = threading.Event(), threading.Event()

    def hold(values: Sequence[Any], lane: LaneContext) -> None:
        inside.set()
        assert gate.wait(PATIENCE)

    crowd = Crowd(1)
    crowd.add(FakeStage("a", on_predict=hold), lanes=1)
    crowd.dispatcher.start()
    crowd.dispatcher.offer("a", [item("runs", "a"), item("waits", "a")])
    assert inside.wait(PATIENCE)
    closers = [threading.Thread(target=crowd.dispatcher.close) for _ in range(2)]
    for closer in closers:
        closer.start()
    crowd.wait_for(1)
    assert crowd.ended == {("waits", "cancelled"): 1}
    assert all(closer.is_alive() for closer in closers), "every caller waits, the second one too"
    gate.set()
    for closer in closers:
        closer.join(PATIENCE)
    assert crowd.ended == {("waits", "cancelled"): 1, ("runs", "done"): 1}
    crowd.close()


def test_a_result_that_nobody_can_take_is_the_end_of_the_lane_and_told() -> None:
    told = threading.Event()

    def broken(*_: Any) -> None:
        raise RuntimeError("cannot take results")

    deaths: list[BaseException] = []
    dispatcher = Dispatcher(1, broken, lambda *_: None)
    lanes = real_lanes(FakeStage("a"), 1, dispatcher, deaths)
    lanes[0]._on_death = lambda error: told.set()
    dispatcher.add(StageEntry("a", BatchPolicy(), room=1), lanes)
    dispatcher.start()
    dispatcher.offer("a", [item(1, "a")])
    assert told.wait(PATIENCE)
    dispatcher.close()


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_each_item_ends_exactly_once(seed: int) -> None:
    """Three stages, failing and unwanted items, drops, errors of the device, offers from several threads."""
    chance = random.Random(seed)
    count = 240
    fate = {
        value: chance.choice(["done"] * 6 + ["failed a", "failed b", "failed c", "unwanted"]) for value in range(count)
    }

    def work(name: str) -> Any:
        def inside(values: Sequence[Any], lane: LaneContext) -> None:
            if len(values) > 5:
                raise MemoryError
            if any(fate[value] == f"failed {name}" for value in values):
                raise ValueError("broken")

        return inside

    crowd = Crowd(3)
    for name, feeds, size, lanes in (("a", "b", 1, 3), ("b", "c", 8, 2), ("c", None, 4, 1)):
        crowd.add(FakeStage(name, on_predict=work(name)), lanes, size, feeds=feeds, room=6)
    crowd.dispatcher.start()

    def offer(part: range) -> None:
        for value in part:
            wanted = fate[value] != "unwanted"
            crowd.dispatcher.offer("a", [item(value, "a", priority=value % 3, wanted=lambda w=wanted: w)])

    threads = [threading.Thread(target=offer, args=(range(start, count, 3),)) for start in range(3)]
    for thread in threads:
        thread.start()
    crowd.wait_for(count)
    for thread in threads:
        thread.join(PATIENCE)
    crowd.close()
    expected = {"unwanted": "cancelled"}
    assert crowd.ended == {(value, expected.get(how, how.split()[0])): 1 for value, how in fate.items()}
    assert crowd.dispatcher.waiting() == {"a": 0, "b": 0, "c": 0}
    assert sum(report.size for report in crowd.reports if report.stage == "a") == sum(
        how != "unwanted" for how in fate.values()
    )


def test_from_stage_to_stage_every_stream_waits_for_what_it_is_handed() -> None:
    """Lanes of three stages pass work on; no stage sees an array before its stream has waited for it."""
    device, known = RecordingDevice(3), threading.Lock()
    unseen: list[Any] = []
    made: dict[tuple[str, int], RecordingEvent] = {}
    ended = threading.Semaphore(0)
    order = ["a", "b", "c"]

    def look(stage: str) -> Any:
        def inside(values: Sequence[Any], lane: LaneContext) -> None:
            stream = lane.stream
            assert isinstance(stream, RecordingStream)
            with known:
                unseen.extend(v for v in values if stage != "a" and not stream.sees(made[stage, v]))

        return inside

    def pass_on(done: Item[Payload], result: Any, report: BatchReport) -> None:
        assert isinstance(report.event, RecordingEvent)
        if report.stage == "c":
            ended.release()
            return
        following = order[order.index(report.stage) + 1]
        with known:
            made[following, done.payload.value] = report.event
        dispatcher.offer(following, [item(done.payload.value, following, event=report.event)])

    deaths: list[BaseException] = []
    dispatcher = Dispatcher(3, pass_on, lambda *_: None)
    for name in order:
        lanes = real_lanes(FakeStage(name, on_predict=look(name)), 2, dispatcher, deaths, device)
        dispatcher.add(StageEntry(name, BatchPolicy(max_size=4), room=100), lanes)
    dispatcher.start()
    dispatcher.offer("a", [item(value, "a") for value in range(30)])
    for _ in range(30):
        assert ended.acquire(timeout=PATIENCE)
    dispatcher.close()
    assert not deaths
    assert not unseen
    assert "host waits" not in device.kinds()
    assert len({entry[1] for entry in device.log if entry[0] == "records"}) >= 3
