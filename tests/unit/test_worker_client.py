"""The client and its worker process, with an engine that has no models."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pipeline.worker.client import WorkerClient
from schemas.document import Document
from schemas.errors import (
    Cancelled,
    DamagedFile,
    DeadlineExceeded,
    InklaneError,
    ModelError,
    QueueFull,
    StageFailed,
    WorkerFailed,
)
from schemas.requests import ReadOptions, ReadRequest
from tests.factories.fake_engine import PATIENCE, Control, FakeEngine, FakeSettings, build

FACTORY = "tests.factories.fake_engine:build"
Make = Callable[..., WorkerClient]


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    control = Control(tmp_path)
    yield control
    control.close()


@pytest.fixture
def make(control: Control) -> Iterator[Make]:
    clients: list[WorkerClient] = []

    def make(settings: FakeSettings | None = None, **options: Any) -> WorkerClient:
        clients.append(WorkerClient(FACTORY, settings or control.settings(), start_delay=0.0, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close(timeout=0.0)


def request(name: str, **values: Any) -> ReadRequest:
    return ReadRequest(b"", name, **values)


def started(control: Control) -> list[str]:
    return [e.name for e in control.drain() if e.kind == "started"]


def error_of(future: Future[Document]) -> BaseException | None:
    return future.exception(PATIENCE)


# --- reading ------------------------------------------------------------------------------------------------------


def test_bytes_paths_and_options_reach_the_engine(make: Make, tmp_path: Path) -> None:
    client = make()
    path = tmp_path / "发票 é.bin"
    path.write_bytes(b"in a file")
    options = ReadOptions(pages=(2, 3), words=True)
    by_bytes = client.submit(ReadRequest(b"as bytes", "a", options))
    by_path = client.submit(ReadRequest(path, path.name))
    first, second = by_bytes.result(PATIENCE), by_path.result(PATIENCE)
    told: tuple[dict[str, Any], dict[str, Any]] = (dict(first.fields), dict(second.fields))
    assert (first.file, told[0]["content"], told[0]["options"]) == ("a", b"as bytes", options)
    assert (second.file, told[1]["content"]) == (path.name, b"in a file")
    assert told[0]["pid"] == told[1]["pid"] == client.worker_pid != os.getpid()


def test_a_closed_terminal_does_not_end_the_worker(make: Make, control: Control) -> None:
    client = make()
    pid = client.worker_pid
    assert pid is not None
    control.gate("hang")
    reading = client.submit(request("hang"))
    control.wait_for("started", "hang")
    os.kill(pid, signal.SIGHUP)  # acted upon, if at all, before the worker reads what is sent to it now
    control.release("hang")
    for document in (reading, client.submit(request("next"))):
        told: dict[str, Any] = dict(document.result(PATIENCE).fields)
        assert told["pid"] == pid
    assert client.statistics().worker_restarts == 0


@pytest.mark.parametrize("factory", [build, FakeEngine, "tests.factories.fake_engine:FakeEngine"])
def test_functions_classes_and_places_are_factories(factory: Any, control: Control) -> None:
    with WorkerClient(factory, control.settings()) as client:
        assert client.submit(request("a")).result(PATIENCE).file == "a"


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("bad", DamagedFile, "bad: damaged"),
        ("unexpected", StageFailed, "ValueError: something odd"),
        ("refuse", StageFailed, "ValueError: not today"),
        ("unpicklable", StageFailed, "local object"),
    ],
)
def test_an_error_reaches_its_document_and_no_other(make: Make, name: str, kind: type[Exception], text: str) -> None:
    client = make()
    futures = [client.submit(request(n)) for n in ("a", name, "b")]
    error = error_of(futures[1])
    assert type(error) is kind
    assert text in str(error)
    assert [futures[i].result(PATIENCE).file for i in (0, 2)] == ["a", "b"]


def test_the_most_urgent_goes_first(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    futures = [client.submit(request("hang"))]
    control.wait_for("started", "hang")
    futures += [client.submit(request(f"p{p}", priority=p)) for p in (2, 0, 1)]
    control.release("hang")
    for future in futures:
        future.result(PATIENCE)
    assert started(control) == ["hang", "p0", "p1", "p2"]


@pytest.mark.parametrize("options", [{"max_in_flight": 0}, {"max_waiting": -1}, {"start_attempts": 0}])
def test_bounds_that_cannot_work_are_refused(make: Make, options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        make(**options)


@pytest.mark.parametrize("factory", [lambda _: None, "no_colon", ":x", "a:", "__main__:build", "a:b-c"])
def test_factories_that_cannot_be_imported_are_refused(factory: Any) -> None:
    with pytest.raises(TypeError, match="cannot import"):
        WorkerClient(factory)


# --- room ---------------------------------------------------------------------------------------------------------


def test_without_room_submit_refuses_or_blocks(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1, max_waiting=1)
    futures = [client.submit(request("hang")), client.submit(request("a"))]
    with pytest.raises(QueueFull, match="try again"):
        client.submit(request("b"), block=False)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        blocked = pool.submit(client.submit, request("c"))
        control.wait_for("started", "hang")
        assert not blocked.done()
        control.release("hang")
        futures.append(blocked.result(PATIENCE))
    assert [f.result(PATIENCE).file for f in futures] == ["hang", "a", "c"]
    assert "b" not in started(control)


def test_closing_wakes_a_blocked_submit(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1, max_waiting=0)
    client.submit(request("hang"))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        blocked = pool.submit(client.submit, request("a"))
        client.close(timeout=0.0)
        with pytest.raises(WorkerFailed, match="closed"):
            blocked.result(PATIENCE)


def test_a_callback_may_submit_although_there_is_no_room(make: Make) -> None:
    client = make(max_in_flight=1, max_waiting=0)
    chained: Future[Future[Document]] = Future()
    client.submit(request("a")).add_done_callback(lambda _: chained.set_result(client.submit(request("b"))))
    assert chained.result(PATIENCE).result(PATIENCE).file == "b"


# --- cancelling and deadlines -------------------------------------------------------------------------------------


def test_cancelling_a_running_document_frees_its_slot(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1, max_waiting=0)
    future = client.submit(request("hang"))
    control.wait_for("started", "hang")
    assert future.cancel()
    control.wait_for("cancelled", "hang")
    assert concurrent.futures.wait([future], PATIENCE).done == {future}
    assert client.submit(request("next")).result(PATIENCE).file == "next"


def test_a_cancelled_document_that_waits_never_reaches_the_engine(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    first, unwanted, last = (client.submit(request(n)) for n in ("hang", "unwanted", "last"))
    assert unwanted.cancel()
    control.release("hang")
    first.result(PATIENCE)
    last.result(PATIENCE)
    assert started(control) == ["hang", "last"]


def test_cancelling_a_finished_document_changes_nothing(make: Make) -> None:
    client = make()
    future = client.submit(request("a"))
    document = future.result(PATIENCE)
    assert not future.cancel()
    assert future.result() is document


@pytest.mark.parametrize("running", [True, False])
def test_a_deadline_ends_a_document_wherever_it_is(make: Make, control: Control, running: bool) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    soon = time.monotonic() + 0.05
    hang = client.submit(request("hang", deadline=soon if running else None))
    late = hang if running else client.submit(request("late", deadline=soon))
    assert isinstance(error_of(late), DeadlineExceeded)
    if not running:
        control.release("hang")
        hang.result(PATIENCE)
    assert client.submit(request("next")).result(PATIENCE).file == "next"
    assert "late" not in started(control)


# --- starting -----------------------------------------------------------------------------------------------------


def test_the_engines_error_at_the_start_is_raised(make: Make, control: Control) -> None:
    with pytest.raises(ModelError, match="install it"):
        make(control.settings("model-error"))
    assert len([e for e in control.drain() if e.kind == "building"]) == 1


@pytest.mark.parametrize(
    ("start", "options", "text"),
    [
        ("unexpected", {}, "ValueError: something odd"),
        ("die", {}, "SIGKILL.*2 times in a row"),
        ("hang", {"ready_timeout": 1.0}, "not ready after 1 s"),
    ],
)
def test_other_failures_at_the_start_are_described(
    make: Make, control: Control, start: str, options: dict[str, float], text: str
) -> None:
    with pytest.raises(WorkerFailed, match=text):
        make(control.settings(start), start_attempts=2, **options)


@pytest.mark.parametrize("factory", ["no_such_module:build", "tests.factories.fake_engine:nothing"])
def test_a_factory_that_is_not_there_is_described(factory: str) -> None:
    with pytest.raises(WorkerFailed, match="could not start: .*(no_such_module|nothing)"):
        WorkerClient(factory)


def test_a_start_that_dies_is_tried_again(make: Make, control: Control) -> None:
    client = make(control.settings("die", bad_starts=2), start_attempts=3)
    assert client.submit(request("a")).result(PATIENCE).file == "a"


@pytest.mark.parametrize(("start", "kind"), [("model-error", ModelError), ("die", WorkerFailed)])
def test_a_worker_that_cannot_be_started_again_fails_everything(
    make: Make, control: Control, start: str, kind: type[InklaneError]
) -> None:
    control.gate("hang")
    client = make(control.settings(start, healthy_starts=1), start_attempts=2, max_in_flight=1)
    futures = [client.submit(request(n)) for n in ("hang", "a")]
    os.kill(control.wait_for("started", "hang").pid, signal.SIGKILL)
    errors = [error_of(f) for f in futures]
    assert [type(e) for e in errors] == [kind, kind]
    assert errors[0] is not errors[1]
    with pytest.raises(kind):
        client.submit(request("b"))


# --- closing ------------------------------------------------------------------------------------------------------


def test_close_finishes_what_was_accepted(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    futures = [client.submit(request(n)) for n in ("hang", "a", "b")]
    closer = threading.Thread(target=client.close)
    closer.start()
    with client._changed:
        client._changed.wait_for(lambda: client._closed, PATIENCE)
    with pytest.raises(WorkerFailed, match="closed"):
        client.submit(request("c"))
    control.release("hang")
    closer.join(PATIENCE)
    assert [f.result(0).file for f in futures] == ["hang", "a", "b"]
    control.wait_for("closed")
    client.close()


def test_close_fails_what_is_not_done_in_time(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    futures = [client.submit(request(n)) for n in ("hang", "a")]
    pid = control.wait_for("started", "hang").pid
    client.close(timeout=0.01)
    for name, future in zip(("hang", "a"), futures, strict=True):
        error = error_of(future)
        assert isinstance(error, Cancelled)
        assert name in error.message
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_callback_may_close(make: Make) -> None:
    client = make()
    future = client.submit(request("a"))
    future.add_done_callback(lambda _: client.close())
    assert future.result(PATIENCE).file == "a"
    client.close()
    assert client.worker_pid is None


def test_a_fault_in_the_clients_thread_fails_everything(
    make: Make, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    control.gate("hang")
    client = make()
    futures = [client.submit(request("hang"))]
    pid = control.wait_for("started", "hang").pid

    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(client._supervisor, "_send_documents", fail)
    futures.append(client.submit(request("a")))
    for future in futures:
        error = error_of(future)
        assert isinstance(error, WorkerFailed)
        assert "a defect" in error.message
    client.close()
    with pytest.raises(WorkerFailed, match="a defect"):
        client.submit(request("b"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_twenty_lives_leave_nothing_behind(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    places = control.directory / "tmp"
    places.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(places))
    pids = []

    def live() -> None:
        with WorkerClient(FACTORY, control.settings()) as client:
            client.submit(request("a")).result(PATIENCE)
            pids.append(client.worker_pid)
            assert list(places.iterdir()) == []  # gone as soon as the worker has connected

    live()
    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    for _ in range(20):
        live()
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before
    for pid in pids:
        assert pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
