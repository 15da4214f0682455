"""``POST /v1/documents``: files in, documents out."""

from __future__ import annotations

from aiohttp import web


def add_routes(app: web.Application) -> None:
    """The address of documents."""
