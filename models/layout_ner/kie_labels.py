"""Labels as PPOCRLabel writes them for key information extraction: ``Label.txt``.

Each line is an image's path, a tab, and a JSON list of boxes: ``transcription``, ``points``, ``key_cls`` (or ``label``)
with the field's name, and for forms ``id`` and ``linking``. Format after PaddleOCR's documentation of PP-Structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from PIL import Image, UnidentifiedImageError
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter, ValidationError

from models.layout_ner.example import Entity, Example, Span, TextLine
from models.layout_ner.label_records import FORM_NAMES, form_links, with_values
from schemas.document import Polygon
from schemas.errors import DatasetError
from schemas.truth import FORM

LABEL_FILE = "Label.txt"

_NOTHING = frozenset({"", "none", "other", "others", "ignore", "background"})
_ILLEGIBLE = "###"  # what PPOCRLabel writes for text that nobody can read
_EXIF_ORIENTATION = 0x0112
_TURNED = (5, 6, 7, 8)  # Exif orientations that swap width and height


class _Box(BaseModel):
    model_config = ConfigDict(extra="ignore")

    transcription: str
    points: Annotated[list[tuple[FiniteFloat, FiniteFloat]], Field(min_length=4)]
    key: str = Field("", validation_alias=AliasChoices("key_cls", "label"))
    id: int | None = None
    linking: tuple[tuple[int, int], ...] = ()


_Boxes = TypeAdapter(list[_Box])


def rows_of(labels: Path) -> Iterator[tuple[str, str, Path, str]]:
    """Of each labelled image: where it stands in the file, its name, its path, and the JSON.

    Raises:
        DatasetError: the file cannot be read, a line has no tab, or an image is not there.
    """
    try:
        lines = labels.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{labels}: it is not UTF-8 text ({error.reason} at byte {error.start})") from error
    except OSError as error:
        raise DatasetError(f"{labels}: it cannot be read ({error.strerror or error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{labels}, line {number}"
        name, tab, boxes = line.partition("\t")
        if not tab:
            raise DatasetError(f"{where}: write the image's path, a tab, and the list of boxes")
        yield where, name, _image(labels.parent, name, where), boxes


def examples_of(labels: Path, doc_type: str | None) -> Iterator[tuple[str, Example]]:
    """Where each page is labelled, and the page; consecutive boxes of one field make one entity.

    Args:
        labels: the ``Label.txt``.
        doc_type: the type of all these documents, which the format does not tell; None: forms.

    Raises:
        DatasetError: see :func:`rows_of`; or a list of boxes does not fit, or there are fields but no type is given.
    """
    for where, name, path, text in rows_of(labels):
        try:
            boxes = _Boxes.validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise DatasetError(f"{where}: {key + ': ' if key else ''}{first['msg']}") from error
        yield where, _example(name, doc_type or _only_form(boxes, where), boxes, _size(path, where))


def _only_form(boxes: Sequence[_Box], where: str) -> str:
    for box in boxes:
        key = box.key.strip().lower()
        if key not in _NOTHING and key not in FORM_NAMES:
            raise DatasetError(f"{where}: {key!r} is a field; say which document type these labels are for")
    return FORM


def _example(name: str, doc_type: str, boxes: Sequence[_Box], size: tuple[int, int]) -> Example:
    example = Example(name, doc_type, *size, lines=[])
    numbers: dict[int, int] = {}
    previous: str | None = None
    for box in boxes:
        text = " ".join(box.transcription.split())
        if not text or text == _ILLEGIBLE:
            continue
        span = Span(len(example.lines), 0, len(text))
        example.lines.append(TextLine(text, _polygon(box.points)))
        key = box.key.strip().lower()
        if key in _NOTHING:
            previous = None
            continue
        if key == previous and key not in FORM_NAMES and "." not in key:
            last = example.entities[-1]
            example.entities[-1] = Entity(last.name, (*last.spans, span))
        else:
            example.entities.append(Entity(key, (span,)))
        if box.id is not None:
            numbers[box.id] = len(example.entities) - 1
        previous = key
    pairs = (pair for box in boxes for pair in box.linking)
    example.links = form_links(example, ((numbers.get(a), numbers.get(b)) for a, b in pairs))
    return with_values(example)


def _polygon(points: Sequence[tuple[float, float]]) -> Polygon:
    """Four points as they are; of more, the upright rectangle around them."""
    if len(points) == 4:
        return points[0], points[1], points[2], points[3]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))


def _image(folder: Path, name: str, where: str) -> Path:
    """PPOCRLabel writes the folder's own name before the file's; other tools write the path from the labels."""
    root = folder.resolve()
    for path in (root / name, root.parent / name):
        if path.is_file() and path.resolve().is_relative_to(root):
            return path
    raise DatasetError(f"{where}: the image {name} is not in {folder}")


def _size(path: Path, where: str) -> tuple[int, int]:
    """Width and height as the image is shown."""
    try:
        with Image.open(path) as image:
            width, height = image.size
            turned = image.getexif().get(_EXIF_ORIENTATION) in _TURNED
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise DatasetError(f"{where}: the image {path} cannot be opened ({error})") from error
    return (height, width) if turned else (width, height)
