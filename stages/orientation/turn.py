"""Turn a page and the boxes found on it by quarter turns."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from stages.detection.box import Box
from stages.page_image import PageImage

_ROTATIONS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def turn(page: PageImage, boxes: Sequence[Box], degrees: int) -> tuple[PageImage, list[Box]]:
    """Turn a page clockwise, and its boxes with it.

    Args:
        page: the page; it is not changed.
        boxes: boxes in its pixels, corners in the order of :class:`Box`.
        degrees: 0, 90, 180 or 270.

    Returns:
        The turned page, whose ``angle`` tells of the turn, and the boxes in its pixels, each starting at the corner
        that is its top left now.

    Raises:
        ValueError: ``degrees`` is something else.
    """
    if degrees == 0:
        return page, list(boxes)
    if degrees not in _ROTATIONS:
        raise ValueError(f"a page can be turned by 0, 90, 180 or 270 degrees, not {degrees}")
    pixels: npt.NDArray[np.uint8] = cv2.rotate(page.pixels, _ROTATIONS[degrees])  # type: ignore[assignment]
    turned = PageImage(pixels, page.number, page.dpi, (page.angle + degrees) % 360)
    return turned, [Box(_turn_quad(box.quad, page.height, page.width, degrees), box.score) for box in boxes]


def _turn_quad(quad: npt.NDArray[np.float32], height: int, width: int, degrees: int) -> npt.NDArray[np.float32]:
    """Map corners on a page of ``height`` by ``width``; each quarter turn makes the corner before it the first."""
    x, y = quad[:, 0], quad[:, 1]
    if degrees == 90:
        points = np.stack([height - y, x], 1)
    elif degrees == 180:
        points = np.stack([width - x, height - y], 1)
    else:
        points = np.stack([y, width - x], 1)
    return np.roll(points, degrees // 90, axis=0).astype(np.float32)
