"""/metrics parses, and counts what happened."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open_metrics
from prometheus_client.parser import text_string_to_metric_families as parse

from pipeline.server.app import make_app
from pipeline.server.labels import BoundedLabels
from pipeline.server.metrics import METRICS, Metrics
from pipeline.server.worker_metrics import WorkerCollector
from schemas.document import Document, Page
from schemas.errors import WorkerCrashed
from schemas.fields import Field
from schemas.settings import load_settings
from schemas.statistics import ShadowFigures, StageFigures, WorkerStatistics
from tests.factories.receipt_reader import BROKEN, ReceiptReader

PNG = b"\x89PNG\r\n\x1a\n"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(text: str) -> Samples:
    """Every sample by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in parse(text)
        for sample in family.samples
    }


def labelled(**labels: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(labels.items()))


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[TestClient[Any, Any]]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), ReceiptReader(pages=3, failed=1))
    async with TestClient(TestServer(app)) as client:
        yield client


async def scrape(client: TestClient[Any, Any]) -> Samples:
    async with client.get("/metrics") as response:
        assert response.status == 200
        return samples(await response.text())


async def test_what_happened_is_counted(client: TestClient[Any, Any]) -> None:
    for data in (PNG, PNG + b"0123", BROKEN):
        await (await client.post("/v1/documents", data=data)).read()
    await (await client.get("/no/such/place?secret=1")).read()
    found = await scrape(client)
    documents = {labels: value for (name, labels), value in found.items() if name == "inklane_documents_total"}
    assert documents == {
        labelled(type="receipt", outcome="partial"): 2,
        labelled(type="none", outcome="damaged_file"): 1,
    }
    assert found["inklane_pages_total", labelled(type="receipt", outcome="ok")] == 4
    assert found["inklane_pages_total", labelled(type="receipt", outcome="failed")] == 2
    assert found["inklane_document_seconds_count", labelled(outcome="ok")] == 2
    assert found["inklane_document_seconds_count", labelled(outcome="error")] == 1
    request = {"route": "/v1/documents", "method": "POST"}
    assert found["inklane_http_requests_total", labelled(**request, status="200")] == 2
    assert found["inklane_http_requests_total", labelled(**request, status="422")] == 1
    assert found["inklane_http_requests_total", labelled(route="none", method="GET", status="404")] == 1
    assert found["inklane_http_received_bytes_total", labelled(route="/v1/documents")] == 8 + 12 + 6
    assert found["inklane_http_problems_total", labelled(code="damaged_file")] == 1
    assert found["inklane_http_problems_total", labelled(code="not_found")] == 1
    assert found["inklane_fields_total", labelled(type="receipt", field="total")] == 2
    assert found["inklane_fields_needing_review_total", labelled(type="receipt", field="total")] == 2
    assert found["inklane_fields_total", labelled(type="receipt", field="items")] == 4
    assert found["inklane_fields_needing_review_total", labelled(type="receipt", field="items")] == 2  # in a part
    assert ("inklane_fields_needing_review_total", labelled(type="receipt", field="merchant_name")) not in found
    assert found["inklane_jobs", labelled(state="done")] == 0
    assert found["inklane_ready", ()] == 1
    assert found["inklane_admitted_pages", ()] == 0
    assert not any("secret" in value or "such" in value for _, labels in found for _, value in labels)


async def test_jobs_are_counted_by_state(client: TestClient[Any, Any]) -> None:
    async with client.post("/v1/documents", data=PNG, headers={"Prefer": "respond-async"}) as response:
        assert response.status == 202
        job = (await response.json())["id"]
    async with client.get(f"/v1/jobs/{job}/events") as events:
        await events.read()  # until it has ended
    found = await scrape(client)
    assert found["inklane_jobs", labelled(state="done")] == 1
    assert found["inklane_jobs", labelled(state="running")] == 0
    assert found["inklane_documents_total", labelled(type="receipt", outcome="partial")] == 1


async def test_open_metrics_are_told_to_those_who_ask(client: TestClient[Any, Any]) -> None:
    headers = {"Accept": "application/openmetrics-text; version=1.0.0"}
    async with client.get("/metrics", headers=headers) as response:
        assert response.headers["Content-Type"].startswith("application/openmetrics-text")
        assert list(parse_open_metrics(await response.text()))  # type: ignore[no-untyped-call]


async def test_metrics_can_be_left_out(tmp_path: Path) -> None:
    app = make_app(load_settings(server={"data_dir": tmp_path, "metrics": False}), ReceiptReader())
    async with TestClient(TestServer(app)) as client, client.get("/metrics") as response:
        assert response.status == 404


async def test_a_reader_that_is_being_started_leaves_the_rest_readable(tmp_path: Path) -> None:
    app = make_app(load_settings(server={"data_dir": tmp_path}), None)
    async with TestClient(TestServer(app)) as client:
        found = await scrape(client)
    assert found["inklane_ready", ()] == 0
    assert not any(name.startswith("inklane_stage") for name, _ in found)


