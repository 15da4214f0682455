"""What ``POST /v1/documents`` answers, with a reader that the test holds in its hand."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.keys import DATA_FOLDER, SERVICE
from schemas.errors import from_code
from schemas.settings import load_settings
from tests.factories.held_reader import HeldReader

PATH = "/v1/documents"
SLOTS = 2

Client = TestClient[Any, Any]
Start = Callable[..., Coroutine[Any, Any, Client]]


@pytest.fixture
def reader() -> HeldReader:
    return HeldReader()


@pytest.fixture
async def start(tmp_path: Path, reader: HeldReader) -> AsyncIterator[Start]:
    apps: list[web.Application] = []
    clients: list[Client] = []

    async def make(warm: bool = True, **server: Any) -> Client:
        server = {"data_dir": tmp_path / "data", "playground": False, **server}
        app = make_app(load_settings(server=server, max_pages_in_flight=1), reader if warm else None)
        client = TestClient(TestServer(app, handler_cancellation=True))
        apps.append(app)
        clients.append(client)
        await client.start_server()
        return client

    yield make
    for app, client in zip(apps, clients, strict=True):
        await client.close()
        service = app[SERVICE]
        assert (service.running, service.admission.pages, service.admission.waiting) == (0, 0, 0)
        assert not app[DATA_FOLDER].spool.exists()


def post(client: Client, content: bytes = b"abc", **options: Any) -> asyncio.Task[aiohttp.ClientResponse]:
    return asyncio.ensure_future(client.post(PATH, data=content, params=options))


async def problem(answer: aiohttp.ClientResponse) -> dict[str, Any]:
    assert answer.content_type == "application/problem+json"
    body: dict[str, Any] = await answer.json()
    assert body["status"] == answer.status
    return body


# --- what comes back ---------------------------------------------------------------------------------------------


async def test_a_document_comes_back_with_its_times(start: Start, reader: HeldReader) -> None:
    reader.at_once = True
    client = await start()
    answer = await post(client, b"hello")
    assert answer.status == 200
    assert answer.content_type == "application/json"
    body = await answer.json()
    assert body["pages"][0]["lines"][0]["text"] == "hello"
    assert body["timings"]["stages"].keys() == {"admission", "detection"}
    assert body["timings"]["stages"]["detection"]["network_ms"] == 12.5
    timing = answer.headers["Server-Timing"]
    assert "detection-queue;dur=3.0, detection;dur=20.0, detection-network;dur=12.5" in timing
    assert re.search(r"total;dur=\d+\.\d$", timing)


@pytest.mark.parametrize(
    ("output", "kind", "holds"),
    [
        ("json", "application/json", b'"text":"hello"'),
        ("text", "text/plain; charset=utf-8", b"hello"),
        ("markdown", "text/markdown; charset=utf-8", b"hello"),
        ("hocr", "text/vnd.hocr+html; charset=utf-8", b"ocr_line"),
        ("alto", "application/xml", b"<alto"),
    ],
)
async def test_the_output_that_was_asked_for(
    start: Start, reader: HeldReader, output: str, kind: str, holds: bytes
) -> None:
    reader.at_once = True
    client = await start()
    answer = await post(client, b"hello", output=output)
    assert answer.headers["Content-Type"] == kind
    assert holds in await answer.read()


async def test_several_files_in_another_output(start: Start, reader: HeldReader) -> None:
    reader.at_once = True
    client = await start()
    form = aiohttp.FormData()
    for name in ("a", "b"):
        form.add_field("file", name.encode(), filename=name)
    results = (await (await client.post(PATH, data=form, params={"output": "text"})).json())["results"]
    assert [(result["file"], result["content"].strip()) for result in results] == [("a", "a"), ("b", "b")]


async def test_a_list_of_searchable_pdfs_is_refused(start: Start, reader: HeldReader) -> None:
    client = await start()
    form = aiohttp.FormData()
    for name in ("a", "b"):
        form.add_field("file", name.encode(), filename=name)
    body = await problem(await client.post(PATH, data=form, params={"output": "pdf"}))
    assert body["code"] == "invalid_request"
    assert reader.given == []


async def test_options_reach_the_reader(start: Start, reader: HeldReader) -> None:
    reader.at_once = True
    client = await start()
    await post(client, type="receipt", pages="1,3-", dpi="150", words="true", priority="low", deadline_ms="60000")
    request = reader.given[0].request
    assert (request.options.doc_type, request.options.dpi, request.options.words) == ("receipt", 150, True)
    assert (request.options.pages, request.options.pages_from, request.priority) == ((1,), 3, 2)
    assert request.deadline is not None
    assert 0 < request.deadline - time.monotonic() <= 60


async def test_an_unknown_option_names_the_known_ones(start: Start, reader: HeldReader) -> None:
    client = await start()
    body = await problem(await post(client, outptu="text"))
    assert body["status"] == 422
    assert "did you mean output?" in body["detail"]
    assert "deadline_ms" in body["detail"]
    assert reader.given == []


# --- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("unsupported_format", 415),
        ("damaged_file", 422),
        ("password_required", 422),
        ("too_large", 413),
        ("too_many_pages", 422),
        ("invalid_request", 422),
        ("deadline_exceeded", 504),
        ("worker_crashed", 500),
        ("stage_failed", 500),
        ("worker_failed", 503),
    ],
)
async def test_errors_of_a_document(start: Start, reader: HeldReader, code: str, status: int) -> None:
    client = await start()
    task = post(client)
    (held,) = await reader.wait_for(1)
    held.fail(from_code(code, "so it is"))
    answer = await task
    body = await problem(answer)
    assert (answer.status, body["code"], body["detail"], body["instance"]) == (status, code, "so it is", PATH)
    assert ("Retry-After" in answer.headers) == (status == 503)


async def test_one_broken_file_among_eight(start: Start, reader: HeldReader) -> None:
    reader.at_once = True
    client = await start()
    form = aiohttp.FormData()
    for number in range(8):
        form.add_field("file", b"!damaged_file" if number == 3 else b"fine", filename=str(number))
    answer = await client.post(PATH, data=form)
    assert answer.status == 200
    results = (await answer.json())["results"]
    assert [result["file"] for result in results] == [str(number) for number in range(8)]
    assert [("document" in result, "problem" in result) for result in results] == [
        (number != 3, number == 3) for number in range(8)
    ]
    assert results[3]["problem"]["status"] == 422


async def test_an_unforeseen_error_is_told_without_its_words(
    start: Start, reader: HeldReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **named: Any) -> None:
        raise RuntimeError("a secret")

    client = await start()
    monkeypatch.setattr(reader, "submit", fail)
    answer = await post(client)
    body = await problem(answer)
    assert (body["status"], body["code"]) == (500, "internal_error")
    assert "secret" not in await answer.text()


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [("GET", "/nothing", 404, "not_found"), ("DELETE", PATH, 405, "method_not_allowed")],
)
async def test_addresses_and_methods_that_are_not(start: Start, method: str, path: str, status: int, code: str) -> None:
    client = await start()
    answer = await client.request(method, path)
    body = await problem(answer)
    assert (answer.status, body["code"]) == (status, code)
    assert (answer.headers.get("Allow") == "POST") == (status == 405)


@pytest.mark.parametrize(("given", "kept"), [("abc-1.2_3", True), ("a b", False), ("x" * 65, False), (None, False)])
async def test_the_requests_id(start: Start, given: str | None, kept: bool) -> None:
    client = await start()
    answer = await client.get("/v2/health/live", headers={} if given is None else {"X-Request-Id": given})
    name = answer.headers["X-Request-Id"]
    assert (name == given) == kept
    assert kept or re.fullmatch("[0-9a-f]{32}", name)


# --- jobs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefer", ["respond-async", "handling=lenient, Respond-Async; wait=5"])
async def test_who_would_rather_not_wait_gets_a_job(start: Start, reader: HeldReader, prefer: str) -> None:
    client = await start()
    answer = await client.post(PATH, data=b"abc", headers={"Prefer": prefer})
    assert answer.status == 202
    assert answer.headers["Location"].startswith("/v1/jobs/")
    (held,) = await reader.wait_for(1)
    held.finish()


async def test_a_job_with_a_file_that_cannot_be_received_is_refused(start: Start, reader: HeldReader) -> None:
    client = await start()
    form = aiohttp.FormData()
    form.add_field("file", b"abc", filename="a")
    form.add_field("file", b"", filename="empty")
    answer = await client.post(PATH, data=form, headers={"Prefer": "respond-async"})
    assert (await problem(answer))["code"] == "damaged_file"
    assert reader.given == []
