"""The stages that run a network, each with its model: loaded at the start, and again when a model is swapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.backends import get_backend
from models.backends.base import CtcHead, Inputs, LoadedModel, LoadOptions, ModelFiles
from models.charset import select
from models.ctc import CtcDecoder
from models.extras import require
from models.resolve import resolve
from pipeline.build_fields import fields_stages
from pipeline.profiles import cpu_profile
from schemas.doctypes import DocType
from schemas.settings import Settings
from stages.detection.stage import DetectionStage
from stages.fields.stage import FieldsStage
from stages.orientation.stage import OrientationStage
from stages.recognition.stage import HEIGHT, RecognitionStage
from stages.stage import Stage

MODEL_STAGES = ("detection", "orientation", "recognition", "layout_ner")
"""The stages that run a network; a model's task has its stage's name."""

_WHITE = {"detection": (1, 256, 256, 3), "orientation": (1, HEIGHT, 192, 3), "recognition": (1, HEIGHT, 320, 3)}


@dataclass(slots=True)
class StageModel:
    """A stage and its loaded model. ``backend`` is the runtime with its precision; ``sample`` suits the network.

    Of layout-NER, ``networks_types`` are the document types whose fields the network reads, and ``fields`` the stage
    that understands its tags.
    """

    stage: Stage[Any, Any]
    model: LoadedModel
    files: ModelFiles
    backend: str
    sample: Inputs
    networks_types: tuple[str, ...] = ()
    fields: FieldsStage | None = None

    @property
    def name(self) -> str:
        """The model's name with the start of its checksum."""
        return name_of(self.files)

    def warm_up(self, lanes: int) -> None:
        """Run every lane's predictor once, so that the first document does not pay for the first run."""
        for lane in range(lanes):
            self.model.predictor(lane).run(self.sample)


def name_of(files: ModelFiles) -> str:
    """A model's name as results give it: with the start of its checksum."""
    return f"{files.name}@{files.fingerprint[:12]}"


class ModelLoader:
    """Finds models, loads them and makes their stages.

    Args:
        settings: which models, and how they are run.
        doctypes: the document types by name.

    Raises:
        BackendUnavailable: the backend is not installed.
    """

    def __init__(self, settings: Settings, doctypes: Mapping[str, DocType]) -> None:
        require(settings.backend)  # first: without it, that a model is missing is beside the point
        self._settings, self._doctypes = settings, doctypes
        self._backend = get_backend(settings.backend)

    def find(self, task: str, wanted: str | None = None) -> ModelFiles:
        """The files of a model by its name; None: the one that the settings choose.

        Raises:
            InklaneError: it is missing or unsuited; the message says what to do.
        """
        name = wanted if wanted is not None else getattr(self._settings.models, task)
        return resolve(name, task, self._settings.backend, self._settings)

    def load(self, task: str, lanes: int, wanted: str | None = None) -> StageModel:
        """Load the model of a stage for so many lanes; ``wanted`` as for :meth:`find`."""
        if task == "layout_ner":
            return self._layout_ner(lanes, wanted)
        files = self.find(task, wanted)
        settings, cores = self._settings, self._settings.core_count
        more: dict[str, Any] = {}
        if task == "detection":
            more = {"boost_threads": cores if cores > 1 else 0, "shape_cache": 16, "hot_shapes": 2}
        keep = select(settings.recognition.charset, files.characters) if task == "recognition" else None
        if task == "recognition":
            more = {"ctc": CtcHead(top_k=settings.recognition.alternatives, keep=keep), "shape_cache": 48}
        options = LoadOptions(precision=settings.precision, instances=lanes, input=files.input, **more)
        model = self._backend.load(files, options)
        stage: Stage[Any, Any]
        if task == "detection":
            stage = DetectionStage(settings.detection)
        elif task == "orientation":
            stage = OrientationStage()
        else:
            padding = settings.recognition.max_padding
            padding = cpu_profile(model.precision).max_padding if padding is None else padding
            stage = RecognitionStage(CtcDecoder(files.characters, keep), padding)
        backend = f"{settings.backend} {model.precision}"
        return StageModel(stage, model, files, backend, np.full(_WHITE[task], 255, np.uint8))

    def _layout_ner(self, lanes: int, wanted: str | None) -> StageModel:
        settings = self._settings
        if wanted is not None:
            settings = settings.model_copy(update={"models": settings.models.model_copy(update={"layout_ner": wanted})})
        found = fields_stages(settings, self._doctypes)
        model = self._backend.load(found.files, found.load_options(lanes))
        backend = f"{settings.backend} {model.precision}"
        return StageModel(
            found.layout_ner, model, found.files, backend, found.sample, found.networks_types, found.fields
        )
