from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from PIL import Image

from pipeline.outputs import render
from pipeline.outputs.invisible_font import InvisibleFont
from pipeline.outputs.lines import bounds
from schemas.document import Document, Line, Notice, Page
from schemas.errors import FileMissing, InvalidRequest, TooLarge
from schemas.settings import Limits
from tests.factories.images import encode, exif, page_image, page_pixels, stored_for_orientation
from tests.factories.pdfs import PdfPage, pdf
from tests.factories.read_pages import document, line, page, receipt, word


def picture(width: int = 1000, height: int = 800, kind: str = "JPEG", **options: Any) -> bytes:
    return encode(page_image("RGB", width, height), kind, **options)


def made(shown: Document, source: bytes | Path, limits: Limits | None = None) -> tuple[bytes, pypdfium2.PdfDocument]:
    content, content_type = render(shown, "pdf", source, limits=limits)
    assert content_type == "application/pdf"
    return content, pypdfium2.PdfDocument(content)


def text_of(sheet: Any) -> str:
    return str(sheet.get_textpage().get_text_range())


def at(sheet: Any, read: Page, polygon: Any) -> str:
    """The text that a viewer finds where the polygon is shown."""
    width, height = sheet.get_size()
    left, top, right, bottom = bounds(polygon)
    sides = [left / read.width, 1 - top / read.height, right / read.width, 1 - bottom / read.height]
    corners = [_shown_to_page(sheet, sides[x] * width, sides[y] * height) for x, y in ((0, 1), (2, 3))]
    (ax, ay), (bx, by) = corners
    text = sheet.get_textpage().get_text_bounded(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
    return " ".join(str(text).split())


def _shown_to_page(sheet: Any, x: float, y: float) -> tuple[float, float]:
    """From points of the page as it is shown, y upwards, to the page's own coordinates."""
    width, height = sheet.get_size()
    found_x, found_y = pdfium.c_double(), pdfium.c_double()
    device = (round(width * 1000), round(height * 1000))
    where = (round(x * 1000), round((height - y) * 1000))
    pdfium.FPDF_DeviceToPage(sheet, 0, 0, *device, 0, *where, found_x, found_y)
    return found_x.value, found_y.value


def everywhere(sheet: Any, read: Page) -> None:
    """Every line is found at its polygon, and nowhere else."""
    for one in read.lines:
        assert at(sheet, read, one.polygon) == one.text


def drawn(sheet: Any, scale: float = 1.0) -> np.ndarray[Any, Any]:
    return np.asarray(sheet.render(scale=scale).to_pil().convert("L"))


# --- pictures -------------------------------------------------------------------------------------------------


def test_a_jpeg_is_kept_byte_by_byte_and_its_text_found_where_it_stands() -> None:
    source = picture()
    content, shown = made(document(receipt()), source)
    assert source in content
    assert len(shown) == 1
    everywhere(shown[0], receipt())


def test_the_text_is_not_seen() -> None:
    source = picture()
    _, with_text = made(document(receipt()), source)
    _, without = made(document(page()), source)
    assert text_of(with_text[0])
    assert not text_of(without[0])
    assert (drawn(with_text[0]) == drawn(without[0])).all()


def test_reading_order_rows_and_spaces() -> None:
    _, shown = made(document(receipt()), picture())
    assert text_of(shown[0]).replace("\r\n", "\n").splitlines() == [
        "Harbour Bean Coffee",
        "Item Qty Amount",
        "Flat white 2 7.00",
        "Bagel 14.07",
        "The quick brown fox jumps over the lazy dog, and then",
        "goes home.",
    ]


@pytest.mark.parametrize(
    "text",
    ["总计金额：壹佰元整", "合计 21.07 元 Total", "增值税電子普通發票", "Straße €5 – “naïve”", "𠮷野家", "Ж Ω ñ"],
)
def test_text_of_any_language_can_be_copied(text: str) -> None:
    read = page(line(text, 100, 300, 600))
    _, shown = made(document(read), picture())
    copied = text_of(shown[0])
    assert copied.encode("utf-16-le", "surrogatepass").decode("utf-16-le") == text
    assert at(shown[0], read, read.lines[0].polygon).encode("utf-16-le", "surrogatepass").decode("utf-16-le") == text


def test_words_are_where_they_were_read() -> None:
    read = page(line("Total 21.07", 100, 200, 700))
    read.lines[0].words = [word("Total", 100, 200, 120), word("21.07", 650, 200, 150)]
    _, shown = made(document(read), picture())
    assert text_of(shown[0]) == "Total 21.07"
    for one in read.lines[0].words:
        assert at(shown[0], read, one.polygon) == one.text


def test_characters_are_marked_with_their_height() -> None:
    read = page(line("Total", 100, 200, 300, 100))
    _, shown = made(document(read), picture())
    scale = shown[0].get_width() / 1000
    left, bottom, right, top = shown[0].get_textpage().get_charbox(0)
    assert left == pytest.approx(100 * scale, abs=0.5)
    assert right == pytest.approx(160 * scale, abs=0.5)
    assert (bottom, top) == pytest.approx(((800 - 300) * scale, (800 - 200) * scale), abs=0.5)


def test_slanted_and_vertical_lines() -> None:
    slanted = Line("rising", 0.9, ((100, 200), (500, 100), (510, 140), (110, 240)))
    vertical = line("竖排文字", 700, 100, 40, 300)
    read = page(slanted, vertical)
    _, shown = made(document(read), picture())
    everywhere(shown[0], read)
    text = shown[0].get_textpage()
    boxes = [text.get_charbox(text.get_text_range().index(char)) for char in "竖字"]
    assert boxes[0][1] > boxes[1][3]  # from the top down


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_turned_jpegs_are_shown_upright_with_their_own_bytes(orientation: int, angle: int) -> None:
    upright = page_image("L")
    lying = upright.rotate(angle, expand=True)  # counter-clockwise; to be turned clockwise by the same
    source = encode(
        stored_for_orientation(lying, orientation), "JPEG", quality=95, exif=exif(orientation), dpi=(72, 72)
    )
    read = page(line("Total", 15, 35, 130, 45), width=240, height=160, angle=angle)
    content, shown = made(document(read), source)
    assert source in content
    assert shown[0].get_size() == pytest.approx((240, 160))
    assert np.abs(drawn(shown[0]).astype(int) - page_pixels().astype(int)).mean() < 4
    everywhere(shown[0], read)


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP", "BMP", "GIF"])
@pytest.mark.parametrize("angle", [0, 90])
def test_other_pictures_lose_nothing(kind: str, angle: int) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    source = encode(page_image("RGB").rotate(angle, expand=True), kind, **options)
    read = page(line("Total", 15, 35, 130, 45), width=240, height=160, angle=angle)
    _, shown = made(document(read), source)
    again = drawn(shown[0], 240 / shown[0].get_width())[:160, :240]  # rounding may add a row
    assert np.abs(again.astype(int) - page_pixels().astype(int)).mean() < 3
    (stored,) = shown[0].get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
    kept = np.asarray(stored.get_bitmap().to_pil().convert("L"))
    assert (kept == np.rot90(page_pixels(), angle // 90)).all()
    everywhere(shown[0], read)


def test_transparency_is_white_and_cmyk_has_its_colours() -> None:
    clear = Image.new("RGBA", (240, 160), (0, 0, 0, 0))
    _, shown = made(document(page(width=240, height=160)), encode(clear, "PNG"))
    assert drawn(shown[0]).min() == 255
    red = Image.new("RGB", (240, 160), (250, 20, 20)).convert("CMYK")
    _, shown = made(document(page(width=240, height=160)), encode(red, "JPEG"))
    assert shown[0].render().to_pil().convert("RGB").getpixel((40, 30)) == pytest.approx((250, 20, 20), abs=30)


def test_every_page_of_a_tiff_that_was_read() -> None:
    frames = [page_image("L"), page_image("L"), page_image("L")]
    source = encode(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    pages = [page(line(f"page {number}", 10, 20, 100), number=number, width=240, height=160) for number in (1, 3)]
    _, shown = made(document(*pages), source)
    assert [text_of(sheet) for sheet in shown] == ["page 1", "page 3"]


def test_the_page_has_the_size_that_the_file_states() -> None:
    for dpi, width in ((100, 720.0), (300, 240.0), (1, 360.0), (90_000, 360.0)):  # what cannot be true: 200
        _, shown = made(document(receipt()), picture(dpi=(dpi, dpi)))
        assert shown[0].get_width() == pytest.approx(width)


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (2, 30_000), (30_000, 2)])
def test_a_page_has_a_size_that_pdf_allows(size: tuple[int, int]) -> None:
    source = encode(Image.new("L", size, 255), "PNG", dpi=(50, 50))
    read = page(line("x", 0, 0, *size), width=size[0], height=size[1])
    _, shown = made(document(read), source)
    assert text_of(shown[0]) == "x"
    assert max(shown[0].get_size()) <= 14_400.1
    assert min(shown[0].get_size()) >= 2.99


def test_lines_without_extent_or_text_do_no_harm() -> None:
    flat = Line("flat", 0.9, ((10, 10), (90, 10), (90, 10), (10, 10)))
    point = Line("point", 0.9, ((200, 200),) * 4)
    crossed = Line("crossed", 0.9, ((10, 10), (90, 10), (10, 10), (90, 10)))
    odd = Line("nan", 0.9, ((float("nan"), 0), (1, 0), (1, 1), (0, 1)))
    blank = line("   ", 300, 300, 100)
    _, shown = made(document(page(flat, point, crossed, odd, blank, line("end", 500, 500, 90))), picture())
    assert {"flat", "point", "end"} <= set(text_of(shown[0]).split())


def test_pages_that_could_not_be_read_are_left_out() -> None:
    with pytest.raises(InvalidRequest, match="nothing to show"):
        render(document(Page(1, 0, 0, error=Notice("too_large", "no", 1))), "pdf", picture())


# --- PDFs -----------------------------------------------------------------------------------------------------

SQUARE = b"0 g 0 0 40 40 re f"


def read_pdf_page(number: int = 1, angle: int = 0, box: tuple[int, int] = (200, 100)) -> Page:
    """A page of 200 x 100 points as it is read at 72 dpi."""
    width, height = box if angle % 180 == 0 else (box[1], box[0])
    return page(line("layer", 10, 20, 60, 20), number=number, width=width, height=height, angle=angle)


def test_a_pdf_keeps_its_pages_and_gets_the_text() -> None:
    source = pdf([PdfPage(), PdfPage(content=SQUARE), PdfPage()])
    before = pypdfium2.PdfDocument(source)
    _, shown = made(document(read_pdf_page(1), read_pdf_page(2)), source)
    assert len(shown) == 3
    assert [text_of(sheet) for sheet in shown] == ["layer", "layer", ""]
    for old, new in zip(before, shown, strict=True):
        assert (drawn(old, 2) == drawn(new, 2)).all()
    everywhere(shown[1], read_pdf_page(2))


@pytest.mark.parametrize(
    ("rotate", "angle", "crop"), list(itertools.product([0, 90, 180, 270], [0, 90, 180, 270], [False, True]))
)
def test_rotated_cropped_and_turned_pages(rotate: int, angle: int, crop: bool) -> None:
    entries = f"/Rotate {rotate}" + (" /CropBox [30 20 230 120]" if crop else "")
    source = pdf([PdfPage(box="-10 5 300 200" if crop else "0 0 200 100", entries=entries, content=SQUARE)])
    size = (200, 100) if rotate % 180 == 0 else (100, 200)
    read = read_pdf_page(angle=angle, box=size)
    before = np.rot90(drawn(pypdfium2.PdfDocument(source)[0]), -angle // 90)
    _, shown = made(document(read), source)
    everywhere(shown[0], read)
    assert text_of(shown[0]) == "layer"
    assert (drawn(shown[0]) == before).all()  # one that was turned to be read is shown turned


@pytest.mark.parametrize(
    "content", [b"2 0 0 2 50 10 cm 0 g 0 0 9 9 re f", b"q 0.5 0 0 0.5 7 7 cm 0 g 0 0 9 9 re f", b""]
)
def test_a_page_that_leaves_its_coordinates_changed(content: bytes) -> None:
    _, shown = made(document(read_pdf_page()), pdf([PdfPage(content=content)]))
    everywhere(shown[0], read_pdf_page())


def test_text_that_is_there_already_is_not_doubled() -> None:
    font = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    source = pdf([PdfPage(content=b"BT /F1 16 Tf 12 64 Td (layer) Tj ET", entries=font)])
    read = read_pdf_page()
    read.lines.append(line("scanned", 100, 60, 80, 20))
    _, shown = made(document(read), source)
    assert sorted(text_of(shown[0]).split()) == ["layer", "scanned"]


def test_a_pdf_that_only_its_owner_may_change_is_still_read() -> None:
    source = pdf([PdfPage()], owner="secret")
    _, shown = made(document(read_pdf_page()), source)
    assert text_of(shown[0]) == "layer"


def test_pages_of_a_pdf_that_could_not_be_read_stay_as_they_are() -> None:
    source = pdf([PdfPage(), PdfPage()])
    broken = Page(2, 0, 0, error=Notice("damaged_file", "no", 2))
    _, shown = made(document(read_pdf_page(1), broken), source)
    assert [text_of(sheet) for sheet in shown] == ["layer", ""]


# --- sources --------------------------------------------------------------------------------------------------


def test_the_source_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(picture())
    _, shown = made(document(receipt()), tmp_path / "a.jpg")
    everywhere(shown[0], receipt())
    with pytest.raises(FileMissing, match="cannot be read"):
        render(document(receipt()), "pdf", tmp_path / "gone.jpg")


def test_limits_hold() -> None:
    with pytest.raises(TooLarge):
        render(document(receipt()), "pdf", picture(), limits=Limits(max_file_bytes=100))
    with pytest.raises(TooLarge):
        render(document(receipt()), "pdf", picture(kind="PNG"), limits=Limits(max_pixels=1000))


# --- the font -------------------------------------------------------------------------------------------------


def test_the_font_is_a_sound_truetype_file() -> None:
    from PIL import ImageFont

    font = ImageFont.truetype(io.BytesIO(InvisibleFont("aé总𠮷").file()), 100)
    assert [font.getlength(char) for char in "aé总𠮷"] == [50, 50, 100, 100]


def test_a_character_that_the_font_lacks_is_told_as_such() -> None:
    font = InvisibleFont("ab")
    assert font.codes("axb") == [2, 1, 3]
    assert "<0001> <FFFD>" in font.to_unicode()
    assert "<0003> <0062>" in font.to_unicode()
    assert len(font.glyph_map()) == 2 * 4
