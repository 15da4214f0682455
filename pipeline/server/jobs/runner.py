"""Reads the files of jobs: some at a time, each owner in turn, until they are done or nobody wants them."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import replace
from typing import Any, Protocol

from pipeline.server.admission import PRIORITIES
from pipeline.server.jobs.events import Events
from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.model import FileProgress, Job, JobFile, State
from pipeline.server.jobs.queue import JobQueue, Unit
from pipeline.server.jobs.store import JobStore
from pipeline.server.jobs.threads import in_thread
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.errors import (
    Cancelled,
    DeadlineExceeded,
    InklaneError,
    NotReady,
    QueueFull,
    ShuttingDown,
    StageFailed,
    WorkerFailed,
)
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadOptions

log = logging.getLogger("inklane.server.jobs")

MAX_ATTEMPTS = 5
"""A file at which the front end has ended so many times is refused: it may be the reason."""

AGING_S = 60.0
"""A lower priority is served as if it had come so much later, so that none waits for ever."""

_RETRY_S = 1.0

_LATER = (NotReady, ShuttingDown, Cancelled, WorkerFailed)
"""No fault of the file's: there is no reader now. What was accepted is read when there is."""

Render = Callable[[Upload, Document, str], Awaitable[tuple[bytes, str]]]
"""Turns a document into the output asked for: its bytes and their content type."""


class Clock(Protocol):
    """What is asked for the time; the module :mod:`time` is one."""

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    def time(self) -> float:
        """Seconds since 1970."""
        ...


class Reading(Protocol):
    """What reads one file: :class:`pipeline.server.service.Service`."""

    async def read(
        self,
        upload: Upload,
        options: ReadOptions,
        *,
        priority: int = ...,
        deadline: float | None = ...,
        on_progress: OnProgress | None = ...,
        key: str | None = ...,
    ) -> Document:
        """Read it; cancelling the task gives it up everywhere."""
        ...


