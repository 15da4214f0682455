"""CASES 18 to 21 and 23 with the real models, and what a line's result depends on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait

import numpy as np
import pytest

from models.backends.base import CtcHead, LoadOptions, Predictor
from models.backends.openvino import OpenVinoBackend
from models.ctc import CtcDecoder
from models.resolve import resolve
from pipeline.api import Inklane
from schemas.document import Document
from schemas.errors import DamagedFile
from schemas.settings import load_settings
from stages.devices.cpu import CpuDevice, CpuStream
from stages.page_image import PageImage
from stages.recognition.stage import Recognised, RecognitionItem, RecognitionStage
from stages.stage import LaneContext
from tests.factories.text_pages import TextPage, letter, sentence


def texts(document: object) -> list[str]:
    assert isinstance(document, Document), document
    return [line.text for page in document.pages for line in page.lines]


def test_sixty_four_documents_at_once_each_get_their_own_token(inklane: Inklane) -> None:
    """CASES 18."""
    pages = [TextPage.blank(260, 60).write(f"{sentence(i, 1)} {i * 977 % 9000 + 1000}", 20, 20, 24) for i in range(64)]
    futures = [inklane.submit(page.png()) for page in pages]
    wait(futures, 120)
    read = ["".join(texts(future.result())).replace(" ", "") for future in futures]
    assert read == [page.texts[0].replace(" ", "") for page in pages]


def test_one_broken_document_among_eight(inklane: Inklane) -> None:
    """CASES 20 and 23."""
    pages = [TextPage.blank(300, 60).write(sentence(i), 20, 20, 22) for i in range(8)]
    files = [page.png() for page in pages]
    files[3] = files[3][: len(files[3]) // 2]
    outcomes = inklane.read(files)
    assert isinstance(outcomes[3], DamagedFile)
    for i in set(range(8)) - {3}:
        assert texts(outcomes[i]) == pages[i].texts
    assert texts(inklane.read_one(files[0])) == pages[0].texts


def test_a_page_of_four_hundred_lines(inklane: Inklane) -> None:
    """CASES 21."""
    page = TextPage.blank(1400, 2500)
    for row in range(100):
        for column in range(4):
            page.write(sentence(row * 4 + column, 1), 30 + 345 * column, 20 + row * 24.6, 17)
    read = texts(inklane.read_one(page.png()))
    assert len(set(read) & set(page.texts)) >= 0.95 * 400


# --- 19: a line alone and among others ------------------------------------------------------------------------


def test_a_line_reads_the_same_beside_a_line_ten_times_as_long_as_high(inklane: Inklane) -> None:
    alone = TextPage.blank(900, 300).write("garden 42", 60, 60, 40)
    beside = TextPage.blank(900, 300).write("garden 42", 60, 60, 40).write(sentence(5, 5), 60, 200, 40)
    first = inklane.read_one(alone.png()).pages[0].lines
    second = inklane.read_one(beside.png()).pages[0].lines
    assert [line.text for line in second] == ["garden 42", beside.texts[1]]
    assert [line.text for line in first] == ["garden 42"]
    assert abs(first[0].confidence - second[0].confidence) < 1e-3


class Recogniser:
    """The real recognition stage in float32, batch by batch."""

    def __init__(self) -> None:
        files = resolve(None, "recognition", "openvino", load_settings(allow_download=False))
        options = LoadOptions(precision="f32", input=files.input, ctc=CtcHead(top_k=1))
        self.model = OpenVinoBackend().load(files, options)
        self.stage = RecognitionStage(CtcDecoder(files.characters))
        predictor: Predictor = self.model.predictor(0)
        self._lane = LaneContext(CpuDevice(1), CpuStream(), predictor)

    def read(self, *items: RecognitionItem) -> list[Recognised]:
        batch = self.stage.collate([self.stage.prepare(item, self._lane) for item in items], self._lane)
        return self.stage.split(self.stage.predict(batch, self._lane), items, self._lane)


@pytest.fixture(scope="module")
def recogniser() -> Iterator[Recogniser]:
    for package in ("openvino", "rapidocr"):
        pytest.importorskip(package, reason=f"needs {package} with its models")
    made = Recogniser()
    yield made
    made.model.close()


def items_of(page: TextPage) -> list[RecognitionItem]:
    image, margin = PageImage(page.pixels), np.array([[-4, -2], [4, -2], [4, 2], [-4, 2]])
    return [RecognitionItem(image, (box + margin).astype(np.float32)) for box in page.boxes]


def test_a_line_reads_the_same_alone_and_in_a_full_batch(recogniser: Recogniser) -> None:
    page = letter(30, 900, 1500, 30)
    of_bucket: dict[object, list[RecognitionItem]] = {}
    for item in items_of(page):
        of_bucket.setdefault(recogniser.stage.bucket(item), []).append(item)
    batch = max(of_bucket.values(), key=len)
    assert len(batch) >= 4
    together = recogniser.read(*batch)
    for item, among_others in zip(batch, together, strict=True):
        (alone,) = recogniser.read(item)
        assert alone.decoded.text == among_others.decoded.text
        assert abs(alone.decoded.confidence - among_others.decoded.confidence) < 1e-3


def test_lines_of_very_different_length_never_share_a_batch(recogniser: Recogniser) -> None:
    page = TextPage.blank(1200, 300).write("ab1", 20, 20, 40).write(sentence(3, 6), 20, 120, 40)
    short, long = items_of(page)
    assert recogniser.stage.bucket(short) != recogniser.stage.bucket(long)


@pytest.mark.parametrize("kind", ["grain", "black", "white", "edge"])
def test_a_noise_crop_has_a_finite_score(recogniser: Recogniser, kind: str) -> None:
    """CASES 16."""
    pixels = {
        "grain": np.random.default_rng(1).integers(0, 256, (48, 320, 3), np.uint8),
        "black": np.zeros((48, 320, 3), np.uint8),
        "white": np.full((48, 320, 3), 255, np.uint8),
        "edge": np.repeat(np.arange(320)[None, :, None] % 2 * np.uint8(255), 48, 0).repeat(3, 2).astype(np.uint8),
    }[kind]
    quad = np.array([[0, 0], [320, 0], [320, 48], [0, 48]], np.float32)
    (result,) = recogniser.read(RecognitionItem(PageImage(pixels), quad))
    assert type(result.decoded.confidence) is float
    assert np.isfinite(result.decoded.confidence)
    assert 0 <= result.decoded.confidence <= 1


@pytest.mark.parametrize("turns", [-1, 1], ids=["downward", "upward"])
def test_text_that_runs_up_or_down_is_read(inklane: Inklane, turns: int) -> None:
    page = letter(8, 900, 700)
    side = TextPage.blank(400, 40).write("Garden Market 2048", 20, 8, 24)
    page.pixels[100:500, 850:890] = np.rot90(side.pixels, turns)
    document = inklane.read_one(page.png())
    assert document.pages[0].angle == 0
    assert sorted(texts(document)) == sorted([*page.texts, "Garden Market 2048"])


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_sparse_strip_is_read_however_it_lies(inklane: Inklane, degrees: int) -> None:
    page = TextPage.blank(1500, 110).write("LEFT 11", 40, 30, 48).write("RIGHT 99", 1200, 30, 48)
    document = inklane.read_one(page.quarter_turned(degrees).png())
    assert sorted(texts(document)) == ["LEFT 11", "RIGHT 99"]
