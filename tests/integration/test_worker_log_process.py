"""What a real worker process of a service writes to standard error."""

from __future__ import annotations

import orjson
import pytest

from pipeline.worker.client import WorkerClient
from schemas.requests import ReadRequest

SECRET = "jane-doe.png"


def test_a_workers_lines_are_json_and_say_nothing_of_documents(capfd: pytest.CaptureFixture[str]) -> None:
    with WorkerClient("tests.factories.logged_reader:build", None) as client:
        assert client.submit(ReadRequest(b"a", SECRET)).result(timeout=60).file == SECRET
    written = capfd.readouterr().err
    lines = [orjson.loads(line) for line in written.splitlines()]
    assert {line["process"] for line in lines} == {"worker"}
    assert "document … failed" in {line["message"] for line in lines}
    assert any("logged_reader.py" in line["message"] for line in lines)
    assert any(line.get("error") == "ValueError" for line in lines)
    assert SECRET not in written
