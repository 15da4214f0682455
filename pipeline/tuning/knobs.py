"""What is tuned: the settings worth trying here, as changes to the settings in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.profiles import LINE_HEIGHT, cpu_profile
from schemas.settings import Settings, load_settings

Changes = Mapping[str, Any]
"""Settings by dotted name, as in ``{"stages.recognition.max_batch_size": 4}``."""

LINE_WIDTH = 320
"""A batch's budget is so many pixels of width for each of its lines; longer lines then share smaller batches."""

MAX_DETECTION_LANES = 4


@dataclass(slots=True, frozen=True)
class Knob:
    """One thing to turn: the choices to try beside what is in force."""

    name: str
    choices: tuple[Changes, ...]


def knobs(settings: Settings, precision: str, *, quick: bool = False) -> list[Knob]:
    """What to try, most effective first. Choices that amount to what is in force are left out.

    Args:
        settings: what is in force.
        precision: what the networks compute in with these settings.
        quick: fewer choices.
    """
    profile = cpu_profile(precision)
    recognition = settings.stages.recognition
    batch = recognition.max_batch_size or profile.line_batch
    padding = profile.max_padding if settings.recognition.max_padding is None else settings.recognition.max_padding
    lanes = settings.stages.detection.instances or max(1, -(-settings.core_count // 4))
    batches = (2, 4, 8) if quick else (1, 2, 4, 6, 8, 12, 16)
    paddings = (0.06, 0.12) if quick else (0.04, 0.06, 0.09, 0.12, 0.18)
    delays = (2.0, 10.0) if quick else (0.0, 2.0, 5.0, 10.0, 20.0)
    all_lanes = range(1, min(settings.core_count, MAX_DETECTION_LANES) + 1)
    others = [name for name in ("bf16", "f32") if name != precision] if settings.backend == "openvino" else []
    found = [
        Knob("precision", tuple({"precision": name} for name in others)),
        Knob(
            "recognition batch",
            tuple(
                {
                    "stages.recognition.max_batch_size": size,
                    "stages.recognition.max_batch_pixels": size * LINE_HEIGHT * LINE_WIDTH,
                }
                for size in batches
                if size != batch
            ),
        ),
        Knob("padding of lines", tuple({"recognition.max_padding": p} for p in paddings if abs(p - padding) > 1e-9)),
        Knob("detection lanes", tuple({"stages.detection.instances": n} for n in all_lanes if n != lanes)),
        Knob(
            "queue delay",
            tuple(
                {"stages.recognition.max_queue_delay_ms": delay}
                for delay in delays
                if abs(delay - recognition.max_queue_delay_ms) > 1e-9
            ),
        ),
    ]
    return [knob for knob in found if knob.choices]


def changed(settings: Settings, changes: Changes) -> Settings:
    """The settings with some of them changed.

    Raises:
        SettingsError: they do not go together.
    """
    values = settings.model_dump()
    for name, value in changes.items():
        *path, last = name.split(".")
        at = values
        for part in path:
            at = at[part]
        if last not in at:
            raise KeyError(f"there is no setting {name}")
        at[last] = value
    return load_settings(**values)


def spelled(changes: Changes) -> str:
    """Changes in words, for tables: the last part of each name and its value."""
    return ", ".join(f"{name.rpartition('.')[2]} {value}" for name, value in changes.items())
