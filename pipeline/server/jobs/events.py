"""What happens to jobs, for those who watch: kept for a while, so that a watcher may fall behind or come back.

A job has a channel while it is under way or watched. The channel keeps its last events; watchers keep their place in
it, nothing else, so that one who is slow costs no memory. A watcher whose place is gone is told to look at the job
anew, which says all that the lost events said.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

END_ID = "end"
"""The id of every job's last event, so that a watcher who comes back after it can be sent away."""

_EVENT_ID = re.compile(r"([0-9a-f]{8})-(\d{1,15})")


@dataclass(slots=True, frozen=True)
class Event:
    """One event; ``id`` is where a watcher that has seen it goes on."""

    id: str
    kind: str
    data: Any


@dataclass(slots=True)
class _Channel:
    # The token tells this channel's ids from those of an earlier one of the same job.
    token: str
    events: deque[Event]
    published: int = 0
    opened: bool = False
    ended: bool = False
    watchers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def id_at(self, number: int) -> str:
        return f"{self.token}-{number}"


class Watch:
    """One watcher's place in a job's channel."""

    def __init__(self, channel: _Channel, last_id: str | None) -> None:
        self._channel = channel
        place = _EVENT_ID.fullmatch(last_id or "")
        same = place is not None and place[1] == channel.token and int(place[2]) <= channel.published
        self._next = int(place[2]) + 1 if same and place else channel.published + 1
        self.resumed = same and self._next >= self._oldest
        """Whether the watcher goes on where it was. Otherwise it has to look at the job itself first."""
        if not self.resumed:
            self._next = channel.published + 1

    @property
    def id(self) -> str:
        """The place: what to come back with."""
        return self._channel.id_at(self._next - 1)

    @property
    def ended(self) -> bool:
        """Whether all has been seen, and nothing more will come."""
        return self._channel.ended and self._next > self._channel.published

    @property
    def _oldest(self) -> int:
        return self._channel.published - len(self._channel.events) + 1

    def take(self) -> list[Event] | None:
        """The events since the last ones taken; None if some of them are gone, and the job has to be looked at."""
        channel = self._channel
        if self._next < self._oldest:
            self._next = channel.published + 1
            return None
        skip = self._next - self._oldest
        self._next = channel.published + 1
        return list(channel.events)[skip:]

    async def changed(self, within_s: float) -> bool:
        """Wait until there is something to take, or the end; False after ``within_s`` seconds without."""
        if self._next <= self._channel.published or self._channel.ended:
            return True
        try:
            async with asyncio.timeout(within_s):
                await self._channel.changed.wait()
        except TimeoutError:
            return False
        return True


class Events:
    """The channels of all jobs. Used on the event loop alone.

    Args:
        kept: events that a channel keeps.
    """

    def __init__(self, kept: int = 256) -> None:
        self._kept = kept
        self._channels: dict[str, _Channel] = {}
        self._closed = False

    @property
    def watchers(self) -> int:
        """How many there are."""
        return sum(channel.watchers for channel in self._channels.values())

    def open(self, job_id: str) -> None:
        """A job is under way: its events are kept until :meth:`end`. Idempotent."""
        self._channel(job_id).opened = True

    def publish(self, job_id: str, kind: str, data: Any) -> None:
        """Something has happened to a job. Ignored where it is neither under way nor watched."""
        channel = self._channels.get(job_id)
        if channel is None:
            return
        channel.published += 1
        channel.events.append(Event(channel.id_at(channel.published), kind, data))
        _wake(channel)

    def end(self, job_id: str) -> None:
        """A job has ended: watchers see what was published before, and then that this was all."""
        channel = self._channels.pop(job_id, None)
        if channel is not None:
            channel.ended = True
            _wake(channel)

    def close(self) -> None:
        """The front end stops: every watch ends, whatever the state of its job."""
        self._closed = True
        for job_id in list(self._channels):
            self.end(job_id)

    @contextmanager
    def watch(self, job_id: str, last_id: str | None = None) -> Iterator[Watch]:
        """Watch a job.

        Args:
            job_id: which.
            last_id: the last event that the watcher has seen, at an earlier time.
        """
        channel = self._channel(job_id)
        channel.ended = channel.ended or self._closed
        channel.watchers += 1
        try:
            yield Watch(channel, last_id)
        finally:
            channel.watchers -= 1
            # A job that is not under way has a channel for its watchers only.
            if not channel.watchers and not channel.opened and self._channels.get(job_id) is channel:
                del self._channels[job_id]

    def _channel(self, job_id: str) -> _Channel:
        channel = self._channels.get(job_id)
        if channel is None:
            channel = _Channel(secrets.token_hex(4), deque(maxlen=self._kept))
            self._channels[job_id] = channel
        return channel


def _wake(channel: _Channel) -> None:
    channel.changed.set()
    channel.changed = asyncio.Event()
