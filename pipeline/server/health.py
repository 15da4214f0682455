"""Whether the service lives and is ready: answered from the event loop, whatever the worker is doing."""

from __future__ import annotations

from aiohttp import web

from pipeline.server.keys import SERVICE
from pipeline.server.problems import request_id


def add_routes(app: web.Application) -> None:
    """``/health``, and the addresses of the KServe v2 protocol."""
    app.router.add_get("/health", _health)
    app.router.add_get("/v2/health/live", _live)
    app.router.add_get("/v2/health/ready", _ready)


async def _live(request: web.Request) -> web.Response:
    return web.Response()


async def _ready(request: web.Request) -> web.Response:
    return web.Response(status=200 if request.app[SERVICE].ready else 503)


async def _health(request: web.Request) -> web.Response:
    """For people, and in the shape that clients of PaddleX look for."""
    service = request.app[SERVICE]
    state = "ready" if service.ready else "stopping" if service.stopping else "starting"
    body = {
        "status": state,
        "logId": request_id(request),
        "errorCode": 0 if service.ready else 503,
        "errorMsg": "Healthy" if service.ready else state.capitalize(),
    }
    return web.json_response(body, status=200 if service.ready else 503)
