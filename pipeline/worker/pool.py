"""Several workers behind one reader: each document goes to the one with the least to do."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from pipeline.worker.client import WorkerClient
from schemas.document import Document
from schemas.errors import InklaneError, QueueFull, WorkerFailed, from_code
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics

log = logging.getLogger("inklane.worker")

_UNDO = {"load_model": "rollback"}
"""What takes a command back where not every worker could follow it."""


class WorkerPool:
    """A :class:`pipeline.worker.interface.ServiceReader` over clients. One that cannot be started any more is left out.

    Args:
        factory: as for :class:`WorkerClient`.
        settings: of each worker.
        options: of each client.

    Raises:
        InklaneError: a worker did not start.
    """

    def __init__(self, factory: str, settings: Sequence[object], **options: Any) -> None:
        if not settings:
            raise ValueError("a pool needs at least one worker")
        self._changed = threading.Condition()
        self._left = 0  # documents so far, of all clients
        self._closed = False
        with ThreadPoolExecutor(len(settings)) as pool:
            starts = [pool.submit(WorkerClient, factory, own, on_room=self._on_room, **options) for own in settings]
        self._clients = [start.result() for start in starts if start.exception() is None]
        failure = next((error for start in starts if (error := start.exception()) is not None), None)
        if failure is not None:
            self.close(timeout=0.0)
            raise failure

    @property
    def ready(self) -> bool:
        """Whether any worker is up and takes documents."""
        return any(client.ready for client in self._clients)

    @property
    def worker_pids(self) -> list[int]:
        """The process ids of the workers that are there."""
        return [pid for client in self._clients if (pid := client.worker_pid) is not None]

    def submit(
        self, request: ReadRequest, *, block: bool = True, on_progress: OnProgress | None = None
    ) -> Future[Document]:
        """Start reading; see :meth:`WorkerClient.submit`."""
        own = next((client for client in self._clients if client.in_own_thread), None)
        if own is not None:  # from a future's callback, for whose end others wait
            return own.submit(request, on_progress=on_progress)
        while True:
            seen = self._left
            failure: InklaneError | None = None
            for client in sorted(self._clients, key=lambda c: (not c.ready, c.under_way)):
                try:
                    return client.submit(request, block=False, on_progress=on_progress)
                except QueueFull as error:
                    failure = error
                except InklaneError as error:  # closed, or not to be started any more
                    failure = failure or error
            if not isinstance(failure, QueueFull) or not block:
                raise failure or WorkerFailed("this reader is closed; make a new one")
            with self._changed:
                self._changed.wait_for(lambda before=seen: self._left != before or self._closed)  # type: ignore[misc]

    def statistics(self) -> WorkerStatistics:
        """What all workers have counted, added up."""
        total = WorkerStatistics(workers=0)
        for client in self._clients:
            total.add(client.statistics())
        return total

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        """Give every worker a command; see :meth:`WorkerClient.control`.

        Returns:
            A future with the first worker's answer, and all answers as ``workers``. If one of them fails, the future
            fails, and a model that others have loaded is taken back there.
        """
        return _Together(self._clients, command, arguments).answer

    def close(self, timeout: float | None = -1.0) -> None:
        """Finish all documents accepted so far, then end the workers; see :meth:`WorkerClient.close`."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if not self._clients:
            return
        with ThreadPoolExecutor(len(self._clients)) as pool:
            for closing in [pool.submit(client.close, timeout) for client in self._clients]:
                closing.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _on_room(self) -> None:
        with self._changed:
            self._left += 1
            self._changed.notify_all()


class _Together:
    """One command at several workers, and their answers in one. Its callbacks run in the clients' threads."""

    def __init__(self, clients: Sequence[WorkerClient], command: str, arguments: dict[str, Any]) -> None:
        self.answer: Future[dict[str, Any]] = Future()
        self._command, self._arguments = command, arguments
        self._lock = threading.Lock()
        self._clients: list[WorkerClient] = []
        self._futures: list[Future[dict[str, Any]]] = []
        for client in clients:
            try:
                self._futures.append(client.control(command, **arguments))
                self._clients.append(client)
            except InklaneError:  # it cannot be started any more, and reads nothing either
                if client is clients[-1] and not self._clients:
                    raise
        self._missing = len(self._futures)
        for future in self._futures:
            future.add_done_callback(self._on_done)

    def _on_done(self, _: Future[dict[str, Any]]) -> None:
        with self._lock:
            self._missing -= 1
            if self._missing:
                return
        failure = next((f.exception() for f in self._futures if f.exception() is not None), None)
        try:
            if failure is None:
                answers = [future.result() for future in self._futures]
                self.answer.set_result(answers[0] | {"workers": answers})
            else:
                self._take_back()
                if isinstance(failure, InklaneError):
                    failure = from_code(failure.code, failure.message)
                self.answer.set_exception(failure)
        except InvalidStateError:
            log.debug("nobody waits for the answer to %s any more", self._command)

    def _take_back(self) -> None:
        undo = _UNDO.get(self._command)
        if undo is None:
            return
        for client, future in zip(self._clients, self._futures, strict=True):
            if future.exception() is None:
                try:
                    client.control(undo, stage=self._arguments["stage"]).add_done_callback(_tell_failure)
                except InklaneError as error:
                    log.error("a model could not be taken back: %s", error.message)


def _tell_failure(undone: Future[dict[str, Any]]) -> None:
    if not undone.cancelled() and (error := undone.exception()) is not None:
        log.error("a model could not be taken back: %s", error)
