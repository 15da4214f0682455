"""The client's front: a reader like any other, whose documents are read in a worker process."""

from __future__ import annotations

import atexit
import itertools
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from pipeline.worker import protocol
from pipeline.worker.ledger import Ticket
from pipeline.worker.supervisor import Policy, Supervisor
from pipeline.worker.tally import Tally
from schemas.document import Document
from schemas.errors import InklaneError, QueueFull, WorkerFailed, from_code
from schemas.progress import OnProgress
from schemas.requests import Reader, ReadRequest
from schemas.statistics import WorkerStatistics


class WorkerClient:
    """Reads documents in a worker process, which is started here and again whenever it dies.

    Documents that were in a worker when it died are read once more, one at a time; the one that ends a second worker
    is refused with ``WorkerCrashed``. Up to ``max_in_flight`` documents are in the worker; up to ``max_waiting`` more
    wait here (the most urgent goes first), with their bytes where they are not paths. Beyond that ``submit`` blocks.

    Futures are resolved on the client's own thread, so their callbacks must be short. They never become "running":
    they can be cancelled until they are resolved.

    Args:
        factory: what builds the reader in the worker: called with ``settings``, returns when warmed up. A function
            or class, or its place as ``"module:name"``, which spares this process the import.
        settings: picklable.
        ready_timeout: seconds that one start may take.
        max_in_flight: documents in the worker at once, at most.
        max_waiting: documents that wait here, at most.
        close_timeout: seconds that ``close`` gives to documents under way; None: as long as they take.
        start_attempts: starts that may fail in a row (an error that the very first one reports is final).
        start_delay: seconds before another start where the last worker achieved nothing; doubled each time.
        on_room: called whenever a document has left, on the client's own thread.

    Raises:
        InklaneError: the worker did not start; the reader's own error where there is one (``ModelError``, say).
        TypeError: the factory cannot be imported by a new process, or the settings cannot be pickled.
    """

    def __init__(
        self,
        factory: str | Callable[[Any], Reader],
        settings: object = None,
        *,
        ready_timeout: float = 120.0,
        max_in_flight: int = 16,
        max_waiting: int = 64,
        close_timeout: float | None = 60.0,
        start_attempts: int = 3,
        start_delay: float = 0.1,
        on_room: Callable[[], None] = lambda: None,
    ) -> None:
        for name, value in (("max_in_flight", max_in_flight), ("start_attempts", start_attempts)):
            if value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if max_waiting < 0:
            raise ValueError(f"max_waiting must be at least 0, not {max_waiting}")
        start = protocol.pack_start(_place(factory), settings)
        self._room = max_in_flight + max_waiting
        self._close_timeout = close_timeout
        self._ids = itertools.count(1)
        self._changed = threading.Condition()  # guards the four below
        self._accepted = 0
        self._closed = False
        self._ended = False
        self._error: InklaneError | None = None
        self._first_ready = threading.Event()
        self._process = os.getpid()
        self._on_room = on_room
        self._tally = Tally()
        self._supervisor = Supervisor(
            start,
            max_in_flight,
            Policy(ready_timeout, start_attempts, start_delay),
            self._tally,
            on_ready=self._first_ready.set,
            on_leave=self._on_leave,
            on_end=self._on_end,
        )
        self._thread = threading.Thread(target=self._supervisor.run, name="worker-client", daemon=True)
        self._thread.start()
        atexit.register(self.close, timeout=0.0)
        try:
            self._await_ready()
        except BaseException:
            self.close(timeout=0.0)
            raise

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker; None while there is none."""
        return self._supervisor.worker_pid

    @property
    def ready(self) -> bool:
        """Whether a worker is up and takes documents; False while one is being started again, and after closing."""
        return self._supervisor.ready and not self._closed

    @property
    def in_own_thread(self) -> bool:
        """Whether this is asked on the client's own thread, by a callback, where nothing may wait for it."""
        return threading.current_thread() is self._thread

    @property
    def failure(self) -> InklaneError | None:
        """Why the worker cannot be kept running; None while it can, and after closing in order."""
        return self._error

    @property
    def under_way(self) -> int:
        """How many documents are accepted and have not left."""
        return self._accepted

    def submit(
        self, request: ReadRequest, *, block: bool = True, on_progress: OnProgress | None = None
    ) -> Future[Document]:
        """Start reading.

        Args:
            request: the document.
            block: wait for room. From a future's callback it never waits, since that would be for itself.
            on_progress: told of each step, on the client's own thread; not after the future has ended.

        Returns:
            A future that ends with the document or an ``InklaneError``. Cancelling it frees the document's place.

        Raises:
            QueueFull: there is no room, and ``block`` is False.
            TypeError: the source is neither a path nor bytes.
            WorkerFailed: the reader is closed.
            InklaneError: the worker cannot be started any more; why.
        """
        self._check_process()
        future: Future[Document] = Future()
        number = next(self._ids)
        frames = protocol.pack_read(number, request, progress=on_progress is not None)
        ticket = Ticket(number, request, future, frames, on_progress=on_progress)
        with self._changed:
            while not self._closed and not self._ended and self._accepted >= self._room:
                if threading.current_thread() is self._thread:
                    break
                if not block:
                    raise QueueFull(f"{self._accepted} documents are under way; try again later")
                self._changed.wait()
            self._check_open()
            self._accepted += 1
            self._supervisor.submit(ticket)
        future.add_done_callback(lambda done: self._on_resolved(number, done))
        return future

    def statistics(self) -> WorkerStatistics:
        """What this client's workers have counted, one after another, as of about a second ago."""
        waiting, in_flight = self._supervisor.documents
        return self._tally.snapshot(waiting, in_flight)

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        """Let the worker do something while it reads; see :class:`pipeline.hot.control.Control`.

        ``statistics`` has the worker tell its figures at once; when it is answered, :meth:`statistics` has them. What
        a command changed is true of later workers, too.

        Returns:
            A future with the command's answer or an ``InklaneError``: ``WorkerFailed`` if the worker ended meanwhile.

        Raises:
            TypeError: an argument cannot be pickled.
            InklaneError: as for :meth:`submit`.
        """
        self._check_process()
        future: Future[dict[str, Any]] = Future()
        number = next(self._ids)
        frames = protocol.pack_control(number, command, arguments)
        with self._changed:
            self._check_open()
            self._supervisor.control(number, frames, future)
        return future

    def close(self, timeout: float | None = -1.0) -> None:
        """Finish all documents accepted so far, then end the worker. Idempotent; ``submit`` fails from here on.

        Args:
            timeout: seconds; what is not done by then fails with ``Cancelled`` and the worker is killed. None: as
                long as it takes; negative: the constructor's ``close_timeout``. A later call can shorten it.
        """
        if os.getpid() != self._process:
            return  # after a fork it is the parent's, who may still be reading
        if timeout is not None and timeout < 0:
            timeout = self._close_timeout
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            if not self._ended:
                self._supervisor.close(None if timeout is None else time.monotonic() + timeout)
        if threading.current_thread() is not self._thread:  # a future's callback may close, too
            self._thread.join()
        atexit.unregister(self.close)

    def _check_process(self) -> None:
        if os.getpid() != self._process:  # the thread that would send it has stayed in the parent
            raise WorkerFailed("this reader belongs to the process that forked this one; make a new one after forking")

    def _check_open(self) -> None:
        if self._error is not None:
            raise _copy(self._error)
        if self._closed or self._ended:
            raise WorkerFailed("this reader is closed; make a new one")

    def _await_ready(self) -> None:
        self._first_ready.wait()
        if self._error is not None:
            raise _copy(self._error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _on_resolved(self, number: int, future: Future[Document]) -> None:
        self._tally.document(future)
        if not future.cancelled():
            return
        future.set_running_or_notify_cancel()  # only now do wait() and as_completed() see that it is cancelled
        with self._changed:
            if not self._ended:
                self._supervisor.cancel(number)

    def _on_leave(self, ticket: Ticket) -> None:
        with self._changed:
            self._accepted -= 1
            self._changed.notify()
        self._on_room()

    def _on_end(self, error: InklaneError | None) -> None:
        with self._changed:
            self._ended = True
            self._error = error
            self._changed.notify_all()
        self._first_ready.set()
        self._on_room()


def _place(factory: str | Callable[[Any], Reader]) -> str:
    """Where a new process finds the factory: "module:name"."""
    if not isinstance(factory, str):
        factory = f"{factory.__module__}:{factory.__qualname__}"
    module, colon, name = factory.partition(":")
    if not colon or not module or not all(part.isidentifier() for part in name.split(".")) or module == "__main__":
        raise TypeError(
            f"the worker cannot import {factory!r}: give a function or class at the top level of a module, "
            'or its place as "module:name"'
        )
    return factory


def _copy(error: InklaneError) -> InklaneError:
    return from_code(error.code, error.message)
