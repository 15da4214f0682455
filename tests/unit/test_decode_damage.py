"""CASE 4: what is damaged is refused with a reason, and never read by halves."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from schemas.errors import DamagedFile, DocumentError, TooLarge, UnsupportedFormat
from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.jpeg import MAX_SCANS, read_jpeg_structure
from stages.page_image import PageImage
from tests.factories.images import encode, exif, group4, page_image, page_pixels, tiff_pages
from tests.factories.pdfs import PdfPage, image_object, pdf

LIMITS = Limits(max_pixels=4_000_000, max_pages=50)
SCAN = group4(page_image("1"))

FILES = {
    "jpeg": encode(page_image(), "JPEG", quality=90, exif=exif(6)),
    "progressive jpeg": encode(page_image(), "JPEG", progressive=True),
    "jpeg with restart markers": encode(page_image(), "JPEG", restart_marker_blocks=4),
    "cmyk jpeg": encode(page_image("CMYK"), "JPEG"),
    "png": encode(page_image(), "PNG"),
    "palette png": encode(page_image("P"), "PNG"),
    "rgba png": encode(page_image("RGBA"), "PNG"),
    "webp": encode(page_image(), "WEBP", exif=exif(3)),
    "lossless webp": encode(page_image("RGBA"), "WEBP", lossless=True),
    "bmp": encode(page_image(), "BMP"),
    "gif": encode(page_image("L"), "GIF"),
    "tiff": encode(page_image(), "TIFF"),
    "lzw tiff": encode(page_image(), "TIFF", compression="tiff_lzw"),
    "g4 tiff": tiff_pages([page_image("1")] * 2, compression="group4"),
    "pdf": pdf([PdfPage()] * 2),
    "pdf with a scan": pdf(
        [PdfPage(entries="/Resources << /XObject << /A 3 0 R >> >>", content=b"200 0 0 100 0 0 cm /A Do")],
        extra=[
            image_object(
                SCAN, 240, 160,
                "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode "
                "/DecodeParms << /K -1 /Columns 240 /Rows 160 /BlackIs1 true >>",
            )
        ],
    ),
}  # fmt: skip
STILL = [name for name in FILES if "pdf" not in name]


def decode_all(data: bytes) -> list[PageImage]:
    with open_document(data, limits=LIMITS, dpi=72) as document:
        return [document.decode(number) for number in document.page_numbers]


def attempt(data: bytes) -> list[PageImage] | DocumentError:
    try:
        return decode_all(data)
    except DocumentError as error:
        return error


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_sound_before_they_are_damaged(name: str) -> None:
    assert all(page.pixels.min() < 128 < page.pixels.max() for page in decode_all(FILES[name]))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", STILL)
def test_case_4_a_truncated_picture_is_damaged(name: str, share: float) -> None:
    data = FILES[name]
    with pytest.raises(DamagedFile, match="again|anew"):
        decode_all(data[: int(len(data) * share)])


@pytest.mark.parametrize("name", [name for name in STILL if "jpeg" in name])
def test_case_4_a_jpeg_of_which_99_percent_came_is_damaged(name: str) -> None:
    with pytest.raises(DamagedFile):
        decode_all(FILES[name][: int(len(FILES[name]) * 0.99)])


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
@pytest.mark.parametrize("name", STILL)
def test_a_picture_without_its_last_bytes_is_damaged_or_whole(name: str) -> None:
    """The last bytes may be an end mark or a checksum; the pixels are all there or none is shown."""
    sound = decode_all(FILES[name])
    for missing in (1, 2, 3, 8, 12, 20, 40):
        result = attempt(FILES[name][:-missing])
        if isinstance(result, DocumentError):
            assert isinstance(result, DamagedFile)
            continue
        for page, expected in zip(result, sound, strict=True):
            assert np.abs(page.pixels.astype(int) - expected.pixels).max() <= 2  # another decoder may round otherwise


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_case_4_a_truncated_real_jpeg_is_damaged(shared_data: Path, share: float) -> None:
    for folder in ("funsd_dev", "sroie_val", "xfund_zh_dev"):
        data = min((shared_data / folder / "images").iterdir()).read_bytes()
        with pytest.raises(DamagedFile):
            decode_all(data[: int(len(data) * share)])


def test_case_4_truncation_is_seen_even_where_the_decoder_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    # Older OpenCV returns the half picture without a word.
    monkeypatch.setattr("stages.decode.still._decode_plain", lambda data: np.zeros((160, 240, 3), np.uint8))
    with pytest.raises(DamagedFile):
        decode_all(FILES["jpeg"][:-400])


def test_a_jpeg_that_carries_a_whole_thumbnail_is_still_truncated() -> None:
    thumbnail = encode(page_image().resize((40, 30)), "JPEG")
    block = exif(1) + thumbnail
    data = encode(page_image(), "JPEG", exif=block)
    assert b"\xff\xd9" in data[: 30 + len(block)]
    decode_all(data)
    with pytest.raises(DamagedFile):
        decode_all(data[: int(len(data) * 0.8)])


def test_what_follows_the_end_of_a_jpeg_does_not_matter() -> None:
    data = FILES["jpeg"]
    for tail in (b"\0" * 100, b"trailer", data[: len(data) // 2]):
        assert decode_all(data + tail)[0].pixels.shape == (240, 160, 3)


def test_each_jpeg_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*args: object) -> None:
        raise AssertionError("a sound file needs no second look")

    monkeypatch.setattr("stages.decode.still.open_still", unwanted)
    for name in ("jpeg", "progressive jpeg", "jpeg with restart markers", "png", "palette png", "webp"):
        decode_all(FILES[name])


def test_a_jpeg_of_very_many_scans_is_refused_before_decoding() -> None:
    data = FILES["progressive jpeg"]
    first = data.index(b"\xff\xda")
    second = data.index(b"\xff\xda", first + 2)
    scan = data[first:second]
    with pytest.raises(UnsupportedFormat, match="scans"):
        decode_all(data[:first] + scan * (MAX_SCANS + 1) + data[second:])


def test_a_marker_that_cannot_be_there_breaks_a_jpeg() -> None:
    data = FILES["jpeg"]
    middle = data.index(b"\xff\xda") + 200
    with pytest.raises(DamagedFile, match="middle"):
        read_jpeg_structure(data[:middle] + b"\xff\x42" + data[middle:])


@pytest.mark.parametrize("content", [b"", b"\xff", b"\xff\xd8", b"\0" * 64, b"Hello\n", b"%PD", b"RIFF\0\0\0\0WEBX"])
def test_case_4_zero_bytes_text_and_scraps(content: bytes) -> None:
    with pytest.raises((DamagedFile, UnsupportedFormat)) as caught:
        open_document(content, limits=LIMITS, dpi=72)
    assert re.search("send|read are", caught.value.message)


@pytest.mark.parametrize("start", [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"II*\0", b"MM\0+", b"%PDF-1.7"])
@pytest.mark.parametrize("rest", [b"", b"\0" * 200, b"nonsense " * 40, b"\xff" * 200])
def test_a_good_start_alone_is_refused(start: bytes, rest: bytes) -> None:
    # A GIF's size stands at its very start, so noise there may also claim to be huge.
    with pytest.raises((DamagedFile, TooLarge) if start == b"GIF89a" else DamagedFile):
        decode_all(start + rest)


def damaged_cross_references() -> dict[str, bytes]:
    data = FILES["pdf"]
    table = data.index(b"xref\n")
    return {
        "offsets": re.sub(rb"\d{10} 00000 n", b"0000000007 00000 n", data),
        "startxref": re.sub(rb"startxref\n\d+", b"startxref\n999999", data),
        "no table": data[:table] + b"%%EOF\n",
        "table of noise": data[:table] + b"xref\n" + b"\xf0" * 60 + data[data.index(b"trailer") :],
    }


@pytest.mark.parametrize("name", damaged_cross_references())
def test_case_4_a_pdf_with_a_damaged_cross_reference_table(name: str) -> None:
    """Repaired where the objects are still there (both pages, rightly drawn), refused otherwise."""
    result = attempt(damaged_cross_references()[name])
    if isinstance(result, DocumentError):
        assert isinstance(result, DamagedFile)
        assert "send it again" in result.message
        return
    for page, expected in zip(result, decode_all(FILES["pdf"]), strict=True):
        np.testing.assert_array_equal(page.pixels, expected.pixels)


def test_case_4_wrong_offsets_in_a_pdf_are_repaired() -> None:
    assert len(decode_all(damaged_cross_references()["startxref"])) == 2


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.9])
def test_case_4_a_truncated_pdf_is_refused(share: float) -> None:
    data = FILES["pdf"]
    with pytest.raises(DamagedFile, match="send it again"):
        decode_all(data[: int(len(data) * share)])


def test_case_4_a_pdf_cut_after_its_trailer_is_read_and_a_warning_says_so() -> None:
    data = FILES["pdf"]
    with open_document(data[: data.index(b"startxref")], limits=LIMITS, dpi=72) as document:
        assert document.page_numbers == (1, 2)
        assert [notice.code for notice in document.warnings] == ["repaired_file"]


def test_a_sound_pdf_gives_no_warning() -> None:
    with open_document(FILES["pdf"], limits=LIMITS, dpi=72) as document:
        assert document.warnings == []


def _damage(data: bytes, rng: random.Random) -> bytes:
    broken = bytearray(data)
    match rng.randrange(4):
        case 0:
            del broken[rng.randrange(len(broken)) :]
        case 1:
            for _ in range(rng.randint(1, 8)):
                broken[rng.randrange(min(len(broken), 200))] = rng.randrange(256)  # the header
        case 2:
            for _ in range(rng.randint(1, 20)):
                broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        case _:
            start = rng.randrange(len(broken))
            broken[start : start + rng.randint(1, 200)] = rng.randbytes(rng.randint(0, 200))
    return bytes(broken)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_whatever_is_broken_ends_with_pages_or_a_document_error(name: str) -> None:
    rng = random.Random(name)
    for _ in range(120):
        data = _damage(FILES[name], rng)
        result = attempt(data)
        if isinstance(result, DocumentError):
            assert result.message
            assert result.message.isprintable()
            continue
        for page in result:
            assert page.pixels.dtype == np.uint8
            assert page.pixels.ndim == 3
            assert page.pixels.size > 0


def test_one_broken_page_leaves_the_others_alone() -> None:
    data = tiff_pages([page_image("L"), Image.fromarray(page_pixels()), page_image("L")])
    first = int.from_bytes(data[4:8], "little")
    pointer = first + 2 + 12 * int.from_bytes(data[first : first + 2], "little")
    second = int.from_bytes(data[pointer : pointer + 4], "little")
    entry = data.index(b"\x11\x01", second)  # tag 273, where the pixels are
    broken = data[: entry + 8] + (2**31 - 9).to_bytes(4, "little") + data[entry + 12 :]
    with open_document(broken, limits=LIMITS, dpi=72) as document:
        document.decode(1)
        with pytest.raises(DamagedFile):
            document.decode(2)
        assert document.decode(3).pixels.shape == (160, 240, 3)
