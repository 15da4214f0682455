"""A document as a PDF that shows its pages as they came, with the text that was read, invisible, over them.

A PDF keeps its own pages; a picture becomes a page, a JPEG with its very bytes. All of it is done by PDFium.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from pipeline.outputs.invisible_font import InvisibleFont
from pipeline.outputs.lines import bounds
from pipeline.outputs.page_pictures import Picture, pictures
from pipeline.outputs.text_layer import TextLayer, ToPage, characters_of
from schemas.document import Document, Line, Page, Point
from schemas.errors import DamagedFile, FileMissing, InvalidRequest
from schemas.settings import Limits
from stages.decode.limits import check_bytes
from stages.decode.pdf import _pdfium as pdfium_lock  # one lock for all that this process does with PDFium
from stages.decode.sniff import Format, require_format

_LEAST_SIDE, _LARGEST_SIDE = 3.0, 14400.0  # points (ISO 32000-1, annex C)
_POINTS_PER_INCH = 72.0
_MIDDLE = 0.25  # of a line's box, on each side, is left out when its text is looked for


def to_searchable_pdf(document: Document, source: Path | bytes, *, limits: Limits) -> bytes:
    """The PDF.

    Of a PDF, all pages are kept, those too that were not read; one that was turned to be read is shown turned. Lines
    where the page has text of its own are left out, since everything would be found twice. Of pictures, the pages
    that were read are shown.

    Args:
        document: what was read from ``source``.
        source: the file, or its path.
        limits: for what has to be decoded.

    Raises:
        FileMissing: the source is not there any more.
        InvalidRequest: the document has no page that could be shown.
        DocumentError: the source cannot be read.
    """
    data = source if isinstance(source, bytes) else _read(source)
    check_bytes(len(data), limits)
    kind = require_format(data)
    font = InvisibleFont(characters_of(document))
    try:
        if kind is Format.PDF:
            return _over_pdf(document, data, font)
        return _from_pictures(document, data, kind, font, limits)
    except pypdfium2.PdfiumError as error:
        raise DamagedFile(f"no searchable PDF can be made of this file: {error}") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileMissing(f"{path} cannot be read: {error.strerror}") from error


def _over_pdf(document: Document, data: bytes, font: InvisibleFont) -> bytes:
    with pdfium_lock():
        pdf = pypdfium2.PdfDocument(data)
        try:
            layer = TextLayer(pdf, font)
            try:
                for page in document.pages:
                    if page.error is None and 1 <= page.page <= len(pdf):
                        _add_layer(pdf, page, layer)
            finally:
                layer.close()
            return _saved(pdf)
        finally:
            pdf.close()


def _add_layer(pdf: pypdfium2.PdfDocument, page: Page, layer: TextLayer) -> None:
    target = pdf[page.page - 1]
    try:
        to_page = _page_coordinates(target, page)
        text = target.get_textpage()
        try:
            free = {id(line): not _has_text(text, line, to_page) for line in page.lines}
        finally:
            text.close()
        layer.write(target, page, to_page, is_free=lambda line: free[id(line)])
        if page.angle:
            target.set_rotation((target.get_rotation() + page.angle) % 360)
        target.gen_content()
    finally:
        target.close()


def _has_text(text: Any, line: Line, to_page: ToPage) -> bool:
    """Whether the page itself has text in the middle of the line."""
    left, top, right, bottom = bounds(line.polygon)
    x, y = _MIDDLE * (right - left), _MIDDLE * (bottom - top)
    corners = [to_page((left + x, top + y)), to_page((right - x, bottom - y))]
    (ax, ay), (bx, by) = corners
    return bool(text.get_text_bounded(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)).strip())


def _page_coordinates(target: Any, page: Page) -> ToPage:
    """From pixels of the upright page to the page's coordinates, whatever its boxes and its /Rotate."""
    sideways = page.angle % 180 != 0
    width, height = (page.height, page.width) if sideways else (page.width, page.height)
    device = max(width, 1), max(height, 1)
    origin, right, down = (_device_to_page(target, device, at) for at in ((0, 0), (device[0], 0), (0, device[1])))

    def to_page(point: Point) -> Point:
        x, y = _as_decoded(point, page)
        u, v = x / device[0], y / device[1]
        return (
            origin[0] + u * (right[0] - origin[0]) + v * (down[0] - origin[0]),
            origin[1] + u * (right[1] - origin[1]) + v * (down[1] - origin[1]),
        )

    return to_page


