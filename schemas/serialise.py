"""Documents to JSON and back. The shape is documented in docs/json.md and checked in as docs/document.schema.json.

The typed dictionaries below are the one definition of the JSON: the key order, the JSON Schema and the validation
in :func:`from_json` all come from them.
"""

from __future__ import annotations

import math
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, NotRequired

import orjson
from annotated_types import Ge, Le
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from schemas.document import Document, Line, Notice, Page, Point, Polygon, StageTiming, Word
from schemas.errors import InklaneError

CONFIDENCE_DIGITS = 4
PIXEL_DIGITS = 2
MILLISECOND_DIGITS = 3

Fraction = Annotated[float, Ge(0), Le(1)]
Milliseconds = Annotated[float, Ge(0)]
Count = Annotated[int, Ge(0)]
PageNumber = Annotated[int, Ge(1)]


class WordJson(TypedDict):
    """One word of a line."""

    text: str
    confidence: Fraction
    polygon: Polygon


class LineJson(TypedDict):
    """One text line. `words` is there only when it was asked for."""

    text: str
    confidence: Fraction
    polygon: Polygon
    words: NotRequired[list[WordJson]]


class NoticeJson(TypedDict):
    """A warning or an error: a stable code, a sentence, and the page it is about (null: the whole document)."""

    code: str
    message: str
    page: PageNumber | None


class PageJson(TypedDict):
    """One page. `error` is there only when the page could not be read."""

    page: PageNumber
    width: Count
    height: Count
    angle: int
    lines: list[LineJson]
    error: NotRequired[NoticeJson]


class StageTimingJson(TypedDict):
    """Milliseconds that one document spent in one stage, summed over its `items`."""

    queue_ms: Milliseconds
    busy_ms: Milliseconds
    network_ms: Milliseconds
    items: Count


class TimingsJson(TypedDict):
    """From acceptance to result, and where the time went."""

    elapsed_ms: Milliseconds
    stages: dict[str, StageTimingJson]


class DocumentJson(TypedDict):
    """What was read from one document."""

    file: str
    doc_type: str | None
    fields: dict[str, Any]
    pages: list[PageJson]
    warnings: list[NoticeJson]
    timings: TimingsJson
    models: dict[str, str]


_ADAPTER: TypeAdapter[DocumentJson] = TypeAdapter(DocumentJson)


def to_json(document: Document, *, indent: bool = False) -> bytes:
    """UTF-8 JSON of a document, whatever the locale.

    The result never holds NaN, infinity or NumPy types: a number that is not finite becomes 0 (null inside
    ``fields``), NumPy scalars and arrays become numbers and lists. A lone surrogate (from a file name that is no
    valid UTF-8) becomes U+FFFD.

    Args:
        document: what was read.
        indent: two spaces a level, for people; a polygon, or an object of plain values, is on one line.

    Raises:
        TypeError: ``fields`` holds something that JSON cannot express.
    """
    value = to_dict(document)
    return _indented(value, "\n").encode() if indent else orjson.dumps(value)


def failure_to_json(file: str, error: InklaneError) -> bytes:
    """The JSON that stands in the place of a document that could not be read: ``{"file": …, "error": …}``."""
    return orjson.dumps({"file": _text(file), "error": {"code": error.code, "message": _text(error.message)}})


def _indented(value: Any, newline: str) -> str:
    """JSON text of plain values; ``newline`` is a line feed and the indentation so far."""
    if _fits_one_line(value):
        return _on_one_line(value)
    inner = newline + "  "
    if isinstance(value, dict):
        pairs = (f"{_on_one_line(key)}: {_indented(item, inner)}" for key, item in value.items())
        return "{" + inner + f",{inner}".join(pairs) + newline + "}"
    return "[" + inner + f",{inner}".join(_indented(item, inner) for item in value) + newline + "]"


def _fits_one_line(value: Any) -> bool:
    if isinstance(value, dict):
        return not any(isinstance(item, dict | list | tuple) for item in value.values())
    if isinstance(value, list | tuple):
        return all(not isinstance(item, dict) and _fits_one_line(item) for item in value)
    return True


def _on_one_line(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_on_one_line(key)}: {_on_one_line(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_on_one_line, value)) + "]"
    return orjson.dumps(value).decode()


