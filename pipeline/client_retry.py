"""When a request is sent again, and after how long. No clock, no network: a policy."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIED = (429, 503)
"""Answers that promise that the same request may succeed later."""


@dataclass(slots=True, frozen=True)
class RetryPolicy:
    """How often and how patiently to try.

    A wait is what ``Retry-After`` says, else ``first_s`` doubled with every try; up to half of it is added at random,
    so that callers who were refused together do not come back together. Waits are never longer than ``longest_s``: a
    service that asks for more is believed to be out, and its error is raised.
    """

    tries: int = 6
    first_s: float = 0.5
    longest_s: float = 60.0
    jitter: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError(f"tries must be at least 1, not {self.tries}")
        if not 0 <= self.first_s <= self.longest_s:
            raise ValueError(f"first_s must be from 0 to longest_s ({self.longest_s}), not {self.first_s}")

    def wait(self, tried: int, retry_after_s: float | None = None) -> float | None:
        """Seconds until the next try; None: give up.

        Args:
            tried: tries so far, from 1.
            retry_after_s: what the service asked for.
        """
        if tried >= self.tries:
            return None
        least = self.first_s * 2.0 ** min(tried - 1, 30) if retry_after_s is None else retry_after_s
        if retry_after_s is not None and retry_after_s > self.longest_s:
            return None
        return min(self.longest_s, least * (1 + 0.5 * self.jitter()))


def retry_after(header: str | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> float | None:
    """Seconds that a ``Retry-After`` header means, which has a number or a date; None: it means nothing."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now()).total_seconds())
