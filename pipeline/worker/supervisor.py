"""The client's one thread: it starts the worker again when it dies, sends it documents, and hands out results."""

from __future__ import annotations

import contextlib
import enum
import logging
import queue
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

import zmq

from pipeline.worker import protocol
from pipeline.worker.answers import resolve, tell, too_late
from pipeline.worker.controls import Answer, Controls
from pipeline.worker.ledger import Ledger, Ticket
from pipeline.worker.process import WorkerProcess
from pipeline.worker.tally import Tally
from pipeline.worker.wakeup import Wakeup
from schemas.document import Document
from schemas.errors import (
    DeadlineExceeded,
    InklaneError,
    StageFailed,
    WorkerCrashed,
    WorkerFailed,
)
from schemas.progress import Progress

log = logging.getLogger("inklane.worker")

_LAST_WORDS_MS = 50  # how long to listen for results that a dead worker had sent; a lost one is only read again
_EXIT_SECONDS = 10.0  # from the worker's goodbye to the end of its process
_LOOK_SECONDS = 5.0  # between looks at the process itself, in case something else holds its lifeline open
_LONGEST_DELAY = 5.0  # seconds before a start, at most


@dataclass(slots=True, frozen=True)
class Policy:
    """How the worker is kept alive.

    A start may take ``ready_timeout`` seconds; ``start_attempts`` in a row may fail. The first new start comes at once;
    after a second worker that read nothing it waits ``start_delay`` seconds, doubled each time (at most 5).
    """

    ready_timeout: float
    start_attempts: int
    start_delay: float


class _State(enum.Enum):
    STARTING = enum.auto()
    READY = enum.auto()
    STOPPING = enum.auto()  # takes no more documents
    ENDING = enum.auto()  # said goodbye


