"""CASE 5: what is too large is refused from the header, before a pixel is decoded."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from PIL import Image

from schemas.errors import DamagedFile, TooLarge
from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.limits import check_size
from tests.factories.images import encode, page_image, png_of_zeros, tiff_pages
from tests.factories.pdfs import PdfPage, pdf


def peak_kib() -> int:
    """The most memory this process has had resident since the last reset."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def reset_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pytest.skip("needs a Linux kernel that resets the peak of resident memory")


def gif_of(width: int, height: int) -> bytes:
    data = bytearray(encode(page_image("L"), "GIF"))
    data[6:10] = struct.pack("<HH", width, height)
    return bytes(data)


def bmp_of(width: int, height: int) -> bytes:
    data = bytearray(encode(page_image("L"), "BMP"))
    data[18:26] = struct.pack("<ii", width, height)
    return bytes(data)


def jpeg_of(width: int, height: int) -> bytes:
    data = bytearray(encode(page_image("L"), "JPEG"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_of(width: int, height: int, **options: object) -> bytes:
    data = bytearray(encode(page_image(), "WEBP", **options))
    if options:
        data[21:25] = struct.pack("<I", (width - 1) | (height - 1) << 14)
    else:
        data[26:30] = struct.pack("<HH", width, height)
    return bytes(data)


def tiff_of(width: int, height: int) -> bytes:
    data = encode(page_image("1"), "TIFF", compression="group4")
    for tag, old, new in ((256, 240, width), (257, 160, height)):
        at = next(
            found for found in range(len(data)) if data[found : found + 2] == struct.pack("<H", tag)
            and int.from_bytes(data[found + 8 : found + 10], "little") == old
        )  # fmt: skip
        data = data[: at + 2] + struct.pack("<HII", 4, 1, new) + data[at + 12 :]
    return data


BOMBS = {
    "1-bit png": lambda: png_of_zeros(30_000, 30_000),
    "jpeg": lambda: jpeg_of(30_000, 30_000),
    "gif": lambda: gif_of(30_000, 30_000),
    "bmp": lambda: bmp_of(30_000, 30_000),
    "webp": lambda: webp_of(16_383, 16_383),
    "lossless webp": lambda: webp_of(16_383, 16_383, lossless=True),
    "tiff": lambda: tiff_of(30_000, 30_000),
    "pdf media box": lambda: pdf([PdfPage("0 0 14400 14400")]),
}


@pytest.mark.parametrize("name", BOMBS)
def test_case_5_a_decompression_bomb_is_refused_at_opening_and_memory_stays_flat(name: str) -> None:
    data = BOMBS[name]()
    assert len(data) < 2_000_000
    reset_peak()
    before = peak_kib()
    with pytest.raises(TooLarge, match=r"limits\.max_"):
        open_document(data, limits=Limits(), dpi=200)
    assert peak_kib() - before < 8 * 1024


def test_a_crop_box_decides_how_large_a_pdf_page_is() -> None:
    page = PdfPage("0 0 14400 14400", entries="/CropBox [0 0 72 144]")
    with open_document(pdf([page]), limits=Limits(), dpi=100) as document:
        assert document.decode(1).pixels.shape == (200, 100, 3)


def test_case_5_one_huge_page_leaves_the_others_alone() -> None:
    data = pdf([PdfPage(), PdfPage("0 0 14400 14400"), PdfPage()])
    with open_document(data, limits=Limits(), dpi=200) as document:
        document.decode(1)
        with pytest.raises(TooLarge, match="200 dpi"):
            document.decode(2)
        document.decode(3)
    tiff = tiff_pages([page_image("L"), Image.new("L", (900, 900)), page_image("L")])
    with open_document(tiff, limits=Limits(max_pixels=100_000), dpi=200) as document:
        document.decode(1)
        with pytest.raises(TooLarge):
            document.decode(2)
        document.decode(3)


def test_the_resolution_counts_for_pdf_pages() -> None:
    data = pdf([PdfPage("0 0 720 720")])
    limits = Limits(max_side=1000)
    with open_document(data, limits=limits, dpi=100) as document:
        assert document.decode(1).pixels.shape == (1000, 1000, 3)
    with pytest.raises(TooLarge):
        open_document(data, limits=limits, dpi=101)


@pytest.mark.parametrize(
    ("width", "height", "fits"), [(100, 50, True), (101, 10, False), (10, 101, False), (72, 72, False), (71, 70, True)]
)
def test_sides_and_area(width: int, height: int, fits: bool) -> None:
    limits = Limits(max_side=100, max_pixels=5000)
    data = encode(Image.new("L", (width, height)), "PNG")
    if fits:
        check_size(width, height, limits)
        open_document(data, limits=limits, dpi=200).close()
    else:
        with pytest.raises(TooLarge):
            check_size(width, height, limits)
        with pytest.raises(TooLarge):
            open_document(data, limits=limits, dpi=200)


def test_limits_above_those_of_the_libraries_hold() -> None:
    # Pillow would warn from 89 million pixels on and refuse from 179 million on.
    limits = Limits(max_pixels=400_000_000)
    for data in (png_of_zeros(20_000, 10_000), bmp_of(20_000, 10_000), gif_of(20_000, 10_000)):
        open_document(data, limits=limits, dpi=200).close()


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (-1, 5)])
def test_no_pixels_at_all(width: int, height: int) -> None:
    with pytest.raises(DamagedFile):
        check_size(width, height, Limits())


def test_bytes(tmp_path: Path) -> None:
    data = encode(page_image(), "PNG")
    path = tmp_path / "page.png"
    path.write_bytes(data)
    for source in (data, path):
        open_document(source, limits=Limits(max_file_bytes=len(data)), dpi=200).close()
        with pytest.raises(TooLarge, match="max_file_bytes"):
            open_document(source, limits=Limits(max_file_bytes=len(data) - 1), dpi=200)
