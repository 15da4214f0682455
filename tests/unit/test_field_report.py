from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from pipeline.evaluation.field_report import field_tables
from pipeline.evaluation.html import to_html
from pipeline.evaluation.judge import AUTO, Judge
from pipeline.evaluation.lines import evaluate_lines
from pipeline.evaluation.report import below, parse_bars, to_json, worst_table
from pipeline.evaluation.runner import Evaluation
from schemas.document import Document, Line, Page, Polygon
from schemas.errors import InvalidRequest, StageFailed
from schemas.fields import Field, Region
from schemas.truth import TruthDocument, TruthLine, TruthPage


def box(row: int, scale: float = 1) -> Polygon:
    corners = ((5, 5 + 20 * row), (45, 5 + 20 * row), (45, 15 + 20 * row), (5, 15 + 20 * row))
    a, b, c, d = ((x * scale, y * scale) for x, y in corners)
    return a, b, c, d


def field(content: str, row: int, value: str | None = None, scale: float = 2, review: bool = False) -> Field:
    region = Region(1, box(row, scale))
    return Field("text", value or content, content, 0.75, [region], needs_review=review)


def labelled(name: str = "a.png") -> TruthDocument:
    texts = ("Shop <one>", "03 Jan 19", "TOTAL RM 9.50", "Street 1", "Town", "1")
    lines = tuple(TruthLine(text, box(row)) for row, text in enumerate(texts))
    fields = {"company": "Shop <one>", "total": "9.50", "address": "Street 1, Town", "date": "03 Jan 19"}
    return TruthDocument(name, Path(name), [TruthPage(1, 100, 200, lines)], "receipt", fields)


def evaluation() -> Evaluation:
    """The company is right, the total wrong, the address missing, a second date invented, all at twice the size."""
    truths = [labelled()]
    read = Document(
        "a.png",
        "receipt",
        0.9,
        {
            "company": field("SHOP <ONE>", 0),
            "total": field("RM 8.50", 2, "8.50", review=True),
            "date": [field("03 Jan 19", 1), field("Jan <b>", 4)],
        },
        [Page(1, 200, 400)],
    )
    return Evaluation("set", [Judge(truths, AUTO).score(truths[0], read)])


def printed(tables: list[object]) -> str:
    console = Console(width=160, file=io.StringIO(), record=True)
    for table in tables:
        console.print(table)
    return console.export_text()


def test_json_has_every_figure_and_value() -> None:
    value = json.loads(to_json(evaluation()), parse_constant=lambda name: pytest.fail(name))
    fields = value["fields"]
    assert fields["metrics"]["field_f1"] == pytest.approx(4 / 8)
    receipt = fields["types"]["receipt"]
    assert (receipt["documents"], receipt["all_right"]) == (1, {"exact": 0, "normalised": 0})
    assert receipt["fields"]["total"]["normalised"] == {
        "right": 0, "read": 1, "truth": 1, "precision": 0.0, "recall": 0.0, "f1": 0.0,
    }  # fmt: skip
    assert receipt["fields"]["company"]["exact"]["right"] == 0
    assert fields["document_types"] == {
        "accuracy": 1.0,
        "confusion": [{"expected": "receipt", "got": "receipt", "documents": 1}],
    }
    assert fields["needs_review"]["share"] == 0.25
    assert fields["calibration"]["bins"] == [{"count": 4, "confidence": 0.75, "accuracy": 0.5}]
    outcomes = {(one["name"], one["kind"]): one for one in value["per_document"][0]["fields"]["outcomes"]}
    assert outcomes["total", "wrong"]["got"] == "RM 8.50"
    assert outcomes["total", "wrong"]["value"] == "8.50"
    assert outcomes["address", "missing"]["expected"] == "Street 1, Town"
    assert outcomes["date", "extra"]["expected"] is None
    assert outcomes["company", "right"]["exact"] is False
    assert value["lines"] == "read"


def test_tables_have_a_row_for_each_field() -> None:
    text = printed([*field_tables(evaluation().fields), worst_table(evaluation(), 1)])
    assert re.search(r"receipt\W+0\.500\W+0\.500\W+0\.500\W+0\.250\W+2\W+4\W+4\W", text)
    assert re.search(r"address\W+–\W+0\.000\W+0\.000\W+0\.000\W+0\W+0\W+1\W", text)
    assert re.search(r"whole documents\W+0\.000\W+0\.000\W+0\W+1\W", text)
    assert re.search(r"Values with needs_review\W+0\.250", text)
    assert "Document type accuracy" in text
    assert "labelled, then" not in text  # nothing was confused


