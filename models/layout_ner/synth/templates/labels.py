"""How labels stand to their values: beside or above, in one run or two, in cells; shared by forms and certificates."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

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
    return label[-1] >= "\u2e80" and value[0] >= "\u2e80"


def beneath(sheet: Sheet, x: float, y: float, label: str | Part, value: Value, style: Style, *, width: float) -> float:
    """Write a label and, under it, its value. Returns the baseline for what comes next."""
    y = lay(
        sheet, x, y, label, style.label_font, style.label_size, width=width, colour=style.label_colour, leading=1.25
    )
    y += 1.35 * max(style.size, style.label_size)
    if text_of(value).strip():
        y = lay(sheet, x, y, value, style.value_font, style.size, width=width, colour=style.colour)
    return y + style.pitch


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


def fitted(font: Font, text: str, size: int, width: float, height: float, leading: float = 1.35) -> int:
    """The largest size, at most ``size``, at which a text wrapped to ``width`` is no higher than ``height`` pixels."""
    while size > 8:
        need = len(font.broken(text, size, width, width)) * leading * size
        if need <= height:
            return size
        size = max(8, min(size - 1, int(size * (max(height, 1.0) / need) ** 0.5)))
    return size
