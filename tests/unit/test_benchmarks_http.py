"""The arithmetic and the clients of the service's benchmark."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import http_figures as figures
from benchmarks.http_load import Answer, arrivals, closed_loop, open_loop, probe
from benchmarks.http_server import Server, ServerFailed, children

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


def answer(status: int, due: float, ended: float, *, sent: float | None = None, code: str = "") -> Answer:
    return Answer(0, due, due if sent is None else sent, ended, status, code)


# --- arithmetic -------------------------------------------------------------------------------------------------


def test_arrivals_keep_their_rate_and_know_nothing_of_each_other() -> None:
    found = arrivals(5.0, 400.0)
    assert found == sorted(found) == arrivals(5.0, 400.0)
    assert found != arrivals(5.0, 400.0, seed=2)
    assert 0 < found[0] < found[-1] < 400
    assert len(found) == pytest.approx(2000, rel=0.1)
    gaps = [b - a for a, b in zip(found, found[1:], strict=False)]
    beyond_twice_the_mean = sum(gap > 0.4 for gap in gaps) / len(gaps)
    assert beyond_twice_the_mean == pytest.approx(0.135, abs=0.03), "e to the -2"
    assert arrivals(0.001, 1.0) == []
    with pytest.raises(ValueError, match="rate"):
        arrivals(0.0, 1.0)


def test_latency_counts_from_when_a_request_was_due_and_a_refusal_from_when_it_was_sent() -> None:
    late = answer(200, 1.0, 4.0, sent=3.0)
    assert (late.latency, late.response) == (3.0, 1.0)
    result = figures.phase_figures([late, answer(429, 1.0, 3.5, sent=3.0, code="queue_full")])
    assert result["latency_ms"] == {"p50": 3000, "p95": 3000, "p99": 3000, "max": 3000}
    assert result["shed_ms"]["p99"] == 500


def test_a_phase_counts_what_was_read_what_was_shed_and_what_went_wrong() -> None:
    answers = [answer(200, i, i + 1) for i in range(6)]
    answers += [answer(429, 1, 1.01, code="queue_full")] * 2
    answers += [answer(503, 0, 8, code="worker_failed"), answer(0, 0, 8, code="ServerDisconnectedError")]
    answers += [answer(503, 0, 8, code="worker_failed")]
    result = figures.phase_figures(answers)
    assert (result["sent"], result["read"], result["shed"]) == (11, 6, 2)
    assert result["failed"] == {"503 worker_failed": 2, "0 ServerDisconnectedError": 1}
    assert result["seconds"] == 8
    assert result["documents_per_second"] == pytest.approx(6 / 8), "only what was read counts"


def test_a_phase_in_which_nothing_happened() -> None:
    result = figures.phase_figures([])
    assert (result["documents_per_second"], result["latency_ms"], result["shed_ms"]) == (0.0, None, None)


def test_percentiles_are_of_the_worst_and_not_of_the_best() -> None:
    values = [n / 1000 for n in range(1, 101)]
    assert figures.milliseconds(values) == pytest.approx({"p50": 50, "p95": 95, "p99": 99, "max": 100})


def stage(items: int, batches: int, waits: int = 0, waited: float = 0.0) -> dict[str, Any]:
    return {"items": items, "batch_count": batches, "queue_s": {"count": waits, "sum": waited}}


def test_stages_are_counted_from_one_look_to_the_next() -> None:
    before = {"stages": {"detection": stage(10, 10, 10, 5.0), "recognition": stage(100, 50)}}
    after = {
        "stages": {
            "detection": stage(10, 10, 10, 5.0),
            "recognition": stage(190, 80, 90, 1.8),
            "fields": stage(3, 3, 3, 0.3),
        }
    }
    assert figures.stage_figures(before, after) == {
        "recognition": {"items": 90, "batches": 30, "mean_batch": 3, "waiting_ms_per_item": pytest.approx(20)},
        "fields": {"items": 3, "batches": 3, "mean_batch": 1, "waiting_ms_per_item": pytest.approx(100)},
    }


def test_memory_that_grows_at_first_and_is_flat_then_is_flat() -> None:
    samples = [{"front": 10.0, "workers": w, "both": 10 + w} for w in (100, 150, 190, 200, 200, 200, 200, 200)]
    flat = figures.memory_figures(samples, every=1.0)
    assert (flat["growth_mib_per_minute"], flat["most"], flat["first"]["workers"]) == (0, 210, 100)
    rising = [{"front": 10.0, "workers": float(w), "both": 10.0 + w} for w in range(10)]
    assert figures.memory_figures(rising, every=2.0)["growth_mib_per_minute"] == pytest.approx(30)


def test_what_a_full_queue_allows() -> None:
    assert figures.allowed_latency_ms(1000.0, room=32, pages_per_second=2.0) == 3000 + 16_000


# --- clients ----------------------------------------------------------------------------------------------------


class Service:
    """It answers when the test lets it, and knows how many are inside."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.seen: list[int] = []
        self.changed = asyncio.Condition()
        self.gate = asyncio.Event()

    async def post(self, document: int) -> tuple[int, str]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.seen.append(document)
        async with self.changed:
            self.changed.notify_all()
        await self.gate.wait()
        self.inside -= 1
        return (200, "") if document != 2 else (429, "queue_full")

    async def wait_for(self, inside: int) -> None:
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(lambda: self.inside >= inside)


async def test_in_the_closed_loop_a_client_waits_for_its_answer() -> None:
    service = Service()
    running = asyncio.create_task(closed_loop(service.post, 10, 3))
    await service.wait_for(3)
    for _ in range(10):
        await asyncio.sleep(0)
    assert service.inside == 3
    service.gate.set()
    answers = await running
    assert service.most == 3
    assert [a.document for a in answers] == list(range(10))
    assert [a.document for a in answers if a.status == 429] == [2]
    assert all(a.due == a.sent <= a.ended for a in answers)


async def test_in_the_open_loop_nobody_waits_for_the_others() -> None:
    service = Service()
    due = [0.0, 0.001, 0.002, 0.003, 0.004]
    running = asyncio.create_task(open_loop(service.post, due, documents=3))
    await service.wait_for(5)
    service.gate.set()
    answers = await running
    assert service.seen == [0, 1, 2, 0, 1]
    assert [a.due for a in answers] == due
    assert all(a.due <= a.sent <= a.ended for a in answers)
    assert [a.status for a in answers] == [200, 200, 429, 200, 200]


async def test_health_is_looked_at_until_the_end() -> None:
    done, asked = asyncio.Event(), 0

    async def get() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            done.set()

    assert len(await probe(get, 0.0001, done)) == 3


# --- processes --------------------------------------------------------------------------------------------------


def test_a_process_knows_its_children() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in children(os.getpid())
        child.communicate(b"\n")
    assert child.pid not in children(os.getpid())


def test_a_server_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INKLANE_BACKEND", "abacus")
    with pytest.raises(ServerFailed, match=r"(?s)exit status 2.*abacus"):
        Server(room=4)


@pytest.mark.parametrize("name", ["http", "peers"])
def test_run_by_its_path_pythons_own_http_is_found(name: str) -> None:
    done = subprocess.run(
        [sys.executable, f"benchmarks/{name}.py", "--help"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert "--rounds" in done.stdout