def test_confused_types_are_shown() -> None:
    truths = [labelled()]
    read = Document("a.png", "id_card", 0.9, {"name": field("Ann", 0)}, [Page(1, 200, 400)])
    result = Evaluation("set", [Judge(truths, AUTO).score(truths[0], read)])
    text = printed(list(field_tables(result.fields)))
    assert re.search(r"labelled, then read as\W+id_card\W+receipt", text)
    assert re.search(r"Document type accuracy\W+0\.000", text)
    assert re.search(r"Documents read as a wrong type\W+1", text)
    assert "read as id_card, labelled as receipt" in to_html(result, lambda path, numbers: {})


def test_html_draws_what_is_wrong_in_the_truths_frame() -> None:
    html = to_html(evaluation(), lambda path, numbers: {})
    shapes = re.findall(r'<polygon class="field (\w+)" points="([^"]*)"><title>([^<]*)</title>', html)
    assert [(kind, title) for kind, _, title in shapes] == [
        ("wrong", "total: expected 9.50, got RM 8.50 → 8.50"),
        ("missing", "address: expected Street 1, Town, got nothing"),
        ("missing", "address: expected Street 1, Town, got nothing"),
        ("extra", "date: expected nothing, got Jan &lt;b&gt;"),
    ]
    assert shapes[0][1] == "5.0,45.0 45.0,45.0 45.0,55.0 5.0,55.0"  # read at twice the size
    assert shapes[1][1].startswith("5.0,65.0")  # the first of the two lines where the address stands
    assert '<td><span class="name">total</span></td><td>9.50</td><td>RM 8.50 → 8.50</td><td>0.75</td>' in html
    assert "<b>receipt</b>" in html


def test_html_without_fields_has_no_section_for_them() -> None:
    truths = [labelled()]
    html = to_html(Evaluation("set", [Judge(truths, None).score(truths[0], None)]), lambda path, numbers: {})
    assert "<h2>Fields</h2>" not in html
    assert 'class="field ' not in html


def test_bars_for_fields() -> None:
    assert below(evaluation(), parse_bars(["field_f1=0.5", "type_accuracy=1"])) == []
    assert below(evaluation(), parse_bars(["field_f1_exact=0.5"])) == ["field_f1_exact is 0.2500, below 0.5"]
    [sentence] = below(evaluation(), parse_bars(["form_pair_f1=0"]))
    assert "could not be measured" in sentence
    with pytest.raises(InvalidRequest, match="calibration_error: less is better"):
        parse_bars(["calibration_error=0.1"])


def test_fields_from_true_lines() -> None:
    asked = []

    def read_fields(document: Document, doc_type: str) -> None:
        asked.append(doc_type)
        if document.file == "bad.png":
            raise StageFailed("no fields")
        assert [line.text for line in document.pages[0].lines][:2] == ["Shop <one>", "03 Jan 19"]
        document.doc_type = "receipt"
        document.fields = {"date": field(document.pages[0].lines[1].text, 1, scale=1)}

    done: list[object] = []
    result = evaluate_lines(
        read_fields, [labelled(), labelled("bad.png")], dataset="set", doc_type="truth", on_done=done.append
    )
    assert asked == ["receipt", "receipt"]
    assert len(done) == 2
    counts = result.fields.types["receipt"].fields["date"].normalised
    assert (counts.right, counts.read, counts.truth) == (1, 1, 2)
    assert [document.truth.name for document in result.failed] == ["bad.png"]
    assert result.metrics()["word_f1"] is None  # the lines were given
    assert json.loads(to_json(result))["lines"] == "true"


def test_lines_without_text_are_left_out() -> None:
    seen: list[Line] = []
    truth = TruthDocument("a", Path("a"), [TruthPage(1, 10.4, 0.2, (TruthLine("", box(0)), TruthLine("x", box(1))))])

    def read_fields(document: Document, doc_type: str) -> None:
        seen.extend(document.pages[0].lines)
        assert (document.pages[0].width, document.pages[0].height) == (10, 1)

    evaluate_lines(read_fields, [truth])
    assert [line.text for line in seen] == ["x"]
