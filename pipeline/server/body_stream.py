"""A request's body in pieces, never more of it than allowed and never slower than allowed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from schemas.errors import BodyTimeout, MalformedBody, TooLarge
from schemas.server_settings import ServerSettings

GRACE_S = 5.0
"""A body may be slower than the least speed in its first seconds, while a connection gets going."""


@dataclass(slots=True, frozen=True)
class BodyLimits:
    """What a body may be: bytes, seconds, and bytes a second after ``grace_s`` (0: any speed)."""

    max_bytes: int
    timeout_s: float
    min_bytes_per_s: float
    grace_s: float

    @classmethod
    def of(cls, settings: ServerSettings) -> BodyLimits:
        """As the settings say."""
        return cls(settings.max_body_bytes, settings.body_timeout_s, settings.min_body_bytes_per_s, GRACE_S)

    def seconds(self, received: int) -> float:
        """Seconds from the start by which more must have come than has been received."""
        if not self.min_bytes_per_s:
            return self.timeout_s
        return min(self.timeout_s, self.grace_s + received / self.min_bytes_per_s)

    def check_length(self, request: web.Request) -> None:
        """Refuse a body whose announced length is too large, before any of it is read.

        Raises:
            TooLarge: so it is.
        """
        if request.content_length is not None and request.content_length > self.max_bytes:
            raise self.too_large()

    def too_large(self) -> TooLarge:
        """The error of a body with too many bytes."""
        return TooLarge(f"the body has more than {self.max_bytes} bytes (server.max_body_bytes); send less at once")


async def body_stream(request: web.Request, limits: BodyLimits) -> AsyncIterator[bytes]:
    """The body as it arrives.

    Raises:
        TooLarge: more than ``max_bytes``, whether announced or not.
        BodyTimeout: it took too long, or came too slowly.
        MalformedBody: the transfer itself is broken.
    """
    limits.check_length(request)
    started = asyncio.get_running_loop().time()
    received = 0
    while True:
        try:
            async with asyncio.timeout_at(started + limits.seconds(received)):
                piece = await request.content.readany()
        except TimeoutError:
            raise BodyTimeout(
                f"only {received} bytes of the body had come when its time was up; send it faster, or less at once"
            ) from None
        except (web.RequestPayloadError, HttpProcessingError) as error:
            raise MalformedBody(f"the body cannot be received: {error}") from error
        if not piece:
            return
        received += len(piece)
        if received > limits.max_bytes:
            raise limits.too_large()
        yield piece
