"""The fields of an evaluation as plain values for JSON, and as tables on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import markup
from rich.table import Table
from rich.text import Text

from pipeline.evaluation.calibration import expected_calibration_error
from pipeline.evaluation.field_scores import FieldCounts, FieldScores, Review, TypeScores
from pipeline.evaluation.fields import DocumentFields, Outcome
from pipeline.evaluation.forms import KINDS, FormCounts, FormScore
from pipeline.evaluation.metrics import Counts

DIGITS = 4

LABELS = {
    "field_f1": "Field F1, normalised",
    "field_precision": "Field precision, normalised",
    "field_recall": "Field recall, normalised",
    "field_f1_exact": "Field F1, exact",
    "document_accuracy": "Whole-document accuracy, normalised",
    "document_accuracy_exact": "Whole-document accuracy, exact",
    "type_accuracy": "Document type accuracy",
    "form_entity_f1": "Form entity F1, normalised",
    "form_pair_f1": "Form pair F1, normalised",
    "calibration_error": "Expected calibration error of fields",
}


# --- plain values ---------------------------------------------------------------------------------------------------


def fields_to_dict(scores: FieldScores) -> dict[str, Any]:
    """Everything that was counted about fields. A ratio with nothing to measure on is None."""
    return {
        "metrics": {name: rounded(value) for name, value in scores.metrics().items()},
        "types": {name: _type(of_type) for name, of_type in scores.types.items()},
        "document_types": {
            "accuracy": rounded(scores.type_accuracy),
            "confusion": [
                {"expected": expected, "got": got, "documents": count}
                for (expected, got), count in sorted(scores.confusion.items())
            ],
        },
        "calibration": {
            "error": rounded(expected_calibration_error(scores.bins)),
            "bins": [
                {"count": one.count, "confidence": rounded(one.confidence), "accuracy": rounded(one.accuracy)}
                for one in scores.bins
            ],
        },
        "needs_review": {
            "share": rounded(_reviewed_share(scores)),
            "reviewed": _review(scores.reviewed),
            "unreviewed": _review(scores.unreviewed),
        },
        "invented": {
            "documents": scores.invented.documents,
            "possible": scores.invented.possible,
            "filled": scores.invented.filled,
            "confident": scores.invented.confident,
        },
        "form": None if scores.forms is None else _form(scores.forms),
    }


def document_to_dict(fields: DocumentFields, form: FormScore | None) -> dict[str, Any]:
    """One document's type and every value beside the truth."""
    return {
        "expected_type": fields.expected_type,
        "got_type": fields.got_type,
        "outcomes": [_outcome(outcome) for outcome in fields.outcomes],
        "invented": {name: [value.content for value in values] for name, values in fields.invented.items()},
        "form": None if form is None else _form(form),
    }


def rounded(value: float | None) -> float | None:
    """As it stands in the JSON."""
    return None if value is None else round(value, DIGITS)


def _type(scores: TypeScores) -> dict[str, Any]:
    return {
        "documents": scores.documents,
        "all_right": {"exact": scores.right_exact, "normalised": scores.right},
        "together": _both(scores.together),
        "fields": {name: _both(counts) for name, counts in scores.fields.items()},
    }


def _both(counts: FieldCounts) -> dict[str, Any]:
    return {"exact": _counts(counts.exact), "normalised": _counts(counts.normalised)}


def _counts(counts: Counts) -> dict[str, Any]:
    ratios = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    figures = {"right": counts.right, "read": counts.read, "truth": counts.truth}
    return figures | {name: rounded(value) for name, value in ratios.items()}


def _review(review: Review) -> dict[str, Any]:
    return {"count": review.count, "right": review.right, "precision": rounded(review.precision)}


def _form(form: FormScore) -> dict[str, Any]:
    return {"exact": _form_counts(form.exact), "normalised": _form_counts(form.normalised)}


def _form_counts(counts: FormCounts) -> dict[str, Any]:
    named = {kind: getattr(counts, kind) for kind in KINDS} | {"entities": counts.entities, "pairs": counts.pairs}
    return {name: _counts(count) for name, count in named.items()}


