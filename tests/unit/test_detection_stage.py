"""The detection stage with a network that takes dark pixels for text."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from schemas.settings import DetectionSettings
from stages.detection.box import Box
from stages.detection.stage import DetectionItem, DetectionStage
from stages.devices.cpu import CpuDevice
from stages.page_image import PageImage
from stages.stage import LaneContext


class InkPredictor:
    """Text is where it is dark."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def run(self, inputs: Any, *, cores: int = 1) -> list[np.ndarray]:
        assert inputs.dtype == np.uint8
        assert inputs.shape[1] % 32 == 0
        assert inputs.shape[2] % 32 == 0
        self.shapes.append(inputs.shape)
        return [(inputs[..., 0] < 128).astype(np.float32)[:, None]]


def _lane() -> LaneContext:
    device = CpuDevice(1)
    return LaneContext(device, device.stream(), InkPredictor())


def _detect(stage: DetectionStage, *pages: np.ndarray) -> list[list[Box]]:
    lane = _lane()
    items = [DetectionItem(PageImage(page)) for page in pages]
    outputs = stage.predict(stage.collate([stage.prepare(item, lane) for item in items], lane), lane)
    assert lane.network_s > 0
    return stage.split(outputs, items, lane)


def _page(height: int, width: int, *bars: tuple[int, int, int, int]) -> np.ndarray:
    page = np.full((height, width, 3), 255, np.uint8)
    for x0, y0, x1, y1 in bars:
        page[y0:y1, x0:x1] = 0
    return page


def _contains(box: Box, bar: tuple[int, int, int, int], slack: float) -> bool:
    """Whether a box is the bar and no more than ``slack`` pixels on each side."""
    x0, y0, x1, y1 = bar
    (left, top), (right, bottom) = box.quad.min(0), box.quad.max(0)
    return bool(
        x0 - slack <= left <= x0 + 2 and y0 - slack <= top <= y0 + 2
        and x1 - 2 <= right <= x1 + slack and y1 - 2 <= bottom <= y1 + slack
    )  # fmt: skip


@pytest.mark.parametrize("size", [(1000, 754), (700, 990), (1400, 369), (2339, 1654), (480, 640), (801, 803)])
def test_lines_are_found_where_they_are(size: tuple[int, int]) -> None:
    height, width = size
    bars = [(20, y, width - 30, y + 24) for y in range(30, height - 60, 80)]
    found = _detect(DetectionStage(DetectionSettings()), _page(height, width, *bars))[0]
    assert len(found) == len(bars)
    for box, bar in zip(sorted(found, key=lambda b: b.quad[0, 1]), bars, strict=True):
        assert _contains(box, bar, slack=24)


@pytest.mark.parametrize("turned", [False, True])
def test_a_long_receipt_has_every_line_once(turned: bool) -> None:
    bars = [(10, y, 240, y + 18) for y in range(20, 14_380, 48)]
    page = _page(14_400, 250, *bars)
    if turned:
        page = np.ascontiguousarray(page.transpose(1, 0, 2))
    found = _detect(DetectionStage(DetectionSettings()), page)[0]
    assert len(found) == len(bars) == 300
    axis = 0 if turned else 1
    for box, bar in zip(sorted(found, key=lambda b: b.quad[0, axis]), bars, strict=True):
        assert _contains(box, bar if not turned else (bar[1], bar[0], bar[3], bar[2]), slack=20)


@pytest.mark.parametrize(("height", "width"), [(40, 1920), (40, 6000), (1920, 40), (64, 20_000)])
def test_a_line_longer_than_a_tile_is_one_box(height: int, width: int) -> None:
    bar = (12, 12, width - 14, height - 13)
    found = _detect(DetectionStage(DetectionSettings()), _page(height, width, bar))[0]
    assert len(found) == 1
    assert _contains(found[0], bar, slack=20)


@pytest.mark.parametrize("height", [1, 2, 15, 17, 31, 33, 63])
@pytest.mark.parametrize("width", [1, 2, 15, 17, 31, 33, 63, 3000])
def test_small_sides(height: int, width: int) -> None:
    noise = np.random.default_rng(height * width).integers(0, 256, (height, width, 3), dtype=np.uint8)
    stage = DetectionStage(DetectionSettings())
    for boxes in _detect(stage, noise) + _detect(stage, noise // 255):
        for box in boxes:
            assert np.isfinite(box.quad).all()
            assert (box.quad >= 0).all()
            assert (box.quad <= (width, height)).all()


def test_a_blank_page_has_no_boxes() -> None:
    assert _detect(DetectionStage(DetectionSettings()), _page(300, 300)) == [[]]


@pytest.mark.parametrize("tiles_per_run", [1, 3, 16])
def test_pages_in_one_batch_give_what_they_give_alone(tiles_per_run: int) -> None:
    stage = DetectionStage(DetectionSettings(), tiles_per_run)
    pages = [_page(4000, 500, (20, y, 300 + y // 20, y + 30)) for y in (100, 1700, 3900)]
    assert len({stage.bucket(DetectionItem(PageImage(page))) for page in pages}) == 1
    together = _detect(stage, *pages)
    for boxes, page in zip(together, pages, strict=True):
        alone = _detect(stage, page)[0]
        assert len(boxes) == len(alone) == 1
        np.testing.assert_array_equal(boxes[0].quad, alone[0].quad)
        assert boxes[0].score == alone[0].score


def test_bucket_and_cost_are_what_the_network_computes() -> None:
    stage = DetectionStage(DetectionSettings())
    for size in [(1000, 754), (14_400, 250), (17, 17)]:
        item = DetectionItem(PageImage(_page(*size)))
        lane = _lane()
        stage.predict(stage.collate([stage.prepare(item, lane)], lane), lane)
        assert isinstance(lane.predictor, InkPredictor)
        assert {shape[1:3] for shape in lane.predictor.shapes} == {stage.bucket(item)}
        assert stage.cost(item) == sum(n * h * w for n, h, w, _ in lane.predictor.shapes)


@pytest.mark.parametrize(("size", "padded"), [((1472, 736), False), ((17, 17), True), ((14_400, 250), True)])
def test_content_is_the_scaled_page_without_padding_and_overlaps(size: tuple[int, int], padded: bool) -> None:
    stage = DetectionStage(DetectionSettings(short_side=736, max_enlargement=2))
    item = DetectionItem(PageImage(_page(*size)))
    scale = min(736 / min(size), 2)
    assert stage.content(item) == pytest.approx(size[0] * size[1] * scale**2, rel=0.03)
    assert (stage.content(item) < stage.cost(item)) == padded


@pytest.mark.parametrize("degrees", [12, -12])
@pytest.mark.parametrize("size", [(701, 903), (1237, 611)])
def test_a_slanted_line_has_the_slanted_box(size: tuple[int, int], degrees: float) -> None:
    height, width = size
    truth = cv2.boxPoints(((width / 2, height / 2), (400, 40), degrees))
    page = _page(height, width)
    cv2.fillPoly(page, [np.rint(truth).astype(np.int32)], (0, 0, 0))
    # A network of this kind marks the whole line, so nothing is to be grown.
    box = _detect(DetectionStage(DetectionSettings(unclip_ratio=1)), page)[0][0]
    overlap = cv2.intersectConvexConvex(box.quad, truth)[0]
    assert overlap > 0.98 * 400 * 40
    edge = box.quad[1] - box.quad[0]
    assert np.degrees(np.arctan2(edge[1], edge[0])) == pytest.approx(degrees, abs=1)


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="tiles_per_run"):
        DetectionStage(DetectionSettings(), 0)
