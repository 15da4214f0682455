"""What stands on a page beside its text: stamps, emblems, portraits, matrix codes, waves in the background."""

from __future__ import annotations

import random
from math import sin

from PIL import Image, ImageDraw

from models.layout_ner.synth.sheet import INK, Colour, Sheet


def seal(sheet: Sheet, x: float, y: float, radius: float, colour: Colour = (205, 40, 40)) -> None:
    """A round stamp without text, drawn over the page: a ring and a star."""

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        canvas.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour, width=max(2, int(radius / 16)))
        canvas.regular_polygon((x, y, radius / 4), 3, fill=colour)
        canvas.regular_polygon((x, y, radius / 4), 3, rotation=60, fill=colour)

    sheet.over.append(paint)


def portrait(sheet: Sheet, x: float, y: float, width: float, height: float, rng: random.Random) -> None:
    """A photograph of nobody: shapes only."""
    shade = rng.randint(90, 150)
    back = (rng.randint(190, 240),) * 3

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        canvas.rectangle((x, y, x + width, y + height), fill=back)
        canvas.ellipse(
            (x + 0.28 * width, y + 0.14 * height, x + 0.72 * width, y + 0.6 * height),
            fill=(shade + 60, shade + 40, shade + 20),
        )
        canvas.pieslice(
            (x + 0.05 * width, y + 0.62 * height, x + 0.95 * width, y + 1.38 * height),
            180,
            360,
            fill=(shade - 40, shade - 40, shade - 20),
        )

    sheet.under.append(paint)


def emblem(sheet: Sheet, x: float, y: float, radius: float, colour: Colour = (200, 40, 30)) -> None:
    """A round emblem in the manner of a coat of arms: discs only."""

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        canvas.ellipse(
            (x - radius, y - radius, x + radius, y + radius),
            fill=colour,
            outline=(200, 160, 40),
            width=max(2, int(radius / 8)),
        )
        canvas.regular_polygon((x, y - radius / 6, radius / 3), 5, fill=(235, 200, 80))

    sheet.under.append(paint)


def squares(sheet: Sheet, x: float, y: float, side: float, rng: random.Random) -> None:
    """A matrix code that says nothing."""
    cells = 21
    step = side / cells
    dark = [(column, line) for column in range(cells) for line in range(cells) if rng.random() < 0.5]

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        for column, line in dark:
            canvas.rectangle(
                (x + column * step, y + line * step, x + (column + 1) * step, y + (line + 1) * step), fill=INK
            )
        for left, top in ((0, 0), (cells - 7, 0), (0, cells - 7)):
            for inset, fill in ((0, INK), (1, (255, 255, 255)), (2, INK)):
                canvas.rectangle(
                    (
                        x + (left + inset) * step,
                        y + (top + inset) * step,
                        x + (left + 7 - inset) * step,
                        y + (top + 7 - inset) * step,
                    ),
                    fill=fill,
                )

    sheet.under.append(paint)


def washed(sheet: Sheet, rng: random.Random, colour: Colour) -> None:
    """Fine waves in the background, as on certificates."""
    phase, step = rng.uniform(0, 6), rng.randint(14, 30)

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        for top in range(0, sheet.height, step):
            points = [(x, top + 8 * sin(x / 40 + phase + top / 60)) for x in range(0, sheet.width + 20, 20)]
            canvas.line(points, fill=colour, width=1)

    sheet.under.append(paint)
