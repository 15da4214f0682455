"""Hot operations: which models read, their change while reading goes on, shadows, and traces."""

from __future__ import annotations

import functools
import http
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.keys import BODIES, SERVICE
from pipeline.server.models_json import ModelsJson
from pipeline.server.operations import Operations
from pipeline.server.problems import problem_response
from pipeline.server.tracer import Tracer
from schemas.errors import InvalidRequest, ModelError

OPERATIONS = web.AppKey("operations", Operations)
TRACER = web.AppKey("tracer", Tracer)

TRACE_SECONDS = 5.0
MIN_TRACE_SECONDS, MAX_TRACE_SECONDS = 0.1, 60.0

_NAME = re.compile(r"\w[\w.+-]{0,199}")
"""Names only: a path, which the settings may give for some models, would let the caller look for files."""

_SHOWN = 80
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{1,6})?")

Handler = Callable[[web.Request], Awaitable[web.Response]]


def add_routes(app: web.Application) -> None:
    """The addresses. Who may use them, the guard decides (:mod:`pipeline.server.security.middleware`)."""
    app[OPERATIONS] = Operations(app[SERVICE])
    app[TRACER] = Tracer(app[SERVICE])
    app.on_shutdown.append(_stop_tracing)
    app.on_cleanup.append(_close)
    app.router.add_get("/v1/models", _models)
    app.router.add_post("/v1/models/{stage}/rollback", _rollback)
    app.router.add_post("/v1/models/{stage}/shadow", _shadow)
    app.router.add_delete("/v1/models/{stage}/shadow", _end_shadow)
    app.router.add_get("/v1/trace", _trace, allow_head=False)
    app.router.add_post("/v2/repository/models/{stage}/load", _load)
    app.router.add_post("/v2/repository/models/{stage}/unload", _rollback)


def _refusable(handler: Handler) -> Handler:
    """A model that cannot be used is the fault of the request here: there is no point in trying again later."""

    @functools.wraps(handler)
    async def handle(request: web.Request) -> web.Response:
        try:
            return await handler(request)
        except ModelError as error:
            return problem_response(error, request, status=http.HTTPStatus.UNPROCESSABLE_ENTITY)

    return handle


async def _models(request: web.Request) -> web.Response:
    return _answer(await request.app[OPERATIONS].models())


@_refusable
async def _load(request: web.Request) -> web.Response:
    body = await _object(request, ["parameters"], "the body")
    parameters = _checked(body.get("parameters", {}), ["name", "share"], "parameters")
    share = _share(parameters)
    name = None if parameters.get("name") is None else _name(parameters)
    return _answer(await request.app[OPERATIONS].load(_stage(request), name, share))


@_refusable
async def _rollback(request: web.Request) -> web.Response:
    return _answer(await request.app[OPERATIONS].rollback(_stage(request)))


@_refusable
async def _shadow(request: web.Request) -> web.Response:
    body = await _object(request, ["name", "share"], "the body")
    return _answer(await request.app[OPERATIONS].shadow(_stage(request), _name(body), _share(body)))


async def _end_shadow(request: web.Request) -> web.Response:
    return _answer(await request.app[OPERATIONS].end_shadow(_stage(request)))


async def _trace(request: web.Request) -> web.Response:
    _checked(dict(request.query), ["seconds"], "the query")
    trace = await request.app[TRACER].record(_seconds(request.query.getall("seconds", [])))
    headers = {"Content-Disposition": 'attachment; filename="inklane-trace.json"'}
    return web.Response(body=trace, content_type="application/json", headers=headers)


def _answer(models: ModelsJson) -> web.Response:
    return web.Response(body=orjson.dumps(models), content_type="application/json")


def _stage(request: web.Request) -> str:
    return request.match_info["stage"]


async def _object(request: web.Request, names: Iterable[str], where: str) -> Mapping[str, Any]:
    """The body, which is an object with these entries and no others; none: an empty one."""
    if not request.can_read_body:
        return {}
    async with request.app[BODIES].receive_json(request) as (value, _):
        return _checked(value, names, where)


def _checked(value: Any, names: Iterable[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidRequest(f"{where} must be a JSON object, with {' and '.join(names)} as far as they are wanted")
    for name in value:
        if name not in names:
            raise InvalidRequest(f"{where} may have {', '.join(names)}; there is no {name[:_SHOWN]!r}")
    return value


def _name(values: Mapping[str, Any]) -> str:
    name = values.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidRequest("name must be that of a model (see inklane models), and no path")
    return name


def _share(values: Mapping[str, Any]) -> float:
    share = values.get("share", 1.0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not math.isfinite(share) or not 0 < share <= 1:
        raise InvalidRequest("share is the part of the documents: a number more than 0 and at most 1")
    return float(share)


def _seconds(given: list[str]) -> float:
    if not given:
        return TRACE_SECONDS
    if len(given) > 1 or not _NUMBER.fullmatch(given[0]):
        raise InvalidRequest("seconds is one number, such as 5 or 0.5")
    seconds = float(given[0])
    if not MIN_TRACE_SECONDS <= seconds <= MAX_TRACE_SECONDS:
        raise InvalidRequest(f"seconds must be from {MIN_TRACE_SECONDS:g} to {MAX_TRACE_SECONDS:g}")
    return seconds


async def _stop_tracing(app: web.Application) -> None:
    app[TRACER].stop()


async def _close(app: web.Application) -> None:
    await app[TRACER].close()
    await app[OPERATIONS].close()
