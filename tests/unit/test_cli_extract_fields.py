"""``inklane extract`` with document types: they reach the reader, or are refused before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import extract
from pipeline.cli.app import app
from schemas.document import Document, Page
from schemas.requests import Reader, ReadRequest
from schemas.settings import Settings


class FakeReader:
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        self.requests: list[ReadRequest] = []
        self.settings: Settings | None = None

    @contextmanager
    def open(self, settings: Settings) -> Iterator[Reader]:
        self.settings = settings
        yield self

    def close(self) -> None:
        return

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.requests.append(request)
        future: Future[Document] = Future()
        future.set_result(Document(request.name, pages=[Page(1, 32, 16)]))
        return future


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeReader:
    fake = FakeReader()
    monkeypatch.setattr(extract, "open_reader", fake.open)
    monkeypatch.chdir(tmp_path)
    Path("a.png").write_bytes(cv2.imencode(".png", np.full((16, 32, 3), 255, np.uint8))[1].tobytes())
    return fake


def run(*arguments: Any) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["extract", "a.png", *map(str, arguments)])


@pytest.mark.parametrize("name", ["receipt", "auto", "none", None])
def test_the_type_reaches_the_reader(reader: FakeReader, name: str | None) -> None:
    result = run(*(["--type", name] if name else []))
    assert result.exit_code == 0, result.output
    assert [request.options.doc_type for request in reader.requests] == [name]


def test_an_unknown_type_is_refused_with_the_known_ones(reader: FakeReader) -> None:
    result = run("--type", "reciept")
    assert result.exit_code == 2
    assert "did you mean receipt?" in result.output
    assert "vat_invoice" in result.output
    assert reader.settings is None, "nothing was opened"


def test_a_type_of_ones_own_is_known_with_its_folder(reader: FakeReader) -> None:
    Path("types").mkdir()
    Path("types/letter.yaml").write_text("names: {en: Letter}\nfields: {subject: {keys: [Subject]}}\n")
    assert run("--type", "letter").exit_code == 2
    result = run("--type", "letter", "--doctypes", "types")
    assert result.exit_code == 0, result.output
    assert reader.settings is not None
    assert reader.settings.fields.doctypes_dir == Path("types")


@pytest.mark.parametrize(("content", "reason"), [("fields: {}", "names"), (None, "no .yaml file")])
def test_a_folder_with_a_fault_is_told(reader: FakeReader, content: str | None, reason: str) -> None:
    Path("types").mkdir()
    if content is not None:
        Path("types/letter.yaml").write_text(content)
    result = run("--doctypes", "types")
    assert result.exit_code == 2
    assert reason in result.output
    assert reader.settings is None


def test_a_type_with_fields_turned_off_is_refused(reader: FakeReader) -> None:
    Path("inklane.toml").write_text("[fields]\nenabled = false\n")
    result = run("--type", "receipt")
    assert result.exit_code == 2
    assert "fields.enabled" in result.output
    assert run("--type", "none").exit_code == 0
