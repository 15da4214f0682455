"""Jobs over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio
from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.jobs import stream
from pipeline.server.jobs.events import END_ID, Events
from pipeline.server.jobs.routes import JOBS, accept, add_routes
from pipeline.server.jobs.signature import secret_of
from pipeline.server.keys import CALLER, CLOCK, SERVICE, SETTINGS
from pipeline.server.problems import problems_middleware
from schemas.progress import Progress
from schemas.requests import ReadOptions
from schemas.serialise import from_json
from schemas.settings import Settings
from tests.factories.jobs import PATIENCE, FakeClock, FakeService, until_ended, upload

Client = TestClient[web.Request, web.Application]


@web.middleware
async def caller(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    if "X-Test-Key" in request.headers:
        request[CALLER] = request.headers["X-Test-Key"]
    return await handler(request)


async def post(request: web.Request) -> web.Response:
    """Stands in for ``POST /v1/documents``: each line of the body is a file's name."""
    names = (await request.text()).split("\n")
    return await accept(
        request,
        [upload(name) for name in names],
        ReadOptions(),
        many=len(names) > 1,
        output=request.query.get("output", "json"),
    )


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest_asyncio.fixture
async def client(tmp_path: Path, service: FakeService) -> AsyncIterator[Client]:
    app = web.Application(middlewares=[problems_middleware, caller])
    (tmp_path / "data").mkdir()
    server = {"data_dir": tmp_path / "data", "webhook_secret": "secret"}
    app[SETTINGS] = Settings(server=server, _env_file=None)
    app[CLOCK] = FakeClock()
    app[SERVICE] = service  # type: ignore[misc]
    add_routes(app)
    app.router.add_post("/documents", post)
    async with TestClient(TestServer(app, handler_cancellation=True)) as made:
        yield made


async def send(client: Client, *names: str, **headers: str) -> dict[str, Any]:
    response = await client.post("/documents", data="\n".join(names), headers=headers)
    body: dict[str, Any] = orjson.loads(await response.read())
    assert response.status == 202, body
    assert response.headers["Location"] == body["url"]
    return body


async def get(client: Client, url: str, status: int = 200, *, key: str | None = None) -> Any:
    async with client.get(url, headers={} if key is None else {"X-Test-Key": key}) as response:
        content = await response.read()
        assert response.status == status, content
        return orjson.loads(content) if response.content_type.endswith("json") else content


async def ended(client: Client, job: dict[str, Any]) -> None:
    await until_ended(client.app[JOBS], job["id"])


async def test_a_job_from_202_to_its_result(client: Client) -> None:
    job = await send(client, "a.png")
    assert job["state"] in ("queued", "running")
    assert job["result"] is None
    await ended(client, job)
    done = await get(client, job["url"])
    assert (done["state"], done["files"][0]["result"]) == ("done", f"{job['url']}/result?file=0")
    assert done["results"][0]["document"]["file"] == "a.png"
    assert done["created"].endswith("Z")
    assert done["expires"] > done["finished"]
    alone = await get(client, done["result"])
    assert alone == done["results"][0]["document"] == await get(client, done["files"][0]["result"])
    assert from_json(orjson.dumps(alone)).file == "a.png"
    assert "results" not in await get(client, f"{job['url']}?results=false")
    assert (await get(client, f"{job['url']}?results=perhaps", 422))["code"] == "invalid_request"


async def test_a_batch_has_results_and_problems(client: Client) -> None:
    job = await send(client, "a", "bad")
    await ended(client, job)
    result = await get(client, f"{job['url']}/result")
    assert result["results"][0]["document"]["file"] == "a"
    problem = result["results"][1]["problem"]
    assert (problem["code"], problem["status"]) == ("damaged_file", 422)
    assert (await get(client, f"{job['url']}/result?file=1", 422))["code"] == "damaged_file"
    assert (await get(client, f"{job['url']}/result?file=2", 422))["code"] == "invalid_request"


async def test_the_error_of_a_single_file_is_its_result(client: Client) -> None:
    job = await send(client, "bad")
    await ended(client, job)
    assert (await get(client, f"{job['url']}/result", 422))["code"] == "damaged_file"
    assert (await get(client, job["url"]))["state"] == "failed"


