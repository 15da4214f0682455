"""Records what the lanes do, as long as somebody wants to see it."""

from __future__ import annotations

from collections import deque
from typing import Any

from pipeline.hot.shadow import Shadow
from pipeline.job import DocumentJob, LineJob, PageJob
from schemas.errors import InvalidRequest
from schemas.trace import TraceEvent
from stages.batcher import Item
from stages.lane import BatchReport, Grant, Payload

LIMIT = 20_000
"""Batches that are kept, the latest ones: some ten megabytes."""

_MOST = 200_000


class Recorder:
    """Keeps the latest batches in a ring. While it is off, a batch costs it one comparison."""

    def __init__(self) -> None:
        self._events: deque[TraceEvent] | None = None
        self._seen = 0

    def start(self, limit: int = LIMIT) -> None:
        """Begin anew.

        Raises:
            InvalidRequest: no such number of batches can be kept.
        """
        if not 1 <= limit <= _MOST:
            raise InvalidRequest(f"trace: limit must be from 1 to {_MOST}, not {limit}")
        self._seen = 0
        self._events = deque(maxlen=limit)

    def stop(self) -> dict[str, Any]:
        """End, and give what was kept: ``events`` as :func:`schemas.trace.events_of` reads them.

        Of ``seen`` batches, the earliest may be gone.

        Raises:
            InvalidRequest: nothing is being recorded.
        """
        events, self._events = self._events, None
        if events is None:
            raise InvalidRequest("trace: nothing is being recorded; start it first")
        return {"events": [event.told() for event in list(events)], "seen": self._seen}

    def record(self, grant: Grant, report: BatchReport) -> None:
        """Keep a batch, if somebody wants to see it. Any thread."""
        events = self._events
        if events is None:
            return
        first = grant.batch[0]
        self._seen += 1
        events.append(
            TraceEvent(
                stage=report.stage,
                lane=report.lane,
                size=report.size,
                bucket=_shape(first),
                cores=report.cores,
                start=report.started,
                end=report.started + report.busy,
                network_s=report.network,
                wait_s=max(report.waits, default=0.0),
                model=grant.version.name if grant.version is not None else "",
                shadow=isinstance(first.owner, Shadow),
                pages=tuple(dict.fromkeys(_page(item) for item in grant.batch)),
            )
        )


def _shape(item: Item[Payload]) -> str:
    """The padded shape: the last part of the bucket, before which stands the version."""
    bucket = item.bucket[-1] if isinstance(item.bucket, tuple) else item.bucket
    return "" if bucket is None else str(bucket)


def _page(item: Item[Payload]) -> tuple[str, int]:
    """The document (its number and name) and the page; 0 for the document as a whole."""
    context, owner = item.payload.context, item.owner
    page = context.page if isinstance(context, LineJob) else context
    document = f"{owner.request.id} {owner.request.name}" if isinstance(owner, DocumentJob) else ""
    return document, page.number if isinstance(page, PageJob) else 0
