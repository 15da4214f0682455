"""The scores of one document and of a whole dataset."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.evaluation.matching import PageComparison, compare
from pipeline.evaluation.metrics import Counts, Edits, characters, line_edits, multiset, words
from schemas.document import Document, Notice
from schemas.truth import TruthDocument

BARS = (
    "detection_hmean",
    "detection_precision",
    "detection_recall",
    "word_f1",
    "word_precision",
    "word_recall",
    "char_f1",
    "char_accuracy",
)
"""Metrics of which more is better, so that a lower bound makes sense."""


@dataclass(slots=True, frozen=True)
class Scores:
    """What is counted for one document, or, added up, for many."""

    lines: Counts = Counts()
    words: Counts = Counts()
    characters: Counts = Counts()
    edits: Edits = Edits()

    def __add__(self, other: Scores) -> Scores:
        return Scores(
            self.lines + other.lines,
            self.words + other.words,
            self.characters + other.characters,
            self.edits + other.edits,
        )

    def metrics(self) -> dict[str, float | None]:
        """The metrics by name, each 0 to 1 (``cer``: 0 and up). None: there was nothing to measure it on.

        ``cer`` and ``char_accuracy`` (1 - ``cer``, not below 0) regard matched lines only.
        """
        cer = self.edits.rate
        return {
            "detection_hmean": self.lines.f1,
            "detection_precision": self.lines.precision,
            "detection_recall": self.lines.recall,
            "word_f1": self.words.f1,
            "word_precision": self.words.precision,
            "word_recall": self.words.recall,
            "char_f1": self.characters.f1,
            "cer": cer,
            "char_accuracy": None if cer is None else max(0.0, 1 - cer),
        }


@dataclass(slots=True)
class DocumentScore:
    """One document's scores, with the matched lines they come from.

    ``angles`` tells how far each page was turned; ``error`` why the document could not be read (it then counts as
    nothing read).
    """

    truth: TruthDocument
    scores: Scores
    pages: list[PageComparison]
    angles: dict[int, int] = field(default_factory=dict)
    error: Notice | None = None

    @property
    def ranking(self) -> float:
        """What documents are ranked by, 0 (worst) to 1: word F1 where the truth is mostly words, else character F1."""
        in_words = sum(len(word) for page in self.truth.pages for line in page.lines for word in words(line.text))
        f1 = self.scores.words.f1 if 2 * in_words > self.scores.characters.truth else self.scores.characters.f1
        return 1.0 if f1 is None and self.error is None else f1 or 0.0


def score(truth: TruthDocument, read: Document | None, error: Notice | None = None) -> DocumentScore:
    """Compare a document with its truth, labelled pages only.

    Args:
        truth: the labels.
        read: what was read; None where the document failed, which counts as nothing read.
        error: why it failed.
    """
    pages_read = {page.page: page for page in read.pages} if read is not None else {}
    total = Scores()
    comparisons: list[PageComparison] = []
    expected_words: list[str] = []
    found_words: list[str] = []
    expected_characters: list[str] = []
    found_characters: list[str] = []
    for page in truth.pages:
        found = pages_read.get(page.page)
        comparison = compare(page, found)
        comparisons.append(comparison)
        right = len(comparison.pairs)
        total += Scores(
            lines=Counts(right, right + len(comparison.extra), right + len(comparison.missed)),
            edits=sum((line_edits(t.text, r.text) for t, r in comparison.pairs), Edits()),
        )
        for line in page.lines:
            expected_words += words(line.text)
            expected_characters += characters(line.text)
        for read_line in found.lines if found is not None else ():
            found_words += words(read_line.text)
            found_characters += characters(read_line.text)
    total += Scores(
        words=multiset(expected_words, found_words), characters=multiset(expected_characters, found_characters)
    )
    angles = {number: page.angle for number, page in pages_read.items()}
    return DocumentScore(truth, total, comparisons, angles, error)


def total(scores: Iterable[DocumentScore]) -> Scores:
    """The micro-average's counts: those of all documents added up."""
    return sum((score.scores for score in scores), Scores())
