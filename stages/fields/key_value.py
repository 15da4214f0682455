"""The generic reader: a field's value stands behind, beside or under one of its keys. It needs no training.

Each place is tried in that order; the first one that holds a value of the field's type is taken. What is another key,
or stands behind one, is never part of a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span, join_lines
from schemas.doctypes import DocType, FieldType
from schemas.document import Line, Page
from stages.fields.folded import Folded, fold, tokens
from stages.fields.keys import KeyHit, KeyIndex
from stages.fields.places import Box, below, boxes_of_page, characters, overlap, right_of
from stages.fields.shapes import is_sure, locate

BEHIND, BESIDE, UNDER = 0.95, 0.9, 0.8
"""Confidence by where the value stands. Rules of thumb: without truth there is nothing to calibrate with."""

UNMARKED, LOOSE, MISREAD, APART = 0.92, 0.65, 0.9, 0.9
"""Factors: no colon behind the key; nothing at all between it and a text, which may be a sentence that only begins with
the key's word; for each letter read wrongly; for each word before the value."""

UNSURE = 0.6
"""Factor for an amount that is a bare number."""

_SHORT_KEY = 3
"""Keys of so few letters ("No") only count where the value follows at once: "No. of items 3" is no number."""

_MOST_LINES = 6
"""Lines that a long text may run over."""

_LINE_GAP = 0.9
"""Lines of one text are no more than so many heights apart."""

_RATE = re.compile(r"\d{1,2}(?:[.,]\d{1,2})? ?%")
"""Belongs to the key: GST @6%: 0.46."""

_UNKNOWN_KEY = re.compile(r"(?:^| )[^\s:]{0,23}[^\s:%] ?:(?!\d|//)")
"""A word with a colon, but no rate: most likely the key of something else."""


@dataclass(slots=True)
class _Row:
    """A line with all that is asked about it."""

    line: Line
    folded: Folded
    box: Box
    hits: list[KeyHit]


@dataclass(slots=True)
class _Sheet:
    """A page made ready for looking."""

    page: int
    rows: list[_Row]
    boxes: list[Box] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class _Found:
    """A candidate, with the key that led to it: (line, start)."""

    candidate: Candidate
    key: tuple[int, int, int]
    rank: tuple[float, ...]


def read_keys(doctype: DocType, pages: Sequence[Page]) -> list[Candidate]:
    """Find the values of all fields that have keys.

    Args:
        doctype: what to look for. Rows of groups are read by :mod:`stages.fields.tables`, not here.
        pages: the pages with their lines.

    Returns:
        Candidates in the order of the document type's fields: for a repeated field all that were found, in reading
        order, for any other the best one. No two fields share a key or a value.
    """
    fields = [one for one in doctype.fields if one.keys and not one.parts]
    index = KeyIndex.of({name: one.keys for name, one in doctype.walk()})
    sheets = [_sheet(page, index) for page in pages]
    found = {one.name: [hit for sheet in sheets for hit in _find(one, sheet, index, doctype)] for one in fields}
    return _assigned(fields, found)


def _sheet(page: Page, index: KeyIndex) -> _Sheet:
    boxes = boxes_of_page(page)
    rows = []
    for line, box in zip(page.lines, boxes, strict=True):
        folded = fold(line.text)
        rows.append(_Row(line, folded, box, index.find(folded)))
    return _Sheet(page.page, rows, boxes)


def _find(wanted: FieldType, sheet: _Sheet, index: KeyIndex, doctype: DocType) -> Iterator[_Found]:
    for number, row in enumerate(sheet.rows):
        for hit in row.hits:
            if wanted.name not in index.names[hit.key]:
                continue
            for spans, where in _values(wanted, sheet, number, hit, doctype.date_order):
                confidence = where * MISREAD**hit.distance * (1 if hit.marked else UNMARKED)
                parts = [sheet.rows[span.line].line.text[span.start : span.end] for span in spans]
                content = join_lines(parts)
                if not is_sure(wanted.type, fold(content).text):
                    confidence *= UNSURE
                candidate = Candidate(wanted.name, content, spans, sheet.page, round(confidence, 4))
                key = (sheet.page, number, hit.start)
                yield _Found(candidate, key, (-confidence, -len(hit.key), *key))
                break


def _values(
    wanted: FieldType, sheet: _Sheet, number: int, hit: KeyHit, order: str
) -> Iterator[tuple[tuple[Span, ...], float]]:
    """Values that may belong to a key, the likeliest place first, each with its confidence."""
    row = sheet.rows[number]
    short = len(hit.key) <= _SHORT_KEY
    place = _place(wanted, row, hit.end, order)
    if place is not None:
        between = tokens(_RATE.sub(" ", row.folded.text[hit.end : place[0]]))
        if not between or not short:
            loose = wanted.type == "text" and wanted.pattern is None and not _set_off(row, hit, place[0])
            yield _with_more(wanted, sheet, number, place), BEHIND * APART ** len(between) * (LOOSE if loose else 1)
    if not hit.clear or any(token for token in tokens(_cut(row, hit.end))) and short:
        return
    box = _key_box(row, hit)
    beside = _beside(wanted, sheet, row, order)
    if beside is not None:
        yield _with_more(wanted, sheet, *beside), BESIDE
    if any(other.start >= hit.end for other in row.hits) and hit.marked:
        return  # the next key on the line follows: this one's answer was left empty
    for other in below(box, sheet.boxes):
        if _starts_with_key(sheet.rows[other]):
            break
        place = _place(wanted, sheet.rows[other], 0, order)
        if place is not None:
            yield _with_more(wanted, sheet, other, place), UNDER
        break


