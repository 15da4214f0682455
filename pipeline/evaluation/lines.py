"""How well fields are read from lines that are right: without detection and recognition, and their mistakes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from pipeline.evaluation.judge import AUTO, Judge
from pipeline.evaluation.runner import Evaluation
from pipeline.evaluation.scoring import DocumentScore, Scores
from schemas.document import Document, Line, Notice, Page
from schemas.errors import DocumentError
from schemas.truth import TruthDocument
from stages.assembly.reading_order import reading_order

ReadFields = Callable[[Document, str], None]
"""Sets ``doc_type`` and ``fields`` of a document whose pages have their lines; the string is a type or ``auto``."""


def evaluate_lines(
    read_fields: ReadFields,
    truths: Sequence[TruthDocument],
    *,
    dataset: str = "",
    doc_type: str = AUTO,
    on_done: Callable[[DocumentScore], None] | None = None,
) -> Evaluation:
    """Read and score the fields of documents from their labelled lines.

    Args:
        read_fields: what reads fields; called for one document after the other.
        truths: the labelled documents.
        dataset: a name for the reports.
        doc_type: as :class:`pipeline.evaluation.judge.Judge` takes it, but not ``none``.
        on_done: called after each document, for progress.
    """
    started = time.perf_counter()
    judge = Judge(truths, doc_type)
    documents = []
    for truth in truths:
        document = as_document(truth)
        try:
            read_fields(document, judge.asked(truth) or AUTO)
            score = judge.score(truth, document)
        except DocumentError as error:
            score = judge.score(truth, None, Notice(error.code, error.message))
        score.scores = Scores()  # that lines which were given agree with themselves says nothing
        documents.append(score)
        if on_done is not None:
            on_done(score)
    return Evaluation(dataset, documents, time.perf_counter() - started, text=False)


def as_document(truth: TruthDocument) -> Document:
    """The labelled pages as if they had been read without a mistake: lines in reading order, none without text."""
    pages = []
    for page in truth.pages:
        size = max(1, round(page.width)), max(1, round(page.height))
        lines = [Line(line.text, 1.0, line.polygon) for line in page.lines if line.text]
        order = reading_order(np.array([line.polygon for line in lines], np.float32).reshape(-1, 4, 2), size)
        pages.append(Page(page.page, *size, lines=[lines[number] for number in order]))
    return Document(truth.name, pages=pages)
