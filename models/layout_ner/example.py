"""A labelled page: lines of text with their polygons, and which of their characters are which field."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.document import Polygon


@dataclass(slots=True)
class TextLine:
    """One line of text, its polygon in page pixels, clockwise from the text's own top left."""

    text: str
    polygon: Polygon


@dataclass(slots=True, frozen=True)
class Span:
    """Characters ``start`` to ``end`` (exclusive) of line number ``line``."""

    line: int
    start: int
    end: int


@dataclass(slots=True)
class Entity:
    """One occurrence of a field: its characters, over one line or several, in reading order.

    ``name`` is the field's name within its document type (``total``; ``items.amount`` for a part of a repeated
    group). ``group`` is the row for parts of a repeated group; None otherwise. ``value`` is the typed value as a
    string (ISO 8601 date, decimal number, normalised text) where it is known.
    """

    name: str
    spans: tuple[Span, ...]
    group: int | None = None
    value: str | None = None


@dataclass(slots=True)
class Example:
    """One labelled page.

    ``doc_type`` is None for a page that is none of the known types. ``unknown`` are fields that the truth says nothing
    about: their absence from ``entities`` means nothing. ``links`` are pairs of entity numbers, question to answer
    (forms only). ``values`` are the truths to compare with, by field, as printed; several for repeated ones.
    """

    name: str
    doc_type: str | None
    width: float
    height: float
    lines: list[TextLine]
    entities: list[Entity] = field(default_factory=list)
    unknown: frozenset[str] = frozenset()
    links: list[tuple[int, int]] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)

    def text_of(self, entity: Entity) -> str:
        """The entity's characters; lines are joined by a space unless both sides are ideographs."""
        return join_lines([self.lines[span.line].text[span.start : span.end] for span in entity.spans])


def join_lines(parts: list[str]) -> str:
    """Join pieces of consecutive lines: by a space, but without one between ideographs."""
    text = ""
    for part in (part.strip() for part in parts):
        if text and part and not (_is_ideograph(text[-1]) and _is_ideograph(part[0])):
            text += " "
        text += part
    return text


def _is_ideograph(char: str) -> bool:
    return (
        "\u2e80" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or char >= "\U00020000"
        or "\uff00" <= char <= "\uffef"
    )
