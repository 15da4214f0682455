from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.evaluation.calibration import expected_calibration_error, reliability
from pipeline.evaluation.field_scores import FieldScores
from pipeline.evaluation.fields import align
from pipeline.evaluation.judge import AUTO, BY_TRUTH, Judge
from pipeline.evaluation.scoring import total_fields
from pipeline.evaluation.values import equal, equal_normalised, normalise
from schemas.document import Document, Page
from schemas.fields import Field
from schemas.truth import TruthDocument, TruthPage

Read = dict[str, Field | list[Field]]


def value(content: str, typed: str | int | None = None, confidence: float = 0.9, review: bool = False) -> Field:
    return Field("text", content if typed is None else typed, content, confidence, needs_review=review)


def row(**parts: str) -> Field:
    return Field("object", {name: value(text) for name, text in parts.items()}, " ".join(parts.values()), 0.9)


def truth(
    number: int = 0, doc_type: str | None = "receipt", unknown: frozenset[str] = frozenset(), **fields: Any
) -> TruthDocument:
    pages = [TruthPage(1, 100, 100, ())]
    return TruthDocument(f"{number}.png", Path(f"{number}.png"), pages, doc_type, fields, unknown)


def scores(
    *pairs: tuple[TruthDocument, Read | None], doc_type: str = AUTO, read_as: str | None = "receipt"
) -> FieldScores:
    judge = Judge([labels for labels, _ in pairs], doc_type)
    return total_fields(
        judge.score(
            labels,
            None if fields is None else Document(labels.name, read_as, 0.9, fields, [Page(1, 100, 100)]),
        )
        for labels, fields in pairs
    )


def figures(result: FieldScores, name: str, doc_type: str = "receipt") -> tuple[int, int, int]:
    counts = result.types[doc_type].fields[name].normalised
    return counts.right, counts.read, counts.truth


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ａｂc  d.", "ABCD"), ("12/01/19", "120119"), ("（中）国", "中国"), ("ß", "SS")],
)
def test_normalised_texts_agree(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)
    assert equal_normalised([one], [other])
    assert not equal([one], [other])


def test_nothing_equals_nothing_only_if_it_is_the_same() -> None:
    assert not equal([""], [""])
    assert not equal_normalised(["--"], ["."])
    assert equal_normalised(["--"], ["x", "--"])


def test_content_or_typed_value_may_agree() -> None:
    one = truth(0, total="RM 9.50", date={"content": "3 Jan 19", "value": "2019-01-03"})
    two = truth(1, total="9.50", date="03/01/2019")
    result = scores(
        (one, {"total": value("RM9.50", "9.50"), "date": value("03/01/19", "2019-01-03")}),
        (two, {"total": value("Total RM 9.50", "9.50"), "date": value("3/1/2019", "2019-01-03")}),
    )
    assert figures(result, "total") == (2, 2, 2)
    assert figures(result, "date") == (1, 2, 2)
    assert result.types["receipt"].fields["total"].exact.right == 1
    assert (result.types["receipt"].right, result.types["receipt"].right_exact) == (1, 0)


def test_wrong_missing_and_invented_values() -> None:
    result = scores(
        (truth(0, total="1", date="2", company="3"), {"total": value("1"), "date": value("9")}),
        (truth(1, total="1"), {"total": value("1"), "company": value("x"), "tax": value("0.06")}),
        (truth(2, total="1"), None),
    )
    assert figures(result, "total") == (2, 2, 3)
    assert figures(result, "date") == (0, 1, 1)
    assert figures(result, "company") == (0, 1, 1)
    assert "tax" not in result.types["receipt"].fields  # no label speaks of it
    metrics = result.metrics()
    assert (metrics["field_precision"], metrics["field_recall"]) == (2 / 4, 2 / 5)
    assert metrics["document_accuracy"] == 0


