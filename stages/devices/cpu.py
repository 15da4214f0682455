"""The CPU as a device: arrays in memory, streams that keep order by themselves, events that are already done."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from schemas.errors import OutOfDeviceMemory
from stages.devices.base import Event, Stream


class DoneEvent:
    """An event whose work is finished."""

    __slots__ = ()

    def done(self) -> bool:
        """Always true."""
        return True

    def synchronize(self) -> None:
        """Return at once."""


DONE = DoneEvent()


class CpuStream:
    """NumPy and the CPU backends finish before they return, so there is nothing to order."""

    __slots__ = ()

    def wait(self, event: Event) -> None:
        """Return at once: CPU events are done."""

    def record(self) -> Event:
        """A done event."""
        return DONE

    def use(self) -> AbstractContextManager[None]:
        """Nothing to switch."""
        return nullcontext()


class CpuDevice:
    """Memory of this process and ``cores`` cores."""

    name = "cpu"

    def __init__(self, cores: int) -> None:
        if cores < 1:
            raise ValueError(f"a CPU device needs at least one core, not {cores}")
        self.compute_slots = cores

    def stream(self) -> Stream:
        """A stream."""
        return CpuStream()

    def to_device(self, array: Any, stream: Stream) -> Any:
        """The array itself."""
        return array

    def to_host(self, array: Any, stream: Stream) -> Any:
        """The array itself."""
        return array

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Memory errors of Python, and what backends report as such."""
        return isinstance(error, MemoryError | OutOfDeviceMemory)
