"""Augmentation without pixels: a labelled page as a detector and a recogniser might have read it.

Characters go wrong, lines are split and merged, boxes tremble, the page turns and tilts. What belongs to an entity
stays marked as such.
"""

from __future__ import annotations

import math
import random
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.synth.confusions import misread
from schemas.document import Polygon

Tags = tuple[tuple[int, int], ...]  # (entity, number of its span) of one character; nearly always none or one
_Point = tuple[float, float]

_MISREAD = 0.012  # of all characters, at strength 1
_BAD_LINE = 0.06  # of all lines are read much worse
_SPLIT = 0.05
_MERGE, _MERGE_NEAR = 0.02, 0.5  # of neighbours on a row: any within reach, and those that nearly touch
_GROWN = 0.28  # of a line's height: by so much at most a detector's boxes are higher than the ink, page by page
_LOST_LINE = 0.01
_TURN = 1.5  # degrees, standard deviation
_TILT = 0.03  # of the page's size, a corner's shift in perspective
_TREMBLE = 0.06  # of a line's height, standard deviation of a box's edges


@dataclass(slots=True)
class _Line:
    marked: list[tuple[str, Tags]]
    polygon: Polygon

    @property
    def text(self) -> str:
        return "".join(char for char, _ in self.marked)

    @property
    def height(self) -> float:
        return max(math.dist(self.polygon[0], self.polygon[3]), 1.0)


def disturb(example: Example, rng: random.Random, strength: float = 1.0) -> Example:
    """A page as it might be read from a picture.

    Args:
        example: The page; it is not changed.
        rng: Decides.
        strength: 0 leaves the page as it is, 1 is like a usual photograph, 2 like a bad one.

    Returns:
        A new page. Entities of which no character is left are gone, and links with them; ``values`` keep the truth.
    """
    if strength <= 0:
        return example
    lines = _lines(example)
    strength *= rng.uniform(0.2, 1.6)
    lines = [line for line in lines if rng.random() >= _LOST_LINE * strength] or lines
    lines = _merged(lines, rng, strength)
    lines = [part for line in lines for part in _split(line, rng, _SPLIT * strength)]
    capital = rng.random() < 0.1 * strength
    grown = rng.uniform(0.0, _GROWN * min(strength, 1.0))
    for line in lines:
        rate = _MISREAD * strength * (6.0 if rng.random() < _BAD_LINE else 1.0)
        line.marked = misread(line.marked, rng, min(rate, 0.3), ())
        if capital:
            line.marked = [(char.upper() if len(char.upper()) == 1 else char, tags) for char, tags in line.marked]
        line.polygon = _trembling(line, rng, _TREMBLE * strength, grown)
    lines = [line for line in lines if line.text.strip()] or _lines(example)
    width, height = _moved(lines, example.width, example.height, rng, strength)
    return _rebuilt(example, lines, width, height)


def _lines(example: Example) -> list[_Line]:
    """The lines with every character's tags."""
    tags: list[list[Tags]] = [[()] * len(line.text) for line in example.lines]
    for number, entity in enumerate(example.entities):
        for part, span in enumerate(entity.spans):
            row = tags[span.line]
            for position in range(span.start, span.end):
                row[position] = (*row[position], (number, part))
    return [
        _Line(list(zip(line.text, row, strict=True)), line.polygon)
        for line, row in zip(example.lines, tags, strict=True)
    ]


