"""A trace of the lanes: recorded in a ring, written as Chrome's trace viewer and Perfetto read it."""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import trace as command
from pipeline.cli.app import app
from pipeline.hot.shadow import Shadow
from schemas.document import Document
from schemas.errors import InvalidRequest
from schemas.trace import TraceEvent, events_of, summarise, to_chrome
from stages.batcher import Item
from stages.lane import Payload
from tests.factories.engines import Bench, MakeBench
from tests.factories.hot import FakeLoading
from tests.factories.lanes import PATIENCE
from tests.factories.plant import request


def event(stage: str, start: float, end: float, *pages: tuple[str, int], **values: Any) -> TraceEvent:
    given: dict[str, Any] = {"lane": 0, "size": 1, "bucket": "", "cores": 1, "network_s": 0.0, "wait_s": 0.0} | values
    return TraceEvent(stage=stage, start=start, end=end, pages=pages, **given)


def arrows(trace: dict[str, Any]) -> list[tuple[tuple[int, float], tuple[int, float]]]:
    """Where each arrow begins and ends: row and time."""
    ends: dict[int, dict[str, tuple[int, float]]] = {}
    for entry in trace["traceEvents"]:
        if entry["ph"] in "sf":
            ends.setdefault(entry["id"], {})[entry["ph"]] = (entry["tid"], entry["ts"])
    return [(found["s"], found["f"]) for found in ends.values()]


# --- the format ---------------------------------------------------------------------------------------------------


def test_there_is_a_row_for_each_lane_in_the_order_of_the_flow() -> None:
    trace = to_chrome([event("recognition", 1, 2, lane=1), event("recognition", 1, 2), event("decode", 0, 1)])
    rows = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    assert rows == {1: "decode 0", 2: "recognition 0", 3: "recognition 1"}
    order = [e["args"]["sort_index"] for e in trace["traceEvents"] if e["name"] == "thread_sort_index"]
    assert order == [1, 2, 3]


def test_a_batch_is_a_bar_with_what_it_did() -> None:
    one = event(
        "recognition", 10.5, 10.75, ("7 a.png", 2), size=4, bucket="320", network_s=0.2, wait_s=0.01, model="rec@1"
    )
    (bar,) = [e for e in to_chrome([event("open", 10, 10.1), one])["traceEvents"] if e.get("cat") == "recognition"]
    assert (bar["name"], bar["ts"], bar["dur"]) == ("recognition x4", 500_000, 250_000)
    assert bar["args"]["pages"] == ["7 a.png, page 2"]
    assert (bar["args"]["network_ms"], bar["args"]["wait_ms"], bar["args"]["model"]) == (200, 10, "rec@1")


