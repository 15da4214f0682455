"""The frame in which a page's text runs: skew and turns taken out, lines from left to right, rows downwards.

All later rules (rows, columns) are stated in this frame, in multiples of line heights, so that neither skew nor
resolution nor the direction of writing concerns them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_TALL = 1.5  # a box this many times higher than wide is a vertical line (PaddleOCR's rule for turning crops)
_SLENDER = 2.0  # boxes at least this elongated tell the direction of writing well


@dataclass(slots=True)
class Boxes:
    """Text boxes in the frame of the text; each an array of N floats.

    ``left`` and ``right`` are the ends, ``y_left`` and ``y_right`` the heights of their middles (which differ where a
    line is still a little inclined), ``height`` the extent across the line.
    """

    left: Floats
    right: Floats
    y_left: Floats
    y_right: Floats
    height: Floats

    @property
    def y(self) -> Floats:
        """Middles."""
        return (self.y_left + self.y_right) / 2

    @property
    def width(self) -> Floats:
        """Extents along the line."""
        return self.right - self.left


def text_frame(quads: npt.NDArray[Any], page_size: tuple[int, int]) -> Boxes:
    """Bring quads into the frame of the text.

    Args:
        quads: (N, 4, 2) page pixels, clockwise from each text's own top left, N at least 1.
        page_size: width and height in pixels.

    Returns:
        The boxes, in the same order, in pixels.
    """
    points = quads.astype(np.float64) - np.asarray(page_size, np.float64) / 2
    top = (points[:, 1] - points[:, 0] + points[:, 2] - points[:, 3]) / 2
    side = (points[:, 3] - points[:, 0] + points[:, 2] - points[:, 1]) / 2
    top_length, side_length = np.hypot(*top.T), np.hypot(*side.T)
    tall = side_length > _TALL * top_length
    length = np.maximum(np.maximum(top_length, side_length), 1e-6)

    long_axis = np.where((side_length > top_length)[:, None], side @ np.array([[0.0, -1.0], [1.0, 0.0]]), top)
    angle = _direction(long_axis, length, np.minimum(top_length, side_length))
    cos, sin = np.cos(angle), np.sin(angle)
    points = points @ np.array([[cos, -sin], [sin, cos]])
    if length[tall].sum() > length.sum() / 2:  # vertical writing: columns from right to left become rows downwards
        points = np.stack([points[..., 1], -points[..., 0]], axis=-1)

    by_x = np.take_along_axis(points, np.argsort(points[..., 0], axis=1, kind="stable")[..., None], axis=1)
    first, last = by_x[:, :2], by_x[:, 2:]
    return Boxes(
        left=first[..., 0].mean(axis=1),
        right=last[..., 0].mean(axis=1),
        y_left=first[..., 1].mean(axis=1),
        y_right=last[..., 1].mean(axis=1),
        height=np.maximum((np.ptp(first[..., 1], axis=1) + np.ptp(last[..., 1], axis=1)) / 2, 1e-6),
    )


def _direction(axes: Floats, length: Floats, thickness: Floats) -> float:
    """Direction of writing in radians: the quadrant most text runs in, then the median within it."""
    slender = length >= _SLENDER * thickness
    weight = np.where(slender, length, 0.0) if slender.any() else length
    angles = np.arctan2(axes[:, 1], axes[:, 0])
    quadrant = np.rint(angles / (np.pi / 2)).astype(int) % 4
    main = int(np.bincount(quadrant, weights=weight, minlength=4).argmax())
    chosen = (quadrant == main) & (weight > 0)
    rest = angles[chosen] - main * np.pi / 2
    rest = (rest + np.pi) % (2 * np.pi) - np.pi
    order = np.argsort(rest, kind="stable")
    cumulative = np.cumsum(weight[chosen][order])
    return float(main * np.pi / 2 + rest[order][np.searchsorted(cumulative, cumulative[-1] / 2)])
