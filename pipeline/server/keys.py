"""What the parts of the server find in the application, by key."""

from __future__ import annotations

from aiohttp import web

from pipeline.server.bodies import Bodies
from pipeline.server.data_folder import DataFolder
from pipeline.server.service import Clock, Service
from schemas.settings import Settings

SETTINGS = web.AppKey("settings", Settings)
SERVICE = web.AppKey("service", Service)
CLOCK: web.AppKey[Clock] = web.AppKey("clock", Clock)
BODIES = web.AppKey("bodies", Bodies)
DATA_FOLDER = web.AppKey("data_folder", DataFolder)

REQUEST_ID = web.RequestKey("request_id", str)
"""Set on every request before any handler runs."""

CALLER = web.RequestKey("caller", str)
"""The id of the API key that a request came with; not set where keys are not asked for."""
