"""A detected text line, and the order of its corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

TALL = 1.5
"""A box this many times taller than wide may hold vertical text (the ratio that PaddleOCR's cropping uses)."""

UPRIGHT_DEGREES = 70.0
"""A long side steeper than this counts as vertical; text slanted less than this is read along its long side."""


@dataclass(slots=True)
class Box:
    """A text line found on a page.

    ``quad`` (4, 2) float32 in page pixels, clockwise from the text's own top left, inside the page; for a box that is
    ``TALL``, from the top left as seen on the page, since only the recogniser can tell how its text runs.
    ``score`` is the mean text probability inside it, 0 to 1.
    """

    quad: Floats
    score: float

    @property
    def width(self) -> float:
        """Length in pixels of the sides along which the text runs."""
        return float(np.hypot(*(self.quad[1] - self.quad[0])) + np.hypot(*(self.quad[2] - self.quad[3]))) / 2

    @property
    def height(self) -> float:
        """Length in pixels of the other two sides."""
        return float(np.hypot(*(self.quad[3] - self.quad[0])) + np.hypot(*(self.quad[2] - self.quad[1]))) / 2


def rectangles_to_quads(rectangles: Floats) -> Floats:
    """Corners of rotated rectangles in the order that :class:`Box` promises.

    Args:
        rectangles: (N, 5) of centre x, centre y, first side, second side, and the first side's angle in degrees
            clockwise from the x axis (y grows down), as ``cv2.minAreaRect`` gives them.

    Returns:
        (N, 4, 2) corners. The text runs along the long side, left to right, where the rectangle is longer than
        ``TALL`` times its height and not nearly vertical; otherwise along the side nearer to the x axis.
    """
    rectangles = np.asarray(rectangles, np.float32).reshape(-1, 5)
    centre, first, second = rectangles[:, :2], rectangles[:, 2], rectangles[:, 3]
    angle = (rectangles[:, 4] + 90) % 180 - 90  # of the first side, in [-90, 90): pointing right, or straight up
    other = np.where(angle > 0, angle - 90, angle + 90)  # of the second side, in (-90, 90]
    long_angle = np.where(first >= second, angle, other)
    slanted = np.maximum(first, second) > TALL * np.minimum(first, second)
    slanted &= np.abs(long_angle) <= UPRIGHT_DEGREES
    along_first = np.where(slanted, first >= second, np.abs(angle) <= 45)
    width, height = np.where(along_first, first, second), np.where(along_first, second, first)
    radians = np.deg2rad(np.where(along_first, angle, other))
    right = np.stack([np.cos(radians), np.sin(radians)], 1) * (width / 2)[:, None]
    down = np.stack([-np.sin(radians), np.cos(radians)], 1) * (height / 2)[:, None]
    quads = np.stack([centre - right - down, centre + right - down, centre + right + down, centre - right + down], 1)
    return quads.astype(np.float32)
