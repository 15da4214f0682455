"""Pages as JPEG pictures: as they were read, and with what was read drawn over and beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2

from pipeline.visualise import Pixels, draw, upright
from schemas.document import Document
from schemas.errors import DocumentError, StageFailed
from schemas.settings import Limits
from stages.decode.document import open_document

_LONGEST = 2000  # pixels
_QUALITY = 85


def page_pictures(
    document: Document, source: Path | bytes, *, limits: Limits, dpi: int
) -> Iterator[tuple[bytes, bytes]]:
    """For each page that was read, the drawing on the upright page, and the page as it lies in the file.

    Both are empty where it cannot be decoded any more.

    Raises:
        DocumentError: the source cannot be opened.
    """
    cv2.setNumThreads(1)  # the cores are for reading
    readable = {page.page: page for page in document.pages if page.error is None}
    if not readable:
        return
    with open_document(source, limits=limits, dpi=dpi, pages=tuple(readable)) as opened:
        for number, page in readable.items():
            try:
                pixels = opened.decode(number).pixels
            except DocumentError:
                yield b"", b""
                continue
            pixels = _small(pixels)
            yield _jpeg(draw(upright(pixels, page.angle), page, panel=True)), _jpeg(pixels)


def _small(pixels: Pixels) -> Pixels:
    scale = _LONGEST / max(pixels.shape[:2])
    if scale >= 1:
        return pixels
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    return cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA).astype(pixels.dtype, copy=False)


def _jpeg(pixels: Pixels) -> bytes:
    done, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise StageFailed("a page cannot be written as a picture")
    return encoded.tobytes()
