"""From a quadrangle to an upright line image, whatever the quadrangle looks like."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.recognition.crop import crop_quad, line_image, line_width, quad_size

Pixels = npt.NDArray[np.uint8]


def gradient(height: int = 60, width: int = 100) -> Pixels:
    """Every pixel says where it is: blue is x, green is y."""
    y, x = np.mgrid[:height, :width]
    return np.dstack([x, y, np.full_like(x, 7)]).astype(np.uint8)


def quad(*points: tuple[float, float]) -> npt.NDArray[np.float32]:
    return np.array(points, np.float32)


def rectangle(left: float, top: float, width: float, height: float, degrees: float = 0.0) -> npt.NDArray[np.float32]:
    """Clockwise from its top left, turned about its centre (clockwise)."""
    centre = (left + width / 2, top + height / 2)
    turn = cv2.getRotationMatrix2D(centre, -degrees, 1.0)
    corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
    return (corners @ turn[:, :2].T + turn[:, 2]).astype(np.float32)


@pytest.mark.parametrize(
    ("left", "top", "width", "height"), [(0, 0, 100, 60), (10, 20, 30, 8), (99, 59, 1, 1), (0, 59, 5, 1)]
)
def test_a_level_box_is_cut_out_pixel_by_pixel(left: int, top: int, width: int, height: int) -> None:
    page = gradient()
    crop = crop_quad(page, rectangle(left, top, width, height))
    np.testing.assert_array_equal(crop, page[top : top + height, left : left + width])


@pytest.mark.parametrize("degrees", [-80, -30, -10, -2, 2, 10, 30, 45, 80])
@pytest.mark.parametrize("size", [(40, 10), (10, 20)])
def test_a_slanted_box_is_straightened(degrees: float, size: tuple[int, int]) -> None:
    page = np.full((100, 100, 3), 255, np.uint8)
    box = rectangle(50 - size[0] / 2, 50 - size[1] / 2, *size, degrees)
    # A dark left half: it is on the left of the crop, however the box is turned.
    left_half = np.stack([box[0], (box[0] + box[1]) / 2, (box[3] + box[2]) / 2, box[3]])
    cv2.fillPoly(page, [np.round(left_half * 16).astype(np.int32)], (0, 0, 0), shift=4)
    crop = crop_quad(page, box)
    assert abs(crop.shape[0] - size[1]) <= 1
    assert abs(crop.shape[1] - size[0]) <= 1
    inside = crop[1:-1]
    assert inside[:, 1 : size[0] // 2 - 2].mean() < 60
    assert inside[:, size[0] // 2 + 2 :].mean() > 195


def test_a_turned_page_is_read_along_the_text_not_along_the_page() -> None:
    """A quad that starts at the text's own top left turns the crop upright, upside down included."""
    page = gradient()
    upright = rectangle(20, 10, 40, 20)
    turned = crop_quad(page, np.roll(upright, 2, 0)).astype(int)
    expected = crop_quad(page, upright)[::-1, ::-1].astype(int)
    assert np.abs(turned - expected).max() <= 1  # a pixel's width


@pytest.mark.parametrize(
    "box",
    [
        rectangle(-5, 10, 30, 10),
        rectangle(80, 50, 40, 20),
        rectangle(-10, -10, 200, 200),
        rectangle(-10, 20, 120, 20, 5),
        rectangle(90, 50, 30, 8, 30),
        rectangle(300, 300, 20, 10),
        rectangle(-40, -30, 20, 10),
        rectangle(10, -30, 20, 10),
        rectangle(-300, -300, 20, 10, 12),
        quad((0, 0), (99.4, 0), (99.4, 59.4), (0, 59.4)),
    ],
)
def test_a_box_that_touches_or_leaves_the_page_gives_a_line_of_the_pages_colours(box: npt.NDArray[np.float32]) -> None:
    page = gradient()
    crop = crop_quad(page, box)
    assert crop.dtype == np.uint8
    assert crop.size > 0
    width, height = quad_size(box)
    assert crop.shape[0] <= height + 1
    assert crop.shape[1] <= width + 1
    # Cubic interpolation may overshoot by a little; nothing from outside the page, and nothing black, comes in.
    assert np.abs(crop[..., 2].astype(int) - 7).max() <= 1


@pytest.mark.parametrize(
    "box",
    [
        quad((5, 5), (5, 5), (5, 5), (5, 5)),
        quad((5, 5), (40, 5), (40, 5), (5, 5)),
        quad((5, 5), (5.2, 5), (5.2, 40), (5, 40)),
        quad((5, 5), (20, 20), (20, 20), (5, 5)),
        quad((0, 0), (1, 0), (1, 1), (0, 1)),
        quad((99.9, 59.9), (100, 59.9), (100, 60), (99.9, 60)),
        quad((40, 10), (10, 10), (10, 30), (40, 30)),  # mirrored
        quad((10, 10), (40, 30), (40, 10), (10, 30)),  # crossed
    ],
    ids=["point", "flat", "narrow", "slanted line", "pixel", "corner", "mirrored", "crossed"],
)
@pytest.mark.parametrize("size", [(60, 100), (1, 1), (1, 100), (60, 1)])
def test_degenerate_boxes_and_tiny_pages_still_give_a_line_image(
    box: npt.NDArray[np.float32], size: tuple[int, int]
) -> None:
    page = gradient(*size)
    crop = crop_quad(page, box)
    width = line_width(quad_size(box), 48, 4096)
    line = line_image(crop, 48, width, max(64, width), 127)
    assert line.shape == (48, max(64, width), 3)


@given(
    points=st.lists(st.tuples(st.floats(-50, 150), st.floats(-50, 110)), min_size=4, max_size=4),
)
@settings(max_examples=150, deadline=None)
def test_any_four_points_give_a_crop(points: list[tuple[float, float]]) -> None:
    crop = crop_quad(gradient(), quad(*points))
    assert crop.ndim == 3
    assert min(crop.shape) >= 1
    assert crop.dtype == np.uint8


@pytest.mark.parametrize(
    ("size", "expected"),
    [((100, 20), 240), ((100, 50), 96), ((1, 1), 48), ((0, 0), 1), ((0, 30), 1), ((5000, 1), 4096), ((30, 0), 4096)],
)
def test_the_scaled_width_keeps_the_shape_within_bounds(size: tuple[float, float], expected: int) -> None:
    assert line_width(size, 48, 4096) == expected


@pytest.mark.parametrize(("height", "width", "padded"), [(48, 100, 104), (48, 104, 104), (20, 33, 40), (48, 1, 24)])
def test_a_line_image_is_the_scaled_crop_then_padding(height: int, width: int, padded: int) -> None:
    crop = gradient(31, 77)
    line = line_image(crop, height, width, padded, 127)
    assert line.shape == (height, padded, 3)
    assert line.dtype == np.uint8
    np.testing.assert_array_equal(line[:, :width], cv2.resize(crop, (width, height), interpolation=cv2.INTER_LINEAR))
    assert (line[:, width:] == 127).all()


def test_the_size_of_a_quad_is_that_of_its_longer_sides() -> None:
    assert quad_size(quad((0, 0), (30, 0), (40, 10), (0, 12))) == pytest.approx((40.05, 14.142), rel=1e-3)
    assert quad_size(rectangle(3, 4, 50, 20, 33)) == pytest.approx((50, 20), rel=1e-4)
