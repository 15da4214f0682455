"""A trace over HTTP: what the lanes did while somebody waited for it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.service import Service
from pipeline.server.tracer import Tracer
from schemas.errors import Conflict, InvalidRequest, ModelError, WorkerFailed
from schemas.settings import load_settings
from schemas.trace import TraceEvent
from tests.factories.commanded_reader import CommandedReader

Client = TestClient[Any, Any]


def told(*names: str) -> dict[str, Any]:
    """What a worker answers at the end."""
    events = [
        TraceEvent("detection", 0, 1, "64", 1, 1.0 + i, 1.5 + i, 0.4, 0.1, "det@1", pages=((name, 1),)).told()
        for i, name in enumerate(names)
    ]
    return {"events": events, "seen": len(events)}


@pytest.fixture
def reader() -> CommandedReader:
    return CommandedReader()


@pytest.fixture
async def client(tmp_path: Path, reader: CommandedReader) -> AsyncIterator[Client]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), reader)
    async with TestClient(TestServer(app)) as client:
        yield client


async def test_it_is_a_file_for_the_viewer(client: Client, reader: CommandedReader) -> None:
    reader.at_once = {"trace": told(*(f"{i} page.png" for i in range(1200)), "7 \udcff.png")}
    async with client.get("/v1/trace?seconds=0.1") as response:
        assert response.status == 200
        assert response.headers["Content-Disposition"] == 'attachment; filename="inklane-trace.json"'
        trace = json.loads(await response.text())
    assert [given.arguments["action"] for given in reader.given] == ["start", "stop"]
    bars = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert [bar["ts"] for bar in bars] == [1_000_000 * i for i in range(1201)]
    assert bars[3]["args"]["pages"] == ["3 page.png, page 1"]
    assert trace["displayTimeUnit"] == "ms"


@pytest.mark.parametrize("query", ["seconds=0.09", "seconds=61", "seconds=nan", "seconds=-1", "seconds=", "second=1"])
async def test_times_that_cannot_be(client: Client, reader: CommandedReader, query: str) -> None:
    async with client.get(f"/v1/trace?{query}") as response:
        assert (response.status, (await response.json())["code"]) == (422, "invalid_request")
    async with client.get("/v1/trace?seconds=1&seconds=2") as response:
        assert response.status == 422
    async with client.head("/v1/trace") as response:
        assert response.status == 405
    assert reader.given == []


async def test_it_ends_when_the_service_stops(client: Client, reader: CommandedReader) -> None:
    reader.at_once = {"trace": told("1 a.png")}
    asked = asyncio.create_task(client.get("/v1/trace?seconds=60"))
    await reader.wait_for(1)
    async with client.get("/v1/trace") as response:
        assert (response.status, (await response.json())["code"]) == (409, "conflict")
    assert client.app is not None
    await client.app.shutdown()
    async with asyncio.timeout(30), await asked as response:  # sooner than it would end by itself
        assert response.status == 200


# --- without HTTP -------------------------------------------------------------------------------------------------


@pytest.fixture
async def tracer(reader: CommandedReader) -> AsyncIterator[Tracer]:
    made = Tracer(Service(load_settings(), reader, time))
    yield made
    await made.close()


async def test_it_ends_when_nobody_waits_for_it(tracer: Tracer, reader: CommandedReader) -> None:
    asked = asyncio.create_task(tracer.record(3600))
    (await reader.wait_for(1)).answer.set_result({})
    await asyncio.sleep(0)
    asked.cancel()
    stop = await reader.wait_for(2)
    assert stop.arguments == {"action": "stop"}
    with pytest.raises(Conflict):
        await tracer.record(1)  # it has not ended yet
    stop.answer.set_result(told())
    await tracer.close()
    again = asyncio.create_task(tracer.record(3600))
    assert (await reader.wait_for(3)).arguments == {"action": "start"}
    await tracer.close()
    with pytest.raises(asyncio.CancelledError):
        await again


async def test_a_worker_that_was_started_again(tracer: Tracer, reader: CommandedReader) -> None:
    asked = asyncio.create_task(tracer.record(3600))
    (await reader.wait_for(1)).answer.set_result({})
    tracer.stop()
    (await reader.wait_for(2)).answer.set_exception(InvalidRequest("trace: nothing is being recorded"))
    with pytest.raises(WorkerFailed, match="started again"):
        await asked


async def test_where_not_all_workers_start_none_goes_on(tracer: Tracer, reader: CommandedReader) -> None:
    asked = asyncio.create_task(tracer.record(3600))
    (await reader.wait_for(1)).answer.set_exception(WorkerFailed("it ended"))
    stop = await reader.wait_for(2)
    assert stop.arguments == {"action": "stop"}
    stop.answer.set_exception(ModelError("whatever it says"))
    with pytest.raises(WorkerFailed, match="it ended"):
        await asked
