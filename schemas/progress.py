"""How far the reading of a document has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

ProgressStage = Literal["opened", "detected", "recognised", "done", "failed", "restarted"]


@dataclass(slots=True, frozen=True)
class Progress:
    """One step of one document.

    ``stage`` is ``opened`` (the document: its pages are counted), then for each page ``detected`` (its lines are
    found), ``recognised`` (its lines are read) and ``done`` or ``failed``. ``restarted`` is the document's, too: the
    worker process has ended, and the document is read again from its beginning.

    ``page`` is the page's number, from 1; None for the document. ``pages`` is how many are to be read; None while that
    is not known. ``done`` of them are done or have failed; it never falls but by ``restarted``. Pages pass each other.
    """

    page: int | None
    pages: int | None
    stage: ProgressStage
    done: int


OnProgress = Callable[[Progress], None]
"""Called in a thread of the reader's: must be short, and must not wait."""
