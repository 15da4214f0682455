"""The client for programs with an event loop. :mod:`pipeline.client` has the other one, and is what to import."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack
from urllib.parse import quote

import aiohttp
import orjson
from yarl import URL

from pipeline.client_events import EventParser
from pipeline.client_retry import RETRIED, RetryPolicy, retry_after
from schemas.document import Document
from schemas.errors import Cancelled, FileMissing, InklaneError, NotFound, from_code
from schemas.progress import Progress
from schemas.serialise import from_json

Source = str | os.PathLike[str] | bytes
"""A path, or a file's bytes."""

_CONNECT_S = 15.0
_SILENCE_S = 60.0
"""A stream of events says something every 15 s; after so long without, it is taken up anew."""
_ASK_FIRST_BYTES = 2**20
"""Larger bodies are announced before they are sent, so that a refusal costs no upload."""
_DEFAULT_NAME = "document"
_JSON = "application/json"


class Options(TypedDict, total=False):
    """How to read, as for ``POST /v1/documents``. ``pages`` is as in ``1-3,7``; ``priority`` high, normal or low."""

    type: str
    pages: str
    dpi: int
    words: bool
    priority: str | int
    deadline_ms: float


class ServiceUnreachable(InklaneError):
    """There was no answer: nothing listens there, or the connection broke."""

    code = "service_unreachable"


class UnexpectedAnswer(InklaneError):
    """The answer is not one that the service gives: perhaps it is another's."""

    code = "unexpected_answer"


