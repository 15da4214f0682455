"""From the candidates that a reader found to a document's fields: chosen, typed, corrected, checked and placed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from models.layout_ner.candidate import Candidate
from schemas.doctypes import DocType, FieldType
from schemas.document import Notice, Page
from schemas.fields import Field, Region
from stages.fields.calibration import IDENTITY, Calibration
from stages.fields.checks import check_document
from stages.fields.context import Context
from stages.fields.corrections import corrected
from stages.fields.currency import currency_at
from stages.fields.money import currency_of
from stages.fields.regions import regions_of
from stages.fields.signs import with_sign
from stages.fields.typed import Typed, key_of, typed

REVIEW_BELOW = 0.5
"""Fields less sure than this are marked for review."""

MISSING = "field_missing"
"""The code of the warning that a required field was not found."""

_FAILED = 0.5
"""Weight of a candidate that fails a check, against others for the same field."""
_NOT_UNDERSTOOD = 0.15
"""Weight of one that is no date where a date is wanted, no amount where an amount is."""
_SURE = 2.0
"""Weight of one whose check digit is right: one text in eleven or thirty-one passes by chance."""
_MOST_SURE = 0.9999


@dataclass(slots=True)
class _Read:
    """A candidate with its typed value; ``weight`` is what it counts in the choice."""

    candidate: Candidate
    typed: Typed
    key: str
    weight: float


class _Builder:
    """Builds the fields of one document."""

    def __init__(
        self, doctype: DocType, pages: Sequence[Page], calibration: Calibration, min_confidence: float, review: float
    ) -> None:
        self._doctype = doctype
        self._pages = {page.page: page for page in pages}
        self._context = Context(pages, doctype.date_order)
        self._calibration = calibration
        self._min, self._review = min_confidence, review
        self._chosen: dict[str, list[Candidate]] = {}

    def currency(self, kind: FieldType, amount: Field) -> Field | None:
        """The currency of an amount that was chosen, by the sign at one of the places where the amount stands.

        It is as sure as the amount, whose own currency becomes this one where it was taken from the rest of the page.
        """
        for candidate in self._chosen.get(kind.of or "", ()):
            page = self._pages.get(candidate.page)
            sign = currency_at(kind.name, candidate, page) if page is not None else None
            if sign is None or page is None:
                continue
            code = currency_of(sign.content, self._context.currency)
            if currency_of(amount.content) is None:
                amount.currency = code
            return Field(
                type=kind.type,
                value=code,
                content=sign.content,
                confidence=amount.confidence,
                regions=regions_of(sign.spans, page),
                needs_review=amount.confidence < self._review,
            )
        return None

    def single(self, kind: FieldType, name: str, candidates: Sequence[Candidate]) -> Field | None:
        """The best of the candidates, if it is sure enough."""
        found = [self._read(kind, candidate) for candidate in candidates]
        groups: dict[str, list[_Read]] = defaultdict(list)
        for one in found:
            groups[one.key].append(one)
        if not groups:
            return None
        best = max(groups.values(), key=lambda group: sum(one.weight for one in group))
        best.sort(key=lambda one: -one.weight)
        chosen = best[0]
        self._chosen[name] = [one.candidate for one in best]
        sure = {key: max(one.candidate.confidence for one in group) for key, group in groups.items()}
        understood = {one.key for one in found if one.typed.value is not None}
        own = sure.pop(chosen.key)
        raw = _exclusive(own, [p for key, p in sure.items() if key in understood or chosen.key not in understood])
        return self._field(kind, name, chosen, raw)

    def several(self, kind: FieldType, candidates: Iterable[Candidate]) -> list[Field]:
        """All candidates of a repeated field, in reading order."""
        fields = [
            self._field(kind, kind.name, self._read(kind, candidate), candidate.confidence)
            for candidate in sorted(candidates, key=_place)
        ]
        return [field for field in fields if field is not None]

    def rows(self, kind: FieldType, candidates: Iterable[Candidate]) -> list[Field]:
        """The rows of a repeated group, by the candidates' group; parts without a group make a row each."""
        rows: dict[tuple[int, int, int], list[Candidate]] = defaultdict(list)
        for number, candidate in enumerate(candidates):
            key = (0, candidate.group) if candidate.group is not None else (1, number)
            rows[candidate.page, *key].append(candidate)
        built = []
        for row in sorted(rows.values(), key=lambda row: min(map(_place, row))):
            field = self._row(kind, row)
            if field is not None:
                built.append(field)
        return built

    def _row(self, kind: FieldType, row: Sequence[Candidate]) -> Field | None:
        by_name: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in row:
            by_name[candidate.name].append(candidate)
        parts: dict[str, Field] = {}
        for part in kind.parts:
            field = self.single(part, f"{kind.name}.{part.name}", by_name[f"{kind.name}.{part.name}"])
            if field is not None:
                parts[part.name] = field
        if not parts:
            return None
        regions: list[Region] = [region for field in parts.values() for region in field.regions]
        return Field(
            type=kind.type,
            value=dict(parts),
            content=" ".join(field.content for field in parts.values()),
            confidence=min(field.confidence for field in parts.values()),
            regions=regions,
            needs_review=any(field.needs_review for field in parts.values()),
        )

    def _read(self, kind: FieldType, candidate: Candidate) -> _Read:
        candidate = replace(candidate, confidence=_probability(candidate.confidence))
        if kind.type == "money":
            candidate = with_sign(candidate, self._pages.get(candidate.page))
        result = typed(kind, candidate.content, self._context)
        result = corrected(kind, candidate, result, self._pages, self._context)
        weight = candidate.confidence
        if result.sure:
            weight *= _SURE
        elif any(not check.passed and check.name != "ambiguous_date" for check in result.checks):
            weight *= _FAILED
        return _Read(candidate, result, key_of(result, candidate.content), weight)

    def _field(self, kind: FieldType, name: str, chosen: _Read, raw: float) -> Field | None:
        confidence = self._calibration(raw, f"{self._doctype.name}.{name}", self._doctype.name)
        candidate, result = chosen.candidate, chosen.typed
        if confidence < self._min or not candidate.content.strip():
            return None
        page = self._pages.get(candidate.page)
        return Field(
            type=kind.type,
            value=result.value,
            content=candidate.content,
            confidence=round(confidence, 4),
            regions=regions_of(candidate.spans, page) if page is not None else [],
            checks=result.checks,
            needs_review=confidence < self._review or not result.passed,
            currency=result.currency,
        )


