"""The detection stage: page in, text boxes out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schemas.settings import DetectionSettings
from stages.detection.box import Box
from stages.detection.db import find_boxes
from stages.detection.scaling import PagePlan, plan_page
from stages.detection.tiling import cut, join
from stages.page_image import PageImage
from stages.stage import LaneContext, Stage


@dataclass(slots=True)
class DetectionItem:
    """A page whose text lines are wanted."""

    page: PageImage


class DetectionStage(Stage[DetectionItem, list[Box]]):
    """Finds the text lines of pages.

    Pages of any size and shape work: see :func:`stages.detection.scaling.plan_page` for how they are scaled and cut
    into tiles. The tiles of a batch's pages go through the network ``tiles_per_run`` at a time (on a CPU one at a
    time is fastest, and needs the least memory).
    """

    name = "detection"

    def __init__(self, settings: DetectionSettings, tiles_per_run: int = 1) -> None:
        if tiles_per_run < 1:
            raise ValueError(f"tiles_per_run must be at least 1, not {tiles_per_run}")
        self._settings = settings
        self._tiles_per_run = tiles_per_run

    def _plan(self, item: DetectionItem) -> PagePlan:
        return plan_page(item.page.height, item.page.width, self._settings)

    def bucket(self, item: DetectionItem) -> tuple[int, int]:
        """Height and width of the network's input."""
        return self._plan(item).tile

    def cost(self, item: DetectionItem) -> int:
        """Padded pixels over all tiles of the page."""
        return self._plan(item).pixels

    def content(self, item: DetectionItem) -> int:
        """Pixels of the scaled page: neither padding nor what tiles share."""
        rows, columns = self._plan(item).content
        return rows * columns

    def prepare(self, item: DetectionItem, lane: LaneContext) -> npt.NDArray[np.uint8]:
        """The page's tiles, (T, H, W, 3) uint8 BGR."""
        return cut(item.page.pixels, self._plan(item))

    def collate(self, prepared: Sequence[npt.NDArray[np.uint8]], lane: LaneContext) -> npt.NDArray[np.uint8]:
        """All tiles of all pages, (sum of T, H, W, 3)."""
        return prepared[0] if len(prepared) == 1 else np.concatenate(prepared)

    def predict(self, batch: npt.NDArray[np.uint8], lane: LaneContext) -> npt.NDArray[np.float32]:
        """Probability maps on the host, (sum of T, H, W)."""
        if lane.predictor is None:
            raise RuntimeError("the detection stage needs a lane with a predictor")
        maps = []
        for start in range(0, len(batch), self._tiles_per_run):
            tiles = lane.device.to_device(np.ascontiguousarray(batch[start : start + self._tiles_per_run]), lane.stream)
            began = time.perf_counter()
            output = lane.predictor.run(tiles, cores=lane.cores)[0]
            lane.network_s += time.perf_counter() - began
            maps.append(lane.device.to_host(output, lane.stream)[:, 0])
        lane.stream.record().synchronize()  # post-processing runs on the host: here the maps leave the device
        return maps[0] if len(maps) == 1 else np.concatenate(maps)

    def split(
        self, outputs: npt.NDArray[np.float32], items: Sequence[DetectionItem], lane: LaneContext
    ) -> list[list[Box]]:
        """Boxes of each page."""
        results: list[list[Box]] = []
        start = 0
        for item in items:
            plan = self._plan(item)
            stop = start + len(plan.origins)
            results.append(find_boxes(join(outputs[start:stop], plan), plan.page, self._settings))
            start = stop
        return results
