"""Which lane runs what next: the lanes of all stages draw on one budget of compute slots.

On a CPU the budget is its cores (more busy threads than cores only slow each other down); on a GPU there are as many
slots as lanes. Whenever a slot is free it takes, in this order:

1. the full batch nearest to the end of the flow (a stage that does not batch is always full), so that pages leave
   before new ones come in;
2. a batch that is not full and has waited its time, nearest to the end of the flow.

A batch is formed at that moment, not before (late binding). A stage whose successor has no room is passed over.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from stages.batcher import Batcher, BatchPolicy, DropReason, Item
from stages.lane import BatchReport, Grant, Lane, Payload

log = logging.getLogger(__name__)

OnResult = Callable[[Item[Payload], Any, BatchReport], None]
OnDrop = Callable[[Item[Payload], DropReason], None]


class StageEntry:
    """A stage as the dispatcher sees it: its queue, its idle lanes, and whom it feeds.

    Args:
        name: the stage's name.
        policy: how it batches.
        room: how many items may wait before the stages that feed it pause.
        feeds: the stage its results go to.
        boost: whether a batch may use all cores when the machine has nothing else to do.
        credits: how many items may be under way from this stage on, until :meth:`Dispatcher.credit` gives one back;
            None: any number. A batch takes no more than that.
    """

    def __init__(
        self,
        name: str,
        policy: BatchPolicy,
        *,
        room: int,
        feeds: str | None = None,
        boost: bool = False,
        credits: int | None = None,
    ) -> None:
        if room < 1 or (credits is not None and credits < 1):
            raise ValueError(f"stage {name}: room and credits must be at least 1, not {room} and {credits}")
        if credits is not None and credits < policy.max_size:
            fitting = tuple(size for size in policy.preferred_sizes if size <= credits)
            policy = replace(policy, max_size=credits, preferred_sizes=fitting)
        self.name = name
        self.batcher: Batcher[Payload] = Batcher(policy)
        self.room = room
        self.feeds = feeds
        self.boost = boost
        self.credits = credits
        self.idle: list[Lane] = []
        self.lanes: list[Lane] = []


class Dispatcher:
    """Gives batches to lanes. Every public method may be called from any thread.

    Args:
        slots: how many batches may run at once.
        on_result: called once for each item that ran, outside the dispatcher's lock, in the lane's thread.
        on_drop: called once for each item that was dropped, outside the lock.
        on_report: called once for each batch.
        on_death: called when a lane or the timer ends by an error of its own.
        on_batch: called once for each batch, with its report, before its results are passed on: whoever counts or
            records has seen it when its documents end.
    """

    def __init__(
        self,
        slots: int,
        on_result: OnResult,
        on_drop: OnDrop,
        on_report: Callable[[BatchReport], None] | None = None,
        on_death: Callable[[BaseException], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_batch: Callable[[Grant, BatchReport], None] | None = None,
    ) -> None:
        if slots < 1:
            raise ValueError(f"at least one compute slot is needed, not {slots}")
        self._slots = slots
        self._free = slots
        self._entries: dict[str, StageEntry] = {}
        self._from_end: list[StageEntry] = []
        self._on_result, self._on_drop = on_result, on_drop
        self._on_report, self._on_batch = on_report, on_batch
        self._on_death = on_death or (lambda error: None)
        self._clock = clock
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._closed = False
        self._passing_on = threading.local()
        self._wake = math.inf
        self._timer = threading.Thread(target=self._watch, name="dispatcher", daemon=True)

    def add(self, entry: StageEntry, lanes: list[Lane]) -> None:
        """Add a stage with its lanes, in the order of the flow. Before :meth:`start`."""
        entry.lanes = lanes
        entry.idle = list(lanes)
        self._entries[entry.name] = entry
        self._from_end.insert(0, entry)

    def start(self) -> None:
        """Start the lanes.

        Raises:
            ValueError: a stage feeds one that does not exist, or has no lane.
        """
        for entry in self._from_end:
            if entry.feeds is not None and entry.feeds not in self._entries:
                raise ValueError(f"stage {entry.name} feeds {entry.feeds}, which is not among {list(self._entries)}")
            if not entry.lanes:
                raise ValueError(f"stage {entry.name} has no lane")
        for entry in self._from_end:
            for lane in entry.lanes:
                lane.start()
        self._timer.start()

    def offer(self, stage: str, items: list[Item[Payload]]) -> None:
        """Let items wait for a stage. After :meth:`close` they are dropped at once."""
        dropped: list[tuple[Item[Payload], DropReason]] = []
        with self._lock:
            if self._closed:
                dropped.extend((item, "cancelled") for item in items)
            else:
                batcher = self._entries[stage].batcher
                for item in items:
                    batcher.offer(item)
                # A lane that passes its results on gives up its slot in a moment. Only then is it known whether
                # these items have the machine to themselves.
                if not getattr(self._passing_on, "active", False):
                    dropped = self._assign()
        self._tell(dropped)

    def credit(self, stage: str) -> None:
        """Give back one of a stage's credits: what was started there is finished."""
        with self._lock:
            entry = self._entries[stage]
            assert entry.credits is not None
            entry.credits += 1
            dropped = self._assign()
        self._tell(dropped)

    def discard(self, owner: object) -> int:
        """Remove whatever waits for an owner, at once; what runs already ends by itself. How many were removed."""
        with self._lock:
            removed = [item for entry in self._from_end for item in entry.batcher.discard(owner)]
            dropped = self._assign()
        self._tell([(item, "cancelled") for item in removed] + dropped)
        return len(removed)

    def waiting(self) -> dict[str, int]:
        """How many items wait for each stage."""
        with self._lock:
            return {name: len(entry.batcher) for name, entry in self._entries.items()}

    def lanes(self) -> dict[str, tuple[int, int]]:
        """How many lanes each stage has, and how many of them are at work."""
        with self._lock:
            return {
                name: (len(entry.lanes), len(entry.lanes) - len(entry.idle)) for name, entry in self._entries.items()
            }

    def busy(self) -> int:
        """How many compute slots are taken."""
        with self._lock:
            return self._slots - self._free

    def done(self, lane: Lane, grant: Grant, results: list[Any], report: BatchReport) -> None:
        """A lane has run its batch. Its results are passed on before it takes the next, so that they count."""
        self._passing_on.active = True
        try:
            if self._on_batch is not None:
                self._on_batch(grant, report)
            for item, result in zip(grant.batch, results, strict=True):
                self._on_result(item, result, report)
            if self._on_report is not None:
                self._on_report(report)
        finally:
            self._passing_on.active = False
            with self._lock:
                self._free += grant.cores
                self._entries[lane.stage.name].idle.append(lane)
                dropped = self._assign()
            self._tell(dropped)

    def out_of_memory(self, stage: str, bucket: Hashable, size: int) -> None:
        """A batch of ``size`` items was too large for the device: halve the bucket's limit."""
        log.warning("stage %s: a batch of %d in bucket %s was too large; trying halves", stage, size, bucket)
        with self._lock:
            self._entries[stage].batcher.limit_bucket(bucket, size // 2)

    def close(self) -> None:
        """Stop the lanes after what they are running. What still waits is dropped as cancelled. Idempotent."""
        with self._lock:
            first, self._closed = not self._closed, True
            left = [(i, r) for entry in self._from_end for i, r in self._drain(entry)]
            self._changed.notify_all()
        self._tell(left)
        for entry in self._from_end if first else ():
            for lane in entry.lanes:
                lane.stop()
        for entry in self._from_end:
            for lane in entry.lanes:
                lane.join()
        if self._timer.is_alive() and self._timer is not threading.current_thread():
            self._timer.join()

    @staticmethod
    def _drain(entry: StageEntry) -> list[tuple[Item[Payload], DropReason]]:
        left: list[tuple[Item[Payload], DropReason]] = []
        while len(entry.batcher):
            taken = entry.batcher.take(float("inf"))
            left.extend((item, "cancelled") for item in taken.batch)
            left.extend(taken.dropped)
        return left

    def _tell(self, dropped: list[tuple[Item[Payload], DropReason]]) -> None:
        for item, reason in dropped:
            self._on_drop(item, reason)

    # --- under the lock -----------------------------------------------------------------------------------------

    def _assign(self) -> list[tuple[Item[Payload], DropReason]]:
        """Give batches to idle lanes while there are slots and batches. Returns what was dropped."""
        dropped: list[tuple[Item[Payload], DropReason]] = []
        now = self._clock()
        while not self._closed and self._free and self._assign_one(now, dropped):
            now = self._clock()
        # For the very moment at which there was nothing to run: what becomes due a moment later needs the timer.
        self._plan_wake(now)
        return dropped

    def _assign_one(self, now: float, dropped: list[tuple[Item[Payload], DropReason]]) -> bool:
        for partial in (False, True):
            for entry in self._from_end:
                if not entry.idle or not len(entry.batcher) or not self._has_room(entry):
                    continue
                taken = entry.batcher.take(now, partial=partial)
                dropped.extend(taken.dropped)
                if taken.batch:
                    cores = self._slots if entry.boost and self._alone() else 1
                    self._free -= cores
                    if entry.credits is not None:
                        entry.credits -= len(taken.batch)
                    entry.idle.pop().give(Grant(taken.batch, cores))
                    return True
        return False

    def _has_room(self, entry: StageEntry) -> bool:
        if entry.credits is not None and entry.credits < entry.batcher.policy.max_size:
            return False
        if entry.feeds is None:
            return True
        following = self._entries[entry.feeds]
        return len(following.batcher) < following.room

    def _alone(self) -> bool:
        """Whether nothing runs and nothing else waits: then a batch may use every core."""
        return self._free == self._slots and not any(len(entry.batcher) for entry in self._from_end)

    def _plan_wake(self, now: float) -> None:
        """Wake the timer earlier if something becomes due, later than now, before it would wake by itself."""
        # What is due already waits for a slot, a lane or room, and whoever frees one looks for work.
        times = [due for entry in self._from_end if (due := entry.batcher.next_due(now)) is not None]
        wake = min(times, default=math.inf)
        if wake < self._wake:
            self._wake = wake
            self._changed.notify_all()

    def _watch(self) -> None:
        """Wake up when a batch becomes due or a deadline passes with nothing else happening."""
        try:
            while True:
                with self._changed:
                    while not self._closed and (left := self._wake - self._clock()) > 0:
                        self._changed.wait(None if left == math.inf else left)
                    if self._closed:
                        return
                    self._wake = math.inf
                    expired = [drop for entry in self._from_end for drop in entry.batcher.expire(self._clock())]
                    expired += self._assign()
                self._tell(expired)
        except BaseException as error:
            log.exception("the dispatcher's timer ended")
            self._on_death(error)