async def test_text_has_its_own_content_type(client: Client) -> None:
    response = await client.post("/documents?output=text", data="a")
    job = orjson.loads(await response.read())
    await ended(client, job)
    async with client.get(f"{job['url']}/result") as result:
        assert result.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert (await get(client, job["url"]))["results"][0]["content_type"] == "text/plain; charset=utf-8"


async def test_a_result_before_the_end_is_a_conflict(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    assert (await get(client, f"{job['url']}/result", 409))["code"] == "conflict"


async def test_deleting(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    await service.until_begun("hang")
    for state in ("cancelled", None):
        async with client.delete(job["url"]) as response:
            assert response.status == 204
        if state:
            assert (await get(client, job["url"]))["state"] == state
            assert (await get(client, f"{job['url']}/result", 404))["code"] == "not_found"
    await get(client, job["url"], 404)
    assert service.given_up == ["hang"]


async def test_another_key_finds_nothing(client: Client) -> None:
    job = await send(client, "a", **{"X-Test-Key": "k1"})
    await ended(client, job)
    for path in (job["url"], f"{job['url']}/result", f"{job['url']}/events"):
        for key in ("k2", None):
            assert (await get(client, path, 404, key=key))["code"] == "not_found"
    async with client.delete(job["url"], headers={"X-Test-Key": "k2"}) as response:
        assert response.status == 404
    assert (await get(client, "/v1/jobs", key="k2"))["jobs"] == []
    assert len((await get(client, "/v1/jobs", key="k1"))["jobs"]) == 1


async def test_pages_of_jobs_follow_each_other(client: Client) -> None:
    made = [await send(client, f"{n}") for n in range(5)]
    for job in made:
        await ended(client, job)
    url, seen = "/v1/jobs?limit=2&state=done", []
    while url:
        page = await get(client, url)
        assert len(page["jobs"]) <= 2
        seen += [job["id"] for job in page["jobs"]]
        url = page["next"]
    assert seen == [job["id"] for job in made[::-1]]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "limit=²", "limit=1000000000000", "state=odd"])
async def test_queries_that_cannot_be(client: Client, query: str) -> None:
    assert (await get(client, f"/v1/jobs?{query}", 422))["code"] == "invalid_request"


async def test_an_idempotency_key_with_another_body(client: Client) -> None:
    first = await send(client, "a", **{"Idempotency-Key": "once"})
    assert (await send(client, "a", **{"Idempotency-Key": "once"}))["id"] == first["id"]
    response = await client.post("/documents", data="b", headers={"Idempotency-Key": "once"})
    assert (response.status, (await response.json(content_type=None))["code"]) == (422, "invalid_request")


async def test_a_webhook_that_may_not_be(client: Client) -> None:
    response = await client.post("/documents", data="b", headers={"Inklane-Webhook": "http://10.0.0.1/"})
    assert (response.status, (await response.json(content_type=None))["code"]) == (422, "invalid_request")
    assert (await get(client, "/v1/jobs"))["jobs"] == []


async def test_every_key_has_its_own_webhook_secret(client: Client) -> None:
    assert (await get(client, "/v1/webhook-secret"))["secret"] == secret_of("secret", "")
    assert (await get(client, "/v1/webhook-secret", key="k1"))["secret"] == secret_of("secret", "k1")


# --- events ----------------------------------------------------------------------------------------------------


class Reading:
    """Server-sent events of a response, one at a time."""

    def __init__(self, response: ClientResponse) -> None:
        self.response = response
        assert response.content_type == "text/event-stream"

    async def next(self) -> tuple[str, str, Any]:
        """The id, the kind and the data; a comment is of the kind ``comment``."""
        async with asyncio.timeout(PATIENCE):
            text = (await self.response.content.readuntil(b"\n\n")).decode()
        if text.startswith(":"):
            return "", "comment", text
        lines = dict(line.split(": ", 1) for line in text.strip().split("\n"))
        return lines["id"], lines["event"], orjson.loads(lines["data"])

    async def until(self, kind: str) -> tuple[str, Any]:
        while (event := await self.next())[1] != kind:
            pass
        return event[0], event[2]


