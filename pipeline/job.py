"""What the flow knows of a document and of a page on their way."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schemas.document import Document, Notice, Page, StageTiming
from schemas.errors import InklaneError
from schemas.progress import OnProgress, Progress, ProgressStage
from schemas.requests import ReadRequest
from stages.assembly.stage import RecognisedLine
from stages.decode.opened import OpenDocument
from stages.detection.box import Box
from stages.fields.stage import FieldsResult
from stages.layout_ner.stage import PageTags
from stages.page_image import PageImage
from stages.recognition.stage import RecognitionItem

if TYPE_CHECKING:
    from pipeline.hot.versions import ModelVersion

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class PageJob:
    """One page on its way. ``pending`` lines are not recognised yet."""

    number: int
    image: PageImage | None = None
    boxes: list[Box] = field(default_factory=list)
    turned: bool = False
    pending: int = 0
    readings: dict[int, list[RecognisedLine]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class LineJob:
    """One reading of one line: ``index`` is the line's box on the page; tall boxes are read twice."""

    page: PageJob
    index: int
    item: RecognitionItem


class DocumentJob:
    """One document on its way, and the future that its reader holds. Resolved exactly once.

    Args:
        request: what is asked for.
        doc_type: the type whose fields are wanted, or ``auto``; None: no fields.
        on_progress: told of each step.
    """

    def __init__(
        self, request: ReadRequest, doc_type: str | None = None, on_progress: OnProgress | None = None
    ) -> None:
        self.request = request
        self.versions: dict[str, ModelVersion] | None = {}  # those that this document keeps, by stage; None: let go
        self.doc_type = doc_type
        self.future: Future[Document] = Future()
        self.arrived = time.monotonic()
        self.opened: OpenDocument | None = None
        self.to_decode: deque[int] = deque()
        self.unfinished = 0
        self.pages: dict[int, Page] = {}
        self.errors: dict[int, InklaneError] = {}
        self.warnings: list[Notice] = []
        self.with_fields: frozenset[int] = frozenset()  # the pages on which fields are looked for
        self.tags: dict[int, PageTags] = {}
        self.found: FieldsResult | None = None
        self.timings: dict[str, StageTiming] = {}
        self.holds_document = False
        self.holds_pages = 0
        self.lock = threading.Lock()
        self._ended = False
        self._on_progress = on_progress
        self._telling = threading.Lock()  # steps are told in the order in which they are counted
        self._page_count: int | None = None
        self._pages_done = 0

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits for the result."""
        return not self._ended and not self.future.cancelled()

    def tell(self, stage: ProgressStage, page: int | None = None, *, pages: int | None = None) -> None:
        """Tell of a step, if somebody wants to know. ``pages`` is how many there are, once that is known."""
        if self._on_progress is None:
            return
        with self._telling:
            self._page_count = pages if pages is not None else self._page_count
            self._pages_done += stage in ("done", "failed")
            if not self.wanted:
                return
            try:
                self._on_progress(Progress(page, self._page_count, stage, self._pages_done))
            except Exception as error:
                # As text: whoever keeps the record must not keep the frames.
                text = "".join(traceback.format_exception(error))
                log.warning("the callback for the progress of %s failed:\n%s", self.request.name, text)

    def end(self) -> bool:
        """Mark as ended; true for the first caller, who then releases what the document holds."""
        with self.lock:
            first, self._ended = not self._ended, True
        return first

    def resolve(self, outcome: Document | InklaneError | None) -> None:
        """Give the outcome to whoever waits; None if nobody does (the future was cancelled). Only after :meth:`end`."""
        try:
            if isinstance(outcome, Document):
                self.future.set_result(outcome)
            elif outcome is not None:
                self.future.set_exception(outcome)
        except InvalidStateError:
            outcome = None  # cancelled in this very moment
        if outcome is None:
            self.future.set_running_or_notify_cancel()  # only now do wait() and as_completed() see it

    def result(self, models: dict[str, str]) -> Document | InklaneError:
        """The document as read, pages in the order of their numbers; or, if no page could be read, why.

        The error is returned, not raised: its traceback would keep the document's memory.
        """
        if self.errors and not self.pages:
            return self.errors[min(self.errors)]
        for number, error in self.errors.items():
            notice = Notice(error.code, error.message, number)
            self.pages[number] = Page(page=number, width=0, height=0, error=notice)
        found = self.found or FieldsResult()
        if not self.request.options.alternatives:  # else they were kept for the fields alone
            for page in self.pages.values():
                for line in page.lines:
                    line.alternatives = None
        warnings = sorted(self.warnings + found.warnings, key=lambda notice: (notice.page or 0, notice.code))
        return Document(
            file=self.request.name,
            doc_type=found.doc_type,
            doc_type_confidence=found.confidence,
            fields=found.fields,
            pages=[self.pages[number] for number in sorted(self.pages)],
            warnings=warnings,
            timings=dict(self.timings),
            elapsed_ms=round((time.monotonic() - self.arrived) * 1000, 2),
            models=models,
        )
