"""Batching defaults per device, backend and precision: what was measured to be best where nothing else is set.

The measurements behind each row are in docs/tuning.md; ``inklane tune`` repeats them on the user's machine.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.settings import StageSettings
from stages.batcher import BatchPolicy

LINE_HEIGHT = 48

PAGE_BATCH = 1
"""Pages of a layout-NER batch. On a CPU four together take as long as one after the other (28 and 30 ms a page of 60
lines, 14 and 11 ms of 20), and a batch that is not full waits while its pages hold memory."""

PAGE_CHARACTERS = 16_384
"""The budget of such a batch in padded characters, where the settings ask for more pages."""


@dataclass(slots=True, frozen=True)
class Profile:
    """Defaults of one kind of device.

    ``line_batch`` and ``line_pixels`` bound a recognition batch; ``max_padding`` is the padding of a line image.
    """

    line_batch: int
    line_pixels: int
    max_padding: float


# In f32 a line costs the same alone as in a batch (within 3 %), so small batches serve; in bf16 batches of 4 to 8 are
# faster per line. Padding of 3, 6 or 12 % makes no difference over whole documents: narrow buckets save pixels
# and lose as much to smaller batches and more shapes.
_CPU = {
    "f32": Profile(line_batch=4, line_pixels=LINE_HEIGHT * 1280, max_padding=0.09),
    "bf16": Profile(line_batch=8, line_pixels=LINE_HEIGHT * 2560, max_padding=0.09),
}


def cpu_profile(precision: str) -> Profile:
    """The profile of CPUs computing in ``precision``."""
    return _CPU.get(precision, _CPU["bf16"])


def batch_policy(settings: StageSettings, *, max_size: int = 1, max_pixels: int | None = None) -> BatchPolicy:
    """A stage's batching policy: its settings, and the given defaults where they say 0."""
    delay = settings.max_queue_delay_ms / 1000
    size = settings.max_batch_size or max_size
    return BatchPolicy(
        max_size=size,
        max_delay=delay if size > 1 else 0.0,
        preferred_sizes=tuple(s for s in settings.preferred_batch_sizes if s <= size),
        max_cost=settings.max_batch_pixels or max_pixels,
        aging=settings.priority_aging_ms / 1000,
        overdue=max(delay, settings.overdue_ms / 1000),
    )


def lane_count(settings: StageSettings, default: int) -> int:
    """How many lanes a stage has."""
    return settings.instances or default


def detection_lanes(cores: int) -> int:
    """Detection takes less than a quarter of the time, and a lane of it holds up to 400 MB: one for four cores."""
    return max(1, -(-cores // 4))


def layout_ner_lanes(cores: int) -> int:
    """Layout-NER takes less than a twentieth of the time."""
    return max(1, -(-cores // 8))
