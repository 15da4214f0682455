"""The layout-NER stage: pages of text in, for each character the probability of every tag out."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from models.backends.base import Array
from models.layout_ner.encode import MAX_LINE, Encoded, collate, encode
from models.layout_ner.example import TextLine
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.errors import StageFailed
from stages.layout_ner.windows import Window, cut, padded_shape
from stages.stage import LaneContext, Stage

Floats = npt.NDArray[np.float32]


@dataclass(slots=True)
class LayoutNerItem:
    """The lines of one page in reading order, at least one, and the document type that is asked for (None: not known).

    ``windows`` and ``shape`` (padded characters and lines) follow from the lines.
    """

    lines: Sequence[TextLine]
    doc_type: str | None = None
    windows: list[Window] = field(init=False)
    shape: tuple[int, int] = field(init=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("a page without lines has nothing to name")
        lengths = [min(len(line.text), MAX_LINE) + 1 for line in self.lines]  # with the break that ends each
        self.windows = cut(lengths)
        self.shape = padded_shape(lengths, self.windows)
        self.length = sum(lengths)


@dataclass(slots=True)
class PageTags:
    """What the network says about one page.

    ``tags`` (T, K) float32 are probabilities over tags for each of the page's T characters and breaks, in the order of
    ``encoded``; ``types`` (D,) float32 over document types.
    """

    encoded: Encoded
    tags: Floats
    types: Floats


class LayoutNerStage(Stage[LayoutNerItem, PageTags]):
    """Names characters.

    Args:
        vocabulary: the characters that the network knows.
        tags: what its outputs mean.
    """

    name = "layout_ner"

    def __init__(self, vocabulary: Vocabulary, tags: TagSet) -> None:
        self._vocabulary, self._tags = vocabulary, tags

    def bucket(self, item: LayoutNerItem) -> Hashable:
        """Padded characters and lines, and how many windows."""
        return (*item.shape, len(item.windows))

    def cost(self, item: LayoutNerItem) -> int:
        """Padded characters."""
        return item.shape[0] * len(item.windows)

    def content(self, item: LayoutNerItem) -> int:
        """Characters and breaks."""
        return item.length

    def prepare(self, item: LayoutNerItem, lane: LaneContext) -> _Prepared:
        """Encode the page as a whole, so that every window has the whole page's geometry, and cut it."""
        encoded = encode(item.lines, self._vocabulary, self._tags.hint(item.doc_type))
        return _Prepared(encoded, [_piece(encoded, window) for window in item.windows], item.shape)

    def collate(self, prepared: Sequence[_Prepared], lane: LaneContext) -> _Batch:
        """Stack all windows; see :func:`models.layout_ner.encode.collate`."""
        characters, lines = prepared[0].shape
        arrays = collate([piece for page in prepared for piece in page.pieces], characters, lines)
        return _Batch(list(prepared), [lane.device.to_device(array, lane.stream) for array in arrays])

    def predict(self, batch: _Batch, lane: LaneContext) -> tuple[list[_Prepared], Array, Array]:
        """Run the network: the pages, tags (N, T, K) and types (N, D) of the windows."""
        if lane.predictor is None:
            raise RuntimeError("the layout-NER stage needs a lane with a predictor")
        started = time.perf_counter()
        outputs = lane.predictor.run(batch.arrays, cores=lane.cores)
        lane.network_s += time.perf_counter() - started
        tags = next((output for output in outputs if output.ndim == 3), None)
        types = next((output for output in outputs if output.ndim == 2), None)
        if tags is None or types is None or tags.shape[2] != len(self._tags) or types.shape[1] != len(self._tags.types):
            raise StageFailed(
                f"the layout-NER network answers with {[output.shape for output in outputs]}, and its description has "
                f"{len(self._tags)} tags and {len(self._tags.types)} types: they do not belong together"
            )
        tags, types = lane.device.to_host(tags, lane.stream), lane.device.to_host(types, lane.stream)
        lane.stream.record().synchronize()  # fields are read on the host
        return batch.pages, tags, types

    def split(
        self, outputs: tuple[list[_Prepared], Array, Array], items: Sequence[LayoutNerItem], lane: LaneContext
    ) -> list[PageTags]:
        """Put each page's windows together again; padding is gone."""
        pages, tags, types = outputs
        results, row = [], 0
        for page, item in zip(pages, items, strict=True):
            rows = slice(row, row + len(page.pieces))
            results.append(_joined(page, item.windows, tags[rows], types[rows]))
            row += len(page.pieces)
        return results


@dataclass(slots=True)
class _Prepared:
    """A page and its windows, encoded."""

    encoded: Encoded
    pieces: list[Encoded]
    shape: tuple[int, int]


@dataclass(slots=True)
class _Batch:
    """The windows of some pages as the network takes them."""

    pages: list[_Prepared]
    arrays: list[Array]


def _piece(page: Encoded, window: Window) -> Encoded:
    """The lines of a window, numbered from 0."""
    if (window.first, window.last) == (0, len(page.geometry)):
        return page
    begin, end = np.searchsorted(page.line_of, (window.first, window.last))
    return Encoded(
        page.characters[begin:end],
        page.kinds[begin:end],
        page.line_of[begin:end] - window.first,
        page.offset_of[begin:end],
        page.places[begin:end],
        page.geometry[window.first : window.last],
        page.hint,
    )


def _joined(page: _Prepared, windows: Sequence[Window], tags: Floats, types: Floats) -> PageTags:
    """The answers of the windows for their own lines, and the mean of what they say about the page's type."""
    line_of = page.encoded.line_of
    parts, weights = [], []
    for window, row in zip(windows, tags, strict=True):
        first, begin, end = np.searchsorted(line_of, (window.first, window.start, window.end))
        parts.append(row[begin - first : end - first])
        weights.append(end - begin)
    joined = np.concatenate(parts).astype(np.float32)  # a copy: the padding's memory is let go
    return PageTags(page.encoded, joined, np.average(types, axis=0, weights=weights).astype(np.float32))
