from __future__ import annotations

from pathlib import Path

from pipeline.evaluation.forms import labelled_form, read_form, score_form
from schemas.document import Document, Polygon
from schemas.fields import Field, Region
from schemas.truth import TruthDocument, TruthLine, TruthPage


def box(row: int) -> Polygon:
    return ((5, 5 + 20 * row), (45, 5 + 20 * row), (45, 15 + 20 * row), (5, 15 + 20 * row))


def line(number: int, label: str, text: str, *links: tuple[int, int], entity: int | None = None) -> TruthLine:
    return TruthLine(text, box(number), label, number if entity is None else entity, links)


def form() -> TruthDocument:
    lines = (
        line(0, "header", "FORM 7"),
        line(1, "question", "Name:", (1, 2)),
        line(2, "answer", "Ann", (1, 2), (1, 2)),
        line(3, "answer", "Lee", entity=2),
        line(4, "question", "Sex", (5, 4), (4, 6)),
        line(5, "answer", "F"),
        line(6, "answer", "female"),
        line(7, "question", ":"),
        line(8, "other", "page 1"),
        line(9, "question", "", (9, 5)),
    )
    return TruthDocument("a.png", Path("a.png"), [TruthPage(1, 100, 300, lines)], "form")


def part(text: str, row: int) -> Field:
    return Field("text", text, text, 0.9, [Region(1, box(row))])


def pair(question: Field | None, answer: Field | None) -> Field:
    parts = {name: found for name, found in (("question", question), ("answer", answer)) if found is not None}
    return Field("pair", parts, " ".join(found.content for found in parts.values()), 0.9)


def test_labels_make_entities_and_pairs() -> None:
    labelled = labelled_form(form())
    assert labelled.entities["header"] == ["FORM 7"]
    assert labelled.entities["question"] == ["Name:", "Sex", ":", ""]
    assert labelled.entities["answer"] == ["Ann Lee", "F", "female"]
    assert sorted(labelled.pairs) == [("", "F"), ("Name:", "Ann Lee"), ("Sex", "F"), ("Sex", "female")]


def test_a_question_of_two_pairs_is_one_entity() -> None:
    sex = part("Sex", 4)
    pairs = [pair(sex, part("F", 5)), pair(sex, part("male", 6)), pair(part("Name", 1), None)]
    read = read_form(Document("a.png", "form", fields={"pairs": pairs}))
    assert read.entities["question"] == ["Sex", "Name"]
    assert read.entities["answer"] == ["F", "male"]
    assert read.pairs == [("Sex", "F"), ("Sex", "male")]


def test_counts_exact_and_normalised() -> None:
    sex = part("SEX", 4)
    pairs = [pair(sex, part("F", 5)), pair(sex, part("male", 6)), pair(part("name :", 1), part("Ann Lee", 2))]
    score = score_form(form(), Document("a.png", "form", fields={"header": [part("Form 7", 0)], "pairs": pairs}))
    assert score is not None
    same, exact = score.normalised, score.exact
    assert (same.question.right, same.question.read, same.question.truth) == (2, 2, 2)
    assert (exact.question.right, exact.question.read, exact.question.truth) == (0, 2, 2)
    assert (same.answer.right, same.answer.read, same.answer.truth) == (2, 3, 3)
    assert (same.header.right, exact.header.right) == (1, 0)
    assert (same.pairs.right, same.pairs.read, same.pairs.truth) == (2, 3, 3)
    assert (same.entities.right, same.entities.read, same.entities.truth) == (4, 5, 5)
    assert exact.pairs.right == 0


def test_nothing_read_and_no_form() -> None:
    score = score_form(form(), None)
    assert score is not None
    assert (score.normalised.entities.f1, score.normalised.pairs.truth) == (0, 3)
    assert score_form(TruthDocument("a", Path("a"), [], "receipt"), None) is None


def test_real_forms_have_pairs(shared_data: Path) -> None:
    from schemas.truth import load_truth

    for name in ("funsd_dev", "xfund_zh_dev"):
        forms = [labelled_form(truth) for truth in load_truth(shared_data / name)]
        assert all(one.pairs for one in forms)