def _outcome(outcome: Outcome) -> dict[str, Any]:
    got = outcome.got
    return {
        "name": outcome.name,
        "kind": outcome.kind,
        "exact": outcome.exact,
        "expected": None if outcome.expected is None else outcome.expected.texts[0],
        "got": None if got is None else got.content,
        "value": None if got is None or isinstance(got.value, dict) else got.value,
        "confidence": None if got is None else rounded(got.confidence),
        "needs_review": None if got is None else got.needs_review,
    }


# --- tables ---------------------------------------------------------------------------------------------------------


def field_tables(scores: FieldScores) -> list[Table]:
    """What there is to show: fields by type, document types, forms, confidences. Empty tables are left out."""
    tables = []
    if scores.types:
        tables.append(_types_table(scores.types))
    if any(expected != got for expected, got in scores.confusion):
        tables.append(_confusion_table(scores.confusion))
    if scores.forms is not None:
        tables.append(_form_table(scores.forms))
    tables.append(_summary(scores))
    return tables


def figure(value: float | None) -> str:
    """A ratio for people: three decimals, a dash where there was nothing to measure."""
    return "–" if value is None else f"{value:.3f}"


def _types_table(types: Mapping[str, TypeScores]) -> Table:
    table = _table("Field", "Precision", "Recall", "F1", "F1, exact", "Right", "Read", "Truth")
    for name, scores in types.items():
        table.add_row(Text(name, style="bold"), *_figures(scores.together), end_section=False)
        for field, counts in scores.fields.items():
            table.add_row(Text(f"  {field}"), *_figures(counts))
        share, exact = scores.right / scores.documents, scores.right_exact / scores.documents
        table.add_row(
            Text("  whole documents"),
            "",
            "",
            figure(share),
            figure(exact),
            str(scores.right),
            "",
            str(scores.documents),
            end_section=True,
        )
    return table


def _figures(counts: FieldCounts) -> tuple[str, ...]:
    same, exact = counts.normalised, counts.exact
    ratios = (same.precision, same.recall, same.f1, exact.f1)
    return (*map(figure, ratios), str(same.right), str(same.read), str(same.truth))


def _confusion_table(confusion: Mapping[tuple[str, str], int]) -> Table:
    types = sorted({name for pair in confusion for name in pair})
    table = _table("Type: labelled, then read as", *types)
    for expected in types:
        counts = [confusion.get((expected, got), 0) for got in types]
        if any(counts):
            table.add_row(Text(expected), *(str(count) if count else "" for count in counts))
    return table


def _form_table(form: FormScore) -> Table:
    table = _table("Form", "Precision", "Recall", "F1", "F1, exact", "Right", "Read", "Truth")
    for name in (*KINDS, "entities", "pairs"):
        counts = FieldCounts(getattr(form.exact, name), getattr(form.normalised, name))
        table.add_row(Text("questions and answers" if name == "entities" else name), *_figures(counts))
    return table


def _summary(scores: FieldScores) -> Table:
    table = _table("Fields", "Value")
    for name, value in scores.metrics().items():
        if value is not None:
            table.add_row(LABELS[name], figure(value))
    if scores.reviewed.count:
        table.add_row("Values with needs_review", figure(_reviewed_share(scores)))
        table.add_row("Precision of those with needs_review", figure(scores.reviewed.precision))
        table.add_row("Precision of those without", figure(scores.unreviewed.precision))
    if scores.invented.possible:
        invented = scores.invented
        table.add_row("Documents read as a wrong type", str(invented.documents))
        table.add_row("Their fields that were filled", figure(invented.filled / invented.possible))
        table.add_row("… with a confidence over 0.5", figure(invented.confident / invented.possible))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(first, *map(markup.escape, others))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _reviewed_share(scores: FieldScores) -> float | None:
    count = scores.reviewed.count + scores.unreviewed.count
    return scores.reviewed.count / count if count else None
