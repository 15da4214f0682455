"""A version: one way of running a stage, with its model. Several can be in use while one takes over from another."""

from __future__ import annotations

import threading
from typing import Any

from models.backends.base import LoadedModel, Predictor
from stages.stage import Stage


class Version:
    """A stage's code with the model that it runs.

    Whoever wants it to stay holds it (:meth:`acquire`): a document from the first item that it gives the stage until
    it ends, a batch until it has run. Once retired it is freed when the last one lets go.

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
        self._retired = False

    @property
    def closed(self) -> bool:
        """Whether it is retired and nobody uses it any more."""
        return self._retired and not self._users

    def predictor(self, lane: int) -> Predictor | None:
        """The network of one lane."""
        return None if self._model is None else self._model.predictor(lane)

    def acquire(self) -> None:
        """Keep it. Only while somebody else keeps it, or before it is retired."""
        with self._lock:
            assert not self.closed, f"{self.name} is used after it was freed"
            self._users += 1

    def release(self) -> None:
        """Let go of it, which frees it where it is retired and nobody else keeps it."""
        with self._lock:
            self._users -= 1
        self._free_if_closed()

    def retire(self) -> None:
        """It will not be used for anything new. Idempotent."""
        with self._lock:
            self._retired = True
        self._free_if_closed()

    def _free_if_closed(self) -> None:
        with self._lock:
            model = self._model if self.closed else None
            if model is not None:
                self._model = None
        if model is not None:
            model.close()
