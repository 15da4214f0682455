"""An evaluation as JSON and as a table on the terminal, and the bars it must reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson
from rich.table import Table
from rich.text import Text

from pipeline.evaluation import field_report
from pipeline.evaluation.field_report import figure as figure
from pipeline.evaluation.field_report import rounded
from pipeline.evaluation.field_scores import FIELD_BARS
from pipeline.evaluation.runner import Evaluation
from pipeline.evaluation.scoring import BARS, DocumentScore, Scores
from schemas.errors import InvalidRequest

LABELS = {
    "detection_hmean": "Detection Hmean (IoU 0.5)",
    "detection_precision": "Detection precision",
    "detection_recall": "Detection recall",
    "word_f1": "Word F1",
    "word_precision": "Word precision",
    "word_recall": "Word recall",
    "char_f1": "Character F1",
    "cer": "Character error rate of matched lines",
    "char_accuracy": "Character accuracy of matched lines",
    **field_report.LABELS,
}

_LESS_IS_BETTER = {
    "cer": "less is better; give the lower bound of char_accuracy, which is 1 - cer",
    "calibration_error": "less is better, so that a lower bound makes no sense",
}


def to_dict(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as plain values: metrics, the counts behind them, and the same for every document.

    A metric that nothing could be measured on is None.
    """
    seconds = evaluation.seconds
    count = len(evaluation.documents)
    return {
        "dataset": evaluation.dataset,
        "documents": count,
        "failed": len(evaluation.failed),
        "seconds": round(seconds, 3),
        "documents_per_second": round(count / seconds, 3) if seconds > 0 else None,
        "models": evaluation.models,
        "lines": "read" if evaluation.text else "true",
        "metrics": _metrics(evaluation.scores),
        "counts": _counts(evaluation.scores),
        "fields": field_report.fields_to_dict(evaluation.fields) if evaluation.has_fields else None,
        "per_document": [_document(document) for document in evaluation.documents],
    }


def to_json(evaluation: Evaluation) -> bytes:
    """The evaluation as indented UTF-8 JSON."""
    return orjson.dumps(to_dict(evaluation), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def summary_table(evaluation: Evaluation) -> Table:
    """One row a metric."""
    table = Table("Metric", "Value", "Right", "Read", "Truth", title=Text(evaluation.dataset) or None)
    for column in table.columns[1:]:
        column.justify = "right"
    scores = evaluation.scores
    counts = {"detection_hmean": scores.lines, "word_f1": scores.words, "char_f1": scores.characters}
    for name, value in scores.metrics().items():
        count = counts.get(name)
        figures = (str(count.right), str(count.read), str(count.truth)) if count is not None else ("", "", "")
        table.add_row(LABELS[name], figure(value), *figures)
    failed = len(evaluation.failed)
    table.caption = f"{len(evaluation.documents)} documents, {failed} failed, {evaluation.seconds:.1f} s"
    return table


def worst_table(evaluation: Evaluation, count: int) -> Table:
    """The documents with the lowest scores, and why they failed where they did."""
    fields = ("Fields' F1",) if evaluation.has_fields else ()
    text = ("Word F1", "Char F1", "Hmean") if evaluation.text else ()
    table = Table("Worst documents", *fields, *text, "Error")
    for column in table.columns[1:-1]:
        column.justify = "right"
    for document in evaluation.worst_first[:count]:
        values = document.scores.metrics()
        table.add_row(
            Text(document.truth.name),  # as Text, which a name with brackets does not upset
            *(figure(document.field_f1) for _ in fields),
            *(figure(values[name]) for name in ("word_f1", "char_f1", "detection_hmean")[: len(text)]),
            Text(document.error.message if document.error is not None else ""),
        )
    return table


def parse_bars(bars: list[str]) -> dict[str, float]:
    """Parse lower bounds such as ``word_f1=0.9``.

    Raises:
        InvalidRequest: no such metric, one of which less is better, or no number from 0 to 1.
    """
    parsed: dict[str, float] = {}
    for bar in bars:
        name, equals, text = bar.partition("=")
        name = name.strip()
        if not equals:
            raise InvalidRequest(f"{bar!r}: write a metric and its lower bound, such as word_f1=0.9")
        if name in _LESS_IS_BETTER:
            raise InvalidRequest(f"{name}: {_LESS_IS_BETTER[name]}")
        if name not in {*BARS, *FIELD_BARS}:
            raise InvalidRequest(f"{name!r} is no metric; there are {', '.join((*BARS, *FIELD_BARS))}")
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise InvalidRequest(f"{bar!r}: the lower bound must be a number from 0 to 1")
        parsed[name] = value
    return parsed


def below(evaluation: Evaluation, bars: Mapping[str, float]) -> list[str]:
    """A sentence for each bar that is not reached. A metric that could not be measured reaches none."""
    metrics = evaluation.metrics()
    sentences = []
    for name, bar in bars.items():
        value = metrics[name]
        if value is None:
            sentences.append(f"{name} could not be measured: neither the truth nor what was read holds anything for it")
        elif value < bar:
            sentences.append(f"{name} is {value:.4f}, below {bar:g}")
    return sentences


def _document(document: DocumentScore) -> dict[str, Any]:
    return {
        "file": document.truth.name,
        "doc_type": document.truth.doc_type,
        "error": None if document.error is None else {"code": document.error.code, "message": document.error.message},
        "metrics": _metrics(document.scores),
        "counts": _counts(document.scores),
        "fields": None if document.fields is None else field_report.document_to_dict(document.fields, document.form),
    }


def _metrics(scores: Scores) -> dict[str, float | None]:
    return {name: rounded(value) for name, value in scores.metrics().items()}


def _counts(scores: Scores) -> dict[str, Any]:
    return asdict(scores)
