"""``POST /v1/documents`` and health over HTTP, with a reader that the test holds in its hand (CASES 17 to 25)."""

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
from tests.factories.held_reader import PATIENCE, HeldReader, until_cancelled

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


# --- load --------------------------------------------------------------------------------------------------------


async def test_everyone_gets_their_own_token(start: Start, reader: HeldReader) -> None:
    reader.at_once = True
    client = await start(max_pages_queued=200)
    tokens = [f"token-{number}" for number in range(64)]
    answers = await asyncio.gather(*(post(client, token.encode()) for token in tokens))
    texts = [(await answer.json())["pages"][0]["lines"][0]["text"] for answer in answers]
    assert texts == tokens


async def test_beyond_the_room_429_comes_at_once_and_accepted_work_is_finished(
    start: Start, reader: HeldReader
) -> None:
    client = await start(max_pages_queued=10, lowest_priority_share=0.2, retry_after_s=2.5)
    accepted = []
    for number in range(6):  # four places are kept for the other two priorities
        accepted.append(post(client, str(number).encode()))
        await _until(lambda number=number: _pages(client) == number + 1)  # type: ignore[misc]
    shed = await asyncio.gather(*(post(client) for _ in range(60)))
    assert {answer.status for answer in shed} == {429}
    assert {answer.headers["Retry-After"] for answer in shed} == {"3"}
    urgent = post(client, b"urgent", priority="high")
    await _until(lambda: _pages(client) == 7)
    for number in range(7):
        (await reader.wait_for(number + 1))[number].finish()
    assert {answer.status for answer in await asyncio.gather(*accepted, urgent)} == {200}
    assert len(reader.given) == 7
    assert reader.given[SLOTS].request.name == "document"
    assert reader.given[SLOTS].content == b"urgent"


async def test_429_does_not_wait_for_the_body(start: Start, reader: HeldReader) -> None:
    client = await start(max_pages_queued=10, lowest_priority_share=0.3)
    tasks = [post(client) for _ in range(4)]
    await _until(lambda: _pages(client) == 4)
    stream_reader, writer = await asyncio.open_connection(client.host, client.port)
    writer.write(b"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nbegin")
    async with asyncio.timeout(PATIENCE):
        assert b" 429 " in await stream_reader.readuntil(b"\r\n\r\n")
    writer.close()
    for held in await reader.wait_for(SLOTS):
        held.finish()
    for held in (await reader.wait_for(4))[SLOTS:]:
        held.finish()
    await asyncio.gather(*tasks)


async def test_a_batch_without_any_room_is_told_to_come_back(start: Start, reader: HeldReader) -> None:
    client = await start(max_pages_queued=10, lowest_priority_share=0.2)
    form = aiohttp.FormData()
    for number in range(3):
        form.add_field("file", b"%PDF-1.7 /Count 100", filename=str(number))
    running = post(client)
    await reader.wait_for(1)
    answer = await client.post(PATH, data=form)
    assert (await problem(answer))["code"] == "queue_full"
    assert "Retry-After" in answer.headers
    reader.given[0].finish()
    assert (await running).status == 200


async def test_a_deadline_that_passes_in_the_queue_is_504_without_inference(start: Start, reader: HeldReader) -> None:
    client = await start()
    running = [post(client) for _ in range(SLOTS)]
    await reader.wait_for(SLOTS)
    answer = await post(client, b"late", deadline_ms="20")
    body = await problem(answer)
    assert (body["status"], body["code"]) == (504, "deadline_exceeded")
    for held in reader.given:
        held.finish()
    await asyncio.gather(*running)
    assert len(reader.given) == SLOTS


async def test_the_settings_may_give_everybody_a_deadline(start: Start, reader: HeldReader) -> None:
    client = await start(default_deadline_ms=20)
    running = [post(client, deadline_ms="600000") for _ in range(SLOTS)]
    await reader.wait_for(SLOTS)
    assert (await post(client)).status == 504
    for held in reader.given:
        held.finish()
    await asyncio.gather(*running)


async def test_a_client_that_goes_away_is_cancelled_everywhere(start: Start, reader: HeldReader) -> None:
    client = await start(spool_bytes=10)
    assert client.app is not None
    spool = client.app[DATA_FOLDER].spool
    running = [post(client, bytes(100)) for _ in range(SLOTS)]
    given = await reader.wait_for(SLOTS)
    waiting = [post(client, f"waiting {number}".encode() * 10) for number in range(2)]
    await _until(lambda: _pages(client) == SLOTS + 2)
    waiting[0].cancel()
    await _until(lambda: _pages(client) == SLOTS + 1)
    running[0].cancel()
    await until_cancelled(given[0])
    (*_, third) = await reader.wait_for(SLOTS + 1)
    assert third.content.startswith(b"waiting 1")  # the other's work is never run
    await _until(lambda: len(list(spool.iterdir())) == 2)
    for held in (given[1], third):
        held.finish()
    assert [(await task).status for task in (running[1], waiting[1])] == [200, 200]
    assert len(reader.given) == SLOTS + 1
    reader.at_once = True
    assert (await post(client)).status == 200


async def test_a_client_that_leaves_a_batch_gives_up_all_its_files(start: Start, reader: HeldReader) -> None:
    client = await start()
    form = aiohttp.FormData()
    for number in range(4):
        form.add_field("file", b"abc", filename=str(number))
    task = asyncio.ensure_future(client.post(PATH, data=form))
    given = await reader.wait_for(SLOTS)
    task.cancel()
    for held in given:
        await until_cancelled(held)
    await _until(lambda: _pages(client) == 0)
    assert len(reader.given) == SLOTS


# --- health ------------------------------------------------------------------------------------------------------


async def test_health_while_starting_running_and_stopping(start: Start, reader: HeldReader) -> None:
    client = await start(warm=False)
    assert client.app is not None
    service = client.app[SERVICE]

    async def states() -> list[Any]:
        answers = [await client.get(path) for path in ("/v2/health/live", "/v2/health/ready", "/health")]
        return [*(answer.status for answer in answers), (await answers[2].json())["status"]]

    assert await states() == [200, 503, 503, "starting"]
    assert (await problem(await post(client)))["code"] == "not_ready"
    service.attach(reader)
    assert await states() == [200, 200, 200, "ready"]
    reader.ready = False
    assert await states() == [200, 503, 503, "starting"]
    reader.ready = True
    task = post(client)
    (held,) = await reader.wait_for(1)
    service.stop()
    assert await states() == [200, 503, 503, "stopping"]
    answer = await post(client)
    assert (await problem(answer))["code"] == "shutting_down"
    assert "Retry-After" in answer.headers
    held.finish()
    assert (await task).status == 200


async def test_health_in_the_shape_that_clients_of_paddlex_look_for(start: Start) -> None:
    client = await start()
    body = await (await client.get("/health")).json()
    assert (body["errorCode"], body["errorMsg"]) == (0, "Healthy")
    assert body["logId"]
    assert await (await client.get("/v2/health/ready")).read() == b""


async def test_health_answers_while_all_places_are_taken(start: Start, reader: HeldReader) -> None:
    client = await start(max_pages_queued=1)
    task = post(client)
    (held,) = await reader.wait_for(1)
    assert (await post(client)).status == 429
    assert (await client.get("/v2/health/ready")).status == 200
    held.finish()
    await task


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


def _pages(client: Client) -> int:
    assert client.app is not None
    return client.app[SERVICE].admission.pages


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0)
