"""A reader without models for tests of the worker: what a document does is in its name, and nothing is timed.

The engine tells the test what happens through one named pipe, and a document called ``hang...`` waits until the test
writes to a pipe of that document's own.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import select
import signal
import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.document import Document
from schemas.errors import DamagedFile, ModelError, WorkerFailed
from schemas.progress import OnProgress, Progress
from schemas.requests import ReadRequest
from schemas.statistics import StageFigures, WorkerStatistics

PATIENCE = 60.0  # seconds until a test that waits for an event fails


@dataclass(slots=True, frozen=True)
class FakeSettings:
    """``start`` is what the engine does when built: ok, model-error, unexpected, die, hang, hold-the-lock or noisy.

    The starts from number ``healthy_starts`` on do so, ``bad_starts`` of them.
    """

    control: Path
    start: str = "ok"
    healthy_starts: int = 0
    bad_starts: int = 1_000_000


@dataclass(slots=True, frozen=True)
class Event:
    kind: str
    name: str
    pid: int


class Control:
    """The test's end of the pipes."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.seen: list[Event] = []
        os.mkfifo(directory / "events")
        self._events = os.open(directory / "events", os.O_RDWR)
        self._gates: dict[str, int] = {}
        self._rest = b""

    def settings(self, start: str = "ok", healthy_starts: int = 0, bad_starts: int = 1_000_000) -> FakeSettings:
        return FakeSettings(self.directory, start, healthy_starts, bad_starts)

    def gate(self, name: str) -> None:
        """Make the pipe that the document waits at. It keeps what is written while no worker is there."""
        os.mkfifo(self.directory / name)
        self._gates[name] = os.open(self.directory / name, os.O_RDWR)

    def release(self, name: str) -> None:
        os.write(self._gates[name], b"x")

    def wait_for(self, kind: str, name: str = "-") -> Event:
        """Read events until this one comes."""
        while True:
            event = self._next(f"{kind} {name}")
            if (event.kind, event.name) == (kind, name):
                return event

    def _next(self, expected: str) -> Event:
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._events], [], [], PATIENCE)
            assert ready, f"no event {expected}; seen: {self.seen}"
            self._rest += os.read(self._events, 65536)
        line, self._rest = self._rest.split(b"\n", 1)
        kind, name, pid = line.decode().split(" ")
        self.seen.append(Event(kind, name, int(pid)))
        return self.seen[-1]

    def wait_for_each(self, kind: str, names: Iterable[str]) -> None:
        """Read events until each of these has come, in any order."""
        missing = set(names)
        while missing:
            event = self._next(f"{kind} {sorted(missing)}")
            if event.kind == kind:
                missing.discard(event.name)

    def drain(self) -> list[Event]:
        """All events so far."""
        self.tell("drained")
        self.wait_for("drained")
        return self.seen

    def tell(self, kind: str, name: str = "-") -> None:
        os.write(self._events, f"{kind} {name} {os.getpid()}\n".encode())

    def close(self) -> None:
        for fd in (self._events, *self._gates.values()):
            os.close(fd)


class FakeEngine:
    """Every document in a thread of its own."""

    def __init__(self, settings: FakeSettings) -> None:
        self._control = settings.control
        self._events = os.open(settings.control / "events", os.O_WRONLY)
        self._threads: list[threading.Thread] = []
        self._progress: dict[int, OnProgress] = {}
        self._documents = 0
        self.state: Any = None
        self._tell("building")
        starts = settings.control / "starts"
        count = int(starts.read_text() or 0) if starts.exists() else 0  # empty while another worker writes it
        starts.write_text(str(count + 1))
        if settings.healthy_starts <= count < settings.healthy_starts + settings.bad_starts:
            _start(settings.start)
        self._tell("built")

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        if on_progress is not None:
            self._progress[request.id] = on_progress
            on_progress(Progress(None, 2, "opened", 0))
        self._documents += 1
        if request.name.startswith("refuse"):
            raise ValueError("not today")
        future: Future[Document] = Future()
        wake, woken = os.pipe()
        future.add_done_callback(lambda _: os.close(woken))  # the other end becomes readable
        thread = threading.Thread(target=self._read, args=(request, future, wake), daemon=True)
        self._threads.append(thread)
        thread.start()
        return future

    def close(self) -> None:
        for thread in self._threads:
            thread.join()
        self._tell("closed")

    def statistics(self) -> WorkerStatistics:
        """One item a document."""
        figures = StageFigures(Counter({1: self._documents}), self._documents, lanes=2)
        return WorkerStatistics({"open": figures}, models={"recognition": str(self.state)})

    def restore(self, state: Any) -> None:
        self.state = state

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        """``remember`` keeps a value, which a later engine gets back; ``refuse``, ``die`` and ``wait`` say what."""
        answer: Future[dict[str, Any]] = Future()
        self._tell("control", command)
        if command == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif command == "refuse":
            answer.set_exception(ModelError("not this one"))
        elif command == "unexpected":
            answer.set_exception(ValueError("something odd"))
        elif command != "wait":
            self.state = arguments["value"] if command == "remember" else self.state
            answer.set_result({"command": command, "state": self.state, "pid": os.getpid(), **arguments})
        return answer

    def _tell(self, kind: str, name: str = "-") -> None:
        os.write(self._events, f"{kind} {name} {os.getpid()}\n".encode())

    def _read(self, request: ReadRequest, future: Future[Document], wake: int) -> None:
        name = request.name
        self._tell("started", name)
        if name.startswith("poison"):
            _die(name)
        if name.startswith("broken") and (self._control / "starts").read_text() == "1":
            future.set_exception(WorkerFailed("a thread has died"))
            return
        if name.startswith("hang"):
            gate = os.open(self._control / name, os.O_RDWR)
            ready, _, _ = select.select([gate, wake], [], [])
            if gate in ready:
                os.read(gate, 1)
            os.close(gate)
        if future.cancelled():
            self._tell("cancelled", name)
        elif name.startswith("bad"):
            future.set_exception(DamagedFile(f"{name}: damaged"))
        elif name.startswith("unexpected"):
            future.set_exception(ValueError("something odd"))
        else:
            on_progress = self._progress.pop(request.id, None)
            if on_progress is not None:
                for page in (1, 2):
                    on_progress(Progress(page, 2, "done", page))
            future.set_result(_document(request))
        os.close(wake)


def build(settings: FakeSettings) -> FakeEngine:
    """The same as a function."""
    return FakeEngine(settings)


def _document(request: ReadRequest) -> Document:
    content = request.source.read_bytes() if isinstance(request.source, Path) else request.source
    told: dict[str, Any] = {"pid": os.getpid(), "content": content, "options": request.options}  # no fields, but handy
    if request.name.startswith("unpicklable"):
        told["function"] = lambda: None
    return Document(request.name, fields=told)


def _die(name: str) -> None:
    if name.endswith("segv"):
        faulthandler.disable()  # no stack on the terminal
        os.kill(os.getpid(), signal.SIGSEGV)
    elif name.endswith("exit"):
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)


def _start(kind: str) -> None:
    if kind == "model-error":
        raise ModelError("the model is missing: install it")
    if kind == "unexpected":
        raise ValueError("something odd")
    if kind == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if kind == "hang":
        threading.Event().wait()
    if kind == "noisy":
        os.write(1, b"noise\n")
    if kind == "hold-the-lock":
        ctypes.PyDLL(None).pause()  # PyDLL keeps Python's lock
