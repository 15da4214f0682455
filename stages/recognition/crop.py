"""From a quadrangle on the page to an upright line image of the network's height."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Quad = npt.NDArray[np.float32]


LEVEL = 0.15
"""A box whose corners are out of level by no more than this share of its height is cut out as it stands: the slant
costs the recogniser less than the blur of interpolated pixels (word F1 on forms and receipts: 0.2 points)."""


def quad_size(quad: Quad) -> tuple[float, float]:
    """Width and height of a quadrangle (4, 2), clockwise from its top left: the longer of opposite sides."""
    sides = np.hypot(*(quad - np.roll(quad, -1, 0)).T)
    return float(max(sides[0], sides[2])), float(max(sides[1], sides[3]))


def crop_quad(pixels: Image, quad: Quad) -> Image:
    """Cut a quadrangle out of a page and straighten it, at the page's own resolution.

    Scaling is left to :func:`line_image`: going straight to the network's height in one warp loses accuracy, since
    the warp does not smooth.
    """
    size = quad_size(quad)
    left, right = float(quad[0, 0] + quad[3, 0]) / 2, float(quad[1, 0] + quad[2, 0]) / 2
    top, bottom = float(quad[0, 1] + quad[1, 1]) / 2, float(quad[3, 1] + quad[2, 1]) / 2
    rise = max(abs(float(quad[0, 1] - quad[1, 1])), abs(float(quad[3, 1] - quad[2, 1])))
    lean = max(abs(float(quad[0, 0] - quad[3, 0])), abs(float(quad[1, 0] - quad[2, 0])))
    if right > left and bottom > top and max(rise, lean) <= LEVEL * (bottom - top):
        left, right, top, bottom = (max(0.0, side) for side in (left, right, top, bottom))
        part = pixels[round(top) : round(bottom), round(left) : round(right)]
        if part.size:
            return part
    width, height = max(1, round(size[0])), max(1, round(size[1]))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    line = cv2.warpPerspective(pixels, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return line.astype(np.uint8, copy=False)


def line_width(size: tuple[float, float], height: int, longest: int) -> int:
    """The width in pixels of a line scaled to ``height``: 1 to ``longest``."""
    return max(1, min(round(height * size[0] / max(size[1], 1e-6)), longest))


def line_image(crop: Image, height: int, width: int, padded: int, padding: int) -> Image:
    """Scale a crop to (height, width) and pad it on the right to (height, padded)."""
    line = np.empty((height, padded, 3), np.uint8)
    cv2.resize(crop, (width, height), dst=line[:, :width], interpolation=cv2.INTER_LINEAR)
    line[:, width:] = padding
    return line
