"""Seals in red ink: round ones of companies and offices with a star, oval ones on invoices, squares of signatures."""

from __future__ import annotations

import math
import random

from PIL import Image, ImageChops, ImageDraw

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import Colour, Sheet

RED: Colour = (206, 42, 46)
_FINE = 2  # seals are drawn so many times larger and then shrunk, for smooth edges


def round_seal(
    sheet: Sheet,
    x: float,
    y: float,
    radius: float,
    name: str,
    font: Font,
    rng: random.Random,
    *,
    below: str = "",
    star: bool = True,
    colour: Colour = RED,
) -> None:
    """Stamp a round seal over the page: the name on a circle, a star in the middle, ``below`` straight under it.

    Its text is not among the page's lines: no one reads a field from a seal.
    """
    angle, density, seed = rng.gauss(0.0, 12.0), rng.uniform(0.55, 0.95), rng.getrandbits(32)

    def paint(image: Image.Image, _: ImageDraw.ImageDraw) -> None:
        size = round(radius * _FINE)
        mask, canvas = _blank(size, size)
        _ring(canvas, size, size, max(2, round(size * 0.055)))
        _circular(mask, name, font, size * 0.72, size * 0.72, round(size * _print(name, 0.27)), size, size, 250.0)
        if star:
            canvas.polygon(_star(size, size, size * 0.27), fill=255)
        if below:
            height = round(size * 0.19)
            start = size - font.length(below, height) / 2
            font.draw(canvas, start, size * 1.62, below, height, 255)
        _stamp(image, mask.rotate(angle, Image.Resampling.BICUBIC), x, y, colour, density, seed)

    sheet.over.append(paint)


def oval_seal(
    sheet: Sheet,
    x: float,
    y: float,
    half_width: float,
    name: str,
    middle: str,
    font: Font,
    rng: random.Random,
    *,
    below: str = "发票专用章",
    colour: Colour = RED,
) -> None:
    """Stamp the oval seal of an invoice: the name on the upper arc, a tax number in the middle, ``below`` under it."""
    angle, density, seed = rng.gauss(0.0, 6.0), rng.uniform(0.55, 0.95), rng.getrandbits(32)

    def paint(image: Image.Image, _: ImageDraw.ImageDraw) -> None:
        wide = round(half_width * _FINE)
        high = round(wide * 0.74)
        mask, canvas = _blank(wide, high)
        _ring(canvas, wide, high, max(2, round(wide * 0.04)))
        _circular(mask, name, font, wide * 0.77, high * 0.74, round(wide * _print(name, 0.19)), wide, high, 230.0)
        for text, size, where in ((middle, 0.125, 1.07), (below, 0.145, 1.62)):
            if text:
                height = round(wide * size)
                font.draw(canvas, wide - font.length(text, height) / 2, high * where, text, height, 255)
        _stamp(image, mask.rotate(angle, Image.Resampling.BICUBIC), x, y, colour, density, seed)

    sheet.over.append(paint)


def square_seal(
    sheet: Sheet, x: float, y: float, side: float, name: str, font: Font, rng: random.Random, colour: Colour = RED
) -> None:
    """Stamp the square seal of a person's name (two to four characters, in columns from the right)."""
    angle, density, seed = rng.gauss(0.0, 4.0), rng.uniform(0.6, 0.95), rng.getrandbits(32)
    text = (name + "印之印")[:4] if len(name) < 4 else name[:4]

    def paint(image: Image.Image, _: ImageDraw.ImageDraw) -> None:
        half = round(side / 2 * _FINE)
        mask, canvas = _blank(half, half)
        edge = max(2, half // 12)
        canvas.rectangle((edge, edge, 2 * half - edge, 2 * half - edge), outline=255, width=edge)
        size = round(half * 0.78)
        for number, char in enumerate(text):
            left = half * (1.02 if number < 2 else 0.2)
            font.draw(canvas, left, half * (0.92 + 0.78 * (number % 2)), char, size, 255)
        _stamp(image, mask.rotate(angle, Image.Resampling.BICUBIC), x, y, colour, density, seed)

    sheet.over.append(paint)


def _print(name: str, largest: float) -> float:
    """The size of the print on a circle: long names are printed smaller."""
    return min(largest, 3.1 / max(len(name), 1))


def _blank(half_width: int, half_height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    mask = Image.new("L", (2 * half_width, 2 * half_height), 0)
    return mask, ImageDraw.Draw(mask)


def _ring(canvas: ImageDraw.ImageDraw, half_width: int, half_height: int, width: int) -> None:
    canvas.ellipse((width, width, 2 * half_width - width, 2 * half_height - width), outline=255, width=width)


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """A star of five points."""
    points = []
    for corner in range(10):
        reach = radius if corner % 2 == 0 else radius * 0.382
        angle = math.pi * corner / 5 - math.pi / 2
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return points


def _circular(
    mask: Image.Image, text: str, font: Font, across: float, down: float, size: int, x: float, y: float, most: float
) -> None:
    """Write a text on the upper arc of an ellipse, its feet towards the middle; ``most`` degrees at most."""
    if not text or size < 4:
        return
    step = min(most / max(len(text) - 1, 1), 34.0)
    for number, char in enumerate(text):
        angle = math.radians(-90 + (number - (len(text) - 1) / 2) * step)
        tile = Image.new("L", (2 * size, 2 * size), 0)
        canvas = ImageDraw.Draw(tile)
        font.draw(canvas, size - font.length(char, size) / 2, size * 1.36, char, size, 255)
        outward = math.degrees(math.atan2(math.sin(angle) / down, math.cos(angle) / across))
        turned = tile.rotate(-(outward + 90), Image.Resampling.BICUBIC)
        place = (round(x + across * math.cos(angle) - size), round(y + down * math.sin(angle) - size))
        mask.paste(255, (*place, place[0] + 2 * size, place[1] + 2 * size), turned)


def _stamp(
    image: Image.Image, mask: Image.Image, x: float, y: float, colour: Colour, density: float, seed: int
) -> None:
    """Multiply the ink into the page, uneven as stamps are; print under the ink stays visible."""
    small = mask.resize((mask.width // _FINE, mask.height // _FINE), Image.Resampling.LANCZOS)
    noise = random.Random(seed)
    coarse = Image.new("L", (12, 12))
    coarse.putdata([round(255 * density * noise.uniform(0.6, 1.0)) for _ in range(144)])
    ink = ImageChops.multiply(small, coarse.resize(small.size, Image.Resampling.BICUBIC))
    left, top = round(x - small.width / 2), round(y - small.height / 2)
    box = (left, top, left + small.width, top + small.height)
    below = image.crop(box)
    stamped = ImageChops.multiply(below, Image.new("RGB", small.size, colour))
    image.paste(Image.composite(stamped, below, ink), box)
