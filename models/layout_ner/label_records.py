"""One line of a ``labels.jsonl`` as training sees it: with ``entities``, with labelled lines (forms), or with fields.

The format is that of :mod:`schemas.truth`, and for pages whose every character is known (the generator's own) also:
``entities``, each with ``name``, ``spans`` (a list of line number, start, end in the line's text), and where it has
them ``group`` and ``value``; and ``links``, pairs of entity numbers, question to answer.
"""

from __future__ import annotations

from typing import Annotated, Any

from annotated_types import Ge, Gt
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, field_validator, model_validator

from models.layout_ner.example import Entity, Example, Span, TextLine
from schemas.document import Polygon
from schemas.truth import FORM, OTHER
from schemas.truth_fields import parse_field

Points = Annotated[tuple[tuple[FiniteFloat, FiniteFloat], ...], Field(min_length=4, max_length=4)]
Count = Annotated[int, Ge(0)]
Size = Annotated[FiniteFloat, Gt(0)]

FORM_NAMES = ("header", "question", "answer")
ROW = 0.5  # of a word's height: a word that lies so much lower begins a new line


class WordRecord(BaseModel):
    """A word of a labelled block of text (FUNSD)."""

    model_config = ConfigDict(extra="ignore")

    text: str
    polygon: Points


class LineRecord(BaseModel):
    """A line; with ``label``, an entity of a form: a block of text that its ``words`` may show to have several rows."""

    model_config = ConfigDict(extra="ignore")

    text: str
    polygon: Points
    label: str | None = None
    id: int | None = None
    linking: tuple[tuple[int, int], ...] = ()
    words: tuple[WordRecord, ...] = ()


