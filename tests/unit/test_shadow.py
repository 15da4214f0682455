"""Shadows: a second look at the same items, compared and counted, never returned."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from models.ctc import DecodedText
from pipeline.hot import shadow as module
from pipeline.hot.compare import same
from pipeline.hot.shadow import UNBATCHED, Shadow
from pipeline.hot.versions import ModelVersion
from pipeline.job import DocumentJob, LineJob, PageJob
from schemas.requests import ReadRequest
from schemas.statistics import ShadowFigures
from stages.batcher import Item
from stages.detection.box import Box
from stages.devices.cpu import DONE
from stages.lane import BatchReport, Payload
from stages.recognition.stage import Recognised
from tests.factories.engines import Bench, MakeBench
from tests.factories.hot import FakeLoading
from tests.factories.lanes import PATIENCE, FakeStage
from tests.factories.plant import TokenModel, items_of

# --- in an engine -------------------------------------------------------------------------------------------------


@pytest.fixture
def wait_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Waits until so many of the shadows' items have come back."""
    changed, count = threading.Condition(), [0]
    let_go = Shadow.let_go

    def counted(shadow: Shadow, item: Item[Payload]) -> None:
        let_go(shadow, item)
        with changed:
            count[0] += 1
            changed.notify_all()

    monkeypatch.setattr(Shadow, "let_go", counted)

    def wait(number: int) -> None:
        with changed:
            assert changed.wait_for(lambda: count[0] >= number, PATIENCE), count

    return wait


def do(bench: Bench, command: str, **arguments: Any) -> dict[str, Any]:
    return bench.engine.control(command, **arguments).result(PATIENCE)


def test_another_model_is_compared_and_its_results_are_not_returned(
    benches: MakeBench, wait_for: Callable[[int], None]
) -> None:
    loading = FakeLoading()
    bench = benches(loading=loading)
    told = do(bench, "shadow", stage="recognition", name="shift1")
    assert told["shadow"] == {"model": "shift1@0", "share": 1.0}
    document = bench.read("doc", ["abc", "defg", "xyz"])
    assert items_of(document) == [["abc", "defg", "xyz"]]
    assert document.models["recognition"] == "tokens@0"
    wait_for(3)
    statistics = bench.engine.statistics()
    figures = statistics.shadows["recognition"]
    assert (figures.equal, figures.different, figures.failed) == (0, 3, 0)
    assert statistics.stages["recognition"].items == 3, "what the shadow runs is not counted as work"
    do(bench, "shadow", stage="recognition", name=None)
    assert loading.model("shift1").freed.wait(PATIENCE)
    assert bench.engine.statistics().shadows == {}


def test_batched_lines_are_read_once_more_alone(benches: MakeBench, wait_for: Callable[[int], None]) -> None:
    bench = benches(loading=FakeLoading())
    do(bench, "shadow", stage="recognition", name=UNBATCHED)
    lines = [f"{i}-line" for i in range(6)]
    assert items_of(bench.read("doc", lines)) == [lines]
    assert 6 in bench.engine.counts.snapshot()["recognition"].sizes
    wait_for(6)
    figures = bench.engine.statistics().shadows["recognition"]
    assert (figures.name, figures.equal, figures.different) == (UNBATCHED, 6, 0)


def test_a_shadow_that_is_put_into_use_is_not_loaded_again_and_ends(benches: MakeBench) -> None:
    loading = FakeLoading()
    bench = benches(loading=loading)
    do(bench, "shadow", stage="recognition", name="shift1")
    told = do(bench, "load_model", stage="recognition", name="shift1")
    assert (told["model"], told["shadow"], len(loading.loaded)) == ("shift1@0", None, 1)
    assert items_of(bench.read("doc", ["abc"])) == [["bcd"]]


def test_an_engine_closes_with_a_shadow_at_work(benches: MakeBench) -> None:
    bench = benches(loading=FakeLoading())
    do(bench, "shadow", stage="recognition", name="shift1")
    assert items_of(bench.read("doc", ["abc", "def"])) == [["abc", "def"]]
    bench.engine.close()  # and the bench checks that nothing is left


# --- alone --------------------------------------------------------------------------------------------------------


