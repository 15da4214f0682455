from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import evaluate as command
from schemas.document import Document, Line, Page
from schemas.errors import DamagedFile, ModelError
from schemas.fields import Field
from schemas.requests import ReadRequest
from schemas.settings import Settings
from schemas.truth import load_truth

BOX = [[2, 2], [40, 2], [40, 12], [2, 12]]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    records = []
    for name in ("a.png", "b.png", "broken.png"):
        cv2.imwrite(str(folder / name), np.full((30, 50, 3), 255, np.uint8))
        records.append({"image": name, "width": 50, "height": 30, "lines": [{"text": "Total 42", "polygon": BOX}]})
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


class TruthfulReader:
    """Reads what the labels say, save for a file called broken.png."""

    def __init__(self, folder: Path) -> None:
        self.truths = {truth.path: truth for truth in load_truth(folder)}

    def submit(self, request: ReadRequest) -> Future[Document]:
        future: Future[Document] = Future()
        if request.name == "broken.png":
            future.set_exception(DamagedFile("it is cut off"))
            return future
        assert isinstance(request.source, Path)
        pages = [
            Page(page.page, int(page.width), int(page.height), lines=[Line(t.text, 1.0, t.polygon) for t in page.lines])
            for page in self.truths[request.source].pages
        ]
        future.set_result(Document(request.name, pages=pages))
        return future

    def close(self) -> None:
        """Nothing to do."""


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch, dataset: Path) -> list[Settings]:
    seen: list[Settings] = []

    @contextmanager
    def open_reader(settings: Settings) -> Iterator[TruthfulReader]:
        seen.append(settings)
        yield TruthfulReader(dataset)

    monkeypatch.setattr(command, "open_reader", open_reader)
    return seen


