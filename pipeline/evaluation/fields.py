"""The fields of one document beside its truth: which are right, wrong, missing or invented."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from pipeline.evaluation.values import equal, equal_normalised, forms
from schemas.doctypes import load_doctypes
from schemas.document import Document
from schemas.fields import Field
from schemas.truth import FORM, OTHER, TruthDocument
from schemas.truth_fields import TruthRow, TruthValue

Item = TypeVar("Item")
Other = TypeVar("Other")

RIGHT, WRONG, MISSING, EXTRA = "right", "wrong", "missing", "extra"


@dataclass(slots=True, frozen=True)
class Outcome:
    """One value: what was expected (None: there is none), what was read (None: nothing), and whether they agree.

    ``name`` is the field's, ``items.amount`` for a part of a repeated group. ``exact`` and ``normalised`` tell whether
    the content or the typed value is the truth's.
    """

    name: str
    expected: TruthValue | None
    got: Field | None
    exact: bool = False
    normalised: bool = False

    @property
    def kind(self) -> str:
        """``right`` (after normalisation), ``wrong``, ``missing`` or ``extra``."""
        if self.normalised:
            return RIGHT
        if self.got is None:
            return MISSING
        return EXTRA if self.expected is None else WRONG


@dataclass(slots=True)
class DocumentFields:
    """One document's type and fields beside the truth.

    ``expected_type`` is None where the labels do not tell it; ``other`` stands for none of the known types.
    ``recognised`` is False where the type was given to the reader, or reading failed. ``invented`` are the
    fields that were read although the document is not of the type it was read as, by name: all of them are wrong,
    whatever they say. ``possible`` is how many fields there are in that type.
    """

    expected_type: str | None
    got_type: str | None
    recognised: bool
    outcomes: list[Outcome] = field(default_factory=list)
    invented: dict[str, list[Field]] = field(default_factory=dict)
    possible: int = 0

    @property
    def judged(self) -> bool:
        """Whether there is a value to read, or one was read."""
        return bool(self.outcomes)

    def all_right(self, *, exact: bool = False) -> bool:
        """Whether every field is as in truth and none is invented."""
        return all(outcome.exact if exact else outcome.normalised for outcome in self.outcomes)


def judged_fields(truths: Iterable[TruthDocument]) -> dict[str | None, frozenset[str]]:
    """By document type, the names of the fields that the labels speak of in at least one document.

    What they speak of in none (SROIE's labels know no tax) cannot be judged: reading it is neither right nor wrong.
    """
    names: dict[str | None, set[str]] = {}
    for truth in truths:
        of_type = names.setdefault(truth.doc_type, set())
        for name, values in truth.values.items():
            of_type.add(name)
            of_type.update(f"{name}.{part}" for row in values if not isinstance(row, TruthValue) for part in row)
    return {doc_type: frozenset(of_type) for doc_type, of_type in names.items()}


def compare_fields(
    truth: TruthDocument, read: Document | None, judged: frozenset[str], *, recognised: bool = True
) -> DocumentFields:
    """Compare the fields of one document.

    Args:
        truth: the labels.
        read: what was read; None where the document failed, which counts as nothing read.
        judged: the fields to compare, of this document's type.
        recognised: whether the reader found the type by itself.
    """
    got_type = None if read is None else read.doc_type or OTHER
    result = DocumentFields(truth.doc_type, got_type, recognised and read is not None)
    fields: Mapping[str, Any] = {} if read is None else read.fields
    expected = truth.values
    if got_type is not None and truth.doc_type not in {None, got_type}:
        result.invented = {name: as_list(given) for name, given in fields.items() if as_list(given)}
        result.possible = max(_field_count(got_type), len(result.invented))
    if truth.doc_type == FORM:
        return result  # a form's questions and answers are compared as entities and pairs
    for name in sorted(name for name in judged if "." not in name):
        if name in truth.unknown:
            continue
        result.outcomes += _field(name, expected.get(name, ()), as_list(fields.get(name)), judged)
    return result


@cache
def _field_count(doc_type: str) -> int:
    known = load_doctypes().get(doc_type)
    return 0 if known is None else len(known.fields)


def as_list(given: Any) -> list[Field]:
    """The occurrences of a field: none, one, or those of a repeated one."""
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple) else [given]


def _field(
    name: str, expected: Sequence[TruthValue | TruthRow], got: Sequence[Field], judged: frozenset[str]
) -> list[Outcome]:
    if any(name_.startswith(f"{name}.") for name_ in judged):
        rows = [row for row in expected if not isinstance(row, TruthValue)]
        parts = [_parts(name, row) for row in got]
        return [outcome for pair in align(rows, parts, _agreeing) for outcome in _row(name, *pair, judged)]
    values = [value for value in expected if isinstance(value, TruthValue)]
    if any(not value.known for value in values):
        return []
    return _values(name, values, list(got))


def _values(name: str, expected: list[TruthValue], got: list[Field]) -> list[Outcome]:
    """Right pairs first, each value once; what is left is paired in order."""
    outcomes = []
    for same in (equal, equal_normalised):
        for value in list(expected):
            match = next((found for found in got if same(value.texts, forms(found))), None)
            if match is not None:
                expected.remove(value)
                got = [found for found in got if found is not match]
                outcomes.append(Outcome(name, value, match, exact=same is equal, normalised=True))
    outcomes += [Outcome(name, value, found) for value, found in zip(expected, got, strict=False)]
    outcomes += [Outcome(name, value, None) for value in expected[len(got) :]]
    outcomes += [Outcome(name, None, found) for found in got[len(expected) :]]
    return outcomes


def _row(group: str, truth: TruthRow | None, read: Mapping[str, Field] | None, judged: frozenset[str]) -> list[Outcome]:
    outcomes = []
    for part in sorted(name.removeprefix(f"{group}.") for name in judged if name.startswith(f"{group}.")):
        expected = [] if truth is None or part not in truth else [truth[part]]
        got = [] if read is None or part not in read else [read[part]]
        if all(value.known for value in expected):
            outcomes += _values(f"{group}.{part}", expected, got)
    return outcomes


def _parts(group: str, row: Field) -> Mapping[str, Field]:
    if not isinstance(row.value, dict):
        return {}
    return {part.removeprefix(f"{group}."): found for part, found in row.value.items()}


def _agreeing(truth: TruthRow, read: Mapping[str, Field]) -> int:
    return sum(part in read and equal_normalised(value.texts, forms(read[part])) for part, value in truth.items())


def align(
    left: Sequence[Item], right: Sequence[Other], score: Callable[[Item, Other], int]
) -> list[tuple[Item | None, Other | None]]:
    """Pair two sequences in order so that the sum of the scores is greatest (Needleman and Wunsch, gaps free).

    Rows of a table keep their order; a row that was missed or invented must not shift all below it. Of two pairings
    with one score, the one with more pairs wins, so that a row of which nothing is right still meets its truth.

    Returns:
        Pairs in order; None stands for an item without a partner.
    """
    best = [[(0, 0)] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            agreed, pairs = best[i + 1][j + 1]
            best[i][j] = max(best[i + 1][j], best[i][j + 1], (agreed + score(left[i], right[j]), pairs + 1))
    aligned: list[tuple[Item | None, Other | None]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if best[i][j] == best[i + 1][j]:
            aligned.append((left[i], None))
            i += 1
        elif best[i][j] == best[i][j + 1]:
            aligned.append((None, right[j]))
            j += 1
        else:
            aligned.append((left[i], right[j]))
            i, j = i + 1, j + 1
    aligned += [(item, None) for item in left[i:]]
    aligned += [(None, item) for item in right[j:]]
    return aligned
