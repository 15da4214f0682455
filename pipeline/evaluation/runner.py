"""Read every document of a dataset, with a bounded number in flight, and score it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import cached_property
from queue import SimpleQueue

from pipeline.evaluation.field_scores import FieldScores
from pipeline.evaluation.judge import Judge
from pipeline.evaluation.scoring import DocumentScore, Scores, total, total_fields
from schemas.document import Document, Notice
from schemas.errors import DocumentError, InklaneError
from schemas.requests import Reader, ReadOptions, ReadRequest
from schemas.truth import TruthDocument


@dataclass
class Evaluation:
    """The result of an evaluation: every document's score in the dataset's order, and ``seconds`` of wall time.

    ``text`` is False where the lines were given rather than read: there is then nothing to say about them.
    """

    dataset: str
    documents: list[DocumentScore]
    seconds: float = 0.0
    models: dict[str, str] = field(default_factory=dict)
    text: bool = True

    @property
    def scores(self) -> Scores:
        """The counts of all documents."""
        return total(self.documents)

    @cached_property
    def fields(self) -> FieldScores:
        """The fields of all documents."""
        return total_fields(self.documents)

    @property
    def has_fields(self) -> bool:
        """Whether fields were compared."""
        return any(document.fields is not None for document in self.documents)

    def metrics(self) -> dict[str, float | None]:
        """All metrics, of text and of fields, by name. None: there was nothing to measure it on."""
        return self.scores.metrics() | self.fields.metrics()

    @property
    def failed(self) -> list[DocumentScore]:
        """The documents that could not be read."""
        return [document for document in self.documents if document.error is not None]

    @property
    def worst_first(self) -> list[DocumentScore]:
        """Failed documents, then the others from the lowest score up: their fields', and where equal their text's."""

        def key(document: DocumentScore) -> tuple[bool, float, float]:
            f1 = document.field_f1
            return document.error is None, 1.0 if f1 is None else f1, document.ranking

        return sorted(self.documents, key=key)


def evaluate(
    reader: Reader,
    truths: Sequence[TruthDocument],
    *,
    dataset: str = "",
    doc_type: str | None = None,
    in_flight: int = 16,
    on_done: Callable[[DocumentScore], None] | None = None,
) -> Evaluation:
    """Read and score documents.

    A document that cannot be read counts as nothing read and the rest go on. A fault of the installation ends the
    evaluation, and what is in flight is cancelled.

    Args:
        reader: what reads; it stays open.
        truths: the labelled documents; only their labelled pages are read.
        dataset: a name for the reports.
        doc_type: the type to read documents as: a name, or as :mod:`pipeline.evaluation.judge` has it. None leaves
            it to the settings, and no fields are compared.
        in_flight: how many documents are handed to the reader at once, at most.
        on_done: called in this thread after each document, for progress.

    Raises:
        InklaneError: nothing can be read until it is put right (a model is missing, say).
    """
    if in_flight < 1:
        raise ValueError(f"in_flight must be at least 1, not {in_flight}")
    started = time.perf_counter()
    judge = Judge(truths, doc_type)
    scores: dict[int, DocumentScore] = {}
    models: dict[str, str] = {}
    running: dict[Future[Document], int] = {}
    done: SimpleQueue[Future[Document]] = SimpleQueue()  # concurrent.futures.wait would not see a bare cancel()

    def collect() -> None:
        future = done.get()
        position = running.pop(future)
        scores[position] = _outcome(truths[position], future, judge, models)
        if on_done is not None:
            on_done(scores[position])

    try:
        for position, truth in enumerate(truths):
            while len(running) >= in_flight:
                collect()
            try:
                future = reader.submit(_request(truth, judge.asked(truth)))
            except DocumentError as error:
                future = Future()
                future.set_exception(error)
            running[future] = position
            future.add_done_callback(done.put)
        while running:
            collect()
    finally:
        for future in running:
            future.cancel()
    documents = [scores[position] for position in range(len(truths))]
    return Evaluation(dataset, documents, time.perf_counter() - started, models)


def _request(truth: TruthDocument, doc_type: str | None) -> ReadRequest:
    options = ReadOptions(pages=tuple(page.page for page in truth.pages), doc_type=doc_type)
    return ReadRequest(truth.path, truth.name, options)


def _outcome(truth: TruthDocument, future: Future[Document], judge: Judge, models: dict[str, str]) -> DocumentScore:
    try:
        document = future.result()
    except DocumentError as error:
        return judge.score(truth, None, Notice(error.code, error.message))
    except CancelledError:
        return judge.score(truth, None, Notice("cancelled", "reading was cancelled"))
    except InklaneError:  # the installation's fault, which the next document would not escape either
        raise
    except Exception as error:  # a defect of ours, which must not cost the other documents' scores
        return judge.score(truth, None, Notice(InklaneError.code, f"unexpected {type(error).__name__}: {error}"))
    models.update(document.models)
    return judge.score(truth, document)