def _device_to_page(target: Any, size: tuple[int, int], at: tuple[int, int]) -> Point:
    x, y = pdfium.c_double(), pdfium.c_double()
    if not pdfium.FPDF_DeviceToPage(target, 0, 0, *size, 0, *at, x, y):
        raise pypdfium2.PdfiumError("the page's coordinates cannot be converted")
    return x.value, y.value


def _as_decoded(point: Point, page: Page) -> Point:
    """Where a point of the upright page was before the page was turned by ``page.angle`` degrees clockwise."""
    x, y = point
    match page.angle % 360:
        case 90:
            return y, page.width - x
        case 180:
            return page.width - x, page.height - y
        case 270:
            return page.height - y, x
        case _:
            return x, y


def _from_pictures(document: Document, data: bytes, kind: Format, font: InvisibleFont, limits: Limits) -> bytes:
    with pdfium_lock():
        pdf = pypdfium2.PdfDocument.new()
    try:
        with pdfium_lock():
            layer = TextLayer(pdf, font)
        count = 0
        try:
            for picture in pictures(document, data, kind, limits):  # decoded outside of the lock
                with pdfium_lock():
                    _add_page(pdf, picture, layer)
                count += 1
        finally:
            with pdfium_lock():
                layer.close()
        if not count:
            raise InvalidRequest("no page of the document could be read, so that there is nothing to show as a PDF")
        with pdfium_lock():
            return _saved(pdf)
    finally:
        with pdfium_lock():
            pdf.close()


def _add_page(pdf: pypdfium2.PdfDocument, picture: Picture, layer: TextLayer) -> None:
    page = picture.page
    scale = min(_POINTS_PER_INCH / picture.dpi, _LARGEST_SIDE / max(page.width, page.height))
    width, height = (max(_LEAST_SIDE, side * scale) for side in (page.width, page.height))

    def to_page(point: Point) -> Point:
        return point[0] / page.width * width, height - point[1] / page.height * height

    target = pdf.new_page(width, height)
    try:
        image = _image(pdf, picture.content)
        image.set_matrix(_placed(picture, width, height))
        target.insert_obj(image)
        layer.write(target, page, to_page, is_free=lambda line: True)
        target.gen_content()
    finally:
        target.close()


def _image(pdf: pypdfium2.PdfDocument, content: bytes | Image.Image) -> Any:
    image = pypdfium2.PdfImage.new(pdf)
    if isinstance(content, bytes):
        image.load_jpeg(io.BytesIO(content), inline=True)
        return image
    bitmap = pypdfium2.PdfBitmap.from_pil(content)
    try:
        image.set_bitmap(bitmap)
    finally:
        bitmap.close()
    return image


_UPRIGHT: dict[int, Callable[[float, float], Point]] = {  # EXIF 2.32, 4.6.4: where a point as stored belongs
    1: lambda u, v: (u, v),
    2: lambda u, v: (1 - u, v),
    3: lambda u, v: (1 - u, 1 - v),
    4: lambda u, v: (u, 1 - v),
    5: lambda u, v: (v, u),
    6: lambda u, v: (1 - v, u),
    7: lambda u, v: (1 - v, 1 - u),
    8: lambda u, v: (v, 1 - u),
}
_TURNED: dict[int, Callable[[float, float], Point]] = {
    0: _UPRIGHT[1],
    90: _UPRIGHT[6],
    180: _UPRIGHT[3],
    270: _UPRIGHT[8],
}


def _placed(picture: Picture, width: float, height: float) -> pypdfium2.PdfMatrix:
    """The matrix that shows the picture upright and as large as the page (width and height in points)."""

    def place(u: float, v: float) -> Point:
        x, y = _TURNED[picture.page.angle % 360](*_UPRIGHT[picture.orientation](u, v))
        return x * width, (1 - y) * height

    # PDF draws a picture into the unit square, its last row at the bottom.
    origin, right, up = place(0, 1), place(1, 1), place(0, 0)
    return pypdfium2.PdfMatrix(
        right[0] - origin[0], right[1] - origin[1], up[0] - origin[0], up[1] - origin[1], *origin
    )


def _saved(pdf: pypdfium2.PdfDocument) -> bytes:
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()
