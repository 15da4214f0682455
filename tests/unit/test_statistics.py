"""What is counted: histograms, stages, documents; over several lives of a worker."""

from __future__ import annotations

import pickle
from collections import Counter
from concurrent.futures import Future

import pytest

from pipeline.worker.tally import Tally
from schemas.document import Document, Notice, Page
from schemas.errors import DamagedFile
from schemas.statistics import SECONDS, Histogram, ShadowFigures, StageFigures, WorkerStatistics
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE


@pytest.mark.parametrize(
    ("seconds", "bucket"), [(0.0, 0), (0.001, 0), (0.0011, 1), (0.5, SECONDS.index(0.5)), (31.0, len(SECONDS))]
)
def test_a_value_falls_into_the_bucket_whose_bound_it_does_not_pass(seconds: float, bucket: int) -> None:
    histogram = Histogram()
    histogram.observe(seconds)
    assert [i for i, count in enumerate(histogram.counts) if count] == [bucket]
    assert (histogram.count, histogram.sum) == (1, seconds)


def test_cumulative_counts_end_with_all() -> None:
    histogram = Histogram()
    for seconds in (0.002, 0.002, 100.0):
        histogram.observe(seconds)
    below = dict(histogram.cumulative())
    assert (below[0.001], below[0.0025], below[30.0], below[float("inf")]) == (0, 2, 2, 3)


def figures(items: int, waiting: int = 0) -> StageFigures:
    made = StageFigures(Counter({items: 1}), items, waiting=waiting, lanes=2, busy_lanes=1, padded_pixels=10 * items)
    made.content_pixels = 8 * items
    made.queue_s.observe(0.01)
    return made


def test_sizes_padding_and_sums_follow_from_the_counts() -> None:
    stage = figures(4)
    stage.add(figures(2))
    assert (stage.mean_batch, stage.batch_count, stage.items) == (3.0, 2, 6)
    assert stage.padding_share == pytest.approx(0.2)
    assert StageFigures().padding_share == StageFigures().mean_batch == 0.0


def test_counts_go_on_over_a_workers_death_and_what_was_true_then_does_not() -> None:
    tally = Tally()
    first = WorkerStatistics({"open": figures(3, waiting=5)}, swaps=1, models={"recognition": "a"})
    first.shadows["open"] = ShadowFigures("b", equal=2)
    tally.told(first)
    assert tally.snapshot().stages["open"].waiting == 5
    tally.worker_ended()
    tally.worker_restarted()
    down = tally.snapshot(waiting=7, in_flight=0)
    assert (down.stages["open"].items, down.stages["open"].waiting, down.stages["open"].busy_lanes) == (3, 0, 0)
    assert (down.worker_restarts, down.waiting_documents, down.swaps) == (1, 7, 1)
    assert down.models == {"recognition": "a"}
    assert down.shadows == {}
    second = WorkerStatistics({"open": figures(2)}, models={"recognition": "c"})
    second.shadows["open"] = ShadowFigures("b", equal=1)
    for _ in range(2):  # what is told again is not counted again
        tally.told(second)
    total = tally.snapshot()
    assert total.stages["open"].items == 5
    assert total.stages["open"].queue_s.count == 2
    assert total.shadows["open"].equal == 3
    assert (total.models, total.workers) == ({"recognition": "c"}, 1)


def test_a_snapshot_belongs_to_whoever_asked() -> None:
    tally = Tally()
    tally.told(WorkerStatistics({"open": figures(3)}))
    tally.snapshot().stages["open"].batches[99] = 1
    tally.snapshot().stages["open"].queue_s.observe(1.0)
    assert tally.snapshot().stages["open"] == figures(3)


def test_documents_and_pages_are_counted_by_outcome() -> None:
    tally = Tally()
    pages = [Page(1, 1, 1), Page(2, 0, 0, error=Notice("damaged_file", "broken", 2))]
    futures: list[Future[Document]] = [Future() for _ in range(4)]
    futures[0].set_result(Document("a", pages=pages))
    futures[1].set_exception(DamagedFile("b"))
    futures[2].set_exception(ValueError("c"))
    futures[3].cancel()
    for future in futures:
        tally.document(future)
    counted = tally.snapshot()
    assert counted.documents == {"ok": 1, "damaged_file": 1, "internal_error": 1, "cancelled": 1}
    assert counted.pages == {"ok": 1, "failed": 1}


def test_statistics_cross_a_socket_in_a_few_kilobytes() -> None:
    every = WorkerStatistics({name: figures(3) for name in "abcdefgh"})
    packed = pickle.dumps(every, pickle.HIGHEST_PROTOCOL)
    assert pickle.loads(packed) == every
    assert len(packed) < 8192


def test_an_engine_counts_what_went_through_its_stages(bench: Bench) -> None:
    bench.read("doc", ["abc", "defg"], ["hij"])
    bench.submit("bad", None).exception(PATIENCE)
    bench.engine.close()
    told = bench.engine.statistics()
    assert list(told.stages) == ["open", "decode", "detection", "orientation", "recognition", "assembly"]
    lines = told.stages["recognition"]
    assert (lines.items, lines.queue_s.count) == (3, 3)
    assert lines.network_s.count == lines.batch_count == sum(lines.batches.values())
    assert lines.network_s.sum > 0
    assert told.stages["open"].network_s.count == 0, "it has no network"
    assert 0 < lines.content_pixels <= lines.padded_pixels
    assert (lines.lanes, lines.busy_lanes, lines.waiting) == (2, 0, 0)
    assert told.documents == {"ok": 1, "damaged_file": 1}
    assert told.pages == {"ok": 2}
    assert told.models["recognition"] == "tokens@0"


def test_lanes_at_work_and_items_that_wait_are_seen(benches: MakeBench) -> None:
    bench = benches(slots=1, lanes=2, orientation=False)
    release = bench.probe.hold("open", "first")
    futures = [bench.submit(name, ["abc"]) for name in ("first", "second")]
    bench.probe.wait_for("open", "first")
    bench.wait_until_offered("open", "second")
    told = bench.engine.statistics()
    assert (told.stages["open"].busy_lanes, told.stages["open"].waiting) == (1, 1)
    assert told.documents_in_flight == 2
    release.set()
    for future in futures:
        future.result(PATIENCE)
