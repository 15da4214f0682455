"""Keeps a reader busy with a bounded number of documents, and gives the results in the order of the inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future

from pipeline.cli.inputs import Input
from schemas.document import Document
from schemas.errors import Cancelled, DocumentError, InklaneError
from schemas.requests import Reader, ReadOptions, ReadRequest

Outcome = tuple[Input, Document | InklaneError]


def read_in_order(
    reader: Reader,
    files: Iterable[Input],
    options: ReadOptions,
    *,
    in_flight: int,
    on_done: Callable[[], None] = lambda: None,
) -> Iterator[Outcome]:
    """Read files; each gives its document or the error that it alone has.

    Args:
        reader: what reads; it stays open.
        files: what to read; taken as room comes free.
        options: the same for all.
        in_flight: how many documents are submitted and not yet given, at most. Memory is bounded by it.
        on_done: called as each document ends, in any thread and any order, for progress.

    Raises:
        InklaneError: the installation's fault (a model is missing, say), which no other document would escape.

    Ending the iteration early (also by an exception) cancels what has not been given.
    """
    if in_flight < 1:
        raise ValueError(f"in_flight must be at least 1, not {in_flight}")
    waiting: deque[tuple[Input, Future[Document]]] = deque()
    try:
        for file in files:
            if len(waiting) >= in_flight:
                yield _outcome(*waiting.popleft())
            future = _submit(reader, file, options)
            future.add_done_callback(lambda _: on_done())
            waiting.append((file, future))
        while waiting:
            yield _outcome(*waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _submit(reader: Reader, file: Input, options: ReadOptions) -> Future[Document]:
    if file.error is not None:
        return _refused(file.error)
    try:
        return reader.submit(ReadRequest(file.path, file.name, options))
    except DocumentError as error:
        return _refused(error)


def _refused(error: InklaneError) -> Future[Document]:
    refused: Future[Document] = Future()
    refused.set_exception(error)
    return refused


def _outcome(file: Input, future: Future[Document]) -> Outcome:
    try:
        return file, future.result()
    except DocumentError as error:
        return file, error
    except InklaneError:
        raise
    except CancelledError:
        return file, Cancelled("reading was cancelled")
    except Exception as error:  # a defect of ours, which must not cost the other documents
        return file, InklaneError(f"unexpected {type(error).__name__}: {error}")
