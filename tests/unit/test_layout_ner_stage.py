"""The layout-NER stage with a network that answers by what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from models.backends.base import Array
from models.layout_ner.example import TextLine
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.errors import StageFailed
from stages.devices.cpu import CpuDevice
from stages.layout_ner.stage import LayoutNerItem, LayoutNerStage, PageTags
from stages.layout_ner.windows import MAX_CHARACTERS
from stages.stage import LaneContext

TAGS = TagSet({"receipt": ("company", "total"), "form": ("question",)})
VOCABULARY = Vocabulary("0123456789abcdefghijklmnopqrstuvwxyz")


class EchoPredictor:
    """Tells with each character's tags which one it was and how high its line stands, and with the types the hint."""

    def __init__(self, tags: int = len(TAGS), types: int = len(TAGS.types)) -> None:
        self.shapes: list[list[tuple[int, ...]]] = []
        self.tags, self.types = tags, types

    def run(self, inputs: Any, *, cores: int = 1) -> list[Array]:
        characters, kinds, line_of, _, geometry, hint = inputs
        self.shapes.append([array.shape for array in inputs])
        assert ((line_of == -1) == (characters == 0)).all()
        assert ((line_of == -1) == (kinds == 0)).all()
        count, length = characters.shape
        tags = np.full((count, length, self.tags), -1, np.float32)
        tags[..., 0] = characters
        rows = np.take_along_axis(geometry[..., 2], np.maximum(line_of, 0), axis=1)
        tags[..., 1] = np.where(line_of >= 0, rows, -1)
        types = np.zeros((count, self.types), np.float32)
        types[np.arange(count), hint % self.types] = 1
        return [tags, types]


def lane(predictor: Any) -> LaneContext:
    device = CpuDevice(1)
    return LaneContext(device, device.stream(), predictor)


def page(*texts: str, doc_type: str | None = None) -> LayoutNerItem:
    lines = [
        TextLine(
            text, ((10, 20 * i), (10 + 8 * len(text), 20 * i), (10 + 8 * len(text), 20 * i + 15), (10, 20 * i + 15))
        )
        for i, text in enumerate(texts)
    ]
    return LayoutNerItem(lines, doc_type)


def run(items: Sequence[LayoutNerItem], predictor: Any = None) -> list[PageTags]:
    stage, context = LayoutNerStage(VOCABULARY, TAGS), lane(predictor or EchoPredictor())
    prepared = [stage.prepare(item, context) for item in items]
    return stage.split(stage.predict(stage.collate(prepared, context), context), items, context)


def read(result: PageTags) -> str:
    """The characters that the answers are about; breaks as spaces."""
    numbers = result.tags[:, 0].astype(int)
    return "".join(" " if number < 3 else VOCABULARY.characters[number - 3] for number in numbers)


def test_pages_of_one_bucket_get_their_own_answers() -> None:
    items = [page("total 12", "abc"), page("x"), page("company", doc_type="form")]
    stage = LayoutNerStage(VOCABULARY, TAGS)
    assert {stage.bucket(item) for item in items} == {(128, 16, 1)}
    predictor = EchoPredictor()
    results = run(items, predictor)
    assert [read(result).replace(" ", "") for result in results] == ["total12abc", "x", "company"]
    assert [len(result.tags) for result in results] == [13, 2, 8]
    assert [result.types.argmax() for result in results] == [0, 0, TAGS.hint("form") % 3]
    assert len(predictor.shapes) == 1
    assert predictor.shapes[0][0] == (3, 128)
    assert predictor.shapes[0][4][:2] == (3, 16)


def test_a_page_answers_the_same_whatever_it_is_batched_with() -> None:
    one, other = page("total 12", "abc"), page("0123456789" * 11)
    alone, together = run([one])[0], run([other, one])[1]
    np.testing.assert_array_equal(alone.tags, together.tags)
    np.testing.assert_array_equal(alone.types, together.types)


def test_the_bucket_is_the_pages_own_and_costs_what_it_is_padded_to() -> None:
    stage = LayoutNerStage(VOCABULARY, TAGS)
    item = page(*["abcdefghi"] * 40)
    assert stage.bucket(item) == (512, 64, 1)
    assert stage.cost(item) == 512
    assert stage.content(item) == 400


def test_a_very_long_page_is_read_in_windows_and_put_together() -> None:
    texts = [f"{i:04}{'x' * (i % 50)}" for i in range(900)]
    item = page(*texts)
    predictor = EchoPredictor()
    result = run([item], predictor)[0]
    assert len(item.windows) > 5
    assert predictor.shapes[0][0][0] == len(item.windows)
    assert predictor.shapes[0][0][1] <= MAX_CHARACTERS
    assert read(result) == "".join(text + " " for text in texts)
    assert result.tags[:, 1].min() >= 0, "no padding"
    height = result.tags[:, 1][np.diff(result.encoded.line_of, prepend=-1) > 0]
    assert (np.diff(height) > 0).all(), "every window has the geometry of the whole page"
    assert result.types.sum() == pytest.approx(1)


def test_a_line_longer_than_the_network_looks_at_is_cut() -> None:
    item = page("a" * 5000, "b")
    result = run([item])[0]
    assert read(result) == "a" * 400 + " b "
    assert len(item.windows) == 1


def test_a_page_without_lines_is_refused() -> None:
    with pytest.raises(ValueError, match="without lines"):
        page()


@pytest.mark.parametrize("sizes", [(4, 3), (7, 5)])
def test_a_network_with_other_tags_or_types_is_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(StageFailed, match="7 tags and 3 types"):
        run([page("abc")], EchoPredictor(*sizes))
