"""What the service runs, in the shape of KServe's v2 protocol and Triton: its stages are the models.

A stage's network takes and gives arrays that only the stages beside it understand, so there is no ``infer`` here:
documents go to ``POST /v1/documents``.
"""

from __future__ import annotations

from importlib import metadata
from typing import Any

from aiohttp import web

from pipeline.server.keys import BODIES, SERVICE
from schemas.errors import InklaneError
from schemas.statistics import StageFigures, WorkerStatistics

_NAME = "inklane"
_EXTENSIONS = ["statistics", "model_repository"]
_NANOSECONDS = 1e9


def add_routes(app: web.Application) -> None:
    """The server's and its models' metadata. Health is elsewhere."""
    app.router.add_get("/v2", _server)
    app.router.add_get("/v2/models", _models)
    app.router.add_get("/v2/models/{model}", _model)
    app.router.add_get("/v2/models/{model}/ready", _ready)
    app.router.add_get("/v2/models/{model}/stats", _stats)
    app.router.add_get("/v2/models/{model}/versions/{version}", _model)
    app.router.add_get("/v2/models/{model}/versions/{version}/ready", _ready)
    app.router.add_get("/v2/models/{model}/versions/{version}/stats", _stats)
    app.router.add_post("/v2/repository/index", _index)


async def _server(request: web.Request) -> web.Response:
    return web.json_response({"name": _NAME, "version": _version(), "extensions": _EXTENSIONS})


async def _models(request: web.Request) -> web.Response:
    return web.json_response({"models": list(_loaded(_statistics(request)))})


async def _model(request: web.Request) -> web.Response:
    statistics = _statistics(request)
    found = _named(request, statistics)
    if found is None:
        return _unknown(request, statistics)
    name, version = found
    body = {
        "name": name,
        "versions": [version],
        "platform": statistics.models.get("backend", "").partition(" ")[0],
        "inputs": [],
        "outputs": [],
    }
    return web.json_response(body)


async def _ready(request: web.Request) -> web.Response:
    statistics = _statistics(request)
    found = _named(request, statistics)
    if found is None:
        return _unknown(request, statistics)
    ready = request.app[SERVICE].ready
    return web.json_response({"name": found[0], "ready": ready}, status=200 if ready else 503)


async def _stats(request: web.Request) -> web.Response:
    statistics = _statistics(request)
    found = _named(request, statistics)
    if found is None:
        return _unknown(request, statistics)
    return web.json_response({"model_stats": [_figures(*found, statistics.stages.get(found[0], StageFigures()))]})


async def _index(request: web.Request) -> web.Response:
    """All models, or with ``{"ready": true}`` those that are ready: while the service is, all of them."""
    asked: Any = {}
    if request.can_read_body:
        async with request.app[BODIES].receive_json(request) as (value, _):
            asked = value
    only_ready = asked.get("ready", False) if isinstance(asked, dict) else None
    if not isinstance(only_ready, bool):
        return _error(400, 'the body must be empty, or JSON: {"ready": true}')
    ready = request.app[SERVICE].ready
    state = {"state": "READY", "reason": ""} if ready else {"state": "UNAVAILABLE", "reason": "starting or stopping"}
    models = _loaded(_statistics(request)) if ready or not only_ready else {}
    return web.json_response([{"name": name, "version": version, **state} for name, version in models.items()])


def _statistics(request: web.Request) -> WorkerStatistics:
    """The worker's figures as last told; none while it is being started."""
    try:
        reader: Any = request.app[SERVICE].reader
    except InklaneError:
        return WorkerStatistics()
    tell = getattr(reader, "statistics", None)
    return tell() if tell is not None else WorkerStatistics()


def _loaded(statistics: WorkerStatistics) -> dict[str, str]:
    """Stages that run a network, in the order of the flow, each with its model's name, which tells its version."""
    models = {name: model for name, model in statistics.models.items() if name != "backend"}
    order = [*(name for name in statistics.stages if name in models), *models]
    return {name: models[name] for name in dict.fromkeys(order)}


def _named(request: web.Request, statistics: WorkerStatistics) -> tuple[str, str] | None:
    name = request.match_info["model"]
    version = _loaded(statistics).get(name)
    if version is None or request.match_info.get("version", version) != version:
        return None
    return name, version


def _figures(name: str, version: str, figures: StageFigures) -> dict[str, Any]:
    """A stage's counts as Triton tells them; what Triton does not count has names of our own."""
    network = {"count": figures.batch_count, "ns": _ns(figures.network_s.sum)}
    queue = {"count": figures.queue_s.count, "ns": _ns(figures.queue_s.sum)}
    return {
        "name": name,
        "version": version,
        "inference_count": figures.items,
        "execution_count": figures.batch_count,
        "inference_stats": {
            "success": {"count": figures.items, "ns": _ns(figures.queue_s.sum + figures.busy_s)},
            "queue": queue,
            "compute_infer": network,
        },
        "batch_stats": [
            {"batch_size": size, "compute_infer": {"count": count}} for size, count in sorted(figures.batches.items())
        ],
        "mean_batch_size": round(figures.mean_batch, 3),
        "padding_share": round(figures.padding_share, 4),
        "waiting": figures.waiting,
        "lanes": figures.lanes,
        "busy_lanes": figures.busy_lanes,
        "dropped": dict(figures.dropped),
    }


def _ns(seconds: float) -> int:
    return round(seconds * _NANOSECONDS)


def _unknown(request: web.Request, statistics: WorkerStatistics) -> web.Response:
    known = ", ".join(f"{name} (version {version})" for name, version in _loaded(statistics).items())
    return _error(404, f"there is no such model or version; there are {known or 'none yet, as they are being loaded'}")


def _error(status: int, message: str) -> web.Response:
    return web.json_response({"error": message}, status=status)


def _version() -> str:
    try:
        return metadata.version(_NAME)
    except metadata.PackageNotFoundError:  # run from a source tree that is not installed
        return "0"
