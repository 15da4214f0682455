"""Who gets in, through the whole application: keys, hosts, origins, rates, quotas, and what responses say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.security.key_file import add_key
from pipeline.server.security.keys import make_key
from pipeline.server.security.origin import comes_from_elsewhere, host_allowed, is_loopback
from schemas.errors import SettingsError
from schemas.settings import load_settings
from tests.factories.receipt_reader import BROKEN, ReceiptReader

PNG = b"\x89PNG\r\n\x1a\n"
Start = Callable[..., Coroutine[Any, Any, TestClient[Any, Any]]]


class Clock:
    now = 1_767_355_200.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def start(tmp_path: Path, clock: Clock) -> AsyncIterator[Start]:
    clients: list[TestClient[Any, Any]] = []

    async def make(reader: ReceiptReader | None = None, **server: Any) -> TestClient[Any, Any]:
        settings = load_settings(server={"data_dir": tmp_path / f"data{len(clients)}", **server})
        app = make_app(settings, reader or ReceiptReader(), clock=clock)
        client = TestClient(TestServer(app))
        clients.append(client)
        await client.start_server()
        return client

    yield make
    for client in clients:
        await client.close()


@pytest.fixture
def keys(tmp_path: Path) -> Callable[..., tuple[Path, dict[str, str]]]:
    def make(**limits: Any) -> tuple[Path, dict[str, str]]:
        path = tmp_path / "keys.json"
        text, _ = add_key(path, lambda: make_key("somebody", "2026-01-01", **limits))
        return path, {"Authorization": f"Bearer {text}"}

    return make


async def code_of(client: TestClient[Any, Any], method: str, path: str, **options: Any) -> tuple[int, str | None]:
    async with client.request(method, path, **options) as response:
        if response.content_type != "application/problem+json":
            return response.status, None
        return response.status, (await response.json())["code"]


Keys = Callable[..., tuple[Path, dict[str, str]]]


async def test_without_keys_the_loopback_address_asks_for_none(start: Start) -> None:
    client = await start()
    assert await code_of(client, "POST", "/v1/documents", data=PNG) == (200, None)


async def test_with_keys_nothing_is_read_without_one(start: Start, keys: Keys) -> None:
    path, good = keys()
    client = await start(keys_file=path)
    text = good["Authorization"].removeprefix("Bearer ")
    wrong = text[:-4] + ("0000" if text[-4:] != "0000" else "1111")
    for headers in ({}, {"Authorization": f"Bearer {wrong}"}, {"X-API-Key": ""}, {"Authorization": f"Basic {text}"}):
        async with client.post("/v1/documents", data=PNG, headers=headers) as response:
            assert response.status == 401
            assert response.headers["WWW-Authenticate"].startswith("Bearer")
            assert (await response.json())["code"] == "unauthorized"
            assert text not in await response.text()
    for headers in (good, {"X-API-Key": text}, {"Authorization": f"bearer  {text}"}):
        assert await code_of(client, "POST", "/v1/documents", data=PNG, headers=headers) == (200, None)


async def test_health_is_open_and_metrics_are_not_unless_told(start: Start, keys: Keys) -> None:
    path, good = keys()
    client = await start(keys_file=path)
    assert (await code_of(client, "GET", "/v2/health/live"))[0] == 200
    assert (await code_of(client, "GET", "/v2/health/ready"))[0] == 200
    assert await code_of(client, "GET", "/metrics") == (401, "unauthorized")
    assert (await code_of(client, "GET", "/metrics", headers=good))[0] == 200
    assert (await code_of(client, "GET", "/v1/nothing"))[0] == 401  # which addresses there are is nobody's business
    other = await start(keys_file=path, open_metrics=True, open_health=False)
    assert (await code_of(other, "GET", "/metrics"))[0] == 200
    assert await code_of(other, "GET", "/v2/health/live") == (401, "unauthorized")
    assert (await code_of(other, "POST", "/metrics"))[0] == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "ocr.example.com"])
def test_other_addresses_need_keys(tmp_path: Path, host: str) -> None:
    settings = load_settings(server={"data_dir": tmp_path, "host": host})
    with pytest.raises(SettingsError, match="inklane keys add"):
        make_app(settings, ReceiptReader())


async def test_too_many_requests_are_refused_with_when_to_come_back(start: Start, keys: Keys, clock: Clock) -> None:
    path, good = keys(requests_per_minute=6)
    client = await start(keys_file=path)
    async with client.post("/v1/documents", data=PNG, headers=good) as response:
        assert response.status == 200
        assert response.headers["RateLimit-Limit"] == "6"
        assert response.headers["RateLimit-Remaining"] == "0"
    async with client.post("/v1/documents", data=PNG, headers=good) as response:
        assert response.status == 429
        assert response.headers["Retry-After"] == "10"
        assert (await response.json())["code"] == "rate_limited"
    clock.now += 10
    assert await code_of(client, "POST", "/v1/documents", data=PNG, headers=good) == (200, None)


async def test_the_days_pages_are_counted_and_then_refused(start: Start, keys: Keys, clock: Clock) -> None:
    path, good = keys(pages_per_day=5)
    client = await start(ReceiptReader(pages=3), keys_file=path)
    assert (await code_of(client, "POST", "/v1/documents", data=BROKEN, headers=good))[0] == 422  # costs nothing
    for _ in range(2):
        assert (await code_of(client, "POST", "/v1/documents", data=PNG, headers=good))[0] == 200
    async with client.post("/v1/documents", data=PNG, headers=good) as response:
        assert response.status == 429
        assert (await response.json())["code"] == "quota_exceeded"
        assert response.headers["Retry-After"] == str(12 * 3600)
    assert (await code_of(client, "GET", "/metrics", headers=good))[0] == 200  # looking is not reading
    clock.now += 12 * 3600
    assert (await code_of(client, "POST", "/v1/documents", data=PNG, headers=good))[0] == 200


async def test_only_admin_keys_change_models(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    user, _ = add_key(path, lambda: make_key("user", "2026-01-01"))
    admin, _ = add_key(path, lambda: make_key("admin", "2026-01-01", admin=True))
    client = await start(keys_file=path)
    address = "/v2/repository/models/detection/nothing-like-this"
    assert await code_of(client, "POST", address, headers={"X-API-Key": user}) == (403, "forbidden")
    assert (await code_of(client, "POST", address, headers={"X-API-Key": admin}))[0] in (404, 405)
    assert await code_of(client, "POST", address) == (401, "unauthorized")


async def test_a_name_pointed_at_this_computer_is_refused(start: Start) -> None:
    client = await start()
    for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "[", ""):
        assert (await code_of(client, "GET", "/v2/health/live", headers={"Host": host}))[0] in (400, 421), host
    for host in ("localhost", "localhost:1234", "127.0.0.1:80", "[::1]:80", "10.1.2.3:8080"):
        assert (await code_of(client, "GET", "/v2/health/live", headers={"Host": host}))[0] == 200, host
    named = await start(allowed_hosts="ocr.example.com, Other.example")
    for host in ("ocr.example.com", "OCR.example.com:8443", "other.example", "127.0.0.1"):
        assert (await code_of(named, "GET", "/v2/health/live", headers={"Host": host}))[0] == 200, host
    assert await code_of(named, "GET", "/v2/health/live", headers={"Host": "evil.example"}) == (421, "wrong_host")


async def test_pages_of_other_origins_may_not_send_documents(start: Start) -> None:
    client = await start()
    own = f"http://127.0.0.1:{client.port}"
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        refused = await code_of(client, "POST", "/v1/documents", data=PNG, headers=headers)
        assert refused == (403, "cross_origin"), headers
    for headers in ({"Origin": own}, {"Sec-Fetch-Site": "same-origin"}, {}):
        assert (await code_of(client, "POST", "/v1/documents", data=PNG, headers=headers))[0] == 200, headers
    async with client.get("/v2/health/live", headers={"Origin": "https://evil.example"}) as response:
        assert response.status == 200
        assert "Access-Control-Allow-Origin" not in response.headers


async def test_origins_that_are_allowed_get_what_browsers_ask_for(start: Start, keys: Keys) -> None:
    path, good = keys()
    app = "https://app.example.com"
    client = await start(keys_file=path, cors_origins=f"{app}/")
    asks = {"Origin": app, "Access-Control-Request-Method": "POST"}
    async with client.options("/v1/documents", headers=asks) as response:  # browsers send no key with it
        assert response.status == 204
        assert response.headers["Access-Control-Allow-Origin"] == app
        assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
        assert "Access-Control-Allow-Credentials" not in response.headers
    async with client.post("/v1/documents", data=PNG, headers={**good, "Origin": app}) as response:
        assert response.status == 200
        assert response.headers["Access-Control-Allow-Origin"] == app
        assert response.headers["Vary"] == "Origin"
    async with client.options("/v1/documents", headers={**asks, "Origin": "https://evil.example"}) as response:
        assert response.status == 401
        assert "Access-Control-Allow-Origin" not in response.headers


async def test_every_response_protects_itself(start: Start) -> None:
    client = await start()
    for path in ("/v2/health/live", "/nothing", "/metrics"):
        async with client.get(path) as response:
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert "script-src" not in response.headers["Content-Security-Policy"]
            assert response.headers["Server"] == "inklane"
            assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/static/../keys.json", "/static/%2e%2e/keys.json", "/static/..%2f..%2fkeys.json"])
async def test_no_address_leads_out_of_the_static_files(start: Start, keys: Keys, path: str) -> None:
    file, _ = keys()
    client = await start()
    async with client.get(path) as response:
        assert response.status in (400, 403, 404)
        assert file.read_text() not in await response.text()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("LOCALHOST", True),
        ("a.localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("127.0.0.1.example.com", False),
        ("2130706433", False),
        ("", False),
    ],
)
def test_which_hosts_are_this_computer(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_hosts_are_free_at_other_addresses_unless_named() -> None:
    assert host_allowed("anything", "0.0.0.0", frozenset())
    assert host_allowed(None, "0.0.0.0", frozenset())
    assert not host_allowed("anything", "0.0.0.0", frozenset(["ocr.example.com"]))
    assert not host_allowed(None, "127.0.0.1", frozenset())


def test_an_origin_behind_a_proxy_that_ends_tls_is_the_same() -> None:
    assert not comes_from_elsewhere("POST", {"Origin": "https://a.example", "Host": "a.example"}, frozenset())
    assert comes_from_elsewhere("POST", {"Origin": "https://a.example:8443", "Host": "a.example"}, frozenset())
    assert comes_from_elsewhere("DELETE", {"Origin": "https://[", "Host": "a.example"}, frozenset())
