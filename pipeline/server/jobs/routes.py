"""The addresses of jobs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.jobs.addresses import WebhookHosts
from pipeline.server.jobs.events import END_ID
from pipeline.server.jobs.jobs import Jobs
from pipeline.server.jobs.model import Job, State
from pipeline.server.jobs.results import inline_results, result_response
from pipeline.server.jobs.signature import secret_of
from pipeline.server.jobs.stream import stream_events
from pipeline.server.jobs.webhooks import WebhookPolicy
from pipeline.server.keys import CALLER, CLOCK, SERVICE, SETTINGS
from pipeline.server.rendering import render
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.errors import InvalidRequest, NotFound, QueueFull
from schemas.requests import ReadOptions
from schemas.settings import Settings

JOBS = web.AppKey("jobs", Jobs)

WEBHOOK_HEADER = "Inklane-Webhook"
"""A header, not part of the address: webhooks' URLs often hold secrets, and addresses end up in logs."""

MAX_WATCHERS = 256
MAX_UNFINISHED = 1000
_LONGEST_PAGE = 200
_NO_STORE = {"Cache-Control": "no-store"}


def add_routes(app: web.Application) -> None:
    """Jobs, which start and stop with the application, and their addresses."""
    app[JOBS] = _make_jobs(app)
    app.cleanup_ctx.append(_run)
    app.on_shutdown.append(_make_way)
    app.router.add_get("/v1/jobs", _list)
    app.router.add_get("/v1/jobs/{id}", _get)
    app.router.add_delete("/v1/jobs/{id}", _delete)
    app.router.add_get("/v1/jobs/{id}/result", _result)
    app.router.add_get("/v1/jobs/{id}/events", _events, allow_head=False)
    app.router.add_get("/v1/webhook-secret", _webhook_secret)


def _make_jobs(app: web.Application) -> Jobs:
    settings: Settings = app[SETTINGS]
    server = settings.server

    async def rendered(upload: Upload, document: Document, output: str) -> tuple[bytes, str]:
        return await render(upload, document, output, settings.limits)

    return Jobs(
        server.data_folder,
        app[SERVICE],
        rendered,
        app[CLOCK],
        keep_s=server.job_ttl_s,
        max_waiting=MAX_UNFINISHED,
        # As many as the service lets through at once: the others wait in the database, not in memory.
        concurrency=min(2 * settings.max_pages_in_flight, settings.max_waiting_documents),
        webhooks=WebhookPolicy(
            secret=server.webhook_secret,
            hosts=WebhookHosts.parse(server.webhook_hosts),
            timeout_s=server.webhook_timeout_s,
            attempts=server.webhook_attempts,
        ),
    )


async def accept(
    request: web.Request,
    uploads: Sequence[Upload],
    options: ReadOptions,
    *,
    priority: int = 1,
    deadline: float | None = None,
    output: str = "json",
    many: bool = False,
) -> web.Response:
    """Answer a request for a job: 202, with the job and its address.

    The request's headers ``Inklane-Webhook`` and ``Idempotency-Key`` are heeded.

    Args:
        request: what is answered.
        uploads: its files, which the caller discards afterwards.
        options: for all of them.
        priority: 0 (most urgent) to 2.
        deadline: in seconds of the clock's ``monotonic``.
        output: the kind of result.
        many: whether the result is a list, even of one.

    Raises:
        InklaneError: see :meth:`Jobs.accept`.
    """
    jobs = request.app[JOBS]
    job = await jobs.accept(
        uploads,
        options,
        owner=_owner(request),
        priority=priority,
        deadline=deadline,
        output=output,
        many=many,
        webhook=request.headers.get(WEBHOOK_HEADER),
        idempotency_key=request.headers.get("Idempotency-Key"),
    )
    headers = {"Location": f"/v1/jobs/{job.id}", "Preference-Applied": "respond-async"}
    return _json(jobs.view(job), status=202, headers=headers)


async def _run(app: web.Application) -> AsyncIterator[None]:
    await app[JOBS].start()
    yield
    await app[JOBS].stop()


async def _make_way(app: web.Application) -> None:
    """The service is being stopped: what time there is belongs to requests, for jobs can go on at the next start."""
    app[JOBS].events.close()
    await app[JOBS].runner.stop()


async def _list(request: web.Request) -> web.Response:
    jobs = request.app[JOBS]
    limit = _number(request, "limit", 50, 1, _LONGEST_PAGE)
    state = _state(request)
    found, more = await jobs.page(_owner(request), limit=limit, after=request.query.get("after"), state=state)
    following = None
    if more:
        query = {"limit": str(limit), "after": found[-1].id} | ({"state": state.value} if state else {})
        following = str(request.rel_url.with_query(query))
    return _json({"jobs": [jobs.view(job) for job in found], "next": following})


async def _get(request: web.Request) -> web.Response:
    jobs = request.app[JOBS]
    job = await _job(request)
    view = jobs.view(job)
    wanted = _truth(request, "results", default=True)
    if wanted and job.state in (State.DONE, State.FAILED):
        results = await inline_results(request, job, jobs.files)
        if results is not None:
            view["results"] = results
    return _json(view)


async def _result(request: web.Request) -> web.StreamResponse:
    job = await _job(request)
    position = _number(request, "file", -1, 0, len(job.files) - 1) if "file" in request.query else None
    return await result_response(request, job, request.app[JOBS].files, position)


async def _delete(request: web.Request) -> web.Response:
    await request.app[JOBS].delete(request.match_info["id"], _owner(request))
    return web.Response(status=204)


async def _events(request: web.Request) -> web.StreamResponse:
    jobs = request.app[JOBS]
    job = await _job(request)
    last_id = request.headers.get("Last-Event-ID")
    if last_id == END_ID and job.state.ended:
        return web.Response(status=204)  # tells a browser's EventSource not to come back
    if jobs.events.watchers >= MAX_WATCHERS:
        raise QueueFull(
            f"{MAX_WATCHERS} event streams are open, which is all there is room for; ask for the job instead"
        )

    async def look() -> Job | None:
        try:
            return await jobs.get(job.id, job.owner)
        except NotFound:
            return None

    with jobs.events.watch(job.id, last_id) as watch:
        return await stream_events(request, watch, look, jobs.view)


async def _webhook_secret(request: web.Request) -> web.Response:
    master = request.app[SETTINGS].server.webhook_secret
    if master is None:
        raise NotFound("this service sends no webhooks")
    return _json({"secret": secret_of(master, _owner(request))})


async def _job(request: web.Request) -> Job:
    return await request.app[JOBS].get(request.match_info["id"], _owner(request))


def _owner(request: web.Request) -> str:
    return request.get(CALLER) or ""


def _number(request: web.Request, name: str, default: int, least: int, most: int) -> int:
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10) or not least <= int(text) <= most:
        raise InvalidRequest(f"{name}: give a whole number from {least} to {most}")
    return int(text)


def _truth(request: web.Request, name: str, *, default: bool) -> bool:
    text = request.query.get(name)
    if text not in (None, "true", "false"):
        raise InvalidRequest(f"{name}: give true or false")
    return default if text is None else text == "true"


def _state(request: web.Request) -> State | None:
    text = request.query.get("state")
    try:
        return None if text is None else State(text)
    except ValueError:
        raise InvalidRequest(f"state: give one of {', '.join(State)}") from None


def _json(value: dict[str, Any], *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        body=orjson.dumps(value),
        status=status,
        content_type="application/json",
        headers=_NO_STORE | (headers or {}),
    )
