"""A server in a process of its own, as a test sees it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds until a test that waits for something fails


class ServerProcess:
    """The process; its output is read line by line.

    Args:
        arguments: of Python.
        data: the data folder that they name.
        environment: variables beside those of this process.
    """

    def __init__(self, arguments: list[str], data: Path, environment: dict[str, str] | None = None) -> None:
        self.data = data
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
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

    @classmethod
    def held(cls, folder: Path, *, shutdown_s: float = 30.0, start: str = "ok") -> ServerProcess:
        """A server without models (:mod:`tests.factories.serve_held`)."""
        data = folder / "data"
        return cls(["-m", "tests.factories.serve_held", str(data), str(shutdown_s), start], data)

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
