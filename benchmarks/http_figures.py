"""What answers, statistics and samples of memory come to."""

from __future__ import annotations

import http
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.figures import growth, percentile
from benchmarks.http_load import Answer

SHARES = (0.5, 0.95, 0.99)
SHED = http.HTTPStatus.TOO_MANY_REQUESTS


def milliseconds(seconds: Sequence[float]) -> dict[str, float] | None:
    """p50, p95, p99 and the most, in milliseconds; None where there are no values."""
    if not seconds:
        return None
    found = {f"p{share * 100:g}": 1000 * percentile(seconds, share) for share in SHARES}
    return found | {"max": 1000 * max(seconds)}


def phase_figures(answers: Sequence[Answer]) -> dict[str, Any]:
    """A phase: what was read and how fast, what was shed and how fast that was told, and what went wrong."""
    read = [answer for answer in answers if answer.status == http.HTTPStatus.OK]
    shed = [answer for answer in answers if answer.status == SHED]
    wrong = [answer for answer in answers if answer.status not in (http.HTTPStatus.OK, SHED)]
    seconds = max((answer.ended for answer in answers), default=0.0)
    return {
        "seconds": seconds,
        "sent": len(answers),
        "read": len(read),
        "documents_per_second": len(read) / seconds if seconds else 0.0,
        "latency_ms": milliseconds([answer.latency for answer in read]),
        "shed": len(shed),
        "shed_ms": milliseconds([answer.response for answer in shed]),
        "failed": dict(Counter(f"{answer.status} {answer.code}".strip() for answer in wrong)),
    }


def stage_figures(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """What each stage did between two answers of ``GET /v1/statistics``; stages that did nothing are left out."""
    found = {}
    for name, then in after["stages"].items():
        now = before["stages"].get(name)
        batches = then["batch_count"] - (now["batch_count"] if now else 0)
        items = then["items"] - (now["items"] if now else 0)
        waits = then["queue_s"]["count"] - (now["queue_s"]["count"] if now else 0)
        waited = then["queue_s"]["sum"] - (now["queue_s"]["sum"] if now else 0.0)
        if batches > 0:
            found[name] = {
                "items": items,
                "batches": batches,
                "mean_batch": items / batches,
                "waiting_ms_per_item": 1000 * waited / waits if waits else 0.0,
            }
    return found


def memory_figures(samples: Sequence[Mapping[str, float]], every: float) -> dict[str, Any]:
    """Resident memory of both processes over a phase, and how fast it grew in the second half of it."""
    both = [sample["both"] for sample in samples]
    half = both[len(both) // 2 :]
    return {
        "first": dict(samples[0]),
        "last": dict(samples[-1]),
        "most": max(both),
        "growth_mib_per_minute": growth(half) * 60 / every,
    }


def allowed_latency_ms(unloaded_p99_ms: float, room: int, pages_per_second: float) -> float:
    """What the p99 of those that are let in must stay below: three times the unloaded one, and the queue's time.

    A full queue of ``room`` pages takes its time to be read, and that is how long one more page may have to wait.
    """
    return 3 * unloaded_p99_ms + 1000 * room / pages_per_second
