"""How a page becomes network inputs of few distinct shapes, decided from its size alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

from schemas.settings import DetectionSettings

GRAIN = 32
"""The network halves its input five times, so that sides must be multiples of this."""

STEP = 64
"""Long sides that may be stretched are rounded to multiples of this, to keep the number of distinct shapes small."""

MAX_STRETCH = 0.05
"""A side is stretched or squeezed to a whole step if it changes by no more than this share; else it is padded."""


@dataclass(slots=True, frozen=True)
class PagePlan:
    """How one page is fed to the network.

    The page is resized to ``content`` (height, width), then cut into tiles of ``tile`` (height, width), whose top
    left corners are ``origins`` (y, x); a tile that reaches over the content's edge is padded there.
    """

    page: tuple[int, int]
    content: tuple[int, int]
    tile: tuple[int, int]
    origins: tuple[tuple[int, int], ...]

    @property
    def pixels(self) -> int:
        """Padded pixels that the network computes for this page."""
        return self.tile[0] * self.tile[1] * len(self.origins)


def plan_page(height: int, width: int, settings: DetectionSettings) -> PagePlan:
    """Decide scale and tiles for a page of this size.

    The short side becomes ``short_side``, unless that enlarges the page by more than ``max_enlargement``. A long side
    over ``max_long_side`` is cut into equal tiles that overlap by at least ``tile_overlap``.

    Raises:
        ValueError: a side is less than one pixel.
    """
    if height < 1 or width < 1:
        raise ValueError(f"a page needs at least one pixel, not {width}x{height}")
    scale = min(settings.short_side / min(height, width), settings.max_enlargement)
    rows, tile_rows, tops = _side(height * scale, settings, STEP if height > width else GRAIN)
    columns, tile_columns, lefts = _side(width * scale, settings, STEP if width > height else GRAIN)
    origins = tuple((top, left) for top in tops for left in lefts)
    return PagePlan((height, width), (rows, columns), (tile_rows, tile_columns), origins)


def _side(length: float, settings: DetectionSettings, step: int) -> tuple[int, int, list[int]]:
    """Content length, tile length and tile starts along one side of ``length`` scaled pixels."""
    longest = max(STEP, settings.max_long_side // GRAIN * GRAIN)
    if length > longest * (1 + MAX_STRETCH):
        return _tiles(round(length), longest, min(settings.tile_overlap, longest // 2))
    stretched = min(longest, max(step, round(length / step) * step))
    if abs(stretched - length) <= MAX_STRETCH * length:
        return stretched, stretched, [0]
    content = max(1, round(length))
    return content, math.ceil(content / GRAIN) * GRAIN, [0]


def _tiles(content: int, longest: int, overlap: int) -> tuple[int, int, list[int]]:
    """As few equal tiles as the longest allowed needs, and of these the shortest that cover the content."""
    count = math.ceil((content - overlap) / (longest - overlap))
    length = math.ceil((content + (count - 1) * overlap) / count / STEP) * STEP
    length = min(length, longest)
    return content, length, [round(i * (content - length) / (count - 1)) for i in range(count)]
