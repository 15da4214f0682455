"""The worker's side: builds the reader, feeds it documents, sends results back.

A reader that is broken for good (a thread of it has died, say) tells so by ``WorkerFailed``, raised by ``submit`` or
as a document's error: the process then ends, and the client starts another and has the documents read again. So it
does when one batch never ends (native code that loops over a page made for it, say), which no thread could stop.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import functools
import importlib
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NoReturn

import zmq

from pipeline.worker import protocol
from pipeline.worker.push import StatisticsPush
from pipeline.worker.wakeup import Wakeup
from schemas.document import Document
from schemas.errors import Cancelled, InklaneError, InvalidRequest, StageFailed, WorkerFailed
from schemas.progress import Progress
from schemas.requests import Reader, ReadRequest

_PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>
_EX_SOFTWARE = 70  # from <sysexits.h>
_FLUSH_MS = 10_000
_LOOK_MS = 1000  # between looks at whether the reader is stuck, and between its figures
_STUCK_SECONDS = 120.0  # that one batch of a stage may take: a page, or a few
_CLOSE_SECONDS = 30.0  # for releasing the models when all documents are done


def main(endpoint: str, lifeline: int) -> NoReturn:
    """Run the worker until the client closes it, SIGTERM asks it to finish, or its parent is gone.

    Args:
        endpoint: the ZeroMQ address to connect to.
        lifeline: a file descriptor whose other end the parent holds.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked by the parent until it is ignored
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # so does a closed terminal, or who wants models loaded anew
    faulthandler.enable()
    _die_with_parent(lifeline)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.PAIR)
    socket.set(zmq.SNDHWM, 0)
    socket.set(zmq.RCVHWM, 0)
    socket.set(zmq.LINGER, _FLUSH_MS)
    socket.connect(endpoint)
    socket.send_multipart([protocol.HELLO])
    status = 0
    try:
        reader = _build(socket.recv_multipart())
    except Exception as error:
        if not isinstance(error, InklaneError):
            traceback.print_exc()
            error = WorkerFailed(f"the worker could not start: {type(error).__name__}: {error}")
        socket.send_multipart(protocol.pack_error(protocol.START_FAILED, error))
        status = 1
    else:
        _Server(reader, socket).run()
    socket.close()
    context.term()  # waits until everything is sent
    sys.stdout.flush()
    sys.stderr.flush()
    # All is released and sent; tearing down native runtimes at interpreter exit can only crash or hang.
    os._exit(status)


def _build(start: protocol.Frames) -> Reader:
    factory, settings = protocol.unpack_start(start)
    module, _, name = factory.partition(":")
    target: Any = importlib.import_module(module)
    for part in name.split("."):
        target = getattr(target, part)
    reader: Reader = target(settings)
    state = protocol.unpack_state(start)
    if state is not None:
        reader.restore(state)  # type: ignore[attr-defined]  # whatever gives a state takes it back
    return reader


def _die_with_parent(lifeline: int) -> None:
    """End this process when the parent is gone, however it went: nobody is left to read for."""
    os.set_inheritable(lifeline, False)
    if sys.platform == "linux":  # works even while native code holds Python's lock
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def watch() -> None:
        with contextlib.suppress(OSError):
            os.read(lifeline, 1)  # nothing is ever written: it ends when the other end is closed
        os._exit(1)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


