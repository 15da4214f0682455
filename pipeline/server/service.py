"""Reading as the service does it: admission, turns, deadlines, and callers that may go away at any time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from concurrent.futures import Future
from typing import Any, Protocol

from pipeline.server.admission import Admission, Ticket
from pipeline.server.page_count import likely_pages
from pipeline.server.uploads import Upload
from schemas.document import Document, StageTiming
from schemas.errors import Cancelled, DeadlineExceeded, NotReady, ShuttingDown
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadOptions, ReadRequest
from schemas.settings import Settings

log = logging.getLogger("inklane.server")

ADMISSION = "admission"
"""Under this name a document's timings say how long it waited for its turn, before the worker saw it."""


class Clock(Protocol):
    """What is asked for the time; the module :mod:`time` is one."""

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...

    def time(self) -> float:
        """Seconds since 1970."""
        ...


class Accounts(Protocol):
    """Who is told of every document that comes and goes."""

    def begin(self, key_id: str | None, name: str) -> Any:
        """A document comes, which is called so.

        Raises:
            QuotaExceeded: its owner may have no more pages read today.
        """
        ...

    def end(self, entry: Any, document: Document | None, error: BaseException | None = None) -> None:
        """It leaves, read or not; ``entry`` is what :meth:`begin` gave."""
        ...


class ServiceReader(Protocol):
    """What the service reads with: the engine in this process, or a client of the worker."""

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        """Start reading; see :class:`schemas.requests.Reader`. ``on_progress`` is called from any thread."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


class Service:
    """Reads documents for all parts of the server. Used on one event loop only.

    No more documents are with the reader than it works on; all others wait here, where a deadline that passes or a
    caller who goes away costs no inference.

    Args:
        settings: all settings.
        reader: what reads; None: :meth:`attach` it once it is warm.
        clock: the time.
    """

    def __init__(self, settings: Settings, reader: ServiceReader | None, clock: Clock) -> None:
        server = settings.server
        self._clock = clock
        self._reader = reader
        self.admission = Admission(server.max_pages_queued, server.lowest_priority_share, server.retry_after_s)
        self._max_running = min(2 * settings.max_pages_in_flight, settings.max_waiting_documents)
        self._running = 0
        self._turns: dict[Ticket, asyncio.Future[None]] = {}
        self._stopping = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._documents = 0
        self.accounts: Accounts | None = None

    # --- state ------------------------------------------------------------------------------------------------

    @property
    def reader(self) -> ServiceReader:
        """What reads.

        Raises:
            NotReady: it is still being started.
        """
        if self._reader is None:
            raise NotReady("the models are being loaded; try again in a few seconds")
        return self._reader

    @property
    def ready(self) -> bool:
        """Whether documents are taken: the worker is warm, and nobody has asked to stop."""
        return self._reader is not None and not self._stopping and bool(getattr(self._reader, "ready", True))

    @property
    def stopping(self) -> bool:
        """Whether no more work is taken."""
        return self._stopping

    @property
    def running(self) -> int:
        """Documents that are with the reader."""
        return self._running

    def attach(self, reader: ServiceReader) -> None:
        """The reader is warm."""
        self._reader = reader

    def stop(self) -> None:
        """Take no more work; what is inside goes on. Idempotent."""
        self._stopping = True

    async def drained(self) -> None:
        """Wait until nothing is inside."""
        await self._idle.wait()

    # --- reading ----------------------------------------------------------------------------------------------

    def check(self, priority: int, pages: int = 1) -> None:
        """Refuse at once what :meth:`read` would refuse, before anything is received.

        Raises:
            NotReady: the models are being loaded.
            ShuttingDown: the service is being stopped.
            QueueFull: there is no room.
        """
        if self._stopping:
            raise ShuttingDown("the service is being stopped; try again elsewhere or later")
        _ = self.reader
        self.admission.check(priority, pages)

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
        """Read one file. Cancelling the task gives the document up everywhere.

        Args:
            upload: the file; it must stay until this returns.
            options: what is asked for.
            priority: 0 (most urgent) to 2.
            deadline: in seconds of the clock's ``monotonic``.
            on_progress: called on the event loop.
            key: whose document it is: the id of an API key.

        Raises:
            DocumentError: it cannot be read, or not now.
        """
        pages = likely_pages(upload, options)
        _ = self.reader
        self.admission.check(priority, pages)  # not whether the service is stopping: this request came before
        entry = None if self.accounts is None else self.accounts.begin(key, upload.name)
        arrived = self._clock.monotonic()
        ticket = self.admission.enter(priority, pages, arrived)
        self._documents += 1
        self._idle.clear()
        document: Document | None = None
        try:
            await self._turn(ticket, deadline)
            waited = self._clock.monotonic() - arrived
            request = ReadRequest(upload.source, upload.name, options, priority, deadline)
            try:
                document = await self._submit(request, ticket, on_progress)
            finally:
                self._running -= 1
            document.timings = {ADMISSION: StageTiming(queue_ms=waited * 1000, items=1), **document.timings}
            return document
        finally:
            self.admission.leave(ticket, self._clock.monotonic(), read=document is not None)
            if self.accounts is not None:
                self.accounts.end(entry, document, sys.exception())
            self._documents -= 1
            if not self._documents:
                self._idle.set()
            self._give_turns()

    async def _turn(self, ticket: Ticket, deadline: float | None) -> None:
        """Wait for the turn, which ends with a place at the reader that the caller has to give back.

        Raises:
            DeadlineExceeded: before that.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns[ticket] = turn
        self._give_turns()
        timeout = None if deadline is None else deadline - self._clock.monotonic()
        try:
            async with asyncio.timeout(timeout if timeout is None else max(0.0, timeout)):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():  # it was given the place in the very moment it gave up
                self._running -= 1
            if isinstance(error, TimeoutError):
                raise _too_late() from None
            raise
        finally:
            self._turns.pop(ticket, None)
        if deadline is not None and deadline <= self._clock.monotonic():
            self._running -= 1
            raise _too_late()

    def _give_turns(self) -> None:
        while self._running < self._max_running:
            ticket = self.admission.take()
            if ticket is None:
                return
            turn = self._turns.get(ticket)
            if turn is not None and not turn.done():
                self._running += 1
                turn.set_result(None)

    async def _submit(self, request: ReadRequest, ticket: Ticket, on_progress: OnProgress | None) -> Document:
        loop = asyncio.get_running_loop()

        def on_loop(progress: Progress) -> None:
            if progress.pages is not None:
                self.admission.resize(ticket, progress.pages)
            if on_progress is not None:
                try:
                    on_progress(progress)
                except Exception:
                    log.exception("a listener to progress failed")

        def from_any_thread(progress: Progress) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(on_loop, progress)

        future = self.reader.submit(request, on_progress=from_any_thread)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task: asyncio.Task[Any] | None = asyncio.current_task()
            if future.cancelled() and task is not None and not task.cancelling():
                raise Cancelled("the document was given up before it was read") from None
            raise


def _too_late() -> DeadlineExceeded:
    return DeadlineExceeded("the deadline passed while the document waited for its turn; allow more time")
