"""How many pages a key may have read in a day (UTC), counted over restarts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import orjson

from pipeline.server.security.keys import ApiKey
from schemas.errors import QuotaExceeded

log = logging.getLogger(__name__)

_SAVE_SECONDS = 5.0
_DAY_SECONDS = 86_400


class Quotas:
    """Counts pages by key and day.

    A document under way counts as one page until it is known how many it has, so that a key cannot have much more
    under way than it may still read. What was counted in the last seconds before a crash may be lost.

    Args:
        path: where the counts are kept; None: in memory alone.
        clock: seconds since 1970.
    """

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._day = ""
        self._pages: dict[str, int] = {}
        self._under_way: dict[str, int] = {}
        self._changed = False
        self._task: asyncio.Task[None] | None = None
        self._load()

    def check(self, key: ApiKey) -> None:
        """See whether the key may have one more document read.

        Raises:
            QuotaExceeded: not before the day's end.
        """
        limit = key.pages_per_day
        if limit is None:
            return
        if self.used(key.id) + self._under_way.get(key.id, 0) >= limit:
            error = QuotaExceeded(
                f"this key may have {limit} pages read in a day, and has; the next day begins at 00:00 UTC"
            )
            error.retry_after_s = _DAY_SECONDS - self._clock() % _DAY_SECONDS
            raise error

    def begin(self, key: ApiKey) -> None:
        """A document of the key is about to be read; :meth:`end` must follow.

        Raises:
            QuotaExceeded: the key has no pages left.
        """
        self.check(key)
        self._under_way[key.id] = self._under_way.get(key.id, 0) + 1

    def end(self, key: ApiKey, pages: int) -> None:
        """It was read, in so many pages; 0: it could not be, which costs nothing."""
        left = self._under_way.get(key.id, 0) - 1
        if left > 0:
            self._under_way[key.id] = left
        else:
            self._under_way.pop(key.id, None)
        if pages and key.pages_per_day is not None:
            self._turn_day()
            self._pages[key.id] = self._pages.get(key.id, 0) + pages
            self._changed = True

    def used(self, key_id: str) -> int:
        """Pages counted today."""
        self._turn_day()
        return self._pages.get(key_id, 0)

    async def start(self) -> None:
        """Save now and then from here on."""
        if self._path is not None:
            self._task = asyncio.create_task(self._keep_saving(), name="quotas")

    async def stop(self) -> None:
        """Save for the last time."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        await self.save()

    async def save(self) -> None:
        """Write the counts, if there is something new. Failing is logged: it must not stop the service."""
        if self._path is None or not self._changed:
            return
        self._changed = False
        content = orjson.dumps({"day": self._day, "pages": self._pages})
        try:
            await asyncio.to_thread(_write, self._path, content)
        except OSError as error:
            self._changed = True
            log.error("the pages counted by key cannot be written to %s: %s", self._path, error.strerror)

    async def _keep_saving(self) -> None:
        while True:
            await asyncio.sleep(_SAVE_SECONDS)
            await self.save()

    def _turn_day(self) -> None:
        today = datetime.fromtimestamp(self._clock(), UTC).date().isoformat()
        if today != self._day:
            self._day = today
            self._pages = {}
            self._changed = True

    def _load(self) -> None:
        self._turn_day()
        if self._path is None:
            return
        try:
            data = orjson.loads(self._path.read_bytes())
            if data["day"] == self._day:
                self._pages = {str(key): int(pages) for key, pages in data["pages"].items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.error("the pages counted by key in %s cannot be read, and begin at none: %s", self._path, error)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
