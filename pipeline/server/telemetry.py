"""Spans for OpenTelemetry: of requests, of their documents, and of the stages that each document went through.

Off unless one of OpenTelemetry's own variables says where to send them (``OTEL_EXPORTER_OTLP_ENDPOINT``, say); then the
extra ``otel`` must be installed. Nothing of it is imported otherwise. Spans are made when a request has ended, from
what was noted: the stages ran in another process.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from aiohttp import web

from pipeline.server.keys import CLOCK
from pipeline.server.request_log import ON_REQUEST, TRACING, DocumentSpan, RequestRecord
from pipeline.server.service import Clock
from schemas.errors import SettingsError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_OFF = "OTEL_SDK_DISABLED"
_NAME = "OTEL_SERVICE_NAME"
_SERVER_ERROR = 500


def is_configured(environment: Mapping[str, str]) -> bool:
    """Whether spans are wanted."""
    return environment.get(_OFF, "").lower() != "true" and any(environment.get(name) for name in _ENDPOINTS)


def setup(app: web.Application) -> Telemetry | None:
    """Send spans, if they are wanted. They are sent by a thread of OpenTelemetry's, the last ones at the end.

    Raises:
        SettingsError: they are wanted, and the packages are missing.
    """
    if not is_configured(os.environ):
        return None
    try:
        exporting: Any = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
        provider = make_provider(os.environ.get(_NAME, "inklane"))
        processing: Any = import_module("opentelemetry.sdk.trace.export")
    except ImportError as error:
        raise SettingsError(
            f"spans are wanted (OTEL_EXPORTER_OTLP_ENDPOINT), but {error.name} is not installed: "
            "install inklane[otel], or unset the variable"
        ) from error
    provider.add_span_processor(processing.BatchSpanProcessor(exporting.OTLPSpanExporter()))
    telemetry = Telemetry(provider, app[CLOCK])
    app[TRACING] = True
    app[ON_REQUEST].append(telemetry.request)

    async def until_the_end(app: web.Application) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(provider.shutdown)

    app.cleanup_ctx.append(until_the_end)
    return telemetry


def make_provider(service_name: str) -> TracerProvider:
    """OpenTelemetry's provider, with ids that we can give ourselves."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Ids(RandomIdGenerator):
        """The next span's ids are planned: they were sent to the client when the request came."""

        planned: tuple[int, int] | None = None

        def generate_trace_id(self) -> int:
            return super().generate_trace_id() if self.planned is None else self.planned[0]

        def generate_span_id(self) -> int:
            return super().generate_span_id() if self.planned is None else self.planned[1]

    return TracerProvider(resource=Resource.create({"service.name": service_name}), id_generator=Ids())


class Telemetry:
    """Turns what was noted into spans.

    Args:
        provider: of :func:`make_provider`.
        clock: the service's; its monotonic times are the workers' too.
    """

    def __init__(self, provider: TracerProvider, clock: Clock) -> None:
        self._ids: Any = provider.id_generator
        self._tracer = provider.get_tracer("inklane")
        self._clock = clock

    def request(self, record: RequestRecord) -> None:
        """A request has ended."""
        from opentelemetry.trace import SpanKind, StatusCode

        trace, instant = record.trace, self._instant()
        self._ids.planned = (int(trace.trace_id, 16), int(trace.span_id, 16))
        try:
            span = self._tracer.start_span(
                f"{record.method} {record.route}",
                context=_remote_parent(record),
                kind=SpanKind.SERVER,
                start_time=instant(record.started),
                attributes={
                    "http.request.method": record.method,
                    "http.route": record.route,
                    "http.response.status_code": record.status,
                    "http.request.body.size": record.bytes_in,
                    "inklane.request_id": record.id,
                },
            )
        finally:
            self._ids.planned = None
        if record.code is not None:
            span.set_attribute("error.type", record.code)
        if record.status >= _SERVER_ERROR:
            span.set_status(StatusCode.ERROR)
        for document in record.spans:
            self._add(document, _within(span), instant)
        span.end(instant(record.started + record.seconds))

    def document(self, noted: DocumentSpan) -> None:
        """A document has ended that no request waited for."""
        from opentelemetry.context import Context

        self._add(noted, Context(), self._instant())

    def _add(self, noted: DocumentSpan, parent: Context, instant: Callable[[float], int]) -> None:
        from opentelemetry.trace import StatusCode

        span = self._tracer.start_span(
            "document", context=parent, start_time=instant(noted.began), attributes={"inklane.pages": noted.pages}
        )
        if noted.doc_type is not None:
            span.set_attribute("inklane.doc_type", noted.doc_type)
        if noted.code is not None:
            span.set_attribute("error.type", noted.code)
            span.set_status(StatusCode.ERROR)
        for stage, timing in noted.timings.items():
            if timing.began is None or timing.ended is None:
                continue
            self._tracer.start_span(
                stage,
                context=_within(span),
                start_time=instant(timing.began),
                attributes={
                    "inklane.items": timing.items,
                    "inklane.queue_ms": timing.queue_ms,
                    "inklane.busy_ms": timing.busy_ms,
                    "inklane.network_ms": timing.network_ms,
                },
            ).end(instant(timing.ended))
        span.end(instant(noted.ended))

    def _instant(self) -> Callable[[float], int]:
        """From seconds of the monotonic clock to nanoseconds since 1970, as of now."""
        offset = self._clock.time() - self._clock.monotonic()
        return lambda seconds: int((seconds + offset) * 1e9)


def _within(span: Span) -> Context:
    from opentelemetry.context import Context
    from opentelemetry.trace import set_span_in_context

    return set_span_in_context(span, Context())


def _remote_parent(record: RequestRecord) -> Context:
    """The caller's span, or nothing: whatever context this task has is not the request's."""
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

    trace = record.trace
    if trace.parent_id is None:
        return Context()
    flags = TraceFlags(TraceFlags.SAMPLED if trace.sampled else TraceFlags.DEFAULT)
    parent = SpanContext(int(trace.trace_id, 16), int(trace.parent_id, 16), is_remote=True, trace_flags=flags)
    return _within(NonRecordingSpan(parent))
