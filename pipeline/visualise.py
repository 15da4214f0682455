"""Pictures of a result: the page with numbered polygons and named fields, and beside it the text where it was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from pipeline import fonts
from pipeline.field_overlay import COLOUR, draw_marks, marks
from pipeline.text_panel import draw_texts
from schemas.document import Document, Line, Page, Polygon
from schemas.fields import Field
from stages.page_image import PageImage

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
Fields = Mapping[str, Field | list[Field]]

_SURE: Colour = (20, 128, 74)
_FAIR: Colour = (214, 122, 0)
_UNSURE: Colour = (198, 40, 40)
_TINT = 38  # of 255
_JPEG_QUALITY = 85

_FROM_SURE, _FROM_FAIR = 0.9, 0.7
_INK: Colour = (27, 32, 38)
_LEGEND = (
    (_SURE, f"sure, from {_FROM_SURE}"),
    (_FAIR, f"fair, from {_FROM_FAIR}"),
    (_UNSURE, f"unsure, below {_FROM_FAIR}"),
)


def draw(
    pixels: Pixels, page: Page, *, fields: Fields | None = None, panel: bool = False, legend: bool = False
) -> Pixels:
    """Draw what was read over the page.

    Args:
        pixels: the upright page, (H, W, 3) uint8 BGR; it is left as it is.
        page: the result. Polygons are scaled if the picture is of another size than the page.
        fields: the document's fields; those on this page are outlined in blue, with their names.
        panel: put a second picture to the right, the texts on white where they were read.
        legend: add a strip below that says what the colours mean, if the picture is wide enough.

    Returns:
        (H, W, 3) uint8 BGR, twice as wide with ``panel``. Outlines are green from a confidence of 0.9, orange
        from 0.7, red below; the numbers are positions in ``page.lines``, from 1.
    """
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]), "RGB")
    scale = (picture.width / max(page.width, 1), picture.height / max(page.height, 1))
    shapes = [_scaled(line.polygon, scale) for line in page.lines]
    sides = [_outlines(picture, page.lines, shapes)]
    named = marks(fields or {}, page.page)
    draw_marks(picture, named, scale)
    if panel:
        sides.append(_texts(picture.size, page.lines, shapes))
    drawn = np.concatenate([np.asarray(side) for side in sides], axis=1)
    strip = _legend(drawn.shape[1], max(11, round(max(picture.size) / 80)), bool(named)) if legend else None
    if strip is not None:
        drawn = np.concatenate([drawn, np.asarray(strip)])
    return np.ascontiguousarray(drawn[..., ::-1])


def write_pictures(
    document: Document, pages: Iterable[PageImage], folder: Path, *, name: str | None = None, panel: bool = True
) -> list[Path]:
    """Write one JPEG a page, ``NAME.jpg`` or, for documents with several pages, ``NAME.page-2.jpg``.

    Args:
        document: the result.
        pages: the decoded pages in any order; pages without a result are passed over. One that has not been
            turned upright yet is turned by the result's angle.
        folder: where to; it is made if need be.
        name: NAME; the document's file name without its suffix if None.
        panel: as in :func:`draw`.

    Returns:
        The files written.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = name if name is not None else Path(document.file).stem or "document"
    results = {page.page: page for page in document.pages}
    written = []
    for image in pages:
        page = results.get(image.number)
        if page is None:
            continue
        pixels = upright(image.pixels, page.angle - image.angle)
        picture = draw(pixels, page, fields=document.fields, panel=panel, legend=True)
        path = folder / (f"{stem}.jpg" if len(results) == 1 else f"{stem}.page-{image.number}.jpg")
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
        path.write_bytes(encoded.tobytes())
        written.append(path)
    return written


def upright(pixels: Pixels, angle: int) -> Pixels:
    """Turn a page clockwise by a multiple of 90 degrees."""
    return np.ascontiguousarray(np.rot90(pixels, -(angle // 90) % 4))


def confidence_colour(confidence: float) -> Colour:
    """RGB: green from 0.9, orange from 0.7, red below (and for what is no number)."""
    if confidence >= _FROM_SURE:
        return _SURE
    return _FAIR if confidence >= _FROM_FAIR else _UNSURE


def _outlines(picture: Image.Image, lines: list[Line], shapes: list[Polygon]) -> Image.Image:
    layer = ImageDraw.Draw(picture, "RGBA")
    side = max(picture.size)
    width = max(1, round(side / 900))
    font = fonts.usual(max(9, round(side / 110)))
    for line, shape in zip(lines, shapes, strict=True):
        layer.polygon(shape, fill=(*confidence_colour(line.confidence), _TINT))
        layer.line([*shape, shape[0]], fill=confidence_colour(line.confidence), width=width, joint="curve")
    for number, (line, shape) in enumerate(zip(lines, shapes, strict=True), 1):  # last, so that no line hides them
        x, y = shape[0]
        left, top, right, bottom = layer.textbbox((0, 0), str(number), font=font)
        box_width, box_height = right - left + 4, bottom - top + 4
        x = min(max(0.0, x - box_width), max(0.0, picture.width - box_width))
        y = min(max(0.0, y), max(0.0, picture.height - box_height))
        layer.rectangle((x, y, x + box_width, y + box_height), fill=(*confidence_colour(line.confidence), 215))
        layer.text((x + 2 - left, y + 2 - top), str(number), font=font, fill=(255, 255, 255))
    return picture


def _texts(size: tuple[int, int], lines: list[Line], shapes: list[Polygon]) -> Image.Image:
    colours = [confidence_colour(line.confidence) for line in lines]
    inks = [_INK if colour == _SURE else colour for colour in colours]
    return draw_texts(size, [line.text for line in lines], shapes, inks)


def _legend(width: int, size: int, with_fields: bool) -> Image.Image | None:
    """What the colours mean, on a strip as wide as the picture; None if it does not fit."""
    font = fonts.usual(size)
    gap = size // 2
    strip = Image.new("RGB", (width, 2 * size), (255, 255, 255))
    layer = ImageDraw.Draw(strip)
    x = float(gap)
    for colour, words in (*_LEGEND, *([(COLOUR, "field")] if with_fields else [])):
        layer.rectangle((x, gap, x + size, gap + size), fill=colour)
        layer.text((x + 1.5 * size, size), words, font=font, fill=_INK, anchor="lm")
        x += 1.5 * size + font.getlength(words) + 2 * gap
    return strip if x <= width else None


def _scaled(polygon: Polygon, scale: tuple[float, float]) -> Polygon:
    a, b, c, d = ((x * scale[0], y * scale[1]) for x, y in polygon)
    return a, b, c, d
