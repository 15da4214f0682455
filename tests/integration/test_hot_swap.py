"""A real recogniser is swapped while documents are read."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

pytest.importorskip("openvino", reason="needs openvino")
pytest.importorskip("rapidocr", reason="needs rapidocr with its models")

from models.resolve import resolve
from pipeline.engine import Engine
from schemas.document import Document
from schemas.errors import ModelError
from schemas.requests import ReadRequest
from schemas.settings import FieldSettings, Settings, load_settings
from tests.factories.text_pages import TextPage

NAME = "PP-OCRv6_small_rec"
LINES = ("Total 2048", "Invoice 17-03")
PATIENCE = 600.0
_PRODUCER_VERSION = b"\x1a\x03new"  # a field of ONNX that changes nothing, appended: the file is another one


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(
        in_process=True,
        backend="openvino",
        precision="f32",
        cores=2,
        allow_download=False,
        model_dir=tmp_path,
        fields=FieldSettings(enabled=False),
    )


@pytest.fixture
def engine(settings: Settings) -> Iterator[Engine]:
    made = Engine(settings)
    yield made
    made.close()


def text_of(document: Document) -> list[str]:
    return [line.text for page in document.pages for line in page.lines]


def test_a_recogniser_is_swapped_and_rolled_back_while_documents_flow(
    engine: Engine, settings: Settings, tmp_path: Path
) -> None:
    drawn = TextPage.blank(400, 140)
    for row, text in enumerate(LINES):
        drawn.write(text, 30, 30 + 50 * row, size=28)
    page = cv2.imencode(".png", drawn.pixels)[1].tobytes()

    def submit(number: int) -> Any:
        return engine.submit(ReadRequest(page, f"doc{number}"))

    first = engine.models["recognition"]
    packaged = resolve(NAME, "recognition", "openvino", settings)
    own = tmp_path / f"{NAME}.onnx"
    shutil.copyfile(packaged.model, own)
    with own.open("ab") as file:
        file.write(_PRODUCER_VERSION)
    before = [submit(i) for i in range(3)]
    told = engine.control("load_model", stage="recognition").result(PATIENCE)
    assert (told["model"] != first, told["previous"]) == (True, first)
    after = [submit(i) for i in range(3, 5)]
    documents = [future.result(PATIENCE) for future in before + after]
    assert [text_of(document) for document in documents] == [list(LINES)] * 5
    assert {document.models["recognition"] for document in documents[3:]} == {told["model"]}
    assert documents[0].models["recognition"] == first

    # Another order of the characters: the model loads, and does not read what is written.
    characters = list(packaged.characters)
    random.Random(1).shuffle(characters)
    own.with_suffix(".txt").write_text("\n".join(characters) + "\n", encoding="utf-8")
    own.write_bytes(own.read_bytes() + _PRODUCER_VERSION)
    with pytest.raises(ModelError, match="failed its self-test: .* where 'Total 2048' is written"):
        engine.control("load_model", stage="recognition").result(PATIENCE)
    assert submit(5).result(PATIENCE).models["recognition"] == told["model"]

    own.unlink()
    told = engine.control("rollback", stage="recognition").result(PATIENCE)
    assert told["model"] == first
    last = submit(6).result(PATIENCE)
    assert (text_of(last), last.models["recognition"]) == (list(LINES), first)