def to_dict(document: Document) -> DocumentJson:
    """The document as plain dictionaries, lists, strings and numbers, keys in the order of the JSON."""
    return {
        "file": _text(document.file),
        "doc_type": None if document.doc_type is None else _text(document.doc_type),
        "fields": {_text(str(key)): _plain(value, f"fields.{key}") for key, value in document.fields.items()},
        "pages": [_page(page) for page in document.pages],
        "warnings": [_notice(notice) for notice in document.warnings],
        "timings": {
            "elapsed_ms": _milliseconds(document.elapsed_ms),
            "stages": {_text(name): _timing(timing) for name, timing in document.timings.items()},
        },
        "models": {_text(task): _text(name) for task, name in document.models.items()},
    }


def from_json(data: bytes | str) -> Document:
    """Read back what :func:`to_json` wrote. Unknown keys, which a later version may add, are passed over.

    Raises:
        ValueError: not JSON, or not a document; the message says which key is wrong.
    """
    try:
        value = _ADAPTER.validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"not the JSON of a document: {where + ': ' if where else ''}{first['msg']}") from error
    return Document(
        file=value["file"],
        doc_type=value["doc_type"],
        fields=value["fields"],
        pages=[_read_page(page) for page in value["pages"]],
        warnings=[Notice(**notice) for notice in value["warnings"]],
        timings={name: StageTiming(**timing) for name, timing in value["timings"]["stages"].items()},
        elapsed_ms=value["timings"]["elapsed_ms"],
        models=value["models"],
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_ADAPTER.json_schema()}


def _page(page: Page) -> PageJson:
    result: PageJson = {
        "page": int(page.page),
        "width": int(page.width),
        "height": int(page.height),
        "angle": int(page.angle),
        "lines": [_line(line) for line in page.lines],
    }
    if page.error is not None:
        result["error"] = _notice(page.error)
    return result


def _line(line: Line) -> LineJson:
    result: LineJson = {
        "text": _text(line.text),
        "confidence": _confidence(line.confidence),
        "polygon": _polygon(line.polygon),
    }
    if line.words is not None:
        result["words"] = [
            {"text": _text(w.text), "confidence": _confidence(w.confidence), "polygon": _polygon(w.polygon)}
            for w in line.words
        ]
    return result


def _read_page(page: PageJson) -> Page:
    lines = [
        Line(
            text=line["text"],
            confidence=line["confidence"],
            polygon=line["polygon"],
            words=[Word(**word) for word in line["words"]] if "words" in line else None,
        )
        for line in page["lines"]
    ]
    error = Notice(**page["error"]) if "error" in page else None
    return Page(page["page"], page["width"], page["height"], page["angle"], lines, error)


def _notice(notice: Notice) -> NoticeJson:
    page = None if notice.page is None else int(notice.page)
    return {"code": _text(notice.code), "message": _text(notice.message), "page": page}


def _timing(timing: StageTiming) -> StageTimingJson:
    return {
        "queue_ms": _milliseconds(timing.queue_ms),
        "busy_ms": _milliseconds(timing.busy_ms),
        "network_ms": _milliseconds(timing.network_ms),
        "items": int(timing.items),
    }


def _text(text: str) -> str:
    """The same text without lone surrogates, which UTF-8 cannot hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str(text)


def _number(value: float, digits: int) -> float:
    number = float(value)
    return round(number, digits) if math.isfinite(number) else 0.0


def _confidence(value: float) -> float:
    return min(1.0, max(0.0, _number(value, CONFIDENCE_DIGITS)))


def _milliseconds(value: float) -> float:
    return max(0.0, _number(value, MILLISECOND_DIGITS))


def _polygon(polygon: Polygon) -> Polygon:
    a, b, c, d = (_point(point) for point in polygon)
    return a, b, c, d


def _point(point: Point) -> Point:
    return _number(point[0], PIXEL_DIGITS), _number(point[1], PIXEL_DIGITS)


def _plain(value: Any, where: str) -> Any:
    """A field's value as JSON can hold it. NumPy's values are known by their methods, so that it need not be here."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return _plain(value.value, where)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**64 else str(int(value))  # JSON writers stop at 64 bits
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value), where)
    if isinstance(value, dict):
        return {_text(str(key)): _plain(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, f"{where}.{index}") for index, item in enumerate(value)]
    if hasattr(value, "tolist"):
        return _plain(value.tolist(), where)
    raise TypeError(f"{where}: a value of type {type(value).__name__} cannot be written as JSON")


if __name__ == "__main__":
    print(orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2).decode())
