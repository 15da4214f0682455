"""Lanes: an instance of a stage, one thread that owns one predictor and one stream."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from models.backends.base import Predictor
from schemas.errors import DocumentError, StageFailed
from stages.batcher import Item
from stages.devices.base import Device, Event
from stages.stage import LaneContext, Stage
from stages.version import Version

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Payload:
    """What an item of a stage carries: the stage's input, and the event after which its arrays may be read.

    ``version`` is what shall run it, the same for all items of one bucket; None: the lane's own stage and predictor.
    """

    value: Any
    event: Event
    stage: str
    context: Any = None  # the flow's own, untouched by the lane
    version: Version | None = None


@dataclass(slots=True)
class Grant:
    """A batch given to a lane, and how many cores it may use."""

    batch: list[Item[Payload]]
    cores: int = 1

    @property
    def version(self) -> Version | None:
        """What runs it."""
        return self.batch[0].payload.version


@dataclass(slots=True)
class BatchReport:
    """What a lane did with one batch. Times are seconds; ``started`` is of the monotonic clock.

    ``waits`` are its items' times in the queue, ``waited`` their sum. Of ``cost``, ``content`` pixels are not padding.
    ``cores`` is how many it was granted.
    """

    stage: str
    lane: int
    size: int
    bucket: Hashable
    cost: int
    started: float
    busy: float
    network: float
    event: Event
    waited: float = 0.0
    content: int = 0
    cores: int = 1
    waits: Sequence[float] = ()


class Lane:
    """One thread that runs batches of one stage.

    Args:
        on_done: called in the lane's thread with the batch, one result or exception per item, and the report.
        on_memory: called when a batch of this bucket was too large for the device; with the size that failed.
        on_death: called when the thread ends by an error of the lane itself.
    """

    def __init__(
        self,
        stage: Stage[Any, Any],
        number: int,
        device: Device,
        predictor: Predictor | None,
        on_done: Callable[[Lane, Grant, list[Any], BatchReport], None],
        on_memory: Callable[[str, Hashable, int], None],
        on_death: Callable[[BaseException], None],
    ) -> None:
        self.stage = stage
        self.number = number
        self._device = device
        self._predictor = predictor
        self._context = LaneContext(device, device.stream(), predictor)
        self._on_done = on_done
        self._on_memory = on_memory
        self._on_death = on_death
        self._inbox: SimpleQueue[Grant | None] = SimpleQueue()
        self._since: float | None = None
        self._thread = threading.Thread(target=self._run, name=f"{stage.name}-{number}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def give(self, grant: Grant) -> None:
        """Hand the lane a batch, whose version stays until it has run."""
        if grant.version is not None:
            grant.version.acquire()
        self._inbox.put(grant)

    def stop(self) -> None:
        """End the thread after what it was given."""
        self._inbox.put(None)

    def join(self, timeout: float | None = None) -> None:
        """Wait for the thread's end."""
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    @property
    def running_for(self) -> float:
        """Seconds since the batch that is running began; 0 while none is."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since

    def _run(self) -> None:
        try:
            with self._context.stream.use():
                while (grant := self._inbox.get()) is not None:
                    self._run_one(grant)
                    del grant  # a batch may not live on while the lane waits for the next
        except BaseException as error:
            log.exception("lane %s-%d ended", self.stage.name, self.number)
            self._on_death(error)

    def _run_one(self, grant: Grant) -> None:
        try:
            self._since = time.monotonic()
            results, report = self.execute(grant)
            self._since = None
            self._on_done(self, grant, results, report)
        finally:
            if grant.version is not None:
                grant.version.release()

    def execute(self, grant: Grant) -> tuple[list[Any], BatchReport]:
        """Run a batch: one result or exception per item, in order."""
        context, started = self._context, time.monotonic()
        version = grant.version
        stage = self.stage if version is None else version.stage
        context.predictor = self._predictor if version is None else version.predictor(self.number)
        context.cores = grant.cores
        context.network_s = 0.0
        for event in {id(item.payload.event): item.payload.event for item in grant.batch}.values():
            context.stream.wait(event)
        results = self._attempt(stage, grant.batch)
        context.predictor = self._predictor  # a lane that waits must not keep a model that is to be freed
        waits = [max(0.0, started - item.arrived) for item in grant.batch]
        report = BatchReport(
            stage=self.stage.name,
            lane=self.number,
            size=len(grant.batch),
            bucket=grant.batch[0].bucket,
            cost=sum(item.cost for item in grant.batch),
            started=started,
            busy=time.monotonic() - started,
            network=context.network_s,
            event=context.stream.record(),
            waited=sum(waits),
            content=sum(stage.content(item.payload.value) for item in grant.batch),
            cores=grant.cores,
            waits=waits,
        )
        return results, report

    def _attempt(self, stage: Stage[Any, Any], batch: Sequence[Item[Payload]]) -> list[Any]:
        """Run a batch; where it fails, its parts, so that an error reaches only the item that caused it."""
        context = self._context
        values = [item.payload.value for item in batch]
        try:
            prepared = [stage.prepare(value, context) for value in values]
            outputs = stage.predict(stage.collate(prepared, context), context)
            results = stage.split(outputs, values, context)
            if len(results) != len(batch):
                raise StageFailed(
                    f"stage {stage.name} returned {len(results)} results for {len(batch)} items; "
                    "its split() must return one per item"
                )
            return list(results)
        except Exception as error:
            if len(batch) == 1:
                if not isinstance(error, DocumentError):
                    # As text: whoever keeps the record must not keep the frames.
                    log.warning("stage %s failed:\n%s", stage.name, "".join(traceback.format_exception(error)))
                return [_without_frames(error)]
            if self._device.is_out_of_memory(error):
                self._on_memory(stage.name, batch[0].bucket, len(batch))
                half = len(batch) // 2
                return self._attempt(stage, batch[:half]) + self._attempt(stage, batch[half:])
            return [result for item in batch for result in self._attempt(stage, [item])]


def _without_frames(error: Exception) -> Exception:
    """The error without the frames that it came through: they hold the batch, in a cycle, long after it has failed."""
    chain: list[BaseException | None] = [error]
    seen: set[int] = set()
    while chain:
        link = chain.pop()
        if link is not None and id(link) not in seen:
            seen.add(id(link))
            link.__traceback__ = None
            chain += [link.__cause__, link.__context__]
    return error
