from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from rich.console import Console

from pipeline.evaluation.html import to_html
from pipeline.evaluation.report import below, parse_bars, summary_table, to_json, worst_table
from pipeline.evaluation.runner import Evaluation
from pipeline.evaluation.scoring import BARS, score
from schemas.document import Document, Line, Notice, Page, Polygon
from schemas.errors import DamagedFile, InvalidRequest
from schemas.truth import TruthDocument, TruthLine, TruthPage


def box(row: int) -> Polygon:
    return ((5, 5 + 20 * row), (45, 5 + 20 * row), (45, 15 + 20 * row), (5, 15 + 20 * row))


def truth(name: str, *texts: str) -> TruthDocument:
    lines = tuple(TruthLine(text, box(row)) for row, text in enumerate(texts))
    return TruthDocument(name, Path(name), [TruthPage(1, 100, 200, lines)])


def evaluation() -> Evaluation:
    good = truth("good.png", "Total 9.50")
    bad = truth("bad [red].png", "Total & <tax>", "Thanks")
    lines = [Line("T0tal & <tax>", 0.9, box(0)), Line("<script>$xy", 0.6, box(4))]
    return Evaluation(
        "set <1>",
        [
            score(good, Document("good.png", pages=[Page(1, 100, 200, lines=[Line("Total 9.50", 0.9, box(0))])])),
            score(bad, Document("bad.png", pages=[Page(1, 100, 200, 90, lines)])),
            score(truth("broken.png", "Gone"), None, Notice("damaged_file", "the <JPEG> is cut")),
        ],
        2.0,
        {"recognition": "rec"},
    )


def pictures(path: Path, numbers: Sequence[int]) -> Mapping[int, npt.NDArray[np.uint8]]:
    if path.name == "broken.png":
        raise DamagedFile("no <pixels>")
    return {number: np.full((100, 200, 3), 255, np.uint8) for number in numbers}


class Checker(HTMLParser):
    """Checks nesting, and gathers tags, attributes and text."""

    VOID = frozenset({"meta", "input", "br", "img", "image", "polygon"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID or tag == "polygon":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_json_holds_the_metrics_the_counts_and_every_document() -> None:
    value = json.loads(to_json(evaluation()), parse_constant=lambda name: pytest.fail(name))
    assert (value["dataset"], value["documents"], value["failed"]) == ("set <1>", 3, 1)
    assert value["documents_per_second"] == 1.5
    assert value["counts"]["words"] == {"right": 3, "read": 6, "truth": 6}
    assert value["metrics"]["word_f1"] == 0.5
    assert value["metrics"]["detection_recall"] == 0.5
    assert set(value["metrics"]) == {*BARS, "cer"}
    assert [document["file"] for document in value["per_document"]] == ["good.png", "bad [red].png", "broken.png"]
    assert value["per_document"][0]["metrics"]["word_f1"] == 1
    assert value["per_document"][0]["error"] is None
    assert value["per_document"][2]["error"] == {"code": "damaged_file", "message": "the <JPEG> is cut"}
    assert value["per_document"][2]["metrics"]["cer"] is None


def test_json_of_nothing() -> None:
    value = json.loads(to_json(Evaluation("empty", [])))
    assert set(value["metrics"].values()) == {None}
    assert value["documents_per_second"] is None


def test_tables_show_figures_and_names_as_they_are() -> None:
    console = Console(width=160, file=io.StringIO(), record=True)
    console.print(summary_table(evaluation()))
    console.print(worst_table(evaluation(), 2))
    text = console.export_text()
    assert re.search(r"Word F1\W+0\.500\W+3\W+6\W+6\W", text)
    assert "3 documents, 1 failed" in text
    assert "bad [red].png" in text
    assert "broken.png" in text
    assert "good.png" not in text


@pytest.mark.parametrize("name", BARS)
def test_bars_are_parsed(name: str) -> None:
    assert parse_bars([f"{name}=0.9", "char_f1 = 1"]) == {name: 0.9, "char_f1": 1.0} | (
        {"char_f1": 1.0} if name == "char_f1" else {}
    )


@pytest.mark.parametrize(
    ("bar", "message"),
    [
        ("word_f1", "write a metric and its lower bound"),
        ("wordf1=0.9", "'wordf1' is no metric; there are detection_hmean"),
        ("cer=0.1", "lower bound of char_accuracy"),
        ("word_f1=", "a number from 0 to 1"),
        ("word_f1=90", "a number from 0 to 1"),
        ("word_f1=-0.1", "a number from 0 to 1"),
        ("word_f1=nan", "a number from 0 to 1"),
        ("word_f1=high", "a number from 0 to 1"),
        ("=0.5", "'' is no metric"),
    ],
)
def test_bars_that_make_no_sense_are_refused(bar: str, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        parse_bars([bar])


def test_bars_that_are_missed_are_named() -> None:
    assert below(evaluation(), {"word_f1": 0.5, "detection_recall": 0.4}) == []
    assert below(evaluation(), {"word_f1": 0.51}) == ["word_f1 is 0.5000, below 0.51"]
    [sentence] = below(Evaluation("empty", []), {"word_f1": 0.0})
    assert sentence.startswith("word_f1 could not be measured")


def test_html_is_well_formed_and_needs_no_network() -> None:
    html = to_html(evaluation(), pictures)
    page = Checker(html)
    for tag, attributes in page.tags:
        assert tag not in {"script", "link", "iframe", "base", "object"}
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in {"src", "href"}:
                assert value is not None
                assert value.startswith("data:image/jpeg;base64,")
    assert "url(" not in html
    assert "@import" not in html
    assert "://" not in re.sub(r"data:[^\"]*", "", html)


def test_html_shows_what_is_wrong() -> None:
    html = to_html(evaluation(), pictures)
    page = Checker(html)
    kinds = [attributes["class"] for tag, attributes in page.tags if tag == "polygon"]
    assert sorted(kind for kind in kinds if kind) == sorted(
        ["truth same", "read same", "truth differs", "read differs", "truth missed", "truth missed", "read extra"]
    )
    assert "T<del>o</del>tal &amp; &lt;tax&gt;" in html
    assert "T<ins>0</ins>tal &amp; &lt;tax&gt;" in html
    assert "<td>Thanks</td>" in html
    assert "<td>&lt;script&gt;$xy</td><td>0.60</td>" in html
    assert "no picture: no &lt;pixels&gt;" in html
    assert html.count("data:image/jpeg") == 2
    headings = re.findall(r"<h2>(\d\. .*)</h2>", html)
    assert headings == ["1. broken.png", "2. bad [red].png", "3. good.png"]


def test_html_shows_as_many_documents_as_asked_and_lists_all() -> None:
    html = to_html(evaluation(), pictures, worst=1)
    assert html.count("<article") == 1
    assert html.count("good.png") == 1


def test_html_of_many_pages_shows_the_worst_ones() -> None:
    pages = [TruthPage(n, 100, 200, (TruthLine("a", box(0)),) * (n == 7)) for n in range(1, 9)]
    many = score(TruthDocument("many.tiff", Path("many.tiff"), pages), Document("many.tiff"))
    html = to_html(Evaluation("set", [many]), pictures)
    assert "4 of 8 pages are shown" in html
    assert 'aria-label="page 7"' in html
