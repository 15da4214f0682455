"""Settling a confusion that a check can settle (O/0, l/1, B/8): the line is decoded again under the field's pattern.

Only what the recogniser itself had as an alternative is considered, character for character, and a correction is made
only if of all those readings exactly one passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from models.ctc import BLANK, Alternatives, CtcDecoder
from models.ctc_beam import beam_search
from models.layout_ner.example import Span
from schemas.document import Line
from schemas.errors import InvalidRequest
from stages.fields.normalise import compact

LIKELY = 0.01
"""An alternative of at least this probability is a second reading. Recognisers are sure of most characters: beside a
character that is read rightly, every other class has far less."""

ALIKE = 0.0005
"""One of at least this is a second reading if its glyph looks like the one that was read."""

_GROUPS = (
    "0OoDQ〇○", "1lI|i7!丨", "2Zz", "5Ss$", "8B&3", "6Gb", "9gq", "4A", "UV", "CG", "VY", "MN", "EF", "PR", "KX",
    "HN", "XY",
)  # fmt: skip
_LOOKS: dict[str, frozenset[str]] = {
    char: frozenset[str]().union(*(group for group in _GROUPS if char in group)) for group in _GROUPS for char in group
}

ODDS = 200
"""A reading this many times less probable than the best well-formed one is none: by chance alone, one of eleven texts
passes a check digit."""

_BEAM = 64
_LONGEST = 80
_LIMIT_S = 0.25
"""A page waits for this."""


def decode_again(line: Line, span: Span, read: str, allowed: str, accept: Callable[[str], bool]) -> str | None:
    """The one other reading of a part of a line that passes.

    Args:
        line: with its ``alternatives``.
        span: the part that is the field.
        read: the field's value, as read.
        allowed: the characters that such a value may have, as the inside of a regular expression's class
            (``0-9X``). Spaces and hyphens may stand between them.
        accept: whether a value (compact: without spaces and hyphens, in upper case) passes the checks.

    Returns:
        The compact value; None where no reading or more than one passes, or the line has no alternatives.
    """
    before = compact(read)
    if not isinstance(line.alternatives, Alternatives) or not before or len(before) > _LONGEST:
        return None
    part = part_of(line.alternatives, line.text, span.start, span.end)
    if part is None:
        return None
    pattern = rf"[ \-./]*(?:[{allowed}][ \-./]*){{{len(before)}}}"
    try:
        readings = beam_search(
            _second_readings(part), beam_width=_BEAM, n_best=_BEAM, pattern=pattern, timeout_s=_LIMIT_S
        )
    except InvalidRequest:  # it took too long: the value stays as it was read
        return None
    passed: set[str] = set()
    for reading in readings:
        if reading.score < readings[0].score - math.log(ODDS):
            break
        value = compact(reading.text)
        if len(value) == len(before) and value != before and value not in passed and accept(value):
            passed.add(value)
    return passed.pop() if len(passed) == 1 else None


def part_of(alternatives: Alternatives, text: str, start: int, end: int) -> Alternatives | None:
    """The columns of a line in which its characters ``start`` to ``end`` stand.

    The cut runs between two characters where the blank is most probable. None where the alternatives do not spell the
    line's text.
    """
    decoded = CtcDecoder(alternatives.characters).decode(alternatives.indices[None], alternatives.probabilities[None])[
        0
    ]
    offset = len(decoded.text) - len(decoded.text.lstrip())
    if decoded.text.strip() != text or not 0 <= start < end <= len(text):
        return None
    columns = decoded.columns
    start, end = start + offset, end + offset
    blank = np.where(alternatives.indices == BLANK, alternatives.probabilities, 0).max(1)

    def cut(left: int, right: int) -> int:
        inside = blank[left + 1 : right]
        return left + 1 + int(inside.argmax()) if inside.size else right

    low = cut(columns[start - 1], columns[start]) if start else 0
    high = cut(columns[end - 1], columns[end]) if end < len(columns) else len(blank)
    return Alternatives(alternatives.indices[low:high], alternatives.probabilities[low:high], alternatives.characters)


def _second_readings(part: Alternatives) -> Alternatives:
    """The part without the classes that are no second reading of their column; their probability becomes 0."""
    symbols = ("", *part.characters)
    keep = part.probabilities >= LIKELY
    for column, (classes, scores) in enumerate(zip(part.indices.tolist(), part.probabilities.tolist(), strict=True)):
        read = [symbols[number] for number, score in zip(classes, scores, strict=True) if score >= LIKELY]
        looks = frozenset[str]().union(*(_LOOKS.get(char, frozenset()) for char in read))
        for place, (number, score) in enumerate(zip(classes, scores, strict=True)):
            if score >= ALIKE and symbols[number] in looks:
                keep[column, place] = True
    return Alternatives(part.indices, np.where(keep, part.probabilities, 0).astype(np.float32), part.characters)
