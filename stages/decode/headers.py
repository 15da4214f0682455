"""What the headers of still pictures say, read without decoding a pixel."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from PIL import Image

from schemas.errors import DamagedFile
from stages.decode.jpeg import read_jpeg_structure
from stages.decode.sniff import Format

_ORIENTATION = 0x0112
_MAX_PNG_CHUNKS = 500_000


@dataclass(slots=True)
class Header:
    """The size in pixels as stored (before EXIF), and how to decode.

    ``orientation`` is EXIF's, 1 to 8. ``plain``: 8 bits, no transparency, no CMYK, so OpenCV decodes it properly.
    ``complete``: the data goes on to the format's end mark; if not, only a strict decoder may be asked.
    """

    width: int
    height: int
    orientation: int = 1
    plain: bool = False
    complete: bool = True
    animated: bool = False
    adobe: bool = False


def read_header(data: bytes, kind: Format) -> Header:
    """Read the header of a JPEG, PNG, WebP, BMP or GIF.

    Raises:
        DamagedFile: it is broken or truncated.
        UnsupportedFormat: see :func:`stages.decode.jpeg.read_jpeg_structure`.
    """
    try:
        return _READERS[kind](data)
    except (struct.error, IndexError) as error:
        raise DamagedFile(
            f"the {kind.upper()} ends before its header does; it seems truncated, send it again, complete"
        ) from error


def exif_orientation(exif: bytes) -> int:
    """The orientation (1 to 8) in a block of EXIF data; 1 where it is missing or makes no sense."""
    if not exif:
        return 1
    try:
        block = Image.Exif()
        block.load(exif)
        value = block.get(_ORIENTATION, 1)
    except Exception:  # a parser on foreign data; a picture with broken EXIF is still a picture
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _jpeg(data: bytes) -> Header:
    found = read_jpeg_structure(data)
    return Header(
        found.width,
        found.height,
        orientation=exif_orientation(found.exif),
        plain=found.precision == 8 and found.components in (1, 3),
        complete=found.complete,
        adobe=found.adobe,
    )


def _png(data: bytes) -> Header:
    if data[12:16] != b"IHDR":
        raise DamagedFile("the PNG does not start with its header; the file is broken, make it again")
    width, height, depth, colour = struct.unpack_from(">IIBB", data, 16)
    header = Header(width, height, complete=False)
    transparent = colour in (4, 6)
    at = 8
    for _ in range(_MAX_PNG_CHUNKS):
        if at + 12 > len(data):
            break
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"tRNS":
            transparent = True
        elif name == b"acTL":
            header.animated = struct.unpack_from(">I", data, at + 8)[0] > 1
        elif name == b"eXIf":
            header.orientation = exif_orientation(data[at + 8 : at + 8 + length])
        at += 12 + length
        if name == b"IEND":
            header.complete = at <= len(data)
            break
    header.plain = depth <= 8 and not transparent and not header.animated
    return header


def _webp(data: bytes) -> Header:
    (riff_size,) = struct.unpack_from("<I", data, 4)
    name = data[12:16]
    if name == b"VP8X":
        flags = data[20]
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        struct.unpack_from("10s", data, 20)
        header = Header(width, height, animated=bool(flags & 0x02), plain=not flags & 0x12)
        if flags & 0x08:
            header.orientation = exif_orientation(_webp_chunk(data, b"EXIF"))
    elif name == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        header = Header(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), plain=not bits >> 28 & 1)
    elif name == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        header = Header(width & 0x3FFF, height & 0x3FFF, plain=True)
    else:
        raise DamagedFile("the WebP holds no picture where one should start; the file is broken, make it again")
    header.complete = riff_size + 8 <= len(data)
    return header


def _webp_chunk(data: bytes, wanted: bytes) -> bytes:
    at = 12
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        if name == wanted:
            return data[at + 8 : at + 8 + length]
        at += 8 + length + (length & 1)
    return b""


def _bmp(data: bytes) -> Header:
    (size,) = struct.unpack_from("<I", data, 14)
    # The first header (OS/2 1.x) has 16-bit sides, all later ones 32-bit; a negative height means rows from the top.
    width, height = struct.unpack_from("<HH" if size == 12 else "<ii", data, 18)
    return Header(width, abs(height))


def _gif(data: bytes) -> Header:
    width, height = struct.unpack_from("<HH", data, 6)
    return Header(width, height)


_READERS = {Format.JPEG: _jpeg, Format.PNG: _png, Format.WEBP: _webp, Format.BMP: _bmp, Format.GIF: _gif}