class _Server:
    """Talks on the main thread; a second thread hands documents to the reader, which may make it wait for room."""

    def __init__(self, reader: Reader, socket: zmq.Socket[bytes]) -> None:
        self._reader = reader
        self._socket = socket
        self._wakeup = Wakeup()
        self._terminated = False  # by SIGTERM
        self._stopping = False
        self._lock = threading.Lock()
        self._open: dict[int, Future[Document] | None] = {}  # None: not handed to the reader yet
        self._cancelled: set[int] = set()
        self._todo: queue.PriorityQueue[tuple[int, int, ReadRequest | None]] = queue.PriorityQueue()
        self._progress: set[int] = set()  # documents whose client wants to know
        self._said: queue.SimpleQueue[tuple[int, Future[Document]] | protocol.Frames] = queue.SimpleQueue()
        self._statistics = StatisticsPush(reader, socket)

    def run(self) -> None:
        """Serve until told to stop; then finish what is running and close the reader."""
        self._wakeup.set_on_signals()
        signal.signal(signal.SIGTERM, self._on_sigterm)
        feeder = threading.Thread(target=_or_exit(self._feed), name="feeder", daemon=True)
        feeder.start()
        self._socket.send_multipart([protocol.READY])
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._wakeup.fileno(), zmq.POLLIN)
        while True:
            self._wakeup.clear()
            if self._terminated and not self._stopping:
                self._stopping = True
                self._socket.send_multipart([protocol.STOPPING])
            self._send_said()
            self._statistics.push_if_due()
            if self._stopping and not self._open:
                break
            poller.poll(_LOOK_MS)
            _end_if_stuck(self._reader)
            while self._socket.poll(0):
                self._on_message(self._socket.recv_multipart())
        self._todo.put((sys.maxsize, sys.maxsize, None))
        feeder.join()
        limit = threading.Timer(_CLOSE_SECONDS, os._exit, (1,))
        limit.daemon = True
        limit.start()
        self._reader.close()
        self._send_said()
        self._statistics.push()
        self._socket.send_multipart([protocol.CLOSED])

    def _on_sigterm(self, *_: object) -> None:
        self._terminated = True

    def _on_message(self, frames: protocol.Frames) -> None:
        if frames[0] == protocol.READ:
            if self._stopping:
                return  # still in flight for the client, which sends it to the next worker
            ticket, request = protocol.unpack_read(frames)
            with self._lock:
                self._open[ticket] = None
                if protocol.wants_progress(frames):
                    self._progress.add(ticket)
            self._todo.put((request.priority, ticket, request))
        elif frames[0] == protocol.CANCEL:
            self._cancel(int(frames[1]))
        elif frames[0] == protocol.CONTROL:
            self._control(*protocol.unpack_control(frames))
        elif frames[0] == protocol.CLOSE:
            self._stopping = True

    def _cancel(self, ticket: int) -> None:
        with self._lock:
            if ticket not in self._open:
                return  # the result has crossed the cancellation
            self._cancelled.add(ticket)
            future = self._open[ticket]
        if future is not None:
            future.cancel()

    def _feed(self) -> None:
        while True:
            _, ticket, request = self._todo.get()
            if request is None:
                return
            with self._lock:
                unwanted = ticket in self._cancelled
            future: Future[Document] = Future()
            if unwanted:
                future.cancel()
            else:
                try:
                    future = self._submit(ticket, request)
                except Exception as error:
                    future.set_exception(error)
            with self._lock:
                self._open[ticket] = future
                unwanted = ticket in self._cancelled
            if unwanted:  # it came while the reader had no room
                future.cancel()
            future.add_done_callback(functools.partial(self._on_done, ticket))

    def _submit(self, ticket: int, request: ReadRequest) -> Future[Document]:
        if ticket not in self._progress:
            return self._reader.submit(request)

        def tell(step: Progress) -> None:
            self._say(protocol.pack_progress(ticket, step))

        reader: Any = self._reader  # one that is asked for progress can tell it
        future: Future[Document] = reader.submit(request, on_progress=tell)
        return future

    def _on_done(self, ticket: int, future: Future[Document]) -> None:
        self._say((ticket, future))

    def _say(self, what: tuple[int, Future[Document]] | protocol.Frames) -> None:
        self._said.put(what)
        self._wakeup.set()

    def _send_said(self) -> None:
        while True:
            try:
                said = self._said.get_nowait()
            except queue.Empty:
                return
            if isinstance(said, list):
                self._socket.send_multipart(said)
                continue
            ticket, future = said
            self._socket.send_multipart(_answer(ticket, future))
            with self._lock:
                del self._open[ticket]
                self._cancelled.discard(ticket)
                self._progress.discard(ticket)

    def _control(self, number: int, command: str, arguments: dict[str, Any]) -> None:
        if command == "statistics":
            self._statistics.push()
            self._say(protocol.pack_answer(number, {}))
            return
        control: Callable[..., Future[dict[str, Any]]] | None = getattr(self._reader, "control", None)
        if control is None:
            self._say(protocol.pack_error(protocol.CONTROL_FAILED, InvalidRequest(f"no command {command}"), number))
        else:
            control(command, **arguments).add_done_callback(functools.partial(self._on_controlled, number))

    def _on_controlled(self, number: int, done: Future[dict[str, Any]]) -> None:
        try:
            state = protocol.pack_state(getattr(self._reader, "state", None))
            frames = protocol.pack_answer(number, done.result(), state)
        except Exception as cause:  # noqa: BLE001 - the command's own, or an answer that cannot be packed
            error = cause if isinstance(cause, InklaneError) else StageFailed(f"{type(cause).__name__}: {cause}")
            frames = protocol.pack_error(protocol.CONTROL_FAILED, error, number)
        self._say(frames)


def _answer(ticket: int, future: Future[Document]) -> protocol.Frames:
    """The message that carries what became of a document."""
    error = Cancelled("the document was cancelled") if future.cancelled() else future.exception()
    if error is None:
        try:
            return protocol.pack_document(ticket, future.result())
        except Exception as cause:
            error = cause
    if isinstance(error, WorkerFailed):  # the reader is broken for good: a new process may do better
        traceback.print_exception(error)
        os._exit(_EX_SOFTWARE)
    if not isinstance(error, InklaneError):
        traceback.print_exception(error)
        error = StageFailed(f"an unexpected error while reading: {type(error).__name__}: {error}")
    return protocol.pack_error(protocol.FAILED, error, ticket)


def _end_if_stuck(reader: Reader) -> None:
    """End the process if a batch has run for too long. Readers that do not tell (``running_for``) are trusted."""
    seconds: float = getattr(reader, "running_for", 0.0)
    if seconds > _STUCK_SECONDS:
        print(f"inklane: stuck for {seconds:.0f} s; the worker ends, its threads were here:", file=sys.stderr)
        faulthandler.dump_traceback(sys.stderr)
        os._exit(_EX_SOFTWARE)


def _or_exit(target: Callable[[], None]) -> Callable[[], None]:
    """A thread without which the worker would hang takes it down instead; the client starts a new one."""

    def run() -> None:
        try:
            target()
        except BaseException:
            traceback.print_exc()
            os._exit(_EX_SOFTWARE)

    return run
