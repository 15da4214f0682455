"""One line in the log for each request, and none of what documents say.

Of a request are written: its id, the key's id, the route as it is declared (never the address as it was sent), status,
bytes, how many pages of which types, an error's code, times. File names only where the operator allows them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field

import orjson
from aiohttp import web

from pipeline.json_log import EXTRA
from pipeline.server.keys import CALLER, CLOCK, SETTINGS
from pipeline.server.problems import CONTENT_TYPE, request_id
from pipeline.server.trace_context import HEADER, TraceContext, continue_trace
from schemas.document import Document, StageTiming

log = logging.getLogger("inklane.requests")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
OnRequest = Callable[["RequestRecord"], None]

CLIENT_GONE = 499
"""The status under which a request is counted whose client went away before it was answered, as nginx has it."""

UNKNOWN_ROUTE = "none"
_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
_MOST_NAMES = 8
_ERROR = 400
_QUIET = frozenset(["/health", "/v2/health/live", "/v2/health/ready", "/metrics"])
"""Asked for every few seconds by machines: counted, and logged only where something is wrong."""


@dataclass(slots=True)
class DocumentSpan:
    """When a document came and went, and its stages ran: in seconds of the monotonic clock."""

    began: float
    ended: float
    doc_type: str | None = None
    pages: int = 0
    code: str | None = None
    timings: dict[str, StageTiming] = field(default_factory=dict)


@dataclass(slots=True)
class RequestRecord:
    """What is known of a request; parts of the server add to it while it is under way (:func:`current`)."""

    id: str
    trace: TraceContext
    method: str
    route: str
    started: float
    key: str | None = None
    status: int = CLIENT_GONE
    code: str | None = None
    bytes_in: int = 0
    bytes_out: int | None = None
    seconds: float = 0.0
    documents: int = 0
    pages: int = 0
    types: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    queue_ms: float = 0.0
    network_ms: float = 0.0
    files: list[str] = field(default_factory=list)
    spans: list[DocumentSpan] = field(default_factory=list)
    ended: bool = False

    def add_document(self, document: Document) -> None:
        """A document was read for this request."""
        self.documents += 1
        self.pages += len(document.pages)
        self.types[document.doc_type or "none"] += 1
        # An item's mean time in each queue: lines of a page wait side by side, and their sum would say nothing.
        self.queue_ms += sum(timing.queue_ms / max(1, timing.items) for timing in document.timings.values())
        self.network_ms += sum(timing.network_ms for timing in document.timings.values())

    def add_name(self, name: str) -> None:
        """A file was sent that is called so."""
        if len(self.files) < _MOST_NAMES:
            self.files.append(name)


TRACE = web.RequestKey("trace", TraceContext)
ON_REQUEST: web.AppKey[list[OnRequest]] = web.AppKey("on_request")
"""Called with the record of each request that has ended."""

TRACING = web.AppKey("tracing", bool)
"""Whether spans are made: then traces that begin here are said to be sampled."""

_current: ContextVar[RequestRecord | None] = ContextVar("request_record", default=None)


def current() -> RequestRecord | None:
    """The record of the request that this task works for; None: it works for none (a job, say)."""
    record = _current.get()
    return None if record is None or record.ended else record  # a task may outlive the request that made it


def setup(app: web.Application) -> None:
    """Let responses carry their place in the trace."""
    app[ON_REQUEST] = []
    app[TRACING] = False
    app.on_response_prepare.append(_add_header)


@web.middleware
async def log_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Keep a request's record, and write it down when it has ended. The outermost of all."""
    app = request.app
    clock = app[CLOCK]
    trace = continue_trace(request.headers.get(HEADER), sample=app[TRACING])
    request[TRACE] = trace
    method = request.method if request.method in _METHODS else "other"
    record = RequestRecord(request_id(request), trace, method, route_of(request), clock.monotonic())
    token = _current.set(record)
    try:
        response = await handler(request)
        record.status = response.status
        record.bytes_out = response.content_length
        record.code = _code_of(response)
        return response
    except web.HTTPException as answer:
        record.status = answer.status
        raise
    except (asyncio.CancelledError, ConnectionError):
        raise  # as CLIENT_GONE
    except BaseException:
        record.status = 500
        raise
    finally:
        _current.reset(token)
        record.ended = True
        record.seconds = clock.monotonic() - record.started
        record.key = request.get(CALLER)
        record.bytes_in = request.content.total_bytes
        for listener in app[ON_REQUEST]:
            listener(record)
        _write(record, with_names=app[SETTINGS].server.log_file_names)


def route_of(request: web.Request) -> str:
    """The route as it is declared, with names in place of what stands in the address."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else UNKNOWN_ROUTE


def _code_of(response: web.StreamResponse) -> str | None:
    """The code of the error that a response tells, if it tells one."""
    if response.content_type != CONTENT_TYPE or not isinstance(response, web.Response):
        return None
    body = response.body
    code = orjson.loads(body).get("code") if isinstance(body, bytes) else None
    return code if isinstance(code, str) else None


def _write(record: RequestRecord, *, with_names: bool) -> None:
    fields = {
        "event": "request",
        "request_id": record.id,
        "trace_id": record.trace.trace_id,
        "key": record.key,
        "method": record.method,
        "route": record.route,
        "status": record.status,
        "code": record.code,
        "bytes_in": record.bytes_in,
        "bytes_out": record.bytes_out,
        "documents": record.documents or None,
        "pages": record.pages or None,
        "types": dict(record.types) or None,
        "errors": dict(record.errors) or None,
        "queue_ms": round(record.queue_ms, 1) if record.documents else None,
        "network_ms": round(record.network_ms, 1) if record.documents else None,
        "elapsed_ms": round(record.seconds * 1000, 1),
        "files": record.files or None if with_names else None,
    }
    quiet = record.route in _QUIET and record.status < _ERROR
    log.log(logging.DEBUG if quiet else logging.INFO, "request", extra={EXTRA: fields})


async def _add_header(request: web.Request, response: web.StreamResponse) -> None:
    trace = request.get(TRACE)
    if trace is not None:
        response.headers.setdefault(HEADER, trace.header())
