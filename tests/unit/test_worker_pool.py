"""Several workers behind one reader."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pipeline.worker.pool import WorkerPool
from schemas.document import Document
from schemas.errors import InvalidRequest, ModelError, QueueFull, WorkerFailed
from schemas.requests import ReadRequest
from tests.factories.fake_engine import PATIENCE, Control, FakeSettings

FACTORY = "tests.factories.fake_engine:build"


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    control = Control(tmp_path)
    yield control
    control.close()


@pytest.fixture
def pool(control: Control) -> Iterator[WorkerPool]:
    with WorkerPool(FACTORY, [control.settings()] * 2, max_in_flight=1, max_waiting=1, start_delay=0.0) as made:
        yield made


def request(name: str) -> ReadRequest:
    return ReadRequest(b"", name)


def occupy(pool: WorkerPool, control: Control, count: int) -> list[Future[Document]]:
    """Documents that stay until they are released: two for each worker."""
    names = [f"hang{i}" for i in range(count)]
    for name in names:
        control.gate(name)
    return [pool.submit(request(name)) for name in names]


def test_each_document_goes_to_the_worker_with_the_least_to_do(pool: WorkerPool, control: Control) -> None:
    futures = occupy(pool, control, 4)
    control.wait_for_each("started", ["hang0", "hang1"])
    running = {event.pid for event in control.seen if event.kind == "started"}
    assert running == set(pool.worker_pids)
    assert len(running) == 2
    with pytest.raises(QueueFull):
        pool.submit(request("fifth"), block=False)
    for i in range(4):
        control.release(f"hang{i}")
    assert [future.result(PATIENCE).file for future in futures] == [f"hang{i}" for i in range(4)]


def test_who_waits_for_room_goes_on_when_any_worker_has_some(pool: WorkerPool, control: Control) -> None:
    futures = occupy(pool, control, 4)
    control.wait_for("started", "hang1")
    got: list[Document] = []
    thread = threading.Thread(target=lambda: got.append(pool.submit(request("fifth")).result(PATIENCE)))
    thread.start()
    control.release("hang1")
    assert futures[1].result(PATIENCE).file == "hang1"
    control.release("hang3")
    thread.join(PATIENCE)
    assert [document.file for document in got] == ["fifth"]
    for name in ("hang0", "hang2"):
        control.release(name)


def test_a_callback_can_submit_though_there_is_no_room(pool: WorkerPool, control: Control) -> None:
    futures = occupy(pool, control, 4)
    control.wait_for("started", "hang0")
    more: list[Future[Document]] = []
    submitted = threading.Event()

    def submit(_: Future[Document]) -> None:
        more.extend(pool.submit(request(f"more{i}")) for i in range(5))
        submitted.set()

    futures[0].add_done_callback(submit)
    for i in range(4):
        control.release(f"hang{i}")
    assert submitted.wait(PATIENCE)
    assert [future.result(PATIENCE).file for future in more] == [f"more{i}" for i in range(5)]


def test_the_other_reads_on_while_one_is_started_again(pool: WorkerPool, control: Control) -> None:
    for pid in pool.worker_pids:
        os.kill(pid, signal.SIGKILL)
        assert pool.submit(request("doc")).result(PATIENCE).file == "doc"
    assert pool.ready


def test_figures_add_up(pool: WorkerPool) -> None:
    for _ in range(2):
        for future in [pool.submit(request(name)) for name in ("a", "b")]:
            future.result(PATIENCE)
    pool.control("statistics").result(PATIENCE)
    told = pool.statistics()
    assert (told.workers, told.documents, told.stages["open"].items, told.stages["open"].lanes) == (2, {"ok": 4}, 4, 4)


def test_a_command_is_for_all_workers(pool: WorkerPool) -> None:
    told = pool.control("remember", value="b").result(PATIENCE)
    assert told["state"] == "b"
    assert {answer["pid"] for answer in told["workers"]} == set(pool.worker_pids)


def test_what_not_every_worker_could_load_is_taken_back(pool: WorkerPool, control: Control) -> None:
    refusing = pool._clients[1]
    inner = refusing.control

    def refuse(command: str, **arguments: Any) -> Future[dict[str, Any]]:
        return inner("refuse" if command == "load_model" else command, **arguments)

    refusing.control = refuse  # type: ignore[method-assign]
    error = pool.control("load_model", stage="recognition", name="b").exception(PATIENCE)
    assert isinstance(error, ModelError)
    assert control.wait_for("control", "rollback").pid == pool._clients[0].worker_pid


def test_a_worker_that_does_not_start_ends_the_others(control: Control) -> None:
    bad = FakeSettings(control.directory, "model-error")
    with pytest.raises(ModelError, match="missing"):
        WorkerPool(FACTORY, [control.settings(), bad])
    assert {event.kind for event in control.drain()} >= {"built", "building"}


def test_nothing_is_taken_after_closing(pool: WorkerPool) -> None:
    future = pool.submit(request("doc"))
    pool.close()
    assert future.result(PATIENCE).file == "doc"
    assert not pool.ready
    with pytest.raises(WorkerFailed, match="closed"):
        pool.submit(request("late"))
    with pytest.raises((WorkerFailed, InvalidRequest)):
        pool.control("echo")


def test_a_pool_has_a_worker() -> None:
    with pytest.raises(ValueError, match="at least one"):
        WorkerPool(FACTORY, [])
