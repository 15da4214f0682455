"""What the workers count, as Prometheus families. Made at each scrape from the snapshot that the reader keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from schemas.statistics import Histogram, StageFigures, WorkerStatistics

BATCH_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
"""Upper bounds of the buckets of batch sizes."""


class WorkerCollector(Collector):
    """Asks for the statistics whenever somebody scrapes.

    Args:
        statistics: the reader's; None while there is no reader.
    """

    def __init__(self, statistics: Callable[[], WorkerStatistics | None]) -> None:
        self._statistics = statistics

    def describe(self) -> Iterator[Metric]:
        """The families, without asking a reader."""
        return _families(WorkerStatistics())

    def collect(self) -> Iterator[Metric]:
        """The families as they are now; none while the reader is being started."""
        statistics = self._statistics()
        if statistics is not None:
            yield from _families(statistics)


def _families(statistics: WorkerStatistics) -> Iterator[Metric]:
    yield from _stage_histograms(statistics.stages)
    yield from _stage_counters(statistics.stages)
    yield from _stage_gauges(statistics.stages)
    yield from _workers(statistics)


def _stage_histograms(stages: dict[str, StageFigures]) -> Iterator[Metric]:
    sizes = HistogramMetricFamily("inklane_stage_batch_size", "Items in a batch.", labels=["stage"])
    queue = HistogramMetricFamily(
        "inklane_stage_queue_seconds", "How long an item waited for a lane.", labels=["stage"]
    )
    network = HistogramMetricFamily("inklane_stage_network_seconds", "A batch's time in the network.", labels=["stage"])
    for name, stage in stages.items():
        sizes.add_metric(
            [name], _size_buckets(stage.batches), sum(size * count for size, count in stage.batches.items())
        )
        queue.add_metric([name], _buckets(stage.queue_s), stage.queue_s.sum)
        network.add_metric([name], _buckets(stage.network_s), stage.network_s.sum)
    yield from (sizes, queue, network)


def _stage_counters(stages: dict[str, StageFigures]) -> Iterator[Metric]:
    items = CounterMetricFamily("inklane_stage_items", "Items that went through.", labels=["stage"])
    busy = CounterMetricFamily("inklane_stage_busy_seconds", "Time of lanes spent on batches.", labels=["stage"])
    dropped = CounterMetricFamily(
        "inklane_stage_dropped",
        "Items that never ran: cancelled, or their deadline passed.",
        labels=["stage", "reason"],
    )
    pixels = CounterMetricFamily(
        "inklane_stage_pixels", "Pixels computed: of the item's content, or padding.", labels=["stage", "kind"]
    )
    for name, stage in stages.items():
        items.add_metric([name], stage.items)
        busy.add_metric([name], stage.busy_s)
        for reason, count in stage.dropped.items():
            dropped.add_metric([name, reason], count)
        if _computes_pixels(stage):
            pixels.add_metric([name, "content"], stage.content_pixels)
            pixels.add_metric([name, "padding"], max(0, stage.padded_pixels - stage.content_pixels))
    yield from (items, busy, dropped, pixels)


def _stage_gauges(stages: dict[str, StageFigures]) -> Iterator[Metric]:
    waiting = GaugeMetricFamily("inklane_stage_waiting_items", "Items that wait for a lane.", labels=["stage"])
    lanes = GaugeMetricFamily("inklane_stage_lanes", "Lanes.", labels=["stage"])
    busy = GaugeMetricFamily("inklane_stage_lanes_busy", "Lanes that run a batch.", labels=["stage"])
    padding = GaugeMetricFamily(
        "inklane_stage_padding_ratio", "Share of all pixels computed so far that was padding.", labels=["stage"]
    )
    for name, stage in stages.items():
        waiting.add_metric([name], stage.waiting)
        lanes.add_metric([name], stage.lanes)
        busy.add_metric([name], stage.busy_lanes)
        if _computes_pixels(stage):
            padding.add_metric([name], stage.padding_share)
    yield from (waiting, lanes, busy, padding)


def _workers(statistics: WorkerStatistics) -> Iterator[Metric]:
    yield GaugeMetricFamily("inklane_workers", "Worker processes.", value=statistics.workers)
    yield CounterMetricFamily(
        "inklane_worker_restarts", "Starts of a worker after one that died.", value=statistics.worker_restarts
    )
    yield GaugeMetricFamily(
        "inklane_worker_waiting_documents", "Documents no stage has seen yet.", value=statistics.waiting_documents
    )
    yield GaugeMetricFamily(
        "inklane_worker_documents", "Documents being read or waiting in a stage.", value=statistics.documents_in_flight
    )
    yield CounterMetricFamily("inklane_model_swaps", "Models put into use while running.", value=statistics.swaps)
    models = InfoMetricFamily("inklane_model", "The models in use.", labels=["task"])
    for task, model in statistics.models.items():
        models.add_metric([task], {"model": model})
    yield models
    shadows = CounterMetricFamily(
        "inklane_shadow_items",
        "Items that a shadow read as well: with an equal or a different result, failed, or skipped.",
        labels=["stage", "model", "outcome"],
    )
    for stage, shadow in statistics.shadows.items():
        for outcome in ("equal", "different", "failed", "skipped"):
            shadows.add_metric([stage, shadow.name, outcome], getattr(shadow, outcome))
    yield shadows


def _computes_pixels(stage: StageFigures) -> bool:
    """Whether its items cost pixels; where they are counted as one each, there is no padding to speak of."""
    return stage.padded_pixels > stage.items


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    return [(_text(bound), float(count)) for bound, count in histogram.cumulative()]


def _text(bound: float) -> str:
    """A bucket's bound as it stands in the label ``le``."""
    return "+Inf" if bound == float("inf") else str(float(bound))


def _size_buckets(batches: Counter[int]) -> list[tuple[str, float]]:
    bounds = (*BATCH_SIZES, float("inf"))
    return [(_text(bound), float(sum(count for size, count in batches.items() if size <= bound))) for bound in bounds]