def build_fields(
    doctype: DocType,
    candidates: Sequence[Candidate],
    pages: Sequence[Page],
    *,
    calibration: Calibration = IDENTITY,
    min_confidence: float = 0.0,
    review_below: float = REVIEW_BELOW,
) -> dict[str, Field | list[Field]]:
    """Build the fields of one document.

    Of several candidates for a field that is not repeated, the value with the greatest sum of confidences is taken;
    one whose check digit is right counts more, one that cannot be understood less. The confidence takes into account
    how sure the others were. The currency of an amount is the sign printed at that amount, and a candidate only where
    there is none. Nothing is invented: a field that is not printed is not there.

    Args:
        doctype: the document's type.
        candidates: what the reader found, of all pages. Those of names that the type does not have are left out.
        pages: all pages as read, which the candidates' page numbers and lines refer to.
        calibration: from the candidates' confidences to measured ones.
        min_confidence: fields less sure than this (0 to 1) are left out.
        review_below: fields less sure than this are marked for review.

    Returns:
        The fields by name, in the order of the document type; repeated ones as lists.
    """
    by_name: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_name[candidate.name].append(candidate)
    builder = _Builder(doctype, pages, calibration, min_confidence, review_below)
    fields: dict[str, Field | list[Field]] = {}
    for kind in sorted(doctype.fields, key=lambda kind: kind.of is not None):
        if kind.parts:
            own = [c for part in kind.parts for c in by_name.get(f"{kind.name}.{part.name}", ())]
            rows = builder.rows(kind, own)
            if rows:
                fields[kind.name] = rows if kind.repeated else rows[0]
        elif kind.repeated:
            several = builder.several(kind, by_name.get(kind.name, ()))
            if several:
                fields[kind.name] = several
        else:
            amount = fields.get(kind.of or "")
            field = builder.currency(kind, amount) if isinstance(amount, Field) else None
            field = field or builder.single(kind, kind.name, by_name.get(kind.name, ()))
            if field is not None:
                fields[kind.name] = field
    fields = {kind.name: fields[kind.name] for kind in doctype.fields if kind.name in fields}
    check_document(doctype, fields)
    return fields


def missing_fields(doctype: DocType, fields: dict[str, Field | list[Field]]) -> list[Notice]:
    """A warning for each required field that was not found: for documents whose type the caller named."""
    return [
        Notice(
            MISSING, f"no {kind.label.lower()} ({kind.name}) was found, which a {doctype.names.en.lower()} should have"
        )
        for kind in doctype.fields
        if kind.required and kind.name not in fields
    ]


def _exclusive(own: float, others: Iterable[float]) -> float:
    """The probability of one of several values of which only one can be right, from what each has when judged alone.

    By their odds: o / (1 + the sum of all odds).
    """
    odds = [p / (1 - p) for p in (min(p, _MOST_SURE) for p in (own, *others))]
    return odds[0] / (1 + sum(odds)) if len(odds) > 1 else own


def _probability(value: float) -> float:
    return min(max(float(value), 0.0), 1.0) if value == value else 0.0


def _place(candidate: Candidate) -> tuple[int, int, int]:
    """Reading order: page, line, character."""
    first = min(((span.line, span.start) for span in candidate.spans), default=(0, 0))
    return candidate.page, *first
