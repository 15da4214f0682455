"""Spans: request, document, stages, under the trace that the client named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from pipeline.server import telemetry
from pipeline.server.accounting import ACCOUNTING, Accounting
from pipeline.server.app import make_app
from pipeline.server.keys import CLOCK, SERVICE
from pipeline.server.metrics import METRICS
from pipeline.server.request_log import ON_REQUEST, TRACING
from pipeline.server.security.middleware import GUARD
from pipeline.server.telemetry import Telemetry, is_configured, make_provider
from pipeline.server.trace_context import continue_trace
from pipeline.server.uploads import Upload
from schemas.errors import SettingsError
from schemas.requests import ReadOptions
from schemas.settings import load_settings
from tests.factories.receipt_reader import BROKEN, SECRET, ReceiptReader

PNG = b"\x89PNG\r\n\x1a\n"
TRACE_ID, PARENT_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


class Clock:
    """The workers' clock says 99 when a request comes; the stage of the reader's document ran from 100 to 100.02."""

    def monotonic(self) -> float:
        return 99.0

    def time(self) -> float:
        return 1_000_099.0


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
async def client(tmp_path: Path, exporter: InMemorySpanExporter) -> AsyncIterator[TestClient[Any, Any]]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), ReceiptReader(), clock=Clock())
    provider = make_provider("inklane")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = Telemetry(provider, app[CLOCK])
    app[TRACING] = True
    app[ON_REQUEST].append(spans.request)
    app[ACCOUNTING] = app[SERVICE].accounts = Accounting(app[GUARD], app[METRICS], spans, app[CLOCK].monotonic)
    async with TestClient(TestServer(app)) as client:
        yield client


def by_name(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


async def test_spans_lead_from_the_client_to_the_stages(
    client: TestClient[Any, Any], exporter: InMemorySpanExporter
) -> None:
    headers = {"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-01"}
    async with client.post("/v1/documents", data=PNG, headers=headers) as response:
        sent = response.headers["traceparent"]
        await response.read()
    spans = by_name(exporter)
    request, document, stage = spans["POST /v1/documents"], spans["document"], spans["recognition"]
    assert request.context is not None
    assert document.context is not None
    assert sent == f"00-{TRACE_ID}-{request.context.span_id:016x}-01"
    assert request.context.trace_id == int(TRACE_ID, 16)
    assert request.parent is not None
    assert request.parent.span_id == int(PARENT_ID, 16)
    assert document.parent == request.context
    assert stage.parent == document.context
    assert (stage.start_time, stage.end_time) == (1_000_100 * 10**9, 1_000_100_020_000_000)
    assert stage.attributes is not None
    assert stage.attributes["inklane.network_ms"] == 15.0
    assert document.attributes is not None
    assert document.attributes["inklane.doc_type"] == "receipt"
    assert SECRET not in "".join(span.to_json() for span in spans.values())


async def test_a_trace_that_is_not_sampled_is_not_recorded(
    client: TestClient[Any, Any], exporter: InMemorySpanExporter
) -> None:
    headers = {"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-00"}
    async with client.post("/v1/documents", data=PNG, headers=headers) as response:
        assert response.headers["traceparent"].endswith("-00")
    assert not exporter.get_finished_spans()


async def test_a_trace_may_begin_here_and_errors_are_marked(
    client: TestClient[Any, Any], exporter: InMemorySpanExporter
) -> None:
    async with client.post("/v1/documents", data=BROKEN) as response:
        sent = response.headers["traceparent"]
    spans = by_name(exporter)
    request, document = spans["POST /v1/documents"], spans["document"]
    assert request.parent is None
    assert request.context is not None
    assert sent == f"00-{request.context.trace_id:032x}-{request.context.span_id:016x}-01"
    assert document.attributes is not None
    assert document.attributes["error.type"] == "damaged_file"
    assert not document.status.is_ok


async def test_a_job_has_a_trace_of_its_own(client: TestClient[Any, Any], exporter: InMemorySpanExporter) -> None:
    await client.app[SERVICE].read(Upload.of("a.png", PNG), ReadOptions())
    spans = by_name(exporter)
    assert set(spans) == {"document", "recognition"}
    assert spans["document"].parent is None


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0\n",
        "0" * 10_000,
    ],
)
def test_a_header_that_is_none_begins_a_new_trace(header: str | None) -> None:
    trace = continue_trace(header)
    assert trace.parent_id is None
    assert trace.trace_id != TRACE_ID
    assert continue_trace(trace.header()).trace_id == trace.trace_id


def test_a_later_version_is_read_like_the_first() -> None:
    trace = continue_trace(f"cc-{TRACE_ID}-{PARENT_ID}-01-what-ever")
    assert (trace.trace_id, trace.parent_id, trace.sampled) == (TRACE_ID, PARENT_ID, True)
    assert trace.header().startswith("00-")


def test_spans_are_made_where_somebody_said_where_to() -> None:
    assert not is_configured({})
    assert is_configured({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    assert not is_configured({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "TRUE"})


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(load_settings(server={"data_dir": tmp_path}), ReceiptReader())
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingsError, match=r"inklane\[otel\]"):
        telemetry.setup(app)


def test_nothing_of_it_is_imported_otherwise() -> None:
    code = "import sys, pipeline.server.app; print([m for m in sys.modules if m.startswith('opentelemetry')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


ROOT = Path(__file__).parents[2]
