"""From the probabilities of tags to candidates for fields.

Each line is divided among the fields of the document's type and none. Runs of one field within a line are spans; a run
that begins inside a field goes on with the field's last one, so that an address over three lines is one candidate.
Amounts and dates that the network holds possible without being sure are candidates too: whoever knows what the values
mean can choose among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from models.layout_ner.candidate import Candidate
from models.layout_ner.encode import Encoded
from models.layout_ner.example import Span, TextLine, join_lines
from models.layout_ner.segment import segment
from models.layout_ner.tags import TagSet

POSSIBLE = 0.04
"""Mean probability from which an amount or a date that no run covers is a candidate."""

JOIN_LINES = 4
"""A run goes on with the last one of its field if that is no more lines back, in reading order."""

_RUNNING = ("text", "capitals", "pair")
"""Kinds of fields that may go on in the next line."""

_AMOUNTS = ("money", "number", "rate")
"""Two of these beside each other are two."""

_TIME = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
_TIME_BEHIND = re.compile(rf"[ ,T-]*{_TIME}[ ,.]*$")
_TIME_BEFORE = re.compile(rf"{_TIME}[ ,-]+")
_MONTH = r"(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]*\.?"
_SHAPES: dict[str, re.Pattern[str]] = {
    "money": re.compile(r"(?<![\d.,])\d{1,3}(?:[ ,.]\d{3})+[.,]\d{2}(?!\d)|(?<![\d.])\d+(?: ?[.,] ?\d{1,2})?(?![\d])"),
    "date": re.compile(
        r"\d{4} ?[年/.-] ?\d{1,2} ?[月/.-] ?\d{1,2} ?日?"
        r"|(?<!\d)\d{1,2} ?[/.-] ?\d{1,2} ?[/.-] ?(?:\d{4}|\d{2})(?!\d)"
        rf"|(?<!\d)\d{{1,2}}(?:st|nd|rd|th)?[ /.,-]{{0,2}}{_MONTH}[ /.,'-]{{0,2}}(?:\d{{4}}|\d{{2}})(?!\d)"
        rf"|{_MONTH}[ /.,-]{{0,2}}\d{{1,2}}(?:st|nd|rd|th)?[ /.,'-]{{0,3}}(?:\d{{4}}|\d{{2}})(?!\d)"
        r"|(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)",
        re.IGNORECASE,
    ),
}


@dataclass(slots=True)
class _Run:
    """Characters ``start`` to ``end`` of one line that one field claims."""

    line: int
    start: int
    end: int
    confidence: float
    begins: bool


@dataclass(slots=True)
class _Entity:
    runs: list[_Run] = field(default_factory=list)


def decode(
    probabilities: npt.NDArray[np.float32],
    encoded: Encoded,
    lines: Sequence[TextLine],
    tags: TagSet,
    doc_type: str,
    kinds: Mapping[str, str],
    page: int = 1,
) -> list[Candidate]:
    """Find candidates on one page.

    Args:
        probabilities: (T, K), at least as long as the page; padding is passed over.
        encoded: the page as it went into the network.
        lines: the lines it was encoded from.
        tags: the tags, K of them.
        doc_type: the type whose fields are wanted.
        kinds: the types of fields (``money``, ``date``, ``text`` ...) by name; others count as text.
        page: the page's number.

    Returns:
        Candidates in reading order of their first characters, field by field.
    """
    fields = tags.of_type(doc_type)
    if not fields:
        return []
    begin = np.array([tag for _, tag in fields])
    used = probabilities[: encoded.length]
    starts, insides = used[:, begin], used[:, begin + 1]
    claim = starts + insides  # (T, F)
    bounds = np.flatnonzero(np.diff(encoded.line_of, prepend=-1)).tolist() + [encoded.length]
    runs: dict[int, list[_Run]] = {}
    for line in range(len(bounds) - 1):
        low, high = bounds[line], bounds[line + 1] - 1  # without the break
        text = lines[line].text[: high - low]
        for number, start, end in _runs(segment(claim[low:high], text)):
            start, end = _trimmed(text, start, end)
            if kinds.get(fields[number][0]) == "date":
                start, end = _without_time(text, start, end)
            if start >= end:
                continue
            share = claim[low + start : low + end, number]
            at = low + start
            runs.setdefault(number, []).append(
                _Run(line, start, end, float(share.mean()), bool(starts[at, number] >= insides[at, number]))
            )
    found: list[Candidate] = []
    for number, (name, _) in enumerate(fields):
        kind = kinds.get(name, "text")
        entities = _joined(runs.get(number, []), kind, lines)
        found += [_candidate(name, entity, lines, page) for entity in entities]
        if kind in _SHAPES:
            found += _possible(name, _SHAPES[kind], entities, claim[:, number], lines, bounds, page)
    return found


def _runs(own: npt.NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """(field, start, end) of every run of one field."""
    edges = np.flatnonzero(np.diff(own, prepend=-2, append=-2)).tolist()
    return [(int(own[a]), a, b) for a, b in zip(edges, edges[1:], strict=False) if own[a] >= 0]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space and separators around."""
    while start < end and (text[start].isspace() or text[start] in ":：,，;；、"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ":：,，;；、"):
        end -= 1
    return start, end


