"""Workers that die, and parents that die: what is lost, what is blamed, what is left."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pipeline.worker import protocol
from pipeline.worker.client import WorkerClient
from pipeline.worker.ledger import Ticket
from pipeline.worker.process import WorkerProcess
from schemas.document import Document
from schemas.errors import WorkerCrashed
from schemas.requests import ReadRequest
from tests.factories.fake_engine import PATIENCE, Control

FACTORY = "tests.factories.fake_engine:build"
ROOT = Path(__file__).resolve().parents[2]
Make = Callable[..., WorkerClient]


def told(document: Document, name: str) -> object:
    """What the fake engine says beside the result, in the place of fields."""
    return document.fields[name]


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    control = Control(tmp_path)
    yield control
    control.close()


@pytest.fixture
def make(control: Control) -> Iterator[Make]:
    clients: list[WorkerClient] = []

    def make(**options: Any) -> WorkerClient:
        clients.append(WorkerClient(FACTORY, control.settings(), start_delay=0.0, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close(timeout=0.0)


def submit(client: WorkerClient, names: list[str], results: Counter[str] | None = None) -> list[Future[Document]]:
    futures = []
    for name in names:
        future = client.submit(ReadRequest(b"", name))
        if results is not None:
            future.add_done_callback(functools.partial(count, results, name))
        futures.append(future)
    return futures


def count(results: Counter[str], name: str, _: Future[Document]) -> None:
    results[name] += 1


def starts(control: Control) -> Counter[str]:
    return Counter(e.name for e in control.drain() if e.kind == "started")


@pytest.mark.parametrize("max_in_flight", [1, 6, 40])
def test_a_kill_in_the_middle_of_forty_loses_nothing_and_doubles_nothing(
    make: Make, control: Control, max_in_flight: int
) -> None:
    """Documents before, beside and after the one during which the worker is killed."""
    client = make(max_in_flight=max_in_flight)
    control.gate("hang")
    names = [f"d{n}" for n in range(20)] + ["hang"] + [f"d{n}" for n in range(20, 39)]
    results: Counter[str] = Counter()
    futures = submit(client, names, results)
    first = control.wait_for("started", "hang")
    os.kill(first.pid, signal.SIGKILL)
    second = control.wait_for("started", "hang")
    assert second.pid != first.pid
    control.release("hang")
    assert [f.result(PATIENCE).file for f in futures] == names
    client.close()  # after which every callback has run
    assert results == Counter(names)
    assert max(starts(control).values()) == 2  # once more, and not again


@pytest.mark.parametrize("way", ["kill", "segv", "exit"])
def test_poison_is_refused_by_name_and_the_other_thirty_nine_are_read(make: Make, control: Control, way: str) -> None:
    client = make(max_in_flight=8)
    poison = f"poison-{way}"
    names = [f"d{n}" for n in range(10)] + [poison] + [f"d{n}" for n in range(10, 39)]
    futures = submit(client, names)
    error = futures[10].exception(PATIENCE)
    assert isinstance(error, WorkerCrashed)
    assert poison in error.message
    assert [f.result(PATIENCE).file for f in futures if f is not futures[10]] == [n for n in names if n != poison]
    assert starts(control)[poison] == 2


def test_those_who_shared_the_worker_are_tried_alone_and_not_blamed(make: Make, control: Control) -> None:
    """Two killers and three innocent documents, all of them running at the first death."""
    innocent = ["hang-1", "hang-2", "hang-3"]
    for name in innocent:
        control.gate(name)
    client = make()
    futures = submit(client, innocent)
    control.wait_for_each("started", innocent)
    killers = submit(client, ["poison-a", "poison-b"])
    for name in innocent:
        control.wait_for("started", name)
        running = [e for e in control.drain() if e.kind == "started"]
        assert running[-1].name == name, "something runs beside a suspect"
        control.release(name)
    assert [f.result(PATIENCE).file for f in futures] == innocent
    for name, future in zip(["poison-a", "poison-b"], killers, strict=True):
        error = future.exception(PATIENCE)
        assert isinstance(error, WorkerCrashed)
        assert name in error.message
    assert all(starts(control)[name] == 2 for name in innocent)


def test_a_cancelled_document_is_not_tried_again(make: Make, control: Control) -> None:
    control.gate("hang-1")
    control.gate("hang-2")
    client = make()
    kept, dropped = submit(client, ["hang-1", "hang-2"])
    control.wait_for_each("started", ["hang-1", "hang-2"])
    pid = client.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)  # so that it cannot answer the cancellation
    assert dropped.cancel()
    os.kill(pid, signal.SIGKILL)
    control.wait_for("started", "hang-1")
    control.release("hang-1")
    assert kept.result(PATIENCE).file == "hang-1"
    assert starts(control)["hang-2"] == 1


def test_a_worker_whose_reader_is_broken_is_replaced(make: Make, control: Control) -> None:
    client = make()
    first = client.worker_pid
    document = submit(client, ["broken"])[0].result(PATIENCE)
    assert told(document, "pid") not in (first, None)
    assert starts(control) == Counter({"broken": 2})


def test_an_idle_worker_that_dies_is_replaced_before_it_is_needed(make: Make, control: Control) -> None:
    client = make()
    first = control.wait_for("built").pid
    os.kill(first, signal.SIGKILL)
    assert control.wait_for("built").pid != first
    assert submit(client, ["a"])[0].result(PATIENCE).file == "a"


def test_sigterm_finishes_what_runs_and_the_next_worker_takes_the_rest(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    futures = submit(client, ["hang", "a"])
    first = control.wait_for("started", "hang").pid
    os.kill(first, signal.SIGTERM)
    control.release("hang")
    assert [f.result(PATIENCE).file for f in futures] == ["hang", "a"]
    assert control.wait_for("closed").pid == first
    assert told(submit(client, ["b"])[0].result(PATIENCE), "pid") != first
    assert starts(control) == Counter(["hang", "a", "b"])


def test_what_a_stopping_worker_ignores_is_read_by_the_next_one(
    make: Make, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document that was on its way when the worker said that it stops."""
    control.gate("hang")
    client = make()
    futures = submit(client, ["hang"])
    first = control.wait_for("started", "hang").pid
    on_message = client._supervisor._on_message
    said, sent = threading.Event(), threading.Event()
    take_next = client._supervisor._ledger.next

    def watched() -> Ticket | None:
        ticket = take_next()
        if ticket is not None:
            sent.set()
        return ticket

    def deaf(worker: WorkerProcess, frames: protocol.Frames) -> None:
        if frames[0] == protocol.STOPPING:
            said.set()
        else:
            on_message(worker, frames)

    monkeypatch.setattr(client._supervisor, "_on_message", deaf)
    monkeypatch.setattr(client._supervisor._ledger, "next", watched)
    os.kill(first, signal.SIGTERM)
    assert said.wait(PATIENCE)
    futures += submit(client, ["late"])
    assert sent.wait(PATIENCE)
    control.release("hang")
    assert [f.result(PATIENCE).file for f in futures] == ["hang", "late"]
    assert told(futures[1].result(), "pid") != first
    assert starts(control) == Counter(["hang", "late"])


