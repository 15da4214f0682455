"""All that can be done with jobs: accepted, looked at, deleted."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

from pipeline.server.jobs.cleanup import Cleanup
from pipeline.server.jobs.database import Database
from pipeline.server.jobs.events import Events
from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.model import Job, JobFile, State, Webhook, options_to_plain
from pipeline.server.jobs.outbox import Outbox
from pipeline.server.jobs.runner import Clock, Reading, Render, Runner
from pipeline.server.jobs.store import JobStore
from pipeline.server.jobs.threads import in_thread
from pipeline.server.jobs.view import job_view
from pipeline.server.jobs.webhooks import WebhookPolicy, Webhooks
from pipeline.server.uploads import Upload
from schemas.errors import InvalidRequest, NotFound, ShuttingDown
from schemas.plain import text_of
from schemas.requests import ReadOptions

T = TypeVar("T")

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class Jobs:
    """The jobs of one front end. Used on one event loop only.

    Args:
        folder: where the database and the files are kept; this front end alone uses it.
        service: reads documents.
        render: turns documents into the outputs asked for.
        clock: the time.
        keep_s: for how long results are kept.
        max_waiting: jobs that are not at their end, at most.
        concurrency: files being read at once, at most.
        webhooks: to whom webhooks go.
        pause: waits so many seconds where the service has no room.
    """

    def __init__(
        self,
        folder: Path,
        service: Reading,
        render: Render,
        clock: Clock,
        *,
        keep_s: float = 86_400.0,
        max_waiting: int = 1000,
        concurrency: int = 16,
        webhooks: WebhookPolicy | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._max_waiting = max_waiting
        self._policy = webhooks if webhooks is not None else WebhookPolicy()
        self.events = Events()
        self.files = JobFiles(folder / "jobs")
        self._database = Database(folder / "jobs.sqlite3")
        self._store = JobStore(self._database, keep_s)
        self.runner = Runner(
            self._store,
            self.files,
            service,
            render,
            self.events,
            clock,
            concurrency=concurrency,
            on_end=lambda: self.webhooks.wake(),
            pause=pause,
        )
        self.webhooks = Webhooks(Outbox(self._database), self._store, self._policy, self.view, clock)
        self.cleanup = Cleanup(self._store, self.files, self.runner, clock)
        self._changes: set[asyncio.Task[Any]] = set()
        self._closed = True

    async def start(self) -> None:
        """Open the store and go on where the last front end ended, however it did.

        Raises:
            SettingsError: the folder cannot be used.
        """
        await in_thread(self.files.open)
        await self._database.open()
        await self.cleanup.start()
        self.webhooks.start()
        self._closed = False

    async def stop(self) -> None:
        """Stop; what is not done goes on at the next start. Idempotent."""
        self._closed = True
        if self._changes:
            await asyncio.wait(self._changes)
        self.events.close()
        await self.cleanup.stop()
        await self.runner.stop()
        await self.webhooks.stop()
        await self._database.close()

    # --- what callers do --------------------------------------------------------------------------------------

    async def accept(
        self,
        uploads: Sequence[Upload],
        options: ReadOptions,
        *,
        owner: str = "",
        priority: int = 1,
        deadline: float | None = None,
        output: str = "json",
        many: bool = False,
        webhook: str | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Make a job. When this returns, it will be done even if this process is killed.

        Args:
            uploads: the files, which still are the caller's to discard afterwards.
            options: for all of them.
            owner: the API key's name; empty where there are none.
            priority: 0 (most urgent) to 2.
            deadline: in seconds of the clock's ``monotonic``.
            output: the kind of result.
            many: whether the result is a list, even of one.
            webhook: a URL to be told the end.
            idempotency_key: the caller's name for this request: sent again, it gives the same job.

        Raises:
            QueueFull: too many jobs wait, or there is no space.
            InvalidRequest: the webhook or the key cannot be, or the key was used for another request.
            ShuttingDown: the service is being stopped.
        """
        if not uploads:
            raise InvalidRequest("a job needs at least one file")
        if webhook is not None:
            self._policy.check(webhook)
        if idempotency_key is not None and not _KEY.fullmatch(idempotency_key):
            raise InvalidRequest("Idempotency-Key: give 1 to 255 visible ASCII characters, such as a UUID")
        now = self._clock.time()
        job = Job(
            id=f"job_{secrets.token_urlsafe(18)}",
            owner=owner,
            created=now,
            priority=priority,
            deadline=None if deadline is None else now + deadline - self._clock.monotonic(),
            options=options,
            output=output,
            many=many,
            webhook=None if webhook is None else Webhook(webhook),
            files=[JobFile(n, text_of(each.name), each.size, each.sha256) for n, each in enumerate(uploads)],
        )
        return await self._finish(self._accept(job, uploads, idempotency_key))

    async def get(self, job_id: str, owner: str = "") -> Job:
        """One of the owner's jobs.

        Raises:
            NotFound: there is none of this id, or it is another's.
        """
        return await self._existing(job_id, owner)

    async def find(self, job_id: str) -> Job:
        """Anybody's job; for the service itself.

        Raises:
            NotFound: there is none of this id.
        """
        return await self._existing(job_id, None)

    async def page(
        self, owner: str = "", *, limit: int = 50, after: str | None = None, state: State | None = None
    ) -> tuple[list[Job], bool]:
        """The owner's jobs, the newest first, and whether there are more; see :meth:`JobStore.page`."""
        return await self._store.page(owner, limit, after, state)

    async def count_by_state(self) -> dict[str, int]:
        """How many jobs there are in each state, of all owners."""
        return await self._store.count_by_state()

    async def delete(self, job_id: str, owner: str = "") -> None:
        """Cancel a job that has not ended, and delete its files; forget one that has.

        When this returns, nothing of it is being read, and its files are gone.

        Raises:
            NotFound: there is none of this id, or it is another's.
        """
        await self.get(job_id, owner)
        await self._finish(self._delete(job_id))

    def view(self, job: Job) -> dict[str, Any]:
        """A job as JSON, with its progress."""
        return job_view(job, self.runner.progress)

    # --- inside -----------------------------------------------------------------------------------------------

    async def _existing(self, job_id: str, owner: str | None) -> Job:
        job = await self._store.get(job_id, owner)
        if job is None:
            raise NotFound("there is no such job, or its time is over")
        return job

    async def _accept(self, job: Job, uploads: Sequence[Upload], key: str | None) -> Job:
        fingerprint = _fingerprint(job)
        if key is not None and (known := await self._store.find(job.owner, key)) is not None:
            return _same(known, fingerprint)
        await self._store.check_room(self._max_waiting)  # before anything is written; create() makes sure
        await in_thread(self.files.keep, job.id, uploads)
        try:
            known = await self._store.create(job, fingerprint, key, self._max_waiting)
        except BaseException:
            await in_thread(self.files.remove, job.id)
            raise
        if known is not None:  # the same request came twice at once
            await in_thread(self.files.remove, job.id)
            return _same(known, fingerprint)
        self.runner.add(job)
        return job

    async def _delete(self, job_id: str) -> None:
        cancelled = await self._store.cancel(job_id, self._clock.time())
        await self.runner.cancel(job_id)
        if cancelled is None:
            await self._store.delete([job_id])
        await in_thread(self.files.remove, job_id)
        self.events.end(job_id)
        if cancelled is not None:
            self.webhooks.wake()

    async def _finish(self, change: Coroutine[Any, Any, T]) -> T:
        """Run a change to its end, even if whoever asked for it goes away meanwhile."""
        if self._closed:
            change.close()
            raise ShuttingDown("the service is being stopped; try again elsewhere or later")
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)


def _fingerprint(job: Job) -> str:
    """Of all that was asked; not the deadline, which is another moment each time."""
    asked = [
        [[file.name, file.size, file.sha256] for file in job.files],
        options_to_plain(job.options),
        job.output,
        job.many,
        job.priority,
        job.webhook.url if job.webhook is not None else None,
    ]
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _same(known: tuple[Job, str], fingerprint: str) -> Job:
    job, earlier = known
    if earlier != fingerprint:
        raise InvalidRequest("Idempotency-Key: it was used for another request; use a new one for each")
    return job
