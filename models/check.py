"""Loads every model found with every backend that can run it, and lets it read something."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models import backends
from models.backends.base import Backend
from models.layout_ner.model_files import TASK as LAYOUT_NER
from models.listing import list_models
from models.probe import load_options, probe
from models.resolve import resolve
from schemas.errors import InklaneError
from schemas.settings import Settings

REQUIRED_TASKS = ("detection", "recognition", "orientation", LAYOUT_NER)


@dataclass(slots=True, frozen=True)
class CheckResult:
    """One model on one backend. ``detail`` says what it read, or what is wrong and what to do."""

    name: str
    task: str
    backend: str
    ok: bool
    detail: str
    seconds: float


def check_models(
    settings: Settings, get_backend: Callable[[str], Backend] = backends.get_backend
) -> Iterator[CheckResult]:
    """Try all models, one after the other; nothing is downloaded.

    The embedded models that the settings ask for are among them even where they are missing, which is a failure.

    Args:
        settings: where models are, and the precision to compute in.
        get_backend: gives the backend of a name.
    """
    offline = settings.model_copy(update={"allow_download": False})
    done: set[tuple[str, str]] = set()
    for status in list_models(offline):
        if status.broken:
            yield CheckResult(status.name, status.task, "-", False, status.note, 0.0)
        for backend in status.backends if status.task else ():
            done.add((status.name, backend))
            wanted = status.where[0] if status.task == LAYOUT_NER else status.name
            yield _check(status.name, status.task, backend, offline, get_backend, wanted)
    for task in REQUIRED_TASKS:
        if task == LAYOUT_NER and not settings.fields.enabled:
            continue
        wanted = getattr(settings.models, task)
        try:
            name = resolve(wanted, task, settings.backend, offline).name
        except InklaneError as error:
            yield CheckResult(wanted or "(default)", task, settings.backend, False, error.message, 0.0)
            continue
        if (name, settings.backend) not in done:
            yield _check(name, task, settings.backend, offline, get_backend, wanted)


def _check(
    name: str, task: str, backend: str, settings: Settings, get_backend: Callable[[str], Backend], wanted: str | None
) -> CheckResult:
    began = time.perf_counter()
    try:
        files = resolve(wanted, task, backend, settings)
        loaded = get_backend(backend).load(files, load_options(files, settings.precision))
        try:
            ok, detail = True, probe(files, loaded)
        finally:
            loaded.close()
    except InklaneError as error:
        ok, detail = False, error.message
    except Exception as error:  # noqa: BLE001 - whatever a runtime raises is the finding, and the others go on
        ok, detail = False, f"{type(error).__name__}: {error}"
    return CheckResult(name, task, backend, ok, detail, time.perf_counter() - began)
