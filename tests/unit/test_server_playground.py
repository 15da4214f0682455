"""The playground's addresses: files, samples, pictures of pages, figures."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from aiohttp.test_utils import TestClient, TestServer

from pipeline.server.assets import Assets
from pipeline.server.sample_files import SampleFiles
from tests.factories.served import served

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "pipeline/server/static"
SAMPLES = ROOT / "samples/images"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[TestClient[Any, Any]]:
    async with TestClient(TestServer(served(tmp_path)), auto_decompress=False) as client:
        yield client


# --- files ------------------------------------------------------------------------------------------------------


def test_every_file_is_there() -> None:
    assert set(Assets().names) == {path.name for path in STATIC.iterdir() if path.suffix in Assets.SUFFIXES}


@pytest.mark.parametrize("page", ["/", "/docs"])
async def test_pages_allow_nothing_but_their_own_files(client: TestClient[Any, Any], page: str) -> None:
    async with client.get(page) as response:
        assert response.status == 200
        assert response.content_type == "text/html"
        policy = response.headers["Content-Security-Policy"]
        text = (await response.read()).decode("utf-8", "replace")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://", text)


async def test_a_file_is_sent_compressed_and_once(client: TestClient[Any, Any]) -> None:
    async with client.get("/static/viewer.js", headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(await response.read()) == (STATIC / "viewer.js").read_bytes()
        tag = response.headers["ETag"]
    async with client.get("/static/viewer.js", headers={"If-None-Match": tag}) as response:
        assert response.status == 304
        assert await response.read() == b""


@pytest.mark.parametrize("name", ["nothing.js", "__init__.py", "..%2f..%2fkeys.py", "samples"])
async def test_nothing_else_is_sent(client: TestClient[Any, Any], name: str) -> None:
    async with client.get(f"/static/{name}") as response:
        assert response.status == 404


async def test_it_can_be_left_out(tmp_path: Path) -> None:
    async with TestClient(TestServer(served(tmp_path, playground=False))) as client:
        for address, status in [("/", 404), ("/static/samples/list.json", 404), ("/docs", 200)]:
            async with client.get(address) as response:
                assert response.status == status, address


# --- texts ------------------------------------------------------------------------------------------------------


def texts(language: str) -> dict[str, Any]:
    return dict(json.loads((STATIC / f"texts.{language}.json").read_text(encoding="utf-8")))


def test_both_languages_say_the_same_things() -> None:
    english, chinese = texts("en"), texts("zh")
    assert list(english) == list(chinese)
    for key in english:
        places = [sorted(set(re.findall(r"{\w+}", json.dumps(each[key])))) for each in (english, chinese)]
        assert places[0] == places[1], key
        assert isinstance(english[key], dict) == isinstance(chinese[key], dict), key


def test_every_text_that_is_asked_for_is_there_and_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in STATIC.iterdir() if path.suffix in (".js", ".html"))
    asked = set(re.findall(r"""(?:\btext\(|tool\(|'data-label': |'data-text': )'([\w.]+)'[,)\s}]""", source))
    asked |= set(re.findall(r'data-(?:text|label)="([\w.]+)"', source))
    composed = ("error.", "stage.", "tab.", "value.", "progress.", "stages.", "times.", "docs.")
    quoted = set(re.findall(r"'([a-z_]+(?:\.[a-z_]+)*)'", source))
    known = set(texts("en"))
    assert len(asked) > 60
    assert asked <= known
    assert {key for key in known if key not in asked | quoted and not key.startswith(composed)} == set()


# --- samples ----------------------------------------------------------------------------------------------------


async def test_samples_are_listed_and_sent(client: TestClient[Any, Any]) -> None:
    async with client.get("/static/samples/list.json") as response:
        listed = {sample["name"]: sample for sample in (await response.json())["samples"]}
    assert set(listed) == {path.name for path in SAMPLES.iterdir()}
    assert listed["lease.pdf"] == {"name": "lease.pdf", "doc_type": None, "pages": 3, "picture": False}
    assert listed["receipt-cafe.jpg"]["doc_type"] == "receipt"
    async with client.get("/static/samples/receipt-cafe.jpg") as response:
        assert response.content_type == "image/jpeg"
        assert await response.read() == (SAMPLES / "receipt-cafe.jpg").read_bytes()


@pytest.mark.parametrize("name", ["..%2flabels.jsonl", "labels.jsonl", "%2e%2e", "receipt-cafe.jpg%00"])
async def test_nothing_but_samples_is_sent(client: TestClient[Any, Any], name: str) -> None:
    async with client.get(f"/static/samples/{name}") as response:
        assert response.status == 404


async def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    assert await SampleFiles(tmp_path).all() == {}


# --- pictures of pages ------------------------------------------------------------------------------------------


async def test_a_page_is_drawn(client: TestClient[Any, Any]) -> None:
    data = (SAMPLES / "lease.pdf").read_bytes()
    async with client.post("/playground/page?page=3", data=data) as response:
        assert response.status == 200
        assert response.content_type == "image/jpeg"
        picture = cv2.imdecode(np.frombuffer(await response.read(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    height, width = picture.shape[:2]
    assert width == height  # the third page of the lease is square


@pytest.mark.parametrize(
    ("query", "data", "code"),
    [
        ("page=9", (SAMPLES / "lease.pdf").read_bytes(), "invalid_request"),
        ("page=0", b"%PDF-1.7", "invalid_request"),
        ("page=x", b"%PDF-1.7", "invalid_request"),
        ("page=1", b"%PDF-1.7 and no more", "damaged_file"),
        ("page=1", b"just text", "unsupported_format"),
    ],
)
async def test_a_page_that_cannot_be_drawn(client: TestClient[Any, Any], query: str, data: bytes, code: str) -> None:
    async with client.post(f"/playground/page?{query}", data=data) as response:
        assert response.content_type == "application/problem+json"
        assert (await response.json())["code"] == code


# --- figures ----------------------------------------------------------------------------------------------------


async def test_statistics(client: TestClient[Any, Any]) -> None:
    async with client.get("/v1/statistics") as response:
        told = await response.json()
    detection = told["stages"]["detection"]
    assert (detection["lanes"], detection["busy_lanes"], detection["waiting"]) == (2, 2, 10)
    assert detection["batches"] == {"1": 3, "4": 9, "8": 22, "16": 14}
    assert detection["mean_batch"] == pytest.approx(471 / 48, abs=0.001)
    assert list(told["stages"]) == ["decode", "detection", "recognition", "assembly"]


async def test_document_types_have_names_in_both_languages(client: TestClient[Any, Any]) -> None:
    async with client.get("/v1/document-types") as response:
        types = (await response.json())["document_types"]
    assert types["receipt"]["names"] == {"en": "Receipt", "zh": "收据"}
    items = next(field for field in types["vat_invoice"]["fields"] if field["name"] == "items")
    assert items["repeated"]
    assert "amount" in [part["name"] for part in items["parts"]]
