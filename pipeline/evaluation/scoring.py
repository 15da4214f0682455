"""The scores of one document and of a whole dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pipeline.evaluation.field_scores import FieldScores, add_up
from pipeline.evaluation.fields import DocumentFields, compare_fields
from pipeline.evaluation.forms import FormScore, score_form
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
    nothing read). ``case_matters`` is False where the labels are in capitals only, as SROIE's are whatever the
    receipt shows: characters and edits are then compared without regard to case. ``fields`` and ``form`` compare the
    document's fields and a form's questions and answers. ``sizes`` are the pages' widths and heights as read, by
    number: the frames of the fields' polygons.
    """

    truth: TruthDocument
    scores: Scores
    pages: list[PageComparison]
    angles: dict[int, int] = field(default_factory=dict)
    error: Notice | None = None
    case_matters: bool = True
    fields: DocumentFields | None = None
    form: FormScore | None = None
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)

    def same(self, truth: str, read: str) -> bool:
        """Whether two lines of this document agree."""
        return line_edits(self.as_compared(truth), self.as_compared(read)).edits == 0

    def as_compared(self, text: str) -> str:
        """The text in capitals where case does not matter."""
        return text if self.case_matters else text.upper()

    @property
    def ranking(self) -> float:
        """How well the text was read, 0 (worst) to 1: word F1 where the truth is mostly words, else character F1."""
        in_words = sum(len(word) for page in self.truth.pages for line in page.lines for word in words(line.text))
        f1 = self.scores.words.f1 if 2 * in_words > self.scores.characters.truth else self.scores.characters.f1
        return 1.0 if f1 is None and self.error is None else f1 or 0.0

    @property
    def field_f1(self) -> float | None:
        """The F1 of the fields or, on a form, of its entities, normalised; None without any."""
        counts = Counts() if self.form is None else self.form.normalised.entities
        if self.fields is not None:
            for outcome in self.fields.outcomes:
                counts += Counts(outcome.normalised, outcome.got is not None, outcome.expected is not None)
        return counts.f1


def score(
    truth: TruthDocument,
    read: Document | None,
    error: Notice | None = None,
    *,
    judged: frozenset[str] | None = None,
    recognised: bool = True,
) -> DocumentScore:
    """Compare a document with its truth, labelled pages only.

    Args:
        truth: the labels.
        read: what was read; None where the document failed, which counts as nothing read.
        error: why it failed.
        judged: the fields to compare, for documents of this type; None compares neither them nor types.
        recognised: whether the reader found the document's type by itself.
    """
    pages_read = {page.page: page for page in read.pages} if read is not None else {}
    case_matters = _has_lower_case(truth)
    result = DocumentScore(
        truth,
        Scores(),
        [compare(page, pages_read.get(page.page)) for page in truth.pages],
        {number: page.angle for number, page in pages_read.items()},
        error,
        case_matters,
        None if judged is None else compare_fields(truth, read, judged, recognised=recognised),
        None if judged is None else score_form(truth, read),
        {number: (page.width, page.height) for number, page in pages_read.items()},
    )
    expected = [line.text for page in truth.pages for line in page.lines]
    found = [line.text for page in truth.pages if page.page in pages_read for line in pages_read[page.page].lines]
    result.scores = Scores(
        _line_counts(result.pages),
        multiset(_each(words, expected), _each(words, found)),
        multiset(
            _each(characters, map(result.as_compared, expected)), _each(characters, map(result.as_compared, found))
        ),
        sum(
            (
                line_edits(result.as_compared(truth_line.text), result.as_compared(read_line.text))
                for page in result.pages
                for truth_line, read_line in page.pairs
            ),
            Edits(),
        ),
    )
    return result


def total(scores: Iterable[DocumentScore]) -> Scores:
    """The micro-average's counts: those of all documents added up."""
    return sum((score.scores for score in scores), Scores())


def total_fields(scores: Iterable[DocumentScore]) -> FieldScores:
    """The fields of all documents."""
    return add_up((score.fields, score.form) for score in scores if score.fields is not None)


def _line_counts(pages: Iterable[PageComparison]) -> Counts:
    return sum(
        (Counts(len(p.pairs), len(p.pairs) + len(p.extra), len(p.pairs) + len(p.missed)) for p in pages), Counts()
    )


def _each(split: Callable[[str], list[str]], texts: Iterable[str]) -> Iterable[str]:
    return (item for text in texts for item in split(text))


def _has_lower_case(truth: TruthDocument) -> bool:
    """True also where there are no cased letters at all."""
    texts = [line.text for page in truth.pages for line in page.lines]
    has_lower = any(c.islower() for text in texts for c in text)
    return has_lower or not any(c.isupper() for text in texts for c in text)
