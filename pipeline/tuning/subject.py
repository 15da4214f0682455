"""A reader under certain settings, as it is used for folders: in a worker process, with many documents in flight."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

from pipeline.api import Inklane
from schemas.document import Document
from schemas.errors import InklaneError
from schemas.settings import Settings


class LiveSubject:
    """Reads documents; warm when constructed. See :class:`pipeline.tuning.trial.Subject`.

    Args:
        settings: what to measure.
        paths: the documents.
        least: documents in a round at least; a shorter list is read several times a round, because the last
            documents of a round cannot fill the batches.

    Raises:
        InklaneError: the settings cannot run here, or none of the documents can be read.
    """

    def __init__(self, settings: Settings, paths: Sequence[Path], least: int) -> None:
        self._inklane = Inklane(settings)
        self._paths = list(paths) * math.ceil(least / len(paths))
        self.texts: list[str] = []
        self.failed: dict[Path, str] = {}
        self.models: dict[str, str] = {}
        try:
            self._warm_up(paths)
        except BaseException:
            self.close()
            raise

    @property
    def precision(self) -> str:
        """What the networks compute in."""
        return self.models.get("backend", "").rpartition(" ")[2]

    def rate(self) -> float:
        """Read all documents once; documents per second."""
        started = time.perf_counter()
        for _ in self._inklane.stream(self._paths):
            pass
        return len(self._paths) / (time.perf_counter() - started)

    def close(self) -> None:
        """End the worker process."""
        self._inklane.close()

    def _warm_up(self, paths: Sequence[Path]) -> None:
        for path, outcome in zip(paths, self._inklane.stream(paths), strict=True):
            if isinstance(outcome, Document):
                self.models.update(outcome.models)
                self.texts.append(outcome.text)
            else:
                self.failed[path] = outcome.message
                self.texts.append("")
        if len(self.failed) == len(paths):
            path, reason = next(iter(self.failed.items()))
            raise InklaneError(f"none of the documents can be read; {path}: {reason}")
