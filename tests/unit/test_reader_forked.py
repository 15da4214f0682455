"""A process that forks takes a reader along without its threads: using it there must fail, not hang."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.worker.client import WorkerClient
from schemas.errors import WorkerFailed
from schemas.requests import ReadRequest
from tests.factories.engines import Bench
from tests.factories.fake_engine import PATIENCE, Control

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
REQUEST = ReadRequest(b"", "doc")


def _in_a_child(work: Callable[[], bool]) -> bool:
    """Whether ``work`` returned true in a forked process, which is ended where it hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(int(PATIENCE))
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def test_the_workers_client(tmp_path: Path) -> None:
    control = Control(tmp_path)
    client = WorkerClient("tests.factories.fake_engine:build", control.settings())
    try:

        def refused() -> bool:
            client.close()
            with pytest.raises(WorkerFailed, match="fork"):
                client.submit(REQUEST)
            return True

        assert _in_a_child(refused)
        assert client.submit(REQUEST).result(PATIENCE).file == "doc", "the parent's reader is untouched"
    finally:
        client.close()
        control.close()


def test_the_engine_in_this_process(bench: Bench) -> None:
    def refused() -> bool:
        bench.engine.close()
        with pytest.raises(WorkerFailed, match="fork"):
            bench.engine.submit(REQUEST)
        return True

    assert _in_a_child(refused)
    bench.read("doc", ["token"])
