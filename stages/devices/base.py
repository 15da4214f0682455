"""Where arrays live and in what order work on them happens: device, stream, event.

The stages are written against these three. On the CPU they do nothing (NumPy is synchronous); on CUDA they are
CuPy's; a simulated device can record who waited for what. The rules that every device relies on:

* a lane issues all its work inside its own stream;
* before reading a handoff, it makes its stream wait for the handoff's event (the host does not wait);
* after issuing the work that fills its outputs, it records an event and hands it on with them;
* the host waits for an event only where results leave the device.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


class Event(Protocol):
    """A point in a stream's work."""

    def done(self) -> bool:
        """Whether the work before it is finished."""
        ...

    def synchronize(self) -> None:
        """Let the host wait for it. Only where results leave the device."""
        ...


class Stream(Protocol):
    """An ordered queue of device work, owned by one lane."""

    def wait(self, event: Event) -> None:
        """Let the work issued from now on start after ``event``, without the host waiting."""
        ...

    def record(self) -> Event:
        """An event after all work issued so far."""
        ...

    def use(self) -> AbstractContextManager[None]:
        """Make it the current stream of this thread."""
        ...


class Device(Protocol):
    """One CPU or one GPU."""

    name: str
    compute_slots: int
    """How many batches may run at once: the cores on a CPU; on a GPU, as many as there are lanes."""

    def stream(self) -> Stream:
        """A new stream."""
        ...

    def to_device(self, array: Any, stream: Stream) -> Any:
        """Copy a host array, in the stream's order."""
        ...

    def to_host(self, array: Any, stream: Stream) -> Any:
        """Copy to the host, in the stream's order; valid once an event recorded after it is done."""
        ...

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether this error means that the batch was too large for the device."""
        ...


@dataclass(slots=True)
class Handoff(Generic[T]):
    """What passes between lanes: a value whose arrays may be read after ``event``."""

    value: T
    event: Event