class Runner:
    """Keeps up to ``concurrency`` files of jobs being read. Used on one event loop only.

    Args:
        store: what is known of jobs.
        files: their files.
        service: what reads.
        render: what makes results of documents.
        events: where progress is told.
        clock: the time.
        concurrency: files being read at once, at most. They share the service's room with all other requests.
        on_end: called when a job has ended.
        pause: waits so many seconds where the service has no room.
    """

    def __init__(
        self,
        store: JobStore,
        files: JobFiles,
        service: Reading,
        render: Render,
        events: Events,
        clock: Clock,
        *,
        concurrency: int,
        on_end: Callable[[], None] = lambda: None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {concurrency}")
        self._store = store
        self._files = files
        self._service = service
        self._render = render
        self._events = events
        self._clock = clock
        self._concurrency = concurrency
        self._on_end = on_end
        self._pause = pause
        self._waiting = JobQueue()
        self._running: dict[Unit, asyncio.Task[None]] = {}
        self._progress: dict[tuple[str, int], FileProgress] = {}
        self._stopping = False

    @property
    def busy(self) -> int:
        """Files that are being read."""
        return len(self._running)

    def add(self, job: Job) -> None:
        """Read what of a job is not read yet. Idempotent."""
        if self._stopping or job.state.ended:
            return
        self._events.open(job.id)
        arrival = job.created + job.priority * AGING_S
        for file in job.files:
            unit = Unit(arrival, job.id, file.position, job.owner)
            if not file.state.ended and unit not in self._running:
                self._waiting.add(unit)
        self._fill()

    def knows(self, job_id: str) -> bool:
        """Whether a job waits or is being read."""
        return self._waiting.has(job_id) or any(unit.job_id == job_id for unit in self._running)

    def progress(self, job_id: str, position: int) -> FileProgress | None:
        """How far a file is that is being read now."""
        return self._progress.get((job_id, position))

    async def cancel(self, job_id: str) -> None:
        """Stop reading a job. When this returns, nothing of it holds a place anywhere."""
        self._waiting.drop(job_id)
        tasks = [task for unit, task in self._running.items() if unit.job_id == job_id]
        await _cancel(tasks)

    async def stop(self) -> None:
        """Stop reading. What is not read is waiting again, for the next start. Idempotent."""
        self._stopping = True
        self._waiting.clear()
        await _cancel(list(self._running.values()))

    def _fill(self) -> None:
        while len(self._running) < self._concurrency and not self._stopping:
            unit = self._waiting.take(Counter(unit.owner for unit in self._running))
            if unit is None:
                return
            task = asyncio.create_task(
                self._run(unit),
                name=f"job {unit.job_id} file {unit.position}",
                context=Context(),  # not that of the request which happens to be answered now
            )
            self._running[unit] = task
            task.add_done_callback(lambda done, unit=unit: self._left(unit, done))  # type: ignore[misc]

    def _left(self, unit: Unit, task: asyncio.Task[None]) -> None:
        del self._running[unit]
        self._progress.pop((unit.job_id, unit.position), None)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The store or the disk does not work. The job stays unfinished, and cleanup adds it again.
            log.error("job %s: file %d was not settled", unit.job_id, unit.position, exc_info=error)
        self._fill()

    async def _run(self, unit: Unit) -> None:
        try:
            job = await self._store.begin(unit.job_id, unit.position, self._clock.time())
            if job is None:
                return
            (file,) = job.files
            self._progress[unit.job_id, unit.position] = FileProgress()
            self._tell_file(job, file)
            settled = await self._outcome(job, file)
            ended = await self._store.settle(job.id, settled, self._clock.time())
        except asyncio.CancelledError:
            if self._stopping:
                await self._store.put_back(unit.job_id, unit.position)
            raise
        await in_thread(self._files.drop_upload, unit.job_id, unit.position)
        if ended is not None:
            self._tell_settled(ended, ended.files[0])

    async def _outcome(self, job: Job, file: JobFile) -> JobFile:
        """The file as it is when it has been read, its result on the disk, or why it cannot be."""
        try:
            if file.attempts > MAX_ATTEMPTS:
                raise StageFailed("the service has ended several times while it read this file; it is not tried again")
            upload = Upload(file.name, file.size, file.sha256, path=self._files.upload(job.id, file.position))
            document = await self._read(job, file, upload)
            content, content_type = await self._render(upload, document, job.output)
            await in_thread(self._files.write_result, job.id, file.position, content)
        except InklaneError as error:
            return replace(file, state=State.FAILED, code=error.code, message=error.message)
        except Exception as error:
            log.exception("job %s: file %d cannot be read", job.id, file.position)
            told = StageFailed(f"an unexpected {type(error).__name__}; report it with the job's id")
            return replace(file, state=State.FAILED, code=told.code, message=told.message)
        return replace(file, state=State.DONE, pages=len(document.pages), content_type=content_type)

    async def _read(self, job: Job, file: JobFile, upload: Upload) -> Document:
        """Read as soon as there is room.

        Other requests are told to come back; jobs do it by themselves. Where there is no room at a job's priority, a
        lower one may have some: each is sure of a share, so that a flood of requests does not keep jobs out for ever.
        """
        for priority in itertools.cycle(range(job.priority, PRIORITIES)):
            deadline = None
            if job.deadline is not None:
                left = job.deadline - self._clock.time()
                if left <= 0:
                    raise DeadlineExceeded("the deadline passed while the job waited for its turn; allow more time")
                deadline = self._clock.monotonic() + left
            try:
                return await self._service.read(
                    upload,
                    job.options,
                    priority=priority,
                    deadline=deadline,
                    on_progress=lambda progress: self._on_progress(job.id, file.position, progress),
                    key=job.owner or None,
                )
            except QueueFull:
                if priority == PRIORITIES - 1:
                    await self._pause(_RETRY_S)
            except _LATER:
                await self._pause(_RETRY_S)
        raise AssertionError("endless")

    def _on_progress(self, job_id: str, position: int, progress: Progress) -> None:
        known = self._progress.get((job_id, position))
        if known is None:
            return  # told late: the file is settled
        known.page, known.pages, known.done = progress.page, progress.pages, progress.done
        known.stage = progress.stage
        told: dict[str, Any] = {
            "position": position,
            "stage": progress.stage,
            "page": progress.page,
            "pages": progress.pages,
            "pages_done": progress.done,
        }
        self._events.publish(job_id, "progress", told)

    def _tell_file(self, job: Job, file: JobFile) -> None:
        told: dict[str, Any] = {"state": job.state.value, "position": file.position, "file_state": file.state.value}
        if file.pages is not None:
            told["pages"] = file.pages
        if file.code is not None:
            told["error"] = {"code": file.code, "message": file.message}
        self._events.publish(job.id, "file", told)

    def _tell_settled(self, job: Job, file: JobFile) -> None:
        self._tell_file(job, file)
        if job.state.ended:
            self._events.end(job.id)
            self._on_end()


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