class Supervisor:
    """Runs in one thread (``run``); everything else may be called from any thread.

    Args:
        start: the message that tells a new worker what to build.
        max_in_flight: documents in the worker at once, at most.
        policy: how the worker is kept alive.
        tally: told what the workers count.
        on_ready: called when a worker is ready.
        on_leave: called once for each document that leaves, before its future is resolved.
        on_end: called once, with the error if the thread ends by one; nothing may be submitted after it has begun.
    """

    def __init__(
        self,
        start: protocol.Frames,
        max_in_flight: int,
        policy: Policy,
        tally: Tally,
        *,
        on_ready: Callable[[], None],
        on_leave: Callable[[Ticket], None],
        on_end: Callable[[InklaneError | None], None],
    ) -> None:
        self._start_message = start
        self._policy = policy
        self._tally = tally
        self._controls = Controls()
        self._on_ready, self._on_leave, self._on_end = on_ready, on_leave, on_end
        self._ledger = Ledger(max_in_flight)
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wakeup = Wakeup()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._worker: WorkerProcess | None = None
        self._state = _State.STARTING
        self._was_ready = False
        self._was_started = False
        self._closing = False
        self._close_at: float | None = None
        self._kill_at: float | None = None  # when this worker is out of time for what it is doing
        self._start_at = 0.0  # not before
        self._failed_starts = 0
        self._fruitless = 0  # deaths in a row without a document done
        self._start_error: InklaneError | None = None

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker; None while there is none."""
        worker = self._worker
        return worker.pid if worker else None

    @property
    def ready(self) -> bool:
        """Whether a worker is there that takes documents. Any thread."""
        return self._worker is not None and self._state is _State.READY

    @property
    def documents(self) -> tuple[int, int]:
        """How many wait for the worker, and how many are in it. Any thread."""
        return max(0, len(self._ledger) - len(self._ledger.in_flight)), len(self._ledger.in_flight)

    def submit(self, ticket: Ticket) -> None:
        """Take a document over; its future is resolved exactly once. Not after ``on_end``."""
        self._command(lambda: self._ledger.add(ticket))

    def cancel(self, number: int) -> None:
        """The future of this document was cancelled. Not after ``on_end``."""
        self._command(lambda: self._drop(self._ledger.get(number)))

    def control(self, number: int, frames: protocol.Frames, answer: Answer) -> None:
        """Take a command over; its future is resolved exactly once. Not after ``on_end``."""
        self._command(lambda: self._controls.add(number, frames, answer))

    def close(self, deadline: float | None) -> None:
        """Finish all documents taken over, then end. What is not done by ``deadline`` (monotonic) fails."""

        def command() -> None:
            self._closing = True
            known = [d for d in (self._close_at, deadline) if d is not None]
            self._close_at = min(known, default=None)

        self._command(command)

    def _command(self, command: Callable[[], None]) -> None:
        self._commands.put(command)
        self._wakeup.set()

    def run(self) -> None:
        """The thread. Whatever happens in it, no future is left unresolved and no process is left running."""
        # A worker inherits the mask, so that Ctrl-C cannot hit it before it ignores the signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        error: InklaneError | None = None
        try:
            while self._step():
                pass
        except InklaneError as cause:
            error = cause
        except BaseException as cause:
            log.exception("the thread that watches the worker failed")
            error = WorkerFailed(f"the thread that watches the worker failed: {type(cause).__name__}: {cause}")
        finally:
            with contextlib.suppress(Exception):
                self._end_worker()
            self._on_end(error)
            self._take_last_commands()
            for ticket in self._ledger.clear():
                with contextlib.suppress(BaseException):  # of a callback; the others still want an answer
                    self._leave(ticket, error or too_late(ticket))
            self._controls.close(error or WorkerFailed("this reader is closed; make a new one"))
            self._context.term()
            self._wakeup.close()

    # --- one step of the loop ---------------------------------------------------------------------------------

    def _step(self) -> bool:
        self._wakeup.clear()
        self._run_commands()
        now = time.monotonic()
        for ticket in self._ledger.expired(now):
            self._drop(ticket, DeadlineExceeded(f"{ticket.request.name}: the deadline passed before it was read"))
        idle = not self._ledger
        if self._closing and idle and self._worker is None:
            return False
        if self._close_at is not None and now >= self._close_at:
            return False
        if self._worker is None:
            if now >= self._start_at:
                self._start(now)
        elif self._kill_at is not None and now >= self._kill_at:
            self._overdue(self._worker)
        elif self._closing and idle:
            self._ask_to_close(self._worker)
        self._send_documents()
        self._wait()
        return True

    def _run_commands(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._commands.get_nowait()()

    def _take_last_commands(self) -> None:
        """As ``_run_commands``, when nothing more may go wrong: documents that came in meanwhile."""
        while not self._commands.empty():
            with contextlib.suppress(Exception):
                self._commands.get_nowait()()

    def _send_documents(self) -> None:
        if self._worker is None or self._state is not _State.READY:
            return
        self._controls.send(self._worker.send)
        while ticket := self._ledger.next():
            if not self._worker.send(ticket.frames):
                self._ledger.unsend(ticket)
                return

    def _wait(self) -> None:
        """Sleep until something happens or is due, and handle what happened."""
        poller = zmq.Poller()
        poller.register(self._wakeup.fileno(), zmq.POLLIN)
        moments = [self._ledger.next_deadline(), self._close_at, self._kill_at]
        if self._worker is None:
            moments.append(self._start_at)
        else:
            poller.register(self._worker.socket, zmq.POLLIN)
            poller.register(self._worker.lifeline.fileno(), zmq.POLLIN)
            moments.append(time.monotonic() + _LOOK_SECONDS)
        until = min((m for m in moments if m is not None), default=None)
        # Rounded up, so that what is due has come when the poll ends.
        timeout = None if until is None else int(max(0.0, until - time.monotonic()) * 1000) + 1
        events = dict(poller.poll(timeout))
        if self._worker is None:
            return
        while frames := self._worker.receive():
            self._on_message(self._worker, frames)
        if self._worker.lifeline.fileno() in events or (not events and self._worker.has_exited()):
            self._on_death(self._worker)

    # --- the worker's life ------------------------------------------------------------------------------------

    def _start(self, now: float) -> None:
        self._state = _State.STARTING
        self._start_error = None
        if self._was_started:
            self._tally.worker_restarted()
        self._was_started = True
        try:
            self._worker = WorkerProcess(self._context)
        except WorkerFailed as error:
            self._start_error = error
            self._on_failed_start("did not start")
            self._plan_start()
            return
        self._kill_at = now + self._policy.ready_timeout

    def _overdue(self, worker: WorkerProcess) -> None:
        if self._state is _State.STARTING:
            self._start_error = WorkerFailed(
                f"the worker was not ready after {self._policy.ready_timeout:g} s: give it more time (ready_timeout) "
                "or look at its messages for what it waits for"
            )
        self._kill_at = None
        worker.kill()

    def _ask_to_close(self, worker: WorkerProcess) -> None:
        if self._state is _State.STARTING:
            worker.kill()  # nobody needs it any more
        elif self._state is _State.READY:
            worker.send([protocol.CLOSE])
            self._state = _State.STOPPING

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            worker.release()

    def _on_message(self, worker: WorkerProcess, frames: protocol.Frames) -> None:
        kind = frames[0]
        if kind == protocol.HELLO:
            worker.forget_directory()
            worker.send(protocol.with_state(self._start_message, self._controls.state))
        elif kind == protocol.READY:
            self._state = _State.READY
            self._kill_at = None
            self._failed_starts = 0
            self._was_ready = True
            self._on_ready()
        elif kind == protocol.START_FAILED:
            self._start_error = protocol.unpack_error(frames)
        elif kind == protocol.STOPPING:
            self._state = _State.STOPPING
        elif kind == protocol.CLOSED:
            self._state = _State.ENDING
            self._kill_at = time.monotonic() + _EXIT_SECONDS
        elif kind in (protocol.DONE, protocol.FAILED):
            self._on_result(frames)
        elif kind == protocol.PROGRESS:
            tell(self._ledger.in_flight.get(int(frames[1])), protocol.unpack_progress(frames))
        elif kind == protocol.STATISTICS:
            self._tally.told(protocol.unpack_statistics(frames))
        elif kind in (protocol.CONTROLLED, protocol.CONTROL_FAILED):
            self._controls.on_answer(frames)

    def _on_result(self, frames: protocol.Frames) -> None:
        self._fruitless = 0
        ticket = self._ledger.finish(int(frames[1]))
        if ticket is None:
            return
        result: Document | InklaneError
        try:
            result = protocol.unpack_error(frames) if frames[0] == protocol.FAILED else protocol.unpack_document(frames)
        except Exception as error:
            log.exception("a result could not be unpacked")
            result = StageFailed(f"{ticket.request.name}: its result could not be unpacked: {error}")
        self._leave(ticket, result)

    def _on_death(self, worker: WorkerProcess) -> None:
        while frames := worker.receive(_LAST_WORDS_MS):
            self._on_message(worker, frames)
        self._worker = None
        self._kill_at = None
        end = worker.release()
        self._tally.worker_ended()
        self._controls.worker_ended(end)
        if self._state is _State.ENDING:
            for ticket in self._ledger.put_back():
                self._leave(ticket, None)
            return
        if self._closing and not self._ledger:
            return
        in_flight = list(self._ledger.in_flight.values())
        refused, unwanted = self._ledger.worker_died()
        for ticket in unwanted:
            self._leave(ticket, None)
        for ticket in refused:
            message = (
                f"{ticket.request.name}: refused, because the worker process ended twice while reading it (it {end}), "
                "the second time with no other document in it"
            )
            log.error(message)
            self._leave(ticket, WorkerCrashed(message))
        for ticket in in_flight:
            if ticket not in refused:
                tell(ticket, Progress(None, None, "restarted", 0))
        if self._state is _State.STARTING:
            self._on_failed_start(end)
        log.warning("the worker %s with %d documents in it; it is started again", end, len(in_flight))
        self._plan_start()

    def _plan_start(self) -> None:
        """At once after a worker that achieved something, else later and later."""
        self._fruitless += 1
        delay = 0.0 if self._fruitless == 1 else self._policy.start_delay * 2.0 ** min(self._fruitless - 2, 30)
        self._start_at = time.monotonic() + min(delay, _LONGEST_DELAY)

    def _on_failed_start(self, end: str) -> None:
        """Raises when it is not worth another try: the error that the worker gave, else how it ended."""
        self._failed_starts += 1
        # An error that the first start reports (a model that is missing) will not go away; a death may.
        hopeless = self._start_error is not None and not self._was_ready
        if hopeless or self._failed_starts >= self._policy.start_attempts:
            raise self._start_error or WorkerFailed(
                f"the worker process {end} while starting, {self._failed_starts} times in a row; "
                "its last messages are on the standard error stream"
            )

    # --- documents that leave ---------------------------------------------------------------------------------

    def _drop(self, ticket: Ticket | None, error: InklaneError | None = None) -> None:
        """Nobody wants this document any more (None: it is gone already)."""
        if ticket is None or not ticket.wanted:
            return
        if self._ledger.drop(ticket):
            self._leave(ticket, error)
            return
        if self._worker is not None:
            self._worker.send([protocol.CANCEL, protocol.pack_id(ticket.id)])
        if error is not None:
            resolve(ticket, error)

    def _leave(self, ticket: Ticket, result: Document | InklaneError | None) -> None:
        """A document has left the ledger. ``result`` None: its future is resolved already."""
        self._on_leave(ticket)
        if result is not None:
            resolve(ticket, result)
