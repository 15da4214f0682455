"""The fields of a whole dataset: counts per field and type, document types, confidences and reviews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.evaluation.calibration import Bin, expected_calibration_error, reliability
from pipeline.evaluation.fields import DocumentFields, Outcome
from pipeline.evaluation.forms import FormScore
from pipeline.evaluation.metrics import Counts
from schemas.truth import OTHER

UNKNOWN = "unknown"
"""Stands for the type of documents whose labels do not tell it."""

CONFIDENT = 0.5
"""A value with more confidence than this is taken at its word where there should be none."""

FIELD_BARS = (
    "field_f1",
    "field_precision",
    "field_recall",
    "field_f1_exact",
    "document_accuracy",
    "document_accuracy_exact",
    "type_accuracy",
    "form_entity_f1",
    "form_pair_f1",
)
"""Metrics of which more is better, so that a lower bound makes sense."""


@dataclass(slots=True, frozen=True)
class FieldCounts:
    """How many values were read, how many there are, and how many agree: exactly, and normalised."""

    exact: Counts = Counts()
    normalised: Counts = Counts()

    def __add__(self, other: FieldCounts) -> FieldCounts:
        return FieldCounts(self.exact + other.exact, self.normalised + other.normalised)


@dataclass(slots=True)
class TypeScores:
    """The documents of one type: counts by field, and how many documents have all fields right."""

    documents: int = 0
    right: int = 0
    right_exact: int = 0
    fields: dict[str, FieldCounts] = field(default_factory=dict)

    @property
    def together(self) -> FieldCounts:
        """All fields' counts added up."""
        return sum(self.fields.values(), FieldCounts())


@dataclass(slots=True)
class Review:
    """Values with one setting of ``needs_review``: how many, and how many of them are right."""

    count: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        """The part that is right; None where there is no value."""
        return self.right / self.count if self.count else None


@dataclass(slots=True)
class Invented:
    """Documents that were read as a type that they are not of.

    ``possible`` is how many fields there are in those types, ``filled`` how many of them were given a value, and
    ``confident`` how many of these one with a confidence over :data:`CONFIDENT`.
    """

    documents: int = 0
    possible: int = 0
    filled: int = 0
    confident: int = 0


@dataclass(slots=True)
class FieldScores:
    """What is counted over all documents.

    ``types`` has the fields' counts by the labelled type, ``confusion`` documents by labelled and recognised type
    (only where the labels tell the type and it was not given to the reader).
    """

    types: dict[str, TypeScores] = field(default_factory=dict)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    bins: list[Bin] = field(default_factory=list)
    reviewed: Review = field(default_factory=Review)
    unreviewed: Review = field(default_factory=Review)
    invented: Invented = field(default_factory=Invented)
    forms: FormScore | None = None

    @property
    def together(self) -> TypeScores:
        """All types added up."""
        types = list(self.types.values())
        return TypeScores(
            sum(scores.documents for scores in types),
            sum(scores.right for scores in types),
            sum(scores.right_exact for scores in types),
            {"": sum((scores.together for scores in types), FieldCounts())},
        )

    @property
    def type_accuracy(self) -> float | None:
        """The part of the documents whose type was recognised."""
        right = sum(count for (expected, got), count in self.confusion.items() if expected == got)
        return right / self.confusion.total() if self.confusion else None

    def metrics(self) -> dict[str, float | None]:
        """The metrics by name, each 0 to 1; None: there was nothing to measure it on."""
        together = self.together
        counts = together.together
        forms = self.forms.normalised if self.forms is not None else None
        return {
            "field_f1": counts.normalised.f1,
            "field_precision": counts.normalised.precision,
            "field_recall": counts.normalised.recall,
            "field_f1_exact": counts.exact.f1,
            "document_accuracy": together.right / together.documents if together.documents else None,
            "document_accuracy_exact": together.right_exact / together.documents if together.documents else None,
            "type_accuracy": self.type_accuracy,
            "form_entity_f1": forms.entities.f1 if forms is not None else None,
            "form_pair_f1": forms.pairs.f1 if forms is not None else None,
            "calibration_error": expected_calibration_error(self.bins),
        }


def add_up(documents: Iterable[tuple[DocumentFields, FormScore | None]]) -> FieldScores:
    """Count over documents: each its fields and, for a form, its entities and pairs."""
    result = FieldScores()
    confidences: list[tuple[float, bool]] = []
    for fields, form in documents:
        if fields.recognised and fields.expected_type is not None:
            result.confusion[fields.expected_type, fields.got_type or OTHER] += 1
        if fields.judged:
            _add_document(result.types.setdefault(fields.expected_type or UNKNOWN, TypeScores()), fields)
        for outcome in fields.outcomes:
            if outcome.got is not None:
                confidences.append((outcome.got.confidence, outcome.normalised))
                review = result.reviewed if outcome.got.needs_review else result.unreviewed
                review.count += 1
                review.right += outcome.normalised
        _add_invented(result.invented, fields)
        if form is not None:
            result.forms = form if result.forms is None else result.forms + form
    result.bins = reliability(confidences)
    result.types = dict(sorted(result.types.items()))
    return result


def count_outcomes(outcomes: Sequence[Outcome]) -> Mapping[str, FieldCounts]:
    """The counts of each field, in the order of the names' first occurrence."""
    counts: dict[str, FieldCounts] = {}
    for outcome in outcomes:
        read, truth = outcome.got is not None, outcome.expected is not None
        one = FieldCounts(Counts(outcome.exact, read, truth), Counts(outcome.normalised, read, truth))
        counts[outcome.name] = counts.get(outcome.name, FieldCounts()) + one
    return counts


def _add_document(scores: TypeScores, fields: DocumentFields) -> None:
    scores.documents += 1
    scores.right += fields.all_right()
    scores.right_exact += fields.all_right(exact=True)
    for name, counts in count_outcomes(fields.outcomes).items():
        scores.fields[name] = scores.fields.get(name, FieldCounts()) + counts


def _add_invented(invented: Invented, fields: DocumentFields) -> None:
    if fields.possible:
        invented.documents += 1
        invented.possible += fields.possible
        invented.filled += len(fields.invented)
        invented.confident += sum(
            any(value.confidence > CONFIDENT for value in values) for values in fields.invented.values()
        )
