"""The Python API: ``with Inklane() as inklane: inklane.read(["a.jpg", "b.pdf"])``."""

from __future__ import annotations

import asyncio
import functools
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from schemas.document import Document
from schemas.errors import Cancelled, DocumentError, InklaneError, SettingsError
from schemas.requests import Reader, ReadOptions, ReadRequest
from schemas.settings import Settings, load_settings

Source = str | os.PathLike[str] | bytes
Outcome = Document | InklaneError


class Inklane:
    """Reads documents. Use it as a context manager, or call :meth:`close`.

    Args:
        settings: all settings; None reads ``inklane.toml`` and the environment.
        values: single settings, as in ``Inklane(backend="onnxruntime")``.

    Raises:
        InklaneError: a setting cannot work, or a model or backend is missing; the message says what to do.
    """

    def __init__(self, settings: Settings | None = None, **values: Any) -> None:
        if settings is not None and values:
            raise SettingsError(f"give either a Settings object or single settings ({', '.join(values)}), not both")
        self.settings = settings if settings is not None else load_settings(**values)
        self.reader: Reader = _open(self.settings)

    def read(
        self, sources: Iterable[Source], options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> list[Outcome]:
        """Read documents and wait for all of them.

        Args:
            sources: paths, or files' bytes.
            options: for all of them.
            doc_type: the type of all of them, ``auto`` to recognise each, ``none`` for no fields; None: what the
                options or else the settings say.

        Returns:
            For each source, in order, its document or the error that it alone has.
        """
        return list(self.stream(sources, options, doc_type=doc_type))

    def read_one(self, source: Source, options: ReadOptions | None = None, *, doc_type: str | None = None) -> Document:
        """Read one document.

        Raises:
            DocumentError: it cannot be read.
        """
        return self.submit(source, options, doc_type=doc_type).result()

    def stream(
        self, sources: Iterable[Source], options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> Iterator[Outcome]:
        """Like :meth:`read`, one result at a time; takes from ``sources`` only as far as there is room."""
        options = _options(options, doc_type)
        waiting: deque[Future[Document]] = deque()
        try:
            for index, source in enumerate(_several(sources)):
                if len(waiting) >= self._ahead:
                    yield _outcome(waiting.popleft())
                waiting.append(self._submit(source, options, index))
            while waiting:
                yield _outcome(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def submit(
        self, source: Source, options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> Future[Document]:
        """Start reading one document. Cancelling the future frees all that it holds."""
        return self.reader.submit(_request(source, _options(options, doc_type), 0))

    async def read_async(
        self, sources: Iterable[Source], options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> list[Outcome]:
        """Like :meth:`read`, without blocking the event loop."""
        return [outcome async for outcome in self.stream_async(sources, options, doc_type=doc_type)]

    async def read_one_async(
        self, source: Source, options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> Document:
        """Like :meth:`read_one`. Cancelling the task cancels the reading.

        Raises:
            DocumentError: it cannot be read.
        """
        return await asyncio.wrap_future(await _in_thread(lambda: self.submit(source, options, doc_type=doc_type)))

    async def stream_async(
        self, sources: Iterable[Source], options: ReadOptions | None = None, *, doc_type: str | None = None
    ) -> AsyncIterator[Outcome]:
        """Like :meth:`stream`, without blocking the event loop."""
        options = _options(options, doc_type)
        waiting: deque[Future[Document]] = deque()
        try:
            for index, source in enumerate(_several(sources)):
                if len(waiting) >= self._ahead:
                    yield await _outcome_async(waiting.popleft())
                waiting.append(await _in_thread(functools.partial(self._submit, source, options, index)))
            while waiting:
                yield await _outcome_async(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Finish what is running, then stop the worker. Idempotent."""
        self.reader.close()

    def __enter__(self) -> Inklane:
        """The object itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    @property
    def _ahead(self) -> int:
        """Documents handed to the reader at once: enough to keep every page slot busy."""
        return min(self.settings.max_waiting_documents, 2 * self.settings.max_pages_in_flight)

    def _submit(self, source: Source, options: ReadOptions, index: int) -> Future[Document]:
        try:
            return self.reader.submit(_request(source, options, index))
        except DocumentError as error:
            refused: Future[Document] = Future()
            refused.set_exception(error)
            return refused


def _open(settings: Settings) -> Reader:
    if settings.in_process:
        from pipeline.engine import Engine

        return Engine(settings)
    from pipeline.worker.client import WorkerClient

    return WorkerClient(
        "pipeline.engine:Engine",
        settings,
        # one document ready behind each page slot, so that the worker never waits for the socket
        max_in_flight=2 * settings.max_pages_in_flight,
        max_waiting=settings.max_waiting_documents,
    )


async def _in_thread(submit: Callable[[], Future[Document]]) -> Future[Document]:
    """Submit without blocking the loop while the reader has no room.

    If the task is cancelled meanwhile, the document is given up as soon as it is submitted.
    """
    submitting = asyncio.ensure_future(asyncio.to_thread(submit))
    try:
        return await asyncio.shield(submitting)
    except asyncio.CancelledError:
        submitting.add_done_callback(_give_up)
        raise


def _give_up(submitting: asyncio.Future[Future[Document]]) -> None:
    if not submitting.cancelled() and submitting.exception() is None:
        submitting.result().cancel()


def _several(sources: Iterable[Source]) -> Iterable[Source]:
    if isinstance(sources, str | bytes | os.PathLike):
        raise TypeError("give a list of paths or files' bytes, or use read_one() for a single one")
    return sources


def _options(options: ReadOptions | None, doc_type: str | None) -> ReadOptions:
    options = options or ReadOptions()
    return options if doc_type is None else replace(options, doc_type=doc_type)


def _request(source: Source, options: ReadOptions, index: int) -> ReadRequest:
    if isinstance(source, bytes):
        return ReadRequest(source, f"document-{index + 1}", options)
    path = Path(source)
    return ReadRequest(path, path.name, options)


def _outcome(future: Future[Document]) -> Outcome:
    try:
        return future.result()
    except CancelledError:
        return Cancelled("reading was cancelled")
    except InklaneError as error:
        return error


async def _outcome_async(future: Future[Document]) -> Outcome:
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling() or not future.cancelled():
            raise
        return Cancelled("reading was cancelled")  # the document, not whoever waits for it
    except InklaneError as error:
        return error