def test_sigint_is_left_to_the_parent(make: Make) -> None:
    client = make()
    pid = client.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGINT)
    assert told(submit(client, ["a"])[0].result(PATIENCE), "pid") == pid


PARENT = """
import sys
from pathlib import Path
from pipeline.worker.client import WorkerClient
from schemas.requests import ReadRequest
from tests.factories.fake_engine import FakeSettings

client = WorkerClient("tests.factories.fake_engine:build", FakeSettings(Path(sys.argv[1]), sys.argv[2]))
client.submit(ReadRequest(b"", sys.argv[3])).result()
"""


@pytest.mark.parametrize(
    ("start", "document", "moment"),
    [
        ("hang", "-", ("building", "-")),
        pytest.param(
            "hold-the-lock",
            "-",
            ("building", "-"),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's parent death signal"),
        ),
        ("ok", "hang", ("started", "hang")),
    ],
)
def test_a_killed_parent_leaves_no_orphan(
    control: Control, tmp_path: Path, start: str, document: str, moment: tuple[str, str]
) -> None:
    control.gate("hang")
    places = tmp_path / "tmp"
    places.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path), start, document],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(places)},
        stderr=subprocess.PIPE,
    )
    worker = control.wait_for(*moment).pid
    assert worker != parent.pid
    parent.kill()
    # The worker has the same standard error: it ends when both are gone.
    parent.communicate(timeout=PATIENCE)
    assert list(places.iterdir()) == []


def test_a_script_that_forgets_to_close_ends_and_takes_its_worker_along(control: Control, tmp_path: Path) -> None:
    script = PARENT + "\nprint(client.worker_pid)\n"
    places = tmp_path / "tmp"
    places.mkdir()
    done = subprocess.run(
        [sys.executable, "-"],  # no file that a spawned process could run again
        input=script.replace("sys.argv[1]", repr(str(tmp_path)))
        .replace("sys.argv[2]", "'noisy'")
        .replace("sys.argv[3]", "'a'"),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(places)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "noise\n")  # not among the script's own output
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
    assert list(places.iterdir()) == []
