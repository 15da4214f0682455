"""The application: its parts put together."""

from __future__ import annotations

import time

from aiohttp import web

from pipeline.server import documents, health, hot, information, kserve, openapi, oversight, paddlex, playground
from pipeline.server.data_folder import DataFolder
from pipeline.server.jobs import routes as jobs
from pipeline.server.keys import CLOCK, DATA_FOLDER, SERVICE, SETTINGS
from pipeline.server.problems import name_response
from pipeline.server.service import Clock, Service, ServiceReader
from schemas.settings import Settings


def make_app(settings: Settings, reader: ServiceReader | None, *, clock: Clock = time) -> web.Application:
    """The application.

    Args:
        settings: all settings.
        reader: what reads documents; None where it is still being started and attached to the service later.
        clock: the time.
    """
    app = web.Application(middlewares=oversight.MIDDLEWARES, client_max_size=settings.server.max_body_bytes)
    app[SETTINGS] = settings
    app[CLOCK] = clock
    app[DATA_FOLDER] = DataFolder(settings.server.data_folder)
    app[SERVICE] = Service(settings, reader, clock)
    app.on_response_prepare.append(name_response)
    oversight.setup(app)
    app.on_startup.insert(0, _open_data_folder)  # before any part starts, the contexts in cleanup_ctx included
    for part in (health, documents, jobs, information, paddlex, kserve, hot, playground, openapi):
        part.add_routes(app)
    app.on_cleanup.append(_close_data_folder)  # when every part has ended
    return app


async def _open_data_folder(app: web.Application) -> None:
    app[DATA_FOLDER].open()


async def _close_data_folder(app: web.Application) -> None:
    app[DATA_FOLDER].close()
