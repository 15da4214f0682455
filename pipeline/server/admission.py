"""Which documents may come in, and which of those waiting goes next. No threads, no tasks, no clock of its own.

The room is counted in pages. Every priority is sure of a share of it that the others cannot take, so that a flood of
one leaves room for the rest; a document of a priority that has nothing here is always let in, however many pages it
has. The turns are shared likewise: the most urgent goes first, but every less urgent priority that waits earns its
share of each page that goes before it, and goes when it has earned one.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from schemas.errors import QueueFull

PRIORITIES = 3
"""Priorities are 0 (most urgent), 1 and 2."""

_LONGEST_RETRY_S = 60.0
_RATE_MEMORY_S = 10.0
"""Pages a second are an average over about so many seconds of work."""
_PART_TO_WAIT_FOR = 1 / 20


@dataclass(slots=True, eq=False)
class Ticket:
    """A document's place. ``pages`` is a guess until the document is opened; then :meth:`Admission.resize` it."""

    priority: int
    pages: int
    waiting: bool = True
    inside: bool = True


@dataclass(slots=True)
class _Class:
    pages: int = 0
    earned: float = 0.0
    waiting: deque[Ticket] = field(default_factory=deque)


class Admission:
    """The places of all documents that wait or are being read.

    Args:
        max_pages: the room.
        share: what each priority is sure of, of the room and of the turns.
        retry_after_s: what to tell those who find no room, at least.
    """

    def __init__(self, max_pages: int, share: float, retry_after_s: float) -> None:
        self._max_pages = max_pages
        self._share = share
        self._reserve = math.ceil(max_pages * share)
        self._retry_after_s = retry_after_s
        self._classes = [_Class() for _ in range(PRIORITIES)]
        self._read_pages = 0.0  # both forgotten exponentially
        self._read_seconds = 0.0
        self._busy_since = 0.0

    @property
    def pages(self) -> int:
        """Pages inside, waiting or being read."""
        return sum(c.pages for c in self._classes)

    @property
    def waiting(self) -> int:
        """Documents that wait for their turn."""
        return sum(len(c.waiting) for c in self._classes)

    def has_room(self, priority: int, pages: int = 1) -> bool:
        """Whether so many more pages would be let in."""
        own = self._classes[priority]
        others = sum(max(c.pages, self._reserve) for c in self._classes if c is not own)
        return not own.pages or others + own.pages + pages <= self._max_pages

    def enter(self, priority: int, pages: int, now: float) -> Ticket:
        """Take a place in the queue.

        Raises:
            QueueFull: there is no room; with ``retry_after_s``.
        """
        self.check(priority, pages)
        if not self.pages:
            self._busy_since = now
        ticket = Ticket(priority, pages)
        own = self._classes[priority]
        own.pages += pages
        own.waiting.append(ticket)
        return ticket

    def check(self, priority: int, pages: int = 1) -> None:
        """Refuse what :meth:`enter` would refuse.

        Raises:
            QueueFull: there is no room; with ``retry_after_s``.
        """
        if self.has_room(priority, pages):
            return
        error = QueueFull(f"{self.pages} pages are waiting or being read, which is all there is room for; try again")
        error.retry_after_s = self.retry_after()
        raise error

    def take(self) -> Ticket | None:
        """The document whose turn it is, which waits no longer; None: nothing waits."""
        due = self._due()
        chosen = due or next((c for c in self._classes if c.waiting), None)
        if chosen is None:
            return None
        ticket = chosen.waiting.popleft()
        ticket.waiting = False
        if due is not None:
            due.earned -= ticket.pages
        for other in self._classes[1:]:
            if not other.waiting:
                other.earned = 0.0
            elif other is not chosen:
                other.earned += self._share * ticket.pages
        return ticket

    def resize(self, ticket: Ticket, pages: int) -> None:
        """The document has been opened and has so many pages to read."""
        if ticket.inside:
            self._classes[ticket.priority].pages += pages - ticket.pages
            ticket.pages = pages

    def leave(self, ticket: Ticket, now: float, *, read: bool = False) -> None:
        """A document is gone, whether read or not. Idempotent."""
        if not ticket.inside:
            return
        ticket.inside = False
        own = self._classes[ticket.priority]
        own.pages -= ticket.pages
        if ticket.waiting:
            own.waiting.remove(ticket)
            ticket.waiting = False
        if read:
            self._count(ticket.pages, now)

    def retry_after(self) -> float:
        """Seconds in which some of what is here will have been read, going by the last ones."""
        rate = self._read_pages / self._read_seconds if self._read_seconds else 0.0
        seconds = self.pages * _PART_TO_WAIT_FOR / rate if rate else 0.0
        return min(_LONGEST_RETRY_S, max(self._retry_after_s, seconds))

    def _due(self) -> _Class | None:
        """The less urgent priority that has earned a turn."""
        due = [c for c in self._classes[1:] if c.waiting and c.earned >= 1.0]
        return max(due, key=lambda c: c.earned, default=None)

    def _count(self, pages: int, now: float) -> None:
        """Count pages and the seconds that they took; seconds without work do not count."""
        interval = max(0.0, now - self._busy_since)
        self._busy_since = now
        kept = math.exp(-interval / _RATE_MEMORY_S)
        self._read_pages = self._read_pages * kept + pages
        self._read_seconds = self._read_seconds * kept + interval
