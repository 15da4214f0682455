"""Many requests, deadlines, clients that go away, and health, with a reader that the test holds in its hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.keys import DATA_FOLDER, SERVICE
from schemas.settings import load_settings
from tests.factories.held_reader import PATIENCE, HeldReader, until, until_cancelled

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
        await until(lambda number=number: _pages(client) == number + 1)  # type: ignore[misc]
    shed = await asyncio.gather(*(post(client) for _ in range(60)))
    assert {answer.status for answer in shed} == {429}
    assert {answer.headers["Retry-After"] for answer in shed} == {"3"}
    urgent = post(client, b"urgent", priority="high")
    await until(lambda: _pages(client) == 7)
    for number in range(7):
        (await reader.wait_for(number + 1))[number].finish()
    assert {answer.status for answer in await asyncio.gather(*accepted, urgent)} == {200}
    assert len(reader.given) == 7
    assert reader.given[SLOTS].request.name == "document"
    assert reader.given[SLOTS].content == b"urgent"


async def test_429_does_not_wait_for_the_body(start: Start, reader: HeldReader) -> None:
    client = await start(max_pages_queued=10, lowest_priority_share=0.3)
    tasks = [post(client) for _ in range(4)]
    await until(lambda: _pages(client) == 4)
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
    await until(lambda: _pages(client) == SLOTS + 2)
    waiting[0].cancel()
    await until(lambda: _pages(client) == SLOTS + 1)
    running[0].cancel()
    await until_cancelled(given[0])
    (*_, third) = await reader.wait_for(SLOTS + 1)
    assert third.content.startswith(b"waiting 1")  # the other's work is never run
    await until(lambda: len(list(spool.iterdir())) == 2)
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
    await until(lambda: _pages(client) == 0)
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


def _pages(client: Client) -> int:
    assert client.app is not None
    pages: int = client.app[SERVICE].admission.pages
    return pages
