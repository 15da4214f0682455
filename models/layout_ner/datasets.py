"""Labelled pages from a folder, on the lines as labelled or on those that the engine read.

A folder holds a ``labels.jsonl`` (pages with fields, FUNSD and XFUND forms, the generator's own pages) or a
``Label.txt`` as PPOCRLabel writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from models.layout_ner.align_values import align_values
from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.kie_labels import LABEL_FILE, examples_of
from models.layout_ner.label_records import FORM_NAMES, PageRecord, example_of, four
from models.layout_ner.read_page import ReadPage, load_read_pages
from models.layout_ner.transfer import transfer
from schemas.doctypes import DocType, load_doctypes
from schemas.errors import DatasetError
from schemas.truth import FORM, LABELS, OTHER
from schemas.truth_fields import parse_field

Order = Callable[[npt.NDArray[Any], tuple[float, float]], Sequence[int]]
"""Reading order: quads (N, 4, 2) and the page's size to line numbers."""

_SAME_SHAPE = 0.02  # by which the proportions of the labelled and of the read page may differ


def load_examples(
    folder: Path,
    read_lines: Path | None = None,
    *,
    doc_type: str | None = None,
    doctypes: Mapping[str, DocType] | None = None,
    order: Order | None = None,
) -> list[Example]:
    """Load the labelled pages of a folder.

    Args:
        folder: holds ``labels.jsonl`` or ``Label.txt``.
        read_lines: the file of lines that the engine read from these images (see
            :mod:`models.layout_ner.read_page`); the labels are carried over to them. None: the lines as labelled.
        doc_type: the type of pages whose labels do not tell it.
        doctypes: all types; None: the built-in ones.
        order: puts labelled lines into reading order first, for labels that list them otherwise.

    Returns:
        The pages, in the order of the labels. Fields that the labels say nothing about, or whose value is not found
        on the lines, are ``unknown``.

    Raises:
        DatasetError: no labels there, or they do not fit the format; the message names the file and the line.
    """
    types = load_doctypes() if doctypes is None else doctypes
    pages = load_read_pages(read_lines) if read_lines is not None else None
    examples: list[Example] = []
    labels, kie = folder / LABELS, folder / LABEL_FILE
    if labels.is_file():
        for where, record in _records(labels):
            name = record.image if record.page == 1 else f"{record.image}#{record.page}"
            kind = record.doc_type or (FORM if record.is_form else doc_type)
            if kind is None:
                raise DatasetError(f'{where}: doc_type is missing; if the page is of no known type, write "{OTHER}"')
            example = _ordered(example_of(record, name, kind), order)
            read = _read(pages, example, read_lines, where)
            if record.entities is None and not record.is_form:
                example = _with_fields(example, record, read, types, where)
            elif read is not None:
                example = transfer(example, read)
            examples.append(_checked(example, types, where))
    elif kie.is_file():
        for where, example in examples_of(kie, doc_type):
            read = _read(pages, example, read_lines, where)
            example = _ordered(example, order) if read is None else transfer(example, read)
            examples.append(_checked(example, types, where))
    else:
        raise DatasetError(f"{folder}: neither {LABELS} nor {LABEL_FILE} is there")
    if not examples:
        raise DatasetError(f"{folder}: its labels are empty")
    return examples


def field_names(doctype: DocType) -> frozenset[str]:
    """The names that entities of a type can have: fields without parts, and the parts."""
    if doctype.name == FORM:
        return frozenset(FORM_NAMES)
    return frozenset(name for name, field in doctype.walk() if not field.parts)


def _records(labels: Path) -> Iterator[tuple[str, PageRecord]]:
    try:
        rows = labels.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{labels}: it is not UTF-8 text ({error.reason} at byte {error.start})") from error
    except OSError as error:
        raise DatasetError(f"{labels}: it cannot be read ({error.strerror or error})") from error
    for number, row in enumerate(rows, 1):
        if row.strip():
            where = f"{labels}, line {number}"
            try:
                yield where, PageRecord.model_validate_json(row)
            except ValidationError as error:
                first = error.errors()[0]
                key = ".".join(map(str, first["loc"]))
                raise DatasetError(f"{where}: {key + ': ' if key else ''}{first['msg']}") from error


def _with_fields(
    example: Example, record: PageRecord, read: list[TextLine] | None, types: Mapping[str, DocType], where: str
) -> Example:
    """The page with its fields, given by value, found on its lines or on those that were read."""
    lines = example.lines if read is None else read
    values = {name: parse_field(name, given) for name, given in record.fields.items()}
    entities, missing, printed = align_values(values, lines, record.page)
    doctype = types.get(example.doc_type or "")
    silent: set[str] = set()
    if doctype is not None:
        silent = {name for name in field_names(doctype) if name.partition(".")[0] not in values}
    return replace(
        example, lines=lines, entities=entities, values=printed, unknown=record.unknown | frozenset(missing | silent)
    )


def _checked(example: Example, types: Mapping[str, DocType], where: str) -> Example:
    """The page itself, if its type and the names of its entities exist."""
    if example.doc_type is None:
        return example
    doctype = types.get(example.doc_type)
    if doctype is None:
        raise DatasetError(
            f"{where}: there is no document type {example.doc_type!r}; known are {', '.join(types)} and {OTHER}"
        )
    names = field_names(doctype)
    for entity in example.entities:
        if entity.name not in names:
            raise DatasetError(
                f"{where}: a {doctype.name} has no field {entity.name!r}; it has {', '.join(sorted(names))}"
            )
    return example


def _read(
    pages: Mapping[str, ReadPage] | None, example: Example, read_lines: Path | None, where: str
) -> list[TextLine] | None:
    """The lines that were read of this page, in the frame of its labels; None if they are not asked for."""
    if pages is None:
        return None
    page = pages.get(example.name)
    if page is None:
        raise DatasetError(
            f"{where}: {example.name} is not in {read_lines}; read this folder's images again (of each its first page)"
        )
    across, down = example.width / page.width, example.height / page.height
    if abs(across / down - 1) > _SAME_SHAPE:
        raise DatasetError(
            f"{where}: {example.name} is labelled as {example.width:g} x {example.height:g} pixels, but the image has "
            f"{page.width} x {page.height}; labels must count in the image's own frame"
        )
    if across == down == 1:
        return page.lines
    return [TextLine(line.text, four(tuple((x * across, y * down) for x, y in line.polygon))) for line in page.lines]


def _ordered(example: Example, order: Order | None) -> Example:
    """The page with its lines in reading order."""
    if order is None or not example.lines:
        return example
    quads = np.array([line.polygon for line in example.lines], np.float32)
    numbers = order(quads, (example.width, example.height))
    place = {number: position for position, number in enumerate(numbers)}
    entities = [
        Entity(e.name, tuple(Span(place[s.line], s.start, s.end) for s in e.spans), e.group, e.value)
        for e in example.entities
    ]
    return replace(example, lines=[example.lines[number] for number in numbers], entities=entities)
