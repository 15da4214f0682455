"""What watches over all requests, put together in the one order that works."""

from __future__ import annotations

from aiohttp import web

from pipeline.server import accounting, metrics, request_log
from pipeline.server.keys import SERVICE
from pipeline.server.problems import problems_middleware
from pipeline.server.request_log import log_middleware
from pipeline.server.security import middleware as guard
from pipeline.server.security.middleware import guard_middleware

MIDDLEWARES = (log_middleware, problems_middleware, guard_middleware)
"""From the outermost: the log sees the status that an error gets; errors of the guard are told like any other."""


def setup(app: web.Application) -> None:
    """Log, guard, metrics, accounts. After the settings, the clock and the service are there.

    Raises:
        SettingsError: the service may not listen there without keys, or something configured cannot work.
    """
    request_log.setup(app)
    guard.setup(app)
    metrics.add_routes(app)
    accounting.setup(app)
    app[SERVICE].accounts = app[accounting.ACCOUNTING]
