"""What is read from a document. The field order here is the key order of the JSON, which is stable.

Coordinates are pixels of the upright page, as floats; x grows to the right, y grows down. A polygon is four points,
clockwise from the text's own top left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from schemas.fields import Field
from schemas.geometry import Point as Point
from schemas.geometry import Polygon as Polygon


@dataclass(slots=True)
class Word:
    """One word of a line (for Chinese: one run of characters without a space)."""

    text: str
    confidence: float
    polygon: Polygon


@dataclass(slots=True)
class Line:
    """One text line.

    ``confidence`` is the mean probability of its characters, 0 to 1. ``words`` is None unless asked for.
    ``alternatives`` (kept when asked, never part of the JSON) is what CTC beam search works on.
    """

    text: str
    confidence: float
    polygon: Polygon
    words: list[Word] | None = None
    alternatives: Any = None


@dataclass(slots=True)
class Notice:
    """A warning or an error about a document or one of its pages: a stable ``code`` and a sentence."""

    code: str
    message: str
    page: int | None = None


@dataclass(slots=True)
class Page:
    """One page. ``page`` counts from 1; ``width`` and ``height`` are pixels of the upright page.

    ``angle`` is how far (degrees clockwise: 0, 90, 180 or 270) the page was turned to make it upright.
    ``error`` says why a page has no lines although the document as a whole could be read.
    """

    page: int
    width: int
    height: int
    angle: int = 0
    lines: list[Line] = field(default_factory=list)
    error: Notice | None = None


@dataclass(slots=True)
class StageTiming:
    """Where the time of one document went in one stage, in milliseconds, summed over its items.

    ``queue_ms`` is waiting for a lane; ``busy_ms`` is the document's share of its batches' time in the lane, of
    which ``network_ms`` was spent in the network. ``began`` and ``ended`` (in seconds of :func:`time.monotonic`, never
    part of the JSON) are when the first of its batches began and the last one ended; None where nobody noted it.
    """

    queue_ms: float = 0.0
    busy_ms: float = 0.0
    network_ms: float = 0.0
    items: int = 0
    began: float | None = field(default=None, compare=False, repr=False)
    ended: float | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class Document:
    """The result for one document.

    ``doc_type`` is a name from :mod:`schemas.doctypes`; None where it was not looked for or is none of them.
    ``doc_type_confidence`` is the probability, 0 to 1, that it is right; None where it was not looked for, 1 where the
    caller named it. A field that was not found is not in ``fields``; a repeated one is a list, in reading order.
    """

    file: str
    doc_type: str | None = None
    doc_type_confidence: float | None = None
    fields: dict[str, Field | list[Field]] = field(default_factory=dict)
    pages: list[Page] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    timings: dict[str, StageTiming] = field(default_factory=dict)
    elapsed_ms: float = 0.0
    models: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All lines in reading order, one per row, pages separated by a form feed."""
        return "\f".join("\n".join(line.text for line in page.lines) for page in self.pages)
