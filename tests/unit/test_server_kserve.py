"""The KServe v2 addresses beside health."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.app import make_app
from pipeline.server.keys import SERVICE
from schemas.document import Document
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.settings import load_settings
from schemas.statistics import StageFigures, WorkerStatistics

Client = TestClient[Any, Any]
RECOGNITION = "PP-OCRv6_small_rec@4cb64d0a15c6"


class Counted:
    """A reader that reads nothing and has counted what the test says."""

    def __init__(self, statistics: WorkerStatistics) -> None:
        self._statistics = statistics

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        raise AssertionError("nothing is to be read")

    def statistics(self) -> WorkerStatistics:
        return self._statistics

    def close(self) -> None:
        return


@pytest.fixture
def statistics() -> WorkerStatistics:
    figures = StageFigures(Counter({4: 2, 1: 3}), 11, busy_s=0.75, padded_pixels=100, content_pixels=90, lanes=2)
    figures.queue_s.observe(0.25)
    figures.network_s.observe(0.5)
    models = {"detection": "PP-OCRv6_small_det@c2be", "backend": "openvino f32", "recognition": RECOGNITION}
    stages = {"decode": StageFigures(), "detection": StageFigures(), "recognition": figures}
    return WorkerStatistics(stages=stages, models=models)


@pytest.fixture
async def client(tmp_path: Path, statistics: WorkerStatistics) -> AsyncIterator[Client]:
    app = make_app(load_settings(server={"data_dir": tmp_path}), Counted(statistics))
    async with TestClient(TestServer(app)) as client:
        yield client


async def get(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as response:
        return response.status, await response.json()


async def test_server(client: Client) -> None:
    status, body = await get(client, "/v2")
    assert status == 200
    assert body["name"] == "inklane"
    assert body["version"]
    assert "statistics" in body["extensions"]


async def test_models_are_the_stages_that_run_a_network(client: Client) -> None:
    assert await get(client, "/v2/models") == (200, {"models": ["detection", "recognition"]})
    expected = {
        "name": "recognition", "versions": [RECOGNITION], "platform": "openvino", "inputs": [], "outputs": [],
    }  # fmt: skip
    assert await get(client, "/v2/models/recognition") == (200, expected)
    assert await get(client, f"/v2/models/recognition/versions/{RECOGNITION}") == (200, expected)


@pytest.mark.parametrize("path", ["/v2/models/decode", "/v2/models/backend/ready", "/v2/models/recognition/versions/7"])
async def test_what_is_no_model(client: Client, path: str) -> None:
    status, body = await get(client, path)
    assert status == 404
    assert "there are detection (version PP-OCRv6_small_det@c2be), recognition" in body["error"]


async def test_ready_until_the_service_is_stopped(client: Client) -> None:
    assert await get(client, "/v2/models/detection/ready") == (200, {"name": "detection", "ready": True})
    assert client.app is not None
    client.app[SERVICE].stop()
    assert await get(client, "/v2/models/detection/ready") == (503, {"name": "detection", "ready": False})


async def test_statistics_of_a_stage(client: Client) -> None:
    status, body = await get(client, "/v2/models/recognition/stats")
    assert status == 200
    (figures,) = body["model_stats"]
    assert (figures["name"], figures["version"]) == ("recognition", RECOGNITION)
    assert (figures["inference_count"], figures["execution_count"]) == (11, 5)
    assert figures["inference_stats"]["queue"] == {"count": 1, "ns": 250_000_000}
    assert figures["inference_stats"]["compute_infer"] == {"count": 5, "ns": 500_000_000}
    assert figures["inference_stats"]["success"] == {"count": 11, "ns": 1_000_000_000}
    assert figures["batch_stats"] == [
        {"batch_size": 1, "compute_infer": {"count": 3}},
        {"batch_size": 4, "compute_infer": {"count": 2}},
    ]
    assert figures["mean_batch_size"] == 2.2
    assert figures["padding_share"] == 0.1


async def test_repository_index(client: Client) -> None:
    ready = {"name": "detection", "version": "PP-OCRv6_small_det@c2be", "state": "READY", "reason": ""}
    for body in ({}, {"ready": True}):
        async with client.post("/v2/repository/index", json=body) as response:
            assert await response.json() == [ready, {**ready, "name": "recognition", "version": RECOGNITION}]
    for wrong in ("null", "[]", "{", '{"ready": 1}'):
        headers = {"Content-Type": "application/json"}
        async with client.post("/v2/repository/index", data=wrong, headers=headers) as response:
            assert response.status == 400
    async with client.post("/v2/repository/index") as response:
        assert len(await response.json()) == 2
    assert client.app is not None
    client.app[SERVICE].stop()
    async with client.post("/v2/repository/index", json={"ready": True}) as response:
        assert await response.json() == []
    async with client.post("/v2/repository/index") as response:
        assert {entry["state"] for entry in await response.json()} == {"UNAVAILABLE"}


async def test_before_the_models_are_loaded(tmp_path: Path) -> None:
    app = make_app(load_settings(server={"data_dir": tmp_path}), None)
    async with TestClient(TestServer(app)) as client:
        assert await get(client, "/v2/models") == (200, {"models": []})
        status, body = await get(client, "/v2/models/detection")
        assert status == 404
        assert "being loaded" in body["error"]