def busy_workers() -> WorkerStatistics:
    stage = StageFigures(Counter({1: 3, 4: 2, 200: 1}), items=211, busy_s=7.5, waiting=6, lanes=2, busy_lanes=1)
    stage.dropped.update(cancelled=4, deadline=1)
    stage.padded_pixels, stage.content_pixels = 1000, 750
    opening = StageFigures(Counter({1: 2}), items=2, padded_pixels=2, content_pixels=2)  # each counts as one
    for seconds in (0.004, 0.2, 99.0):
        stage.queue_s.observe(seconds)
    stage.network_s.observe(0.02)
    return WorkerStatistics(
        stages={"recognition": stage, "open": opening},
        worker_restarts=2,
        workers=1,
        swaps=1,
        documents_in_flight=3,
        waiting_documents=9,
        models={"recognition": 'a "model"\n'},
        shadows={"recognition": ShadowFigures("unbatched", equal=8, different=1)},
    )


def test_what_workers_count_is_told_stage_by_stage() -> None:
    registry = CollectorRegistry()
    registry.register(WorkerCollector(busy_workers))
    found = samples(generate_latest(registry).decode())
    stage = {"stage": "recognition"}
    assert [found["inklane_stage_batch_size_bucket", labelled(**stage, le=le)] for le in ("1.0", "4.0", "128.0")] == [
        3,
        5,
        5,
    ]
    assert found["inklane_stage_batch_size_bucket", labelled(**stage, le="+Inf")] == 6
    assert found["inklane_stage_batch_size_sum", labelled(**stage)] == 3 + 8 + 200
    assert found["inklane_stage_batch_size_count", labelled(**stage)] == 6
    assert found["inklane_stage_queue_seconds_bucket", labelled(**stage, le="0.005")] == 1
    assert found["inklane_stage_queue_seconds_count", labelled(**stage)] == 3
    assert found["inklane_stage_queue_seconds_sum", labelled(**stage)] == pytest.approx(99.204)
    assert found["inklane_stage_network_seconds_count", labelled(**stage)] == 1
    assert found["inklane_stage_busy_seconds_total", labelled(**stage)] == 7.5
    assert found["inklane_stage_waiting_items", labelled(**stage)] == 6
    assert found["inklane_stage_lanes", labelled(**stage)] == 2
    assert found["inklane_stage_lanes_busy", labelled(**stage)] == 1
    assert found["inklane_stage_dropped_total", labelled(**stage, reason="cancelled")] == 4
    assert found["inklane_stage_pixels_total", labelled(**stage, kind="padding")] == 250
    assert found["inklane_stage_padding_ratio", labelled(**stage)] == 0.25
    assert ("inklane_stage_padding_ratio", labelled(stage="open")) not in found  # it computes no pixels
    assert found["inklane_worker_restarts_total", ()] == 2
    assert found["inklane_worker_documents", ()] == 3
    assert found["inklane_worker_waiting_documents", ()] == 9
    assert found["inklane_model_info", labelled(task="recognition", model='a "model"\n')] == 1
    shadow = {"stage": "recognition", "model": "unbatched"}
    assert found["inklane_shadow_items_total", labelled(**shadow, outcome="different")] == 1


def test_names_of_fields_and_types_cannot_grow_without_end(tmp_path: Path) -> None:
    metrics = app_metrics(tmp_path)
    for number in range(3000):
        document = Document("a", doc_type=f"type{number}", pages=[Page(1, 1, 1)])
        document.fields = {f"field{number}": Field("text", "a", "a", 1.0)}
        metrics.count_document(document, None, 1.0)
    found = samples(generate_latest(metrics.registry).decode())
    series = Counter(name for name, _ in found)
    assert series["inklane_documents_total"] == 101
    assert series["inklane_fields_total"] <= 1001
    assert found["inklane_documents_total", labelled(type="other", outcome="ok")] == 2900


def test_errors_count_under_their_code(tmp_path: Path) -> None:
    metrics = app_metrics(tmp_path)
    for error in (WorkerCrashed("no"), ValueError("secret"), asyncio.CancelledError(), None):
        metrics.count_document(None, error, 1.0)
    found = samples(generate_latest(metrics.registry).decode())
    outcomes = {dict(labels)["outcome"] for name, labels in found if name == "inklane_documents_total"}
    assert outcomes == {"worker_crashed", "cancelled", "internal_error"}


def app_metrics(tmp_path: Path) -> Metrics:
    return make_app(load_settings(server={"data_dir": tmp_path}), ReceiptReader())[METRICS]


def test_labels_that_are_known_stay_known() -> None:
    labels = BoundedLabels(2)
    assert [labels("a"), labels("b"), labels("c"), labels("a")] == [("a",), ("b",), ("other",), ("a",)]


def test_services_share_no_counts(tmp_path: Path) -> None:
    one, two = (app_metrics(tmp_path / name) for name in ("one", "two"))
    one.count_document(None, None, 1.0)
    assert b"inklane_documents_total{" not in generate_latest(two.registry)
