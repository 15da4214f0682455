"""``inklane serve`` in a process of its own, with the settings in force and a data folder of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.documents import ROOT
from benchmarks.machine import memory

_READY = re.compile(r"inklane serves at (http://\S+) \(ready after ([0-9.]+) s\)")
_STOP_S = 60.0
_TAIL = 2000  # characters of the log that are shown


class ServerFailed(Exception):
    """It did not start, or has ended."""


class Server:
    """Started and ready when constructed.

    Args:
        room: pages that may wait and be read at once (``server.max_pages_queued``).

    Raises:
        ServerFailed: it did not start; the end of its log.
    """

    def __init__(self, room: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="inklane-benchmark-")
        self._log = Path(self._folder.name) / "log"
        command = [sys.executable, "-m", "pipeline", "serve", "--port", "0", "--data", f"{self._folder.name}/data"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | {"INKLANE_SERVER__MAX_PAGES_QUEUED": str(room), "INKLANE_SERVER__PLAYGROUND": "false"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if (found := _READY.search(line)) is not None:
                self.url, self.ready_seconds = found[1], float(found[2])
                return
        self._process.wait()  # it has closed its output without a word, and so it is about to end
        self.close()

    def check(self) -> None:
        """See whether it is still there.

        Raises:
            ServerFailed: it has ended.
        """
        if (status := self._process.poll()) is not None:
            raise ServerFailed(f"inklane serve ended (exit status {status}): {self._log.read_text()[-_TAIL:]}")

    def memory(self) -> dict[str, float]:
        """Resident memory in MiB: of the front end, of its workers, of both together."""
        front = memory(self._process.pid)["rss"]
        workers = sum(memory(pid)["rss"] for pid in children(self._process.pid))
        return {"front": front, "workers": workers, "both": front + workers}

    def close(self) -> None:
        """End it.

        Raises:
            ServerFailed: it had ended by itself.
        """
        try:
            self.check()
            self._process.terminate()
            try:
                self._process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._folder.cleanup()

    def __enter__(self) -> Self:
        """The server itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.close()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
