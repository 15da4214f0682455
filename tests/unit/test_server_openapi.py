"""/openapi.json is right, current, and tells of every address there is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest
from aiohttp.test_utils import TestClient, TestServer
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from pipeline.server.openapi import OPERATIONS, document
from pipeline.server.problems import STATUS
from schemas.errors import InklaneError
from tests.factories.served import served

ROOT = Path(__file__).parents[2]
JPEG = ROOT / "samples/images/receipt-cafe.jpg"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[TestClient[Any, Any]]:
    async with TestClient(TestServer(served(tmp_path))) as client:
        yield client


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in it."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(item)


def check(name: str, value: Any) -> None:
    """That a value fits one of the document's schemas."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(value)


def test_it_is_openapi() -> None:
    OPENAPI_31_VALIDATOR.validate(document())


def test_the_copy_in_the_documentation_is_current() -> None:
    kept = orjson.loads((ROOT / "docs/openapi.json").read_bytes())
    assert kept == document(), "run: python -m pipeline.server.openapi > docs/openapi.json"


def test_every_reference_leads_somewhere() -> None:
    made = document()
    for part in parts(made):
        if isinstance(part.get("$ref"), str):
            found: Any = made
            for step in part["$ref"].removeprefix("#/").split("/"):
                found = found[step]


def test_no_schema_is_left_that_nothing_uses() -> None:
    made = document()
    used = {part["$ref"].rpartition("/")[2] for part in parts(made) if isinstance(part.get("$ref"), str)}
    assert set(made["components"]["schemas"]) | set(made["components"]["responses"]) == used


def test_ids_are_unique() -> None:
    ids = [operation.id for operation in OPERATIONS]
    assert len(ids) == len(set(ids))


async def test_every_address_is_described_and_none_that_is_not_there(client: TestClient[Any, Any]) -> None:
    routes = {
        (route.method.lower(), route.resource.canonical)
        for route in client.server.app.router.routes()  # type: ignore[attr-defined]
        if route.resource is not None and route.method != "HEAD"
    }
    assert {(operation.method, operation.path) for operation in OPERATIONS} == routes


def test_every_parameter_of_an_address_is_described() -> None:
    for operation in OPERATIONS:
        in_path = {parameter.name for parameter in operation.parameters if parameter.where == "path"}
        assert in_path == set(re.findall(r"{(\w+)}", operation.path)), operation.id


def test_every_error_is_one_that_exists() -> None:
    known = {InklaneError.code, *STATUS, "worker_crashed", "stage_failed"}
    for operation in OPERATIONS:
        assert set(operation.all_errors) <= known, operation.id


async def test_it_is_served(client: TestClient[Any, Any]) -> None:
    async with client.get("/openapi.json") as response:
        assert response.content_type == "application/json"
        assert await response.json() == document()


async def test_answers_fit(client: TestClient[Any, Any]) -> None:
    async with client.post("/v1/documents", data=JPEG.read_bytes()) as response:
        check("Document", await response.json())
    async with client.post("/v1/documents", data=b"text") as response:
        assert response.content_type == "application/problem+json"
        check("Problem", await response.json())
    for address, name in [
        ("/v1/document-types", "DocumentTypes"),
        ("/v1/statistics", "Statistics"),
        ("/health", "Health"),
        ("/static/samples/list.json", "Samples"),
    ]:
        async with client.get(address) as response:
            assert response.status == 200, address
            check(name, await response.json())


async def test_jobs_fit(client: TestClient[Any, Any]) -> None:
    headers = {"Prefer": "respond-async"}
    async with client.post("/v1/documents", data=JPEG.read_bytes(), headers=headers) as response:
        assert response.status == 202
        place = response.headers["Location"]
        check("Job", await response.json())
    async with client.get(f"{place}/events") as response:
        *_, last = (await response.text()).strip().split("\n\n")
    assert "event: end" in last
    async with client.get(place) as response:
        job = await response.json()
    check("Job", job)
    assert job["results"][0]["document"]["doc_type"] is None
    async with client.get("/v1/jobs") as response:
        check("Jobs", await response.json())


async def test_answers_of_paddlex_fit(client: TestClient[Any, Any]) -> None:
    async with client.post("/ocr", json={"file": "bm8gcGljdHVyZQ=="}) as response:
        assert response.status == 422
        check("PaddleXError", await response.json())
