"""How documents and pages ended, counted."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import Future

from schemas.document import Document
from schemas.errors import InklaneError
from schemas.statistics import WorkerStatistics


class Ended:
    """Counts documents and pages by outcome. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._documents: Counter[str] = Counter()
        self._pages: Counter[str] = Counter()

    def add(self, future: Future[Document]) -> None:
        """Count a document that has ended, and its pages."""
        with self._lock:
            if future.cancelled():
                self._documents["cancelled"] += 1
                return
            error = future.exception()
            if error is not None:
                self._documents[error.code if isinstance(error, InklaneError) else InklaneError.code] += 1
                return
            self._documents["ok"] += 1
            for page in future.result().pages:
                self._pages["ok" if page.error is None else "failed"] += 1

    def statistics(self) -> WorkerStatistics:
        """The counts so far, and nothing else."""
        with self._lock:
            return WorkerStatistics(documents=Counter(self._documents), pages=Counter(self._pages))
