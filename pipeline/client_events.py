"""Server-sent events, taken apart as they arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MAX_EVENT_BYTES = 4 * 2**20
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a carriage return at the end may be half of a line's end


@dataclass(slots=True, frozen=True)
class ServerEvent:
    """One event. ``id`` is where to go on after a break."""

    kind: str
    data: str
    id: str


class EventParser:
    """Takes pieces of a stream and gives the events that are complete."""

    def __init__(self) -> None:
        self._rest = b""
        self._kind = ""
        self._data: list[str] = []
        self._id = ""

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        """Take a piece. Exhaust the result before the next one.

        Raises:
            ValueError: a line has no end.
        """
        *lines, self._rest = _LINE_END.split(self._rest + piece)
        if len(self._rest) > _MAX_EVENT_BYTES:
            raise ValueError("a line of the stream of events is endless")
        for line in lines:
            event = self._line(line.decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _line(self, line: str) -> ServerEvent | None:
        if not line:
            event = ServerEvent(self._kind or "message", "\n".join(self._data), self._id) if self._data else None
            self._kind, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._kind = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._id = value
        return None