def run(*arguments: Any) -> Result:
    result = CliRunner().invoke(command.app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_table_and_status_zero(dataset: Path) -> None:
    result = run(dataset)
    assert result.exit_code == 0
    assert "0.800" in result.stdout  # word F1: 4 right of 4 read and 6 of truth
    assert "3 documents, 1 failed" in result.stdout
    assert "it is cut off" in result.stdout


def test_the_reports_are_written(dataset: Path, tmp_path: Path) -> None:
    assert run(dataset, "--json", tmp_path / "s.json", "--html", tmp_path / "r.html", "--worst", 2).exit_code == 0
    scores = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert (scores["dataset"], scores["documents"], scores["failed"]) == ("set", 3, 1)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert html.count("<article") == 2
    assert html.count("data:image/jpeg") == 2  # the broken file's own picture can be decoded


def test_json_on_standard_output_stands_alone(dataset: Path) -> None:
    result = run(dataset, "--json", "-", "--limit", 1)
    assert json.loads(result.stdout)["documents"] == 1
    assert "Word F1" in result.stderr


@pytest.mark.parametrize(
    ("bars", "status"),
    [(["word_f1=0.8"], 0), (["word_f1=0.81"], 1), (["char_accuracy=1", "detection_recall=0.9"], 1)],
)
def test_bars_decide_the_status(dataset: Path, bars: list[str], status: int) -> None:
    result = run(dataset, *(part for bar in bars for part in ("--fail-under", bar)))
    assert result.exit_code == status
    assert ("below" in result.stderr) == bool(status)


def test_nothing_read_at_all_is_status_one(dataset: Path) -> None:
    (dataset / "labels.jsonl").write_text((dataset / "labels.jsonl").read_text().splitlines()[2], encoding="utf-8")
    result = run(dataset)
    assert result.exit_code == 1
    assert "no document could be read" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-under", "speed=1"], "'speed' is no metric"),
        (["--limit", "0"], "--limit"),
        (["--in-flight", "0"], "--in-flight"),
        (["--json", "nowhere/x.json"], "nowhere/x.json cannot be written"),
        (["--html", "."], "cannot be written"),
        (["--backend", "abacus"], "abacus"),
    ],
)
def test_bad_usage_is_status_two_before_anything_is_read(
    dataset: Path, opened: list[Settings], arguments: list[str], message: str
) -> None:
    result = run(dataset, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert opened == []


@pytest.mark.parametrize("labels", [None, "", "{}", '{"image": "gone.png", "width": 1, "height": 1, "lines": []}'])
def test_a_dataset_that_is_none_is_status_two(tmp_path: Path, labels: str | None) -> None:
    if labels is not None:
        (tmp_path / "labels.jsonl").write_text(labels, encoding="utf-8")
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "labels.jsonl" in result.stderr


def test_a_missing_model_is_status_two(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_reader(settings: Settings) -> Any:
        raise ModelError("no model; install it")

    monkeypatch.setattr(command, "open_reader", open_reader)
    result = run(dataset)
    assert result.exit_code == 2
    assert "no model; install it" in result.stderr


def test_backend_and_precision_reach_the_settings(dataset: Path, opened: list[Settings]) -> None:
    run(dataset, "--backend", "onnxruntime", "--precision", "f32")
    assert [(settings.backend, settings.precision) for settings in opened] == [("onnxruntime", "f32")]


@pytest.fixture
def receipts(tmp_path: Path) -> Path:
    folder = tmp_path / "receipts"
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), np.full((30, 50, 3), 255, np.uint8))
    lines = [{"text": "Total 42", "polygon": BOX}]
    label = {
        "image": "a.png",
        "width": 50,
        "height": 30,
        "lines": lines,
        "doc_type": "receipt",
        "fields": {"total": "42"},
    }
    (folder / "labels.jsonl").write_text(json.dumps(label), encoding="utf-8")
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, receipts: Path) -> list[str | None]:
    """Readers that find the total, whatever they are asked for, and what they were asked for."""
    seen: list[str | None] = []

    def read_fields(document: Document, doc_type: str) -> None:
        seen.append(doc_type)
        document.doc_type, document.doc_type_confidence = "receipt", 0.9
        document.fields = {"total": Field("money", "42.00", "42", 0.8)}

    class FieldReader(TruthfulReader):
        def submit(self, request: ReadRequest) -> Future[Document]:
            future = super().submit(request)
            read_fields(future.result(), request.options.doc_type or "")
            seen[-1] = request.options.doc_type
            return future

    monkeypatch.setattr(command, "open_reader", lambda settings: nullcontext(FieldReader(receipts)))
    monkeypatch.setattr(command, "open_field_reader", lambda settings: nullcontext(read_fields))
    return seen


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "auto"),
        (["--type", "truth"], "receipt"),
        (["--type", "id_card"], "id_card"),
        (["--type", "none"], None),
        (["--lines", "true"], "auto"),
        (["--lines", "true", "--type", "truth"], "receipt"),
    ],
)
def test_fields_are_asked_for_and_shown(
    receipts: Path, asked: list[str | None], arguments: list[str], expected: str | None
) -> None:
    result = run(receipts, *arguments, "--fail-under", "type_accuracy=0" if arguments == [] else "field_f1=0")
    assert asked == [expected]
    assert result.exit_code == (expected is None)  # without fields there is no F1, which misses any bar
    assert ("whole documents" in result.stdout) == (expected is not None)
    assert ("Detection Hmean" in result.stdout) == ("--lines" not in arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--type", "receit"], "there is no such document type; there are"),
        (["--lines", "true", "--type", "none"], "--lines true measures fields alone"),
    ],
)
def test_types_that_make_no_sense_are_told(receipts: Path, arguments: list[str], message: str) -> None:
    result = run(receipts, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_lines_of_a_dataset_without_fields_measure_nothing(dataset: Path) -> None:
    result = run(dataset, "--lines", "true")
    assert result.exit_code == 2
    assert "none are labelled" in result.stderr
