"""Progress of a document, page by page, as the engine tells it."""

from __future__ import annotations

import threading

import pytest

from schemas.progress import Progress
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import items_of, request


def steps_of(bench: Bench, name: str, *pages: list[str] | None) -> list[Progress]:
    seen: list[Progress] = []
    future = bench.engine.submit(request(name, *pages), on_progress=seen.append)
    bench.futures.append(future)
    future.exception(PATIENCE)
    return seen


def test_each_page_is_told_at_each_step_and_the_count_only_grows(bench: Bench) -> None:
    seen = steps_of(bench, "doc", ["abc", "def"], ["ghi"], [])
    assert seen[0] == Progress(None, 3, "opened", 0)
    for page in (1, 2, 3):
        assert [step.stage for step in seen if step.page == page] == ["detected", "recognised", "done"]
    counts = [step.done for step in seen]
    assert counts == sorted(counts)
    assert seen[-1].done == 3
    assert {step.pages for step in seen} == {3}


def test_a_page_that_fails_is_told_as_failed(bench: Bench) -> None:
    seen = steps_of(bench, "doc", ["abc"], None)
    assert [step.stage for step in seen if step.page == 2] == ["failed"]
    assert seen[-1].done == 2


@pytest.mark.parametrize("angle", [90, 180])
def test_a_page_that_is_detected_twice_is_told_once(bench: Bench, angle: int) -> None:
    bench.probe.angles["turned"] = angle
    bench.probe.stored_turned["turned"] = angle
    seen = steps_of(bench, "turned", ["abc", "defgh"])
    assert [step.stage for step in seen] == ["opened", "detected", "recognised", "done"]


def test_fields_are_read_before_a_page_is_done(benches: MakeBench) -> None:
    bench = benches(fields=True)
    release = bench.probe.hold("layout_ner", "doc")
    seen: list[Progress] = []
    future = bench.engine.submit(request("doc", ["receipt12"]), on_progress=seen.append)
    bench.futures.append(future)
    bench.probe.wait_for("layout_ner", "doc")
    assert [step.stage for step in seen] == ["opened", "detected", "recognised"]
    release.set()
    assert future.result(PATIENCE).pages
    assert seen[-1] == Progress(1, 1, "done", 1)


def test_nothing_is_told_after_the_document_was_cancelled(bench: Bench) -> None:
    seen: list[Progress] = []
    release = bench.probe.hold("decode", "doc")
    future = bench.engine.submit(request("doc", ["abc"]), on_progress=seen.append)
    bench.futures.append(future)
    bench.probe.wait_for("decode", "doc")
    future.cancel()
    release.set()
    bench.read("other", ["abc"])
    bench.engine.close()
    assert [step.stage for step in seen] == ["opened"]


def test_a_callback_that_fails_costs_nothing(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    def broken(step: Progress) -> None:
        raise ValueError("not now")

    future = bench.engine.submit(request("doc", ["abc"]), on_progress=broken)
    bench.futures.append(future)
    assert items_of(future.result(PATIENCE)) == [["abc"]]
    assert "the progress of doc failed" in caplog.text


def test_submitting_without_waiting_is_refused_where_there_is_no_room(benches: MakeBench) -> None:
    from schemas.errors import QueueFull

    bench = benches(max_waiting=1)
    release = bench.probe.hold("open", "first")
    first = bench.submit("first", ["abc"])
    bench.probe.wait_for("open", "first")
    with pytest.raises(QueueFull):
        bench.engine.submit(request("second", ["abc"]), block=False)
    release.set()
    assert first.result(PATIENCE).pages


def test_steps_are_told_in_the_order_in_which_they_are_counted(bench: Bench) -> None:
    """A slow callback for one page does not let another page's count pass it."""
    seen: list[int] = []
    entered = threading.Event()

    def slow(step: Progress) -> None:
        if step.stage == "done":
            entered.set()
            seen.append(step.done)

    future = bench.engine.submit(request("doc", *[[f"{i}-x"] for i in range(12)]), on_progress=slow)
    bench.futures.append(future)
    assert entered.wait(PATIENCE)
    future.result(PATIENCE)
    assert seen == list(range(1, 13))
