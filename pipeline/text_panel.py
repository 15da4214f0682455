"""The right half of a picture: each text drawn along its box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from pipeline import fonts
from schemas.document import Polygon

Colour = tuple[int, int, int]

SIZE_OF_HEIGHT = 0.72
"""Font size over the height of a box, which detection leaves some air around the letters."""

_ALIKE = 1.35  # heights that differ by no more than this may be drawn at one size,
_GAP = 1.12  # unless there is such a gap between them
_SMALLEST, _LARGEST = 6, 160
_NARROWEST = 0.75  # letters are narrowed no further than this; then they get smaller
_FINER = 2  # texts are drawn so many times larger before they are turned
_CAPITALS = 0.36  # half the height of a capital letter, over the font size


def font_sizes(heights: Sequence[float]) -> list[int]:
    """A font size in pixels for each box: one for all whose heights are about alike, whatever their texts.

    Boxes of one size of print differ in height, since letters with and without strokes below the line do.
    """
    sizes = [0] * len(heights)
    for group in _alike(sorted(range(len(heights)), key=lambda i: heights[i]), heights):
        size = round(heights[group[len(group) // 2]] * SIZE_OF_HEIGHT)
        for i in group:
            sizes[i] = max(_SMALLEST, min(_LARGEST, size))
    return sizes


def _alike(order: list[int], heights: Sequence[float]) -> list[list[int]]:
    """Split boxes in the order of their heights at the widest gaps until those left together are alike."""
    groups, todo = [], [order] if order else []
    while todo:
        group = todo.pop()
        gaps = [heights[b] / heights[a] for a, b in pairwise(group)]
        widest = max(range(len(gaps)), key=gaps.__getitem__, default=0)
        if gaps and (gaps[widest] > _GAP or heights[group[-1]] > _ALIKE * heights[group[0]]):
            todo += [group[: widest + 1], group[widest + 1 :]]
        else:
            groups.append(group)
    return groups


def draw_texts(
    size: tuple[int, int], texts: Sequence[str], shapes: Sequence[Polygon], colours: Sequence[Colour]
) -> Image.Image:
    """A white picture of ``size`` (width, height) with every text in its box, turned as the box is."""
    side = Image.new("RGB", size, (255, 255, 255))
    layer = ImageDraw.Draw(side)
    layer.line((0, 0, 0, size[1]), fill=(200, 204, 210))
    for shape in shapes:
        layer.polygon(shape, outline=(224, 228, 234))
    pixels = np.array(side)
    sizes = font_sizes([_extent(shape)[1] for shape in shapes])
    for text, shape, colour, font_size in zip(texts, shapes, colours, sizes, strict=True):
        # what cannot be printed fonts choke on
        clean = "".join(char if char.isprintable() else " " for char in text).strip()
        if clean:
            _along(pixels, clean, shape, colour, font_size)
    return Image.fromarray(pixels, "RGB")


def _along(pixels: npt.NDArray[np.uint8], text: str, shape: Polygon, colour: Colour, font_size: int) -> None:
    """Draw one text from the left edge of its box to the right, in the middle of its height."""
    length, height = _extent(shape)
    font_size = min(font_size, max(_SMALLEST, round(height)))
    mask = _mask(text, font_size * _FINER)
    narrowed = length * _FINER / mask.shape[1]
    if narrowed < _NARROWEST:
        font_size = max(_SMALLEST, int(font_size * narrowed / _NARROWEST))
        mask = _mask(text, font_size * _FINER)
        narrowed = length * _FINER / mask.shape[1]
    (x0, y0), (x1, y1), _, (x3, y3) = shape
    width = mask.shape[1] * min(1.0, narrowed) / _FINER
    along = np.array([x1 - x0, y1 - y0]) / length
    # Across is taken from along, not from the box: a slanted box must not slant the letters.
    across = np.array([-along[1], along[0]]) * (mask.shape[0] / _FINER)
    start = np.array([(x0 + x3) / 2, (y0 + y3) / 2]) - across / 2
    corners = np.array([start, start + along * width, start + across])
    low = np.maximum(np.floor(np.minimum(corners.min(0), corners[1] + across)).astype(int) - 1, 0)
    high = np.minimum(
        np.ceil(np.maximum(corners.max(0), corners[1] + across)).astype(int) + 2, [pixels.shape[1], pixels.shape[0]]
    )
    if (high <= low).any():
        return
    source = np.array([[0, 0], [mask.shape[1], 0], [0, mask.shape[0]]], np.float32)
    target = ((corners - low) * _FINER).astype(np.float32)
    span = high - low
    turned = cv2.warpAffine(
        mask, cv2.getAffineTransform(source, target), (int(span[0]) * _FINER, int(span[1]) * _FINER),
        flags=cv2.INTER_LINEAR,
    )  # fmt: skip
    cover = cv2.resize(turned, (int(span[0]), int(span[1])), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    region = pixels[low[1] : high[1], low[0] : high[0]]
    region[:] = np.rint(region * (1 - cover) + np.array(colour) * cover).astype(np.uint8)


def _mask(text: str, size: int) -> npt.NDArray[np.uint8]:
    """A text in white on black, (H, W) uint8; the middle of its capitals is the middle of the picture."""
    pieces = list(fonts.runs(text, size))
    ends = np.cumsum([0.0, *(font.getlength(piece) for piece, font in pieces)])
    height = 2 * size
    image = Image.new("L", (max(1, math.ceil(ends[-1])), height))
    layer = ImageDraw.Draw(image)
    for (piece, font), left in zip(pieces, ends[:-1], strict=True):
        layer.text((left, height / 2 + _CAPITALS * size), piece, font=font, fill=255, anchor="ls")
    return np.asarray(image, np.uint8)


def _extent(shape: Polygon) -> tuple[float, float]:
    """Length and height of a box in pixels, at least 1."""
    a, b, _, d = shape
    return max(1.0, math.dist(a, b)), max(1.0, math.dist(a, d))
