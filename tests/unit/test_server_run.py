"""The server's life in a process of its own, without models: started, told to stop, ended, and nothing left."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.server import run
from pipeline.server.run import listen, url_of
from schemas.errors import SettingsError
from schemas.settings import load_settings
from tests.factories.server_process import PATIENCE, ServerProcess


def connect_for_ever(port: int) -> None:
    while True:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[ServerProcess]]:
    made: list[ServerProcess] = []
    yield made
    for server in made:
        server.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order(servers: list[ServerProcess], tmp_path: Path, number: int) -> None:
    server = ServerProcess.held(tmp_path)
    servers.append(server)
    assert server.post(b"fine").result(PATIENCE) == 200
    assert server.stop(number) == 0
    server.line("closed")
    assert not (server.data / "uploads").exists()
    assert server.errors == []


def test_what_is_running_is_finished_and_nothing_new_is_taken(servers: list[ServerProcess], tmp_path: Path) -> None:
    server = ServerProcess.held(tmp_path)
    servers.append(server)
    url = server.url
    running = server.post(b"wait" * 2**19)
    server.line("waiting")
    server.process.send_signal(signal.SIGTERM)
    with pytest.raises(ConnectionRefusedError):
        connect_for_ever(int(url.rsplit(":", 1)[1]))  # it may take the signal a moment
    assert not running.done()
    assert server.process.stdin is not None
    server.process.stdin.write("x")
    server.process.stdin.flush()
    assert running.result(PATIENCE) == 200
    assert server.stop() == 0
    assert not (server.data / "uploads").exists()


def test_what_does_not_finish_in_time_is_cut_off(servers: list[ServerProcess], tmp_path: Path) -> None:
    server = ServerProcess.held(tmp_path, shutdown_s=0.05)
    servers.append(server)
    running = server.post(b"hang" * 2**19)
    server.line("hanging")
    assert server.stop(signal.SIGTERM) == 0
    assert running.result(PATIENCE) != 200
    server.line("closed")
    assert not (server.data / "uploads").exists()


def test_a_second_signal_does_not_wait(servers: list[ServerProcess], tmp_path: Path) -> None:
    server = ServerProcess.held(tmp_path, shutdown_s=3600)
    servers.append(server)
    running = server.post(b"hang")
    server.line("hanging")
    server.stop(signal.SIGTERM, signal.SIGINT)  # two of one kind may become one
    assert server.process.returncode == 0
    assert running.result(PATIENCE) != 200


def test_told_to_stop_while_it_starts_it_ends(servers: list[ServerProcess], tmp_path: Path) -> None:
    server = ServerProcess.held(tmp_path, start="hangs")
    servers.append(server)
    server.line("opening")
    assert server.stop(signal.SIGTERM) == 0


def test_a_reader_that_cannot_be_made_is_told(servers: list[ServerProcess], tmp_path: Path) -> None:
    server = ServerProcess.held(tmp_path, start="fails")
    servers.append(server)
    assert server.stop() == 1
    assert "there is no model" in "".join(server.errors)
    assert not (server.data / "uploads").exists()


def test_after_a_kill_the_next_one_starts_clean(servers: list[ServerProcess], tmp_path: Path) -> None:
    first = ServerProcess.held(tmp_path)
    servers.append(first)
    first.post(b"hang" * 2**19)
    first.line("hanging")
    assert len(list((first.data / "uploads").iterdir())) == 1
    first.stop(signal.SIGKILL)
    second = ServerProcess.held(tmp_path)
    servers.append(second)
    assert second.post(b"fine").result(PATIENCE) == 200
    assert list((first.data / "uploads").iterdir()) == []
    assert second.stop(signal.SIGTERM) == 0


def test_a_port_in_use_is_told() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"port {port} of 127.0.0.1 is in use; .* \(--port\)"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1"])
def test_an_address_of_another_computer_is_told(host: str) -> None:
    with pytest.raises(SettingsError, match="no address of this computer"):
        listen(host, 0)


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://")])
def test_the_address_is_shown(host: str, shown: str) -> None:
    with listen(host, 0) as listener:
        assert url_of(listener) == f"{shown}{url_of(listener).removeprefix(shown)}"
        assert url_of(listener).endswith(f":{listener.getsockname()[1]}")


def test_an_address_that_others_can_reach_needs_keys_before_it_is_listened_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> Any:
        raise AssertionError("it was listened at")

    monkeypatch.setattr(run, "listen", refuse)
    settings = load_settings(server={"host": "0.0.0.0", "data_dir": tmp_path / "data"})
    with pytest.raises(SettingsError, match="inklane keys"):
        run.serve(settings, refuse, refuse)
    settings.server.insecure = True
    with pytest.raises(AssertionError, match="listened at"):
        run.serve(settings, refuse, refuse)
