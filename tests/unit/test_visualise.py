from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import ImageFont

from pipeline import fonts
from pipeline.text_panel import draw_texts, font_sizes
from pipeline.visualise import confidence_colour, draw, upright, write_pictures
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


@pytest.fixture
def fresh_fonts() -> Iterator[None]:
    fonts.forget()
    yield
    fonts.forget()


@pytest.mark.usefixtures("fresh_fonts")
@pytest.mark.parametrize("files", [(), (Path(__file__),)], ids=["none", "damaged"])
def test_without_a_usable_font_there_is_still_a_picture(
    monkeypatch: pytest.MonkeyPatch, files: tuple[Path, ...]
) -> None:
    monkeypatch.setattr(fonts, "font_files", lambda: files)
    lines = [Line("Total 发票", 0.95, box(20, 40, 120, 60))]
    picture = draw(white(), Page(1, 200, 120, lines=lines), panel=True)
    assert (picture[40:60, 222:320] < 100).any()
    assert [piece for piece, _ in fonts.runs("a发", 20)] == ["a?"]
    fonts.forget()


def test_a_character_is_drawn_in_a_font_that_has_it_or_as_a_question_mark() -> None:
    pieces = list(fonts.runs("Total \ue123 9", 20))
    assert "".join(piece for piece, _ in pieces) == "Total ? 9"
    if not any("wqy" in p.name or "cjk" in p.name.lower() for p in fonts.font_files()):
        pytest.skip("no font with Chinese characters here")
    text = "Total 发票：9"
    pieces = list(fonts.runs(text, 20))
    assert "".join(piece for piece, _ in pieces) == text
    assert len({font.path for _, font in pieces if isinstance(font, ImageFont.FreeTypeFont)}) >= 2


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ([], []),
        ([20, 21, 22, 40, 41], [[0, 1, 2], [3, 4]]),
        ([41, 20, 40, 22, 21], [[1, 3, 4], [0, 2]]),
        ([100, 10, 1], [[0], [1], [2]]),
    ],
)
def test_boxes_of_about_one_height_have_one_font_size(heights: list[float], expected: list[list[int]]) -> None:
    sizes = font_sizes(heights)
    for group in expected:
        assert len({sizes[i] for i in group}) == 1
        assert all(6 <= sizes[i] <= max(6, heights[i]) for i in group)
    assert len(heights) < 2 or heights[0] >= 50 or len(set(sizes)) == len(expected)


def ink(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Places (x, y) of dark pixels."""
    return np.argwhere(picture.max(axis=2) < 110)[:, ::-1].astype(np.float64)


@pytest.mark.parametrize("degrees", [-90, -30, -6, 0, 3, 45, 90, 180])
@pytest.mark.parametrize("text", ["Total 9.50", "a very long text that does not fit into its box as it is", "g"])
def test_the_text_is_drawn_along_its_box(degrees: float, text: str) -> None:
    along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    across = np.array([-along[1], along[0]])
    centre, length, height = np.array([200.0, 200.0]), 240.0, 30.0
    corners = [
        centre + along * length * i + across * height * j
        for i, j in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    ]
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    side = np.asarray(draw_texts((400, 400), [text], [(a, b, c, d)], [(0, 0, 0)]), np.uint8)
    places = ink(side) - centre
    assert len(places) > 20
    assert np.abs(places @ along).max() <= length / 2 + 2
    assert np.abs(places @ across).max() <= height / 2 + 2
    assert (places @ along).min() <= -length / 2 + 6  # it begins at the text's own left


def test_a_short_text_is_no_larger_than_its_neighbours() -> None:
    shapes = [box(10, 10, 390, 40), box(10, 60, 390, 90)]
    side = np.asarray(draw_texts((400, 100), ["H", "HHHHHHHHHHHHHH"], shapes, [(0, 0, 0)] * 2), np.uint8)
    heights = [np.ptp(ink(side[top : top + 40])[:, 1]) for top in (5, 55)]
    assert heights[0] == heights[1]


def test_a_legend_says_what_the_colours_mean_where_there_is_room() -> None:
    page = Page(1, 600, 300)
    plain, legend = (draw(white(300, 600), page, legend=wanted) for wanted in (False, True))
    assert legend.shape[0] > plain.shape[0] == 300
    assert (legend[:300] == plain).all()
    strip = legend[300:, :, ::-1].reshape(-1, 3)
    for confidence in (0.95, 0.8, 0.1):
        assert (strip == confidence_colour(confidence)).all(axis=1).sum() > 50
    assert draw(white(300, 60), page, legend=True).shape == (300, 60, 3)


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
