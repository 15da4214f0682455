"""Counts of what the lanes did, per stage."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from schemas.statistics import Histogram, StageFigures
from stages.batcher import DropReason, Item
from stages.lane import BatchReport, Payload


@dataclass(slots=True)
class StageCounts:
    """Sums since the start; times in seconds. ``sizes`` counts batches by size, ``dropped`` items by reason.

    ``waited`` adds up the items' times in the queue, ``network`` the batches' times in the network, and ``computed``
    the same times the cores that each batch was granted; ``queue_s`` and ``network_s`` are how both were distributed.
    Of ``pixels``, ``content`` are not padding.
    """

    batches: int = 0
    items: int = 0
    pixels: int = 0
    busy: float = 0.0
    network: float = 0.0
    sizes: Counter[int] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    waited: float = 0.0
    computed: float = 0.0
    content: int = 0
    queue_s: Histogram = field(default_factory=Histogram)
    network_s: Histogram = field(default_factory=Histogram)

    @property
    def mean_batch(self) -> float:
        """Items per batch."""
        return self.items / self.batches if self.batches else 0.0

    def figures(self) -> StageFigures:
        """The same as whoever runs a service sees it. Shares the counters: only of a copy."""
        return StageFigures(
            batches=self.sizes,
            items=self.items,
            queue_s=self.queue_s,
            network_s=self.network_s,
            busy_s=self.busy,
            dropped=self.dropped,
            padded_pixels=self.pixels,
            content_pixels=self.content,
        )

    @property
    def padding(self) -> float:
        """The share of the pixels that is padding, 0 to 1."""
        return 1 - self.content / self.pixels if self.pixels else 0.0


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
            counts.waited += report.waited
            counts.computed += report.network * report.cores
            counts.content += report.content
            for seconds in report.waits:
                counts.queue_s.observe(seconds)
            if report.network:
                counts.network_s.observe(report.network)

    def drop(self, item: Item[Payload], reason: DropReason) -> None:
        """Count a dropped item."""
        with self._lock:
            self._counts[item.payload.stage].dropped[reason] += 1

    def snapshot(self) -> dict[str, StageCounts]:
        """A copy of the counts."""
        with self._lock:
            return {
                name: replace(
                    c,
                    sizes=Counter(c.sizes),
                    dropped=Counter(c.dropped),
                    queue_s=c.queue_s.copy(),
                    network_s=c.network_s.copy(),
                )
                for name, c in self._counts.items()
            }

    def reset(self) -> None:
        """Start again from zero."""
        with self._lock:
            for name in self._counts:
                self._counts[name] = StageCounts()
