"""Documents to JSON and back. The shape is documented in docs/json.md and checked in as docs/document.schema.json.

The typed dictionaries in :mod:`schemas.json_types` are the one definition of the JSON: the key order, the JSON Schema
and the validation in :func:`from_json` all come from them.
"""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from schemas.document import Document, Line, Notice, Page, StageTiming, Word
from schemas.errors import InklaneError
from schemas.field_json import fields_from_json, fields_to_json
from schemas.json_types import DocumentJson, LineJson, NoticeJson, PageJson, StageTimingJson
from schemas.plain import confidence, milliseconds, polygon_of, text_of

_ADAPTER: TypeAdapter[DocumentJson] = TypeAdapter(DocumentJson)


def to_json(document: Document, *, indent: bool = False) -> bytes:
    """UTF-8 JSON of a document, whatever the locale.

    The result never holds NaN, infinity or NumPy types: a number that is not finite becomes 0 (null as the value of a
    field), NumPy scalars become numbers. A lone surrogate (from a file name that is no
    valid UTF-8) becomes U+FFFD.

    Args:
        document: what was read.
        indent: two spaces a level, for people; a polygon, or an object of plain values, is on one line.

    Raises:
        TypeError: ``fields`` holds something that is no field, or a value that JSON cannot express.
    """
    value = to_dict(document)
    return _indented(value, "\n").encode() if indent else orjson.dumps(value)


def failure_to_json(file: str, error: InklaneError) -> bytes:
    """The JSON that stands in the place of a document that could not be read: ``{"file": …, "error": …}``."""
    return orjson.dumps({"file": text_of(file), "error": {"code": error.code, "message": text_of(error.message)}})


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
        "file": text_of(document.file),
        "doc_type": None if document.doc_type is None else text_of(document.doc_type),
        "doc_type_confidence": (
            None if document.doc_type_confidence is None else confidence(document.doc_type_confidence)
        ),
        "fields": fields_to_json(document.fields),
        "pages": [_page(page) for page in document.pages],
        "warnings": [_notice(notice) for notice in document.warnings],
        "timings": {
            "elapsed_ms": milliseconds(document.elapsed_ms),
            "stages": {text_of(name): _timing(timing) for name, timing in document.timings.items()},
        },
        "models": {text_of(task): text_of(name) for task, name in document.models.items()},
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
        doc_type_confidence=value.get("doc_type_confidence"),
        fields=fields_from_json(value["fields"]),
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
        "text": text_of(line.text),
        "confidence": confidence(line.confidence),
        "polygon": polygon_of(line.polygon),
    }
    if line.words is not None:
        result["words"] = [
            {"text": text_of(w.text), "confidence": confidence(w.confidence), "polygon": polygon_of(w.polygon)}
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
    return {"code": text_of(notice.code), "message": text_of(notice.message), "page": page}


def _timing(timing: StageTiming) -> StageTimingJson:
    return {
        "queue_ms": milliseconds(timing.queue_ms),
        "busy_ms": milliseconds(timing.busy_ms),
        "network_ms": milliseconds(timing.network_ms),
        "items": int(timing.items),
    }


if __name__ == "__main__":
    print(orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2).decode())
