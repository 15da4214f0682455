"""``inklane serve`` with the embedded models, from the command line to the last file that it leaves."""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from pathlib import Path

import pytest

from tests.factories.server_process import PATIENCE, ServerProcess
from tests.factories.text_pages import TextPage


@pytest.fixture(autouse=True)
def models() -> None:
    for package in ("openvino", "rapidocr"):
        pytest.importorskip(package, reason=f"needs {package} with its models")


def children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def test_one_document_is_read_and_nothing_stays(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    data = tmp_path / "data"
    server = ServerProcess(
        ["-m", "pipeline", "serve", "--port", "0", "--data", str(data), "--precision", "f32"],
        data,
        {"INKLANE_FIELDS__ENABLED": "false", "TMPDIR": str(temporary), "INKLANE_ALLOW_DOWNLOAD": "false"},
    )
    try:
        page = TextPage.blank(400, 80).write("river window 42", 20, 20, 30)
        request = urllib.request.Request(
            f"{server.url}/v1/documents?words=true", page.png(), {"Content-Type": "image/png"}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            document = json.loads(answer.read())
            assert "recognition-network;dur=" in answer.headers["Server-Timing"]
        assert [line["text"] for line in document["pages"][0]["lines"]] == ["river window 42"]
        assert len(document["pages"][0]["lines"][0]["words"]) == 3
        workers = children(server.process.pid)
        assert workers
        assert server.stop(signal.SIGTERM) == 0
    finally:
        server.end()
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)
    assert list(temporary.iterdir()) == []
    assert {path.name for path in data.iterdir()} <= {"jobs", "jobs.sqlite3", "lock", "webhook-secret"}
    assert list((data / "jobs").iterdir()) == []
