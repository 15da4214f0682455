from __future__ import annotations

from typing import Literal

import pytest

from schemas.errors import DamagedFile, UnsupportedFormat
from stages.decode.sniff import Format, require_format, sniff
from tests.factories.images import encode, page_image, page_pixels, tiff
from tests.factories.pdfs import PdfPage, pdf

FILES = {
    Format.JPEG: encode(page_image(), "JPEG"),
    Format.PNG: encode(page_image(), "PNG"),
    Format.WEBP: encode(page_image(), "WEBP"),
    Format.BMP: encode(page_image(), "BMP"),
    Format.TIFF: encode(page_image(), "TIFF"),
    Format.GIF: encode(page_image(), "GIF"),
    Format.PDF: pdf([PdfPage()]),
}


@pytest.mark.parametrize("kind", FILES)
def test_each_format_is_found_by_its_content(kind: Format) -> None:
    assert sniff(FILES[kind]) is kind


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("big", [False, True])
def test_tiff_of_both_byte_orders_and_both_sizes(order: Literal["<", ">"], big: bool) -> None:
    assert sniff(tiff(page_pixels(), order=order, big=big)) is Format.TIFF


@pytest.mark.parametrize(("junk", "found"), [(0, Format.PDF), (1019, Format.PDF), (1020, None), (5000, None)])
def test_pdf_header_within_the_first_1024_bytes(junk: int, found: Format | None) -> None:
    assert sniff(b"\n" * junk + FILES[Format.PDF]) is found


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"Dear Sir, please find enclosed", "plain text"),
        ("BMW und Bücher, 发票".encode(), "plain text"),
        ("é".encode() * 1000, "plain text"),
        (b"x" + "é".encode() * 1000, "plain text"),  # cut in the middle of a character
        (b"  <html><body>", "markup"),
        (b"PK\x03\x04rest", "Office"),
        (b"\x00\x00\x00\x18ftypheic", "HEIF"),
        (b"\x00\x00\x00\x18ftypmp42", "no format known"),
        (bytes(100), "no format known"),
        (bytes(range(200, 256)), "no format known"),
    ],
)
def test_refusals_name_what_came_and_what_can_be_read(content: bytes, named: str) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        require_format(content)
    assert named in caught.value.message
    assert "JPEG, PNG, WebP, BMP, TIFF, GIF and PDF" in caught.value.message


def test_an_empty_file_is_damaged() -> None:
    with pytest.raises(DamagedFile, match="0 bytes"):
        require_format(b"")
