"""The recognition stage around a network that answers what it is shown."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.ctc import CtcDecoder
from stages.devices.cpu import CpuDevice, CpuStream
from stages.page_image import PageImage
from stages.recognition.stage import HEIGHT, PADDING, RecognitionItem, RecognitionStage
from stages.stage import LaneContext

CHARACTERS = tuple("abcdefghijklmnop")


class Network:
    """Gives the answers that it was told, and keeps what it was asked."""

    def __init__(self, indices: npt.NDArray[Any], probabilities: npt.NDArray[Any] | None = None) -> None:
        self.indices = indices
        self.probabilities = np.full(indices.shape, 0.5, np.float32) if probabilities is None else probabilities
        self.asked: list[tuple[tuple[int, ...], int]] = []

    def run(self, inputs: Any, *, cores: int = 1) -> list[Any]:
        self.asked.append((inputs.shape, cores))
        return [self.indices, self.probabilities]


def line(width: float, height: float = 48, vertical: bool = False, **rest: Any) -> RecognitionItem:
    page = PageImage(np.full((200, 2000, 3), 200, np.uint8))
    quad = np.array([[2, 2], [2 + width, 2], [2 + width, 2 + height], [2, 2 + height]], np.float32)
    return RecognitionItem(page, quad, vertical, **rest)


def stage(**options: Any) -> RecognitionStage:
    return RecognitionStage(CtcDecoder(CHARACTERS), **options)


def run(stage: RecognitionStage, items: list[RecognitionItem], network: Network, cores: int = 1) -> list[Any]:
    lane = LaneContext(CpuDevice(2), CpuStream(), network, cores)
    prepared = [stage.prepare(item, lane) for item in items]
    results = stage.split(stage.predict(stage.collate(prepared, lane), lane), items, lane)
    assert lane.network_s >= 0
    return results


@given(width=st.floats(1, 1900), height=st.floats(1, 190), vertical=st.booleans(), padding=st.floats(0.02, 0.3))
def test_the_image_has_the_shape_that_the_bucket_and_the_cost_promise(
    width: float, height: float, vertical: bool, padding: float
) -> None:
    one, item = stage(max_padding=padding), line(width, height, vertical)
    bucket = one.bucket(item)
    image = one.prepare(item, LaneContext(CpuDevice(1), CpuStream()))
    assert list(image.shape) == [HEIGHT, bucket, 3]
    assert one.cost(item) == image.shape[0] * image.shape[1]
    assert 0 < one.content(item) <= one.cost(item)


def test_lines_of_one_bucket_are_stacked_whatever_their_own_width() -> None:
    one = stage()
    items = [line(width) for width in (297, 300, 303)]
    assert len({one.bucket(item) for item in items}) == 1
    network = Network(np.zeros((3, 40, 1), np.int32))
    run(one, items, network, cores=2)
    assert network.asked == [((3, HEIGHT, one.bucket(items[0]), 3), 2)]


def test_the_bucket_depends_on_the_line_alone() -> None:
    one = stage()
    buckets = [one.bucket(line(width)) for width in (100, 480, 100, 1500, 100)]
    assert buckets[0] == buckets[2] == buckets[4]


@pytest.mark.parametrize("scale", [0.5, 1, 2])
def test_the_bucket_depends_on_the_shape_not_on_the_size(scale: float) -> None:
    assert stage().bucket(line(300 * scale, 40 * scale)) == stage().bucket(line(300, 40))


def test_each_line_gets_its_own_text() -> None:
    indices = np.zeros((2, 12, 1), np.int32)
    indices[0, [1, 3, 5], 0] = [1, 2, 3]
    indices[1, [0, 2], 0] = [16, 15]
    results = run(stage(), [line(90), line(91)], Network(indices))
    assert [result.decoded.text for result in results] == ["abc", "po"]
    assert [result.decoded.confidence for result in results] == [0.5, 0.5]
    assert [result.alternatives for result in results] == [None, None]


def test_what_the_network_sees_in_the_padding_does_not_count() -> None:
    item = line(64)
    one = stage(max_padding=0.5)
    columns = one.cost(item) // HEIGHT // 8
    assert columns > 64 // 8 + 2
    indices = np.zeros((1, columns, 1), np.int32)
    indices[0, [0, 4, columns - 1], 0] = [1, 2, 3]
    assert [result.decoded.text for result in run(one, [item], Network(indices))] == ["ab"]


def test_padding_is_the_grey_that_normalises_to_nothing() -> None:
    one = stage(max_padding=0.5)
    image = one.prepare(line(64), LaneContext(CpuDevice(1), CpuStream()))
    assert (image[:, 64:] == PADDING).all()
    assert (image[:, :64] == 200).all()


def test_alternatives_are_kept_for_those_who_ask() -> None:
    indices = np.tile(np.array([[[1, 2]], [[3, 4]]], np.int32), (1, 12, 1))
    asking, other = line(90, alternatives=True), line(91)
    results = run(stage(), [asking, other], Network(indices))
    assert results[0].alternatives is not None
    assert results[0].alternatives.characters == ("a", "b")
    assert results[1].alternatives is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_is_finite_whatever_the_network_says(bad: float) -> None:
    """CASES 16."""
    indices = np.zeros((1, 12, 1), np.int32)
    indices[0, [1, 3], 0] = [1, 2]
    probabilities = np.full((1, 12, 1), bad, np.float32)
    (result,) = run(stage(), [line(90)], Network(indices, probabilities))
    assert result.decoded.text == "ab"
    assert 0.0 <= result.decoded.confidence <= 1.0
    assert type(result.decoded.confidence) is float


def test_vertical_text_is_turned_so_that_its_top_becomes_its_left() -> None:
    pixels = np.full((300, 60, 3), 255, np.uint8)
    pixels[20:120, 10:50] = (0, 0, 200)  # the upper part is red
    pixels[120:220, 10:50] = (200, 0, 0)  # the lower one is blue
    quad = np.array([[10, 20], [50, 20], [50, 220], [10, 220]], np.float32)
    item = RecognitionItem(PageImage(pixels), quad, vertical=True)
    assert list(item.size) == [200.0, 40.0]
    crop = item.crop()
    assert crop.shape == (40, 200, 3)
    assert crop[20, 10].tolist() == [0, 0, 200]
    assert crop[20, -10].tolist() == [200, 0, 0]
    image = stage().prepare(item, LaneContext(CpuDevice(1), CpuStream()))
    assert image.shape[1] >= 240


def test_a_page_is_not_changed_by_reading_it() -> None:
    item = line(100)
    before = item.page.pixels.copy()
    image = stage().prepare(item, LaneContext(CpuDevice(1), CpuStream()))
    image[:] = 0
    cv2.circle(image, (10, 10), 5, (255, 255, 255))
    np.testing.assert_array_equal(item.page.pixels, before)


@pytest.mark.parametrize("padding", [-0.1, 1.0, 2.0])
def test_padding_that_cannot_be_is_refused(padding: float) -> None:
    with pytest.raises(ValueError, match="max_padding"):
        stage(max_padding=padding)
