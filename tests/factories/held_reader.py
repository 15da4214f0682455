"""A reader without models for tests of the service: every document waits until the test settles it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from schemas.document import Document, Line, Page, StageTiming
from schemas.errors import InklaneError, from_code
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadRequest

BOX = ((0.0, 0.0), (90.0, 0.0), (90.0, 20.0), (0.0, 20.0))
PATIENCE = 60.0  # seconds until a test that waits for an event fails


def document(name: str, text: str) -> Document:
    """One page with one line."""
    timing = StageTiming(queue_ms=3.0, busy_ms=20.0, network_ms=12.5, items=1)
    return Document(name, pages=[Page(1, 200, 100, lines=[Line(text, 0.9, BOX)])], timings={"detection": timing})


@dataclass(eq=False)
class Held:
    """A document that the reader was given. ``content`` is the file as it was then."""

    request: ReadRequest
    content: bytes
    on_progress: OnProgress | None
    future: Future[Document] = field(default_factory=Future)

    def finish(self) -> None:
        """It is read; its one line is the file's content."""
        self.future.set_result(document(self.request.name, self.content[:40].decode("latin-1")))

    def fail(self, error: InklaneError) -> None:
        """It cannot be read."""
        self.future.set_exception(error)

    def tell(self, progress: Progress) -> None:
        """How far it is."""
        assert self.on_progress is not None
        self.on_progress(progress)


class HeldReader:
    """Documents wait until settled, in the order they came; with ``at_once`` they are read on the spot.

    A file that begins with ``!CODE`` fails with that error.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self.at_once = at_once
        self.ready = True
        self.closed = False
        self.given: list[Held] = []
        self._changed = asyncio.Condition()

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        content = request.source.read_bytes() if isinstance(request.source, Path) else request.source
        held = Held(request, content, on_progress)
        self.given.append(held)
        asyncio.get_running_loop().create_task(self._tell())  # noqa: RUF006 (the test waits for what it does)
        if self.at_once:
            if content.startswith(b"!"):
                held.fail(from_code(content[1:].split(b"\n")[0].decode(), "so the test wants it"))
            else:
                held.finish()
        return held.future

    async def wait_for(self, count: int) -> list[Held]:
        """The first so many documents."""
        async with asyncio.timeout(PATIENCE), self._changed:
            await self._changed.wait_for(lambda: len(self.given) >= count)
        return self.given[:count]

    def close(self) -> None:
        self.closed = True

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


async def until_cancelled(held: Held) -> None:
    """Wait until nobody wants the document any more."""
    cancelled = asyncio.Event()
    loop = asyncio.get_running_loop()
    held.future.add_done_callback(lambda _: loop.call_soon_threadsafe(cancelled.set))
    async with asyncio.timeout(PATIENCE):
        await cancelled.wait()
    assert held.future.cancelled()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what a thread or another task does that tells nobody."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0)
