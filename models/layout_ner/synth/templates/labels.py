"""How labels stand to their values: beside or above, in one run or two, in cells; shared by forms and certificates."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from math import sin

from PIL import Image, ImageDraw

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet

INKS: tuple[Colour, ...] = (INK, (10, 10, 12), (60, 60, 66), (24, 32, 70), (30, 40, 110), (70, 40, 30))
CHINESE_FONTS = ("song", "hei", "kai")
LATIN_FONTS = ("sans", "serif", "mono")


@dataclass(slots=True)
class Style:
    """A document's manner of writing labels and values. Sizes in pixels, ``gap`` and ``leading`` in sizes.

    ``joined``: label and value are one run (written with one font); else they stand apart by ``gap``.
    """

    label_font: Font
    value_font: Font
    label_size: int
    size: int
    separator: str = "："
    joined: bool = False
    gap: float = 1.2
    leading: float = 1.5
    label_colour: Colour = INK
    colour: Colour = INK

    def label(self, text: str) -> str:
        """A label with this document's separator, unless it ends in a mark of its own."""
        return text if not text or text[-1] in ":：?？" else text + self.separator

    @property
    def pitch(self) -> float:
        """From one baseline to the next, in pixels."""
        return self.leading * max(self.size, self.label_size)


def style(
    rng: random.Random,
    palette: Palette,
    size: int,
    *,
    fonts: Sequence[str] = CHINESE_FONTS,
    separators: Sequence[str] = ("：", "：", ":", ": ", ""),
    joined: float = 0.4,
) -> Style:
    """A random manner of writing; with different fonts for labels and values in one document of three."""
    label_font = getattr(palette, rng.choice(fonts))
    joint = rng.random() < joined
    value_font = label_font if joint or rng.random() < 0.65 else getattr(palette, rng.choice(fonts))
    colour = rng.choice(INKS) if rng.random() < 0.4 else INK
    label_size = size if joint or rng.random() < 0.7 else max(9, round(size * rng.uniform(0.8, 1.05)))
    return Style(
        label_font,
        value_font,
        label_size,
        size,
        separator=rng.choice(separators),
        joined=joint,
        gap=rng.uniform(1.0, 2.2),
        leading=rng.uniform(1.4, 2.1),
        label_colour=colour if joint or rng.random() < 0.5 else rng.choice(INKS),
        colour=colour,
    )


def maybe(rng: random.Random, chance: float) -> bool:
    """True with this chance."""
    return rng.random() < chance


def spread(rng: random.Random, label: str, chance: float = 0.5, most: int = 4) -> str:
    """A Chinese label with spaces between its characters, as they are set to a common width."""
    if len(label) > most or rng.random() > chance:
        return label
    return (" " * rng.randint(1, 3 if len(label) > 2 else 6)).join(label)


def shrink(font: Font, text: str, size: int, width: float, least: int = 8) -> int:
    """The largest size, at most ``size`` and at least ``least``, at which the text fits into ``width`` pixels."""
    length = font.length(text, size)
    return size if length <= width else max(least, int(size * width / length))


Value = str | Part | Sequence[Part]


def parts_of(content: Value) -> tuple[Part, ...]:
    """Content as parts."""
    return (Part(content),) if isinstance(content, str) else (content,) if isinstance(content, Part) else tuple(content)


def text_of(content: Value) -> str:
    """Content's characters."""
    return "".join(part.text for part in parts_of(content))


def broken(font: Font, content: Value, size: int, width: float, first: float | None = None) -> list[tuple[Part, ...]]:
    """Break parts that follow one another into lines of ``width`` pixels, the first one of ``first``."""
    parts = parts_of(content)
    first = width if first is None else first
    if font.length(text_of(parts), size) <= first:
        return [parts]
    lines: list[tuple[Part, ...]] = []
    current: tuple[Part, ...] = ()
    room = first
    for part in parts:
        pieces = font.broken(part.text, size, room, width)
        for number, piece in enumerate(pieces):
            if number:
                lines.append(current)
                current, room = (), width
            tail = part.text[-1:] if number == len(pieces) - 1 and part.text[-1:] == " " else ""
            current = (*current, Part(piece + tail, part.key))
            room -= font.length(piece + tail, size)
        room = max(room, 0.0)
    lines.append(current)
    return lines


