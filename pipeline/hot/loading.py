"""A model is loaded beside the one in use, and tried before it may read anything."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Protocol

from models.backends import get_backend
from models.probe import load_options, probe
from pipeline.build_models import ModelLoader, StageModel, name_of
from schemas.doctypes import DocType
from schemas.errors import InklaneError, ModelError
from schemas.settings import Settings

log = logging.getLogger(__name__)


class Loading(Protocol):
    """Where models come from."""

    def name(self, stage: str, wanted: str | None) -> str:
        """The name, with the start of its checksum, of the model that would be loaded.

        Raises:
            InklaneError: it is missing or unsuited.
        """
        ...

    def load(self, stage: str, wanted: str | None, lanes: int) -> StageModel:
        """Load a model and try it; it is warmed up for so many lanes.

        Raises:
            InklaneError: it is missing, unsuited, or failed the try.
        """
        ...


class CheckedLoading:
    """Loads as at the start, and lets each model read a drawn text as ``inklane models check`` does."""

    def __init__(self, settings: Settings, doctypes: Mapping[str, DocType]) -> None:
        self._settings = settings
        self._loader = ModelLoader(settings, doctypes)

    def name(self, stage: str, wanted: str | None) -> str:
        """See :class:`Loading`."""
        return name_of(self._loader.find(stage, wanted))

    def load(self, stage: str, wanted: str | None, lanes: int) -> StageModel:
        """See :class:`Loading`."""
        if stage == "recognition" and self._settings.recognition.charset != "full":
            self._try_whole(stage, wanted)
        loaded = self._loader.load(stage, lanes, wanted)
        try:
            if stage != "recognition" or self._settings.recognition.charset == "full":
                log.info("%s %s", loaded.name, probe(loaded.files, loaded.model))
            loaded.warm_up(lanes)
        except InklaneError as error:
            loaded.model.close()
            raise ModelError(f"{loaded.name} failed its self-test: {error.message}") from error
        except Exception as error:
            loaded.model.close()
            raise ModelError(f"{loaded.name} failed its self-test: {type(error).__name__}: {error}") from error
        return loaded

    def _try_whole(self, stage: str, wanted: str | None) -> None:
        """Try a recogniser with all its characters: the drawn text may have some that the settings leave out."""
        files = self._loader.find(stage, wanted)
        model = get_backend(self._settings.backend).load(files, load_options(files, self._settings.precision))
        try:
            probe(files, model)
        except InklaneError as error:
            raise ModelError(f"{name_of(files)} failed its self-test: {error.message}") from error
        finally:
            model.close()
