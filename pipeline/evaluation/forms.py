"""Questions, answers and headings of forms, and which answer belongs to which question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pipeline.evaluation.fields import as_list
from pipeline.evaluation.metrics import Counts, multiset
from pipeline.evaluation.values import normalise
from schemas.document import Document
from schemas.fields import Field
from schemas.truth import FORM, TruthDocument

KINDS = ("question", "answer", "header")


@dataclass(slots=True)
class Form:
    """What stands on a form: the texts of its entities by kind, and pairs of question and answer."""

    entities: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    pairs: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class FormCounts:
    """Counts of entities by kind, in the order of :data:`KINDS`, and of pairs."""

    question: Counts = Counts()
    answer: Counts = Counts()
    header: Counts = Counts()
    pairs: Counts = Counts()

    def __add__(self, other: FormCounts) -> FormCounts:
        return FormCounts(
            self.question + other.question,
            self.answer + other.answer,
            self.header + other.header,
            self.pairs + other.pairs,
        )

    @property
    def entities(self) -> Counts:
        """Questions and answers together."""
        return self.question + self.answer


@dataclass(slots=True, frozen=True)
class FormScore:
    """The counts of one form or, added up, of many: texts compared exactly and normalised."""

    exact: FormCounts = FormCounts()
    normalised: FormCounts = FormCounts()

    def __add__(self, other: FormScore) -> FormScore:
        return FormScore(self.exact + other.exact, self.normalised + other.normalised)


def labelled_form(truth: TruthDocument) -> Form:
    """What the labels say. Lines of one page and one ``id`` are one entity; entities without a letter are left out."""
    form = Form()
    for page in truth.pages:
        texts: dict[int, list[str]] = {}
        labels: dict[int, str] = {}
        links: set[tuple[int, int]] = set()
        for number, line in enumerate(page.lines):
            if line.label not in KINDS:
                continue
            key = line.id if line.id is not None else -1 - number
            texts.setdefault(key, []).append(line.text)
            labels[key] = line.label
            links.update(line.linking)
        joined = {key: " ".join(filter(None, parts)) for key, parts in texts.items()}
        for key, text in joined.items():
            form.entities[labels[key]].append(text)
        for link in links:
            one, two = sorted(link, key=lambda end: labels.get(end, "") != "question")  # written either way round
            if (labels.get(one), labels.get(two)) == ("question", "answer"):
                form.pairs.append((joined[one], joined[two]))
    return form


def read_form(document: Document) -> Form:
    """What was read: fields of type ``pair``, and fields called after the kinds.

    A question with several answers makes several pairs, but is one entity.
    """
    form = Form()
    entities: dict[str, dict[object, str]] = {kind: {} for kind in KINDS}
    for name, given in document.fields.items():
        for found in as_list(given):
            if not isinstance(found.value, dict):
                if name in KINDS:
                    entities[name][_place(found)] = found.content
                continue
            question, answer = found.value.get("question"), found.value.get("answer")
            for kind, part in (("question", question), ("answer", answer)):
                if part is not None:
                    entities[kind][_place(part)] = part.content
            if question is not None and answer is not None:
                form.pairs.append((question.content, answer.content))
    form.entities = {kind: list(of_kind.values()) for kind, of_kind in entities.items()}
    return form


def score_form(truth: TruthDocument, read: Document | None) -> FormScore | None:
    """Compare a form with its labels; None where it is no form."""
    if truth.doc_type != FORM:
        return None
    expected, found = labelled_form(truth), Form() if read is None else read_form(read)
    return FormScore(_counts(expected, found, _one_spaced), _counts(expected, found, normalise))


def _counts(expected: Form, found: Form, fold: Callable[[str], str]) -> FormCounts:
    entities = {
        kind: multiset(_folded(expected.entities[kind], fold), _folded(found.entities[kind], fold)) for kind in KINDS
    }
    pairs = multiset(_folded_pairs(expected.pairs, fold), _folded_pairs(found.pairs, fold))
    return FormCounts(**entities, pairs=pairs)


def _folded(texts: Iterable[str], fold: Callable[[str], str]) -> list[str]:
    """Texts of which normalisation leaves nothing do not count, however they are compared."""
    return [fold(text) for text in texts if normalise(text)]


def _folded_pairs(pairs: Iterable[tuple[str, str]], fold: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(fold(one), fold(two)) for one, two in pairs if normalise(one) and normalise(two)]


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


def _place(found: Field) -> object:
    """What makes two fields the same entity: the place, or the object itself where it stands nowhere."""
    return tuple((region.page, region.polygon) for region in found.regions) or id(found)
