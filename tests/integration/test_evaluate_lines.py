"""``inklane evaluate --lines true`` with a layout-NER model that a table stands for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli.evaluate import app
from tests.factories.layout_ner_model import write_model

BOX = [[2, 2], [40, 2], [40, 12], [2, 12]]


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("onnx")
    monkeypatch.setenv("INKLANE_MODELS__LAYOUT_NER", str(write_model(tmp_path / "model")))
    folder = tmp_path / "receipts"
    folder.mkdir()
    labels = []
    for name, total, texts in (
        ("right.png", "12.50", ["Shop", "total 12.50"]),
        ("wrong.png", "9.00", ["total 12.50"]),
        ("blank.png", "3.00", []),
    ):
        (folder / name).touch()  # no picture is looked at
        lines = [{"text": text, "polygon": [[x, y + 20 * row] for x, y in BOX]} for row, text in enumerate(texts)]
        labels.append(
            {
                "image": name,
                "width": 90,
                "height": 90,
                "lines": lines,
                "doc_type": "receipt",
                "fields": {"total": total},
            }
        )
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    return folder


@pytest.mark.parametrize(("doc_type", "recognised"), [("auto", 3), ("truth", 0)])
def test_fields_are_read_from_the_labelled_lines(dataset: Path, tmp_path: Path, doc_type: str, recognised: int) -> None:
    arguments = [str(dataset), "--lines", "true", "--type", doc_type, "--json", str(tmp_path / "scores.json")]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    scores = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))
    assert (scores["lines"], scores["documents"], scores["failed"]) == ("true", 3, 0)
    total = scores["fields"]["types"]["receipt"]["fields"]["total"]["normalised"]
    assert (total["right"], total["read"], total["truth"]) == (1, 2, 3)
    confusion = scores["fields"]["document_types"]["confusion"]
    assert sum(entry["documents"] for entry in confusion) == recognised
    assert scores["metrics"]["word_f1"] is None
    outcomes = {document["file"]: document["fields"]["outcomes"] for document in scores["per_document"]}
    assert [(one["kind"], one["got"]) for one in outcomes["right.png"]] == [("right", "12.50")]
    assert [(one["kind"], one["expected"]) for one in outcomes["wrong.png"]] == [("wrong", "9.00")]
    assert [one["kind"] for one in outcomes["blank.png"]] == ["missing"]
