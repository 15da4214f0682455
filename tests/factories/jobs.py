"""Jobs over a service that reads nothing: what a file does is in its name, and the test has the say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.server.jobs.jobs import Jobs
from pipeline.server.jobs.model import Job
from pipeline.server.uploads import Upload
from schemas.document import Document, Page
from schemas.errors import DamagedFile, QueueFull
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadOptions
from schemas.serialise import to_json

PATIENCE = 60.0  # seconds until a test that waits for an event fails


class FakeClock:
    """Stands still unless moved."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now - 1_000_000.0


class FakeService:
    """Files called ``hang...`` wait until released, ``bad...`` are damaged, ``full...`` find no room once.

    ``crowded...`` find room at the lowest priority only. ``odd...`` fail with an error that nobody foresaw.
    """

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.given_up: list[str] = []
        self.inside = 0
        self.most_inside = 0
        self.seen: dict[str, dict[str, Any]] = {}
        self.tell: dict[str, Callable[[Progress], None]] = {}
        self._changed = asyncio.Condition()
        self._released: set[str] = set()
        self._refused: set[str] = set()

    async def read(
        self,
        upload: Upload,
        options: ReadOptions,
        *,
        priority: int = 1,
        deadline: float | None = None,
        on_progress: OnProgress | None = None,
        key: str | None = None,
    ) -> Document:
        name = upload.name
        if name.startswith("crowded") and priority < 2:
            raise QueueFull("no room at this priority")
        if name.startswith("full") and name not in self._refused:
            self._refused.add(name)
            raise QueueFull("no room")
        source = upload.source
        content = source.read_bytes() if isinstance(source, Path) else source
        self.seen[name] = {
            "content": content,
            "options": options,
            "priority": priority,
            "deadline": deadline,
            "key": key,
        }
        if on_progress is not None:
            self.tell[name] = on_progress
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        try:
            async with self._changed:
                self.begun.append(name)
                self._changed.notify_all()
                if name.startswith("hang"):
                    await self._changed.wait_for(lambda: name in self._released)
        except asyncio.CancelledError:
            self.given_up.append(name)
            raise
        finally:
            self.inside -= 1
        if name.startswith("bad"):
            raise DamagedFile(f"{name}: damaged")
        if name.startswith("odd"):
            raise ValueError("nobody foresaw this")
        return Document(name, doc_type=content.decode("utf-8", "replace"), pages=[Page(1, 10, 10)])

    async def release(self, *names: str) -> None:
        async with self._changed:
            self._released |= set(names)
            self._changed.notify_all()

    async def until_begun(self, *names: str) -> None:
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: set(names) <= set(self.begun))


async def render(upload: Upload, document: Document, output: str) -> tuple[bytes, str]:
    return to_json(document), "application/json"


async def no_pause(seconds: float) -> None:
    await asyncio.sleep(0)


def upload(name: str, content: bytes = b"content") -> Upload:
    return Upload.of(name, content)


async def until_ended(jobs: Jobs, job_id: str) -> Job:
    """Wait for a job's end, as a watcher does."""
    async with asyncio.timeout(PATIENCE):
        with jobs.events.watch(job_id) as watch:
            while not (job := await jobs.find(job_id)).state.ended:
                watch.take()
                await watch.changed(PATIENCE)
    return job


def make_jobs(folder: Path, service: Any, clock: Any, **options: Any) -> Jobs:
    folder.mkdir(exist_ok=True)
    return Jobs(folder, service, render, clock, **{"concurrency": 4, "pause": no_pause, **options})
