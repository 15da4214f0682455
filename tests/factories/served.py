"""The whole application with a reader that knows the samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aiohttp import web

from pipeline.server.app import make_app
from schemas.settings import load_settings
from tests.factories.labelled_reader import LabelledReader


def served(folder: Path, reader: LabelledReader | None = None, **server: Any) -> web.Application:
    """The application; ``server`` are settings of it."""
    return make_app(load_settings(server={"data_dir": folder, **server}), reader or LabelledReader())
