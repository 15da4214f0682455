"""A device that computes nothing and records who waited for what, so that ordering faults show without a GPU.

Every stream knows after which events its next work runs: those it has waited for, and what these came after. A stage
may read an array only in a stream that ``sees`` the event handed over with it.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from schemas.errors import OutOfDeviceMemory

_numbers = itertools.count(1)


class RecordingEvent:
    """A point in a stream. Never ``done`` by itself, so that nothing can rely on good luck."""

    def __init__(self, device: RecordingDevice, after: frozenset[RecordingEvent]) -> None:
        self.number = next(_numbers)
        self.after = after | {self}
        self._device = device

    def done(self) -> bool:
        return False

    def synchronize(self) -> None:
        self._device.note("host waits", self)

    def __repr__(self) -> str:
        return f"event {self.number}"


class RecordingStream:
    """A stream that knows what its next work comes after."""

    def __init__(self, device: RecordingDevice) -> None:
        self.number = next(_numbers)
        self.after: frozenset[RecordingEvent] = frozenset()
        self._device = device

    def wait(self, event: Any) -> None:
        self._device.note("waits", self, event)
        if not event.done():  # what comes from the host is done, on whatever device it goes
            self.after |= event.after

    def record(self) -> RecordingEvent:
        event = RecordingEvent(self._device, self.after)
        self._device.note("records", self, event)
        return event

    def sees(self, event: RecordingEvent) -> bool:
        return event in self.after

    @contextmanager
    def use(self) -> Iterator[None]:
        self._device.current.stream = self
        self._device.note("enters", self)
        yield
        self._device.current.stream = None

    def __repr__(self) -> str:
        return f"stream {self.number}"


class RecordingDevice:
    """``log`` holds what happened, in order: (what, on whom...)."""

    name = "recording"

    def __init__(self, slots: int = 8) -> None:
        self.compute_slots = slots
        self.log: list[tuple[Any, ...]] = []
        self.current = threading.local()
        self._lock = threading.Lock()

    def note(self, *entry: Any) -> None:
        with self._lock:
            self.log.append(entry)

    def stream(self) -> RecordingStream:
        return RecordingStream(self)

    def event(self) -> RecordingEvent:
        """An event of some other lane's stream."""
        return self.stream().record()

    def to_device(self, array: Any, stream: Any) -> Any:
        return array

    def to_host(self, array: Any, stream: Any) -> Any:
        return array

    def is_out_of_memory(self, error: BaseException) -> bool:
        return isinstance(error, MemoryError | OutOfDeviceMemory)

    def kinds(self) -> list[str]:
        return [entry[0] for entry in self.log]
