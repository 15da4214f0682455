"""Records for a while what the lanes do, for Chrome's trace viewer."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import orjson

from pipeline.server.operations import command
from pipeline.server.service import Service
from schemas.errors import Conflict, InklaneError, InvalidRequest, WorkerFailed
from schemas.trace import events_of, to_chrome

_AT_ONCE = 500
"""Events written in one go: the event loop gets its turn between them."""


class Tracer:
    """One recording at a time. It ends early when nobody waits for it any more, or the service stops.

    Args:
        service: whose reader is watched.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._task: asyncio.Task[bytes] | None = None
        self._enough = asyncio.Event()

    async def record(self, seconds: float) -> bytes:
        """Record for so long.

        Returns:
            JSON in the trace event format.

        Raises:
            Conflict: somebody else is recording.
            InklaneError: the reader cannot be asked now, or was started again meanwhile.
        """
        if self._task is not None and not self._task.done():
            raise Conflict("a trace is being recorded; try again when it is done")
        self._enough = asyncio.Event()
        self._task = asyncio.create_task(self._record(seconds, self._enough), name="trace")
        try:
            return await asyncio.shield(self._task)
        except asyncio.CancelledError:
            self.stop()  # whoever asked has gone; the reader must be told to stop all the same
            raise

    def stop(self) -> None:
        """End the recording now."""
        self._enough.set()

    async def close(self) -> None:
        """Give up a recording that has not ended."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _record(self, seconds: float, enough: asyncio.Event) -> bytes:
        try:
            await command(self._service, "trace", action="start")
        except InklaneError:
            with contextlib.suppress(InklaneError):  # of several workers, some may have started
                await command(self._service, "trace", action="stop")
            raise
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(enough.wait(), seconds)
        try:
            answer = await command(self._service, "trace", action="stop")
        except InvalidRequest:
            raise WorkerFailed("the worker was started again while it recorded; try again") from None
        return await asyncio.to_thread(_chrome, answer)


def _chrome(answer: dict[str, Any]) -> bytes:
    trace = to_chrome(events_of(answer))
    events = trace.pop("traceEvents")
    blocks = [b",".join(map(_dumps, events[at : at + _AT_ONCE])) for at in range(0, len(events), _AT_ONCE)]
    rest = orjson.dumps(trace).removeprefix(b"{")
    return b'{"traceEvents":[' + b",".join(blocks) + b"]," + rest


def _dumps(event: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(event)
    except TypeError:  # a document's name holds what UTF-8 cannot
        return json.dumps(event).encode()
