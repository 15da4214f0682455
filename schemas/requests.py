"""What can be asked of a reader for one document."""

from __future__ import annotations

import itertools
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from schemas.document import Document

_ids = itertools.count(1)


@dataclass(slots=True, frozen=True)
class ReadOptions:
    """Options of one document; None means the setting's default.

    ``pages`` are page numbers from 1, ``pages_from`` is a page that is read with all behind it. ``dpi`` is for PDF
    pages; ``words`` asks for word boxes, ``alternatives`` for the recogniser's candidates per column. ``doc_type`` is
    the document's type (a name from :mod:`schemas.doctypes`), ``auto`` to recognise it, or ``none``
    for no fields.
    """

    pages: tuple[int, ...] | None = None
    pages_from: int | None = None
    dpi: int | None = None
    words: bool = False
    alternatives: bool = False
    doc_type: str | None = None


@dataclass(slots=True)
class ReadRequest:
    """One document to read.

    ``source`` is a path or the file's bytes; ``name`` is what the result calls the file. ``priority`` 0 is served
    first. ``deadline`` is in seconds of :func:`time.monotonic`, which one machine's processes share.
    """

    source: Path | bytes
    name: str
    options: ReadOptions = field(default_factory=ReadOptions)
    priority: int = 1
    deadline: float | None = None
    id: int = field(default_factory=lambda: next(_ids))


class Reader(Protocol):
    """Whatever reads documents: the engine in this process, or a client of worker processes."""

    def submit(self, request: ReadRequest) -> Future[Document]:
        """Start reading. The future ends with the document or a ``DocumentError``.

        Cancelling the future (``Future.cancel``) frees every slot the document holds. Blocks while the reader has
        no room.
        """
        ...

    def close(self) -> None:
        """Finish what is running, then release everything. Idempotent."""
        ...
