"""Counts of what the lanes did, per stage."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from stages.batcher import DropReason, Item
from stages.lane import BatchReport, Payload


@dataclass(slots=True)
class StageCounts:
    """Sums since the start; times in seconds. ``sizes`` counts batches by size, ``dropped`` items by reason."""

    batches: int = 0
    items: int = 0
    pixels: int = 0
    busy: float = 0.0
    network: float = 0.0
    sizes: Counter[int] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def mean_batch(self) -> float:
        """Items per batch."""
        return self.items / self.batches if self.batches else 0.0


class StageStatistics:
    """Thread-safe sums per stage."""

    def __init__(self, stages: Sequence[str]) -> None:
        self._counts = {name: StageCounts() for name in stages}
        self._lock = threading.Lock()

    def add(self, report: BatchReport) -> None:
        """Count a batch."""
        with self._lock:
            counts = self._counts[report.stage]
            counts.batches += 1
            counts.items += report.size
            counts.pixels += report.cost
            counts.busy += report.busy
            counts.network += report.network
            counts.sizes[report.size] += 1

    def drop(self, item: Item[Payload], reason: DropReason) -> None:
        """Count a dropped item."""
        with self._lock:
            self._counts[item.payload.stage].dropped[reason] += 1

    def snapshot(self) -> dict[str, StageCounts]:
        """A copy of the counts."""
        with self._lock:
            return {
                name: StageCounts(
                    c.batches, c.items, c.pixels, c.busy, c.network, Counter(c.sizes), Counter(c.dropped)
                )
                for name, c in self._counts.items()
            }

    def reset(self) -> None:
        """Start again from zero."""
        with self._lock:
            for name in self._counts:
                self._counts[name] = StageCounts()
