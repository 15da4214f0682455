"""The engine: reads documents in this process, pages of many in flight at once."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from concurrent.futures import Future
from typing import Any

from pipeline.build import Plant, build
from pipeline.doc_types import asked_type
from pipeline.flow import Flow
from pipeline.hot.control import Control
from pipeline.hot.loading import CheckedLoading, Loading
from pipeline.hot.models import HotModels, HotState
from pipeline.hot.recorder import Recorder
from pipeline.hot.shadow import Shadow
from pipeline.hot.versions import Versions, first_versions
from pipeline.job import DocumentJob
from pipeline.outcomes import Ended
from schemas.document import Document
from schemas.errors import DeadlineExceeded, InklaneError, QueueFull, StageFailed, WorkerFailed
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import Settings
from schemas.statistics import WorkerStatistics
from stages.batcher import DropReason, Item
from stages.dispatcher import Dispatcher, StageEntry
from stages.lane import BatchReport, Grant, Lane, Payload
from stages.statistics import StageStatistics

log = logging.getLogger(__name__)


class Engine:
    """A :class:`schemas.requests.Reader` whose stages run in this process. Ready when constructed.

    Args:
        settings: what to load and how to run it.
        plant: the stages, if they are already built (tests).
        loading: where further models come from (tests).

    Raises:
        InklaneError: the models cannot be loaded, or a setting cannot work.
    """

    def __init__(self, settings: Settings, plant: Plant | None = None, loading: Loading | None = None) -> None:
        self._settings = settings
        self._plant = plant or build(settings)
        self._jobs: set[DocumentJob] = set()
        self._state = threading.Condition()
        self._closed = False
        self._process = os.getpid()
        self._failure: WorkerFailed | None = None
        self._max_waiting = settings.max_waiting_documents
        self.counts = StageStatistics([plan.stage.name for plan in self._plant.plans])
        self._ended = Ended()
        self._versions = Versions(first_versions(self._plant))
        device = self._plant.device
        self._dispatcher = Dispatcher(
            device.compute_slots, self._on_result, self._on_drop, None, self._on_death, on_batch=self._on_batch
        )
        self._lanes: list[Lane] = []
        for plan in self._plant.plans:
            lanes = [
                Lane(
                    plan.stage,
                    number,
                    device,
                    None,  # its batches bring their version's
                    self._dispatcher.done,
                    self._dispatcher.out_of_memory,
                    self._on_death,
                )
                for number in range(plan.lanes)
            ]
            entry = StageEntry(
                plan.stage.name,
                plan.policy,
                room=plan.room,
                feeds=plan.feeds,
                boost=plan.boost,
                credits=plan.credits,
            )
            self._dispatcher.add(entry, lanes)
            self._lanes += lanes
        self._flow = Flow(settings, self._dispatcher, self._versions, self._finish)
        self._recorder = Recorder()
        self._hot = HotModels(
            self._versions,
            {plan.stage.name: plan.lanes for plan in self._plant.plans},
            lambda: loading or CheckedLoading(settings, self._plant.doctypes),
            self._dispatcher.offer,
        )
        self._control = Control(self._hot, self._recorder)
        self._dispatcher.start()

    @property
    def models(self) -> dict[str, str]:
        """Which models read, by task, with the start of their checksum; and the backend with its precision."""
        return self._plant.models | self._versions.names()

    @property
    def ready(self) -> bool:
        """Whether it reads: it is neither closed nor broken."""
        return not self._closed and self._failure is None

    def submit(
        self, request: ReadRequest, *, block: bool = True, on_progress: OnProgress | None = None
    ) -> Future[Document]:
        """Start reading; see :class:`pipeline.worker.interface.ServiceReader`.

        Raises:
            InvalidRequest: there is no document type of the name asked for.
            QueueFull: there is no room, and ``block`` is False.
            WorkerFailed: the engine is closed or broken.
        """
        if os.getpid() != self._process:  # its threads have stayed in the parent
            raise WorkerFailed("this reader belongs to the process that forked this one; make a new one after forking")
        doc_type = asked_type(request.options.doc_type, self._settings, self._plant.doctypes)
        job = DocumentJob(request, doc_type, on_progress)
        with self._state:
            if not block and self.ready and len(self._jobs) >= self._max_waiting:
                raise QueueFull(f"{len(self._jobs)} documents are under way; try again later")
            self._state.wait_for(lambda: len(self._jobs) < self._max_waiting or self._closed or self._failure)
            if self._failure is not None:
                raise WorkerFailed(self._failure.message)
            if self._closed:
                raise WorkerFailed("this reader is closed; make a new one")
            self._jobs.add(job)
        # A future keeps its callbacks, and must not keep the document's bytes: the job is ours.
        known = weakref.ref(job)
        job.future.add_done_callback(lambda future: self._abandon(known()) if future.cancelled() else None)
        job.future.add_done_callback(self._ended.add)
        self._flow.begin(job)
        return job.future

    def close(self) -> None:
        """Finish what is running and waiting, then stop the lanes and free the models. Idempotent."""
        if os.getpid() != self._process:
            return  # after a fork it is the parent's
        with self._state:
            self._closed = True
            self._state.notify_all()
            self._state.wait_for(lambda: not self._jobs)
        self._control.close()
        self._dispatcher.close()
        self._versions.close()

    @property
    def running_for(self) -> float:
        """Seconds that the longest-running batch has taken so far; one that never ends cannot be ended from here."""
        return max(lane.running_for for lane in self._lanes)

    def statistics(self) -> WorkerStatistics:
        """What was counted up to now."""
        waiting, lanes = self._dispatcher.waiting(), self._dispatcher.lanes()
        statistics = self._ended.statistics()
        for name, counts in self.counts.snapshot().items():
            figures = statistics.stages[name] = counts.figures()
            figures.waiting = waiting[name]
            figures.lanes, figures.busy_lanes = lanes[name]
        statistics.models = self.models
        statistics.shadows = self._hot.figures()
        statistics.swaps = self._hot.swaps
        with self._state:
            statistics.documents_in_flight = len(self._jobs)
        return statistics

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        """Change something while documents flow; see :class:`pipeline.hot.control.Control`."""
        return self._control.run(command, arguments)

    @property
    def state(self) -> HotState | None:
        """What commands have changed; None: nothing. For :meth:`restore`."""
        return self._hot.state

    def restore(self, state: HotState) -> None:
        """Become like the engine that had this state. Before the first document."""
        self._hot.restore(state)

    def waiting(self) -> dict[str, int]:
        """How many items wait for each stage."""
        return self._dispatcher.waiting()

    # --- called by the dispatcher and the flow ------------------------------------------------------------------

    def _on_result(self, item: Item[Payload], result: Any, report: BatchReport) -> None:
        job = item.owner
        if isinstance(job, Shadow):
            job.compare(item, result, report)
            return
        assert isinstance(job, DocumentJob)
        try:
            shadow = self._hot.shadows.get(report.stage)
            if shadow is not None:
                shadow.consider(job, item, result, report)
            self._flow.advance(job, item, result, report)
        except Exception as error:  # a defect of the flow must not cost other documents, nor hang this one
            log.exception("document %s failed", job.request.name)
            self._finish(job, StageFailed(f"unexpected {type(error).__name__} after {report.stage}: {error}"))

    def _on_batch(self, grant: Grant, report: BatchReport) -> None:
        if not isinstance(grant.batch[0].owner, Shadow):
            self.counts.add(report)
        self._recorder.record(grant, report)

    def _on_drop(self, item: Item[Payload], reason: DropReason) -> None:
        job = item.owner
        if isinstance(job, Shadow):
            job.let_go(item)
            return
        assert isinstance(job, DocumentJob)
        self.counts.drop(item, reason)
        if reason == "deadline":
            self._finish(job, DeadlineExceeded("the deadline passed before the document was read"))

    def _finish(self, job: DocumentJob, error: InklaneError | None = None) -> None:
        """A document has ended, well or not: free everything it holds, then resolve its future."""
        if not job.end():
            return
        outcome: Document | InklaneError
        try:
            outcome = error or job.result(self._plant.models | self._versions.names(job))
        except Exception as defect:
            log.exception("document %s cannot be put together", job.request.name)
            outcome = StageFailed(f"unexpected {type(defect).__name__} at the end: {defect}")
        self._release(job)
        job.resolve(outcome)

    def _abandon(self, job: DocumentJob | None) -> None:
        """Nobody wants a document any more: drop what waits; what runs ends by itself and is thrown away."""
        if job is not None and job.end():
            self._release(job)
            job.resolve(None)

    def _release(self, job: DocumentJob) -> None:
        """Free everything that an ended document holds. Whatever goes wrong, its future can be resolved."""
        try:
            self._dispatcher.discard(job)
            self._flow.forget(job)
        except Exception:
            log.exception("document %s: not everything could be released", job.request.name)
        with self._state:
            self._jobs.discard(job)
            self._state.notify_all()

    def _on_death(self, error: BaseException) -> None:
        """A thread of the engine ended by an error of its own: nothing can be relied on, so everything fails."""
        failure = WorkerFailed(f"the engine broke down: {type(error).__name__}: {error}")
        with self._state:
            self._failure = self._failure or failure
            jobs = list(self._jobs)
            self._state.notify_all()
        for job in jobs:
            if job.end():
                job.resolve(WorkerFailed(failure.message))
                self._release(job)