def lay(
    sheet: Sheet,
    x: float,
    y: float,
    content: Value,
    font: Font,
    size: int,
    *,
    width: float,
    colour: Colour = INK,
    leading: float = 1.35,
) -> float:
    """Write parts broken to ``width`` pixels; returns the baseline of the last line."""
    for number, parts in enumerate(broken(font, content, size, width)):
        y += leading * size if number else 0.0
        sheet.text(x, y, parts, font, size, colour=colour)
    return y


def beside(
    sheet: Sheet,
    x: float,
    y: float,
    label: str | Part,
    value: Value,
    style: Style,
    *,
    width: float,
    column: float | None = None,
) -> float:
    """Write a label and, right of it, its value, wrapped to ``width`` pixels counted from ``x``.

    ``column`` is where values begin, from ``x`` in pixels.

    Returns:
        The baseline for what comes next.
    """
    head = label if isinstance(label, Part) else Part(label)
    head = Part(style.label(head.text), head.key)
    body = parts_of(value)
    if style.joined:
        return _joined(sheet, x, y, head, body, style, width)
    size = style.label_size
    start = style.label_font.length(head.text, size) + style.gap * style.size
    if column is not None:
        if start - 0.6 * style.gap * style.size > column:  # too long for its column: set in a smaller size
            size = shrink(style.label_font, head.text, size, column - 0.5 * style.size)
        start = max(column, style.label_font.length(head.text, size) + 0.5 * style.size)
    elif start > 0.75 * width:
        size = shrink(style.label_font, head.text, size, width)
        start = style.label_font.length(head.text, size) + style.gap * style.size
    sheet.text(x, y, head, style.label_font, size, colour=style.label_colour)
    if not text_of(body).strip():
        return y + style.pitch
    if width - start < min(6 * style.size, style.value_font.length(text_of(body), style.size)):
        y += 1.4 * max(style.size, style.label_size)  # no room at the right: under it
        y = lay(
            sheet, x + style.size, y, body, style.value_font, style.size, width=width - style.size, colour=style.colour
        )
    else:
        y = lay(sheet, x + start, y, body, style.value_font, style.size, width=width - start, colour=style.colour)
    return y + style.pitch


def _joined(sheet: Sheet, x: float, y: float, head: Part, body: tuple[Part, ...], style: Style, width: float) -> float:
    """Label and value as one run; what does not fit on its line goes on under the value, or under a long label."""
    font, size = style.value_font, shrink(style.value_font, head.text, style.size, 0.7 * width)
    if head.text and text_of(body) and head.text[-1] not in "： " and not _ideographs(head.text, text_of(body)):
        head = Part(head.text + " ", head.key)
    indent = font.length(head.text, size)
    hanging = indent if indent < 0.4 * width else 0.0
    for number, parts in enumerate(broken(font, body, size, width - hanging, width - indent)):
        if number == 0:
            sheet.text(x, y, (head, *parts), font, size, colour=style.colour)
            continue
        y += 1.35 * size
        sheet.text(x + hanging, y, parts, font, size, colour=style.colour)
    return y + style.pitch


def _ideographs(label: str, value: str) -> bool:
    return "\u2e80" <= label[-1] and "\u2e80" <= value[0]


def beneath(sheet: Sheet, x: float, y: float, label: str | Part, value: Value, style: Style, *, width: float) -> float:
    """Write a label and, under it, its value. Returns the baseline for what comes next."""
    y = lay(
        sheet, x, y, label, style.label_font, style.label_size, width=width, colour=style.label_colour, leading=1.25
    )
    y += 1.35 * max(style.size, style.label_size)
    if text_of(value).strip():
        y = lay(sheet, x, y, value, style.value_font, style.size, width=width, colour=style.colour)
    return y + style.pitch


