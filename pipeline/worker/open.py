"""The reader that the settings ask for: in this process, in a worker, or in several."""

from __future__ import annotations

from pipeline.worker.client import WorkerClient
from pipeline.worker.interface import ServiceReader
from pipeline.worker.pool import WorkerPool
from schemas.settings import Settings

_ENGINE = "pipeline.engine:Engine"


def open_reader(settings: Settings, workers: int = 1) -> ServiceReader:
    """Start what reads. Returns when it is warmed up.

    Args:
        settings: what to load and how to run it.
        workers: processes, which share the cores and the places for documents.

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
        return WorkerClient(_ENGINE, settings, max_in_flight=in_flight, max_waiting=waiting)
    each = settings.model_copy(update={"cores": max(1, settings.core_count // workers)})
    return WorkerPool(_ENGINE, [each] * workers, max_in_flight=in_flight, max_waiting=max(1, waiting // workers))
