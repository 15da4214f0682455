from __future__ import annotations

from pathlib import Path

from pipeline.evaluation.lines import as_document
from schemas.truth import TruthDocument, TruthLine, TruthPage


def line(text: str, x: float, y: float) -> TruthLine:
    return TruthLine(text, ((x, y), (x + 80, y), (x + 80, y + 20), (x, y + 20)))


LINES = [line("SHOP", 10, 10), line("TOTAL", 10, 50), line("9.00", 200, 50), line("THANKS", 10, 90), line("", 10, 130)]


def test_true_lines_are_in_reading_order_however_they_were_labelled() -> None:
    for shift in range(len(LINES)):
        shuffled = (*LINES[shift:], *LINES[:shift])
        page = TruthPage(1, 400, 200, shuffled[::-1] if shift % 2 else shuffled)
        [read] = as_document(TruthDocument("a.jpg", Path("a.jpg"), [page])).pages
        assert [one.text for one in read.lines] == ["SHOP", "TOTAL", "9.00", "THANKS"]


def test_a_page_without_text_has_no_lines() -> None:
    document = as_document(TruthDocument("a.jpg", Path("a.jpg"), [TruthPage(1, 400, 200, ())]))
    assert document.pages[0].lines == []
