"""The head of one receipt on the body of another.

Who wrote a receipt (name, address) and what was sold (date, amounts) have little to do with each other. A few hundred
receipts, cut in two and put together anew, are tens of thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from models.layout_ner.example import Entity, Example, TextLine
from schemas.document import Polygon

Floats = npt.NDArray[np.float64]

HEAD = frozenset({"company", "address"})
"""Fields that stand in a receipt's head."""

_GAP = 1.0  # in line heights, between head and body


def mix(head: Example, body: Example, names: Collection[str] = HEAD) -> Example | None:
    """Put two pages together; neither is changed.

    Args:
        head: its lines down to the last one of a field in ``names`` are taken.
        body: its lines below the last one of such a field are taken.
        names: the fields of the head.

    Returns:
        A page as wide as ``body``'s, whose line heights are those of ``body``; None where a page cannot be cut, because
        a field of the head stands below another one, or there is no head.
    """
    top, bottom = _cut(head, names), _cut(body, names)
    if top is None or bottom is None:
        return None
    upper = [number for number, line in enumerate(head.lines) if _middle(line) <= top]
    lower = [number for number, line in enumerate(body.lines) if _middle(line) > bottom]
    if not upper or not lower:
        return None
    heads = np.array([head.lines[number].polygon for number in upper], np.float64)
    bodies = np.array([body.lines[number].polygon for number in lower], np.float64)
    scale = _height(bodies) / _height(heads)
    heads = heads * scale
    heads[..., 0] += _centre(bodies) - _centre(heads)
    heads[..., 1] -= heads[..., 1].min()
    bodies = bodies - np.array([0.0, bodies[..., 1].min() - heads[..., 1].max() - _GAP * _height(bodies)])
    shift = -min(0.0, float(heads[..., 0].min()), float(bodies[..., 0].min()))
    lines = [
        TextLine(page.lines[number].text, _polygon(quad + np.array([shift, 0.0])))
        for page, numbers, quads in ((head, upper, heads), (body, lower, bodies))
        for number, quad in zip(numbers, quads, strict=True)
    ]
    entities = [
        *_moved(head, upper, 0, lambda name: name in names),
        *_moved(body, lower, len(upper), lambda name: name not in names),
    ]
    width = max(point[0] for line in lines for point in line.polygon) + 1
    height = max(point[1] for line in lines for point in line.polygon) + 1
    return Example(
        f"{head.name}+{body.name}", body.doc_type, width, height, lines, entities, head.unknown | body.unknown
    )


def _cut(page: Example, names: Collection[str]) -> float | None:
    """The y below which the body begins; None if the page cannot be cut there."""
    heads = [_middle(page.lines[s.line]) for e in page.entities if e.name in names for s in e.spans]
    bodies = [_middle(page.lines[s.line]) for e in page.entities if e.name not in names for s in e.spans]
    if not heads or not bodies or max(heads) >= min(bodies):
        return None
    return max(heads)


def _moved(page: Example, kept: Sequence[int], first: int, wanted: Callable[[str], bool]) -> list[Entity]:
    place = {number: first + at for at, number in enumerate(kept)}
    return [
        replace(entity, spans=tuple(replace(span, line=place[span.line]) for span in entity.spans))
        for entity in page.entities
        if wanted(entity.name) and all(span.line in place for span in entity.spans)
    ]


def _middle(line: TextLine) -> float:
    return sum(point[1] for point in line.polygon) / 4


def _height(quads: Floats) -> float:
    """Median line height."""
    return max(1.0, float(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1))))


def _centre(quads: Floats) -> float:
    return float(quads[..., 0].min() + quads[..., 0].max()) / 2


def _polygon(quad: Floats) -> Polygon:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