async def test_events_tell_the_state_the_pages_and_the_end(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    await service.until_begun("hang")
    async with client.get(job["events"]) as response:
        reading = Reading(response)
        _, kind, data = await reading.next()
        assert (kind, data["id"], data["state"]) == ("state", job["id"], "running")
        service.tell["hang"](Progress(1, 2, "done", 1))
        _, data = await reading.until("progress")
        assert data == {"position": 0, "stage": "done", "page": 1, "pages": 2, "pages_done": 1}
        await service.release("hang")
        event_id, data = await reading.until("end")
        assert (event_id, data["state"]) == (END_ID, "done")
        assert await response.content.read() == b""
    async with client.get(job["events"], headers={"Last-Event-ID": END_ID}) as response:
        assert response.status == 204
    async with client.get(job["events"]) as response:
        assert (await Reading(response).next())[1] == "end"


async def test_a_watcher_who_comes_back_misses_nothing(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    await service.until_begun("hang")
    async with client.get(job["events"]) as response:
        reading = Reading(response)
        await reading.until("state")
        service.tell["hang"](Progress(1, 3, "done", 1))
        last_id, _ = await reading.until("progress")
    service.tell["hang"](Progress(2, 3, "done", 2))
    async with client.get(job["events"], headers={"Last-Event-ID": last_id}) as response:
        reading = Reading(response)
        service.tell["hang"](Progress(3, 3, "done", 3))
        seen = [await reading.next() for _ in range(2)]
        assert [(kind, data["page"]) for _, kind, data in seen] == [("progress", 2), ("progress", 3)]


@pytest.mark.parametrize("last_id", ["nonsense", "00000000-1", "end", "00000000-99999999999999999999"])
async def test_a_place_that_is_unknown_begins_with_the_state(
    client: Client, service: FakeService, last_id: str
) -> None:
    job = await send(client, "hang")
    await service.until_begun("hang")
    async with client.get(job["events"], headers={"Last-Event-ID": last_id}) as response:
        assert (await Reading(response).next())[1] == "state"


async def test_a_cancelled_job_ends_its_streams(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    async with client.get(job["events"]) as response:
        reading = Reading(response)
        await reading.until("state")
        async with client.delete(job["url"]):
            pass
        assert (await reading.until("end"))[1]["state"] == "cancelled"


async def test_a_stream_that_is_quiet_shows_that_it_lives(
    client: Client, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "KEEP_ALIVE_S", 0.001)
    job = await send(client, "hang")
    await service.until_begun("hang")
    async with client.get(job["events"]) as response:
        await Reading(response).until("comment")


async def test_a_client_that_goes_away_is_forgotten(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    events = client.app[JOBS].events
    async with client.get(job["events"]) as response:
        await Reading(response).until("state")
        assert events.watchers == 1
        response.close()
    async with asyncio.timeout(PATIENCE):
        while events.watchers:
            await get(client, job["url"])


async def test_streams_end_when_the_service_stops(client: Client, service: FakeService) -> None:
    job = await send(client, "hang")
    async with client.get(job["events"]) as response:
        reading = Reading(response)
        await reading.until("state")
        client.app[JOBS].events.close()
        rest = await response.content.read()
        assert b"event: end" not in rest


# --- the channels alone ----------------------------------------------------------------------------------------


def test_a_watcher_who_falls_behind_is_told_to_look_anew() -> None:
    events = Events(kept=3)
    events.open("job")
    with events.watch("job") as watch:
        for number in range(3):
            events.publish("job", "progress", number)
        assert [event.data for event in watch.take() or []] == [0, 1, 2]
        for number in range(4):
            events.publish("job", "progress", number)
        assert watch.take() is None
        assert watch.take() == []
        events.publish("job", "progress", 9)
        assert [event.data for event in watch.take() or []] == [9]


def test_channels_end_with_their_jobs() -> None:
    events = Events()
    events.publish("unknown", "progress", 0)
    with events.watch("over"):
        pass
    events.open("job")
    with events.watch("job") as watch:
        events.publish("job", "progress", 1)
        events.end("job")
        before = watch.ended
        assert [event.data for event in watch.take() or []] == [1]
        assert (before, watch.ended) == (False, True)
    assert events._channels == {}


def test_places_are_kept_in_one_channel_only() -> None:
    events = Events(kept=2)
    events.open("job")
    with events.watch("job") as watch:
        first = watch.id
    for number in range(2):
        events.publish("job", "progress", number)
    with events.watch("job", first) as watch:
        assert watch.resumed
        assert [event.data for event in watch.take() or []] == [0, 1]
    events.publish("job", "progress", 2)
    with events.watch("job", first) as watch:
        assert not watch.resumed
    events.end("job")
    events.open("job")
    with events.watch("job", first) as watch:
        assert not watch.resumed
