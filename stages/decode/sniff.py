"""Which format a file has, from its content alone: names and content types lie."""

from __future__ import annotations

from enum import StrEnum

from schemas.errors import DamagedFile, UnsupportedFormat


class Format(StrEnum):
    """The formats that can be read."""

    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    BMP = "bmp"
    TIFF = "tiff"
    GIF = "gif"
    PDF = "pdf"


READABLE = "JPEG, PNG, WebP, BMP, TIFF, GIF and PDF"
HEAD_BYTES = 1024  # a PDF's header may stand anywhere in the first 1024 bytes (ISO 32000-1, note in annex H)

_STARTS = (
    (b"\xff\xd8\xff", Format.JPEG),
    (b"\x89PNG\r\n\x1a\n", Format.PNG),
    (b"GIF87a", Format.GIF),
    (b"GIF89a", Format.GIF),
    (b"II*\0", Format.TIFF),
    (b"MM\0*", Format.TIFF),
    (b"II+\0", Format.TIFF),  # BigTIFF
    (b"MM\0+", Format.TIFF),
)
# Sizes of the header that follows a BMP's file header; "BM" alone also starts many a text.
_BMP_HEADERS = frozenset({12, 16, 40, 52, 56, 64, 108, 124})

# Formats people do send, so that the refusal can name them.
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"})
_KNOWN_STARTS = (
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"\x00\x00\x00\x0cjP  ", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\x00\x00\x00\x0cJXL ", "JPEG XL"),
    (b"8BPS", "a Photoshop document"),
    (b"%!PS", "PostScript"),
    (b"AT&TFORM", "DjVu"),
    (b"{\\rtf", "rich text"),
)


def sniff(data: bytes) -> Format | None:
    """The format of a file whose content starts with ``data`` (at least its first 1024 bytes), or None."""
    for start, found in _STARTS:
        if data.startswith(start):
            return found
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Format.WEBP
    if data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in _BMP_HEADERS:
        return Format.BMP
    if b"%PDF-" in data[:HEAD_BYTES]:
        return Format.PDF
    return None


def require_format(data: bytes) -> Format:
    """Like :func:`sniff`, for a whole file.

    Raises:
        DamagedFile: the file is empty.
        UnsupportedFormat: the content is none of the formats; the message names what it looks like.
    """
    if not data:
        raise DamagedFile("the file is empty (0 bytes); send it again, complete")
    found = sniff(data)
    if found is None:
        looks = _looks_like(data)
        what = f"the content is {looks}" if looks else "the content is in no format known here"
        raise UnsupportedFormat(f"{what}; files that can be read are {READABLE}")
    return found


def _looks_like(data: bytes) -> str | None:
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return "HEIF or AVIF (save the picture as JPEG or PNG)"
    for start, name in _KNOWN_STARTS:
        if data.startswith(start):
            return name
    head = data[:HEAD_BYTES]
    if b"\0" not in head and _is_text(head):
        return "markup (HTML, XML or SVG)" if head.lstrip().startswith(b"<") else "plain text"
    return None


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        # The cut after 1024 bytes may split a character.
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode("utf-8")
    return all(char.isprintable() or char.isspace() for char in text)
