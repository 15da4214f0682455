"""A thread that waits in ``poll`` is woken from any other thread, or from a signal handler."""

from __future__ import annotations

import contextlib
import os
import signal


class Wakeup:
    """A pipe whose reading end is polled. ``set`` never blocks; many calls before a ``clear`` count as one."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)

    def fileno(self) -> int:
        """What to poll for reading."""
        return self._read

    def set(self) -> None:
        """Wake the thread that polls."""
        with contextlib.suppress(BlockingIOError):  # full: it is awake already
            os.write(self._write, b"\0")

    def set_on_signals(self) -> None:
        """Wake on every signal that Python handles, whichever thread the kernel gives it to. Main thread only."""
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)

    def clear(self) -> None:
        """Forget the calls so far. Call it before looking at what they announced."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._read, 65536)

    def close(self) -> None:
        """Release the pipe. Nobody may call ``set`` afterwards."""
        os.close(self._read)
        os.close(self._write)
