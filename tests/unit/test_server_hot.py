"""Models over HTTP: swapped, tried, compared and rolled back, on an engine whose networks are fakes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.openapi import document as openapi
from pipeline.server.security.key_file import add_key
from pipeline.server.security.keys import make_key
from schemas.document import Document
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import load_settings
from schemas.statistics import WorkerStatistics
from tests.factories.commanded_reader import CommandedReader
from tests.factories.engines import Bench, MakeBench
from tests.factories.hot import FIRST, FakeLoading, shifted

Client = TestClient[Any, Any]
LOAD = "/v2/repository/models/recognition/load"
UNLOAD = "/v2/repository/models/recognition/unload"
ROLLBACK = "/v1/models/recognition/rollback"
SHADOW = "/v1/models/recognition/shadow"


class BenchReader:
    """The engine, whose documents the bench knows."""

    ready = True

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        return self._bench.send(request)

    def statistics(self) -> WorkerStatistics:
        return self._bench.engine.statistics()

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        return self._bench.engine.control(command, **arguments)

    def close(self) -> None:
        return


@pytest.fixture
def loading() -> FakeLoading:
    return FakeLoading()


@pytest.fixture
def bench(benches: MakeBench, loading: FakeLoading) -> Bench:
    made = benches(loading=loading)
    loading.probe = made.probe
    return made


@pytest.fixture
async def client(tmp_path: Path, bench: Bench) -> AsyncIterator[Client]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), BenchReader(bench))
    async with TestClient(TestServer(app)) as client:
        yield client


async def ask(client: Client, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    async with client.request(method, path, json=body, headers=headers) as response:
        return response.status, await response.json()


async def recognition(client: Client, method: str, path: str, body: Any = None) -> Any:
    """What an operation that succeeds says of the stage; it is what the documentation promises."""
    status, told = await ask(client, method, path, body)
    assert status == 200, told
    schema = {"$ref": "#/components/schemas/Models", "components": openapi()["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(told)
    return told["models"]["recognition"]


async def read(client: Client, name: str, *tokens: str) -> tuple[list[str], str]:
    """The texts of a document of one page, and the recogniser that it names."""
    content = json.dumps({"name": name, "pages": [tokens]}).encode()
    async with client.post("/v1/documents", data=content) as response:
        assert response.status == 200, await response.text()
        told = await response.json()
    return [line["text"] for page in told["pages"] for line in page["lines"]], told["models"]["recognition"]


async def test_no_request_fails_while_a_model_is_swapped(client: Client, bench: Bench, loading: FakeLoading) -> None:
    release = bench.probe.hold("recognition", "old")
    old = asyncio.create_task(read(client, "old", "abc", "defgh"))
    await asyncio.to_thread(bench.probe.wait_for, "recognition", "old")
    others = [asyncio.create_task(read(client, f"other{i}", "abcd"[i:] + "xyz")) for i in range(3)]
    told = await recognition(client, "POST", LOAD, {"parameters": {"name": "shift1"}})
    assert (told["model"], told["previous"]) == ("shift1@0", FIRST)
    assert await read(client, "new", "abc") == (["bcd"], "shift1@0")
    release.set()
    assert await old == (["abc", "defgh"], FIRST), "it began before"
    for i, (texts, model) in enumerate(await asyncio.gather(*others)):
        assert texts == [shifted("abcd"[i:] + "xyz", model == "shift1@0")]
    status, models = await ask(client, "GET", "/v2/models/recognition")
    assert (status, models["versions"]) == (200, ["shift1@0"])
    assert (await ask(client, "GET", "/v1/models"))[1]["swaps"] == 1


async def test_files_that_changed_are_loaded_without_a_name_or_a_body(client: Client, loading: FakeLoading) -> None:
    loading.prints[None] = "1"
    assert (await recognition(client, "POST", LOAD))["model"] == "tokens@1"
    assert (await recognition(client, "POST", LOAD, {}))["previous"] == FIRST
    assert (await recognition(client, "POST", LOAD, {"parameters": {"name": None}}))["model"] == "tokens@1"
    assert len(loading.loaded) == 1


@pytest.mark.parametrize(("name", "reason"), [("shift9", "failed its self-test"), ("missing", "not here")])
async def test_a_model_that_fails_leaves_the_one_in_use(
    client: Client, loading: FakeLoading, name: str, reason: str
) -> None:
    loading.broken.add("shift9")
    before = await ask(client, "GET", "/v1/models")
    for path, body in ((LOAD, {"parameters": {"name": name}}), (SHADOW, {"name": name})):
        status, problem = await ask(client, "POST", path, body)
        assert (status, problem["status"], problem["code"]) == (422, 422, "model_error")
        assert reason in problem["detail"]
    assert await ask(client, "GET", "/v1/models") == before
    assert await read(client, "doc", "abc") == (["abc"], FIRST)


async def test_a_rollback_that_fails_leaves_the_one_in_use(client: Client, loading: FakeLoading) -> None:
    await recognition(client, "POST", LOAD, {"parameters": {"name": "shift1"}})
    loading.prints[None] = "1"
    status, problem = await ask(client, "POST", ROLLBACK)
    assert (status, problem["code"]) == (422, "model_error")
    assert "have changed" in problem["detail"]
    assert await read(client, "doc", "abc") == (["bcd"], "shift1@0")


@pytest.mark.parametrize("path", [ROLLBACK, UNLOAD])
async def test_rolled_back_with_one_call(client: Client, path: str) -> None:
    status, problem = await ask(client, "POST", path)
    assert (status, problem["code"]) == (409, "conflict")
    await recognition(client, "POST", LOAD, {"parameters": {"name": "shift1"}})
    assert (await recognition(client, "POST", path, {"parameters": {}}))["model"] == FIRST
    assert await read(client, "doc", "abc") == (["abc"], FIRST)
    assert (await recognition(client, "POST", path))["model"] == "shift1@0", "twice is forward again"


async def test_a_share_of_the_documents(client: Client) -> None:
    told = await recognition(client, "POST", LOAD, {"parameters": {"name": "shift1", "share": 0.5}})
    assert (told["model"], told["candidate"]) == (FIRST, {"model": "shift1@0", "share": 0.5})
    used = {(await read(client, f"doc{i}", "abc"))[1] for i in range(40)}
    assert used == {FIRST, "shift1@0"}
    assert (await recognition(client, "POST", ROLLBACK))["candidate"] is None
    assert await read(client, "last", "abc") == (["abc"], FIRST)


async def test_a_shadow_is_compared_and_never_returned(client: Client, bench: Bench) -> None:
    told = await recognition(client, "POST", SHADOW, {"name": "shift1"})
    assert (told["shadow"]["model"], told["shadow"]["share"]) == ("shift1@0", 1.0)
    assert await read(client, "doc", "abc") == (["abc"], FIRST)
    await until_compared(bench, 1)
    shadow = (await recognition(client, "GET", "/v1/models"))["shadow"]
    assert {name: shadow[name] for name in ("equal", "different", "failed")} == {
        "equal": 0, "different": 1, "failed": 0,
    }  # fmt: skip
    told = await recognition(client, "POST", SHADOW, {"name": "unbatched", "share": 0.25})
    assert (told["shadow"]["model"], told["shadow"]["share"], told["shadow"]["different"]) == ("unbatched", 0.25, 0)
    assert (await recognition(client, "DELETE", SHADOW))["shadow"] is None
    status, problem = await ask(client, "DELETE", SHADOW)
    assert (status, problem["code"]) == (404, "not_found")


async def until_compared(bench: Bench, count: int) -> None:
    def compared() -> bool:
        figures = bench.engine.statistics().shadows["recognition"]
        return figures.equal + figures.different + figures.failed >= count

    async with asyncio.timeout(30):
        while not compared():  # noqa: ASYNC110 (the lane tells nobody)
            await asyncio.sleep(0)


async def test_without_a_shadow_figures_of_an_earlier_one_are_not_told(tmp_path: Path) -> None:
    reader = CommandedReader()
    reader.models["recognition"]["shadow"] = {"model": "new@1", "share": 1.0}
    reader.models["workers"] = [{}, {}]  # as a pool tells them
    app = make_app(load_settings(server={"data_dir": tmp_path}), reader)
    async with TestClient(TestServer(app)) as client:
        _, told = await ask(client, "GET", "/v1/models")
    assert list(told["models"]) == ["detection", "recognition"]
    assert told["models"]["recognition"]["shadow"]["equal"] == 0


@pytest.mark.parametrize("stage", ["decode", "nonsense"])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v2/repository/models/{}/load"),
        ("POST", "/v2/repository/models/{}/unload"),
        ("POST", "/v1/models/{}/rollback"),
        ("POST", "/v1/models/{}/shadow"),
        ("DELETE", "/v1/models/{}/shadow"),
    ],
)
async def test_stages_that_are_none(client: Client, stage: str, method: str, path: str) -> None:
    body = {"name": "shift1"} if path.endswith("shadow") else None
    status, problem = await ask(client, method, path.format(stage), body)
    assert (status, problem["code"]) == (404, "not_found")
    if stage != "%2e%2e":
        assert (
            "there are detection, orientation, recognition" in problem["detail"] or "recognition" in problem["detail"]
        )


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        (LOAD, b"{", "malformed_body"),
        (LOAD, b"[]", "invalid_request"),
        (LOAD, b'{"name": "shift1"}', "invalid_request"),
        (LOAD, b'{"parameters": null}', "invalid_request"),
        (LOAD, b'{"parameters": {"config": "{}"}}', "invalid_request"),
        (LOAD, b'{"parameters": {"name": 1}}', "invalid_request"),
        (LOAD, b'{"parameters": {"name": ""}}', "invalid_request"),
        (LOAD, b'{"parameters": {"name": "../../etc/passwd"}}', "invalid_request"),
        (LOAD, b'{"parameters": {"name": "/models/mine"}}', "invalid_request"),
        (LOAD, b'{"parameters": {"name": "' + b"a" * 5000 + b'"}}', "invalid_request"),
        (LOAD, b'{"parameters": {"share": 0}}', "invalid_request"),
        (LOAD, b'{"parameters": {"share": 1.01}}', "invalid_request"),
        (LOAD, b'{"parameters": {"share": true}}', "invalid_request"),
        (LOAD, b'{"parameters": {"share": "0.5"}}', "invalid_request"),
        (LOAD, b'{"parameters": {"share": 0.5}}', "invalid_request"),  # of the model that reads already
        (SHADOW, b"", "invalid_request"),
        (SHADOW, b'{"share": 0.5}', "invalid_request"),
        (SHADOW, b'{"name": null}', "invalid_request"),
        (SHADOW, b'{"name": "unbatched", "share": 0}', "invalid_request"),
        (SHADOW, b'{"name": "unbatched", "part": 1}', "invalid_request"),
    ],
)
async def test_bodies_that_cannot_be(client: Client, bench: Bench, path: str, body: bytes, code: str) -> None:
    async with client.post(path, data=body) as response:
        problem = await response.json()
    assert problem["code"] == code, problem
    assert bench.engine.state is None


# --- who may ------------------------------------------------------------------------------------------------------

ADDRESSES = [
    ("GET", "/v1/models"),
    ("GET", "/v1/trace?seconds=0.1"),
    ("POST", LOAD),
    ("POST", UNLOAD),
    ("POST", ROLLBACK),
    ("POST", SHADOW),
    ("DELETE", SHADOW),
]
DONE: dict[str, dict[str, Any]] = {"load_model": {}, "rollback": {}, "shadow": {}, "trace": {"events": []}}


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
async def test_with_keys_only_admin_ones_may(tmp_path: Path, method: str, path: str) -> None:
    keys = tmp_path / "keys.json"
    user, _ = add_key(keys, lambda: make_key("user", "2026-01-01"))
    admin, _ = add_key(keys, lambda: make_key("admin", "2026-01-01", admin=True))
    reader = CommandedReader(**DONE)
    reader.models["recognition"]["shadow"] = {"model": "other@1", "share": 1.0}
    settings = load_settings(server={"data_dir": tmp_path / "data", "keys_file": keys, "host": "0.0.0.0"})
    async with TestClient(TestServer(make_app(settings, reader))) as client:
        body = {"name": "shift1"} if (method, path) == ("POST", SHADOW) else None
        status, problem = await ask(client, method, path, body)
        assert (status, problem["code"]) == (401, "unauthorized")
        status, problem = await ask(client, method, path, body, Authorization=f"Bearer {user}")
        assert (status, problem["code"]) == (403, "forbidden")
        assert reader.given == []
        assert (await ask(client, method, path, body, Authorization=f"Bearer {admin}"))[0] == 200


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
async def test_without_keys_other_computers_may_not(tmp_path: Path, method: str, path: str) -> None:
    reader = CommandedReader(**DONE)
    settings = load_settings(server={"data_dir": tmp_path, "insecure": True, "host": "0.0.0.0"})
    async with TestClient(TestServer(make_app(settings, reader))) as client:
        status, problem = await ask(client, method, path)
        assert (status, problem["code"]) == (403, "forbidden")
        assert "--keys" in problem["detail"]
        async with client.get("/v2/models") as response:
            assert response.status == 200
    assert reader.given == []


async def test_a_page_of_another_origin_may_not(tmp_path: Path) -> None:
    reader = CommandedReader(**DONE)
    async with TestClient(TestServer(make_app(load_settings(server={"data_dir": tmp_path}), reader))) as client:
        for method, path in ADDRESSES[2:]:
            status, problem = await ask(client, method, path, Origin="https://evil.example")
            assert (status, problem["code"]) == (403, "cross_origin")
    assert reader.given == []


async def test_while_the_models_are_loaded_the_first_time(tmp_path: Path) -> None:
    async with TestClient(TestServer(make_app(load_settings(server={"data_dir": tmp_path}), None))) as client:
        for method, path in ADDRESSES:
            body = {"name": "shift1"} if (method, path) == ("POST", SHADOW) else None
            status, problem = await ask(client, method, path, body)
            assert (status, problem["code"]) == (503, "not_ready")
