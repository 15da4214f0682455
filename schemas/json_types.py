"""The one definition of a document's JSON: key order, JSON Schema and validation all come from these types."""

from __future__ import annotations

from typing import Annotated, NotRequired

from annotated_types import Ge, Le
from typing_extensions import TypedDict

from schemas.geometry import Polygon

Fraction = Annotated[float, Ge(0), Le(1)]
Milliseconds = Annotated[float, Ge(0)]
Count = Annotated[int, Ge(0)]
PageNumber = Annotated[int, Ge(1)]


class CheckJson(TypedDict):
    """Something that was checked about a value, and why it passed or failed."""

    name: str
    passed: bool
    reason: str


class RegionJson(TypedDict):
    """Where a value stands; one for each line it runs over."""

    page: PageNumber
    polygon: Polygon


class FieldJson(TypedDict):
    """One value. `value` is typed by `type`, null if it could not be understood; `content` is the text as read.

    `currency` (ISO 4217) is there only for money whose currency is known. The value of an `object` or a `pair` is
    its parts by name.
    """

    type: str
    value: str | int | float | dict[str, FieldJson] | None
    content: str
    confidence: Fraction
    regions: list[RegionJson]
    checks: list[CheckJson]
    needs_review: bool
    currency: NotRequired[str]


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
    doc_type_confidence: NotRequired[Fraction | None]
    fields: dict[str, FieldJson | list[FieldJson]]
    pages: list[PageJson]
    warnings: list[NoticeJson]
    timings: TimingsJson
    models: dict[str, str]
