"""The reader that the settings ask for: in this process, in a worker, or in several."""

from __future__ import annotations

from pipeline.worker.client import WorkerClient
from pipeline.worker.interface import ServiceReader
from pipeline.worker.pool import WorkerPool
from schemas.settings import Settings

ENGINE = "pipeline.engine:Engine"
LOGGED_ENGINE = "pipeline.logged_engine:build"
"""The same, with messages for a service's log."""


def open_reader(settings: Settings, workers: int = 1, engine: str = ENGINE) -> ServiceReader:
    """Start what reads. Returns when it is warmed up.

    Args:
        settings: what to load and how to run it.
        workers: processes, which share the cores and the places for documents.
        engine: what is built in each, as ``"module:name"``.

    Raises:
        InklaneError: the models cannot be loaded, or a worker did not start.
    """
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    if settings.in_process:
        from pipeline.engine import Engine  # only where it is wanted: it brings the runtimes along

        return Engine(settings)
    # One document ready behind each page slot, so that a worker never waits for the socket.
    in_flight, waiting = 2 * settings.max_pages_in_flight, settings.max_waiting_documents
    if workers == 1:
        return WorkerClient(engine, settings, max_in_flight=in_flight, max_waiting=waiting)
    each = settings.model_copy(update={"cores": max(1, settings.core_count // workers)})
    return WorkerPool(engine, [each] * workers, max_in_flight=in_flight, max_waiting=max(1, waiting // workers))
