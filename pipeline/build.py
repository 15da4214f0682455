"""From settings to stages with loaded models, lanes and a dispatcher: everything a worker runs."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import cv2

from models.backends.base import LoadedModel
from pipeline.build_models import ModelLoader, StageModel
from pipeline.doc_types import load_types
from pipeline.heap import keep_heap_small
from pipeline.profiles import (
    PAGE_BATCH,
    PAGE_CHARACTERS,
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
from stages.devices.base import Device
from stages.devices.cpu import CpuDevice
from stages.fields.warm_up import warm_up
from stages.stage import Stage


@dataclass(slots=True)
class StagePlan:
    """One stage ready to get lanes: what it runs, how it batches, how many lanes, and its model if it has one."""

    stage: Stage[Any, Any]
    policy: BatchPolicy
    lanes: int
    feeds: str | None
    room: int
    credits: int | None = None
    boost: bool = False
    model: LoadedModel | None = None


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
    loader = ModelLoader(settings, plant.doctypes)
    with ThreadPoolExecutor(1) as pool:
        # Importing what checks values takes as long as compiling a network, and needs another core.
        importing = pool.submit(warm_up) if settings.fields.enabled else None
        try:
            _add_stages(settings, plant, loader)
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


def _add_stages(settings: Settings, plant: Plant, loader: ModelLoader) -> None:
    cores, stages = settings.core_count, settings.stages

    def add(
        stage: Stage[Any, Any], knobs: StageSettings, policy: BatchPolicy, lanes: int, room: int, **rest: Any
    ) -> None:
        feeds = rest.pop("feeds")
        plant.plans.append(StagePlan(stage, policy, lanes, feeds, knobs.max_queue_size or room, **rest))

    def add_model(
        name: str, knobs: StageSettings, policy: BatchPolicy | Callable[[str], BatchPolicy], lanes: int, room: int,
        **rest: Any,
    ) -> StageModel:  # fmt: skip
        loaded = loader.load(name, lanes)
        plant.models[name] = loaded.name
        if name != "layout_ner":  # which is f32 whatever the others are
            plant.models["backend"] = loaded.backend
        chosen = policy if isinstance(policy, BatchPolicy) else policy(loaded.model.precision)
        add(loaded.stage, knobs, chosen, lanes, room, model=loaded.model, **rest)
        loaded.warm_up(lanes)
        return loaded

    add(
        OpenStage(settings.limits), stages.open, batch_policy(stages.open), lane_count(stages.open, 1),
        settings.max_waiting_documents, feeds="decode", credits=settings.max_open_documents,
    )  # fmt: skip
    add(
        DecodeStage(), stages.decode, batch_policy(stages.decode), lane_count(stages.decode, cores),
        settings.max_open_documents, feeds="detection", credits=settings.max_pages_in_flight,
    )  # fmt: skip

    lanes = lane_count(stages.detection, detection_lanes(cores))
    add_model(
        "detection", stages.detection, batch_policy(stages.detection), lanes, 4,
        feeds="orientation" if settings.orientation.enabled else "recognition", boost=cores > 1,
    )  # fmt: skip

    if settings.orientation.enabled:
        lanes = lane_count(stages.orientation, 1)
        add_model(
            "orientation", stages.orientation, batch_policy(stages.orientation), lanes, 8, feeds="recognition",
        )  # fmt: skip

    def lines(precision: str) -> BatchPolicy:
        profile = cpu_profile(precision)
        return batch_policy(stages.recognition, max_size=profile.line_batch, max_pixels=profile.line_pixels)

    lanes = lane_count(stages.recognition, cores)
    add_model("recognition", stages.recognition, lines, lanes, 512, feeds="assembly")
    feeds = "layout_ner" if settings.fields.enabled else None
    add(
        AssemblyStage(), stages.assembly, batch_policy(stages.assembly), lane_count(stages.assembly, 1), 64, feeds=feeds
    )
    if settings.fields.enabled:
        lanes = lane_count(stages.layout_ner, layout_ner_lanes(settings.core_count))
        policy = batch_policy(stages.layout_ner, max_size=PAGE_BATCH, max_pixels=PAGE_CHARACTERS)
        found = add_model("layout_ner", stages.layout_ner, policy, lanes, 64, feeds="fields")
        assert found.fields is not None
        plant.networks_types = found.networks_types
        add(found.fields, stages.fields, batch_policy(stages.fields), lane_count(stages.fields, 1), 64, feeds=None)
