"""A reader without models that answers at once: what it reads is settled by the test."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field

from schemas.document import Document, Line, Notice, Page, StageTiming
from schemas.errors import DamagedFile
from schemas.fields import Check, Field
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics

BOX = ((0.0, 0.0), (90.0, 0.0), (90.0, 20.0), (0.0, 20.0))
SECRET = "TOTAL 47.11 JANE DOE"
BROKEN = b"broken"
"""A file that begins so cannot be read."""


@dataclass
class ReceiptReader:
    """Every file is a receipt; ``pages`` is how many pages it has, of which ``failed`` cannot be read."""

    pages: int = 1
    failed: int = 0
    counted: WorkerStatistics = field(default_factory=WorkerStatistics)

    def submit(self, request: ReadRequest, *, on_progress: OnProgress | None = None) -> Future[Document]:
        """The document, or the error of a broken file."""
        future: Future[Document] = Future()
        source = request.source if isinstance(request.source, bytes) else request.source.read_bytes()
        if source.startswith(BROKEN):
            future.set_exception(DamagedFile("the file ends early; send it again"))
        else:
            future.set_result(self._document(request.name))
        return future

    def statistics(self) -> WorkerStatistics:
        """As the test has set them."""
        return self.counted

    def close(self) -> None:
        """Nothing to do."""

    def _document(self, name: str) -> Document:
        document = Document(name, doc_type="receipt", doc_type_confidence=0.9)
        for number in range(1, self.pages + 1):
            error = Notice("damaged_file", "no", number) if number <= self.failed else None
            lines = [] if error else [Line(SECRET, 0.9, BOX)]
            document.pages.append(Page(number, 100, 50, lines=lines, error=error))
        doubtful = Field("money", "47.11", SECRET, 0.5, checks=[Check("sum", False, "no")], needs_review=True)
        sure = Field("text", "Shop", "Shop", 0.9)
        row = Field("object", {"description": sure, "price": doubtful}, SECRET, 0.5)
        document.fields = {"total": doubtful, "merchant_name": sure, "items": [row, Field("object", {}, "", 0.9)]}
        document.timings = {"recognition": StageTiming(3.0, 20.0, 15.0, 2, began=100.0, ended=100.02)}
        return document
