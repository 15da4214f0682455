"""Turning pages and boxes by quarter turns."""

from __future__ import annotations

import numpy as np
import pytest

from stages.detection.box import Box
from stages.orientation.turn import turn
from stages.page_image import PageImage


def _page() -> PageImage:
    pixels = np.random.default_rng(0).integers(0, 256, (30, 50, 3), dtype=np.uint8)
    return PageImage(pixels, number=3, dpi=200.0)


def _box(x0: float, y0: float, x1: float, y1: float) -> Box:
    return Box(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32), 0.7)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_pixels_boxes_and_angle_turn_together(degrees: int) -> None:
    page = _page()
    turned, boxes = turn(page, [_box(4, 7, 24, 12)], degrees)
    np.testing.assert_array_equal(turned.pixels, np.rot90(page.pixels, -degrees // 90))
    assert turned.pixels.flags.c_contiguous
    assert (turned.number, turned.dpi, turned.angle) == (3, 200.0, degrees)
    quad = boxes[0].quad
    x0, y0 = quad.min(0).astype(int)
    x1, y1 = quad.max(0).astype(int)
    np.testing.assert_array_equal(
        turned.pixels[y0:y1, x0:x1], np.rot90(page.pixels[7:12, 4:24], -degrees // 90)
    )  # the same pixels as before lie under the box
    np.testing.assert_array_equal(quad[0], (x0, y0))
    np.testing.assert_array_equal(quad[2], (x1, y1))
    np.testing.assert_array_equal(quad[1], (x1, y0))
    assert boxes[0].score == 0.7


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_turning_back_restores_everything(degrees: int) -> None:
    page = _page()
    slanted = Box(np.array([[5, 6], [25, 9], [24, 15], [4, 12]], np.float32), 0.5)
    turned, boxes = turn(page, [slanted], degrees)
    back, again = turn(turned, boxes, 360 - degrees)
    np.testing.assert_array_equal(back.pixels, page.pixels)
    np.testing.assert_array_equal(again[0].quad, slanted.quad)
    assert back.angle == 0
    assert page.angle == 0


@pytest.mark.parametrize("degrees", [45, -90, 360, 1])
def test_other_angles_are_refused(degrees: int) -> None:
    with pytest.raises(ValueError, match="0, 90, 180 or 270"):
        turn(_page(), [], degrees)
