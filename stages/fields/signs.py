"""The currency sign beside an amount belongs to what is printed as the amount: RM 9.00, 12.00元."""

from __future__ import annotations

import re
from dataclasses import replace

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span, join_lines
from schemas.document import Page
from stages.fields.money import CODES, SIGNS

_SIGN = "|".join(re.escape(sign) for sign in sorted((*SIGNS, *CODES, "￥"), key=len, reverse=True))
_BEFORE = re.compile(rf"(?<![A-Za-z])(?:{_SIGN}) ?$", re.IGNORECASE)
_AFTER = re.compile(rf" ?(?:{_SIGN})(?![A-Za-z])", re.IGNORECASE)


def with_sign(candidate: Candidate, page: Page | None) -> Candidate:
    """The candidate with the sign that stands directly before or behind it on its line; ``page`` as read."""
    if page is None or len(candidate.spans) != 1:
        return candidate
    span = candidate.spans[0]
    if not 0 <= span.line < len(page.lines):
        return candidate
    text = page.lines[span.line].text
    before = _BEFORE.search(text[: span.start])
    after = None if before else _AFTER.match(text, span.end)
    start, end = before.start() if before else span.start, after.end() if after else span.end
    if (start, end) == (span.start, span.end):
        return candidate
    return replace(candidate, content=join_lines([text[start:end]]), spans=(Span(span.line, start, end),))
