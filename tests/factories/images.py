"""Odd picture files, made in memory."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[np.uint8]


def page_pixels(width: int = 240, height: int = 160) -> Pixels:
    """A grey page (H, W) uint8: paper, two words and a black square in the top left corner, so no turn is another."""
    page = np.full((height, width), 255, np.uint8)
    page[:20, :30] = 0
    cv2.putText(page, "Total", (20, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 0, 3)
    cv2.putText(page, "42.10", (60, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.4, 80, 3)
    return page


def page_image(mode: str = "RGB", width: int = 240, height: int = 160) -> Image.Image:
    """The page above as a Pillow image of ``mode``."""
    return Image.fromarray(page_pixels(width, height)).convert(mode)


def encode(image: Image.Image, kind: str, **options: Any) -> bytes:
    """The file's bytes; ``kind`` is Pillow's name of the format."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def difference(pixels: Pixels, expected: Pixels) -> float:
    """Mean absolute difference of (H, W, 3) BGR to a grey page (H, W); infinite where the shapes differ."""
    if pixels.shape != (*expected.shape, 3):
        return float("inf")
    return float(np.abs(pixels.astype(np.float32) - expected[..., None].astype(np.float32)).mean())


def stored_for_orientation(upright: Image.Image, orientation: int) -> Image.Image:
    """The pixels to store so that EXIF ``orientation`` turns them into ``upright`` (the inverse transform)."""
    inverse = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,  # counter-clockwise, as a viewer turns 6 clockwise
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    return upright if orientation == 1 else upright.transpose(inverse[orientation])


def exif(orientation: int) -> bytes:
    """A block of EXIF data with nothing but an orientation."""
    block = Image.Exif()
    block[0x0112] = orientation
    return block.tobytes()


def without_jpeg_segment(data: bytes, marker: int) -> bytes:
    """A JPEG without its segments of ``marker`` (0xEE: Adobe) before the first scan."""
    out = bytearray(data[:2])
    at = 2
    while data[at + 1] != 0xDA:
        length = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at + 1] != marker:
            out += data[at : at + length]
        at += length
    return bytes(out + data[at:])


def png_of_zeros(width: int, height: int, depth: int = 1) -> bytes:
    """A complete grey PNG, all black, made without ever holding its pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    packer = zlib.compressobj(1)
    row = bytes(1 + (width * depth + 7) // 8)
    rows_at_once = max(1, (1 << 20) // len(row))
    body = bytearray()
    for top in range(0, height, rows_at_once):
        body += packer.compress(row * min(rows_at_once, height - top))
    body += packer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", bytes(body)) + chunk(b"IEND", b"")


def tiff(
    values: npt.NDArray[Any],
    *,
    photometric: int = 1,
    order: Literal["<", ">"] = "<",
    orientation: int = 1,
    big: bool = False,
) -> bytes:
    """An uncompressed grey TIFF of any number type and byte order; ``big`` writes a BigTIFF."""
    kind = {"u": 1, "i": 2, "f": 3}[values.dtype.kind]
    pixels = values.astype(values.dtype.newbyteorder(order)).tobytes()
    height, width = values.shape
    start = 16 if big else 8
    tags = {
        256: width, 257: height, 258: values.dtype.itemsize * 8, 259: 1, 262: photometric, 273: start,
        274: orientation, 277: 1, 278: height, 279: len(pixels), 339: kind,
    }  # fmt: skip
    head = b"II" if order == "<" else b"MM"
    at = start + len(pixels)
    if big:
        out = head + struct.pack(order + "HHHQ", 43, 8, 0, at) + pixels + struct.pack(order + "Q", len(tags))
        out += b"".join(struct.pack(order + "HHQQ", tag, 16, 1, value) for tag, value in sorted(tags.items()))
        return out + struct.pack(order + "Q", 0)
    out = head + struct.pack(order + "HI", 42, at) + pixels + struct.pack(order + "H", len(tags))
    out += b"".join(struct.pack(order + "HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    return out + struct.pack(order + "I", 0)


def tiff_pages(images: list[Image.Image], **options: Any) -> bytes:
    """A TIFF of several pages."""
    return encode(images[0], "TIFF", save_all=True, append_images=images[1:], **options)


def group4(image: Image.Image) -> bytes:
    """The CCITT Group 4 code of a 1-bit picture, as it stands in TIFF and PDF."""
    data = encode(image, "TIFF", compression="group4", strip_size=1 << 30)
    with Image.open(io.BytesIO(data)) as opened:
        tags = opened.tag_v2  # type: ignore[attr-defined]
        (offset,), (length,) = tags[273], tags[279]
    return data[offset : offset + length]
