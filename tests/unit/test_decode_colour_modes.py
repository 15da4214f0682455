"""CASE 2: every colour mode gives the same page, or is refused in so many words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageOps

from schemas.errors import UnsupportedFormat
from schemas.settings import Limits
from stages.decode.document import open_document
from tests.factories.images import (
    Pixels,
    difference,
    encode,
    page_image,
    page_pixels,
    png_of_zeros,
    tiff,
    tiff_pages,
    without_jpeg_segment,
)

GREY = page_pixels()
BINARY = np.asarray(page_image("1").convert("L"))


def decode(data: bytes) -> Pixels:
    with open_document(data, limits=Limits(), dpi=200) as document:
        page = document.decode(1)
    assert page.pixels.dtype == np.uint8
    assert page.pixels.flags.c_contiguous
    assert (page.width, page.height, page.number) == (page.pixels.shape[1], page.pixels.shape[0], 1)
    return page.pixels


def with_ink_in_alpha(mode: str) -> Image.Image:
    """Black everywhere; the page is in the alpha channel alone."""
    image = Image.new(mode, (GREY.shape[1], GREY.shape[0]), 0)
    image.putalpha(Image.fromarray(255 - GREY))
    return image


def with_zero_alpha() -> Image.Image:
    image = page_image("RGBA")
    image.putalpha(0)
    return image


def palette_with_transparency() -> bytes:
    """Paper is a palette entry that is black and fully transparent."""
    image = Image.fromarray(np.where(GREY > 128, 0, 1).astype(np.uint8), "P")
    image.putpalette([0, 0, 0, 10, 10, 10])
    return encode(image, "PNG", transparency=0)


def cmyk(*, adobe: bool, inverted: bool) -> bytes:
    image = page_image("CMYK")
    if not inverted:  # Pillow's writer inverts, and sets the marker
        image = image.point(lambda value: 255 - value)
    data = encode(image, "JPEG", quality=95)
    return data if adobe else without_jpeg_segment(data, 0xEE)


SAME: dict[str, tuple[Callable[[], bytes], Pixels, float]] = {
    "L jpeg": (lambda: encode(page_image("L"), "JPEG", quality=95), GREY, 2),
    "RGB jpeg": (lambda: encode(page_image("RGB"), "JPEG", quality=95), GREY, 2),
    "progressive jpeg": (lambda: encode(page_image("RGB"), "JPEG", quality=95, progressive=True), GREY, 2),
    "CMYK jpeg, inverted, marker": (lambda: cmyk(adobe=True, inverted=True), GREY, 2),
    "CMYK jpeg, inverted, no marker": (lambda: cmyk(adobe=False, inverted=True), GREY, 2),
    "CMYK jpeg, straight, no marker": (lambda: cmyk(adobe=False, inverted=False), GREY, 2),
    "L png": (lambda: encode(page_image("L"), "PNG"), GREY, 0),
    "RGB png": (lambda: encode(page_image("RGB"), "PNG"), GREY, 0),
    "P png": (lambda: encode(page_image("RGB").quantize(64), "PNG"), GREY, 2),
    "P png with transparency": (palette_with_transparency, np.where(GREY > 128, 255, 10).astype(np.uint8), 0),
    "LA png": (lambda: encode(with_ink_in_alpha("LA"), "PNG"), GREY, 0),
    "RGBA png": (lambda: encode(with_ink_in_alpha("RGBA"), "PNG"), GREY, 0),
    "RGB png with a transparent colour": (
        lambda: encode(ImageOps.invert(page_image("1").convert("L")).convert("RGB"), "PNG", transparency=(0, 0, 0)),
        np.full_like(GREY, 255), 0,
    ),
    "1 png": (lambda: encode(page_image("1"), "PNG"), BINARY, 0),
    "16-bit grey png": (lambda: encode(Image.fromarray(GREY.astype(np.uint16) * 257), "PNG"), GREY, 0),
    "12 bits in a 16-bit png": (lambda: encode(Image.fromarray((GREY * 16.0588).astype(np.uint16)), "PNG"), GREY, 1),
    "RGBA webp": (lambda: encode(with_ink_in_alpha("RGBA"), "WEBP", lossless=True, exact=True), GREY, 0),
    "RGB webp": (lambda: encode(page_image("RGB"), "WEBP", quality=95), GREY, 2),
    "lossless webp": (lambda: encode(page_image("RGB"), "WEBP", lossless=True), GREY, 0),
    "L bmp": (lambda: encode(page_image("L"), "BMP"), GREY, 0),
    "RGB bmp": (lambda: encode(page_image("RGB"), "BMP"), GREY, 0),
    "1 bmp": (lambda: encode(page_image("1"), "BMP"), BINARY, 0),
    "32-bit bmp of zero alpha": (lambda: encode(with_zero_alpha(), "BMP"), GREY, 0),
    "gif": (lambda: encode(page_image("L"), "GIF"), GREY, 0),
    "1 tiff": (lambda: encode(page_image("1"), "TIFF"), BINARY, 0),
    "1 tiff, CCITT G4": (lambda: encode(page_image("1"), "TIFF", compression="group4"), BINARY, 0),
    "1 tiff, CCITT G3": (lambda: encode(page_image("1"), "TIFF", compression="group3"), BINARY, 0),
    "1 tiff, G4, white is zero": (
        lambda: encode(page_image("1"), "TIFF", compression="group4", tiffinfo={262: 0}), BINARY, 0,
    ),
    "RGB tiff, LZW": (lambda: encode(page_image("RGB"), "TIFF", compression="tiff_lzw"), GREY, 0),
    "RGB tiff, JPEG": (lambda: encode(page_image("RGB"), "TIFF", compression="jpeg", quality=95), GREY, 2),
    "RGBA tiff": (lambda: encode(with_ink_in_alpha("RGBA"), "TIFF"), GREY, 0),
    "LA tiff": (lambda: encode(with_ink_in_alpha("LA"), "TIFF"), GREY, 0),
    "P tiff": (lambda: encode(page_image("RGB").quantize(64), "TIFF"), GREY, 2),
    "CMYK tiff": (lambda: encode(page_image("CMYK"), "TIFF"), GREY, 0),
    "big tiff": (lambda: tiff(GREY, big=True), GREY, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_case_2_every_colour_mode_gives_the_same_page(name: str) -> None:
    make, expected, tolerance = SAME[name]
    assert difference(decode(make()), expected) <= tolerance


NUMBERS: dict[str, npt.NDArray[Any]] = {
    "uint16": GREY.astype(np.uint16) * 257,
    "uint16 holding 12 bits": (GREY * 16.0588).astype(np.uint16),
    "int16": (GREY * 128.498).astype(np.int16),
    "int32 holding 16 bits": GREY.astype(np.int32) * 257,
    "float32, 0 to 1": GREY.astype(np.float32) / 255,
    "float32, 0 to 255": GREY.astype(np.float32),
    "float32, 0 to 65535": GREY.astype(np.float32) * 257,
}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("name", NUMBERS)
def test_case_2_tiff_of_wide_numbers(name: str, order: Literal["<", ">"]) -> None:
    assert difference(decode(tiff(NUMBERS[name], order=order)), GREY) <= 1


@pytest.mark.parametrize("values", [NUMBERS["uint16"], NUMBERS["float32, 0 to 1"]], ids=["uint16", "float32"])
def test_case_2_tiff_where_white_is_zero(values: npt.NDArray[Any]) -> None:
    negative = values.max() - values
    assert difference(decode(tiff(negative, photometric=0)), GREY) <= 1


@pytest.mark.parametrize(
    "values",
    [
        np.full((8, 8), np.nan, np.float32),
        np.full((8, 8), np.inf, np.float32),
        np.full((8, 8), -1, np.float32),
        np.full((8, 8), 1e9, np.float32),
        np.full((8, 8), -5, np.int32),
        np.zeros((8, 8), np.float64),
        np.zeros((8, 8), np.float16),
    ],
    ids=["nan", "inf", "negative", "huge", "negative integers", "64-bit floats", "16-bit floats"],
)
def test_case_2_numbers_without_a_meaning_are_refused(values: npt.NDArray[Any]) -> None:
    with pytest.raises(UnsupportedFormat, match="save"):
        decode(tiff(values))


def test_an_unknown_compression_is_refused() -> None:
    data = tiff(GREY)
    entry = data.rindex(b"\x03\x01\x04\x00")  # tag 259
    with pytest.raises(UnsupportedFormat, match="34712"):
        decode(data[: entry + 8] + (34712).to_bytes(4, "little") + data[entry + 12 :])


@pytest.mark.parametrize("side", [1, 2, 15, 17, 31, 33, 63])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_small_sides(kind: str, side: int) -> None:
    image = page_image("RGB").resize((side, 64 - side))
    assert decode(encode(image, kind)).shape == (64 - side, side, 3)


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16])
def test_black_stays_black_at_every_depth(depth: int) -> None:
    assert not decode(png_of_zeros(20, 10, depth)).any()


def test_pages_of_one_tiff_may_differ_in_mode() -> None:
    data = tiff_pages([page_image("1"), page_image("RGB"), page_image("L"), page_image("CMYK")])
    with open_document(data, limits=Limits(), dpi=200) as document:
        pages = {number: document.decode(number).pixels for number in (3, 1, 4, 2)}
    assert difference(pages[1], BINARY) == 0
    assert all(difference(pages[number], GREY) <= 1 for number in (2, 3, 4))
