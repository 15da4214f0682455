"""Bodies over HTTP: what is too large, too slow or malformed is refused, and nothing of it stays (CASES 28)."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server import body_stream
from pipeline.server.app import make_app
from pipeline.server.keys import BODIES, DATA_FOLDER, SERVICE
from schemas.settings import load_settings
from tests.factories.held_reader import PATIENCE, HeldReader, until

KIB = 1024
PATH = "/v1/documents"

Start = Callable[..., Coroutine[Any, Any, TestClient[Any, Any]]]


@pytest.fixture
def reader() -> HeldReader:
    return HeldReader(at_once=True)


@pytest.fixture
async def start(tmp_path: Path, reader: HeldReader) -> AsyncIterator[Start]:
    apps: list[web.Application] = []
    clients: list[TestClient[Any, Any]] = []

    async def make(limits: dict[str, Any] | None = None, **server: Any) -> TestClient[Any, Any]:
        server = {"data_dir": tmp_path / "data", "spool_bytes": KIB, "playground": False, **server}
        app = make_app(load_settings(server=server, limits=limits or {}), reader)
        client = TestClient(TestServer(app, handler_cancellation=True, lingering_time=0.1))
        apps.append(app)
        clients.append(client)
        await client.start_server()
        return client

    yield make
    for app, client in zip(apps, clients, strict=True):
        assert app[BODIES].receiving == 0
        assert list(app[DATA_FOLDER].spool.iterdir()) == []
        assert app[SERVICE].admission.pages == 0
        await client.close()
        assert not app[DATA_FOLDER].spool.exists()


async def told(answer: aiohttp.ClientResponse) -> tuple[int, str]:
    assert answer.content_type == "application/problem+json"
    body = await answer.json()
    assert body["status"] == answer.status
    assert body["request_id"] == answer.headers["X-Request-Id"]
    return answer.status, body["code"]


async def pieces(piece: bytes, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield piece


# --- how files may be sent ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "text/plain", None, "application/pdf"])
@pytest.mark.parametrize("size", [5, 5 * KIB, 3 * KIB * KIB])
async def test_raw_bytes_are_a_file_whatever_the_type_says(
    start: Start, reader: HeldReader, kind: str | None, size: int
) -> None:
    client = await start()
    content = b"\xff" + bytes(size - 1)
    headers = {} if kind is None else {"Content-Type": kind}
    answer = await client.post(PATH, data=content, headers=headers)
    assert answer.status == 200
    assert reader.given[0].content == content
    assert isinstance(reader.given[0].request.source, bytes if size <= KIB else Path)


async def test_raw_bytes_called_json_are_a_file_all_the_same(start: Start, reader: HeldReader) -> None:
    client = await start()
    answer = await client.post(PATH, data=b"\x89PNG...", headers={"Content-Type": "application/json"})
    assert answer.status == 200
    assert reader.given[0].content == b"\x89PNG..."


async def test_raw_bytes_may_have_a_name(start: Start) -> None:
    client = await start()
    headers = {"Content-Disposition": "attachment; filename*=utf-8''%E5%8F%91%E7%A5%A8.png"}
    answer = await client.post(PATH, data=b"abc", headers=headers)
    assert (await answer.json())["file"] == "发票.png"


async def test_a_compressed_body_is_unpacked(start: Start, reader: HeldReader) -> None:
    client = await start()
    answer = await client.post(PATH, data=gzip.compress(bytes(5000)), headers={"Content-Encoding": "gzip"})
    assert answer.status == 200
    assert reader.given[0].content == bytes(5000)


async def test_one_file_in_a_form_gives_a_document(start: Start, reader: HeldReader) -> None:
    client = await start()
    form = aiohttp.FormData()
    form.add_field("file", bytes(3000), filename="a b 发票.png")
    form.add_field("words", "true")
    answer = await client.post(PATH, data=form)
    assert (await answer.json())["file"] == "a b 发票.png"
    assert reader.given[0].request.options.words


async def test_several_files_in_a_form_give_a_list_in_their_order(start: Start) -> None:
    client = await start()
    form = aiohttp.FormData()
    for name in ("one", "two", "three"):
        form.add_field("files", name.encode(), filename=name)
    results = (await (await client.post(PATH, data=form)).json())["results"]
    assert [(result["file"], result["document"]["pages"][0]["lines"][0]["text"]) for result in results] == [
        (name, name) for name in ("one", "two", "three")
    ]


@pytest.mark.parametrize("size", [3, 10_000])
async def test_json_with_one_file_gives_a_document(start: Start, reader: HeldReader, size: int) -> None:
    client = await start()
    body = {"file": base64.b64encode(bytes(size)).decode(), "name": "a.png", "dpi": 300, "words": True}
    answer = await client.post(PATH, json=body)
    assert (await answer.json())["file"] == "a.png"
    (held,) = reader.given
    assert held.content == bytes(size)
    assert (held.request.options.dpi, held.request.options.words) == (300, True)


async def test_json_with_files_gives_a_list_even_of_one(start: Start) -> None:
    client = await start()
    entry = base64.b64encode(b"abc").decode()
    answer = await client.post(PATH, json={"files": [{"file": entry, "name": "a"}]})
    assert [result["file"] for result in (await answer.json())["results"]] == ["a"]
    answer = await client.post(PATH, json={"files": [entry, {"file": "!"}]})
    results = (await answer.json())["results"]
    assert results[0]["document"]["file"] == "document"
    assert results[1]["problem"]["code"] == "malformed_body"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"file": 5}',
        '{"file": null}',
        '{"file": "YWJj", "files": []}',
        '{"files": []}',
        '{"files": "YWJj"}',
        '{"files": [5]}',
        '{"files": [{"name": "a"}]}',
        '{"files": [{"file": "YWJj", "more": 1}]}',
        '{"file": "YWJj", "name": 7}',
        '{"file": "YWJj", "dpi": [1]}',
        '{"file": "https://example.com/a.png"}',
    ],
)
async def test_json_of_another_shape_is_refused(start: Start, body: str, reader: HeldReader) -> None:
    client = await start()
    answer = await client.post(PATH, data=body.encode(), headers={"Content-Type": "application/json"})
    assert await told(answer) == (400, "malformed_body")
    assert reader.given == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"file": "YWJj", "dpi": 5}, "invalid_request"),
        ({"file": "YWJj", "color": "red"}, "invalid_request"),
        ({"file": ""}, "damaged_file"),
    ],
)
async def test_options_and_files_that_cannot_be_are_refused(start: Start, body: dict[str, Any], code: str) -> None:
    client = await start()
    assert await told(await client.post(PATH, json=body)) == (422, code)


async def test_a_form_without_a_file_is_refused(start: Start) -> None:
    client = await start()
    form = aiohttp.FormData({"type": "receipt"}, default_to_multipart=True)
    assert await told(await client.post(PATH, data=form)) == (400, "malformed_body")


async def test_an_empty_body_is_an_empty_file(start: Start) -> None:
    client = await start()
    assert await told(await client.post(PATH)) == (422, "damaged_file")


# --- limits ------------------------------------------------------------------------------------------------------


async def test_an_announced_length_over_the_limit_is_refused_before_it_is_sent(start: Start) -> None:
    client = await start(max_body_bytes=10 * KIB)
    async with await asyncio.wait_for(_open(client), PATIENCE) as stream:
        await stream.send(b"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10241\r\n\r\n")
        head = await stream.head()
    assert b" 413 " in head


async def test_a_chunked_body_over_the_limit_is_cut_off(start: Start, reader: HeldReader) -> None:
    client = await start(max_body_bytes=100 * KIB)
    answer = await client.post(PATH, data=pieces(bytes(KIB), 101))
    assert await told(answer) == (413, "too_large")
    assert reader.given == []


async def test_a_body_of_exactly_the_limit_is_taken(start: Start) -> None:
    client = await start(max_body_bytes=100 * KIB)
    assert (await client.post(PATH, data=pieces(b"a" * KIB, 100))).status == 200


async def test_what_a_compressed_body_unpacks_to_counts(start: Start) -> None:
    client = await start(max_body_bytes=100 * KIB)
    bomb = gzip.compress(bytes(10_000 * KIB))
    assert len(bomb) < 100 * KIB
    answer = await client.post(PATH, data=bomb, headers={"Content-Encoding": "gzip"})
    assert await told(answer) == (413, "too_large")


async def test_a_broken_compressed_body_is_malformed(start: Start) -> None:
    client = await start()
    answer = await client.post(PATH, data=b"no gzip", headers={"Content-Encoding": "gzip"})
    assert answer.status == 400


async def test_an_endless_preamble_is_cut_off(start: Start) -> None:
    client = await start()
    headers = {"Content-Type": "multipart/form-data; boundary=xyz"}
    answer = await client.post(PATH, data=pieces(b"--abc\r\n" * 100, 1000), headers=headers)
    assert await told(answer) == (413, "too_large")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("image/png", bytes(200 * KIB)),
        ("application/json", json.dumps({"file": "A" * 200 * KIB}).encode()),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + bytes(204800),
        ),
    ],
    ids=["raw", "json", "form"],
)
async def test_the_limit_holds_however_the_file_is_sent(start: Start, kind: str, body: bytes) -> None:
    client = await start(max_body_bytes=100 * KIB)
    answer = await client.post(PATH, data=body, headers={"Content-Type": kind})
    assert await told(answer) == (413, "too_large")


async def test_a_file_over_its_own_limit_costs_only_itself(start: Start) -> None:
    client = await start(limits={"max_file_bytes": 5 * KIB})
    form = aiohttp.FormData()
    form.add_field("file", bytes(6 * KIB), filename="large")
    form.add_field("file", b"small", filename="small")
    results = (await (await client.post(PATH, data=form)).json())["results"]
    assert results[0]["problem"]["code"] == "too_large"
    assert results[1]["document"]["file"] == "small"
    assert await told(await client.post(PATH, data=bytes(6 * KIB))) == (413, "too_large")


async def test_too_many_files_are_refused(start: Start) -> None:
    client = await start(max_files=2)
    form = aiohttp.FormData()
    for number in range(3):
        form.add_field("file", b"abc", filename=str(number))
    assert await told(await client.post(PATH, data=form)) == (413, "too_large")
    assert await told(await client.post(PATH, json={"files": ["YWJj"] * 3})) == (413, "too_large")


async def test_too_many_uploads_at_once_are_told_to_come_back(start: Start) -> None:
    client = await start(max_uploads=1)
    async with await _open(client) as stream:
        await stream.send(b"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\n")
        await until(lambda: client.app is not None and client.app[BODIES].receiving == 1)
        answer = await client.post(PATH, data=b"abc")
        assert await told(answer) == (429, "queue_full")
        assert answer.headers["Retry-After"] == "1"
        await stream.send(b"abcd")
        assert b" 200 " in await stream.head()


# --- speed -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [{"body_timeout_s": 0.05, "min_body_bytes_per_s": 0}, {}], ids=["total", "rate"])
@pytest.mark.parametrize(
    "kind", ["image/png", "application/json", "multipart/form-data; boundary=x"], ids=["raw", "json", "form"]
)
async def test_a_body_that_stops_coming_is_cut_off(
    start: Start, monkeypatch: pytest.MonkeyPatch, limit: dict[str, float], kind: str, reader: HeldReader
) -> None:
    monkeypatch.setattr(body_stream, "GRACE_S", 0.05)
    client = await start(**limit)
    async with await _open(client) as stream:
        head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: 1000\r\n\r\n"
        await stream.send(head.encode() + b'{"file": "aaaa')
        answer = await stream.head()
    assert b" 408 " in answer
    assert b'"code":"body_timeout"' in answer
    assert reader.given == []


def test_how_long_a_body_may_take() -> None:
    limits = body_stream.BodyLimits(10**9, 60.0, 1000.0, 5.0)
    assert limits.seconds(0) == 5.0
    assert limits.seconds(10_000) == 15.0
    assert limits.seconds(10**9) == 60.0
    assert body_stream.BodyLimits(10**9, 60.0, 0.0, 5.0).seconds(0) == 60.0
    one_byte_a_second = next(second for second in range(1000) if second > limits.seconds(second))
    assert one_byte_a_second == 6


# --- clients that go away ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "begin"),
    [
        ("image/png", bytes(5 * KIB)),
        ("application/json", b'{"file": "' + b"A" * 5 * KIB),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + bytes(5 * KIB),
        ),
    ],
    ids=["raw", "json", "form"],
)
async def test_a_client_that_goes_away_in_the_middle_leaves_nothing(
    start: Start, reader: HeldReader, kind: str, begin: bytes
) -> None:
    client = await start()
    assert client.app is not None
    spool = client.app[DATA_FOLDER].spool
    async with await _open(client) as stream:
        head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: 999999\r\n\r\n"
        await stream.send(head.encode() + begin)
        await until(lambda: bool(list(spool.iterdir())))
    await until(lambda: client.app is not None and client.app[BODIES].receiving == 0)
    await until(lambda: not list(spool.iterdir()))
    assert reader.given == []


async def test_a_client_that_asks_first_is_told_before_it_sends(start: Start) -> None:
    client = await start(max_body_bytes=10 * KIB)
    head = "POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n"
    async with await _open(client) as stream:
        await stream.send(head.format(3).encode())
        assert await stream.head() == b"HTTP/1.1 100 Continue\r\n\r\n"
        await stream.send(b"abc")
        assert b" 200 " in await stream.head()
    async with await _open(client) as stream:
        await stream.send(head.format(10**6).encode())
        assert b" 413 " in await stream.head()


class _Stream:
    """A client that writes what no HTTP library would."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def __aenter__(self) -> _Stream:
        return self

    async def __aexit__(self, *error: object) -> None:
        self._writer.close()

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def head(self) -> bytes:
        """What comes next, and at least a response's head."""
        async with asyncio.timeout(PATIENCE):
            head = await self._reader.readuntil(b"\r\n\r\n")
            if b"problem+json" in head:
                head += await self._reader.readuntil(b"}")
        return head


async def _open(client: TestClient[Any, Any]) -> _Stream:
    return _Stream(*await asyncio.open_connection(client.host, client.port))
