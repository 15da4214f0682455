"""A lane runs a batch, keeps errors to the items that caused them, and waits on streams, never on the host."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Sequence
from queue import Queue, SimpleQueue
from typing import Any

import pytest

from schemas.errors import DamagedFile, OutOfDeviceMemory, StageFailed
from stages.batcher import Item
from stages.devices.base import Device
from stages.devices.cpu import CpuDevice
from stages.lane import BatchReport, Grant, Lane, Payload
from stages.stage import LaneContext, Stage
from tests.factories.lanes import PATIENCE, FakeStage, item
from tests.factories.recording_device import RecordingDevice, RecordingEvent, RecordingStream


class Outcome:
    """What a lane told its owner."""

    def __init__(self) -> None:
        self.done: Queue[tuple[list[Any], BatchReport]] = Queue()
        self.memory: list[tuple[str, Any, int]] = []
        self.deaths: Queue[BaseException] = Queue()

    def lane(self, stage: Stage[Any, Any], device: Device | None = None) -> Lane:
        return Lane(
            stage,
            0,
            device or CpuDevice(1),
            None,
            lambda lane, grant, results, report: self.done.put((results, report)),
            lambda *told: self.memory.append(told),
            self.deaths.put,
        )


def grant(count: int, cores: int = 1) -> Grant:
    return Grant([item(i, "s") for i in range(count)], cores)


def fails_on(*bad: int, error: Callable[[], BaseException] = lambda: ValueError("broken")) -> FakeStage:
    def look(values: Sequence[Any], lane: LaneContext) -> None:
        if set(bad) & set(values):
            raise error()

    return FakeStage("s", on_predict=look)


def texts(results: list[Any]) -> list[str]:
    return [str(result) for result in results]


@pytest.mark.parametrize("bad", [0, 3, 7])
def test_one_bad_item_of_eight_costs_seven_nothing(bad: int) -> None:
    results, _ = Outcome().lane(fails_on(bad)).execute(grant(8))
    assert texts(results) == [f"s({i})" if i != bad else "broken" for i in range(8)]
    assert isinstance(results[bad], ValueError)


def test_an_item_that_fails_while_it_is_prepared_costs_the_others_nothing() -> None:
    def refuse(value: int, lane: LaneContext) -> None:
        if value == 2:
            raise KeyError("no such page")

    results, _ = Outcome().lane(FakeStage("s", on_prepare=refuse)).execute(grant(4))
    assert [isinstance(result, KeyError) for result in results] == [False, False, True, False]


@pytest.mark.parametrize("count", [1, 3])
def test_a_lone_item_is_not_tried_twice_and_others_are_once_more(count: int) -> None:
    runs: list[list[int]] = []

    def fail(values: Sequence[int], lane: LaneContext) -> None:
        runs.append(list(values))
        raise ValueError

    Outcome().lane(FakeStage("s", on_predict=fail)).execute(grant(count))
    assert runs == [[0]] if count == 1 else [[0, 1, 2], [0], [1], [2]]


class Miscounting(FakeStage):
    """Returns ``extra`` results more than there are items, in batches of more than ``alone``."""

    def __init__(self, extra: int, alone: int = 0) -> None:
        super().__init__("s")
        self._extra, self._alone = extra, alone

    def split(self, outputs: Any, items: Sequence[Any], lane: LaneContext) -> list[str]:
        right = super().split(outputs, items, lane)
        return right if len(items) <= self._alone else (right + ["more"] * self._extra)[: len(right) + self._extra]


@pytest.mark.parametrize("extra", [-1, 1, 5])
@pytest.mark.parametrize("count", [1, 4])
def test_a_wrong_number_of_results_is_an_error_with_a_hint(extra: int, count: int) -> None:
    results, _ = Outcome().lane(Miscounting(extra)).execute(grant(count))
    assert len(results) == count
    for result in results:
        assert isinstance(result, StageFailed)
        assert "one per item" in result.message
        assert f"{1 + extra} results for 1 items" in result.message


def test_a_wrong_number_of_results_in_a_batch_is_made_good_one_by_one() -> None:
    results, _ = Outcome().lane(Miscounting(-1, alone=1)).execute(grant(3))
    assert results == ["s(0)", "s(1)", "s(2)"]


@pytest.mark.parametrize("error", [MemoryError, lambda: OutOfDeviceMemory("too little")])
@pytest.mark.parametrize(
    ("count", "fits", "failed"), [(8, 2, [8, 4, 4]), (7, 2, [7, 3, 4]), (3, 1, [3, 2]), (8, 8, [])]
)
def test_out_of_memory_splits_the_batch_in_halves_and_tells_the_size(
    error: Callable[[], BaseException], count: int, fits: int, failed: list[int]
) -> None:
    def fit(values: Sequence[Any], lane: LaneContext) -> None:
        if len(values) > fits:
            raise error()

    outcome = Outcome()
    results, _ = outcome.lane(FakeStage("s", on_predict=fit)).execute(grant(count))
    assert results == [f"s({i})" for i in range(count)]
    assert outcome.memory == [("s", "a", size) for size in failed]


def test_an_item_too_large_even_alone_is_that_items_error() -> None:
    results, _ = Outcome().lane(fails_on(1, error=MemoryError)).execute(grant(4))
    assert [isinstance(result, MemoryError) for result in results] == [False, True, False, False]


def test_the_report_says_what_was_run() -> None:
    def work(values: Sequence[Any], lane: LaneContext) -> None:
        lane.network_s += 0.25

    batch = [item(i, "s", bucket=("b", 320), cost=100 + i) for i in range(3)]
    lane = Outcome().lane(FakeStage("s", on_predict=work))
    for _ in range(2):  # the second batch's network time does not hold the first's
        _, report = lane.execute(Grant(batch, 2))
        assert (report.stage, report.lane, report.size, report.bucket, report.cost) == ("s", 0, 3, ("b", 320), 303)
        assert report.network == 0.25
        assert report.busy >= 0
        assert report.cores == 2


def test_a_batch_is_told_how_many_cores_it_may_use() -> None:
    seen: list[int] = []
    lane = Outcome().lane(FakeStage("s", on_predict=lambda values, lane: seen.append(lane.cores)))
    lane.execute(grant(1, cores=3))
    lane.execute(grant(1))
    assert seen == [3, 1]


# --- the thread -----------------------------------------------------------------------------------------------


def test_the_thread_goes_on_after_failing_items_and_ends_after_what_it_was_given() -> None:
    outcome = Outcome()
    lane = outcome.lane(fails_on(0))
    lane.start()
    for _ in range(3):
        lane.give(grant(2))
    lane.stop()
    lane.join(PATIENCE)
    answers = [outcome.done.get(timeout=PATIENCE)[0] for _ in range(3)]
    assert [texts(results) for results in answers] == [["broken", "s(1)"]] * 3
    assert outcome.deaths.empty()


def test_the_death_of_the_thread_is_told() -> None:
    class Gone(BaseException):
        pass

    outcome = Outcome()
    lane = outcome.lane(fails_on(0, error=Gone))
    lane.start()
    lane.give(grant(1))
    assert isinstance(outcome.deaths.get(timeout=PATIENCE), Gone)
    lane.join(PATIENCE)


def test_an_owner_that_fails_ends_the_thread_and_is_told() -> None:
    died = threading.Event()

    def broken(*_: object) -> None:
        raise RuntimeError("cannot take results")

    lane = Lane(FakeStage("s"), 0, CpuDevice(1), None, broken, lambda *_: None, lambda error: died.set())
    lane.start()
    lane.give(grant(1))
    assert died.wait(PATIENCE)


class Big:
    """Something whose memory counts."""

    bad = False


class BigResults(Stage[Any, Any]):
    """Answers, or fails for a bad item."""

    name = "s"

    def prepare(self, item: Any, lane: LaneContext) -> Any:
        if item.bad:
            try:
                raise ValueError("broken")
            except ValueError as cause:
                raise DamagedFile("broken; make it again") from cause
        return item

    def split(self, outputs: Any, items: Sequence[Any], lane: LaneContext) -> list[Any]:
        return [Big() for _ in items]


class AnnouncingInbox(SimpleQueue[Any]):
    """Tells when a lane comes for its next batch."""

    def __init__(self) -> None:
        self.visits: Queue[None] = Queue()

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        self.visits.put(None)
        return super().get(block, timeout)


@pytest.mark.parametrize("bad", [False, True])
def test_a_waiting_lane_keeps_neither_its_last_batch_nor_its_results(bad: bool) -> None:
    watched: list[weakref.ref[Any]] = []
    inbox = AnnouncingInbox()

    def on_done(lane: Lane, done: Grant, results: list[Any], report: BatchReport) -> None:
        values = [done.batch[0].payload.value, *results]  # an error holds its frames, and these the item
        watched.extend(weakref.ref(value) for value in values if isinstance(value, Big))

    lane = Lane(BigResults(), 0, CpuDevice(1), None, on_done, lambda *_: None, lambda error: None)
    lane._inbox = inbox
    lane.start()
    inbox.visits.get(timeout=PATIENCE)
    gc.disable()  # it must not take a collection to free them
    try:
        big = Big()
        big.bad = bad
        lane.give(Grant([item(big, "s")]))
        del big
        inbox.visits.get(timeout=PATIENCE)  # the lane waits for the next batch
        assert len(watched) == (1 if bad else 2)
        assert [ref() for ref in watched if ref() is not None] == []
    finally:
        gc.enable()
    lane.stop()
    lane.join(PATIENCE)


# --- streams and events ---------------------------------------------------------------------------------------


class WatchingStage(Stage[Any, Any]):
    """Notes in the device's log when its code runs, and whether the lane's stream may read each item."""

    name = "s"

    def __init__(self, device: RecordingDevice, events: dict[Any, RecordingEvent], bad: object = None) -> None:
        self._device, self._events, self._bad = device, events, bad

    def prepare(self, item: Any, lane: LaneContext) -> Any:
        self._look("prepare", [item], lane)
        return item

    def collate(self, prepared: Sequence[Any], lane: LaneContext) -> Any:
        self._look("collate", prepared, lane)
        return prepared

    def predict(self, batch: Any, lane: LaneContext) -> Any:
        self._look("predict", batch, lane)
        if self._bad in batch:
            raise ValueError("broken")
        return batch

    def split(self, outputs: Any, items: Sequence[Any], lane: LaneContext) -> list[Any]:
        self._look("split", items, lane)
        return list(outputs)

    def _look(self, step: str, values: Sequence[Any], lane: LaneContext) -> None:
        stream = lane.stream
        assert isinstance(stream, RecordingStream)
        unseen = [value for value in values if not stream.sees(self._events[value])]
        self._device.note(step, stream, unseen)


def watched_batch(device: RecordingDevice, bad: object = None) -> tuple[WatchingStage, list[Item[Payload]]]:
    shared = device.event()  # two lines of one page come with the same event
    events = {"one": device.event(), "two": shared, "three": shared}
    batch = [item(value, "s", event=event) for value, event in events.items()]
    device.log.clear()
    return WatchingStage(device, events, bad), batch


@pytest.mark.parametrize("bad", [None, "one", "three"])
def test_the_lanes_stream_waits_for_every_items_event_before_any_stage_code_and_records_after_it(bad: object) -> None:
    device = RecordingDevice()
    stage, batch = watched_batch(device, bad)
    _, report = Outcome().lane(stage, device).execute(Grant(batch))
    kinds = device.kinds()
    assert kinds[:2] == ["waits", "waits"]
    assert {entry[2] for entry in device.log if entry[0] == "waits"} == {one.payload.event for one in batch}
    assert set(kinds[2:-1]) == {"prepare", "collate", "predict", "split"}
    assert all(not entry[2] for entry in device.log[2:-1]), "stage code ran before its stream had waited"
    assert kinds[-1] == "records"
    assert report.event is device.log[-1][2]
    assert len({entry[1] for entry in device.log}) == 1, "all of it in the lane's own stream"


def test_the_lane_never_makes_the_host_wait() -> None:
    device = RecordingDevice()
    stage, batch = watched_batch(device)
    Outcome().lane(stage, device).execute(Grant(batch))
    assert "host waits" not in device.kinds()


def test_the_event_handed_on_comes_after_what_the_batch_came_after() -> None:
    device = RecordingDevice()
    stage, batch = watched_batch(device)
    _, report = Outcome().lane(stage, device).execute(Grant(batch))
    assert isinstance(report.event, RecordingEvent)
    assert {one.payload.event for one in batch} < report.event.after


def test_the_recording_device_tells_a_lane_that_does_not_wait() -> None:
    """The check itself can fail."""
    device = RecordingDevice()
    stage, batch = watched_batch(device)
    lane = Outcome().lane(stage, device)
    with pytest.raises(AssertionError):
        _without_waiting(lane, batch, device)


def _without_waiting(lane: Lane, batch: list[Item[Payload]], device: RecordingDevice) -> None:
    lane._attempt(lane.stage, batch)
    assert all(not entry[2] for entry in device.log)


def test_each_lane_has_a_stream_of_its_own_which_its_thread_makes_current() -> None:
    device = RecordingDevice()
    seen: Queue[tuple[object, object]] = Queue()

    def look(values: Sequence[Any], lane: LaneContext) -> None:
        seen.put((device.current.stream, lane.stream))

    outcome = Outcome()
    lanes = [outcome.lane(FakeStage("s", on_predict=look), device) for _ in range(2)]
    for lane in lanes:
        lane.start()
        lane.give(grant(1))
        lane.stop()
        lane.join(PATIENCE)
    pairs = [seen.get(timeout=PATIENCE) for _ in lanes]
    assert all(current is own for current, own in pairs)
    assert pairs[0][1] is not pairs[1][1]
