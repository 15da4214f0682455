"""How good a network is while it trains: fields read from labelled pages, compared with the truth."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from models.layout_ner.candidate import Candidate
from models.layout_ner.decode import decode
from models.layout_ner.encode import Encoded, collate, encode
from models.layout_ner.example import Example
from models.layout_ner.normalise import normalise
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.doctypes import DocType
from schemas.document import Line, Page
from schemas.fields import Field
from stages.fields.build import build_fields

Predict = Callable[[list[npt.NDArray[Any]]], tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
"""The network's inputs (see ``collate``) to the probabilities of tags (N, T, K) and of document types (N, D)."""

MIN_CONFIDENCE = 0.3
BATCH = 8


@dataclass(slots=True)
class Tally:
    """Counts of fields that were right, that were said, and that there are."""

    right: int = 0
    said: int = 0
    there: int = 0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 where there is nothing."""
        return 2 * self.right / (self.said + self.there) if self.said + self.there else 0.0


@dataclass(slots=True)
class Outcome:
    """Scores by ``type.field``, the document types, and what was wrong (name, field, expected, got)."""

    fields: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    types: Tally = field(default_factory=Tally)
    wrong: list[tuple[str, str, str, str]] = field(default_factory=list)
    confidences: list[tuple[str, float, bool]] = field(default_factory=list)

    def f1(self, prefix: str = "") -> float:
        """Over all fields whose name begins with ``prefix``."""
        total = Tally()
        for name, tally in self.fields.items():
            if name.startswith(prefix):
                total.right += tally.right
                total.said += tally.said
                total.there += tally.there
        return total.f1


class Scorer:
    """Scores labelled pages.

    Args:
        tags: the network's tags.
        vocabulary: its characters.
        doctypes: all document types.
        min_confidence: fields less sure than this are not said.
    """

    def __init__(
        self,
        tags: TagSet,
        vocabulary: Vocabulary,
        doctypes: Mapping[str, DocType],
        min_confidence: float = MIN_CONFIDENCE,
    ) -> None:
        self._tags, self._vocabulary, self._doctypes = tags, vocabulary, doctypes
        self._min = min_confidence

    def score(self, predict: Predict, examples: Sequence[Example], *, asked: bool) -> Outcome:
        """Score pages; ``asked``: the right type is given to the network, otherwise it has to recognise it."""
        outcome = Outcome()
        for example, page, tags, types in self._predicted(predict, examples, asked):
            said = self._tags.types[int(types.argmax())]
            if not asked:
                outcome.types.there += 1
                outcome.types.said += 1
                outcome.types.right += said == (example.doc_type or self._tags.types[0])
            if example.doc_type is None:
                continue
            doctype = self._doctypes[example.doc_type]
            kinds = {name: kind.type for name, kind in doctype.walk()}
            candidates = decode(tags, page, example.lines, self._tags, example.doc_type, kinds)
            found = self._said(doctype, candidates, example)
            _compare(outcome, example, found, candidates)
        return outcome

    def _predicted(
        self, predict: Predict, examples: Sequence[Example], asked: bool
    ) -> Iterator[tuple[Example, Encoded, npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
        usable = sorted((e for e in examples if e.lines), key=lambda e: sum(len(line.text) for line in e.lines))
        for start in range(0, len(usable), BATCH):
            part = usable[start : start + BATCH]
            pages = [encode(e.lines, self._vocabulary, self._tags.hint(e.doc_type) if asked else 0) for e in part]
            tags, types = predict(collate(pages))
            yield from zip(part, pages, tags, types, strict=True)

    def _said(
        self, doctype: DocType, candidates: list[Candidate], example: Example
    ) -> dict[str, list[tuple[str, str, float]]]:
        """(content, value, confidence) by field."""
        if doctype.reader == "form":
            return _by_name(candidates, self._min)
        lines = [Line(line.text, 1.0, line.polygon) for line in example.lines]
        page = Page(1, max(1, round(example.width)), max(1, round(example.height)), lines=lines)
        single = [c for c in candidates if "." not in c.name]
        found = _by_name([c for c in candidates if "." in c.name], self._min)
        fields = build_fields(doctype, single, [page], min_confidence=self._min)
        for name, built in fields.items():
            for one in built if isinstance(built, list) else [built]:
                if isinstance(one, Field) and not isinstance(one.value, dict):
                    found.setdefault(name, []).append((one.content, str(one.value), one.confidence))
        return found


def _by_name(candidates: Sequence[Candidate], least: float) -> dict[str, list[tuple[str, str, float]]]:
    found: dict[str, list[tuple[str, str, float]]] = {}
    for one in candidates:
        if one.confidence >= least:
            found.setdefault(one.name, []).append((one.content, one.content, one.confidence))
    return found


def _compare(
    outcome: Outcome,
    example: Example,
    found: Mapping[str, list[tuple[str, str, float]]],
    candidates: Sequence[Candidate],
) -> None:
    for name in sorted({*example.values, *found}):
        truth = [text for text in example.values.get(name, []) if normalise(text)]
        typed = _typed(example, name)
        if name in example.unknown and not truth:
            continue
        said = found.get(name, [])
        tally = outcome.fields[f"{example.doc_type}.{name}"]
        several = len(said) > 1 or "." in name or example.doc_type == "form"
        tally.there += len(truth) if several else min(1, len(truth))
        tally.said += len(said)
        left = Counter(_key(text) for text in truth)
        for content, value, confidence in said:
            key = next((k for k in (_key(content), _key(value), typed.get(_key(value))) if k and left[k] > 0), None)
            if key is not None:
                left[key] -= 1
                tally.right += 1
            else:
                outcome.wrong.append((example.name, name, " | ".join(truth), content))
            outcome.confidences.append((f"{example.doc_type}.{name}", confidence, key is not None))
        if truth and not said:
            possible = max((c for c in candidates if c.name == name), key=lambda c: c.confidence, default=None)
            text = f"(nothing; {possible.content} {possible.confidence:.2f})" if possible else "(nothing)"
            outcome.wrong.append((example.name, name, " | ".join(truth), text))


def _typed(example: Example, name: str) -> dict[str, str]:
    """Typed values of a field, where they are known, to the text they are printed as."""
    return {
        _key(entity.value): _key(example.text_of(entity))
        for entity in example.entities
        if entity.name == name and entity.value
    }


def _key(text: str) -> str:
    """What is compared: normalised, and amounts without trailing zeros or signs."""
    normal = normalise(unicodedata.normalize("NFKC", text))
    return normal.lstrip("$¥£€") or normal  # a currency may be a sign alone
