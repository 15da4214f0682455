"""The client against the service itself, and against servers that behave badly."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import CancelledError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from pipeline.client import AsyncClient, Client, RetryPolicy, ServiceUnreachable, UnexpectedAnswer
from pipeline.client_events import EventParser, ServerEvent
from pipeline.client_retry import retry_after
from pipeline.client_sync import LoopThread
from schemas.document import Document
from schemas.errors import Cancelled, DamagedFile, FileMissing, NotFound, QueueFull, Unauthorized
from schemas.progress import Progress
from schemas.serialise import to_json
from tests.factories.labelled_reader import LabelledReader
from tests.factories.served import served

SAMPLES = Path(__file__).parents[2] / "samples/images"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@pytest.fixture
def reader() -> LabelledReader:
    return LabelledReader()


@pytest.fixture
async def service(tmp_path: Path, reader: LabelledReader) -> AsyncIterator[str]:
    async with TestServer(served(tmp_path, reader)) as server:
        yield str(server.make_url(""))


class Waits:
    """Takes the place of sleeping."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def problem(status: int, code: str, **headers: str) -> web.Response:
    body = {"code": code, "detail": f"it is {code}", "status": status}
    return web.Response(
        status=status, body=orjson.dumps(body), content_type="application/problem+json", headers=headers
    )


def document() -> web.Response:
    return web.Response(body=to_json(Document("a.jpg")), content_type="application/json")


class Scripted:
    """A server that answers one request after another as it was told, and keeps what came."""

    def __init__(self, *answers: web.Response | Handler) -> None:
        self.answers = list(answers)
        self.bodies: list[bytes] = []
        self.headers: list[Any] = []
        self.queries: list[dict[str, str]] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.read())
        self.headers.append(request.headers)
        self.queries.append(dict(request.query))
        answer = self.answers.pop(0)
        return answer if isinstance(answer, web.Response) else await answer(request)

    def server(self) -> TestServer:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.handle)
        return TestServer(app)


