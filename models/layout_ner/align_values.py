"""Fields with their values as labels give them, rows of repeated groups among them, found on the lines of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.layout_ner.align import Spans, align
from models.layout_ner.example import Entity, Span, TextLine
from schemas.truth_fields import TruthField, TruthRow, TruthValue


def align_values(
    values: Mapping[str, TruthField], lines: Sequence[TextLine], page: int = 1
) -> tuple[list[Entity], set[str], dict[str, list[str]]]:
    """Find fields on a page.

    Args:
        values: the fields as :func:`schemas.truth_fields.parse_field` gives them.
        lines: in reading order.
        page: the page's number; a value's region on it tells which of several equal texts is meant.

    Returns:
        The entities; the names of what is not known or not found, in part or at all; and the values as printed by name.
    """
    entities: list[Entity] = []
    missing: set[str] = set()
    printed: dict[str, list[str]] = {}
    for name, occurrences in values.items():
        rows = [value for value in occurrences if not isinstance(value, TruthValue)]
        for value in occurrences:
            if isinstance(value, TruthValue):
                places = _places(value, lines, page, total=name == "total")
                entities += [Entity(name, spans, value=_typed(value)) for spans in places]
                _note(name, value, bool(places), missing, printed)
        entities += _align_rows(name, rows, lines, page, missing, printed)
    return entities, missing, printed


def _align_rows(
    name: str,
    rows: Sequence[TruthRow],
    lines: Sequence[TextLine],
    page: int,
    missing: set[str],
    printed: dict[str, list[str]],
) -> list[Entity]:
    """A row's longest value is found first, not twice the same place; its other values are those nearest in height."""
    entities: list[Entity] = []
    used: set[Span] = set()
    for group, row in enumerate(rows):
        parts = sorted(row.items(), key=lambda item: -max(map(len, item[1].texts), default=0))
        height: float | None = None
        for part, value in parts:
            places = [spans for spans in _places(value, lines, page) if used.isdisjoint(spans)]
            if height is not None:
                # mypy cannot tell the type of a default in a lambda
                places.sort(key=lambda spans, here=height: abs(_middle(lines[spans[0].line]) - here))  # type: ignore[misc]
            if places:
                used |= set(places[0])
                height = _middle(lines[places[0][0].line]) if height is None else height
                entities.append(Entity(f"{name}.{part}", places[0], group, _typed(value)))
            _note(f"{name}.{part}", value, bool(places), missing, printed)
    return entities


def _places(value: TruthValue, lines: Sequence[TextLine], page: int, *, total: bool = False) -> list[Spans]:
    if not value.known:
        return []
    here = [region.polygon for region in value.regions if region.page == page]
    numbers = [n for n, line in enumerate(lines) if any(_inside(line, polygon) for polygon in here)] if here else []
    if not numbers:
        return align(value.texts[0], lines, total=total)
    places = align(value.texts[0], [lines[number] for number in numbers])
    return [tuple(Span(numbers[span.line], span.start, span.end) for span in spans) for spans in places]


def _note(name: str, value: TruthValue, found: bool, missing: set[str], printed: dict[str, list[str]]) -> None:
    if value.known:
        printed.setdefault(name, []).append(value.texts[0])
    if not found:
        missing.add(name)


def _typed(value: TruthValue) -> str | None:
    return value.texts[-1] if len(value.texts) > 1 else None


def _middle(line: TextLine) -> float:
    return sum(y for _, y in line.polygon) / len(line.polygon)


def _inside(line: TextLine, polygon: Sequence[tuple[float, float]]) -> bool:
    """Whether a line's box and a region's share half of the smaller one's height and anything of its width."""
    left, right, top, bottom = _box(line.polygon)
    a, b, c, d = _box(polygon)
    across = min(bottom, d) - max(top, c)
    return min(right, b) > max(left, a) and across >= 0.5 * min(bottom - top, d - c)


def _box(polygon: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), max(xs), min(ys), max(ys)
