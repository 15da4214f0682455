"""Pictures of a result: the page with numbered polygons, and beside it the text where it was read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from schemas.document import Document, Line, Page, Polygon
from stages.page_image import PageImage

Pixels = npt.NDArray[np.uint8]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Colour = tuple[int, int, int]

_SURE: Colour = (20, 128, 74)
_FAIR: Colour = (214, 122, 0)
_UNSURE: Colour = (198, 40, 40)
_TINT = 38  # of 255
_JPEG_QUALITY = 85

_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_FONT_NAMES = (  # fonts with Chinese characters, then such with Latin ones
    "notosanscjk",
    "notosanssc",
    "sourcehansans",
    "wqy-zenhei",
    "wqy-microhei",
    "droidsansfallback",
    "pingfang",
    "msyh",
    "simhei",
    "dejavusans.",
    "liberationsans-regular",
    "arial.",
)


def draw(pixels: Pixels, page: Page, *, panel: bool = False) -> Pixels:
    """Draw what was read over the page.

    Args:
        pixels: the upright page, (H, W, 3) uint8 BGR; it is left as it is.
        page: the result. Polygons are scaled if the picture is of another size than the page.
        panel: put a second picture to the right, the texts on white where they were read.

    Returns:
        (H, W, 3) uint8 BGR, twice as wide with ``panel``. Outlines are green from a confidence of 0.9, orange
        from 0.7, red below; the numbers are positions in ``page.lines``, from 1.
    """
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]), "RGB")
    scale = (picture.width / max(page.width, 1), picture.height / max(page.height, 1))
    shapes = [_scaled(line.polygon, scale) for line in page.lines]
    sides = [_outlines(picture, page.lines, shapes)]
    if panel:
        sides.append(_texts(picture.size, page.lines, shapes))
    return np.ascontiguousarray(np.concatenate([np.asarray(side) for side in sides], axis=1)[..., ::-1])


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
        picture = draw(upright(image.pixels, page.angle - image.angle), page, panel=panel)
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
    if confidence >= 0.9:
        return _SURE
    return _FAIR if confidence >= 0.7 else _UNSURE


@lru_cache(maxsize=1)
def font_file() -> Path | None:
    """The best font of this machine for mixed Chinese and Latin text; None leaves Pillow's own, Latin only."""
    found: dict[str, Path] = {}
    for folder in _FONT_FOLDERS:
        for parent, _, names in os.walk(Path(folder).expanduser()):
            for file in names:
                if file.lower().endswith((".ttf", ".ttc", ".otf")):
                    found.setdefault(file.lower(), Path(parent) / file)
    for wanted in _FONT_NAMES:
        for file in sorted(found):
            if file.startswith(wanted):
                return found[file]
    return None


@lru_cache(maxsize=64)
def _font(size: int) -> Font:
    path = font_file()
    if path is not None:
        try:
            return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
        except OSError:  # a damaged font must not cost the picture
            pass
    return ImageFont.load_default(size)


def _outlines(picture: Image.Image, lines: list[Line], shapes: list[Polygon]) -> Image.Image:
    layer = ImageDraw.Draw(picture, "RGBA")
    side = max(picture.size)
    width = max(1, round(side / 900))
    font = _font(max(9, round(side / 110)))
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
    side = Image.new("RGB", size, (255, 255, 255))
    layer = ImageDraw.Draw(side)
    layer.line((0, 0, 0, size[1]), fill=(200, 204, 210))
    for line, shape in zip(lines, shapes, strict=True):
        layer.polygon(shape, outline=(224, 228, 234))
        text = "".join(char if char.isprintable() else " " for char in line.text).strip()  # fonts choke on the rest
        if not text:
            continue
        (x0, y0), (x1, y1), _, (x3, y3) = shape
        length, height = max(1.0, np.hypot(x1 - x0, y1 - y0)), max(1.0, np.hypot(x3 - x0, y3 - y0))
        layer.text(
            ((x0 + x3) / 2, (y0 + y3) / 2),
            text,
            font=_fitting(text, length, height),
            fill=(27, 32, 38) if confidence_colour(line.confidence) == _SURE else confidence_colour(line.confidence),
            anchor="lm",
        )
    return side


def _fitting(text: str, length: float, height: float) -> Font:
    """The largest font with which the text fits into its box, as text grows with the size nearly in proportion."""
    size = max(6, min(200, round(height * 0.8)))
    needed = _font(size).getlength(text)
    return _font(size) if needed <= length else _font(max(6, int(size * length / needed)))


def _scaled(polygon: Polygon, scale: tuple[float, float]) -> Polygon:
    a, b, c, d = ((x * scale[0], y * scale[1]) for x, y in polygon)
    return a, b, c, d
