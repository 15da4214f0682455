"""One life of the worker process: start it, watch it, end it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import zmq

from pipeline.worker.protocol import Frames
from schemas.errors import WorkerFailed

# A fresh interpreter rather than multiprocessing's spawn, which runs the caller's main script once more: scripts
# without a `__main__` guard, notebooks and `python -` all work. It looks for modules where this process does; -P
# keeps it from looking into the current directory before it knows.
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[3]); "
    "from pipeline.worker.main import main; main(sys.argv[1], int(sys.argv[2]))"
)
_LONGEST_PATH = 100  # bytes; a Unix socket's address holds 107


class WorkerProcess:
    """A worker process and the private socket to it.

    Must be started by a thread that lives as long as the worker may: the kernel ends the worker with its parent, and
    the parent in that sense is the thread that started it.

    Raises:
        WorkerFailed: the process could not be started.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        try:
            self._begin(context)
        except (OSError, zmq.ZMQError) as error:
            raise WorkerFailed(f"the worker process could not be started: {error}") from error

    def _begin(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        with contextlib.ExitStack() as undo:
            self._directory = _private_directory()
            undo.callback(self.forget_directory)
            self.socket = context.socket(zmq.PAIR)  # PAIR: one peer and no second one
            undo.callback(self.socket.close, linger=0)
            self.socket.set(zmq.SNDHWM, 0)  # what is under way is bounded by the ledger, and sending never blocks
            self.socket.set(zmq.RCVHWM, 0)
            endpoint = f"ipc://{self._directory / 'worker'}"
            self.socket.bind(endpoint)
            # Each end sees the other's death as the end of this stream.
            self.lifeline, theirs = socket.socketpair()
            undo.callback(self.lifeline.close)
            path = json.dumps([entry or os.getcwd() for entry in sys.path])
            with theirs:
                # Where a standard stream is closed, the socket may have got its number, which the worker needs itself.
                passed = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 3)
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _BOOT, endpoint, str(passed), path],
                    stdin=subprocess.DEVNULL,
                    stdout=_stderr(),  # what native libraries print must not end up in the JSON
                    stderr=_stderr(),
                    pass_fds=(passed,),
                )
            finally:
                os.close(passed)
            undo.pop_all()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, frames: Frames) -> bool:
        """Send a message; False: the worker is gone."""
        try:
            self.socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def receive(self, wait_ms: int = 0) -> Frames | None:
        """The next message; None: there is none."""
        if not self.socket.poll(wait_ms):
            return None
        return self.socket.recv_multipart(zmq.NOBLOCK)

    def forget_directory(self) -> None:
        """Remove the socket's name. Call it when the worker has connected: nobody else can, and nothing is left."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def has_exited(self) -> bool:
        """Whether the process has ended, whatever became of the lifeline."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """End the process at once (SIGKILL)."""
        self._process.kill()

    def release(self) -> str:
        """Reap the process (ended by force if it still runs) and release what belongs to it.

        Returns:
            How it ended, to follow "the worker": "was killed by SIGKILL", say.
        """
        code = self._reap()
        self.socket.close(linger=0)
        self.lifeline.close()
        self.forget_directory()
        return "is stuck in the kernel and cannot be ended" if code is None else describe_exit(code)

    def _reap(self) -> int | None:
        for _ in range(2):
            # The lifeline closes a moment before the process can be reaped.
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(timeout=5)
            self._process.kill()
        return None


def describe_exit(code: int) -> str:
    """How a process ended, in words, from ``Popen.returncode``."""
    if code >= 0:
        return f"exited with status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}" + (" (out of memory?)" if -code == signal.SIGKILL else "")


def _private_directory() -> Path:
    """A new directory (mode 0700) whose path is short enough for a Unix socket's address."""
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(parent)) + 30 <= _LONGEST_PATH:
            with contextlib.suppress(OSError):
                return Path(tempfile.mkdtemp(prefix="inklane-", dir=parent))
    raise WorkerFailed("no directory for the worker's socket: set TMPDIR to a writable directory with a short path")


def _stderr() -> int:
    if sys.__stderr__ is None:  # closed when this process began: number 2 may be any file by now
        return subprocess.DEVNULL
    try:
        os.fstat(2)
    except OSError:  # a daemon without standard streams
        return subprocess.DEVNULL
    return 2
