"""What the lanes did and when, and the same as Chrome's trace viewer and Perfetto read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

STAGES = ("open", "decode", "detection", "orientation", "recognition", "assembly", "layout_ner", "fields")
"""The stages in the order of the flow, which is the order of the rows."""

_MICRO = 1_000_000
_DOCUMENT = 0  # in place of a page's number, for what concerns its document


@dataclass(slots=True, frozen=True)
class TraceEvent:
    """One batch. ``start`` and ``end`` are seconds of one machine's monotonic clock.

    ``wait_s`` is how long the item that waited longest had waited; ``network_s`` is the time in the network.
    ``model`` is empty for a stage without one. ``shadow``: nobody gets the results. ``pages`` are the document (its
    number and name) and the page of each item, each once; page 0 stands for the document as a whole.
    """

    stage: str
    lane: int
    size: int
    bucket: str
    cores: int
    start: float
    end: float
    network_s: float
    wait_s: float
    model: str = ""
    shadow: bool = False
    pages: tuple[tuple[str, int], ...] = ()
    worker: int = 1

    def told(self) -> dict[str, Any]:
        """The same as :func:`events_of` reads it."""
        return asdict(self)


def events_of(answer: dict[str, Any]) -> list[TraceEvent]:
    """The events in a reader's answer to the command ``trace``; of a pool, those of all workers."""
    found = []
    for number, told in enumerate(answer.get("workers", [answer]), 1):
        for event in told.get("events", ()):
            pages = tuple((document, page) for document, page in event["pages"])
            found.append(TraceEvent(**(event | {"pages": pages, "worker": number})))
    return sorted(found, key=lambda event: event.start)


def to_chrome(events: Sequence[TraceEvent]) -> dict[str, Any]:
    """The trace event format: a row for each lane, and arrows that follow each page from batch to batch."""
    origin = min((event.start for event in events), default=0.0)
    rows = {row: number for number, row in enumerate(sorted({_row(e) for e in events}), 1)}
    written: list[dict[str, Any]] = []
    for worker in sorted({event.worker for event in events}):
        written.append(_named("process_name", worker, 0, {"name": f"worker {worker}"}))
    for row, number in rows.items():
        worker, order, lane = row
        name = f"{STAGES[order] if order < len(STAGES) else 'stage'} {lane}"
        written.append(_named("thread_name", worker, number, {"name": name}))
        written.append(_named("thread_sort_index", worker, number, {"sort_index": number}))
    written += [_slice(event, rows[_row(event)], origin) for event in events]
    for number, (before, after) in enumerate(_hops(events), 1):
        # Inside the slices: at the end of one, at the beginning of the other.
        arrow = {"name": "page", "cat": "page", "id": number}
        at = {"pid": before.worker, "tid": rows[_row(before)], "ts": _last(before, origin)}
        written.append(arrow | {"ph": "s"} | at)
        at = {"pid": after.worker, "tid": rows[_row(after)], "ts": _micros(after.start - origin)}
        written.append(arrow | {"ph": "f", "bp": "e"} | at)
    return {"traceEvents": written, "displayTimeUnit": "ms"}


@dataclass(slots=True, frozen=True)
class TraceSummary:
    """``seconds`` from the first batch to the last; ``busy`` lane seconds by stage.

    ``overlap`` is the share of the time in which something ran that batches of two stages or more ran at once.
    """

    seconds: float
    busy: dict[str, float]
    overlap: float


def summarise(events: Sequence[TraceEvent]) -> TraceSummary:
    """Sum up a trace."""
    busy = {stage: sum(e.end - e.start for e in events if e.stage == stage) for stage in STAGES}
    moments = sorted((at, change, e.stage) for e in events for at, change in ((e.start, 1), (e.end, -1)))
    running = dict.fromkeys([*STAGES, *(e.stage for e in events)], 0)
    since, some, several = 0.0, 0.0, 0.0
    for at, change, stage in moments:
        kinds = sum(count > 0 for count in running.values())
        some += (at - since) * (kinds > 0)
        several += (at - since) * (kinds > 1)
        running[stage] += change
        since = at
    seconds = max(e.end for e in events) - min(e.start for e in events) if events else 0.0
    busy = {stage: total for stage, total in busy.items() if total}
    return TraceSummary(seconds, busy, several / some if some else 0.0)


def _row(event: TraceEvent) -> tuple[int, int, int]:
    order = STAGES.index(event.stage) if event.stage in STAGES else len(STAGES)
    return event.worker, order, event.lane


def _hops(events: Iterable[TraceEvent]) -> Iterable[tuple[TraceEvent, TraceEvent]]:
    """For each page, each of its batches in a stage and each in the stage that it went to next."""
    ways: dict[tuple[int, str, int], list[TraceEvent]] = {}
    for event in sorted(events, key=lambda e: e.start):
        if not event.shadow:
            for document, page in event.pages:
                ways.setdefault((event.worker, document, page), []).append(event)
    for (worker, document, page), way in ways.items():
        if page == _DOCUMENT:
            continue
        shared = ways.get((worker, document, _DOCUMENT), [])
        before = [event for event in shared if event.stage == "open"]
        after = [event for event in shared if event.stage != "open"]
        groups: list[list[TraceEvent]] = []
        for event in before + way + after:
            if groups and groups[-1][0].stage == event.stage:
                groups[-1].append(event)
            else:
                groups.append([event])
        for here, there in zip(groups, groups[1:], strict=False):
            yield from ((one, other) for one in here for other in there)


def _slice(event: TraceEvent, row: int, origin: float) -> dict[str, Any]:
    pages = [f"{document}, page {page}" if page else document for document, page in event.pages]
    told = {
        "size": event.size,
        "bucket": event.bucket,
        "cores": event.cores,
        "network_ms": round(event.network_s * 1000, 3),
        "wait_ms": round(event.wait_s * 1000, 3),
        "model": event.model,
        "pages": pages,
    }
    return {
        "ph": "X",
        "name": (event.stage if event.size == 1 else f"{event.stage} x{event.size}") + " (shadow)" * event.shadow,
        "cat": "shadow" if event.shadow else event.stage,
        "pid": event.worker,
        "tid": row,
        "ts": _micros(event.start - origin),
        "dur": _micros(event.end - event.start),
        "args": told,
    }


def _named(what: str, worker: int, row: int, told: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": worker, "tid": row, "args": told}


def _last(event: TraceEvent, origin: float) -> float:
    return max(_micros(event.start - origin), _micros(event.end - origin) - 0.001)


def _micros(seconds: float) -> float:
    return round(seconds * _MICRO, 3)