def _rebuilt(example: Example, lines: list[_Line], width: float, height: float) -> Example:
    """A page of these lines: spans from tags, entities and links numbered anew."""
    found: dict[int, list[tuple[int, Span]]] = {}
    for number, line in enumerate(lines):
        runs: dict[tuple[int, int], list[int]] = {}
        for position, (char, tags) in enumerate(line.marked):
            if char != " ":
                for tag in tags:
                    runs.setdefault(tag, []).append(position)
        for (entity, part), positions in runs.items():
            found.setdefault(entity, []).append((part, Span(number, positions[0], positions[-1] + 1)))
    entities: list[Entity] = []
    numbers: dict[int, int] = {}
    for number, entity_before in enumerate(example.entities):
        if number in found:
            numbers[number] = len(entities)
            ordered = sorted(found[number], key=lambda item: (item[0], item[1].line, item[1].start))
            entities.append(replace(entity_before, spans=_joined([span for _, span in ordered])))
    links = [(numbers[a], numbers[b]) for a, b in example.links if a in numbers and b in numbers]
    texts = [TextLine(line.text, line.polygon) for line in lines]
    return replace(example, width=width, height=height, lines=texts, entities=entities, links=links)


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    """Spans of merged lines that now touch, or have one blank between them, become one."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].line == span.line and 0 <= span.start - joined[-1].end <= 1:
            joined[-1] = Span(span.line, joined[-1].start, span.end)
        else:
            joined.append(span)
    return tuple(joined)


# --- lines ------------------------------------------------------------------------------------------------------


def _merged(lines: list[_Line], rng: random.Random, strength: float) -> list[_Line]:
    """Now and then, a line and its right neighbour on the same row become one; the more often, the nearer they are."""
    gone: set[int] = set()
    near = rng.random()  # some detectors join much, others little
    for left, line in enumerate(lines):
        if left in gone:
            continue
        right = _neighbour(lines, left, gone)
        if right is None:
            continue
        other = lines[right]
        distance = max(0.0, other.polygon[0][0] - line.polygon[1][0]) / line.height
        if rng.random() >= strength * (_MERGE + _MERGE_NEAR * near * math.exp(-2.0 * distance)):
            continue
        gap: list[tuple[str, Tags]] = [(" ", ())] if rng.random() < 0.8 else []
        line.marked = line.marked + gap + other.marked
        line.polygon = (line.polygon[0], other.polygon[1], other.polygon[2], line.polygon[3])
        gone.add(right)
    return [line for number, line in enumerate(lines) if number not in gone]


def _neighbour(lines: list[_Line], number: int, gone: set[int]) -> int | None:
    """The nearest line to the right on the same row, if it is nearer than three times the height."""
    line = lines[number]
    middle = (line.polygon[1][1] + line.polygon[2][1]) / 2
    best, nearest = None, 3.0 * line.height
    for position, other in enumerate(lines):
        if position == number or position in gone:
            continue
        distance = other.polygon[0][0] - line.polygon[1][0]
        if not -0.3 * line.height <= distance < nearest:
            continue
        same_row = abs((other.polygon[0][1] + other.polygon[3][1]) / 2 - middle) < 0.35 * line.height
        if same_row and 0.6 < other.height / line.height < 1.7:
            best, nearest = position, distance
    return best


def _split(line: _Line, rng: random.Random, chance: float) -> list[_Line]:
    """Now and then, a line falls apart at a space or after a colon."""
    text = line.text
    if rng.random() >= chance * min(3.0, len(text) / 10):
        return [line]
    cuts = [i + 1 for i, char in enumerate(text) if char in " :：" and text[: i + 1].strip() and text[i + 1 :].strip()]
    if not cuts:
        return [line]
    cut = rng.choice(cuts)
    end = len(text[:cut].rstrip())
    whole = TextLine(text, line.polygon)
    left, right = cut_polygon(whole, 0, end), cut_polygon(whole, cut, len(text))
    return [_Line(line.marked[:end], left), _Line(line.marked[cut:], right)]


def cut_polygon(line: TextLine, start: int, end: int) -> Polygon:
    """The part of a line's polygon that characters ``start`` to ``end`` take, by their usual widths."""
    text = line.text
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    widths = [_width(char) for char in text]
    total = sum(widths) or 1.0
    first, second = sum(widths[:start]) / total, sum(widths[:end]) / total
    a, b, c, d = line.polygon
    return _between(a, b, first), _between(a, b, second), _between(d, c, second), _between(d, c, first)


@lru_cache(maxsize=8192)
def _width(char: str) -> float:
    """A character's width in print, roughly."""
    return 1.0 if unicodedata.east_asian_width(char) in "WF" else 0.3 if char in " .,:;'|!il" else 0.55


def _between(a: _Point, b: _Point, share: float) -> _Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


# --- geometry ---------------------------------------------------------------------------------------------------


def _trembling(line: _Line, rng: random.Random, deviation: float, grown: float) -> Polygon:
    """A box whose edges are a little off, and which is higher by ``grown`` of its height (a third of that wider)."""
    size, more = line.height * deviation, line.height * grown / 2
    left, right = rng.gauss(-more / 3, size), rng.gauss(more / 3, size)
    top, bottom = rng.gauss(-more, size), rng.gauss(more, size)
    a, b, c, d = line.polygon
    moved = (
        (a[0] + left, a[1] + top),
        (b[0] + right, b[1] + top),
        (c[0] + right, c[1] + bottom),
        (d[0] + left, d[1] + bottom),
    )
    if moved[3][1] - moved[0][1] < 0.4 * line.height:  # trembled shut
        return line.polygon
    return moved


def _moved(lines: list[_Line], width: float, height: float, rng: random.Random, strength: float) -> tuple[float, float]:
    """Turn, tilt, scale and shift the whole page; returns its new size, in which every polygon lies."""
    angle = math.radians(rng.gauss(0.0, _TURN * strength)) if rng.random() < 0.6 else 0.0
    tilt = _TILT * strength if rng.random() < 0.4 else 0.0
    across, down = rng.gauss(0.0, tilt), rng.gauss(0.0, tilt)
    scale = math.exp(rng.gauss(0.0, 0.25))
    stretch = math.exp(rng.gauss(0.0, 0.04 * strength))
    cosine, sine = math.cos(angle), math.sin(angle)
    middle_x, middle_y = width / 2, height / 2

    def move(point: _Point) -> _Point:
        x, y = (point[0] - middle_x) * stretch, point[1] - middle_y
        depth = max(0.5, 1.0 + across * x / middle_x + down * y / middle_y)
        x, y = x / depth, y / depth
        return scale * (cosine * x - sine * y), scale * (sine * x + cosine * y)

    corners = [move(corner) for corner in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))]
    polygons = [tuple(move(point) for point in line.polygon) for line in lines]
    points = [*corners, *(point for polygon in polygons for point in polygon)]
    room = max(0.0, rng.gauss(0.0, 0.08 * strength)) * scale * max(width, height)  # the table around the page
    low_x = min(x for x, _ in points) - room * rng.random()
    low_y = min(y for _, y in points) - room * rng.random()
    high_x = max(x for x, _ in points) + room * rng.random()
    high_y = max(y for _, y in points) + room * rng.random()
    for line, polygon in zip(lines, polygons, strict=True):
        a, b, c, d = ((x - low_x, y - low_y) for x, y in polygon)
        line.polygon = (a, b, c, d)
    return high_x - low_x, high_y - low_y
