"""``inklane extract --output``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import extract
from pipeline.cli.app import app
from schemas.document import Document
from schemas.requests import Reader, ReadRequest
from schemas.settings import Settings
from tests.factories.images import encode, page_image
from tests.factories.pdfs import PdfPage, pdf
from tests.factories.read_pages import document, line, page


class OneLineReader:
    """Every file says its own name; one called ``gone`` is away before its output is made."""

    def __init__(self) -> None:
        self.requests: list[ReadRequest] = []

    @contextmanager
    def open(self, settings: Settings) -> Iterator[Reader]:
        yield self

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.requests.append(request)
        assert isinstance(request.source, Path)
        future: Future[Document] = Future()
        future.set_result(document(page(line(request.name, 10, 10, 100, 20), width=240, height=160), file=request.name))
        if "gone" in request.name:
            request.source.unlink()
        return future

    def close(self) -> None:
        return


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OneLineReader:
    fake = OneLineReader()
    monkeypatch.setattr(extract, "open_reader", fake.open)
    monkeypatch.chdir(tmp_path)
    for name in ("a.jpg", "b.jpg"):
        Path(name).write_bytes(encode(page_image("L"), "JPEG"))
    return fake


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["extract", *map(str, arguments)])


def told(result: Result) -> str:
    """What it says, whatever the width of the terminal has made of it."""
    return " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("json", "a.json", False), ("text", "a.txt", False), ("markdown", "a.md", False), ("hocr", "a.hocr", True),
        ("alto", "a.alto.xml", True), ("pdf", "a.pdf", True),
    ],
)  # fmt: skip
def test_out_has_a_file_a_document(reader: OneLineReader, kind: str, name: str, words: bool) -> None:
    result = run("a.jpg", "--out", "out", "--output", kind)
    assert result.exit_code == 0, result.output
    assert [path.name for path in Path("out").iterdir()] == [name]
    assert reader.requests[0].options.words is words
    content = (Path("out") / name).read_bytes()
    if kind == "pdf":
        assert pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range() == "a.jpg"
    else:
        assert b"a.jpg" in content


def test_without_out_it_is_printed(reader: OneLineReader) -> None:
    assert run("a.jpg", "b.jpg", "--output", "text").stdout == "a.jpg\n\fb.jpg\n"
    assert run("a.jpg", "b.jpg", "--output", "markdown").stdout == "a.jpg\n\n---\n\nb.jpg\n"
    assert [json.loads(row)["file"] for row in run("a.jpg", "b.jpg", "--output", "json").stdout.splitlines()] == [
        "a.jpg",
        "b.jpg",
    ]


def test_one_document_of_a_kind_that_is_a_whole_file(reader: OneLineReader) -> None:
    assert run("a.jpg", "--output", "alto").stdout.startswith("<?xml")
    assert run("a.jpg", "--output", "pdf").stdout_bytes.startswith(b"%PDF-")
    result = run("a.jpg", "b.jpg", "--output", "hocr")
    assert result.exit_code == 2
    assert "give --out DIR" in told(result)


def test_json_is_printed_beside_other_files(reader: OneLineReader) -> None:
    result = run("a.jpg", "--json", "--out", "out", "--output", "text")
    assert json.loads(result.stdout)["file"] == "a.jpg"
    assert Path("out/a.txt").read_text() == "a.jpg\n"
    result = run("a.jpg", "--json", "--output", "text")
    assert result.exit_code == 2
    assert "--json prints JSON" in told(result)


def test_no_document_is_written_over(reader: OneLineReader) -> None:
    Path("c.pdf").write_bytes(pdf([PdfPage()]))
    before = Path("c.pdf").read_bytes()
    for arguments in (["c.pdf", "--out", "."], [".", "--out", "."], ["c.pdf", "--out", str(Path.cwd())]):
        result = run(*arguments, "--output", "pdf")
        assert result.exit_code == 2
        assert "would be written over" in told(result)
    assert Path("c.pdf").read_bytes() == before
    assert not reader.requests


def test_a_form_that_cannot_be_made_is_that_documents_error(reader: OneLineReader) -> None:
    Path("gone.jpg").write_bytes(Path("a.jpg").read_bytes())
    result = run("gone.jpg", "a.jpg", "--out", "out", "--output", "pdf")
    assert result.exit_code == 1
    assert "gone.jpg: gone.jpg cannot be read: No such file or directory [file_missing]" in told(result)
    assert [path.name for path in Path("out").iterdir()] == ["a.pdf"]


def test_unknown_form(reader: OneLineReader) -> None:
    result = run("a.jpg", "--output", "docx")
    assert result.exit_code == 2
    assert "markdown" in told(result)
