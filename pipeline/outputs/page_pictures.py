"""The pictures that a searchable PDF shows as its pages: the original JPEG where it can be, else the decoded pixels."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL import Image

from schemas.document import Document, Page
from schemas.errors import DocumentError
from schemas.settings import Limits
from stages.decode.headers import exif_orientation
from stages.decode.jpeg import read_jpeg_structure
from stages.decode.sniff import Format

_USUAL_DPI = 200.0  # where the file says nothing that could be true
_POSSIBLE_DPI = (50.0, 2400.0)


@dataclass(slots=True)
class Picture:
    """The picture of one page, as it is stored: a JPEG file's bytes, or decoded pixels.

    ``orientation`` (EXIF, 1 to 8), then ``page.angle`` degrees clockwise, make it upright.
    """

    page: Page
    content: bytes | Image.Image
    orientation: int
    dpi: float


def pictures(document: Document, data: bytes, kind: Format, limits: Limits) -> Iterator[Picture]:
    """One picture for each page that was read, in the order of the document.

    Raises:
        DocumentError: the file cannot be opened. Pages that cannot be decoded are passed over.
    """
    readable = [page for page in document.pages if page.error is None and page.width and page.height]
    dpi = stated_dpi(data)
    if kind is Format.JPEG and readable:
        found = read_jpeg_structure(data)
        if found.precision == 8 and found.components in (1, 3) and found.complete:
            yield Picture(readable[0], data, exif_orientation(found.exif), dpi)
            return
    yield from _decoded(readable, data, limits, dpi)


def _decoded(readable: list[Page], data: bytes, limits: Limits, dpi: float) -> Iterator[Picture]:
    from stages.decode.document import open_document  # only now: it brings all of OpenCV

    if not readable:
        return
    with open_document(data, limits=limits, dpi=round(dpi), pages=tuple(page.page for page in readable)) as opened:
        for page in readable:
            try:
                image = opened.decode(page.page)
            except DocumentError:
                continue
            yield Picture(page, _image(image.pixels), 1, dpi)


def _image(pixels: Any) -> Image.Image:
    """Pixels (H, W, 3) BGR as a picture; as grey where they are, which takes a third of the room."""
    blue, green, red = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    if (blue == green).all() and (green == red).all():
        return Image.fromarray(green.copy())
    return Image.fromarray(pixels[..., ::-1].copy())


def stated_dpi(data: bytes) -> float:
    """The resolution that the file states, if it can be true; otherwise a usual one."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            value = float(image.info["dpi"][0])
    except Exception:  # foreign data; a page has some size, whatever the header says
        return _USUAL_DPI
    return value if _POSSIBLE_DPI[0] <= value <= _POSSIBLE_DPI[1] else _USUAL_DPI
