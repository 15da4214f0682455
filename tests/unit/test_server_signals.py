"""SIGHUP: the models are loaded anew; or the terminal is gone."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from pipeline.server.run import _Signals
from tests.factories.server_process import PATIENCE, ServerProcess


class Signals(_Signals):
    """It counts, and tells when there was one."""

    reloads = 0
    came = asyncio.Event()

    def _on_hangup(self) -> None:
        super()._on_hangup()
        self.came.set()

    def count(self) -> None:
        self.reloads += 1

    async def send(self) -> None:
        """Send one to this process, and wait until it was handled."""
        self.came = asyncio.Event()
        os.kill(os.getpid(), signal.SIGHUP)
        async with asyncio.timeout(PATIENCE):
            await self.came.wait()


@pytest.fixture
async def signals() -> AsyncIterator[Signals]:
    made = Signals()
    made._terminals = []
    yield made
    made.close()


async def test_it_asks_for_the_models_once_there_are_some(signals: Signals) -> None:
    await signals.send()
    assert not signals.stop.is_set()
    signals.on_reload = signals.count
    await signals.send()
    await signals.send()
    assert (signals.reloads, signals.stop.is_set()) == (2, False)
    signals.stop.set()
    await signals.send()
    assert (signals.reloads, signals.at_once.is_set()) == (2, False), "it stops: there is nothing to reload"


async def test_a_closed_terminal_ends_it(signals: Signals) -> None:
    ours, theirs = os.openpty()
    signals.on_reload = signals.count
    signals._terminals = [theirs]
    try:
        await signals.send()
        assert (signals.reloads, signals.stop.is_set()) == (1, False), "it is still there"
        os.close(ours)
        await signals.send()
        assert (signals.reloads, signals.stop.is_set()) == (1, True)
    finally:
        os.close(theirs)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess.held(tmp_path)
    yield server
    server.end()


def test_a_server_goes_on(server: ServerProcess) -> None:
    assert server.post(b"fine").result(PATIENCE) == 200
    running = server.post(b"wait")
    server.line("waiting")
    server.process.send_signal(signal.SIGHUP)
    assert server.post(b"fine").result(PATIENCE) == 200
    assert server.process.stdin is not None
    server.process.stdin.write("x")
    server.process.stdin.flush()
    assert running.result(PATIENCE) == 200
    assert server.stop(signal.SIGTERM) == 0
    assert "takes no commands" in "".join(server.errors), "the signal was handled"