async def broken(request: web.Request) -> web.StreamResponse:
    """The connection breaks before there is an answer."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


# --- against the service ----------------------------------------------------------------------------------------


async def test_a_file_is_read(service: str) -> None:
    async with AsyncClient(service) as client:
        read = await client.read(SAMPLES / "id-card-copy.jpg")
    assert read.file == "id-card-copy.jpg"
    assert read.doc_type == "id_card"
    assert read.pages[0].lines[0].text == "中华人民共和国"


async def test_bytes_are_read_under_the_name_given(service: str) -> None:
    async with AsyncClient(service) as client:
        read = await client.read(
            (SAMPLES / "receipt-cafe.jpg").read_bytes(), name="收据 é.jpg", type="none", words=True
        )
    assert read.file == "收据 é.jpg"
    assert read.doc_type is None


async def test_errors_are_those_of_the_service(service: str) -> None:
    async with AsyncClient(service) as client:
        with pytest.raises(DamagedFile, match="truncated") as caught:
            await client.read(b"%PDF-broken")
        assert any("request " in note for note in caught.value.__notes__)


async def test_another_form(service: str) -> None:
    async with AsyncClient(service) as client:
        assert "HARBOUR BEAN COFFEE" in (await client.render(SAMPLES / "receipt-cafe.jpg", "text")).decode()


async def test_a_job_is_watched_and_waited_for(service: str) -> None:
    async with AsyncClient(service) as client:
        job = await client.submit(SAMPLES / "lease.pdf", priority="low")
        steps = [step async for step in job.events()]
        read = await job.wait()
        assert await client.job(job.id).state() == "done"
    assert len(read.pages) == 3
    assert all(isinstance(step, Progress) for step in steps)


async def test_a_job_that_is_held_tells_its_progress(service: str, reader: LabelledReader, tmp_path: Path) -> None:
    path = tmp_path / "hold-lease.pdf"
    path.write_bytes((SAMPLES / "lease.pdf").read_bytes())
    async with AsyncClient(service) as client:
        job = await client.submit(path)

        async def watch() -> list[tuple[int | None, str]]:
            return [(step.page, step.stage) async for step in job.events()]

        watching = asyncio.create_task(watch())
        assert await asyncio.to_thread(reader.holds.wait, 60)
        reader.release()
        seen = await watching
        assert await job.state() == "done"
    # Who comes to watch when it is over is told nothing but that.
    assert not seen or seen[-1] == (3, "done")


async def test_the_same_key_is_the_same_job(service: str) -> None:
    async with AsyncClient(service) as client:
        jobs = [await client.submit(SAMPLES / "receipt-cafe.jpg", idempotency_key="one") for _ in range(2)]
    assert jobs[0].id == jobs[1].id


async def test_a_cancelled_job(service: str, reader: LabelledReader, tmp_path: Path) -> None:
    path = tmp_path / "hold-receipt-cafe.jpg"
    path.write_bytes((SAMPLES / "receipt-cafe.jpg").read_bytes())
    async with AsyncClient(service) as client:
        job = await client.submit(path)
        # Not by an event: those that were told before anybody listened do not come again.
        assert await asyncio.to_thread(reader.holds.wait, 60)
        await job.cancel()
        with pytest.raises((Cancelled, NotFound)):
            await job.wait()
        await job.cancel()
    assert reader.cancelled.is_set()


async def test_the_synchronous_one(service: str, reader: LabelledReader) -> None:
    def use() -> tuple[Document, list[Progress], Document]:
        with Client(service) as client:
            read = client.read(SAMPLES / "receipt-cafe.jpg", type="receipt")
            job = client.submit(SAMPLES / "fax.tiff")
            return read, list(job.events()), client.job(job.id).wait()

    read, _, fax = await asyncio.to_thread(use)
    assert read.doc_type == "receipt"
    assert [page.page for page in fax.pages] == [1, 2, 3]


async def test_a_closed_one_says_so(service: str) -> None:
    def use() -> None:
        client = Client(service)
        client.close()
        client.close()
        client.read(b"")

    with pytest.raises(RuntimeError, match="closed"):
        await asyncio.to_thread(use)


# --- tries ------------------------------------------------------------------------------------------------------


async def test_what_is_refused_for_now_is_sent_again_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"x" * 70_000)
    waits = Waits()
    refusals = (problem(429, "queue_full", **{"Retry-After": "3"}), problem(503, "not_ready"))
    script = Scripted(*refusals, document())
    async with script.server() as server:
        retry = RetryPolicy(jitter=lambda: 1.0)
        async with AsyncClient(str(server.make_url("")), "secret", retry=retry, sleep=waits) as client:
            await client.read(path, pages="1-3", words=True, priority="high")
    assert waits.seconds == [4.5, 1.5]
    assert script.bodies == [b"x" * 70_000] * 3
    assert script.queries[0] == {"pages": "1-3", "words": "true", "priority": "high"}
    assert script.headers[0]["Authorization"] == "Bearer secret"


async def test_a_job_keeps_its_key_over_all_tries() -> None:
    script = Scripted(broken, problem(503, "not_ready"), web.json_response({"id": "job_1"}, status=202))
    async with script.server() as server, AsyncClient(str(server.make_url("")), sleep=Waits()) as client:
        assert (await client.submit(b"x")).id == "job_1"
    assert len({headers["Idempotency-Key"] for headers in script.headers}) == 1
    assert len(script.headers) == 3


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (problem(401, "unauthorized"), Unauthorized),
        (problem(422, "damaged_file"), DamagedFile),
        (web.Response(status=502, text="<html>"), UnexpectedAnswer),
        (web.Response(text="hello"), UnexpectedAnswer),
        (web.Response(status=302, headers={"Location": "http://127.0.0.1:1/"}), UnexpectedAnswer),
    ],
)
async def test_what_will_not_change_is_not_sent_again(answer: web.Response, error: type[Exception]) -> None:
    waits = Waits()
    script = Scripted(answer)
    async with script.server() as server, AsyncClient(str(server.make_url("")), sleep=waits) as client:
        with pytest.raises(error):
            await client.read(b"x")
    assert waits.seconds == []


async def test_it_gives_up_after_so_many_tries() -> None:
    waits = Waits()
    script = Scripted(*(problem(429, "queue_full") for _ in range(3)))
    policy = RetryPolicy(tries=3)
    async with script.server() as server, AsyncClient(str(server.make_url("")), retry=policy, sleep=waits) as client:
        with pytest.raises(QueueFull):
            await client.read(b"x")
    assert len(waits.seconds) == 2


async def test_nobody_there() -> None:
    async with AsyncClient("http://127.0.0.1:9", retry=RetryPolicy(tries=2), sleep=Waits()) as client:
        with pytest.raises(ServiceUnreachable, match="is the service running"):
            await client.read(b"x")


async def test_it_takes_too_long() -> None:
    never = asyncio.Event()

    async def silent(request: web.Request) -> web.StreamResponse:
        await never.wait()
        return web.Response()

    async with Scripted(silent).server() as server:
        async with AsyncClient(str(server.make_url("")), timeout_s=0.05) as client:
            with pytest.raises(TimeoutError):
                await client.read(b"x")
        never.set()


async def test_events_go_on_after_a_break() -> None:
    def stream(*events: str) -> web.Response:
        return web.Response(text="".join(events), content_type="text/event-stream")

    def progress(number: int) -> str:
        told = {"page": number, "pages": 2, "stage": "done", "pages_done": number, "position": 0}
        return f"id: c-{number}\nevent: progress\ndata: {orjson.dumps(told).decode()}\n\n"

    script = Scripted(
        stream("id: c-0\nevent: state\ndata: {}\n\n", progress(1)),
        broken,
        stream(progress(2), "id: end\nevent: end\ndata: {}\n\n"),
    )
    async with script.server() as server, AsyncClient(str(server.make_url("")), sleep=Waits()) as client:
        seen = [step.done async for step in client.job("job/1").events()]
    assert seen == [1, 2]
    assert [headers.get("Last-Event-ID") for headers in script.headers] == [None, "c-1", "c-1"]


async def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    async with AsyncClient("http://127.0.0.1:9") as client:
        with pytest.raises(FileMissing, match=r"nothing\.jpg"):
            await client.read(tmp_path / "nothing.jpg")


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "ftp://host", "http://"])
def test_not_a_url(url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        AsyncClient(url)


# --- parts ------------------------------------------------------------------------------------------------------


def test_waits_grow_to_a_bound() -> None:
    policy = RetryPolicy(tries=9, first_s=1.0, longest_s=10.0, jitter=lambda: 0.0)
    assert [policy.wait(tried) for tried in range(1, 10)] == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0, None]
    assert policy.wait(1, 7.0) == 7.0
    assert policy.wait(1, 0.0) == 0.0
    assert policy.wait(1, 3600.0) is None


def test_waits_are_spread() -> None:
    waits = {RetryPolicy().wait(1, 10.0) for _ in range(20)}
    assert len(waits) > 1
    assert all(wait is not None and 10.0 <= wait <= 15.0 for wait in waits)


@pytest.mark.parametrize("values", [{"tries": 0}, {"first_s": -1.0}, {"first_s": 2.0, "longest_s": 1.0}])
def test_policies_that_cannot_be(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be"):
        RetryPolicy(**values)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        ("12", 12.0),
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:27:00 GMT", 0.0),
        ("soon", None),
        ("-1", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, lambda: datetime(2026, 10, 21, 7, 28, tzinfo=UTC)) == seconds


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_in_pieces_of_any_size(size: int, end: str) -> None:
    text = ": hello\n\nid: 1\nevent: progress\ndata: {\ndata:  é}\n\ndata: x\n\nevent: nothing\n\nid: 2\ndata:y\n\n"
    stream = text.replace("\n", end).encode() + b"."
    parser = EventParser()
    found = [event for at in range(0, len(stream), size) for event in parser.feed(stream[at : at + size])]
    assert found == [
        ServerEvent("progress", "{\n é}", "1"),
        ServerEvent("message", "x", "1"),
        ServerEvent("message", "y", "2"),
    ]


def test_an_endless_line_is_refused() -> None:
    parser = EventParser()
    assert list(parser.feed(b"x" * 2**20)) == []
    with pytest.raises(ValueError, match="endless"):
        list(parser.feed(b"x" * 2**22))


def test_closing_cancels_what_runs() -> None:
    loop = LoopThread("test")
    started, ended = threading.Event(), threading.Event()

    async def forever() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    def wait() -> None:
        with contextlib.suppress(CancelledError):
            loop.run(forever())

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert started.wait(60)
    loop.close()
    waiting.join(60)
    assert ended.is_set()
    assert not waiting.is_alive()
