"""Coroutines for callers who have no event loop: one of their own runs in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """A thread with an event loop. It is a daemon: a program that forgets to close it still ends."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._closed = False
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._closed

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Wait for a coroutine. Interrupting the wait (Ctrl+C) cancels it.

        Raises:
            RuntimeError: this is closed, or called in its own thread.
        """
        if self._closed or threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("the client is closed; make a new one" if self._closed else "call it in another thread")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, source: AsyncIterator[T]) -> Iterator[T]:
        """What an asynchronous iterator gives, one at a time."""
        ended = object()

        async def following() -> Any:
            return await anext(source, ended)

        while (item := self.run(following())) is not ended:
            yield item

    def close(self) -> None:
        """Cancel what is running and end the thread. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
