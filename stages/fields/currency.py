"""The currency of a document's main amount: the sign beside it, in its label, or in the head of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.layout_ner.candidate import Candidate
from models.layout_ner.example import Span
from schemas.document import Line, Page
from stages.fields.folded import fold
from stages.fields.money import CODES, SIGNS
from stages.fields.places import SAME_ROW, Box, boxes_of_page, characters, overlap
from stages.fields.signs import with_sign

_SIGN = "|".join(re.escape(sign) for sign in sorted((*SIGNS, *CODES), key=len, reverse=True))
_ANY = re.compile(rf"(?<![A-Z])(?:{_SIGN})(?![A-Z])", re.IGNORECASE)
"""A sign at an amount, whose digits may touch it."""

_IN_LABEL = re.compile(rf"(?<![A-Z])(?<!\d)(?<!\d )(?:{_SIGN})(?![A-Z])(?! ?[\d-])", re.IGNORECASE)
"""A sign among words. One that touches digits is that of another amount."""

_YUAN = frozenset("元圆圓")
"""Signs that are also parts of words (元旦, 圆桌): in a label only where the word ends with them."""

_AMOUNT = re.compile(r"\d[.,]\d\d(?!\d)")
_LETTERS = re.compile(r"[^\W\d_]{2}")

_WORD_BEFORE = re.compile(r"[^\W\d_]+\W{0,3}$")
"""What a head names before the sign, under which amounts may begin."""

_BESIDE_COLUMN = 1.0
"""A head is over a column if no more than so many heights of the amount lie between them sideways: what is aligned to
the right under a head that is not may lie beside it."""


def currency_at(name: str, amount: Candidate, page: Page, *, heads: bool = True) -> Candidate | None:
    """Find the sign that tells the currency of an amount.

    The places are tried in order: directly beside the amount; its label, in the same line or the lines left of it on
    the row; the head of its column, which is a line over it with a sign and no amount of its own.

    Args:
        name: the name of the field that is found.
        amount: an amount on the page.
        page: as read; the amount's spans refer to its lines.
        heads: whether heads of columns are looked at.

    Returns:
        The sign as printed, as sure as the amount; None where none of these places has one.
    """
    amount = with_sign(amount, page)
    spans = [span for span in amount.spans if 0 <= span.line < len(page.lines)]
    if not spans:
        return None
    found = next(_places(spans, page, heads), None)
    if found is None:
        return None
    content = page.lines[found.line].text[found.start : found.end]
    return replace(amount, name=name, content=content, spans=(found,), group=None)


def _places(spans: Sequence[Span], page: Page, heads: bool) -> Iterator[Span]:
    for span in spans:
        yield from _signs(span.line, page.lines[span.line].text, span.start, span.end, _ANY)
    first = spans[0]
    text = page.lines[first.line].text
    yield from reversed(list(_signs(first.line, text, 0, first.start, _IN_LABEL)))
    boxes = boxes_of_page(page)
    box = characters(page.lines[first.line], boxes[first.line], first.start, first.end)
    yield from _left(box, first.line, page.lines, boxes)
    if heads:
        yield from _above(box, page.lines, boxes)


def _signs(number: int, text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[Span]:
    """The signs in a part of a line, as places in the line as it was read."""
    folded = fold(text)
    for match in pattern.finditer(folded.text):
        place = folded.span(*match.span())
        if place[0] < start or place[1] > end:
            continue
        if pattern is _IN_LABEL and match[0] in _YUAN and folded.text[match.end() : match.end() + 1].isalpha():
            continue
        yield Span(number, *place)


def _left(box: Box, own: int, lines: Sequence[Line], boxes: Sequence[Box]) -> Iterator[Span]:
    """Signs in the lines left of a box on its row, from the nearest on; words that are no sign end it."""
    row = [number for number, other in enumerate(boxes) if number != own and _same_row(box, other)]
    for number in sorted(row, key=lambda number: -boxes[number].right):
        if boxes[number].right > box.left + 0.3 * box.height:
            continue
        text = lines[number].text
        yield from reversed(list(_signs(number, text, 0, len(text), _IN_LABEL)))
        if _LETTERS.search(text):
            return


def _above(box: Box, lines: Sequence[Line], boxes: Sequence[Box]) -> Iterator[Span]:
    """Signs over a box in its column, from the nearest on, that are not those of another row's amount."""
    over = [number for number, other in enumerate(boxes) if other.middle < box.middle - 0.5 * box.height]
    for number in sorted(over, key=lambda number: -boxes[number].middle):
        text = lines[number].text
        for span in _signs(number, text, 0, len(text), _IN_LABEL):
            word = _WORD_BEFORE.search(text, 0, span.start)
            start = word.start() if word else span.start
            sign = characters(lines[number], boxes[number], start, span.end)
            if overlap(sign, box) < -_BESIDE_COLUMN * box.height or _AMOUNT.search(text, span.end):
                continue
            behind = (
                other
                for place, other in enumerate(boxes)
                if place != number and _same_row(sign, other) and other.left >= sign.right - 0.3 * sign.height
                and _AMOUNT.search(lines[place].text)
            )  # fmt: skip
            if next(behind, None) is None:
                yield span


def _same_row(box: Box, other: Box) -> bool:
    return abs(other.middle - box.middle) <= SAME_ROW * max(box.height, min(other.height, 2 * box.height))
