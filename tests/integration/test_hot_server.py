"""A real server: its recogniser is swapped while documents are read, over HTTP and by SIGHUP."""

from __future__ import annotations

import json
import shutil
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openvino", reason="needs openvino")
pytest.importorskip("rapidocr", reason="needs rapidocr with its models")

from models.resolve import resolve
from schemas.settings import load_settings
from tests.factories.server_process import PATIENCE, ServerProcess
from tests.factories.text_pages import TextPage

NAME = "PP-OCRv6_small_rec"
TEXT = "river window 42"
_PRODUCER_VERSION = b"\x1a\x03new"  # a field of ONNX that changes nothing, appended: the file is another one


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    data, models = tmp_path / "data", tmp_path / "models"
    models.mkdir()
    environment = {
        "INKLANE_FIELDS__ENABLED": "false",
        "INKLANE_ALLOW_DOWNLOAD": "false",
        "INKLANE_MODEL_DIR": str(models),
    }
    made = ServerProcess(
        ["-m", "pipeline", "serve", "--port", "0", "--data", str(data), "--precision", "f32"], data, environment
    )
    yield made
    made.end()


def call(server: ServerProcess, method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
    request = urllib.request.Request(server.url + path, body, {"Content-Type": "image/png"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def recogniser(server: ServerProcess) -> str:
    status, told = call(server, "GET", "/v1/models")
    assert status == 200
    return str(told["models"]["recognition"]["model"])


def test_no_request_fails_while_the_recogniser_is_swapped(server: ServerProcess, tmp_path: Path) -> None:
    page = TextPage.blank(400, 80).write(TEXT, 20, 20, 30).png()
    own = tmp_path / "models" / f"{NAME}.onnx"
    packaged = resolve(NAME, "recognition", "openvino", load_settings(allow_download=False))
    first = recogniser(server)
    used: list[str] = []

    with ThreadPoolExecutor(3) as pool:

        def send() -> list[Future[tuple[int, Any]]]:
            return [pool.submit(call, server, "POST", "/v1/documents", page) for _ in range(3)]

        def check(answers: list[Future[tuple[int, Any]]]) -> None:
            for answer in answers:
                status, document = answer.result(PATIENCE)
                assert status == 200, document
                assert [line["text"] for line in document["pages"][0]["lines"]] == [TEXT]
                used.append(document["models"]["recognition"])

        flowing = send()
        shutil.copyfile(packaged.model, own)
        own.write_bytes(own.read_bytes() + _PRODUCER_VERSION)
        status, told = call(server, "POST", "/v2/repository/models/recognition/load", b"")
        assert status == 200, told
        second = told["models"]["recognition"]["model"]
        assert (second != first, told["models"]["recognition"]["previous"]) == (True, first)
        check(flowing + send())
        assert used[-1] == second

        own.write_bytes(own.read_bytes() + _PRODUCER_VERSION)
        flowing = send()
        server.process.send_signal(signal.SIGHUP)
        while (third := recogniser(server)) == second:  # documents flow until it is done
            flowing += send()
            flowing[-1].result(PATIENCE)
        check(flowing + send())
        assert used[-1] == third

        own.write_bytes(b"no model")
        flowing = send()
        status, problem = call(server, "POST", "/v2/repository/models/recognition/load", b"")
        assert (status, problem["code"]) == (422, "model_error")
        check(flowing + send())
        assert used[-1] == third
    assert server.stop(signal.SIGTERM) == 0
