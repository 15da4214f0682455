"""The engine of a worker that serves a service: the same, and its messages are JSON lines without content."""

from __future__ import annotations

from pipeline.engine import Engine
from pipeline.worker_log import configure_worker
from schemas.settings import Settings


def build(settings: Settings) -> Engine:
    """Built in the worker process."""
    configure_worker()
    return Engine(settings)
