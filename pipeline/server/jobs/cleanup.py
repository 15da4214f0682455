"""Puts right what a crash left, and removes what is over."""

from __future__ import annotations

import asyncio
import logging

from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.runner import Clock, Runner
from pipeline.server.jobs.store import JobStore
from pipeline.server.jobs.threads import in_thread

log = logging.getLogger("inklane.server.jobs")

_EVERY_S = 60.0


class Cleanup:
    """Looks after jobs from one task.

    Args:
        store: what is known of jobs.
        files: their files.
        runner: reads them.
        clock: the time.
    """

    def __init__(self, store: JobStore, files: JobFiles, runner: Runner, clock: Clock) -> None:
        self._store = store
        self._files = files
        self._runner = runner
        self._clock = clock
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Remove what belongs to no job, go on with jobs that are not done, and look again from time to time."""
        known = await self._store.ids()
        orphans = await in_thread(lambda: list(self._files.orphans(known)))
        for name in orphans:
            await in_thread(self._files.remove, name)
        if orphans:
            log.info("%d uploads of jobs that were never accepted or are deleted were removed", len(orphans))
        await self.once()
        self._task = asyncio.create_task(self._run(), name="jobs cleanup")

    async def stop(self) -> None:
        """Stop. Idempotent."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def once(self) -> None:
        """Delete jobs whose time is over, and take up those that a fault of the disk has left lying."""
        while expired := await self._store.expired(self._clock.time()):
            await self._store.delete(expired)
            for job_id in expired:
                await in_thread(self._files.remove, job_id)  # a crash before this leaves an orphan
        for job_id in await self._store.unfinished():
            if not self._runner.knows(job_id) and (job := await self._store.get(job_id)) is not None:
                self._runner.add(job)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                await self.once()
            except Exception:
                log.exception("jobs that are over could not be removed; it is tried again")
