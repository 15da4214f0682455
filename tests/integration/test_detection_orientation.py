"""Detection and orientation with the embedded models on real documents, as they are and turned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.backends import get_backend
from models.probe import load_options
from models.resolve import resolve
from schemas.errors import ModelError
from schemas.settings import DetectionSettings, load_settings
from stages.detection.box import Box
from stages.detection.stage import DetectionItem, DetectionStage
from stages.devices.cpu import CpuDevice
from stages.orientation.stage import OrientationItem, OrientationStage
from stages.orientation.turn import turn
from stages.page_image import PageImage
from stages.stage import LaneContext

Pixels = npt.NDArray[np.uint8]


def _lane(task: str) -> Iterator[LaneContext]:
    pytest.importorskip("openvino", reason="needs OpenVINO")
    try:
        files = resolve(None, task, "openvino", load_settings(allow_download=False))
    except ModelError as error:
        pytest.skip(error.message)
    loaded = get_backend("openvino").load(files, load_options(files, "f32"))
    device = CpuDevice(1)
    yield LaneContext(device, device.stream(), loaded.predictor(0))
    loaded.close()


@pytest.fixture(scope="module")
def detector() -> Iterator[LaneContext]:
    yield from _lane("detection")


@pytest.fixture(scope="module")
def classifier() -> Iterator[LaneContext]:
    yield from _lane("orientation")


def _detect(page: PageImage, lane: LaneContext) -> list[Box]:
    stage, items = DetectionStage(DetectionSettings()), [DetectionItem(page)]
    outputs = stage.predict(stage.collate([stage.prepare(items[0], lane)], lane), lane)
    return stage.split(outputs, items, lane)[0]


def _orientation(page: PageImage, boxes: list[Box], lane: LaneContext) -> int:
    stage, items = OrientationStage(), [OrientationItem(page, boxes)]
    return stage.split(stage.predict([stage.prepare(items[0], lane)], lane), items, lane)[0]


def _documents(folder: Path, count: int) -> Iterator[tuple[Pixels, list[npt.NDArray[np.float32]]]]:
    for row in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[:count]:
        label = json.loads(row)
        pixels = cv2.imread(str(folder / label["image"]))
        assert pixels is not None
        yield pixels.astype(np.uint8, copy=False), [np.array(line["polygon"], np.float32) for line in label["lines"]]


def _hits(boxes: list[Box], truth: list[npt.NDArray[np.float32]]) -> int:
    """Lines that some box covers with an IoU of at least 0.5."""

    def iou(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
        common = cv2.intersectConvexConvex(a, b)[0]
        return common / max(1e-6, cv2.contourArea(a) + cv2.contourArea(b) - common)

    return sum(any(iou(box.quad, line) >= 0.5 for box in boxes) for line in truth)


@pytest.mark.parametrize("folder", ["sroie_val", "sroie_train"])
def test_receipt_lines_are_found(shared_data: Path, detector: LaneContext, folder: str) -> None:
    hits = lines = found = 0
    for pixels, truth in _documents(shared_data / folder, 6):
        boxes = _detect(PageImage(pixels), detector)
        hits, lines, found = hits + _hits(boxes, truth), lines + len(truth), found + len(boxes)
    assert hits / lines > 0.8
    assert hits / found > 0.8


@pytest.mark.parametrize("folder", ["funsd_dev", "sroie_train", "xfund_zh_dev"])
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_turned_pages_are_found_and_upright_ones_left_alone(
    shared_data: Path, detector: LaneContext, classifier: LaneContext, folder: str, degrees: int
) -> None:
    for pixels, _ in _documents(shared_data / folder, 2):
        page = PageImage(np.ascontiguousarray(np.rot90(pixels, -degrees // 90)))
        boxes = _detect(page, detector)
        back = _orientation(page, boxes, classifier)
        assert back == (360 - degrees) % 360
        turned, _ = turn(page, boxes, back)
        np.testing.assert_array_equal(turned.pixels, pixels)


def test_columns_of_chinese_are_no_turned_page(
    shared_data: Path, detector: LaneContext, classifier: LaneContext
) -> None:
    cells: list[Pixels] = []
    for row in (shared_data / "xfund_zh_dev" / "labels.jsonl").read_text(encoding="utf-8").splitlines()[:3]:
        label = json.loads(row)
        pixels = cv2.imread(str(shared_data / "xfund_zh_dev" / label["image"]))
        assert pixels is not None
        for line in label["lines"]:
            (x0, y0), (x1, y1) = np.min(line["polygon"], 0).astype(int), np.max(line["polygon"], 0).astype(int)
            count, height = len(line["text"]), y1 - y0
            pitch = (x1 - x0) / count if count else 0
            if count >= 6 and min(map(ord, line["text"])) > 0x3000 and abs(pitch - height) < 0.35 * height:
                for k in range(count):
                    cell = pixels[y0:y1, int(x0 + k * pitch) : int(x0 + (k + 1) * pitch)]
                    cells.append(cv2.resize(cell, (36, 36)).astype(np.uint8, copy=False))
    assert len(cells) > 60
    page = np.full((700, 440, 3), 250, np.uint8)
    for column in range(5):
        for k in range(14):
            x, y = 40 + column * 80, 40 + k * 40
            page[y : y + 36, x : x + 36] = cells[(column * 14 + k) % len(cells)]
    image = PageImage(page)
    boxes = _detect(image, detector)
    assert sum(box.height > 3 * box.width for box in boxes) >= 4
    assert _orientation(image, boxes, classifier) == 0
