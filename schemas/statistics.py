"""What a reader counts while it works. Counts only ever grow, also over new starts of a worker process."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histograms' buckets, in seconds; the last bucket, without a bound, comes behind them."""


@dataclass(slots=True)
class Histogram:
    """How many values fell into each bucket: ``counts[i]`` those up to ``SECONDS[i]`` and over the one before it.

    ``sum`` is of the values, as Prometheus has it; the counts are not cumulative.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    sum: float = 0.0

    @property
    def count(self) -> int:
        """How many values."""
        return sum(self.counts)

    def observe(self, seconds: float) -> None:
        """Count a value."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.sum += seconds

    def add(self, other: Histogram) -> None:
        """Add another one's values."""
        self.counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        self.sum += other.sum

    def copy(self) -> Histogram:
        """The same as an object of its own."""
        return Histogram(list(self.counts), self.sum)

    def cumulative(self) -> Iterable[tuple[float, int]]:
        """Bound (the last one is infinite) and how many values lie below it."""
        below = 0
        for bound, count in zip((*SECONDS, float("inf")), self.counts, strict=True):
            below += count
            yield bound, below


@dataclass(slots=True)
class StageFigures:
    """One stage. ``batches`` counts batches by size; ``queue_s`` is of each item, ``network_s`` of each batch.

    ``dropped`` counts items that never ran, by reason: ``cancelled`` or ``deadline``. ``padded_pixels`` is what the
    batches computed, of which ``content_pixels`` are not padding. What is true now rather than counted: ``waiting``
    items, ``lanes``, and ``busy_lanes`` of them.
    """

    batches: Counter[int] = field(default_factory=Counter)
    items: int = 0
    queue_s: Histogram = field(default_factory=Histogram)
    network_s: Histogram = field(default_factory=Histogram)
    busy_s: float = 0.0
    dropped: Counter[str] = field(default_factory=Counter)
    padded_pixels: int = 0
    content_pixels: int = 0
    waiting: int = 0
    lanes: int = 0
    busy_lanes: int = 0

    @property
    def batch_count(self) -> int:
        """Batches of any size."""
        return sum(self.batches.values())

    @property
    def mean_batch(self) -> float:
        """Items per batch."""
        count = self.batch_count
        return self.items / count if count else 0.0

    @property
    def padding_share(self) -> float:
        """The share of what was computed that was padding, 0 to 1."""
        return 1 - self.content_pixels / self.padded_pixels if self.padded_pixels else 0.0

    def add(self, other: StageFigures) -> None:
        """Add another worker's figures."""
        self.batches += other.batches
        self.items += other.items
        self.queue_s.add(other.queue_s)
        self.network_s.add(other.network_s)
        self.busy_s += other.busy_s
        self.dropped += other.dropped
        self.padded_pixels += other.padded_pixels
        self.content_pixels += other.content_pixels
        self.waiting += other.waiting
        self.lanes += other.lanes
        self.busy_lanes += other.busy_lanes


@dataclass(slots=True)
class ShadowFigures:
    """What a shadow (a second version whose results nobody gets) was compared on, item by item.

    ``name`` is the model's, or ``unbatched``. ``skipped`` items came while enough others were waiting. Of those
    compared, ``faster`` took less of the network's time than in the version that answers; ``own_s`` and ``shadow_s``
    add up both times.
    """

    name: str
    equal: int = 0
    different: int = 0
    failed: int = 0
    skipped: int = 0
    faster: int = 0
    slower: int = 0
    own_s: float = 0.0
    shadow_s: float = 0.0

    def add(self, other: ShadowFigures) -> None:
        """Add another worker's figures."""
        self.equal += other.equal
        self.different += other.different
        self.failed += other.failed
        self.skipped += other.skipped
        self.faster += other.faster
        self.slower += other.slower
        self.own_s += other.own_s
        self.shadow_s += other.shadow_s


@dataclass(slots=True)
class WorkerStatistics:
    """All stages in the order of the flow, and the documents and pages that have left.

    ``documents`` and ``pages`` are counted by outcome: ``ok``, or the error's code (of pages: ``failed``). ``shadows``
    are those that are on, by stage; ``swaps`` counts models put into use while running. ``models`` are in use now, by
    task. True now: ``waiting_documents`` that no stage has seen, and ``documents_in_flight``.
    """

    stages: dict[str, StageFigures] = field(default_factory=dict)
    documents: Counter[str] = field(default_factory=Counter)
    pages: Counter[str] = field(default_factory=Counter)
    worker_restarts: int = 0
    workers: int = 1
    swaps: int = 0
    waiting_documents: int = 0
    documents_in_flight: int = 0
    models: dict[str, str] = field(default_factory=dict)
    shadows: dict[str, ShadowFigures] = field(default_factory=dict)

    def add(self, other: WorkerStatistics) -> None:
        """Add another worker's, or an earlier life of the same one (:meth:`counts_only`)."""
        for name, figures in other.stages.items():
            self.stages.setdefault(name, StageFigures()).add(figures)
        self.documents += other.documents
        self.pages += other.pages
        self.worker_restarts += other.worker_restarts
        self.workers += other.workers
        self.swaps += other.swaps
        self.waiting_documents += other.waiting_documents
        self.documents_in_flight += other.documents_in_flight
        for task, name in other.models.items():
            self.models.setdefault(task, name)
        for stage, shadow in other.shadows.items():
            mine = self.shadows.setdefault(stage, ShadowFigures(shadow.name))
            if mine.name == shadow.name:
                mine.add(shadow)

    def copy(self) -> WorkerStatistics:
        """The same in objects of its own."""
        same = WorkerStatistics(workers=0)
        same.add(self)
        return same

    def counts_only(self) -> WorkerStatistics:
        """What stays true when the worker has ended: the counts, without what was true at one moment."""
        kept = self.copy()
        kept.workers = kept.waiting_documents = kept.documents_in_flight = 0
        kept.models = {}
        for figures in kept.stages.values():
            figures.waiting = figures.lanes = figures.busy_lanes = 0
        return kept
