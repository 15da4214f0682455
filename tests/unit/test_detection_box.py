"""The order of a box's corners."""

from __future__ import annotations

import numpy as np
import pytest

from stages.detection.box import Box, rectangles_to_quads


def _angle(quad: np.ndarray) -> float:
    """Direction of the first edge in degrees clockwise from the x axis."""
    edge = quad[1] - quad[0]
    return float(np.degrees(np.arctan2(edge[1], edge[0])))


def _signed_area(quad: np.ndarray) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


@pytest.mark.parametrize("angle", [-65, -45, -12, -1, 0, 3, 12, 45, 65])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("turns", [-1, 0, 1])
def test_slanted_text_is_read_along_its_long_side(angle: float, swapped: bool, turns: int) -> None:
    # The same rectangle, described in every way that minAreaRect may choose.
    sides = (20.0, 100.0, angle + 90) if swapped else (100.0, 20.0, angle)
    quad = rectangles_to_quads(np.array([(200, 200, sides[0], sides[1], sides[2] + 180 * turns)]))[0]
    assert _angle(quad) == pytest.approx(angle, abs=0.01)
    assert _signed_area(quad) == pytest.approx(2000, rel=1e-3)
    box = Box(quad, 1.0)
    assert [box.width, box.height] == pytest.approx([100, 20], rel=1e-4)


@pytest.mark.parametrize("angle", [75, 85, 90, 95, 105, -80, -90])
def test_nearly_vertical_boxes_stay_as_on_the_page(angle: float) -> None:
    quad = rectangles_to_quads(np.array([(200, 200, 100, 20, angle)]))[0]
    assert abs(_angle(quad)) <= 45
    box = Box(quad, 1.0)
    assert [box.width, box.height] == pytest.approx([20, 100], rel=1e-4)


@pytest.mark.parametrize("angle", [0, 20, 44, 46, 70, 90, 120, -30, -60, -90])
def test_short_boxes_are_read_along_the_side_nearer_to_the_x_axis(angle: float) -> None:
    quad = rectangles_to_quads(np.array([(200, 200, 26, 20, angle)]))[0]
    assert abs(_angle(quad)) <= 45.01
    assert _signed_area(quad) > 0


def test_no_rectangles() -> None:
    assert rectangles_to_quads(np.empty((0, 5), np.float32)).shape == (0, 4, 2)
