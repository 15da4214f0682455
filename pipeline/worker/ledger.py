"""Which documents wait, which are in the worker, and who is to blame when it dies. No threads, no clock, no sockets.

When a worker dies, every document that was in it is a suspect. A suspect is tried once more, alone: it is sent only
when the worker is empty, and nothing is sent beside it. So a second death names its culprit, and documents that
merely shared the worker with one are never refused.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field

from schemas.document import Document
from schemas.progress import OnProgress
from schemas.requests import ReadRequest


@dataclass(slots=True, eq=False)
class Ticket:
    """One accepted document, packed for sending.

    ``suspect``: it was in a worker that died. ``wanted``: somebody still waits for the result; an unwanted document
    keeps its place in the worker until the worker has let go of it.
    """

    id: int
    request: ReadRequest
    future: Future[Document]
    frames: list[bytes] = field(default_factory=list)
    suspect: bool = False
    wanted: bool = True
    on_progress: OnProgress | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Smaller goes first: by priority, then in the order of arrival, which a second try keeps."""
        return self.request.priority, self.id


class Ledger:
    """Every accepted document, in exactly one of two places: waiting, or in flight (sent to the worker).

    Args:
        max_in_flight: how many documents are in the worker at once, at most.
    """

    def __init__(self, max_in_flight: int) -> None:
        self.max_in_flight = max_in_flight
        self._waiting: list[Ticket] = []  # sorted by rank; short, since what the client accepts is bounded
        self.in_flight: dict[int, Ticket] = {}

    def __len__(self) -> int:
        return len(self._waiting) + len(self.in_flight)

    def __iter__(self) -> Iterator[Ticket]:
        yield from self._waiting
        yield from self.in_flight.values()

    def add(self, ticket: Ticket) -> None:
        """Accept a document."""
        insort(self._waiting, ticket, key=lambda t: t.rank)

    def next(self) -> Ticket | None:
        """The document to send now, which counts as in flight from here on; None: nothing may be sent yet."""
        if not self._waiting or len(self.in_flight) >= self.max_in_flight:
            return None
        if self.in_flight and (self._waiting[0].suspect or any(t.suspect for t in self.in_flight.values())):
            return None
        ticket = self._waiting.pop(0)
        self.in_flight[ticket.id] = ticket
        return ticket

    def finish(self, number: int) -> Ticket | None:
        """The worker is done with a document: take it out. None: there is no such document in flight."""
        return self.in_flight.pop(number, None)

    def put_back(self) -> list[Ticket]:
        """The worker ended in order and never began what is in flight: that waits again, unsuspected.

        Returns:
            Those that nobody wanted any more: they left the ledger.
        """
        tickets = list(self.in_flight.values())
        self.in_flight.clear()
        for ticket in tickets:
            if ticket.wanted:
                self.add(ticket)
        return [t for t in tickets if not t.wanted]

    def unsend(self, ticket: Ticket) -> None:
        """A document just taken from ``next`` could not be sent: it waits again."""
        del self.in_flight[ticket.id]
        self.add(ticket)

    def drop(self, ticket: Ticket) -> bool:
        """Nobody wants this document any more.

        Returns:
            True: it was waiting and has left the ledger. False: it is in flight and stays until ``finish``.
        """
        ticket.wanted = False
        if ticket.id in self.in_flight:
            return False
        self._waiting.remove(ticket)
        return True

    def get(self, number: int) -> Ticket | None:
        """The ticket with this number, wherever it is."""
        return next((t for t in self if t.id == number), None)

    def worker_died(self) -> tuple[list[Ticket], list[Ticket]]:
        """The worker is gone. What was in it waits for a second try, alone, or leaves the ledger.

        Returns:
            Two lists of documents that left: those refused (alone in the worker, in its second death), and those
            that nobody wanted any more.
        """
        suspects = list(self.in_flight.values())
        self.in_flight.clear()
        alone = len(suspects) == 1
        refused, unwanted = [], []
        for ticket in suspects:
            if not ticket.wanted:
                unwanted.append(ticket)
            elif alone and ticket.suspect:
                refused.append(ticket)
            else:
                ticket.suspect = True
                self.add(ticket)
        return refused, unwanted

    def next_deadline(self) -> float | None:
        """The earliest deadline of a wanted document, in seconds of ``time.monotonic``."""
        return min((t.request.deadline for t in self if t.wanted and t.request.deadline is not None), default=None)

    def expired(self, now: float) -> list[Ticket]:
        """The wanted documents whose deadline has passed."""
        return [t for t in self if t.wanted and t.request.deadline is not None and t.request.deadline <= now]

    def clear(self) -> list[Ticket]:
        """Take everything out."""
        tickets = list(self)
        self._waiting.clear()
        self.in_flight.clear()
        return tickets
