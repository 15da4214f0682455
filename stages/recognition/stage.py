"""The recognition stage: line images in batches of one width, text out."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from models.ctc import Alternatives, CtcDecoder, DecodedText
from stages.page_image import PageImage
from stages.recognition.buckets import GRAIN, bucket_of, bucket_widths
from stages.recognition.crop import Image, Quad, crop_quad, line_image, line_width, quad_size
from stages.stage import LaneContext, Stage

HEIGHT = 48
"""Height of PP-OCR's recognisers since version 3."""

PADDING = 127
"""The byte that normalisation maps nearest to zero, which is what the networks were padded with in training."""


@dataclass(slots=True)
class RecognitionItem:
    """One text line to read.

    ``quad`` (4, 2) float32 in page pixels, clockwise from the text's own top left as seen on the page. ``vertical``
    reads it from the top down (the crop is turned by 90 degrees counter-clockwise). ``size`` is the width and height
    of the text so read.
    """

    page: PageImage
    quad: Quad
    vertical: bool = False
    alternatives: bool = False
    size: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        width, height = quad_size(self.quad)
        self.size = (height, width) if self.vertical else (width, height)

    def crop(self) -> Image:
        """The line's pixels, upright."""
        crop = crop_quad(self.page.pixels, self.quad)
        if self.vertical:
            return cv2.rotate(crop, cv2.ROTATE_90_COUNTERCLOCKWISE).astype(np.uint8, copy=False)
        return crop


@dataclass(slots=True)
class Recognised:
    """What one line says; ``alternatives`` only when asked for."""

    decoded: DecodedText
    alternatives: Alternatives | None = None


class RecognitionStage(Stage[RecognitionItem, Recognised]):
    """Reads lines.

    Args:
        decoder: turns the network's classes into text.
        max_padding: the share of a batch's pixels that may be padding; smaller means more distinct shapes.
    """

    name = "recognition"

    def __init__(self, decoder: CtcDecoder, max_padding: float = 0.12) -> None:
        if not 0 <= max_padding < 1:
            raise ValueError(f"max_padding must be from 0 to below 1, not {max_padding}")
        self._decoder = decoder
        self.widths = bucket_widths(max_padding)

    def bucket(self, item: RecognitionItem) -> Hashable:
        """The padded width."""
        return self._padded(item)

    def cost(self, item: RecognitionItem) -> int:
        """Padded pixels."""
        return HEIGHT * self._padded(item)

    def content(self, item: RecognitionItem) -> int:
        """Pixels of the scaled line, without padding."""
        return HEIGHT * self._width(item)

    def prepare(self, item: RecognitionItem, lane: LaneContext) -> Image:
        """The line image (48, padded width, 3)."""
        return line_image(item.crop(), HEIGHT, self._width(item), self._padded(item), PADDING)

    def collate(self, prepared: Sequence[Any], lane: LaneContext) -> Any:
        """Stack line images to (N, 48, width, 3)."""
        return np.stack(prepared)

    def predict(self, batch: Any, lane: LaneContext) -> Any:
        """Run the network: indices and probabilities, each (N, T, K)."""
        assert lane.predictor is not None
        started = time.perf_counter()
        outputs = lane.predictor.run(batch, cores=lane.cores)
        lane.network_s += time.perf_counter() - started
        return outputs

    def split(self, outputs: Any, items: Sequence[RecognitionItem], lane: LaneContext) -> list[Recognised]:
        """Decode every line."""
        indices, probabilities = outputs
        valid = [-(-self._width(item) // GRAIN) for item in items]
        texts = self._decoder.decode(indices, probabilities, valid)
        results = [Recognised(text) for text in texts]
        if any(item.alternatives for item in items):
            kept = self._decoder.alternatives(indices, probabilities, valid)
            for item, result, alternatives in zip(items, results, kept, strict=True):
                if item.alternatives:
                    result.alternatives = alternatives
        return results

    def _width(self, item: RecognitionItem) -> int:
        return line_width(item.size, HEIGHT, self.widths[-1])

    def _padded(self, item: RecognitionItem) -> int:
        return bucket_of(self._width(item), self.widths)
