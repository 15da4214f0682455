"""CASE 1: all eight EXIF orientations, applied exactly once, whatever the format and the decoder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.headers import exif_orientation
from tests.factories.images import (
    difference,
    encode,
    exif,
    page_image,
    page_pixels,
    stored_for_orientation,
    tiff,
    tiff_pages,
)

GREY = page_pixels()
ORIENTATIONS = range(1, 9)
KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "jpeg": ("RGB", "JPEG", {"quality": 95}),
    "cmyk jpeg": ("CMYK", "JPEG", {"quality": 95}),
    "png": ("RGB", "PNG", {}),
    "png with alpha": ("RGBA", "PNG", {}),
    "webp": ("RGB", "WEBP", {"lossless": True}),
    "webp with alpha": ("RGBA", "WEBP", {"lossless": True}),
    "tiff": ("RGB", "TIFF", {}),
    "tiff, LZW": ("RGB", "TIFF", {"compression": "tiff_lzw"}),
}


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("name", KINDS)
def test_case_1_every_orientation_reads_like_the_upright_page(name: str, orientation: int) -> None:
    mode, kind, options = KINDS[name]
    image = page_image(mode)
    if image.mode == "RGBA":
        image.putpixel((200, 5), (255, 255, 255, 254))  # so that no writer drops the channel
    data = encode(stored_for_orientation(image, orientation), kind, exif=exif(orientation), **options)
    with open_document(data, limits=Limits(), dpi=200) as document:
        page = document.decode(1)
        again = document.decode(1)
    assert difference(page.pixels, GREY) <= 2
    assert page.angle == 0
    np.testing.assert_array_equal(page.pixels, again.pixels)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_case_1_tiff_of_wide_numbers(orientation: int) -> None:
    stored = np.asarray(stored_for_orientation(page_image("L"), orientation)).astype(np.uint16) * 257
    with open_document(tiff(stored, orientation=orientation), limits=Limits(), dpi=200) as document:
        assert difference(document.decode(1).pixels, GREY) <= 1


def test_case_1_pages_of_one_tiff_are_turned_each_on_its_own() -> None:
    pages = []
    for orientation in ORIENTATIONS:
        page = stored_for_orientation(page_image("L"), orientation)
        page.encoderinfo = {"tiffinfo": {274: orientation}}
        pages.append(page)
    data = tiff_pages(pages)
    with open_document(data, limits=Limits(), dpi=200) as document:
        for number in [*document.page_numbers, *reversed(document.page_numbers)]:
            assert difference(document.decode(number).pixels, GREY) <= 1, number


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
@pytest.mark.parametrize("block", [b"", b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff", b"\0" * 40, exif(0), exif(9)])
def test_broken_exif_is_no_reason_to_refuse_or_turn(block: bytes) -> None:
    assert exif_orientation(block) == 1
    with open_document(encode(page_image(), "JPEG", exif=block), limits=Limits(), dpi=200) as document:
        assert document.decode(1).pixels.shape == (160, 240, 3)
