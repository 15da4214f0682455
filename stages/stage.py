"""What a stage is: one step of the flow, written once and run by any number of lanes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models.backends.base import Predictor
from stages.devices.base import Device, Stream

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(slots=True)
class LaneContext:
    """What a stage may use while it runs in a lane: the lane's predictor (if it has one), stream and device.

    ``cores`` is how many cores this batch was granted. A stage adds the time spent inside its network to
    ``network_s``.
    """

    device: Device
    stream: Stream
    predictor: Predictor | None = None
    cores: int = 1
    network_s: float = 0.0


class Stage(ABC, Generic[In, Out]):
    """One step of the flow.

    A batch goes through ``prepare`` (each item), ``collate``, ``predict`` and ``split``. A stage object holds no
    state that changes, so that several lanes can run it at once.
    """

    name: str

    def bucket(self, item: In) -> Hashable:
        """The padded shape this item is computed in, from the item alone. Only equal buckets share a batch."""
        return None

    def cost(self, item: In) -> int:
        """What the item takes of the batch's budget, in padded pixels."""
        return 1

    def content(self, item: In) -> int:
        """How much of the item's cost is its own pixels; the rest is padding. For statistics only."""
        return self.cost(item)

    def prepare(self, item: In, lane: LaneContext) -> Any:
        """Turn one item into what ``collate`` stacks."""
        return item

    def collate(self, prepared: Sequence[Any], lane: LaneContext) -> Any:
        """Stack prepared items (all of one bucket) to one batch."""
        return prepared

    def predict(self, batch: Any, lane: LaneContext) -> Any:
        """Run the network."""
        return batch

    @abstractmethod
    def split(self, outputs: Any, items: Sequence[In], lane: LaneContext) -> list[Out]:
        """Turn the batch's outputs into one result per item, in the same order."""
