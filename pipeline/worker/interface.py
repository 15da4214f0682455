"""What a service needs of its reader: the engine, a worker's client and a pool of them all offer it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Protocol

from schemas.document import Document
from schemas.progress import OnProgress
from schemas.requests import ReadRequest
from schemas.statistics import WorkerStatistics


class ServiceReader(Protocol):
    """A :class:`schemas.requests.Reader` that also tells how it is doing and can be changed while it works."""

    @property
    def ready(self) -> bool:
        """Whether a document submitted now would be begun: a worker is up (not being started again) and not closed."""
        ...

    def submit(
        self, request: ReadRequest, *, block: bool = True, on_progress: OnProgress | None = None
    ) -> Future[Document]:
        """Start reading; see :class:`schemas.requests.Reader`.

        Args:
            request: the document.
            block: wait for room.
            on_progress: told of each step, in a thread of the reader's; not after the future has ended.

        Raises:
            QueueFull: there is no room, and ``block`` is False.
        """
        ...

    def statistics(self) -> WorkerStatistics:
        """What was counted up to about a second ago, in an object of the caller's own. Returns at once."""
        ...

    def control(self, command: str, **arguments: Any) -> Future[dict[str, Any]]:
        """Change something while documents flow; the commands are those of :class:`pipeline.hot.control.Control`.

        Returns:
            A future with the command's answer, which is JSON-compatible, or an ``InklaneError``.
        """
        ...

    def close(self) -> None:
        """Finish what is running, then release everything. Idempotent."""
        ...
