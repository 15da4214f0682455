"""The orientation stage: a page and its boxes in, the turn that makes it upright out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stages.detection.box import Box
from stages.orientation.samples import HEIGHT, WIDTH, Samples, choose, crop, upright_characters
from stages.orientation.vote import LOOKS, decide, is_settled, is_vertical_text
from stages.page_image import PageImage
from stages.stage import LaneContext, Stage

MIN_TALL_SHARE = 0.7
"""Share of the lines' total length in boxes taller than wide that makes a page look turned by a quarter."""


@dataclass(slots=True)
class OrientationItem:
    """A page and the boxes that detection found on it as it is."""

    page: PageImage
    boxes: Sequence[Box]


class OrientationStage(Stage[OrientationItem, int]):
    """Tells how many degrees clockwise (0, 90, 180 or 270) a page must be turned to stand upright.

    The lane's predictor is a text line direction classifier: uint8 BGR (N, 48, 192, 3) in; probabilities (N, 2) of
    upright and upside down out. An upright page costs three crops.
    """

    name = "orientation"

    def bucket(self, item: OrientationItem) -> tuple[int, int]:
        """Height and width of the network's input."""
        return HEIGHT, WIDTH

    def cost(self, item: OrientationItem) -> int:
        """Padded pixels of the first look."""
        return HEIGHT * WIDTH * LOOKS[0]

    def prepare(self, item: OrientationItem, lane: LaneContext) -> Samples:
        """Choose the pieces of text to look at; they are cut out only when looked at."""
        return choose(item.page.pixels, item.boxes, LOOKS[-1], MIN_TALL_SHARE)

    def predict(self, batch: Sequence[Samples], lane: LaneContext) -> list[int]:
        """The turn of each page, in degrees."""
        votes: list[list[float]] = [[] for _ in batch]
        undecided = list(range(len(batch)))
        for upto in LOOKS:
            pieces = [(i, quad) for i in undecided for quad in batch[i].quads[len(votes[i]) : upto]]
            for (i, _), p in zip(pieces, self._ask([crop(batch[i].pixels, q) for i, q in pieces], lane), strict=True):
                votes[i].append(p)
            undecided = [i for i in undecided if not is_settled(batch[i].tall, votes[i])]
        turns = [decide(samples.tall, seen, samples.lines) for samples, seen in zip(batch, votes, strict=True)]
        for i, samples in enumerate(batch):
            if turns[i] == 270:
                columns = [upright_characters(samples.pixels, quad) for quad in samples.quads]
                if is_vertical_text(self._ask(columns, lane)):
                    turns[i] = 0
        return turns

    def split(self, outputs: list[int], items: Sequence[OrientationItem], lane: LaneContext) -> list[int]:
        """One turn per page."""
        return outputs

    def _ask(self, pictures: Sequence[npt.NDArray[np.uint8]], lane: LaneContext) -> list[float]:
        """The classifier's probability that each picture (48, 192, 3) is upside down."""
        if lane.predictor is None:
            raise RuntimeError("the orientation stage needs a lane with a predictor")
        if not pictures:
            return []
        inputs = lane.device.to_device(np.stack(pictures), lane.stream)
        began = time.perf_counter()
        output = lane.predictor.run(inputs, cores=lane.cores)[0]
        lane.network_s += time.perf_counter() - began
        probabilities = lane.device.to_host(output, lane.stream)
        lane.stream.record().synchronize()  # the votes are counted on the host
        return [float(p) for p in probabilities[:, 1]]
