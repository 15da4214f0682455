"""What is printed or woven into paper under the text: guilloche patterns, tints, watermarks, fibres."""

from __future__ import annotations

import math
import random

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import Colour, Sheet

Box = tuple[float, float, float, float]

TINTS: tuple[Colour, ...] = (
    (255, 255, 255),
    (253, 252, 248),
    (250, 246, 236),
    (247, 250, 246),
    (244, 248, 252),
    (252, 243, 244),
    (248, 240, 222),
    (240, 246, 238),
)


def tint(rng: random.Random) -> Colour:
    """A colour of paper, white most often."""
    return TINTS[0] if rng.random() < 0.5 else rng.choice(TINTS)


def fibres(sheet: Sheet, rng: random.Random, strength: float = 1.0) -> None:
    """Paper that is not quite even: soft spots and a fine grain."""
    seed, amount = rng.getrandbits(32), rng.uniform(1.0, 4.0) * strength

    def paint(image: Image.Image, _: ImageDraw.ImageDraw) -> None:
        noise = np.random.default_rng(seed)
        coarse = noise.normal(0.0, amount, (max(2, image.height // 40), max(2, image.width // 40)))
        soft = Image.fromarray(coarse.astype(np.float32)).resize(image.size, Image.Resampling.BICUBIC)
        grain = np.asarray(soft) + noise.normal(0.0, amount * 0.7, (image.height, image.width))
        pixels = np.clip(np.asarray(image, dtype=np.float32) + grain[:, :, None], 0, 255).astype(np.uint8)
        image.paste(Image.fromarray(pixels))

    sheet.under.append(paint)


def guilloche(
    sheet: Sheet, rng: random.Random, colour: Colour, box: Box | None = None, lines: int | None = None
) -> None:
    """Fine interwoven waves over the page or a box, as on banknotes, tickets, licences and identity cards."""
    x0, y0, x1, y1 = box or (0.0, 0.0, float(sheet.width), float(sheet.height))
    count = lines or rng.randint(14, 36)
    length, second = rng.uniform(0.15, 0.6) * (x1 - x0), rng.uniform(0.05, 0.2) * (x1 - x0)
    swing, share = rng.uniform(0.6, 2.2) * (y1 - y0) / count, rng.uniform(0.2, 0.8)
    phase = rng.uniform(0.2, 1.2)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        steps = np.linspace(x0, x1, max(16, int((x1 - x0) / 7)))
        for number in range(count):
            middle = y0 + (number + 0.5) * (y1 - y0) / count
            wave = np.sin(2 * math.pi * steps / length + number * phase)
            wave = wave + share * np.sin(2 * math.pi * steps / second - number * phase * 1.7)
            heights = np.clip(middle + swing * wave, y0, y1)
            canvas.line(list(zip(steps.tolist(), heights.tolist(), strict=True)), fill=colour, width=1)

    sheet.under.append(paint)


def rosette(sheet: Sheet, rng: random.Random, colour: Colour, x: float, y: float, radius: float) -> None:
    """A rosette of turning curves (an epitrochoid)."""
    petals, depth, turns = rng.randint(5, 14), rng.uniform(0.25, 0.6), rng.randint(3, 7)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        for turn in range(turns):
            angles = np.linspace(0, 2 * math.pi, 50 * petals)
            reach = radius * (1 - depth / 2 + depth / 2 * np.cos(petals * angles + turn * 2 * math.pi / turns))
            points = zip((x + reach * np.cos(angles)).tolist(), (y + reach * np.sin(angles)).tolist(), strict=True)
            canvas.line(list(points), fill=colour, width=1)

    sheet.under.append(paint)


def watermark(
    sheet: Sheet, rng: random.Random, text: str, font: Font, size: int, colour: Colour = (232, 232, 232)
) -> None:
    """A text in pale letters all over the page, aslant; or once and large, where it is short."""
    angle = rng.choice((30.0, 45.0, -30.0, 20.0, 35.0))
    once = rng.random() < 0.35
    stretch = rng.uniform(1.6, 3.0)

    def paint(image: Image.Image, _: ImageDraw.ImageDraw) -> None:
        print_size = round(size * (2.2 if once else 1.0))
        width = math.ceil(font.length(text, print_size)) + print_size
        tile = Image.new("RGB", (width, 2 * print_size), (255, 255, 255))
        font.draw(ImageDraw.Draw(tile), print_size / 2, 1.4 * print_size, text, print_size, colour)
        turned = tile.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=(255, 255, 255))
        layer = Image.new("RGB", image.size, (255, 255, 255))
        if once:
            layer.paste(turned, ((image.width - turned.width) // 2, (image.height - turned.height) // 2))
        else:
            step = max(1, round(turned.height * stretch / 2))
            for row, top in enumerate(range(-turned.height // 2, image.height, step)):
                shift = (row % 2) * turned.width // 2
                for left in range(-shift, image.width, max(1, round(turned.width * stretch / 1.6))):
                    layer.paste(turned, (left, top))
        image.paste(ImageChops.multiply(image, layer))

    sheet.under.append(paint)


def frame_pattern(sheet: Sheet, rng: random.Random, colour: Colour, box: Box, depth: float) -> None:
    """An ornamental frame: loops along all four edges between two lines."""
    x0, y0, x1, y1 = box
    loops = rng.uniform(0.8, 1.6)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        canvas.rectangle(box, outline=colour, width=max(1, round(depth / 6)))
        inner = (x0 + depth, y0 + depth, x1 - depth, y1 - depth)
        canvas.rectangle(inner, outline=colour, width=max(1, round(depth / 10)))
        for ax, ay, bx, by in (
            (x0, y0 + depth / 2, x1, y0 + depth / 2),
            (x0, y1 - depth / 2, x1, y1 - depth / 2),
            (x0 + depth / 2, y0, x0 + depth / 2, y1),
            (x1 - depth / 2, y0, x1 - depth / 2, y1),
        ):
            length = max(abs(bx - ax), abs(by - ay))
            angles = np.linspace(0, 2 * math.pi * length / (depth * loops), max(8, int(length * 2)))
            along = np.linspace(0, 1, len(angles))
            xs = ax + (bx - ax) * along + depth * 0.35 * np.cos(angles)
            ys = ay + (by - ay) * along + depth * 0.35 * np.sin(angles)
            canvas.line(list(zip(xs.tolist(), ys.tolist(), strict=True)), fill=colour, width=1)

    sheet.under.append(paint)
