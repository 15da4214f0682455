"""A client of the service: ``with Client(url) as client: document = client.read("receipt.jpg")``.

Requests that the service has no room for now (429, 503), and those that do not reach it, are sent again; sending one
twice does no harm: reading changes nothing, and jobs have an idempotency key. Errors are those of
:mod:`schemas.errors`, as they would be in this process.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Self, Unpack

from pipeline.client_async import AsyncClient, AsyncJobHandle, Options, ServiceUnreachable, Source, UnexpectedAnswer
from pipeline.client_retry import RetryPolicy
from pipeline.client_sync import LoopThread
from schemas.document import Document
from schemas.progress import Progress

__all__ = [
    "AsyncClient",
    "AsyncJobHandle",
    "Client",
    "JobHandle",
    "Options",
    "RetryPolicy",
    "ServiceUnreachable",
    "Source",
    "UnexpectedAnswer",
]


class Client:
    """The service at an address. Use it as a context manager, or call :meth:`close`; any thread may use it.

    Args:
        url: where it is, as in ``http://127.0.0.1:8080``.
        key: the API key, where one is asked for.
        timeout_s: seconds that a call may take, with all its tries; None: as long as it takes.
        retry: how often and how patiently to try.

    Raises:
        ValueError: the URL is none.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        key: str | None = None,
        *,
        timeout_s: float | None = 300.0,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._client = AsyncClient(url, key, timeout_s=timeout_s, retry=retry)
        self._thread = LoopThread("inklane-client")

    def read(self, source: Source, *, name: str | None = None, **options: Unpack[Options]) -> Document:
        """Read one document and wait for it; see :meth:`AsyncClient.read`."""
        return self._thread.run(self._client.read(source, name=name, **options))

    def render(self, source: Source, output: str, *, name: str | None = None, **options: Unpack[Options]) -> bytes:
        """Read one document into a file of another form; see :meth:`AsyncClient.render`."""
        return self._thread.run(self._client.render(source, output, name=name, **options))

    def submit(
        self,
        source: Source,
        *,
        name: str | None = None,
        webhook: str | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[Options],
    ) -> JobHandle:
        """Have one document read in the background; see :meth:`AsyncClient.submit`."""
        handle = self._thread.run(
            self._client.submit(source, name=name, webhook=webhook, idempotency_key=idempotency_key, **options)
        )
        return JobHandle(self._thread, handle)

    def job(self, job_id: str) -> JobHandle:
        """A job that was submitted before, perhaps by another process."""
        return JobHandle(self._thread, self._client.job(job_id))

    def close(self) -> None:
        """Give up what is under way, and close connections. Idempotent."""
        if not self._thread.closed:
            self._thread.run(self._client.close())
            self._thread.close()

    def __enter__(self) -> Self:
        """The client itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()


class JobHandle:
    """One document that is read in the background."""

    def __init__(self, thread: LoopThread, handle: AsyncJobHandle) -> None:
        self._thread = thread
        self._handle = handle

    @property
    def id(self) -> str:
        """The job's id, for :meth:`Client.job`."""
        return self._handle.id

    def state(self) -> str:
        """What it is now: queued, running, done, failed or cancelled."""
        return self._thread.run(self._handle.state())

    def events(self) -> Iterator[Progress]:
        """Its progress from now on, until it ends."""
        return self._thread.iterate(self._handle.events())

    def wait(self, timeout_s: float | None = None) -> Document:
        """Wait for the document; see :meth:`AsyncJobHandle.wait`."""
        return self._thread.run(self._handle.wait(timeout_s))

    def cancel(self) -> None:
        """Give it up, and delete its files. Idempotent."""
        self._thread.run(self._handle.cancel())