def _without_time(text: str, start: int, end: int) -> tuple[int, int]:
    """A date alone, where the time of day stands before or behind it."""
    behind = _TIME_BEHIND.search(text, start, end)
    before = _TIME_BEFORE.match(text, start, end)
    if behind and behind.start() > start:
        return start, behind.start()
    return (before.end(), end) if before and before.end() < end else (start, end)


def _joined(runs: list[_Run], kind: str, lines: Sequence[TextLine]) -> list[_Entity]:
    """Runs to entities: text goes on in later lines, numbers and dates at most in the next box on their row."""
    entities: list[_Entity] = []
    for run in runs:
        last = entities[-1].runs[-1] if entities else None
        if last is None or run.begins or not _goes_on(last, run, kind, lines):
            entities.append(_Entity())
        entities[-1].runs.append(run)
    return entities


def _goes_on(last: _Run, run: _Run, kind: str, lines: Sequence[TextLine]) -> bool:
    if run.line == last.line:
        return True
    if kind in _RUNNING:
        return run.line - last.line <= JOIN_LINES
    return kind not in _AMOUNTS and run.line == last.line + 1 and _same_row(lines[last.line], lines[run.line])


def _same_row(a: TextLine, b: TextLine) -> bool:
    """Whether the middle of the one is within the height of the other."""
    ys = [point[1] for point in a.polygon]
    return min(ys) < sum(point[1] for point in b.polygon) / 4 < max(ys)


def _candidate(name: str, entity: _Entity, lines: Sequence[TextLine], page: int) -> Candidate:
    spans = tuple(Span(run.line, run.start, run.end) for run in entity.runs)
    sizes = [span.end - span.start for span in spans]
    confidence = sum(run.confidence * size for run, size in zip(entity.runs, sizes, strict=True)) / sum(sizes)
    content = join_lines([lines[span.line].text[span.start : span.end] for span in spans])
    return Candidate(name, content, spans, page, min(1.0, max(0.0, confidence)))


def _possible(
    name: str,
    shape: re.Pattern[str],
    entities: list[_Entity],
    claim: npt.NDArray[np.float32],
    lines: Sequence[TextLine],
    bounds: Sequence[int],
    page: int,
) -> list[Candidate]:
    """Texts of the field's shape that no run covers and that the network does not rule out."""
    taken = {(run.line, at) for entity in entities for run in entity.runs for at in range(run.start, run.end)}
    found = []
    for line in range(len(bounds) - 1):
        low, high = bounds[line], bounds[line + 1] - 1
        if not len(claim[low:high]) or claim[low:high].max() < POSSIBLE:
            continue
        for match in shape.finditer(lines[line].text[: high - low]):
            confidence = float(claim[low + match.start() : low + match.end()].mean())
            if confidence >= POSSIBLE and (line, match.start()) not in taken and (line, match.end() - 1) not in taken:
                span = Span(line, match.start(), match.end())
                found.append(Candidate(name, match[0].strip(), (span,), page, confidence))
    return found