def test_unknown_and_empty_truth_is_not_judged_but_none_is() -> None:
    result = scores(
        (truth(0, total="", date="2"), {"total": value("1"), "date": value("2")}),
        (truth(1, total="5", date="2", unknown=frozenset({"total"})), {"total": value("7"), "date": value("2")}),
        (truth(2, total=None, date=[]), {"total": value("1")}),
    )
    assert figures(result, "total") == (0, 1, 0)
    assert figures(result, "date") == (2, 2, 2)


def test_repeated_values_are_matched_whatever_their_order() -> None:
    result = scores(
        (truth(0, tag=["a", "b", "b"]), {"tag": [value("B"), value("a"), value("c"), value("d")]}),
    )
    assert figures(result, "tag") == (2, 4, 3)


def test_rows_keep_their_order_and_meet_despite_one_missed() -> None:
    rows = [{"name": "Tea", "amount": "1"}, {"name": "Bun", "amount": "2"}, {"name": "Pie", "amount": "3"}]
    read = [row(name="Bun", amount="2"), row(name="Pie", amount="9")]
    result = scores((truth(0, "vat_invoice", items=rows), {"items": read}), read_as="vat_invoice")
    assert figures(result, "items.name", "vat_invoice") == (2, 2, 3)
    assert figures(result, "items.amount", "vat_invoice") == (1, 2, 3)
    assert not result.types["vat_invoice"].right


def test_a_missing_group_is_missing_in_every_part() -> None:
    result = scores((truth(0, items=[{"name": "Tea", "amount": "1"}]), {}))
    assert figures(result, "items.name") == figures(result, "items.amount") == (0, 0, 1)


def test_alignment_prefers_agreement_then_pairs() -> None:
    same = lambda a, b: int(a == b)  # noqa: E731
    assert align("abc", "bc", same) == [("a", None), ("b", "b"), ("c", "c")]
    assert align("ab", "xy", same) == [("a", "x"), ("b", "y")]
    assert align("", "x", same) == [(None, "x")]
    assert align("ab", "b", same) == [("a", None), ("b", "b")]


def test_document_types_and_invented_fields() -> None:
    filled: Read = {"total": value("1", confidence=0.9), "date": value("2", confidence=0.4)}
    result = scores((truth(0, total="1"), filled), (truth(1, "other"), filled), (truth(2, None), filled))
    assert result.confusion == {("receipt", "receipt"): 1, ("other", "receipt"): 1}
    assert result.type_accuracy == 0.5
    assert (result.invented.documents, result.invented.filled, result.invented.confident) == (1, 2, 1)
    assert result.invented.possible >= 7


def test_given_types_are_not_counted_as_recognised() -> None:
    labels = truth(0, total="1")
    assert Judge([labels], BY_TRUTH).asked(labels) == "receipt"
    assert Judge([labels], "id_card").asked(labels) == "id_card"
    assert Judge([truth(0, "other")], BY_TRUTH).asked(truth(0, "other")) == AUTO
    assert scores((labels, {}), doc_type=BY_TRUTH).type_accuracy is None
    assert scores((labels, None)).type_accuracy is None


def test_confidences_and_reviews() -> None:
    result = scores(
        (truth(0, a="1", b="2"), {"a": value("1", confidence=0.95), "b": value("9", confidence=0.95, review=True)}),
        (truth(1, a="1", b="2"), {"a": value("1", confidence=0.95), "b": value("2", confidence=0.55, review=True)}),
    )
    assert result.metrics()["calibration_error"] == pytest.approx((3 * abs(0.95 - 2 / 3) + 0.45) / 4)
    assert (result.reviewed.precision, result.unreviewed.precision) == (0.5, 1.0)


def test_calibration_bins() -> None:
    bins = reliability([(1.0, True), (0.99, True), (0.0, False), (0.05, True)])
    assert [(one.count, one.right) for one in bins] == [(2, 1), (2, 2)]
    assert expected_calibration_error([]) is None
    assert expected_calibration_error(reliability([(0.8, True)] * 4 + [(0.8, False)])) == pytest.approx(0)


def test_nothing_to_measure_is_none() -> None:
    assert set(scores().metrics().values()) == {None}
