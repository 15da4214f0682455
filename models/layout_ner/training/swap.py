"""Receipts that never were: real layouts with invented names, addresses, dates and amounts.

A few hundred receipts come from a few dozen companies. A network that sees their names again and again learns the
names; given new ones each time it has to learn where and how a name stands.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from models.layout_ner.example import Example, Span, TextLine
from schemas.document import Polygon

Maker = Callable[[random.Random], str]

_FIGURES = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?P<mark>[/.-])(?P<month>\d{1,2})(?P=mark)(?P<year>(?:20)?\d{2})(?!\d)"
    r"|(?<![\d.])(?:\d{1,3}(?:,\d{3})+|\d{1,6})\.\d{2}(?![\d.])"
    r"|\d{4,}"
)


def swap(example: Example, rng: random.Random, makers: Mapping[str, Maker]) -> Example:
    """Invent anew.

    Args:
        example: the page; it is left as it is.
        rng: decides everything.
        makers: for field names, who invents a new text. Each such field is replaced with probability 0.6.

    Returns:
        A page with the same lines in the same places, of which some say something else. Fields whose makers are not
        given keep their text, but for amounts, dates and long numbers, which change with probability 0.5 all over
        the page, equal ones to equal ones.
    """
    lines = [TextLine(line.text, line.polygon) for line in example.lines]
    spans = {number: list(entity.spans) for number, entity in enumerate(example.entities)}
    for number, entity in enumerate(example.entities):
        maker = makers.get(entity.name)
        if maker is not None and rng.random() < 0.6 and not _overlaps(number, spans):
            _rewrite(lines, spans, number, _cased(maker(rng), _text(lines, spans[number])))
    if rng.random() < 0.5:
        _renumber(lines, rng)
    entities = [replace(entity, spans=tuple(spans[number])) for number, entity in enumerate(example.entities)]
    return replace(example, lines=lines, entities=entities, values={})


def _overlaps(number: int, spans: dict[int, list[Span]]) -> bool:
    """Whether another entity claims some of the same characters."""
    return any(
        span.line == other.line and span.start < other.end and other.start < span.end
        for span in spans[number]
        for key, others in spans.items()
        if key != number
        for other in others
    )


def _text(lines: list[TextLine], spans: list[Span]) -> str:
    return "".join(lines[span.line].text[span.start : span.end] for span in spans)


def _cased(text: str, like: str) -> str:
    """Capitals where the original has no small letters."""
    return text if any(char.islower() for char in like) else text.upper()


def _rewrite(lines: list[TextLine], spans: dict[int, list[Span]], number: int, text: str) -> None:
    """Put a new text in the place of an entity's, spread over its lines as the old one was."""
    sizes = [span.end - span.start for span in spans[number]]
    for place, piece in enumerate(_shares(text, sizes)):
        span = spans[number][place]  # read anew: another piece of the same line may have moved it
        line = lines[span.line]
        shift = len(piece) - (span.end - span.start)
        after = line.text[: span.start] + piece + line.text[span.end :]
        lines[span.line] = TextLine(after, _stretched(line.polygon, len(after) / max(1, len(line.text))))
        for key, others in spans.items():
            spans[key] = [
                replace(other, start=other.start + shift, end=other.end + shift)
                if other.line == span.line and other.start >= span.end
                else other
                for other in others
            ]
        spans[number][place] = Span(span.line, span.start, span.start + len(piece))


def _shares(text: str, sizes: list[int]) -> list[str]:
    """Cut a text into as many pieces as ``sizes``, at spaces where possible, each at least one character."""
    pieces, rest = [], text.strip()
    for at, size in enumerate(sizes):
        left = len(sizes) - at - 1
        if not left:
            pieces.append(rest)
            break
        share = max(1, min(len(rest) - left, round(len(rest) * size / max(1, sum(sizes[at:])))))
        gap = min(
            (place for place, char in enumerate(rest) if char == " " and 0 < place < len(rest) - left),
            key=lambda place: abs(place - share),  # noqa: B023  # used at once
            default=share,
        )
        cut = gap if abs(gap - share) <= 0.5 * share + 2 else share
        pieces.append(rest[:cut].strip() or rest[:1])
        rest = rest[cut:].strip() or "."
    return pieces


def _stretched(polygon: Polygon, factor: float) -> Polygon:
    """The same line, longer or shorter, around its middle."""
    factor = min(2.5, max(0.4, factor))
    a, b, c, d = polygon
    # Along the line only: the corners on each side keep their distance across.
    dx, dy = ((b[0] + c[0]) - (a[0] + d[0])) / 4, ((b[1] + c[1]) - (a[1] + d[1])) / 4
    grow = factor - 1
    left = (-dx * grow, -dy * grow)
    right = (dx * grow, dy * grow)
    return (
        (a[0] + left[0], a[1] + left[1]),
        (b[0] + right[0], b[1] + right[1]),
        (c[0] + right[0], c[1] + right[1]),
        (d[0] + left[0], d[1] + left[1]),
    )


def _renumber(lines: list[TextLine], rng: random.Random) -> None:
    """Change amounts, dates and long numbers, keeping how many characters they have."""
    known: dict[str, str] = {}

    def new(match: re.Match[str]) -> str:
        old = match[0]
        if old not in known:
            known[old] = _another_date(match, rng) if match["day"] else _other_digits(old, rng)
        return known[old]

    for number, line in enumerate(lines):
        lines[number] = TextLine(_FIGURES.sub(new, line.text), line.polygon)


def _other_digits(text: str, rng: random.Random) -> str:
    return "".join(
        str(rng.randrange(1 if at == 0 and char != "0" else 0, 10)) if char.isdigit() else char
        for at, char in enumerate(text)
    )


def _another_date(match: re.Match[str], rng: random.Random) -> str:
    def part(old: str) -> str:
        return f"{rng.randint(1, 12 if len(old) > 1 else 9):0{len(old)}d}"

    mark = match["mark"]
    return f"{part(match['day'])}{mark}{part(match['month'])}{mark}{match['year'][:-2]}{rng.randint(10, 29)}"