def test_arrows_follow_each_page_through_every_batch_it_is_in() -> None:
    doc, first, second = ("1 d", 0), ("1 d", 1), ("1 d", 2)
    trace = to_chrome(
        [
            event("open", 0, 1, doc),
            event("decode", 1, 2, first),
            event("decode", 2, 3, second),
            event("recognition", 3, 4, first, second),
            event("recognition", 3.5, 5, first, lane=1),
            event("recognition", 3, 9, first, lane=2, shadow=True),
            event("assembly", 5, 6, first),
            event("fields", 7, 8, doc),
        ]
    )
    rows = {e["args"]["name"]: e["tid"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    named = {number: name for name, number in rows.items()}
    found = sorted((named[a[0]], named[b[0]], round(a[1] / 1e6, 3), round(b[1] / 1e6, 3)) for a, b in arrows(trace))
    assert found == sorted(
        [
            ("open 0", "decode 0", 1, 1),
            ("open 0", "decode 0", 1, 2),
            ("decode 0", "recognition 0", 2, 3),
            ("decode 0", "recognition 0", 3, 3),
            ("decode 0", "recognition 1", 2, 3.5),
            ("recognition 0", "assembly 0", 4, 5),
            ("recognition 1", "assembly 0", 5, 5),
            ("recognition 0", "fields 0", 4, 7),
            ("assembly 0", "fields 0", 6, 7),
        ]
    )
    bars = [(e["tid"], e["ts"], e["ts"] + e["dur"]) for e in trace["traceEvents"] if e["ph"] == "X"]
    for start, _ in arrows(trace):
        assert any(row == start[0] and begin <= start[1] < end for row, begin, end in bars), "else it is not drawn"


def test_overlap_is_the_share_of_the_busy_time_in_which_two_stages_ran() -> None:
    events = [
        event("decode", 0, 2),
        event("recognition", 1, 3),
        event("recognition", 1, 3, lane=1),
        event("open", 5, 6),
    ]
    summary = summarise(events)
    assert (summary.seconds, summary.busy) == (6, {"open": 1, "decode": 2, "recognition": 4})
    assert summary.overlap == pytest.approx(1 / 4)
    assert summarise([]).overlap == 0


def test_events_of_several_workers_are_told_apart() -> None:
    told = {"events": [event("open", 1, 2, ("1 d", 1)).told()]}
    events = events_of({"events": [], "workers": [told, {"events": [event("open", 0, 2).told()]}]})
    assert [(one.worker, one.start) for one in events] == [(2, 0), (1, 1)]
    assert {e["pid"] for e in to_chrome(events)["traceEvents"]} == {1, 2}
    assert json.loads(json.dumps(told)) == {
        "events": [event("open", 1, 2, ("1 d", 1)).told() | {"pages": [["1 d", 1]]}]
    }


# --- recording ----------------------------------------------------------------------------------------------------


def record(bench: Bench, **arguments: Any) -> dict[str, Any]:
    return bench.engine.control("trace", **arguments).result(PATIENCE)


def test_every_batch_is_recorded_while_it_is_on(bench: Bench) -> None:
    bench.read("before", ["abc"])
    record(bench, action="start")
    asked = request("doc", ["abc", "def"], ["ghi"])
    bench.send(asked).result(PATIENCE)
    events = events_of(record(bench, action="stop"))
    assert {one.stage for one in events} == {"open", "decode", "detection", "orientation", "recognition", "assembly"}
    assert sum(one.size for one in events if one.stage == "recognition") == 3
    assert {page for one in events for page in one.pages} == {(f"{asked.id} doc", number) for number in (0, 1, 2)}
    assert {one.model for one in events if one.stage == "recognition"} == {"tokens@0"}
    assert all(one.start <= one.end for one in events)


def test_the_ring_keeps_the_latest(bench: Bench) -> None:
    record(bench, action="start", limit=3)
    bench.read("doc", ["abc"], ["def"])
    told = record(bench, action="stop")
    assert len(told["events"]) == 3
    assert told["seen"] > 3
    assert told["events"][-1]["stage"] == "assembly"


@pytest.mark.parametrize("limit", [0, 10**9])
def test_the_ring_is_bounded(bench: Bench, limit: int) -> None:
    with pytest.raises(InvalidRequest, match="limit"):
        record(bench, action="start", limit=limit)


def test_what_a_shadow_runs_is_marked(benches: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = benches(loading=FakeLoading())
    bench.engine.control("shadow", stage="recognition", name="unbatched").result(PATIENCE)
    record(bench, action="start")
    compared = threading.Event()
    let_go = Shadow.let_go

    def noted(shadow: Shadow, item: Item[Payload]) -> None:
        let_go(shadow, item)
        compared.set()

    monkeypatch.setattr(Shadow, "let_go", noted)
    bench.read("doc", [f"{i}-x" for i in range(6)])
    assert compared.wait(PATIENCE)
    lines = [one for one in events_of(record(bench, action="stop")) if one.stage == "recognition"]
    assert [one.shadow for one in lines if one.size > 1] == [False]
    assert {one.size for one in lines if one.shadow} == {1}
    assert {one.pages for one in lines if one.shadow} == {(("", 0),)}, "nobody's document"


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_writes_a_trace_and_says_what_overlapped(
    benches: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = benches()
    submit = bench.engine.submit

    def submitted(*arguments: Any, **options: Any) -> Future[Document]:
        bench.futures.append(submit(*arguments, **options))
        return bench.futures[-1]

    monkeypatch.setattr(bench.engine, "submit", submitted)
    monkeypatch.setattr("pipeline.worker.open.open_reader", lambda settings: bench.engine)
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text('{"name": "a", "pages": [["abc"], ["def"]]}')
    Path("bad.json").write_text('{"name": "bad", "pages": [null]}')
    result = CliRunner().invoke(app, ["trace", "a.json", "bad.json", "--out", "out.json", "--repeat", "2"])
    assert result.exit_code == 1, "one could not be read"
    assert "bad.json: page 1 is broken" in result.output
    assert "of 6 pages" in result.output
    written = json.loads(Path("out.json").read_bytes())
    bars = [entry["cat"] for entry in written["traceEvents"] if entry["ph"] == "X"]
    assert (bars.count("open"), bars.count("decode"), bars.count("assembly")) == (4, 6, 4)
    assert arrows(written)


def test_without_documents_there_is_nothing_to_trace(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["trace", str(tmp_path)])
    assert result.exit_code == 1


def test_a_description_names_pages_stages_and_overlap() -> None:
    events = [event("decode", 0, 2, ("1 d", 1)), event("recognition", 1, 3, ("1 d", 1), size=3)]
    text = command.describe(events, Path("t.json"))
    assert "t.json: 2 batches of 1 page in 3.00 s" in text
    assert "recognition" in text
    assert "in 33% of the time" in text
