"""From settings to stages with loaded models, lanes and a dispatcher: everything a worker runs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from models.backends import get_backend
from models.backends.base import CtcHead, Inputs, LoadedModel, LoadOptions, ModelFiles
from models.charset import select
from models.ctc import CtcDecoder
from models.extras import require
from models.resolve import resolve
from pipeline.build_fields import fields_stages
from pipeline.doc_types import load_types
from pipeline.heap import keep_heap_small
from pipeline.profiles import (
    PAGE_BATCH,
    PAGE_CHARACTERS,
    Profile,
    batch_policy,
    cpu_profile,
    detection_lanes,
    lane_count,
    layout_ner_lanes,
)
from schemas.doctypes import DocType
from schemas.errors import SettingsError
from schemas.settings import Settings, StageSettings
from stages.assembly.stage import AssemblyStage
from stages.batcher import BatchPolicy
from stages.decode.opening import OpenStage
from stages.decode.stage import DecodeStage
from stages.detection.stage import DetectionStage
from stages.devices.base import Device
from stages.devices.cpu import CpuDevice
from stages.fields.warm_up import warm_up
from stages.orientation.stage import OrientationStage
from stages.recognition.stage import HEIGHT, RecognitionStage
from stages.stage import Stage


@dataclass(slots=True)
class StagePlan:
    """One stage ready to get lanes: what it runs, how it batches, how many lanes, and its model if it has one.

    ``warm_up`` is what each lane's predictor is run on once, so that the first document does not pay for the first run.
    """

    stage: Stage[Any, Any]
    policy: BatchPolicy
    lanes: int
    feeds: str | None
    room: int
    credits: int | None = None
    boost: bool = False
    model: LoadedModel | None = None
    warm_up: Inputs | None = None


@dataclass(slots=True)
class Plant:
    """All stages in the order of the flow, the device they run on, and the names of the models they use.

    ``doctypes`` are the document types by name; of ``networks_types`` the network reads the fields.
    """

    device: Device
    plans: list[StagePlan] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    doctypes: dict[str, DocType] = field(default_factory=dict)
    networks_types: tuple[str, ...] = ()

    def close(self) -> None:
        """Free the models."""
        for plan in self.plans:
            if plan.model is not None:
                plan.model.close()


def build(settings: Settings) -> Plant:
    """Load the models and make the stages. Takes a second or two.

    Raises:
        InklaneError: a model is missing or unsuited, a backend is not installed, a setting cannot work.
    """
    if settings.device != "cpu":
        raise SettingsError(f"device: {settings.device!r} is not supported yet; use cpu")
    _quiet_opencv()
    keep_heap_small()
    plant = Plant(CpuDevice(settings.core_count), doctypes=load_types(settings))
    loader = _Loader(settings, plant.models)
    with ThreadPoolExecutor(1) as pool:
        # Importing what checks values takes as long as compiling a network, and needs another core.
        importing = pool.submit(warm_up) if settings.fields.enabled else None
        try:
            _add_stages(settings, plant, loader)
            for plan in plant.plans:
                _warm_up(plan)
            if importing is not None:
                importing.result()
        except BaseException:
            plant.close()
            raise
    return plant


def _quiet_opencv() -> None:
    """Keep OpenCV to the calling thread, and off standard error."""
    # A lane is granted its cores by the dispatcher; threads of OpenCV's own would take them from other lanes.
    cv2.setNumThreads(1)
    # What it would warn of, damaged files mostly, is told as the document's own error or warning.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


class _Loader:
    """Resolves and loads models, and notes their names."""

    def __init__(self, settings: Settings, names: dict[str, str]) -> None:
        require(settings.backend)  # first: without it, that a model is missing is beside the point
        self._settings, self._names = settings, names
        self._backend = get_backend(settings.backend)

    def load(self, task: str, name: str | None, lanes: int, **options: Any) -> tuple[ModelFiles, LoadedModel]:
        """Load the model for a task; ``options`` may be callables that take the resolved files."""
        files = resolve(name, task, self._settings.backend, self._settings)
        values = {key: value(files) if callable(value) else value for key, value in options.items()}
        load = LoadOptions(precision=self._settings.precision, instances=lanes, input=files.input, **values)
        model = self.load_files(files, load)
        self._names["backend"] = f"{self._settings.backend} {model.precision}"
        return files, model

    def load_files(self, files: ModelFiles, options: LoadOptions) -> LoadedModel:
        """Load a model that is found already."""
        model = self._backend.load(files, options)
        self._names[files.task] = f"{files.name}@{files.fingerprint[:12]}"
        return model


def _add_stages(settings: Settings, plant: Plant, loader: _Loader) -> None:
    cores, stages, names = settings.core_count, settings.stages, settings.models
    boost = cores if cores > 1 else 0

    def add(
        stage: Stage[Any, Any], knobs: StageSettings, policy: BatchPolicy, lanes: int, room: int, **rest: Any
    ) -> None:
        feeds = rest.pop("feeds")
        plant.plans.append(StagePlan(stage, policy, lanes, feeds, knobs.max_queue_size or room, **rest))

    add(
        OpenStage(settings.limits), stages.open, batch_policy(stages.open), lane_count(stages.open, 1),
        settings.max_waiting_documents, feeds="decode", credits=settings.max_open_documents,
    )  # fmt: skip
    add(
        DecodeStage(), stages.decode, batch_policy(stages.decode), lane_count(stages.decode, cores),
        settings.max_open_documents, feeds="detection", credits=settings.max_pages_in_flight,
    )  # fmt: skip

    lanes = lane_count(stages.detection, detection_lanes(cores))
    _, detector = loader.load("detection", names.detection, lanes, boost_threads=boost, shape_cache=16, hot_shapes=2)
    add(
        DetectionStage(settings.detection), stages.detection, batch_policy(stages.detection), lanes, 4,
        feeds="orientation" if settings.orientation.enabled else "recognition", boost=boost > 1, model=detector,
    )  # fmt: skip

    if settings.orientation.enabled:
        lanes = lane_count(stages.orientation, 1)
        _, classifier = loader.load("orientation", names.orientation, lanes)
        add(
            OrientationStage(), stages.orientation, batch_policy(stages.orientation), lanes, 8,
            feeds="recognition", model=classifier,
        )  # fmt: skip

    _add_recognition(settings, add, loader)
    feeds = "layout_ner" if settings.fields.enabled else None
    add(
        AssemblyStage(), stages.assembly, batch_policy(stages.assembly), lane_count(stages.assembly, 1), 64, feeds=feeds
    )
    if settings.fields.enabled:
        _add_fields(settings, plant, add, loader)


def _add_fields(settings: Settings, plant: Plant, add: Callable[..., None], loader: _Loader) -> None:
    stages = settings.stages
    lanes = lane_count(stages.layout_ner, layout_ner_lanes(settings.core_count))
    found = fields_stages(settings, plant.doctypes)
    plant.networks_types = found.networks_types
    model = loader.load_files(found.files, found.load_options(lanes))
    policy = batch_policy(stages.layout_ner, max_size=PAGE_BATCH, max_pixels=PAGE_CHARACTERS)
    add(
        found.layout_ner, stages.layout_ner, policy, lanes, 64,
        feeds="fields", model=model, warm_up=found.sample,
    )  # fmt: skip
    add(found.fields, stages.fields, batch_policy(stages.fields), lane_count(stages.fields, 1), 64, feeds=None)


def _add_recognition(settings: Settings, add: Callable[..., None], loader: _Loader) -> None:
    knobs = settings.stages.recognition
    lanes = lane_count(knobs, settings.core_count)

    def keep(files: ModelFiles) -> tuple[int, ...] | None:
        return select(settings.recognition.charset, files.characters)

    def head(files: ModelFiles) -> CtcHead:
        return CtcHead(top_k=settings.recognition.alternatives, keep=keep(files))

    files, model = loader.load("recognition", settings.models.recognition, lanes, ctc=head, shape_cache=48)
    profile: Profile = cpu_profile(model.precision)
    padding = settings.recognition.max_padding
    stage = RecognitionStage(
        CtcDecoder(files.characters, keep(files)), profile.max_padding if padding is None else padding
    )
    policy = batch_policy(knobs, max_size=profile.line_batch, max_pixels=profile.line_pixels)
    add(stage, knobs, policy, lanes, 512, feeds="assembly", model=model)


def _warm_up(plan: StagePlan) -> None:
    """Run every lane's predictor once, so that the first document does not pay for the first run."""
    if plan.model is None:
        return
    inputs = plan.warm_up
    if inputs is None:
        inputs = _white(plan.stage.name)
    for lane in range(plan.lanes):
        plan.model.predictor(lane).run(inputs)


def _white(stage: str) -> Inputs:
    """White images as a stage's network takes them."""
    shape = {"recognition": (1, HEIGHT, 320, 3), "orientation": (1, 48, 192, 3)}.get(stage, (1, 256, 256, 3))
    return np.full(shape, 255, np.uint8)
