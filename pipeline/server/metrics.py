"""``GET /metrics``: what the service and its workers have done, in the form of Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib import metadata

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

from pipeline.server.jobs.routes import JOBS
from pipeline.server.keys import SERVICE, SETTINGS
from pipeline.server.labels import BoundedLabels
from pipeline.server.request_log import ON_REQUEST, RequestRecord
from pipeline.server.service import Service
from pipeline.server.worker_metrics import WorkerCollector
from schemas.document import Document
from schemas.errors import Cancelled, InklaneError
from schemas.fields import Field
from schemas.statistics import WorkerStatistics

LATENCY_SECONDS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0)

NO_TYPE = "none"
_MOST_TYPES = 100
_MOST_FIELDS = 1000


class Metrics:
    """The front end's own counts, in a registry of their own beside the workers'.

    Args:
        service: asked at each scrape for how full it is.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self.registry = registry = CollectorRegistry(auto_describe=False)
        self._types = BoundedLabels(_MOST_TYPES)
        self._fields = BoundedLabels(_MOST_FIELDS)
        self._requests = Counter(
            "inklane_http_requests",
            "Requests answered; status 499: the client went away before.",
            ["route", "method", "status"],
            registry=registry,
        )
        self._request_seconds = Histogram(
            "inklane_http_request_seconds",
            "From a request's head to its answer.",
            ["route"],
            buckets=LATENCY_SECONDS,
            registry=registry,
        )
        self._received = Counter(
            "inklane_http_received_bytes", "Bytes of bodies received.", ["route"], registry=registry
        )
        self._problems = Counter("inklane_http_problems", "Requests refused, by code.", ["code"], registry=registry)
        self._documents = Counter(
            "inklane_documents",
            "Documents by type (none: not known) and outcome: ok, partial (a page failed), or the error's code.",
            ["type", "outcome"],
            registry=registry,
        )
        self._pages = Counter("inklane_pages", "Pages read: ok or failed.", ["type", "outcome"], registry=registry)
        self._document_seconds = Histogram(
            "inklane_document_seconds",
            "From a document's arrival to its result, waiting included.",
            ["outcome"],
            buckets=LATENCY_SECONDS,
            registry=registry,
        )
        self._found = Counter("inklane_fields", "Field values found.", ["type", "field"], registry=registry)
        self._review = Counter(
            "inklane_fields_needing_review",
            "Field values of which a check failed or that could not be understood.",
            ["type", "field"],
            registry=registry,
        )
        self._jobs = Gauge("inklane_jobs", "Jobs kept, by state.", ["state"], registry=registry)
        self._add_gauges()
        Info("inklane_build", "The version.", registry=registry).info({"version": _version()})
        ProcessCollector(registry=registry)
        registry.register(WorkerCollector(self._statistics))

    def count_request(self, record: RequestRecord) -> None:
        """A request has ended."""
        self._requests.labels(record.route, record.method, str(record.status)).inc()
        self._request_seconds.labels(record.route).observe(record.seconds)
        self._received.labels(record.route).inc(record.bytes_in)
        if record.code is not None:
            self._problems.labels(record.code).inc()

    def count_document(self, document: Document | None, error: BaseException | None, seconds: float) -> None:
        """A document has left, read or not.

        Args:
            document: what was read; None: nothing.
            error: why not.
            seconds: since it came.
        """
        if document is None:
            self._documents.labels(NO_TYPE, outcome_of(error)).inc()
            self._document_seconds.labels("error").observe(seconds)
            return
        (doc_type,) = self._types(document.doc_type or NO_TYPE)
        failed = sum(page.error is not None for page in document.pages)
        self._documents.labels(doc_type, "partial" if failed else "ok").inc()
        self._pages.labels(doc_type, "ok").inc(len(document.pages) - failed)
        if failed:
            self._pages.labels(doc_type, "failed").inc(failed)
        self._document_seconds.labels("ok").observe(seconds)
        for name, value in document.fields.items():
            values = value if isinstance(value, list) else [value]
            labels = self._fields(doc_type, name)
            self._found.labels(*labels).inc(len(values))
            review = sum(map(_needs_review, values))
            if review:
                self._review.labels(*labels).inc(review)

    def set_jobs(self, counts: Mapping[str, int]) -> None:
        """How many jobs there are in each state."""
        self._jobs.clear()
        for state, count in counts.items():
            self._jobs.labels(state).set(count)

    def _add_gauges(self) -> None:
        service, registry = self._service, self.registry
        Gauge("inklane_ready", "1: documents are taken.", registry=registry).set_function(lambda: service.ready)
        Gauge("inklane_admitted_pages", "Pages that wait or are being read.", registry=registry).set_function(
            lambda: service.admission.pages
        )
        Gauge("inklane_waiting_documents", "Documents that wait for their turn.", registry=registry).set_function(
            lambda: service.admission.waiting
        )
        Gauge("inklane_running_documents", "Documents that are with the workers.", registry=registry).set_function(
            lambda: service.running
        )

    def _statistics(self) -> WorkerStatistics | None:
        try:
            statistics = getattr(self._service.reader, "statistics", None)  # not all readers count
            return None if statistics is None else statistics()
        except InklaneError:  # being started, or broken: what the front end counts is told all the same
            return None


METRICS = web.AppKey("metrics", Metrics)


def add_routes(app: web.Application) -> None:
    """``/metrics``, where the settings allow it; what is counted is counted in any case."""
    # When a series began: as many series again, which nothing here uses.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    metrics = app[METRICS] = Metrics(app[SERVICE])
    app[ON_REQUEST].append(metrics.count_request)
    if app[SETTINGS].server.metrics:
        app.router.add_get("/metrics", _metrics)


async def _metrics(request: web.Request) -> web.Response:
    metrics = request.app[METRICS]
    jobs = request.app.get(JOBS)
    if jobs is not None:
        metrics.set_jobs(await jobs.count_by_state())
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return web.Response(body=encode(metrics.registry), headers={"Content-Type": content_type})


def outcome_of(error: BaseException | None) -> str:
    """The code of what kept a document from being read."""
    if isinstance(error, asyncio.CancelledError):  # its caller has gone
        return Cancelled.code
    return error.code if isinstance(error, InklaneError) else InklaneError.code


def _needs_review(field: Field) -> bool:
    """Whether a value, or a part of it, is to be looked at."""
    parts = field.value.values() if isinstance(field.value, dict) else ()
    return field.needs_review or any(map(_needs_review, parts))


def _version() -> str:
    try:
        return metadata.version("inklane")
    except metadata.PackageNotFoundError:
        return "unknown"
