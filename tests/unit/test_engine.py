"""The engine on a plant without weights: everyone gets their own text back, and nothing is left over."""

from __future__ import annotations

import threading
from concurrent.futures import wait

import pytest

from schemas.errors import InvalidRequest, WorkerFailed
from schemas.requests import ReadOptions
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import items_of, request


@pytest.mark.parametrize(
    "pages",
    [
        [["abc"]],
        [["abc", "def-1", "g23"]],
        [["aaa"], ["bbb", "ccc"], ["0000000000"]],
        [[]],  # blank
        [["abc"], [], ["def"]],
        [[f"line-{i}" for i in range(33)]],
    ],
)
def test_pages_and_lines_come_back_in_order(bench: Bench, pages: list[list[str]]) -> None:
    document = bench.read("doc", *pages)
    assert items_of(document) == pages
    assert [page.page for page in document.pages] == list(range(1, len(pages) + 1))
    assert document.file == "doc"
    assert document.models == {"recognition": "tokens@0"}
    assert document.warnings == []


def test_timings_count_every_item_of_every_stage(bench: Bench) -> None:
    document = bench.read("doc", ["abc", "def"], ["ghi"])
    assert {stage: timing.items for stage, timing in document.timings.items()} == {
        "open": 1, "decode": 2, "detection": 2, "orientation": 2, "recognition": 3, "assembly": 2,
    }  # fmt: skip
    for timing in document.timings.values():
        assert 0 <= timing.network_ms <= timing.busy_ms + 1e-6
        assert timing.queue_ms >= 0
    counts = bench.engine.counts.snapshot()
    assert {stage: count.items for stage, count in counts.items()} == {
        stage: timing.items for stage, timing in document.timings.items()
    }


def test_without_orientation_the_other_stages_do_their_work(benches: MakeBench) -> None:
    bench = benches(orientation=False)
    assert items_of(bench.read("doc", ["abc"], ["def"])) == [["abc"], ["def"]]
    assert "orientation" not in bench.probe.stages_of("doc")


def test_only_the_pages_asked_for_are_read(bench: Bench) -> None:
    document = bench.read("doc", ["one"], ["two"], ["three"], options=ReadOptions(pages=(3, 1)))
    assert [(page.page, [line.text for line in page.lines]) for page in document.pages] == [
        (1, ["one"]),
        (3, ["three"]),
    ]
    with pytest.raises(InvalidRequest, match="page 4"):
        bench.read("doc", ["one"], options=ReadOptions(pages=(4,)))


@pytest.mark.parametrize("slots", [1, 2, 8])
def test_sixty_four_documents_at_once_each_get_their_own_token(benches: MakeBench, slots: int) -> None:
    """CASES 18."""
    bench = benches(slots=slots)
    tokens = {
        f"doc{i}": [[f"{i:02}-{page}-{'x' * (i % 7)}{line}" for line in range(1 + i % 4)] for page in range(1 + i % 3)]
        for i in range(64)
    }
    futures = {name: bench.submit(name, *pages) for name, pages in tokens.items()}
    assert {name: items_of(future.result(PATIENCE)) for name, future in futures.items()} == tokens
    counts = bench.engine.counts.snapshot()["recognition"]
    assert counts.batches < counts.items, "lines of many documents share batches"
    assert bench.probe.meter.most["all"] <= slots


def test_more_lines_than_a_batch_can_hold(bench: Bench) -> None:
    """CASES 21."""
    lines = [f"{i:03}-{'y' * (i % 9)}" for i in range(400)]
    assert items_of(bench.read("long", lines)) == [lines]
    sizes = bench.engine.counts.snapshot()["recognition"].sizes
    assert max(sizes) == 8
    assert sum(size * count for size, count in sizes.items()) == 400


def test_the_only_page_is_detected_with_every_core(benches: MakeBench) -> None:
    bench = benches(slots=4)
    bench.read("doc", ["abc"])
    assert ("detection", 4) in bench.probe.cores
    assert {cores for stage, cores in bench.probe.cores if stage != "detection"} == {1}


def test_the_higher_priority_is_opened_first(benches: MakeBench) -> None:
    bench = benches(slots=1)
    release = bench.probe.hold("open", "first")
    futures = [bench.submit("first", ["abc"])]
    bench.probe.wait_for("open", "first")
    futures += [bench.submit(f"p{priority}", ["abc"], priority=priority) for priority in (2, 1, 0)]
    release.set()
    wait(futures, PATIENCE)
    opened = [name for stage, name in bench.probe.log if stage == "open"]
    assert opened == ["first", "p0", "p1", "p2"]


def test_submit_waits_for_room(benches: MakeBench) -> None:
    bench = benches(max_waiting=2)
    release = bench.probe.hold("open", "doc0")
    passed: list[int] = []
    full = threading.Event()

    def feed() -> None:
        for i in range(5):
            if i == 2:
                full.set()
            bench.submit(f"doc{i}", ["abc"])
            passed.append(i)

    thread = threading.Thread(target=feed)
    thread.start()
    assert full.wait(PATIENCE)
    bench.probe.wait_for("open", "doc0")
    assert bench.futures[0].done() is False
    assert len(passed) < 5
    release.set()
    thread.join(PATIENCE)
    assert passed == [0, 1, 2, 3, 4]
    assert [items_of(future.result(PATIENCE)) for future in bench.futures] == [[["abc"]]] * 5


def test_close_finishes_what_was_submitted(bench: Bench) -> None:
    futures = [bench.submit(f"doc{i}", ["abc"], ["def"]) for i in range(20)]
    bench.engine.close()
    assert all(future.done() for future in futures)
    assert [items_of(future.result()) for future in futures] == [[["abc"], ["def"]]] * 20


def test_after_close_nothing_is_taken_and_closing_again_is_harmless(benches: MakeBench) -> None:
    bench = benches(max_waiting=1)
    release = bench.probe.hold("open", "first")
    bench.submit("first", ["abc"])
    bench.probe.wait_for("open", "first")
    refused: list[BaseException] = []

    def late() -> None:
        try:
            bench.engine.submit(request("late", ["abc"]))
        except WorkerFailed as error:
            refused.append(error)

    waiting = threading.Thread(target=late)  # for room, when the engine is closed
    waiting.start()
    closers = [threading.Thread(target=bench.engine.close) for _ in range(2)]
    for closer in closers:
        closer.start()
    waiting.join(PATIENCE)
    release.set()
    for closer in closers:
        closer.join(PATIENCE)
    late()
    assert [str(error) for error in refused] == ["this reader is closed; make a new one"] * 2
