"""The open stage: a source becomes an open document, checked as far as its headers go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.opened import OpenDocument
from stages.stage import LaneContext, Stage


@dataclass(slots=True)
class OpenItem:
    """A document to open: a path or bytes, the resolution of PDF pages, the pages (see :func:`open_document`)."""

    source: Path | bytes
    dpi: int
    pages: tuple[int, ...] | None
    pages_from: int | None = None


class OpenStage(Stage[OpenItem, OpenDocument]):
    """Opens documents. A stage of its own, so that reading headers and files has its place in the queue."""

    name = "open"

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def split(self, outputs: Any, items: Sequence[OpenItem], lane: LaneContext) -> list[OpenDocument]:
        """Open each item."""
        return [
            open_document(i.source, limits=self._limits, dpi=i.dpi, pages=i.pages, pages_from=i.pages_from)
            for i in items
        ]
