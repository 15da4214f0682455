"""A decoded page on its way through the stages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(slots=True)
class PageImage:
    """One decoded page: ``pixels`` (H, W, 3) uint8 BGR, ``number`` from 1, ``dpi`` if known.

    ``angle`` is how far (degrees clockwise) ``pixels`` has been turned since decoding to make the page upright; EXIF
    and a PDF's /Rotate are applied while decoding and do not count.
    """

    pixels: npt.NDArray[np.uint8]
    number: int = 1
    dpi: float | None = None
    angle: int = 0

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.pixels.shape[0])