class EntityRecord(BaseModel):
    """See :class:`models.layout_ner.example.Entity`."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(min_length=1)
    spans: tuple[tuple[Count, Count, Count], ...] = Field(min_length=1)
    group: int | None = None
    value: str | None = None


class PageRecord(BaseModel):
    """A page."""

    model_config = ConfigDict(extra="ignore")

    image: str = Field(min_length=1)
    width: Size
    height: Size
    lines: list[LineRecord]
    page: int = Field(1, ge=1)
    doc_type: str | None = Field(None, min_length=1)
    fields: dict[str, Any] = Field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    entities: list[EntityRecord] | None = None
    links: list[tuple[Count, Count]] = Field(default_factory=list)

    @field_validator("fields")
    @classmethod
    def _readable(cls, fields: dict[str, Any]) -> dict[str, Any]:
        for name, given in fields.items():
            parse_field(name, given)
        return fields

    @model_validator(mode="after")
    def _inside(self) -> PageRecord:
        for number, entity in enumerate(self.entities or ()):
            for line, start, end in entity.spans:
                if line >= len(self.lines) or not start < end <= len(self.lines[line].text):
                    raise ValueError(f"entities.{number}: there are no characters {start} to {end} in line {line}")
        if any(max(link) >= len(self.entities or ()) for link in self.links):
            raise ValueError("links: an entity that is not there")
        return self

    @property
    def is_form(self) -> bool:
        """Whether lines are labelled as parts of a form."""
        return any(line.label in FORM_NAMES for line in self.lines)


def example_of(record: PageRecord, name: str, doc_type: str) -> Example:
    """The page as far as its lines alone are labelled: entities of a form or of the generator, none otherwise.

    ``doc_type`` is a type's name or ``other``. Lines without text are left out.
    """
    kind = None if doc_type == OTHER else doc_type
    if record.entities is None and record.is_form:
        return _form(record, name, kind)
    numbers: dict[int, int] = {}
    lines: list[TextLine] = []
    for number, line in enumerate(record.lines):
        if line.text.strip():
            numbers[number] = len(lines)
            lines.append(TextLine(line.text, four(line.polygon)))
    example = Example(name, kind, record.width, record.height, lines, unknown=record.unknown)
    kept: dict[int, int] = {}
    for number, entity in enumerate(record.entities or ()):
        spans = tuple(Span(numbers[line], start, end) for line, start, end in entity.spans if line in numbers)
        if spans:
            kept[number] = len(example.entities)
            example.entities.append(Entity(entity.name, spans, entity.group, entity.value))
    example.links = [(kept[a], kept[b]) for a, b in record.links if a in kept and b in kept]
    return with_values(example)


def record_of(example: Example, image: str) -> dict[str, Any]:
    """The record of a page whose every entity is labelled, for ``labels.jsonl``; also readable as ground truth."""
    fields: dict[str, Any] = {}
    rows: dict[str, dict[int, dict[str, Any]]] = {}
    for entity in example.entities:
        given: dict[str, Any] = {"content": example.text_of(entity)}
        if entity.value is not None:
            given["value"] = entity.value
        head, _, part = entity.name.partition(".")
        if part:
            row = rows.setdefault(head, {}).setdefault(entity.group or 0, {})
            row.setdefault(part, given)
        else:
            fields.setdefault(entity.name, given)  # of several occurrences the first
    fields |= {head: [rows[head][group] for group in sorted(rows[head])] for head in rows}
    record: dict[str, Any] = {
        "image": image,
        "width": example.width,
        "height": example.height,
        "doc_type": example.doc_type or OTHER,
        "lines": [{"text": line.text, "polygon": [list(point) for point in line.polygon]} for line in example.lines],
        "entities": [_entity_record(entity) for entity in example.entities],
    }
    if example.doc_type == FORM:  # its pairs are in the entities and links
        record["links"] = [list(link) for link in example.links]
    elif fields:
        record["fields"] = fields
    if example.unknown:
        record["unknown"] = sorted(example.unknown)
    return record


def with_values(example: Example) -> Example:
    """Fill in ``values`` from the entities, in place."""
    for entity in example.entities:
        example.values.setdefault(entity.name, []).append(example.text_of(entity))
    return example


def four(points: tuple[tuple[float, float], ...]) -> Polygon:
    """The polygon that the validated points are."""
    a, b, c, d = points
    return a, b, c, d


def _entity_record(entity: Entity) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": entity.name,
        "spans": [[span.line, span.start, span.end] for span in entity.spans],
    }
    if entity.group is not None:
        record["group"] = entity.group
    if entity.value is not None:
        record["value"] = entity.value
    return record


# --- forms --------------------------------------------------------------------------------------------------------


def _form(record: PageRecord, name: str, doc_type: str | None) -> Example:
    example = Example(name, doc_type, record.width, record.height, [], unknown=record.unknown)
    numbers: dict[int, int] = {}
    for line in record.lines:
        rows = _rows(line)
        first = len(example.lines)
        example.lines += rows
        if rows and line.label in FORM_NAMES:
            if line.id is not None:
                numbers[line.id] = len(example.entities)
            spans = tuple(Span(first + number, 0, len(row.text)) for number, row in enumerate(rows))
            example.entities.append(Entity(line.label, spans))
    pairs = (pair for line in record.lines for pair in line.linking)
    example.links = form_links(example, ((numbers.get(a), numbers.get(b)) for a, b in pairs))
    return with_values(example)


def form_links(example: Example, pairs: Any) -> list[tuple[int, int]]:
    """Of links between entity numbers those between a question and an answer, once each, the question first."""
    links: dict[tuple[int, int], None] = {}
    for a, b in pairs:
        if a is None or b is None:
            continue
        names = example.entities[a].name, example.entities[b].name
        if names == ("question", "answer"):
            links[a, b] = None
        elif names == ("answer", "question"):
            links[b, a] = None
    return list(links)


def _rows(line: LineRecord) -> list[TextLine]:
    """The lines of a block, told by how its words stand; without words it is one line."""
    words = [word for word in line.words if word.text.strip()]
    if not words:
        text = " ".join(line.text.split())
        return [TextLine(text, four(line.polygon))] if text else []
    rows: list[list[WordRecord]] = []
    for word in words:
        middle, height = _middle(word)
        if rows and middle - _middle(rows[-1][-1])[0] <= ROW * min(height, _middle(rows[-1][-1])[1]):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [TextLine(" ".join(" ".join(word.text.split()) for word in row), _around(row)) for row in rows]


def _middle(word: WordRecord) -> tuple[float, float]:
    """Middle and extent in height."""
    ys = [point[1] for point in word.polygon]
    return sum(ys) / len(ys), max(ys) - min(ys)


def _around(words: list[WordRecord]) -> Polygon:
    xs = [point[0] for word in words for point in word.polygon]
    ys = [point[1] for word in words for point in word.polygon]
    return (min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))