class Offered:
    """A shadow whose items wait until the test runs them."""

    def __init__(self, share: float = 1.0) -> None:
        self.model = TokenModel()
        self.answers = ModelVersion(FakeStage("orientation"), None, "first")
        self.answers.acquire()
        version = ModelVersion(FakeStage("orientation"), self.model, "second", 1)
        self.items: list[Item[Payload]] = []
        self.shadow = Shadow("orientation", share, version, lambda stage, items: self.items.extend(items))

    def consider(self, document: int = 1, page: int = 1, result: Any = "text", seconds: float = 1.0) -> None:
        job = DocumentJob(ReadRequest(b"", "doc", id=document))
        line: Any = LineJob(PageJob(page), 0, None)  # type: ignore[arg-type]
        item = Item(Payload("value", DONE, "orientation", line, self.answers), "a", 1, 0.0, owner=job)
        self.shadow.consider(job, item, result, report(seconds))

    def run(self, result: Any = "text", seconds: float = 1.0) -> None:
        self.shadow.compare(self.items.pop(0), result, report(seconds))


def report(seconds: float, cores: int = 1) -> BatchReport:
    return BatchReport("orientation", 0, 1, "a", 1, 0.0, seconds, seconds, DONE, cores=cores)


def test_what_was_equal_different_failed_slower_and_faster_is_counted() -> None:
    offered = Offered()
    for _ in range(3):
        offered.consider(seconds=2.0)
    offered.run(seconds=1.0)
    offered.run("other", seconds=3.0)
    offered.run(ValueError("no"))
    expected = ShadowFigures("second", equal=1, different=1, failed=1, faster=1, slower=1, own_s=4.0, shadow_s=4.0)
    assert offered.shadow.figures == expected


def test_memory_is_bounded_by_items_and_by_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ITEMS", 5)
    offered = Offered()
    for page in (1, 2, 3, 1, 2):  # a third page would be a third page's pixels
        offered.consider(page=page)
    assert (len(offered.items), offered.shadow.figures.skipped) == (4, 1)
    for _ in range(3):
        offered.consider(page=1)
    assert (len(offered.items), offered.shadow.figures.skipped) == (5, 3)
    for _ in range(5):
        offered.run()
    offered.consider(page=3)
    assert len(offered.items) == 1


def test_a_share_is_of_documents() -> None:
    offered = Offered(share=0.3)
    for document in range(400):
        for _ in range(2):
            offered.consider(document=document)
        while offered.items:
            offered.run()
    compared = offered.shadow.figures.equal
    assert compared % 2 == 0, "a document is compared as a whole or not at all"
    assert 0.2 < compared / 800 < 0.4


def test_failures_of_the_version_that_answers_are_not_compared() -> None:
    offered = Offered()
    offered.consider(result=ValueError("no"))
    assert not offered.items


def test_what_cannot_be_compared_is_counted_and_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ZeroDivisionError

    offered = Offered()
    offered.consider(result=Odd())
    offered.run()
    assert offered.shadow.figures.failed == 1
    offered.shadow._offer = None  # type: ignore[assignment]  # a defect
    offered.consider()
    assert "could not be given to the shadow" in caplog.text


def test_the_model_is_freed_when_the_last_item_after_the_end_is_gone() -> None:
    offered = Offered()
    offered.consider()
    offered.shadow.stop()
    assert not offered.items[0].wanted()
    assert not offered.model.closed
    offered.consider()
    assert len(offered.items) == 1, "nothing new after the end"
    offered.shadow.let_go(offered.items.pop())
    assert offered.model.freed.is_set()


# --- what is equal ------------------------------------------------------------------------------------------------


def box(left: float, top: float) -> Box:
    return Box(np.array([[left, top], [left + 50, top], [left + 50, top + 10], [left, top + 10]], np.float32), 0.9)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ([], [], True),
        ([box(0, 0)], [], False),
        ([box(0, 0), box(0, 50)], [box(1, 51), box(0, 2)], True),  # in any order, a pixel or two apart
        ([box(0, 0), box(0, 50)], [box(0, 0), box(0, 60)], False),
        ([box(0, 0), box(0, 1)], [box(0, 0), box(0, 90)], False),  # two cannot be where one is
    ],
)
def test_boxes_are_the_same_where_a_line_reads_the_same(one: list[Box], other: list[Box], equal: bool) -> None:
    assert same("detection", one, other) is equal


def test_lines_are_the_same_by_their_text() -> None:
    def line(text: str, confidence: float) -> Recognised:
        return Recognised(DecodedText(text, confidence, (), (), 1))

    assert same("recognition", line("a", 0.9), line("a", 0.8))
    assert not same("recognition", line("a", 0.9), line("b", 0.9))


def test_turns_are_the_same_number() -> None:
    assert same("orientation", 180, 180)
    assert not same("orientation", 180, 0)
