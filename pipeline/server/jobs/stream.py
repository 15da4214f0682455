"""A job's events as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.jobs.events import END_ID, Event, Watch
from pipeline.server.jobs.model import Job

KEEP_ALIVE_S = 15.0
"""While nothing happens, a comment shows that the connection is alive, and finds out when it is not."""

WRITE_S = 30.0
"""A client that takes nothing for so long is given up."""

_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # proxies that gather responses would hold events back
}


async def stream_events(
    request: web.Request,
    watch: Watch,
    look: Callable[[], Awaitable[Job | None]],
    view: Callable[[Job], dict[str, Any]],
) -> web.StreamResponse:
    """Tell a job's events until it ends, the client goes away, or the service stops.

    Args:
        request: what is answered.
        watch: the client's place.
        look: gets the job as it is now; None: it is gone.
        view: the job as JSON.
    """
    response = web.StreamResponse(headers=_HEADERS)
    await response.prepare(request)
    try:
        await _tell(response, watch, look, view)
    except (ConnectionError, TimeoutError):
        response.force_close()  # the client has gone, or does not listen
        if request.transport is not None:
            request.transport.abort()
    return response


async def _tell(
    response: web.StreamResponse,
    watch: Watch,
    look: Callable[[], Awaitable[Job | None]],
    view: Callable[[Job], dict[str, Any]],
) -> None:
    anew = not watch.resumed
    while True:
        ended = watch.ended
        if anew or ended:
            place = watch.id
            job = await look()
            if job is None:
                return
            if job.state.ended:
                await _write(response, as_text(Event(END_ID, "end", view(job))))
                return
            if ended:
                return  # the service stops; the client comes back and goes on
            await _write(response, as_text(Event(place, "state", view(job))))
        events = watch.take()
        anew = events is None
        if events:
            await _write(response, b"".join(map(as_text, events)))
        elif not anew and not watch.ended and not await watch.changed(KEEP_ALIVE_S):
            await _write(response, b": keep-alive\n\n")


def as_text(event: Event) -> bytes:
    """An event as it is sent. JSON has no line breaks of its own."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event.id.encode(), event.kind.encode(), orjson.dumps(event.data))


async def _write(response: web.StreamResponse, data: bytes) -> None:
    async with asyncio.timeout(WRITE_S):
        await response.write(data)