def _beside(wanted: FieldType, sheet: _Sheet, row: _Row, order: str) -> tuple[int, tuple[int, int]] | None:
    """The line with the value, and where in it, on the row right of a key: the first sure one, else the first."""
    first = None
    for other in right_of(row.box, sheet.boxes):
        if _starts_with_key(sheet.rows[other]):
            break
        place = _place(wanted, sheet.rows[other], 0, order)
        if place is not None:
            if is_sure(wanted.type, sheet.rows[other].folded.text[slice(*place)]):
                return other, place
            first = first or (other, place)
        if wanted.type == "text" and sheet.rows[other].line.text.strip():
            break
    return first


def _set_off(row: _Row, hit: KeyHit, start: int) -> bool:
    """Whether more than a space separates a key from a text behind it: a colon, a gap."""
    raw = row.line.text[row.folded.origin[hit.end - 1] + 1 : row.folded.origin[start]]
    return hit.marked or len(raw) > 1


def _cut(row: _Row, start: int) -> str:
    """What stands behind a place in a line, up to the next key, known or not."""
    end = min((hit.start for hit in row.hits if hit.start >= start), default=len(row.folded.text))
    text = row.folded.text[start:end]
    lead = len(text) - len(text.lstrip(" .:=#-)]"))
    unknown = _UNKNOWN_KEY.search(text, lead)
    if unknown and unknown.start() > lead:
        text = text[: unknown.start()]
    return text


def _place(wanted: FieldType, row: _Row, start: int, order: str) -> tuple[int, int] | None:
    """Where a value stands behind a place in a line (folded text)."""
    text = _cut(row, start)
    lead = len(text) - len(text.lstrip(" :=#)]"))
    place = locate(wanted, text[lead:], order)
    return None if place is None else (start + lead + place[0], start + lead + place[1])


def _starts_with_key(row: _Row) -> bool:
    first = tokens(row.folded.text)
    if not first:
        return False
    return any(hit.start == first[0].start and hit.clear for hit in row.hits) or _unknown_first(row.folded.text)


def _unknown_first(text: str) -> bool:
    """Whether a line begins with what looks like a key of something else: a word or two with a colon."""
    return re.match(r"[^\s:\d][^:\d]{0,24}:(?!\d|//)", text) is not None


def _key_box(row: _Row, hit: KeyHit) -> Box:
    return characters(row.line, row.box, *row.folded.span(hit.start, hit.end))


def _with_more(wanted: FieldType, sheet: _Sheet, number: int, place: tuple[int, int]) -> tuple[Span, ...]:
    """The value as spans; a long text goes on in the lines that stand close under its first one."""
    row = sheet.rows[number]
    start, end = row.folded.span(*place)
    spans = [Span(number, start, end)]
    if not wanted.multiline or place[1] < len(row.folded.text.rstrip(" .,;:")):
        return tuple(spans)
    first = last = characters(row.line, row.box, start, end)
    while len(spans) < _MOST_LINES:
        following = _next_line(sheet, first, last)
        if following is None:
            break
        text = sheet.rows[following].line.text
        spans.append(Span(following, len(text) - len(text.lstrip()), len(text.rstrip())))
        last = sheet.boxes[following]
    return tuple(spans)


def _next_line(sheet: _Sheet, first: Box, last: Box) -> int | None:
    """The line that goes on with a text: close under the last one, beginning with the first, and no key."""
    for other in below(last, sheet.boxes, _LINE_GAP):
        row = sheet.rows[other]
        box = row.box
        alike = 0.6 < box.height / first.height < 1.6
        aligned = abs(box.left - first.left) <= 1.5 * first.height
        if alike and aligned and overlap(last, box) > 0 and row.line.text.strip():
            return None if row.hits or _unknown_first(row.folded.text) or _beside_key(sheet, box) else other
    return None


def _beside_key(sheet: _Sheet, box: Box) -> bool:
    """Whether the nearest line to the left on the same row is a key, whose value this must be."""
    left = [
        one for one in sheet.rows if one.box.right <= box.left and abs(one.box.middle - box.middle) <= box.height / 2
    ]
    return bool(left) and _starts_with_key(max(left, key=lambda one: one.box.right))


def _assigned(fields: Sequence[FieldType], found: dict[str, list[_Found]]) -> list[Candidate]:
    """To each field its best candidate whose key and characters no surer one has taken."""
    repeated = {one.name for one in fields if one.repeated}
    chosen: dict[str, list[_Found]] = {one.name: [] for one in fields}
    keys: set[tuple[int, int, int]] = set()
    taken: set[tuple[int, Span]] = set()
    order = {one.name: place for place, one in enumerate(fields)}
    everything = [one for several in found.values() for one in several]
    for one in sorted(everything, key=lambda one: (*one.rank, order[one.candidate.name])):
        candidate = one.candidate
        if chosen[candidate.name] and candidate.name not in repeated:
            continue
        if one.key in keys or any(_overlaps(candidate.page, span, taken) for span in candidate.spans):
            continue
        chosen[candidate.name].append(one)
        keys.add(one.key)
        taken.update((candidate.page, span) for span in candidate.spans)
    return [one.candidate for name in chosen for one in sorted(chosen[name], key=lambda one: one.key)]


def _overlaps(page: int, span: Span, taken: set[tuple[int, Span]]) -> bool:
    return any(
        page == other_page and span.line == other.line and span.start < other.end and other.start < span.end
        for other_page, other in taken
    )
