"""Log lines: one a request, JSON, and nothing of what documents say."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiohttp import FormData
from aiohttp.test_utils import TestClient, TestServer

from pipeline import json_log
from pipeline.server.app import make_app
from pipeline.server.keys import SERVICE
from pipeline.server.request_log import ON_REQUEST, RequestRecord, current, log_middleware
from pipeline.server.security.key_file import add_key
from pipeline.server.security.keys import make_key
from pipeline.server.uploads import Upload
from schemas.errors import DamagedFile
from schemas.requests import ReadOptions
from schemas.settings import load_settings
from tests.factories.receipt_reader import BROKEN, SECRET, ReceiptReader

PNG = b"\x89PNG\r\n\x1a\n"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Lines:
    """What was logged, line by line."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def all(self) -> list[dict[str, Any]]:
        text = self.stream.getvalue()
        assert text.endswith("\n") or not text
        return [orjson.loads(line) for line in text.split("\n")[:-1]]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.all() if line.get("event") == event]


@pytest.fixture
def lines() -> Iterator[Lines]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    lines = Lines()
    json_log.configure("server", stream=lines.stream)
    yield lines
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    logging.getLogger("aiohttp.access").setLevel(logging.NOTSET)


async def client_of(tmp_path: Path, **server: Any) -> TestClient[Any, Any]:
    app = make_app(load_settings(server={"data_dir": tmp_path / "data", **server}), ReceiptReader(pages=2))
    client = TestClient(TestServer(app))
    await client.start_server()
    return client


def form(name: str, data: bytes) -> FormData:
    form = FormData()
    form.add_field("file", data, filename=name)
    return form


