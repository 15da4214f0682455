"""What a client's workers have counted, one life after another, and what became of its documents."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from pipeline.outcomes import Ended
from schemas.document import Document
from schemas.statistics import WorkerStatistics


class Tally:
    """Adds up. Every method may be called from any thread.

    A worker that dies takes with it what it had counted since it last told. Documents and pages are counted here,
    where all of them end, also those that no worker saw.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._earlier = WorkerStatistics(workers=0)
        self._latest = WorkerStatistics()
        self._ended = Ended()
        self._restarts = 0

    def told(self, statistics: WorkerStatistics) -> None:
        """The worker has told its figures."""
        with self._lock:
            self._latest = statistics

    def worker_ended(self) -> None:
        """The worker is gone; the next one counts from zero."""
        with self._lock:
            earlier = self._latest.counts_only()
            earlier.add(self._earlier)
            self._earlier = earlier
            self._latest = WorkerStatistics(models=self._latest.models)

    def worker_restarted(self) -> None:
        """A worker is being started in place of one that ended."""
        with self._lock:
            self._restarts += 1

    def document(self, future: Future[Document]) -> None:
        """A document has ended."""
        self._ended.add(future)

    def snapshot(self, waiting: int = 0, in_flight: int = 0) -> WorkerStatistics:
        """Everything so far, and the documents that are with the client now."""
        with self._lock:
            total = self._latest.copy()
            total.add(self._earlier)
            total.shadows = {
                stage: figures for stage, figures in total.shadows.items() if stage in self._latest.shadows
            }
            ended = self._ended.statistics()
            total.documents, total.pages = ended.documents, ended.pages
            total.worker_restarts = self._restarts
        total.waiting_documents, total.documents_in_flight = waiting, in_flight
        return total
