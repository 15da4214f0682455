"""Pages as the engine read them, kept as one JSON object a line, so that a data set is read only once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from models.layout_ner.example import TextLine
from schemas.document import Polygon
from schemas.errors import DatasetError


@dataclass(slots=True)
class ReadPage:
    """The lines of one image, in reading order.

    ``name`` is the image's path relative to its data set; ``key`` changes with the file's content and with whatever
    read it. ``width`` and ``height`` are pixels of the image as it is stored (after its Exif orientation), and so are
    the polygons, even if the engine turned the page by ``angle`` degrees clockwise to read it.
    """

    name: str
    key: str
    width: int
    height: int
    angle: int = 0
    lines: list[TextLine] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str
    polygon: tuple[tuple[FiniteFloat, FiniteFloat], ...] = Field(min_length=4, max_length=4)
    confidence: float = 1.0


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    key: str = ""
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    angle: int = 0
    lines: list[_Line]


def to_json(page: ReadPage) -> bytes:
    """One record, with the line break that ends it."""
    lines = [
        {"text": line.text, "polygon": line.polygon, "confidence": confidence}
        for line, confidence in zip(page.lines, page.confidences, strict=True)
    ]
    record = {
        "name": page.name,
        "key": page.key,
        "width": page.width,
        "height": page.height,
        "angle": page.angle,
        "lines": lines,
    }
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def load_read_pages(path: Path, *, broken_end: bool = False) -> dict[str, ReadPage]:
    """Pages by name, in the order of the file; of two with one name the later counts.

    Args:
        path: the file of records.
        broken_end: leave out a last line that is not whole, as an interrupted run may leave it behind.

    Raises:
        DatasetError: the file cannot be read, or a line of it does not fit; the message gives its number.
    """
    try:
        rows = path.read_bytes().split(b"\n")
    except OSError as error:
        raise DatasetError(f"{path}: the lines that were read cannot be opened ({error.strerror or error})") from error
    if broken_end:
        rows.pop()  # what follows the last line break: nothing, or part of a record
    pages: dict[str, ReadPage] = {}
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            record = _Record.model_validate_json(row)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise DatasetError(f"{path}, line {number}: {key + ': ' if key else ''}{first['msg']}") from error
        pages[record.name] = ReadPage(
            record.name,
            record.key,
            record.width,
            record.height,
            record.angle,
            [TextLine(line.text, _four(line.polygon)) for line in record.lines],
            [line.confidence for line in record.lines],
        )
    return pages


def _four(points: tuple[tuple[float, float], ...]) -> Polygon:
    a, b, c, d = points
    return a, b, c, d