async def test_a_request_is_one_line_that_says_what_was_done(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "keys.json"
    text, key = add_key(path, lambda: make_key("somebody", "2026-01-01"))
    client = await client_of(tmp_path, keys_file=path)
    headers = {"X-API-Key": text, "X-Request-Id": "abc-1", "traceparent": TRACE}
    async with client.post("/v1/documents?type=auto", data=form("jane-doe.png", PNG), headers=headers) as response:
        assert response.headers["X-Request-Id"] == "abc-1"
        assert response.headers["traceparent"].startswith("00-0af7651916cd43dd8448eb211c80319c-")
        assert response.headers["traceparent"] != TRACE
        size = len(await response.read())
    await client.close()
    (line,) = lines.of("request")
    assert line["bytes_in"] > len(PNG)
    assert line["elapsed_ms"] >= 0
    expected = {
        "level": "info",
        "request_id": "abc-1",
        "trace_id": "0af7651916cd43dd8448eb211c80319c",
        "key": key.id,
        "method": "POST",
        "route": "/v1/documents",
        "status": 200,
        "bytes_out": size,
        "documents": 1,
        "pages": 2,
        "types": {"receipt": 1},
        "queue_ms": 1.5,
        "network_ms": 15.0,
    }
    assert {name: line[name] for name in expected} == expected
    whole = lines.stream.getvalue()
    for secret in (SECRET, "47.11", "jane-doe", text, text[-20:], "type=auto"):
        assert secret not in whole


async def test_errors_are_told_by_their_code(tmp_path: Path, lines: Lines) -> None:
    client = await client_of(tmp_path)
    await (await client.post("/v1/documents", data=form("jane-doe.png", BROKEN))).read()
    await (await client.get("/jane/doe?secret")).read()
    await client.close()
    broken, missing = lines.of("request")
    assert (broken["status"], broken["code"], broken["errors"]) == (422, "damaged_file", {"damaged_file": 1})
    assert (missing["status"], missing["code"], missing["route"]) == (404, "not_found", "none")
    assert "jane" not in lines.stream.getvalue()
    assert "secret" not in lines.stream.getvalue()


async def test_names_of_files_are_written_where_they_are_allowed(tmp_path: Path, lines: Lines) -> None:
    client = await client_of(tmp_path, log_file_names=True)
    await (await client.post("/v1/documents", data=form('a"\\u000a{"level":"x"}发票.png', PNG))).read()
    await client.close()
    (line,) = lines.of("request")
    assert len(line["files"]) == 1
    assert "发票.png" in line["files"][0]
    assert line["level"] == "info"


@pytest.mark.parametrize("given", ["a b", "x" * 65, '"}', "a\u00e9", "../x"])
async def test_ids_that_could_spoil_a_log_are_replaced(tmp_path: Path, lines: Lines, given: str) -> None:
    client = await client_of(tmp_path)
    async with client.get("/v1/statistics", headers={"X-Request-Id": given}) as response:
        ours = response.headers["X-Request-Id"]
    await client.close()
    if given != "../x":
        assert ours != given
    assert lines.of("request")[0]["request_id"] == ours


async def test_what_machines_ask_all_the_time_is_logged_only_where_it_fails(tmp_path: Path, lines: Lines) -> None:
    client = await client_of(tmp_path)
    for path in ("/v2/health/live", "/v2/health/ready", "/metrics"):
        await (await client.get(path)).read()
    assert not lines.of("request")
    client.app[SERVICE].stop()
    await (await client.get("/v2/health/ready")).read()
    await client.close()
    assert [line["status"] for line in lines.of("request")] == [503]


async def test_a_document_that_no_request_waits_for_has_a_line_of_its_own(tmp_path: Path, lines: Lines) -> None:
    client = await client_of(tmp_path)
    service = client.app[SERVICE]
    await service.read(Upload.of("jane-doe.png", PNG), ReadOptions(), key="unknown")
    with pytest.raises(DamagedFile):
        await service.read(Upload.of("jane-doe.png", BROKEN), ReadOptions())
    await client.close()
    good, bad = lines.of("document")
    assert (good["type"], good["pages"]) == ("receipt", 2)
    assert bad["code"] == "damaged_file"
    assert "jane" not in lines.stream.getvalue()


async def test_a_client_that_goes_away_is_told_as_such(tmp_path: Path, lines: Lines) -> None:
    app = make_app(load_settings(server={"data_dir": tmp_path / "data"}), ReceiptReader())
    entered, outlived = asyncio.Event(), asyncio.Event()
    seen: list[RequestRecord | None] = []

    async def later() -> None:
        await outlived.wait()
        seen.append(current())

    tasks: list[asyncio.Task[None]] = []

    async def handler(request: Any) -> Any:
        seen.append(current())
        tasks.append(asyncio.create_task(later()))
        entered.set()
        await asyncio.Event().wait()

    app.router.add_get("/wait", handler)
    ended = asyncio.Event()
    app[ON_REQUEST].append(lambda record: ended.set())
    async with TestClient(TestServer(app)) as client:
        request = asyncio.create_task(client.get("/wait"))
        await entered.wait()
        request.cancel()
        await asyncio.wait([request])
        await ended.wait()
        outlived.set()
        await asyncio.gather(*tasks)
    assert lines.of("request")[0]["status"] == 499
    assert seen[0] is not None
    assert seen[1] is None  # what outlives its request adds nothing to a line that is written
    assert log_middleware in app.middlewares


def formatted(*args: Any, process: str = "server", **kinds: Any) -> dict[str, Any]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(json_log.JsonFormatter(process))
    log = logging.Logger("test")
    log.addHandler(handler)
    log.error(*args, **kinds)
    text = stream.getvalue()
    assert text.count("\n") == 1
    line: dict[str, Any] = orjson.loads(text)
    return line


def test_nobody_can_forge_a_line() -> None:
    line = formatted("name %s", 'a\n{"level": "critical"}\r\x1b[2J\u2028\udcff')
    assert line["level"] == "error"
    assert line["message"].startswith("name a\n{")


def test_of_an_exception_its_type_and_places_are_written_and_not_what_it_says() -> None:
    try:
        int(SECRET)
    except ValueError:
        line = formatted("it failed", exc_info=True)
    assert line["error"] == "ValueError"
    assert any("test_request_log.py" in frame for frame in line["frames"])
    assert SECRET not in str(line)
    try:
        raise DamagedFile("the file ends early") from ValueError(SECRET)
    except DamagedFile:
        line = formatted("it failed", exc_info=True)
    assert (line["code"], line["reason"], line["cause"]) == ("damaged_file", "the file ends early", "ValueError")
    assert SECRET not in str(line)


def test_long_texts_are_cut_and_odd_values_do_no_harm() -> None:
    extra = {
        json_log.EXTRA: {"a": float("nan"), "b": object(), "c": None, "d": [1, "x"], "e": {"f": b"raw"}, "g": 2**70}
    }
    line = formatted("%s", "x" * 100_000, extra=extra)
    assert len(line["message"]) < 5000
    assert line["d"] == [1, "x"]
    assert line["e"] == {"f": "bytes"}
    assert "c" not in line
