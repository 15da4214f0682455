"""What every document costs whom: quotas, metrics, the request's line in the log, and spans. Of jobs, too."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from pipeline.json_log import EXTRA
from pipeline.server import telemetry
from pipeline.server.keys import CLOCK
from pipeline.server.metrics import METRICS, Metrics, outcome_of
from pipeline.server.request_log import DocumentSpan, current
from pipeline.server.security.keys import ApiKey
from pipeline.server.security.middleware import GUARD, Guard
from pipeline.server.telemetry import Telemetry
from schemas.document import Document

log = logging.getLogger("inklane.documents")


@dataclass(slots=True)
class Entry:
    """A document under way."""

    key: ApiKey | None
    name: str
    began: float
    open: bool = True


class Accounting:
    """Told by the service of every document that comes and goes.

    Args:
        guard: knows the keys and their quotas.
        metrics: counts.
        telemetry: makes spans; None: there are none.
        clock: seconds that only grow, as the workers' ``time.monotonic``.
    """

    def __init__(
        self, guard: Guard, metrics: Metrics, telemetry: Telemetry | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._guard = guard
        self._metrics = metrics
        self._telemetry = telemetry
        self._clock = clock

    def begin(self, key_id: str | None, name: str) -> Entry:
        """A document comes; :meth:`end` must follow.

        Args:
            key_id: whose it is; None, or a key that is not in the file any more: no quota is kept.
            name: what the file is called.

        Raises:
            QuotaExceeded: the key has had its pages.
        """
        ring = self._guard.ring
        key = ring.get(key_id) if ring is not None and key_id is not None else None
        if key is not None:
            self._guard.quotas.begin(key)
        record = current()
        if record is not None:
            record.add_name(name)
        return Entry(key, name, self._clock())

    def end(self, entry: Entry, document: Document | None, error: BaseException | None = None) -> None:
        """The document leaves, read or not. Idempotent.

        Args:
            entry: what :meth:`begin` gave.
            document: what was read.
            error: why nothing was.
        """
        if not entry.open:
            return
        entry.open = False
        now = self._clock()
        if entry.key is not None:
            self._guard.quotas.end(entry.key, len(document.pages) if document is not None else 0)
        self._metrics.count_document(document, error, now - entry.began)
        record = current()
        if record is None:
            _write(entry, document, error, now, with_name=self._guard.settings.log_file_names)
        elif document is not None:
            record.add_document(document)
        else:
            record.errors[outcome_of(error)] += 1
        if self._telemetry is None:
            return
        noted = _span(entry, document, error, now)
        if record is not None:
            record.spans.append(noted)  # made when the request's own has ended
        else:
            self._telemetry.document(noted)


ACCOUNTING = web.AppKey("accounting", Accounting)


def setup(app: web.Application) -> None:
    """Make it out of what the guard and the metrics have made."""
    app[ACCOUNTING] = Accounting(app[GUARD], app[METRICS], telemetry.setup(app), app[CLOCK].monotonic)


def _span(entry: Entry, document: Document | None, error: BaseException | None, now: float) -> DocumentSpan:
    if document is None:
        return DocumentSpan(entry.began, now, code=outcome_of(error))
    return DocumentSpan(entry.began, now, document.doc_type, len(document.pages), timings=document.timings)


def _write(
    entry: Entry, document: Document | None, error: BaseException | None, now: float, *, with_name: bool
) -> None:
    """A document that no request waits for has a line of its own."""
    fields = {
        "event": "document",
        "key": None if entry.key is None else entry.key.id,
        "code": None if document is not None else outcome_of(error),
        "pages": None if document is None else len(document.pages),
        "type": None if document is None else document.doc_type or "none",
        "file": entry.name if with_name else None,
        "elapsed_ms": round((now - entry.began) * 1000, 1),
    }
    log.info("document", extra={EXTRA: fields})