class AsyncClient:
    """The service at an address, for one event loop. Use it as an asynchronous context manager.

    Args:
        url: where it is.
        key: the API key, where one is asked for.
        timeout_s: seconds that a call may take, with all its tries; None: as long as it takes.
        retry: how often and how patiently to try.
        sleep: waits between tries.

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
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._base = URL(url.rstrip("/") + "/")
        if self._base.scheme not in ("http", "https") or not self._base.host:
            raise ValueError(f"not the URL of a service, such as http://127.0.0.1:8080: {url!r}")
        self._headers = {"User-Agent": "inklane-client"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._timeout_s = timeout_s
        self.retry = retry if retry is not None else RetryPolicy()
        self.sleep = sleep
        self._session: aiohttp.ClientSession | None = None

    async def read(self, source: Source, *, name: str | None = None, **options: Unpack[Options]) -> Document:
        """Read one document and wait for it. Cancelling the task gives it up in the service, too.

        Args:
            source: a path, or a file's bytes.
            name: what the result calls the file; by default the path's last part.
            options: how to read.

        Raises:
            DocumentError: it cannot be read.
            ServiceUnreachable: no answer.
            TimeoutError: it took longer than ``timeout_s``.
        """
        return _document(await self._upload(source, name, options, {"Accept": _JSON}))

    async def render(
        self, source: Source, output: str, *, name: str | None = None, **options: Unpack[Options]
    ) -> bytes:
        """Read one document into a file of another form: text, markdown, hocr, alto or pdf (searchable).

        Raises:
            InklaneError: see :meth:`read`.
        """
        return await self._upload(source, name, {**options, "output": output}, {})

    async def submit(
        self,
        source: Source,
        *,
        name: str | None = None,
        webhook: str | None = None,
        idempotency_key: str | None = None,
        **options: Unpack[Options],
    ) -> AsyncJobHandle:
        """Have one document read in the background. What is accepted is read, even if the service is killed.

        Args:
            source: a path, or a file's bytes.
            name: what the result calls the file.
            webhook: a URL to be told the end.
            idempotency_key: a name for this request: the same job is given for the same name. By default a new one.
            options: how to read.

        Raises:
            InklaneError: see :meth:`read`.
        """
        headers = {"Prefer": "respond-async", "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        if webhook is not None:
            headers["Inklane-Webhook"] = webhook
        return self.job(_member(await self._upload(source, name, options, headers), "id"))

    def job(self, job_id: str) -> AsyncJobHandle:
        """A job that was submitted before."""
        return AsyncJobHandle(self, job_id)

    async def close(self) -> None:
        """Close connections. Idempotent."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def __aenter__(self) -> Self:
        """The client itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()

    # --- requests -------------------------------------------------------------------------------------------------

    async def _upload(
        self, source: Source, name: str | None, options: Mapping[str, Any], headers: dict[str, str]
    ) -> bytes:
        query = {key: _text(value) for key, value in options.items() if value not in (None, False)}
        path = None if isinstance(source, bytes) else Path(source)
        called = name or (path.name if path is not None else _DEFAULT_NAME)
        headers = {
            **headers,
            "Content-Type": "application/octet-stream",
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(called, safe='')}",
        }
        return await self.request("POST", "v1/documents", headers=headers, params=query, source=path or source)

    async def request(
        self,
        method: str,
        place: str,
        *,
        source: Source | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> bytes:
        """The body of an answer that succeeded, after as many tries as it takes.

        Raises:
            InklaneError: what the service says, or why there is no answer.
            TimeoutError: it took too long.
        """
        async with asyncio.timeout(self._timeout_s):
            tried = 0
            while True:
                tried += 1
                asked: float | None = None
                try:
                    async with self.open(method, place, source=source, headers=headers, params=params) as response:
                        return await response.read()
                except _Refused as refused:
                    error, asked = refused.error, refused.retry_after_s
                    if refused.status not in RETRIED:
                        raise error from None
                except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError) as broken:
                    error = ServiceUnreachable(f"{self._base} does not answer: {broken}; is the service running?")
                wait = self.retry.wait(tried, asked)
                if wait is None:
                    raise error
                await self.sleep(wait)

    @asynccontextmanager
    async def open(
        self,
        method: str,
        place: str,
        *,
        source: Source | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        silence_s: float | None = None,
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """One request's answer, while it comes in.

        Raises:
            _Refused: the service refuses.
        """
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S)
            self._session = aiohttp.ClientSession(timeout=timeout, headers=self._headers)
        async with AsyncExitStack() as stack:
            data: Any = source
            size = len(source) if isinstance(source, bytes) else 0
            if isinstance(source, str | os.PathLike):
                data = await asyncio.to_thread(_opened, Path(source))
                stack.callback(data.close)
                size = os.fstat(data.fileno()).st_size
            response = await stack.enter_async_context(
                self._session.request(
                    method,
                    self._base.join(URL(place, encoded=True)),
                    data=data,
                    headers=headers,
                    params=params,
                    expect100=size > _ASK_FIRST_BYTES,
                    allow_redirects=False,
                    timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S, sock_read=silence_s),
                )
            )
            if response.status >= 300:
                raise await _refused(response)
            yield response


class AsyncJobHandle:
    """One document that is read in the background."""

    def __init__(self, client: AsyncClient, job_id: str) -> None:
        self._client = client
        self.id = job_id
        self._place = f"v1/jobs/{quote(job_id, safe='')}"

    async def state(self) -> str:
        """What it is now: queued, running, done, failed or cancelled.

        Raises:
            NotFound: there is no such job any more.
        """
        return _member(await self._client.request("GET", self._place, params={"results": "false"}), "state")

    async def events(self) -> AsyncIterator[Progress]:
        """Its progress from now on, until it ends. A connection that breaks is made anew, and no event is lost.

        Raises:
            InklaneError: the service refuses, or cannot be reached any more.
        """
        last = ""
        lost = 0
        while True:
            headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
            parser = EventParser()
            try:
                async with self._client.open(
                    "GET", f"{self._place}/events", headers=headers, silence_s=_SILENCE_S
                ) as response:
                    async for piece in response.content.iter_any():
                        for event in parser.feed(piece):
                            lost, last = 0, event.id or last
                            if event.kind == "end":
                                return
                            if event.kind == "progress":
                                yield _progress(event.data)
                error: InklaneError = ServiceUnreachable("the stream of events ended early")
                asked = None
            except _Refused as refused:
                error, asked = refused.error, refused.retry_after_s
                if refused.status not in RETRIED:
                    raise error from None
            except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError) as broken:
                error, asked = ServiceUnreachable(f"the stream of events broke: {broken}"), None
            lost += 1
            wait = self._client.retry.wait(lost, asked)
            if wait is None:
                raise error
            await self._client.sleep(wait)

    async def wait(self, timeout_s: float | None = None) -> Document:
        """Wait for the document. Cancelling this does not cancel the job: that is :meth:`cancel`.

        Args:
            timeout_s: seconds; None: as long as it takes.

        Raises:
            DocumentError: it cannot be read, or the job was cancelled.
            TimeoutError: it is not done yet.
        """
        async with asyncio.timeout(timeout_s):
            async for _ in self.events():
                pass
            if await self.state() == "cancelled":
                raise Cancelled("the job was cancelled")
            return _document(await self._client.request("GET", f"{self._place}/result"))

    async def cancel(self) -> None:
        """Give it up, and delete its files. Idempotent."""
        try:
            await self._client.request("DELETE", self._place)
        except NotFound:
            return


class _Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, error: InklaneError, retry_after_s: float | None) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error
        self.retry_after_s = retry_after_s


async def _refused(response: aiohttp.ClientResponse) -> _Refused:
    body = await response.read()
    try:
        told = orjson.loads(body)
        error = from_code(str(told["code"]), str(told["detail"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        error = UnexpectedAnswer(f"{response.url.path} answered {response.status} {response.reason}, and not why")
    wait = retry_after(response.headers.get("Retry-After"))
    error.retry_after_s = wait
    request_id = response.headers.get("X-Request-Id")
    if request_id:
        error.add_note(f"request {request_id}")
    return _Refused(response.status, error, wait)


def _document(body: bytes) -> Document:
    try:
        return from_json(body)
    except ValueError as error:
        raise UnexpectedAnswer(f"the answer is {error}") from error


def _member(body: bytes, name: str) -> str:
    try:
        return str(orjson.loads(body)[name])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise UnexpectedAnswer(f"the answer has no {name!r}: is this the service?") from None


def _progress(data: str) -> Progress:
    told = orjson.loads(data)
    return Progress(told["page"], told["pages"], told["stage"], told["pages_done"])


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except OSError as error:
        raise FileMissing(f"{path} cannot be read: {error.strerror}; check the path") from error


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
