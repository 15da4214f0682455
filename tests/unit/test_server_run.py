"""The server's life in a process of its own, without models: started, told to stop, ended, and nothing left."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from pipeline.server.run import listen, url_of
from schemas.errors import SettingsError

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


class Server:
    """The process; its output is read line by line."""

    def __init__(self, folder: Path, *, shutdown_s: float = 30.0, start: str = "ok") -> None:
        self.data = folder / "data"
        command = [sys.executable, "-m", "tests.factories.serve_held", str(self.data), str(shutdown_s), start]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._lines: list[str] = []
        self._changed = threading.Condition()
        self._readers = [threading.Thread(target=self._read, args=[self.process.stdout])]
        self.errors: list[str] = []
        self._readers.append(threading.Thread(target=self._read_errors, args=[self.process.stderr]))
        for reader in self._readers:
            reader.start()
        self._senders = ThreadPoolExecutor(4)

    def line(self, pattern: str) -> re.Match[str]:
        """Wait for a line."""
        found: list[re.Match[str]] = []

        def seen() -> bool:
            found.extend(match for line in self._lines if (match := re.search(pattern, line)))
            return bool(found)

        with self._changed:
            assert self._changed.wait_for(seen, PATIENCE), (self._lines, self.errors)
        return found[0]

    @property
    def url(self) -> str:
        return self.line(r"inklane serves at (http://127\.0\.0\.1:\d+) \(ready after")[1]

    def post(self, content: bytes, prefer: str = "") -> Future[int]:
        """Send a file; the status."""
        headers = {"Content-Type": "image/png", **({"Prefer": prefer} if prefer else {})}
        request = urllib.request.Request(f"{self.url}/v1/documents", content, headers, method="POST")

        def send() -> int:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return int(answer.status)
            except OSError as error:
                return int(getattr(error, "code", 0))

        return self._senders.submit(send)

    def stop(self, *signals: int) -> int:
        """Send signals, and wait for the end."""
        for number in signals:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return status

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._senders.shutdown()
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            with self._changed:
                self._lines.append(line)
                self._changed.notify_all()

    def _read_errors(self, stream: IO[str]) -> None:
        self.errors.extend(stream)


def connect_for_ever(port: int) -> None:
    while True:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Server]]:
    made: list[Server] = []
    yield made
    for server in made:
        server.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order(servers: list[Server], tmp_path: Path, number: int) -> None:
    server = Server(tmp_path)
    servers.append(server)
    assert server.post(b"fine").result(PATIENCE) == 200
    assert server.stop(number) == 0
    server.line("closed")
    assert not (server.data / "uploads").exists()
    assert server.errors == []


def test_what_is_running_is_finished_and_nothing_new_is_taken(servers: list[Server], tmp_path: Path) -> None:
    server = Server(tmp_path)
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


def test_what_does_not_finish_in_time_is_cut_off(servers: list[Server], tmp_path: Path) -> None:
    server = Server(tmp_path, shutdown_s=0.05)
    servers.append(server)
    running = server.post(b"hang" * 2**19)
    server.line("hanging")
    assert server.stop(signal.SIGTERM) == 0
    assert running.result(PATIENCE) != 200
    server.line("closed")
    assert not (server.data / "uploads").exists()


def test_a_second_signal_does_not_wait(servers: list[Server], tmp_path: Path) -> None:
    server = Server(tmp_path, shutdown_s=3600)
    servers.append(server)
    running = server.post(b"hang")
    server.line("hanging")
    server.stop(signal.SIGTERM, signal.SIGINT)  # two of one kind may become one
    assert server.process.returncode == 0
    assert running.result(PATIENCE) != 200


def test_told_to_stop_while_it_starts_it_ends(servers: list[Server], tmp_path: Path) -> None:
    server = Server(tmp_path, start="hangs")
    servers.append(server)
    server.line("opening")
    assert server.stop(signal.SIGTERM) == 0


def test_a_reader_that_cannot_be_made_is_told(servers: list[Server], tmp_path: Path) -> None:
    server = Server(tmp_path, start="fails")
    servers.append(server)
    assert server.stop() == 1
    assert "there is no model" in "".join(server.errors)
    assert not (server.data / "uploads").exists()


def test_after_a_kill_the_next_one_starts_clean(servers: list[Server], tmp_path: Path) -> None:
    first = Server(tmp_path)
    servers.append(first)
    first.post(b"hang" * 2**19)
    first.line("hanging")
    assert len(list((first.data / "uploads").iterdir())) == 1
    first.stop(signal.SIGKILL)
    second = Server(tmp_path)
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
