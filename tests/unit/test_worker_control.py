"""What the client and its worker tell each other besides documents: progress, figures, commands."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.worker import protocol
from pipeline.worker.client import WorkerClient
from pipeline.worker.push import StatisticsPush
from schemas.errors import InvalidRequest, ModelError, StageFailed, WorkerFailed
from schemas.progress import Progress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics
from tests.factories.fake_engine import PATIENCE, Control
from tests.factories.lanes import Clock

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

    def make(**options: Any) -> WorkerClient:
        clients.append(WorkerClient(FACTORY, control.settings(), start_delay=0.0, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close(timeout=0.0)


def request(name: str) -> ReadRequest:
    return ReadRequest(b"", name)


# --- progress -----------------------------------------------------------------------------------------------------


def test_progress_comes_before_the_result(make: Make) -> None:
    seen: list[Progress] = []
    make().submit(request("doc"), on_progress=seen.append).result(PATIENCE)
    assert seen == [Progress(None, 2, "opened", 0), Progress(1, 2, "done", 1), Progress(2, 2, "done", 2)]


def test_progress_goes_on_in_the_next_worker(make: Make, control: Control) -> None:
    control.gate("hang")
    seen: list[Progress] = []
    told = threading.Event()

    def on_progress(step: Progress) -> None:
        seen.append(step)
        told.set()

    future = make().submit(request("hang"), on_progress=on_progress)
    assert told.wait(PATIENCE)
    os.kill(control.wait_for("started", "hang").pid, signal.SIGKILL)
    control.wait_for("started", "hang")
    control.release("hang")
    future.result(PATIENCE)
    assert [step.stage for step in seen] == ["opened", "restarted", "opened", "done", "done"]
    assert seen[-1].done == 2


def test_nothing_is_told_of_a_cancelled_document(make: Make, control: Control) -> None:
    control.gate("hang")
    seen: list[Progress] = []
    client = make()
    future = client.submit(request("hang"), on_progress=seen.append)
    started = control.wait_for("started", "hang")
    future.cancel()
    control.wait_for("cancelled", "hang")
    os.kill(started.pid, signal.SIGKILL)
    client.submit(request("next")).result(PATIENCE)
    assert "restarted" not in [step.stage for step in seen]


def test_a_callback_that_fails_costs_nothing(make: Make) -> None:
    def broken(step: Progress) -> None:
        raise ValueError("not now")

    assert make().submit(request("doc"), on_progress=broken).result(PATIENCE).file == "doc"


# --- commands -----------------------------------------------------------------------------------------------------


def test_a_command_is_answered_by_the_worker(make: Make) -> None:
    client = make()
    told = client.control("echo", one=1, two="b").result(PATIENCE)
    assert (told["command"], told["one"], told["two"], told["pid"]) == ("echo", 1, "b", client.worker_pid)


@pytest.mark.parametrize(
    ("command", "kind", "text"), [("refuse", ModelError, "not this one"), ("unexpected", StageFailed, "something odd")]
)
def test_a_commands_error_is_its_own(make: Make, command: str, kind: type[Exception], text: str) -> None:
    client = make()
    error = client.control(command).exception(PATIENCE)
    assert type(error) is kind
    assert text in str(error)
    assert client.submit(request("doc")).result(PATIENCE).file == "doc"


def test_what_cannot_be_sent_is_refused_at_once(make: Make) -> None:
    with pytest.raises(TypeError, match="picklable"):
        make().control("echo", value=threading.Lock())


def test_a_command_that_ends_the_worker_fails_and_is_not_tried_again(make: Make, control: Control) -> None:
    client = make()
    error = client.control("die").exception(PATIENCE)
    assert isinstance(error, WorkerFailed)
    assert "SIGKILL" in error.message
    assert client.submit(request("doc")).result(PATIENCE).file == "doc"
    assert [event.name for event in control.drain() if event.kind == "control"] == ["die"]


def test_the_next_worker_is_made_like_the_last(make: Make, control: Control) -> None:
    client = make()
    client.control("remember", value="a second model").result(PATIENCE)
    client.control("refuse").exception(PATIENCE)  # changes nothing
    client.control("statistics").result(PATIENCE)  # neither does this
    for _ in range(2):
        client.control("die").exception(PATIENCE)
        assert client.control("echo").result(PATIENCE)["state"] == "a second model"


def test_commands_without_an_answer_fail_when_the_client_closes(make: Make, control: Control) -> None:
    client = make()
    futures = [client.control("wait"), client.control("wait")]
    control.wait_for("control", "wait")
    client.close()
    assert [type(future.exception(PATIENCE)) for future in futures] == [WorkerFailed, WorkerFailed]
    with pytest.raises(WorkerFailed, match="closed"):
        client.control("echo")


def test_a_reader_without_commands_says_so(tmp_path: Path) -> None:
    with WorkerClient("tests.factories.plain_reader:PlainReader", None) as client:
        error = client.control("load_model").exception(PATIENCE)
        assert isinstance(error, InvalidRequest)
        assert client.statistics().stages == {}
        assert client.submit(request("doc")).result(PATIENCE).file == "doc"


# --- figures ------------------------------------------------------------------------------------------------------


def test_figures_come_on_demand_and_add_up_over_workers(make: Make) -> None:
    client = make()
    assert client.ready
    for _ in range(3):
        client.submit(request("doc")).result(PATIENCE)
    client.submit(request("bad")).exception(PATIENCE)
    client.control("statistics").result(PATIENCE)
    told = client.statistics()
    assert (told.stages["open"].items, told.stages["open"].lanes) == (4, 2)
    assert told.documents == {"ok": 3, "damaged_file": 1}
    client.control("die").exception(PATIENCE)
    client.submit(request("doc")).result(PATIENCE)
    client.control("statistics").result(PATIENCE)
    told = client.statistics()
    assert (told.stages["open"].items, told.stages["open"].lanes, told.worker_restarts) == (5, 2, 1)
    assert told.documents == {"ok": 4, "damaged_file": 1}


def test_what_the_last_worker_counted_is_kept_after_closing(make: Make) -> None:
    client = make()
    client.submit(request("doc")).result(PATIENCE)
    client.close()
    assert client.statistics().stages["open"].items == 1
    assert not client.ready


def test_documents_with_the_client_are_told(make: Make, control: Control) -> None:
    control.gate("hang")
    client = make(max_in_flight=1)
    futures = [client.submit(request("hang"))]
    control.wait_for("started", "hang")
    futures += [client.submit(request(name)) for name in ("a", "b")]
    client.control("statistics").result(PATIENCE)  # what was submitted before it has been taken over
    told = client.statistics()
    assert (told.documents_in_flight, told.waiting_documents) == (1, 2)
    control.release("hang")
    for future in futures:
        future.result(PATIENCE)


def test_figures_are_sent_once_a_second_and_only_when_they_have_changed() -> None:
    sent: list[WorkerStatistics] = []
    now = [WorkerStatistics()]
    clock = Clock()

    class Reader:
        def statistics(self) -> WorkerStatistics:
            return now[0]

    class Socket:
        def send_multipart(self, frames: protocol.Frames) -> None:
            sent.append(protocol.unpack_statistics(frames))

    push = StatisticsPush(Reader(), Socket(), clock)  # type: ignore[arg-type]
    push.push_if_due()
    now[0] = WorkerStatistics(swaps=1)
    clock.now = 0.9
    push.push_if_due()
    assert [told.swaps for told in sent] == [0]
    for clock.now in (1.0, 2.5):
        push.push_if_due()
    assert [told.swaps for told in sent] == [0, 1]
