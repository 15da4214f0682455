"""Where on the page a part of a line stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.layout_ner.example import Span
from schemas.document import Line, Page, Point, Polygon
from schemas.fields import Region

_WORD = re.compile(r"\S+")
_NARROW = frozenset("iIljft.,:;'!|()[]{}`/\\\"1 ")
_TALL = 1.5
"""A line this much higher than wide runs from the top down."""


def regions_of(spans: Iterable[Span], page: Page) -> list[Region]:
    """One region per span, in order. Spans of lines that the page does not have, or of no character, are left out."""
    regions = []
    for span in spans:
        if not 0 <= span.line < len(page.lines):
            continue
        line = page.lines[span.line]
        start, end = max(span.start, 0), min(span.end, len(line.text))
        if start < end:
            regions.append(Region(page.page, polygon_of(line, start, end)))
    return regions


def polygon_of(line: Line, start: int, end: int) -> Polygon:
    """The part of the line's polygon under its characters ``start`` to ``end`` (exclusive), in pixels.

    Exact to the word where the line's words are known; within a word, or without words, by the characters' usual
    widths.
    """
    start, end = _without_spaces(line.text, start, end)
    if start == 0 and end >= len(line.text):
        return line.polygon
    if line.words:
        part = _by_words(line, start, end)
        if part is not None:
            return part
    low, high = _shares(line.text, start, end)
    return _part(line.polygon, low, high, _vertical(line))


def _without_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _by_words(line: Line, start: int, end: int) -> Polygon | None:
    """From the word where the part begins to the word where it ends; None where words and text do not fit."""
    matches = list(_WORD.finditer(line.text))
    words = line.words or []
    if [match.group() for match in matches] != [word.text for word in words]:
        return None
    within = [k for k, match in enumerate(matches) if match.start() < end and start < match.end()]
    if not within:
        return None
    first, last, vertical = within[0], within[-1], _vertical(line)
    low, _ = _shares(words[first].text, max(start - matches[first].start(), 0), len(words[first].text))
    _, high = _shares(words[last].text, 0, min(end - matches[last].start(), len(words[last].text)))
    head = _part(words[first].polygon, low, 1.0, vertical)
    tail = _part(words[last].polygon, 0.0, high, vertical)
    if vertical:
        return head[0], head[1], tail[2], tail[3]
    return head[0], tail[1], tail[2], head[3]


def _shares(text: str, start: int, end: int) -> tuple[float, float]:
    """Where the characters begin and end, as fractions of the whole text's width."""
    widths = [_width(char) for char in text]
    total = sum(widths)
    return sum(widths[:start]) / total, sum(widths[:end]) / total


def _width(char: str) -> float:
    """In ems, about: what proportional fonts have in common."""
    if char >= "\u2e80":
        return 1.0
    if char in _NARROW:
        return 0.32
    return 0.68 if char.isupper() else 0.54


def _vertical(line: Line) -> bool:
    """Whether the text runs from the polygon's first point to its fourth."""
    (x0, y0), (x1, y1), _, (x3, y3) = line.polygon
    along = (x1 - x0) ** 2 + (y1 - y0) ** 2
    down = (x3 - x0) ** 2 + (y3 - y0) ** 2
    return len(line.text) > 1 and down > _TALL**2 * along


def _part(polygon: Polygon, low: float, high: float, vertical: bool) -> Polygon:
    """The part of a polygon between two fractions of its length along the text."""
    p0, p1, p2, p3 = polygon
    if vertical:
        return _between(p0, p3, low), _between(p1, p2, low), _between(p1, p2, high), _between(p0, p3, high)
    return _between(p0, p1, low), _between(p0, p1, high), _between(p3, p2, high), _between(p3, p2, low)


def _between(a: Point, b: Point, share: float) -> Point:
    return round(a[0] + share * (b[0] - a[0]), 2), round(a[1] + share * (b[1] - a[1]), 2)
