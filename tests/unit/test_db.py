"""Boxes out of probability maps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from schemas.settings import DetectionSettings
from stages.detection.db import find_boxes

OPTIONS = DetectionSettings(unclip_ratio=1.5)


def _map(rows: int, columns: int, *rectangles: tuple[float, float, float, float, float]) -> np.ndarray:
    """A map with rotated rectangles (centre, sides, degrees) of probability 0.9."""
    result = np.zeros((rows, columns), np.float32)
    for x, y, w, h, angle in rectangles:
        cv2.fillPoly(result, [np.rint(cv2.boxPoints(((x, y), (w, h), angle))).astype(np.int32)], 0.9)
    return result


def _iou(a: np.ndarray, b: np.ndarray) -> float:
    overlap = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0]
    return overlap / (cv2.contourArea(a.astype(np.float32)) + cv2.contourArea(b.astype(np.float32)) - overlap)


@pytest.mark.parametrize("angle", [0, 3, 12, 30, 45, -8, -60])
@pytest.mark.parametrize("scale", [1.0, 0.5, 3.7])
def test_a_region_gives_its_rectangle_grown_by_area_over_perimeter(angle: float, scale: float) -> None:
    w, h = 120.0, 16.0
    found = find_boxes(_map(400, 500, (250, 200, w, h, angle)), (round(400 * scale), round(500 * scale)), OPTIONS)
    assert len(found) == 1
    grow = 1.5 * w * h / (w + h)
    expected = cv2.boxPoints(((250.5, 200.5), (w + grow, h + grow), angle)) * scale
    assert _iou(found[0].quad, expected) > 0.9  # drawing in whole pixels takes its share
    assert found[0].score == pytest.approx(0.9, abs=0.08)
    assert found[0].quad.dtype == np.float32


def test_different_scales_along_the_sides() -> None:
    box = find_boxes(_map(100, 200, (100, 50, 80, 10, 0)), (300, 200), OPTIONS)[0]
    assert (box.quad[0, 1] + box.quad[2, 1]) / 2 == pytest.approx(151.5, abs=0.5)
    assert (box.quad[0, 0] + box.quad[2, 0]) / 2 == pytest.approx(100.5, abs=0.5)


@pytest.mark.parametrize("angle", [0, 12, 45, 90])
@pytest.mark.parametrize("where", [(0, 0), (200, 0), (0, 100), (200, 100), (100, 0), (0, 50)])
def test_whatever_touches_the_border_stays_inside_the_page(where: tuple[int, int], angle: float) -> None:
    # A corner leaves a triangle, which fills half of its rectangle.
    options = DetectionSettings(box_threshold=0.3)
    boxes = find_boxes(_map(100, 200, (*where, 60, 14, angle)), (333, 777), options)
    assert len(boxes) == 1
    quad = boxes[0].quad
    assert np.isfinite(quad).all()
    assert (quad >= 0).all()
    assert (quad[:, 0] <= 777).all()
    assert (quad[:, 1] <= 333).all()
    assert cv2.contourArea(quad) > 100


def test_text_in_a_ring_is_found_and_the_hole_is_not() -> None:
    probabilities = np.zeros((200, 200), np.float32)
    cv2.circle(probabilities, (100, 100), 80, 0.9, 10)
    cv2.rectangle(probabilities, (70, 95), (130, 105), 0.9, -1)
    found = find_boxes(probabilities, (200, 200), DetectionSettings(box_threshold=0.1))
    widths = sorted(round(box.width) for box in found)
    assert len(widths) == 2
    assert widths[0] < 90 < 150 < widths[1]


def test_faint_regions_and_specks_are_left_out() -> None:
    probabilities = _map(100, 100, (50, 50, 40, 10, 0)) * np.float32(0.45 / 0.9)
    assert not find_boxes(probabilities, (100, 100), OPTIONS)
    assert len(find_boxes(probabilities, (100, 100), DetectionSettings(box_threshold=0.4))) == 1
    probabilities[:] = 0
    probabilities[10:12, 10:60] = 1
    assert not find_boxes(probabilities, (100, 100), OPTIONS)


def test_candidates_are_bounded_and_the_largest_are_kept() -> None:
    boxes = [(20 + 40 * k, 50, 12 + 4 * k, 12, 0) for k in range(5)]
    found = find_boxes(_map(100, 240, *boxes), (100, 240), DetectionSettings(max_candidates=2))
    assert sorted(round(b.quad[:, 0].mean()) for b in found) == [140, 180]


@pytest.mark.parametrize("fill", [0.0, 1.0, float("nan")])
@pytest.mark.parametrize("size", [(1, 1), (2, 63), (63, 1), (64, 96)])
def test_degenerate_maps(size: tuple[int, int], fill: float) -> None:
    for box in find_boxes(np.full(size, fill, np.float32), (17, 31), OPTIONS):
        assert np.isfinite(box.quad).all()
        assert fill == 1.0


def test_noise_gives_finite_boxes() -> None:
    noise = cv2.GaussianBlur(np.random.default_rng(0).random((200, 300)), (0, 0), 3)
    noise = (noise - noise.min()) / (noise.max() - noise.min())
    boxes = find_boxes(noise.astype(np.float32), (200, 300), DetectionSettings(box_threshold=0.3, threshold=0.5))
    assert boxes
    for box in boxes:
        assert np.isfinite(box.quad).all()
        assert 0 <= box.score <= 1
        assert type(box.score) is float
