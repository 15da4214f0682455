"""How often a key may ask: a bucket of tokens for requests, a count of pages for the day."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.server.security.keys import ApiKey

_BURST_SECONDS = 10.0
"""A bucket holds what this time allows, so that one page of a web application may ask several things at once."""


@dataclass(slots=True, frozen=True)
class Rate:
    """What a bucket said of one request. ``reset_s``: until it is full again; ``retry_s``: until one may pass."""

    limit: int
    remaining: int
    reset_s: float
    retry_s: float = 0.0

    @property
    def allowed(self) -> bool:
        """Whether the request may pass."""
        return self.retry_s <= 0

    def headers(self) -> dict[str, str]:
        """The header fields ``RateLimit-*`` of draft-ietf-httpapi-ratelimit-headers-03, which most clients know."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(math.ceil(self.reset_s)),
        }


class TokenBucket:
    """Tokens that come at a steady rate, up to a few seconds' worth; a request takes one.

    Args:
        per_minute: tokens a minute.
        now: seconds of any clock that only grows; the bucket begins full.
    """

    def __init__(self, per_minute: int, now: float) -> None:
        self.per_minute = per_minute
        self._rate = per_minute / 60
        self._room = max(1.0, float(int(self._rate * _BURST_SECONDS)))
        self._tokens = self._room
        self._at = now

    def take(self, now: float) -> Rate:
        """Take a token, if there is one."""
        self._tokens = min(self._room, self._tokens + max(0.0, now - self._at) * self._rate)
        self._at = max(self._at, now)
        # A token that is all there but for a rounding error is there.
        allowed = self._tokens >= 1 - 1e-9
        if allowed:
            self._tokens = max(0.0, self._tokens - 1)
        return Rate(
            limit=self.per_minute,
            remaining=int(self._tokens + 1e-9),
            reset_s=(self._room - self._tokens) / self._rate,
            retry_s=0.0 if allowed else (1 - self._tokens) / self._rate,
        )


class RateLimits:
    """A bucket for each key that has a limit. There are never more buckets than keys.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, key: ApiKey) -> Rate | None:
        """Count one request; None: the key has no limit."""
        if key.requests_per_minute is None:
            self._buckets.pop(key.id, None)
            return None
        now = self._clock()
        bucket = self._buckets.get(key.id)
        if bucket is None or bucket.per_minute != key.requests_per_minute:
            bucket = self._buckets[key.id] = TokenBucket(key.requests_per_minute, now)
        return bucket.take(now)
