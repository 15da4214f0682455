from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import ImageFont

from pipeline import visualise
from pipeline.visualise import confidence_colour, draw, font_file, upright, write_pictures
from schemas.document import Document, Line, Page, Polygon
from stages.page_image import PageImage


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def white(height: int = 120, width: int = 200) -> npt.NDArray[np.uint8]:
    return np.full((height, width, 3), 255, np.uint8)


def test_outlines_are_drawn_in_the_colour_of_the_confidence() -> None:
    lines = [
        Line("a", 0.95, box(40, 10, 160, 30)),
        Line("b", 0.8, box(40, 50, 160, 70)),
        Line("c", 0.1, box(40, 90, 160, 110)),
    ]
    pixels = white()
    picture = draw(pixels, Page(1, 200, 120, lines=lines))
    assert picture.shape == pixels.shape
    assert (pixels == 255).all()  # the page itself is left alone
    for line in lines:
        x, y = int(line.polygon[1][0]), int(line.polygon[1][1]) + 10
        assert tuple(picture[y, x][::-1]) == confidence_colour(line.confidence)
        assert (picture[y, x - 20] < 255).any()  # a tint
    assert (picture[:, 165:] == 255).all()


@pytest.mark.parametrize(("confidence", "same_as"), [(1.0, 0.9), (0.89, 0.7), (0.69, 0.0), (float("nan"), 0.0)])
def test_three_colours(confidence: float, same_as: float) -> None:
    assert confidence_colour(confidence) == confidence_colour(same_as)
    assert len({confidence_colour(value) for value in (0.95, 0.8, 0.5)}) == 3


def test_the_panel_shows_the_text_where_it_was_read() -> None:
    line = Line("Total 9.50", 0.95, box(20, 40, 120, 60))
    picture = draw(white(), Page(1, 200, 120, lines=[line]), panel=True)
    assert picture.shape == (120, 400, 3)
    panel = picture[:, 202:]
    dark = np.argwhere(panel.max(axis=2) < 100)
    assert len(dark) > 20
    top, left = dark.min(axis=0)
    bottom, right = dark.max(axis=0)
    assert 36 <= top <= bottom <= 64
    assert 15 <= left <= right <= 122


def test_polygons_follow_the_size_of_the_picture() -> None:
    page = Page(1, 100, 60, lines=[Line("a", 0.95, box(40, 20, 80, 40))])
    picture = draw(white(120, 200), page)
    assert (picture[60, 160] < 255).any()
    assert (picture[60, 165:] == 255).all()


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (300, 2), (17, 31)])
@pytest.mark.parametrize("panel", [False, True])
def test_any_size_and_any_place_can_be_drawn(size: tuple[int, int], panel: bool) -> None:
    height, width = size
    lines = [
        Line("a long text in a small place", 0.9, box(-5, -5, 500, 500)),
        Line("", 0.5, box(0, 0, 0, 0)),
        Line("发票\U0001f600\u202e\x00\n", 0.2, box(0, 0, 1, 1)),
    ]
    picture = draw(white(height, width), Page(1, width, height, lines=lines), panel=panel)
    assert picture.shape == (height, width * (2 if panel else 1), 3)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("broken", [None, Path(__file__)])
def test_without_a_usable_font_there_is_still_a_picture(monkeypatch: pytest.MonkeyPatch, broken: Path | None) -> None:
    monkeypatch.setattr(visualise, "font_file", lambda: broken)
    visualise._font.cache_clear()
    try:
        lines = [Line("Total 发票", 0.95, box(20, 40, 120, 60))]
        picture = draw(white(), Page(1, 200, 120, lines=lines), panel=True)
    finally:
        visualise._font.cache_clear()
    assert (picture[40:60, 222:320] < 100).any()


def test_chinese_characters_look_different_from_each_other() -> None:
    path = font_file()
    if path is None or not any(name in path.name.lower() for name in ("cjk", "wqy", "hei", "han", "ping", "fallback")):
        pytest.skip("no font with Chinese characters here")
    font = ImageFont.truetype(str(path), 32)
    assert bytes(font.getmask("票")) != bytes(font.getmask("发"))


@pytest.mark.parametrize(("angle", "corner"), [(0, (0, 0)), (90, (0, 3)), (180, (1, 3)), (270, (1, 0)), (-90, (1, 0))])
def test_turning_is_clockwise(angle: int, corner: tuple[int, int]) -> None:
    pixels = np.zeros((2, 4, 3) if angle % 180 == 0 else (4, 2, 3), np.uint8)
    pixels[0, 0] = 255
    turned = upright(pixels, angle)
    assert turned.shape == (2, 4, 3)
    assert [tuple(map(int, at)) for at in np.argwhere(turned[..., 0] == 255)] == [corner]


def read(path: Path) -> npt.NDArray[np.uint8]:
    pixels = cv2.imread(str(path))
    assert pixels is not None
    return np.asarray(pixels, np.uint8)


def document(*pages: Page) -> Document:
    return Document("scans/发票 1.tiff", pages=list(pages))


def test_one_picture_a_page_with_names_that_tell_them_apart(tmp_path: Path) -> None:
    result = document(Page(1, 30, 20), Page(3, 30, 20))
    images = [PageImage(white(20, 30), number) for number in (3, 2, 1)]
    written = write_pictures(result, images, tmp_path / "new" / "folder", panel=False)
    assert [path.name for path in written] == ["发票 1.page-3.jpg", "发票 1.page-1.jpg"]
    assert all(path.is_file() for path in written)
    [single] = write_pictures(document(Page(1, 30, 20)), images, tmp_path, name="a.b")
    assert single == tmp_path / "a.b.jpg"
    assert read(single).shape == (20, 60, 3)


def test_a_page_that_was_turned_is_drawn_upright(tmp_path: Path) -> None:
    decoded = PageImage(white(30, 20))
    turned = PageImage(white(20, 30), angle=90)
    for image in (decoded, turned):
        [path] = write_pictures(document(Page(1, 30, 20, angle=90)), [image], tmp_path, panel=False)
        assert read(path).shape == (20, 30, 3)
