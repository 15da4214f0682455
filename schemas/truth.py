"""Ground truth: documents whose right text is known, from a ``labels.jsonl``. The format is in docs/evaluation.md.

One JSON object a line describes one page: ``image`` (a path beside the file), ``width``, ``height``, ``lines`` (each
``text`` and ``polygon``; on forms also ``label``, ``id`` and ``linking``) and, for files with several pages, ``page``.
``doc_type`` and ``fields`` are about the document. Records of one ``image`` make one document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Gt
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, field_validator

from schemas.document import Polygon
from schemas.errors import DatasetError
from schemas.truth_fields import TruthField, parse_field

LABELS = "labels.jsonl"

FORM = "form"
OTHER = "other"
"""The ``doc_type`` of a document that is known to be of none of the types. Without ``doc_type`` it is not known."""


@dataclass(slots=True, frozen=True)
class TruthLine:
    """One text line as it should be read, its polygon in pixels of the upright page.

    ``label`` is what it is on a form (``question``, ``answer``, ``header`` or ``other``), ``id`` its number there:
    lines of one number make one entity. ``linking`` holds pairs of such numbers, question to answer. As in FUNSD.
    """

    text: str
    polygon: Polygon
    label: str | None = None
    id: int | None = None
    linking: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True, frozen=True)
class TruthPage:
    """One page as it should be read. The polygons count in a frame of ``width`` times ``height`` pixels."""

    page: int
    width: float
    height: float
    lines: tuple[TruthLine, ...]


@dataclass(slots=True)
class TruthDocument:
    """One file, its labelled pages in order and, where known, its type and fields.

    ``name`` is the path as the labels give it, ``path`` the file itself. ``doc_type`` is ``form`` also where it is not
    given but lines are labelled as questions or answers. ``fields`` are as the labels give them (see
    :mod:`schemas.truth_fields`), ``unknown`` the fields that the labels say nothing about.
    """

    name: str
    path: Path
    pages: list[TruthPage]
    doc_type: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()

    @property
    def values(self) -> dict[str, TruthField]:
        """The fields' values, by name."""
        return {name: parse_field(name, given) for name, given in self.fields.items()}


class _LineRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str
    polygon: tuple[tuple[FiniteFloat, FiniteFloat], ...] = Field(min_length=4, max_length=4)
    label: str | None = None
    id: int | None = None
    linking: tuple[tuple[int, int], ...] = ()


class _PageRecord(BaseModel):
    model_config = ConfigDict(extra="ignore")

    image: str = Field(min_length=1)
    width: Annotated[FiniteFloat, Gt(0)]
    height: Annotated[FiniteFloat, Gt(0)]
    lines: list[_LineRecord]
    page: int = Field(1, ge=1)
    doc_type: str | None = Field(None, min_length=1)
    fields: dict[str, Any] = Field(default_factory=dict)
    unknown: frozenset[str] = frozenset()

    @field_validator("fields")
    @classmethod
    def _readable(cls, fields: dict[str, Any]) -> dict[str, Any]:
        for name, given in fields.items():
            parse_field(name, given)
        return fields


def load_truth(dataset: Path, *, limit: int | None = None) -> list[TruthDocument]:
    """Read the labels of a dataset.

    Args:
        dataset: a folder with a ``labels.jsonl``, or such a file.
        limit: stop after so many documents; None reads all.

    Returns:
        The documents in the order of their first record.

    Raises:
        DatasetError: no labels there, a line that does not fit the format (the message gives its number), an image
            that does not exist or leads out of the dataset's folder, or nothing labelled at all.
    """
    labels = dataset / LABELS if dataset.is_dir() else dataset
    if not labels.is_file():
        raise DatasetError(f"{dataset}: no {LABELS} there; a dataset is a folder with {LABELS} and its images")
    documents: dict[str, TruthDocument] = {}
    for number, text in _numbered_lines(labels):
        where = f"{labels}, line {number}"
        record = _parse(text, where)
        document = documents.get(record.image)
        if document is None:
            if limit is not None and len(documents) >= limit:
                continue  # not the end: a later record may hold another page of a document that counts
            document = TruthDocument(record.image, _image_path(labels.parent, record.image, where), [])
            documents[record.image] = document
        if any(page.page == record.page for page in document.pages):
            raise DatasetError(f"{where}: page {record.page} of {record.image} is labelled twice")
        document.pages.append(_page(record))
        if record.doc_type and document.doc_type and record.doc_type != document.doc_type:
            raise DatasetError(f"{where}: {record.image} is a {document.doc_type} by an earlier record")
        document.doc_type = document.doc_type or record.doc_type
        document.fields.update(record.fields)
        document.unknown |= record.unknown
    if not documents:
        raise DatasetError(f"{labels}: it labels no document")
    for document in documents.values():
        document.pages.sort(key=lambda page: page.page)
        if document.doc_type is None and _labelled_as_form(document):
            document.doc_type = FORM
    return list(documents.values())


def _numbered_lines(labels: Path) -> Iterator[tuple[int, str]]:
    try:
        with labels.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    yield number, text
    except UnicodeDecodeError as error:
        raise DatasetError(f"{labels}: it is not UTF-8 text ({error.reason} at byte {error.start})") from error
    except OSError as error:
        raise DatasetError(f"{labels}: it cannot be read ({error.strerror or error})") from error


def _parse(text: str, where: str) -> _PageRecord:
    try:
        return _PageRecord.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise DatasetError(f"{where}: {key + ': ' if key else ''}{first['msg']}") from error


def _image_path(folder: Path, image: str, where: str) -> Path:
    root = folder.resolve()
    path = (root / image).resolve()
    if not path.is_relative_to(root):
        raise DatasetError(f"{where}: the image {image} lies outside the dataset's folder")
    if not path.is_file():
        raise DatasetError(f"{where}: the image {image} does not exist")
    return path


def _page(record: _PageRecord) -> TruthPage:
    lines = tuple(
        TruthLine(re.sub(r"\s+", " ", line.text).strip(), _four(line.polygon), line.label, line.id, line.linking)
        for line in record.lines
    )
    return TruthPage(record.page, record.width, record.height, lines)


def _labelled_as_form(document: TruthDocument) -> bool:
    return any(line.label in {"question", "answer"} for page in document.pages for line in page.lines)


def _four(points: tuple[tuple[float, float], ...]) -> Polygon:
    a, b, c, d = points
    return a, b, c, d
