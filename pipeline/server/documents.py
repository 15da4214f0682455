"""``POST /v1/documents``: files in, documents out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.bodies import Bodies
from pipeline.server.body_parts import Body, Received
from pipeline.server.jobs.routes import accept
from pipeline.server.keys import BODIES, CALLER, CLOCK, DATA_FOLDER, SERVICE, SETTINGS
from pipeline.server.options import Asked, collect, parse
from pipeline.server.problems import problem, problem_response, request_id, status_of
from pipeline.server.rendering import render
from pipeline.server.server_timing import HEADER, server_timing
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.errors import InklaneError, InvalidRequest, StageFailed
from schemas.plain import text_of

PATH = "/v1/documents"

_COME_BACK = (429, 503)


@dataclass(slots=True)
class _Outcome:
    """One file's result: a document in the form asked for, or an error."""

    name: str
    error: InklaneError | None = None
    document: Document | None = None
    content: bytes = b""
    content_type: str = ""


def add_routes(app: web.Application) -> None:
    """The address of documents."""
    app[BODIES] = Bodies(app[SETTINGS], app[DATA_FOLDER])
    app.router.add_post(PATH, _post, expect_handler=_expect)


async def _post(request: web.Request) -> web.StreamResponse:
    started = request.app[CLOCK].monotonic()
    in_query = collect(request.query.items())
    asked = parse(in_query)
    background = wants_job(request)
    if not background:  # a job waits for room by itself
        request.app[SERVICE].check(asked.priority)
    async with request.app[BODIES].receive(request) as body:
        asked = parse(collect(in_query.items(), body.options.items()))
        if body.many and asked.output.pages:
            raise InvalidRequest(f"output {asked.output.name} is made of one file at a time; send them one by one")
        deadline = _deadline(request, asked, started)
        if background:
            return await _as_job(request, body, asked, deadline)
        return await _read(request, body, asked, deadline, started)


async def _expect(request: web.Request) -> web.StreamResponse | None:
    """The client asks before it sends a large body: refuse it now, or tell it to go on."""
    try:
        request.app[BODIES].check(request)
        if not wants_job(request):
            request.app[SERVICE].check(1)
    except InklaneError as error:
        return problem_response(error, request)
    await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return None


def wants_job(request: web.Request) -> bool:
    """Whether the caller would rather not wait (RFC 7240)."""
    wishes = ",".join(request.headers.getall("Prefer", [])).lower().split(",")
    return any(wish.split(";")[0].strip() == "respond-async" for wish in wishes)


def _deadline(request: web.Request, asked: Asked, started: float) -> float | None:
    milliseconds = asked.deadline_ms or request.app[SETTINGS].server.default_deadline_ms
    return started + milliseconds / 1000 if milliseconds else None


async def _as_job(request: web.Request, body: Body, asked: Asked, deadline: float | None) -> web.StreamResponse:
    uploads: list[Upload] = []
    for file in body.files:
        if file.upload is None:  # nothing of the others is lost yet: the caller still has them
            raise file.error or StageFailed("the file was not received")
        uploads.append(file.upload)
    return await accept(
        request,
        uploads,
        asked.read,
        priority=asked.priority,
        deadline=deadline,
        output=asked.output.name,
        many=body.many,
    )


async def _read(
    request: web.Request, body: Body, asked: Asked, deadline: float | None, started: float
) -> web.StreamResponse:
    async with asyncio.TaskGroup() as group:  # if the caller goes away, all of them are cancelled
        tasks = [group.create_task(_outcome(request, file, asked, deadline)) for file in body.files]
    outcomes = [task.result() for task in tasks]
    response = _list(request, outcomes) if body.many else _single(request, outcomes[0])
    elapsed = request.app[CLOCK].monotonic() - started
    documents = [outcome.document for outcome in outcomes if outcome.document is not None]
    response.headers[HEADER] = server_timing(documents, elapsed)
    return response


async def _outcome(request: web.Request, file: Received, asked: Asked, deadline: float | None) -> _Outcome:
    if file.upload is None:
        return _Outcome(file.name, error=file.error)
    try:
        document = await request.app[SERVICE].read(
            file.upload, asked.read, priority=asked.priority, deadline=deadline, key=request.get(CALLER)
        )
        content, content_type = await render(file.upload, document, asked.output.name, request.app[SETTINGS].limits)
    except InklaneError as error:
        return _Outcome(file.name, error=error)
    return _Outcome(file.name, None, document, content, content_type)


def _single(request: web.Request, outcome: _Outcome) -> web.Response:
    if outcome.error is not None:
        raise outcome.error
    return web.Response(body=outcome.content, headers={"Content-Type": outcome.content_type})


def _list(request: web.Request, outcomes: Sequence[_Outcome]) -> web.Response:
    """Success and failure one by one; but if all are to be sent again later, the response says so as a whole."""
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    if len(errors) == len(outcomes) and all(status_of(error) in _COME_BACK for error in errors):
        raise errors[0]
    parts = b",".join(_entry(request, outcome) for outcome in outcomes)
    return web.Response(body=b'{"results":[' + parts + b"]}", content_type="application/json")


def _entry(request: web.Request, outcome: _Outcome) -> bytes:
    entry: dict[str, Any] = {"file": text_of(outcome.name)}
    if outcome.error is not None:
        entry["problem"] = problem(outcome.error, request_id(request), request.path)
    elif outcome.content_type.startswith("application/json"):
        entry["document"] = orjson.Fragment(outcome.content)
    else:
        entry |= {"content_type": outcome.content_type, "content": outcome.content.decode()}
    return orjson.dumps(entry)
