"""Whatever fails in the engine, it reaches the one whose fault it is, and no future is left unresolved."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from typing import Any

import pytest

from pipeline.job import DocumentJob
from schemas.errors import DamagedFile, DocumentError, StageFailed, WorkerFailed
from tests.factories.engines import Bench, MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import STAGES, FakeDocument, items_of, request


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("error", [lambda: DamagedFile("broken; make it again"), lambda: ZeroDivisionError("oops")])
def test_one_broken_document_among_eight(benches: MakeBench, stage: str, error: Callable[[], Exception]) -> None:
    """CASES 20 and 23: seven results and one error, whichever stage it fails in, and the next one is read."""
    bench = benches(fields=True)
    bench.probe.fail(stage, "doc3", error)
    futures = [bench.submit(f"doc{i}", [f"token-{i}", f"other-{i}"]) for i in range(8)]
    good = [items_of(future.result(PATIENCE)) for i, future in enumerate(futures) if i != 3]
    assert good == [[[f"token-{i}", f"other-{i}"]] for i in range(8) if i != 3]
    expected = error()
    if stage == "recognition":  # a line that cannot be read leaves the rest of the page
        document = futures[3].result(PATIENCE)
        assert items_of(document) == [[]]
        assert [(notice.code, notice.page) for notice in document.warnings] == [("line_unread", 1)] * 2
    elif stage in ("layout_ner", "fields"):  # the text is delivered without fields
        document = futures[3].result(PATIENCE)
        assert items_of(document) == [["token-3", "other-3"]]
        assert document.fields == {}
        [notice] = document.warnings
        assert (notice.code, notice.page) == ("fields_failed", 1 if stage == "layout_ner" else None)
        assert str(expected) in notice.message
    else:
        found = futures[3].exception(PATIENCE)
        assert isinstance(found, DamagedFile if isinstance(expected, DamagedFile) else StageFailed)
        assert str(expected) in found.message
        assert stage in found.message or isinstance(expected, DamagedFile)
        assert found.__traceback__ is None, "frames keep a document's memory"
    assert items_of(bench.read("next", ["fine"])) == [["fine"]]


def test_one_bad_page_leaves_the_others_and_says_why(bench: Bench) -> None:
    document = bench.read("doc", ["one"], None, ["three"])
    assert items_of(document) == [["one"], [], ["three"]]
    bad = document.pages[1]
    assert bad.error is not None
    assert (bad.page, bad.error.code, bad.error.page) == (2, "damaged_file", 2)
    assert "page 2 is broken" in bad.error.message
    assert [page.error for page in document.pages if page is not bad] == [None, None]


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_bad_page_is_told_wherever_it_stands(bench: Bench, bad: int) -> None:
    pages: list[list[str] | None] = [["one"], ["two"], ["three"]]
    pages[bad] = None
    document = bench.read("doc", *pages)
    assert [page.error is not None for page in document.pages] == [i == bad for i in range(3)]


def test_when_no_page_can_be_read_the_first_pages_error_is_the_documents(bench: Bench) -> None:
    with pytest.raises(DamagedFile, match="page 1 is broken"):
        bench.read("doc", None, None)


def test_one_unread_line_leaves_the_rest_of_the_page(bench: Bench) -> None:
    def fail_once() -> None:
        bench.probe._rules.pop(("recognition", "doc"))
        raise ValueError("oops")

    bench.probe._rules["recognition", "doc"] = fail_once
    document = bench.read("doc", ["abc"], ["def"])
    # The first try fails in the batch and is made good alone, or fails alone.
    assert sum(len(lines) for lines in items_of(document)) + len(document.warnings) == 2


def test_when_a_thread_of_the_engine_dies_every_future_fails_and_close_returns(bench: Bench) -> None:
    class Gone(BaseException):
        pass

    bench.broken = True
    release = bench.probe.hold("orientation", "running")
    running = bench.submit("running", ["abc"])
    bench.probe.wait_for("orientation", "running")
    bench.probe.fail("open", "fatal", Gone)
    fatal = bench.submit("fatal", ["abc"])
    for future in (fatal, running):
        error = future.exception(PATIENCE)
        assert isinstance(error, WorkerFailed)
        assert "Gone" in error.message
    assert fatal.exception() is not running.exception(), "each has an error of its own, as each gets a traceback"
    with pytest.raises(WorkerFailed, match="broke down"):
        bench.engine.submit(request("next", ["abc"]))
    release.set()
    bench.engine.close()
    assert bench.probe.counts["open_documents"] == 0


def test_a_defect_of_the_flow_costs_one_document(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = bench.engine._flow
    detected = flow._next["detection"]

    def defect(job: Any, page: Any, boxes: Any, event: Any) -> None:
        if job.request.name == "odd":
            raise IndexError("a defect")
        detected(job, page, boxes, event)

    monkeypatch.setitem(flow._next, "detection", defect)
    monkeypatch.setattr("pipeline.engine.log.disabled", True)  # pytest keeps the records, and with them the pages
    futures = {name: bench.submit(name, ["abc"], ["def"]) for name in ("one", "odd", "two")}
    assert isinstance(futures["odd"].exception(PATIENCE), StageFailed)
    assert "IndexError" in str(futures["odd"].exception())
    assert [items_of(futures[name].result(PATIENCE)) for name in ("one", "two")] == [[["abc"], ["def"]]] * 2


@pytest.mark.parametrize("where", ["result", "close"])
def test_a_defect_at_the_very_end_leaves_no_future_unresolved(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def broken(*_: Any) -> Any:
        raise OSError("a defect")

    if where == "result":
        monkeypatch.setattr(DocumentJob, "result", broken)
        assert isinstance(bench.submit("doc", ["abc"]).exception(PATIENCE), StageFailed)
    else:
        release = bench.probe.hold("decode", "doc")
        future = bench.submit("doc", ["abc"], ["def"])
        bench.probe.wait_for("decode", "doc")
        close = FakeDocument.close
        with monkeypatch.context() as patch:
            patch.setattr(FakeDocument, "close", lambda self: (close(self), broken()))
            future.cancel()
            assert wait([future], PATIENCE).done
        release.set()
        bench.engine.close()
        bench.broken = True  # a document that cannot be closed may keep its credit


def test_errors_of_documents_are_document_errors(bench: Bench) -> None:
    bench.probe.fail("detection", "doc", lambda: RuntimeError("oops"))
    error = bench.submit("doc", ["abc"]).exception(PATIENCE)
    assert isinstance(error, DocumentError)
    assert error.code == "stage_failed"