@dataclass(slots=True)
class Cell:
    """What a table's cell holds. ``span`` in the table's columns; ``align`` l, m or r."""

    content: tuple[Part, ...]
    span: int = 1
    font: Font | None = None
    size: int | None = None
    align: str = "l"
    colour: Colour | None = None
    fill: Colour | None = None


def cell(content: Value, **settings: object) -> Cell:
    """A cell with this content."""
    return replace(Cell(parts_of(content)), **settings)  # type: ignore[arg-type]


@dataclass(slots=True)
class Grid:
    """A table that is written row by row, each as high as its content asks. ``edges``: x of the columns' borders."""

    sheet: Sheet
    edges: list[float]
    y: float
    font: Font
    size: int
    colour: Colour = INK
    line: int = 1
    pad: float = 0.5
    leading: float = 1.3
    least: float = 0.0
    frame: bool = True

    def row(self, cells: Sequence[Cell], height: float = 0.0) -> None:
        """Write a row, at least ``height`` pixels high."""
        contents: list[tuple[list[tuple[Part, ...]], int]] = []
        column, need = 0, max(height, self.least)
        for item in cells:
            font, size = item.font or self.font, item.size or self.size
            width = self.edges[column + item.span] - self.edges[column] - 2 * self.pad * self.size
            lines = broken(font, item.content, size, width)
            longest = max((text_of(line) for line in lines), key=lambda text: font.length(text, size))
            size = shrink(font, longest, size, width)  # a closing mark may hang over
            contents.append((lines, size))
            need = max(need, (len(lines) - 1) * self.leading * size + 1.2 * size + 1.2 * self.pad * self.size)
            column += item.span
        column = 0
        for item, (lines, size) in zip(cells, contents, strict=True):
            self._write(item, lines, size, self.edges[column], self.edges[column + item.span], need)
            column += item.span
        self.y += need

    def _write(
        self, item: Cell, lines: list[tuple[Part, ...]], size: int, left: float, right: float, height: float
    ) -> None:
        font = item.font or self.font
        if self.frame:
            self.sheet.frame(left, self.y, right, self.y + height, self.line, fill=item.fill)
        elif item.fill is not None:
            self.sheet.frame(left, self.y, right, self.y + height, 0, fill=item.fill)
        block = (len(lines) - 1) * self.leading * size
        middle = (font.ascent - font.descent) * size / 2
        baseline = self.y + height / 2 - block / 2 + middle
        pad = self.pad * self.size
        x = {"l": left + pad, "m": (left + right) / 2, "r": right - pad}[item.align]
        for parts in lines:
            if any(part.text.strip() for part in parts):
                self.sheet.text(x, baseline, parts, font, size, colour=item.colour or self.colour, anchor=item.align)
            baseline += self.leading * size


def iso_month(day: date) -> str:
    """Year and month, ISO 8601."""
    return f"{day.year:04d}-{day.month:02d}"


def decimal(value: Decimal) -> str:
    """A decimal number as a string without grouping."""
    return f"{value:.2f}"


def later(day: date, years: int, days: int = 0) -> date:
    """The same day ``years`` later (28 February for a leap day), moved by ``days``."""
    try:
        moved = day.replace(year=day.year + years)
    except ValueError:
        moved = day.replace(year=day.year + years, day=28)
    return date.fromordinal(moved.toordinal() + days)


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


def fitted(font: Font, text: str, size: int, width: float, height: float, leading: float = 1.35) -> int:
    """The largest size, at most ``size``, at which a text wrapped to ``width`` is no higher than ``height`` pixels."""
    while size > 8:
        need = len(font.broken(text, size, width, width)) * leading * size
        if need <= height:
            return size
        size = max(8, min(size - 1, int(size * (max(height, 1.0) / need) ** 0.5)))
    return size
