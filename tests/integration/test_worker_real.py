"""The real engine in its worker process: killed while it reads, given settings, and behind the command."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pipeline.api import Inklane
from pipeline.worker.client import WorkerClient
from schemas.document import Document
from schemas.errors import DamagedFile, DocumentError, SettingsError
from schemas.requests import ReadOptions
from tests.factories.text_pages import TextPage, sentence

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples" / "images"
PATIENCE = 180.0  # seconds for a whole test, on a busy machine
UNKNOWN = "\N{EGYPTIAN HIEROGLYPH A001}"  # to the recogniser

# skips where the models are missing
pytestmark = pytest.mark.usefixtures("inklane")


def worker(**settings: Any) -> Inklane:
    """The default: models in a worker process."""
    return Inklane(precision="f32", cores=2, allow_download=False, **settings)


def client_of(inklane: Inklane) -> WorkerClient:
    assert isinstance(inklane.reader, WorkerClient)
    return inklane.reader


def texts(document: object) -> list[str]:
    assert isinstance(document, Document), document
    return [line.text for page in document.pages for line in page.lines]


# --- killed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("killed_after", [1, 20])
def test_a_kill_in_the_middle_of_forty_documents_loses_nothing_and_doubles_nothing(killed_after: int) -> None:
    pages = [TextPage.blank(360, 70).write(sentence(i), 20, 20, 24) for i in range(40)]
    ended: Counter[int] = Counter()
    with worker() as inklane:
        client = client_of(inklane)
        first = client.worker_pid
        assert first is not None

        def count(number: int, _: Future[Document]) -> None:
            ended[number] += 1
            if ended.total() == killed_after:
                os.kill(first, signal.SIGKILL)

        futures = [inklane.submit(page.png()) for page in pages]
        for number, future in enumerate(futures):
            future.add_done_callback(functools.partial(count, number))
        until = time.monotonic() + PATIENCE
        read = [texts(future.result(until - time.monotonic())) for future in futures]
        assert client.worker_pid not in (None, first)
    # closed, so that nothing more can come
    assert read == [page.texts for page in pages]
    assert ended == Counter(range(40))


# --- given settings -------------------------------------------------------------------------------------------


def test_settings_and_options_reach_the_worker() -> None:
    page = TextPage.blank(420, 120).write("garden 4711 river", 20, 20, 30)
    with worker(
        recognition={"charset": "digits"},
        orientation={"enabled": False},
        stages={"recognition": {"max_batch_size": 1}},
        limits={"max_pixels": 100_000},
    ) as inklane:
        client_of(inklane)
        document = inklane.read_one(page.png(), ReadOptions(words=True))
        with pytest.raises(DocumentError, match="pixels"):
            inklane.read_one(TextPage.blank(1000, 1000).png())
    read = " ".join(texts(document))
    assert "4711" in read
    assert not any(char.isalpha() for char in read)
    assert document.models["backend"] == "openvino f32"
    assert "orientation" not in document.models
    assert document.pages[0].lines[0].words


def test_a_setting_that_cannot_work_is_told_from_within_the_worker() -> None:
    with pytest.raises(SettingsError, match=f"charset.*{UNKNOWN}"):
        worker(recognition={"charset": f"chars:12{UNKNOWN}"}).close()


def test_paths_and_bytes_waited_for_or_awaited_give_the_same(tmp_path: Path) -> None:
    pages = [TextPage.blank(360, 70).write(sentence(i), 20, 20, 24) for i in range(4)]
    file = tmp_path / "票 1.png"
    file.write_bytes(pages[1].png())
    sources: list[Path | bytes] = [pages[0].png(), file, pages[2].png()[:300], pages[2].png(), pages[3].png()]

    with worker() as inklane:
        waited = inklane.read(sources)
        awaited = asyncio.run(inklane.read_async(sources))
    for outcomes in (waited, awaited):
        assert isinstance(outcomes[2], DamagedFile)
        good = [outcome for outcome in outcomes if isinstance(outcome, Document)]
        assert [texts(document) for document in good] == [page.texts for page in pages]
        assert good[1].file == file.name


# --- behind the command ---------------------------------------------------------------------------------------


def extract(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INKLANE_", "LC_", "LANG"))}
    return subprocess.run(
        [sys.executable, "-m", "pipeline", "extract", *arguments],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(ROOT), "INKLANE_PRECISION": "f32", "INKLANE_CORES": "2"} | environment,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_bad_file_among_good_ones_is_reported_and_the_rest_is_written(tmp_path: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    chinese = (SAMPLES / "card-chinese.webp").read_bytes()
    (scans / "1 会员卡.webp").write_bytes(chinese)
    (scans / "2-broken.webp").write_bytes(chinese[: len(chinese) // 3])
    (scans / "3-text.png").write_text("no picture at all", encoding="utf-8")
    (scans / "4-good.png").write_bytes(TextPage.blank(360, 70).write("river window", 20, 20, 24).png())
    # without Python's own rescue of the C locale, which not every locale has
    done = extract(tmp_path, "scans", "--json", "--out", "out", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 1
    documents = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert [document["file"] for document in documents] == [
        f"scans/{name}" for name in ("1 会员卡.webp", "2-broken.webp", "3-text.png", "4-good.png")
    ]
    assert [document["error"]["code"] for document in documents[1:3]] == ["damaged_file", "unsupported_format"]
    assert "会员卡" in documents[0]["pages"][0]["lines"][0]["text"]
    assert documents[3]["pages"][0]["lines"][0]["text"] == "river window"
    errors = done.stderr.decode("utf-8")
    assert "2-broken.webp" in errors
    assert "[damaged_file]" in errors
    assert "3-text.png" in errors
    assert "[unsupported_format]" in errors
    assert "Traceback" not in errors
    written = {path.name: json.loads(path.read_text("utf-8")) for path in (tmp_path / "out").rglob("*.json")}
    assert [written[name] for name in ("1 会员卡.json", "4-good.json")] == [documents[0], documents[3]]
    assert len(written) == 2


def test_good_files_alone_end_with_status_0_and_a_table_in_utf8(tmp_path: Path) -> None:
    (tmp_path / "票据.webp").write_bytes((SAMPLES / "card-chinese.webp").read_bytes())
    done = extract(tmp_path, ".", "--type", "none", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0, done.stderr.decode()
    table = done.stdout.decode("utf-8")
    assert "票据.webp" in table
    assert "会员卡" in table


@pytest.mark.parametrize(
    ("arguments", "environment", "status", "said"),
    [
        (["nothing-here"], {}, 1, "file_missing"),
        (["page.png", "--charset", f"chars:12{UNKNOWN}"], {}, 2, "charset"),
        (["page.png"], {"INKLANE_CORES": "many"}, 2, "cores"),
        (["page.png"], {"INKLANE_MODELS__DETECTION": "PP-OCRv6_small_rec"}, 1, "PP-OCRv6_small_rec"),
    ],
)
def test_what_cannot_work_has_its_own_status(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], status: int, said: str
) -> None:
    (tmp_path / "page.png").write_bytes(TextPage.blank(100, 50).png())
    done = extract(tmp_path, *arguments, **environment)
    assert done.returncode == status
    assert said in done.stderr.decode("utf-8")
    assert "Traceback" not in done.stderr.decode("utf-8")
