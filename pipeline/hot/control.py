"""The commands that change or watch an engine while documents flow."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from pipeline.hot.models import HotModels
from pipeline.hot.recorder import LIMIT, Recorder
from schemas.errors import InvalidRequest, WorkerFailed

Answer = dict[str, Any]


class Control:
    """Runs commands, one after the other, in a thread of its own.

    ============== ========================== ===================================================================
    command        arguments                  what it does
    ============== ========================== ===================================================================
    ``models``                                tells each stage's models: in use, candidate, before, shadow
    ``load_model`` ``stage``, ``name``,       reads new documents, or a share of them, with another model; the one
                   ``share``                  in use stays if this one fails its self-test
    ``rollback``   ``stage``                  gives the candidate up, or goes back to the model before
    ``shadow``     ``stage``, ``name``,       runs a share of the documents once more with another model, or
                   ``share``                  ``unbatched``; compares and counts; share 0 ends it
    ``trace``      ``action``, ``limit``      ``start`` records batches, ``stop`` gives them
    ============== ========================== ===================================================================
    """

    def __init__(self, models: HotModels, recorder: Recorder) -> None:
        self._models, self._recorder = models, recorder
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._closed = False
        self._commands: dict[str, Callable[..., Answer]] = {
            "models": models.describe,
            "load_model": models.load,
            "rollback": models.rollback,
            "shadow": models.shadow,
            "trace": self._trace,
        }

    def run(self, command: str, arguments: dict[str, Any]) -> Future[Answer]:
        """Run a command; the future ends with its answer or its error."""
        found = self._commands.get(command)
        try:
            if found is None:
                raise InvalidRequest(f"no command {command!r}; there are {', '.join(self._commands)}")
            _check_arguments(command, found, arguments)
            with self._lock:
                if self._closed:
                    raise WorkerFailed("this reader is closed; make a new one")
                if self._thread is None:
                    self._thread = ThreadPoolExecutor(1, thread_name_prefix="control")
                return self._thread.submit(found, **arguments)
        except (InvalidRequest, WorkerFailed) as error:
            refused: Future[Answer] = Future()
            refused.set_exception(error)
            return refused

    def close(self) -> None:
        """Finish the command that runs, refuse the others, end the shadows. Idempotent."""
        with self._lock:
            self._closed = True
            thread = self._thread
        if thread is not None:
            thread.shutdown(wait=True, cancel_futures=True)
        self._models.close()

    def _trace(self, action: str, limit: int = LIMIT) -> Answer:
        if action == "start":
            self._recorder.start(limit)
            return {"recording": True}
        if action == "stop":
            return self._recorder.stop()
        raise InvalidRequest(f"trace: action is start or stop, not {action!r}")


def _check_arguments(command: str, found: Callable[..., Answer], arguments: dict[str, Any]) -> None:
    signature = inspect.signature(found)
    try:
        signature.bind(**arguments)
    except TypeError as error:
        takes = ", ".join(signature.parameters) or "no arguments"
        raise InvalidRequest(f"{command} takes {takes}: {error}") from error
