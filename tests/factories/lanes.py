"""Fake stages and hand-driven lanes: what the dispatcher decides can be seen without threads and without waiting."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from queue import Queue
from typing import Any

from stages.batcher import DropReason, Item
from stages.devices.base import Device, Event
from stages.devices.cpu import DONE, CpuDevice
from stages.dispatcher import Dispatcher, StageEntry
from stages.lane import BatchReport, Grant, Lane, Payload
from stages.stage import LaneContext, Stage

PATIENCE = 30.0  # seconds until a test that waits for something fails


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def item(
    value: Any, stage: str, at: float = 0.0, *, bucket: Any = "a", event: Event = DONE, **rest: Any
) -> Item[Payload]:
    """Something for a stage to work on."""
    return Item(Payload(value, event, stage), bucket, rest.pop("cost", 1), at, **rest)


class FakeStage(Stage[Any, str]):
    """Answers ``name(value)``. ``on_prepare`` and ``on_predict`` may look, block or raise."""

    def __init__(
        self,
        name: str,
        on_prepare: Callable[[Any, LaneContext], None] = lambda value, lane: None,
        on_predict: Callable[[Sequence[Any], LaneContext], None] = lambda values, lane: None,
    ) -> None:
        self.name = name
        self._on_prepare, self._on_predict = on_prepare, on_predict

    def prepare(self, item: Any, lane: LaneContext) -> Any:
        self._on_prepare(item, lane)
        return item

    def predict(self, batch: Any, lane: LaneContext) -> Any:
        self._on_predict(batch, lane)
        return batch

    def split(self, outputs: Any, items: Sequence[Any], lane: LaneContext) -> list[str]:
        return [f"{self.name}({value})" for value in outputs]


class ManualLane(Lane):
    """A lane without a thread: it keeps what it was given until the test says that it is done."""

    def __init__(self, stage: str, number: int, given: Queue[tuple[ManualLane, Grant]]) -> None:
        nothing: Callable[..., None] = lambda *_: None  # noqa: E731
        super().__init__(FakeStage(stage), number, CpuDevice(1), None, nothing, nothing, nothing)
        self._given = given

    def start(self) -> None:
        return

    def give(self, grant: Grant) -> None:
        self._given.put((self, grant))

    def stop(self) -> None:
        return


class Board:
    """A dispatcher whose lanes are driven by hand. ``forward`` passes each result on to the stage that follows."""

    def __init__(self, slots: int, *stages: tuple[StageEntry, int], clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.given: Queue[tuple[ManualLane, Grant]] = Queue()
        self.running: list[tuple[ManualLane, Grant]] = []
        self.results: list[tuple[Any, Any]] = []
        self.drops: Queue[tuple[Any, DropReason]] = Queue()
        self.deaths: list[BaseException] = []
        self.on_result: Callable[[Item[Payload], Any], None] = lambda item, result: None
        self.dispatcher = Dispatcher(
            slots,
            self._on_result,
            lambda item, reason: self.drops.put((item.payload.value, reason)),
            on_death=self.deaths.append,
            clock=self.clock,
        )
        for entry, lanes in stages:
            self.dispatcher.add(entry, [ManualLane(entry.name, number, self.given) for number in range(lanes)])
        self.dispatcher.start()

    def _on_result(self, item: Item[Payload], result: Any, report: BatchReport) -> None:
        self.results.append((item.payload.value, result))
        self.on_result(item, result)

    def offer(self, stage: str, *values: Any, **rest: Any) -> None:
        self.dispatcher.offer(stage, [item(value, stage, self.clock.now, **rest) for value in values])

    def started(self) -> list[tuple[str, list[Any]]]:
        """The batches given to lanes since the last call: stage and values."""
        new = []
        while not self.given.empty():
            new.append(self._pick())
        return new

    def next_start(self) -> tuple[str, list[Any]]:
        """Wait for a batch that the timer starts."""
        return self._pick()

    def _pick(self) -> tuple[str, list[Any]]:
        lane, grant = self.given.get(timeout=PATIENCE)
        self.running.append((lane, grant))
        return lane.stage.name, [one.payload.value for one in grant.batch]

    def finish(self, index: int = 0) -> None:
        """The lane that has run longest (or another) is done."""
        lane, grant = self.running.pop(index)
        results = [f"{lane.stage.name}({one.payload.value})" for one in grant.batch]
        self.dispatcher.done(lane, grant, results, report_of(lane, grant))

    def pass_time(self, until: float) -> None:
        """Let the clock stand at ``until``, and wait until the timer has looked at it."""
        self.clock.now = until
        end = time.monotonic() + PATIENCE
        with self.dispatcher._changed:
            while self.dispatcher._wake <= until:
                assert time.monotonic() < end, "the timer does not look"
                self.dispatcher._changed.notify_all()
                self.dispatcher._changed.wait(0.01)  # gives up the lock; what ends the loop is the timer's doing

    def credits(self, stage: str) -> int | None:
        return self.dispatcher._entries[stage].credits

    def close(self) -> None:
        self.dispatcher.close()
        assert not self.deaths


def report_of(lane: Lane, grant: Grant) -> BatchReport:
    """A report of a batch that took no time."""
    return BatchReport(lane.stage.name, lane.number, len(grant.batch), "a", len(grant.batch), 0.0, 0.0, 0.0, DONE)


class Meter:
    """Counts who is inside, per kind and in all, and remembers the most at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside: Counter[str] = Counter()
        self.most: Counter[str] = Counter()

    def enter(self, kind: str) -> None:
        with self._lock:
            for name in (kind, "all"):
                self._inside[name] += 1
                self.most[name] = max(self.most[name], self._inside[name])

    def leave(self, kind: str) -> None:
        with self._lock:
            for name in (kind, "all"):
                self._inside[name] -= 1


def real_lanes(
    stage: Stage[Any, Any],
    count: int,
    dispatcher: Dispatcher,
    deaths: list[BaseException],
    device: Device | None = None,
) -> list[Lane]:
    """Lanes with threads."""
    on = device or CpuDevice(count)
    return [
        Lane(stage, number, on, None, dispatcher.done, dispatcher.out_of_memory, deaths.append)
        for number in range(count)
    ]
