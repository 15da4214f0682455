"""CASES 11 to 14 and 16: turned pages, the order of lines, blank pages, spaces, noise."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from pipeline.api import Inklane
from schemas.document import Document
from schemas.requests import ReadOptions
from schemas.serialise import to_json
from tests.factories.text_pages import TextPage, letter


def texts(document: Document) -> list[str]:
    return [line.text for page in document.pages for line in page.lines]


# --- 11: turned pages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [90, 180, 270])
@pytest.mark.parametrize("size", [(900, 700), (700, 900)])
def test_a_turned_page_is_read_like_the_upright_one(inklane: Inklane, angle: int, size: tuple[int, int]) -> None:
    page = letter(12, *size)
    document = inklane.read_one(page.quarter_turned(angle).png())
    assert texts(document) == page.texts
    (read,) = document.pages
    assert (read.angle, read.width, read.height) == (angle, *size)


@pytest.mark.parametrize("lines", [1, 2, 3, 30])
def test_an_upright_page_is_never_turned(inklane: Inklane, lines: int) -> None:
    page = letter(lines, 800, 1000)
    document = inklane.read_one(page.png())
    assert document.pages[0].angle == 0
    assert texts(document) == page.texts


@pytest.mark.parametrize("glyph", ["1", "I"])
@pytest.mark.parametrize("company", [False, True])
def test_a_lone_tall_glyph_is_not_turned(inklane: Inklane, glyph: str, company: bool) -> None:
    page = TextPage.blank(300, 300).write(glyph, 140, 130, 48)
    if company:
        page.write("garden market 42", 40, 30, 24)
    document = inklane.read_one(page.png())
    assert document.pages[0].angle == 0
    assert (document.pages[0].width, document.pages[0].height) == (300, 300)
    looks_alike = {"1", "I", "l", "|", "i"}
    assert {*texts(document)} - {"garden market 42"} <= looks_alike


# --- 12: order ------------------------------------------------------------------------------------------------


def form() -> TextPage:
    """Rows of a label and a value far apart on one line, and a dense paragraph below."""
    page = TextPage.blank(1000, 620)
    for row, (label, value) in enumerate([("Name", "River Garden"), ("Date", "12 March"), ("Total", "42.10")]):
        page.write(label, 60, 60 + 60 * row, 26).write(value, 640, 63 + 60 * row, 26)
    for row, text in enumerate(["purple station market", "thunder branch copper lantern", "meadow puzzle rocket"]):
        page.write(text, 60, 300 + 34 * row, 26)
    return page


@pytest.mark.parametrize("degrees", [-3, 0, 3])
@pytest.mark.parametrize("factor", [1, 3])
def test_lines_come_in_reading_order(inklane: Inklane, degrees: float, factor: float) -> None:
    page = form().rotated(degrees).scaled(factor)
    assert texts(inklane.read_one(page.png())) == page.texts


# --- 13: blank pages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [ReadOptions(), ReadOptions(words=True, alternatives=True), ReadOptions(pages=(1,), dpi=72)]
)
@pytest.mark.parametrize("paper", [0, 128, 255])
@pytest.mark.parametrize("size", [(1, 1), (40, 40), (600, 800)])
def test_a_blank_page_gives_an_empty_result(
    inklane: Inklane, options: ReadOptions, paper: int, size: tuple[int, int]
) -> None:
    document = inklane.read_one(TextPage.blank(*size, paper).png(), options)
    (page,) = document.pages
    assert (page.lines, page.error, page.angle, document.warnings) == ([], None, 0, [])
    assert (page.width, page.height) == size


# --- 14: spaces -----------------------------------------------------------------------------------------------


def test_spaces_between_english_words_are_kept(inklane: Inklane) -> None:
    written = [
        "Please keep all of the spaces in this line",
        "to be or not to be",
        "No. 12 of 40",
        "Sold to: J. Smith, 5 River Road",
    ]
    page = TextPage.blank(800, 320)
    for row, text in enumerate(written):
        page.write(text, 40, 40 + 60 * row, 28)
    document = inklane.read_one(page.png(), ReadOptions(words=True))
    assert texts(document) == written
    words = [word.text for line in document.pages[0].lines for word in line.words or []]
    assert words == " ".join(written).split()


# --- 16: noise ------------------------------------------------------------------------------------------------


def noises() -> dict[str, Any]:
    rng = np.random.default_rng(16)
    blocks = rng.integers(0, 2, (30, 40, 1), np.uint8) * 255
    stripes = np.zeros((240, 320, 3), np.uint8)
    stripes[:, ::7] = 255
    return {
        "grain": rng.integers(0, 256, (240, 320, 3), np.uint8),
        "blocks": np.repeat(np.repeat(np.repeat(blocks, 8, 0), 8, 1), 3, 2),
        "stripes": stripes,
        "scratches": np.where(rng.random((240, 320, 1)) < 0.02, 0, 255).astype(np.uint8).repeat(3, 2),
    }


@pytest.mark.parametrize("kind", list(noises()))
def test_noise_has_finite_scores_and_valid_json(inklane: Inklane, kind: str) -> None:
    document = inklane.read_one(TextPage(noises()[kind]).png(), ReadOptions(words=True, alternatives=True))
    for line in document.pages[0].lines:
        assert type(line.confidence) is float
        assert math.isfinite(line.confidence)
        assert 0 <= line.confidence <= 1
        assert all(type(value) is float and math.isfinite(value) for point in line.polygon for value in point)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} in the JSON")

    json.loads(to_json(document), parse_constant=refuse)
