"""What every output needs of a line: its box, its direction, its baseline, its words."""

from __future__ import annotations

import math
import re
import unicodedata

from schemas.document import Line, Polygon, Word

DESCENT = 0.2
"""The share of a line's height that is below the baseline, as in most fonts for Latin and Chinese alike."""

_VERTICAL = 1.5  # a box so many times higher than wide is read from the top down, as the recogniser does
_WORD = re.compile(r"\S+")


def bounds(polygon: Polygon) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def whole_bounds(polygon: Polygon) -> tuple[int, int, int, int]:
    """The same in whole pixels, at least one wide and high, around all of the polygon."""
    left, top, right, bottom = bounds(polygon)
    x, y = math.floor(left), math.floor(top)
    return x, y, max(x + 1, math.ceil(right)), max(y + 1, math.ceil(bottom))


def is_vertical(line: Line) -> bool:
    """Whether the line is read from the top down: several characters in a box that is clearly higher than wide."""
    a, b, _, d = line.polygon
    return len(line.text.strip()) > 1 and math.dist(a, d) >= _VERTICAL * math.dist(a, b)


def reading_quad(polygon: Polygon, vertical: bool) -> Polygon:
    """The corners as the reader sees them: the first two are the upper edge, along the text.

    Vertical text lies on its left side: the right edge of its box is its upper edge.
    """
    a, b, c, d = polygon
    return (b, c, d, a) if vertical else polygon


def baseline(line: Line) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where the line's letters stand, in pixels."""
    a, b, c, d = reading_quad(line.polygon, is_vertical(line))
    start = (d[0] + DESCENT * (a[0] - d[0]), d[1] + DESCENT * (a[1] - d[1]))
    end = (c[0] + DESCENT * (b[0] - c[0]), c[1] + DESCENT * (b[1] - c[1]))
    return start, end


def words_of(line: Line) -> list[Word]:
    """The line's words; where it was read without, its parts between spaces, placed by the width of characters."""
    if line.words is not None:
        return [word for word in line.words if word.text.strip()]
    total = text_width(line.text) or 1.0
    vertical = is_vertical(line)
    words = []
    for match in _WORD.finditer(line.text):
        start = text_width(line.text[: match.start()]) / total
        stop = text_width(line.text[: match.end()]) / total
        words.append(Word(match.group(), line.confidence, part_of(line.polygon, start, stop, vertical)))
    return words


def part_of(polygon: Polygon, start: float, stop: float, vertical: bool) -> Polygon:
    """The part of a polygon between two fractions (0 to 1) of its length along the text."""
    a, b, c, d = polygon

    def between(p: tuple[float, float], q: tuple[float, float], share: float) -> tuple[float, float]:
        return p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])

    if vertical:
        return between(a, d, start), between(b, c, start), between(b, c, stop), between(a, d, stop)
    return between(a, b, start), between(a, b, stop), between(d, c, stop), between(d, c, start)


def text_width(text: str) -> float:
    """About how wide a text is, in ems: Chinese characters are twice as wide as Latin letters."""
    return sum(char_width(char) for char in text)


def char_width(char: str) -> float:
    """The width of a character in ems: 1 or a half, and nothing for marks upon the one before."""
    if unicodedata.combining(char):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(char) in "WF" else 0.5
