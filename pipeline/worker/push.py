"""The worker tells its figures about once a second, where they have changed."""

from __future__ import annotations

import time
from collections.abc import Callable

import zmq

from pipeline.worker import protocol
from schemas.requests import Reader
from schemas.statistics import WorkerStatistics

_SECONDS = 1.0


class StatisticsPush:
    """Sends the reader's figures; nothing where the reader has none."""

    def __init__(self, reader: Reader, socket: zmq.Socket[bytes], clock: Callable[[], float] = time.monotonic) -> None:
        self._statistics: Callable[[], WorkerStatistics] | None = getattr(reader, "statistics", None)
        self._socket = socket
        self._clock = clock
        self._next = 0.0
        self._last: WorkerStatistics | None = None

    def push_if_due(self) -> None:
        """Send them if a second has passed."""
        if self._clock() >= self._next:
            self.push()

    def push(self) -> None:
        """Send them now."""
        self._next = self._clock() + _SECONDS
        if self._statistics is None:
            return
        statistics = self._statistics()
        if statistics != self._last:
            self._last = statistics
            self._socket.send_multipart(protocol.pack_statistics(statistics))
