"""A version: one way of running a stage, with its model. Several can be in use while one takes over from another."""

from __future__ import annotations

import threading
from typing import Any

from models.backends.base import LoadedModel, Predictor
from stages.stage import Stage


class Version:
    """A stage's code with the model that it runs.

    Whoever needs it holds it (:meth:`acquire`): whatever chooses it for new documents, a document from the first item
    that it gives the stage until it ends, a batch until it has run. When the last one lets go the model is freed.

    Args:
        stage: the code.
        model: the network; None for a stage that has none.
        name: the model's, as results give it.
        number: tells versions of one stage apart.
    """

    def __init__(
        self, stage: Stage[Any, Any], model: LoadedModel | None = None, name: str = "", number: int = 0
    ) -> None:
        self.stage = stage
        self.name = name
        self.number = number
        self._model = model
        self._lock = threading.Lock()
        self._users = 0
        self._freed = False

    @property
    def freed(self) -> bool:
        """Whether nobody holds it any more."""
        return self._freed

    def predictor(self, lane: int) -> Predictor | None:
        """The network of one lane."""
        return None if self._model is None else self._model.predictor(lane)

    def acquire(self) -> None:
        """Hold it. The first time, or while somebody else does."""
        with self._lock:
            if self._freed:
                raise RuntimeError(f"{self.stage.name}: {self.name} is used after it was freed")
            self._users += 1

    def release(self) -> None:
        """Let go of it."""
        with self._lock:
            self._users -= 1
            self._freed = self._users == 0
            model = self._model if self._freed else None
            if self._freed:
                self._model = None
        if model is not None:
            model.close()
