from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.metrics import Counts, Edits, characters, line_edits, multiset, words
from pipeline.evaluation.scoring import DocumentScore, score, total
from schemas.document import Document, Line, Notice, Page, Polygon
from schemas.truth import TruthDocument, TruthLine, TruthPage


def box(left: float, top: float, width: float = 40, height: float = 10) -> Polygon:
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def truth(*texts: str, page: int = 1) -> TruthDocument:
    lines = tuple(TruthLine(text, box(0, 20 * row)) for row, text in enumerate(texts))
    return TruthDocument("a.png", Path("a.png"), [TruthPage(page, 100, 500, lines)])


def read(*texts: str, page: int = 1) -> Document:
    lines = [Line(text, 0.9, box(0, 20 * row)) for row, text in enumerate(texts)]
    return Document("a.png", pages=[Page(page, 100, 500, lines=lines)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TOTAL: 12.50 EUR", ["total", "12", "50", "eur"]),
        ("a I 7 x", []),
        ("发票 No.42号", ["no", "42"]),
        ("café", ["caf"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_characters_are_all_but_white_space() -> None:
    assert characters("发 票\u3000N\to.\u00a01") == ["发", "票", "N", "o", ".", "1"]


def test_a_multiset_counts_repetitions() -> None:
    assert multiset(["a", "a", "b"], ["a", "b", "b", "c"]) == Counts(right=2, read=4, truth=3)


def test_f1_is_the_harmonic_mean() -> None:
    counts = Counts(right=3, read=4, truth=6)
    assert counts.precision == 0.75
    assert counts.recall == 0.5
    assert counts.f1 == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("counts", "f1", "precision", "recall"),
    [
        (Counts(0, 0, 0), None, None, None),
        (Counts(0, 3, 0), 0, 0, None),
        (Counts(0, 0, 3), 0, None, 0),
    ],
)
def test_metrics_without_anything_to_measure(
    counts: Counts, f1: float | None, precision: float | None, recall: float | None
) -> None:
    assert (counts.f1, counts.precision, counts.recall) == (f1, precision, recall)


@pytest.mark.parametrize(
    ("truth_text", "read_text", "edits"),
    [
        ("TOTAL", "TOTAL", Edits(0, 5)),
        ("TOTAL", "T0TAL", Edits(1, 5)),
        ("a b", "a   b ", Edits(0, 3)),
        ("a b", "ab", Edits(1, 3)),
        ("", "abc", Edits(3, 0)),
        ("abc", "", Edits(3, 3)),
    ],
)
def test_line_edits(truth_text: str, read_text: str, edits: Edits) -> None:
    assert line_edits(truth_text, read_text) == edits


def test_a_document_read_rightly_scores_one() -> None:
    metrics = score(truth("Total 9.50", "发票"), read("Total 9.50", "发票")).scores.metrics()
    assert metrics.pop("cer") == 0
    assert set(metrics.values()) == {1.0}


def test_each_metric_sees_its_own_fault() -> None:
    scores = score(truth("Total", "9.50", "Thanks"), read("Tota1", "9.50")).scores
    assert scores.lines == Counts(2, 2, 3)
    assert scores.words == Counts(1, 2, 3)  # 50; the 9 is too short for a word
    assert scores.characters == Counts(8, 9, 15)
    assert scores.edits == Edits(1, 9)


def test_words_and_characters_do_not_depend_on_where_lines_are_split() -> None:
    whole, split = truth("Total due 9.50"), read("Total", "due 9.50")
    scores = score(whole, split).scores
    assert scores.words.f1 == scores.characters.f1 == 1
    assert scores.lines.f1 is not None
    assert scores.lines.f1 < 1


def test_a_failed_document_counts_as_nothing_read() -> None:
    result = score(truth("Total 9.50"), None, Notice("damaged_file", "cut"))
    assert result.scores.words == Counts(0, 0, 2)
    assert result.scores.lines == Counts(0, 0, 1)
    assert result.scores.metrics()["cer"] is None
    assert result.ranking == 0


def test_a_blank_page_that_stays_blank_is_right() -> None:
    result = score(truth(), read())
    assert set(result.scores.metrics().values()) == {None}
    assert result.ranking == 1
    assert score(truth(), read("junk")).ranking == 0


def test_only_labelled_pages_are_judged() -> None:
    document = read("other text", page=1)
    document.pages += read("Total 9.50", page=2).pages
    assert score(truth("Total 9.50", page=2), document).scores.words == Counts(2, 2, 2)
    assert score(truth("Total 9.50", page=3), document).scores.words == Counts(0, 0, 2)


def test_averages_are_micro_averages() -> None:
    long, short = score(truth(*["word"] * 9), read(*["word"] * 9)), score(truth("word"), read())
    assert total([long, short]).words == Counts(9, 9, 10)


@pytest.mark.parametrize(
    ("truth_text", "read_text", "right"),
    [
        ("ITEM TOTAL", "Item total", True),
        ("Item TOTAL", "item total", False),
        ("发票", "发票", True),
        ("123", "123", True),
    ],
)
def test_case_counts_only_where_the_labels_have_it(truth_text: str, read_text: str, right: bool) -> None:
    result = score(truth(truth_text), read(read_text))
    assert (result.scores.edits.edits == 0) == right
    assert (result.scores.characters.f1 == 1) == right
    assert result.same(truth_text, read_text) == right


def test_documents_are_ranked_by_what_they_hold() -> None:
    def ranked(truth_text: str, read_text: str) -> DocumentScore:
        return score(truth(truth_text), read(read_text))

    assert ranked("total amount", "totalamount").ranking == 0  # spaces lost: no word is right
    assert ranked("发票号码 A7", "发票号码 A1").ranking == pytest.approx(5 / 6)  # few words: by characters


TEXTS = st.lists(st.text("aB1 中.", max_size=6), max_size=5)


@given(TEXTS, TEXTS)
def test_agrees_with_the_definition_written_out(expected: list[str], found: list[str]) -> None:
    def bag(texts: list[str]) -> Counter[str]:
        return Counter(w for t in texts for w in re.findall("[A-Za-z0-9]+", t.lower()) if len(w) >= 2)

    both = bag(expected) & bag(found)
    counts = score(truth(*expected), read(*found)).scores.words
    assert counts == Counts(sum(both.values()), sum(bag(found).values()), sum(bag(expected).values()))
    assert counts.f1 is None or 0 <= counts.f1 <= 1
