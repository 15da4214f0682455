"""The parts of a business licence: paper, title, code, scope, authority."""

from __future__ import annotations

import random
from collections.abc import Sequence

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import Style, beside, fitted, maybe, shrink, style
from models.layout_ner.synth.templates.licence_facts import (
    Licence,
    day_text,
    field_part,
    label_of,
)
from models.layout_ner.synth.templates.marks import seal, washed

_BORDERS: tuple[Colour, ...] = ((190, 150, 80), (120, 140, 180), (170, 120, 90), (150, 150, 150), (60, 60, 60))


def manner(
    rng: random.Random, palette: Palette, size: int, separators: Sequence[str] = ("", "", "", "：", ":")
) -> Style:
    """How licences are written: labels bold or not, values mostly apart."""
    made = style(rng, palette, size, fonts=("song", "hei", "kai"), separators=separators, joined=0.25)
    if not made.joined and maybe(rng, 0.5):
        made.label_font = palette.hei_bold
    return made


def paper(rng: random.Random, width: int, height: int) -> Sheet:
    """A sheet with a border, and often with waves and an emblem in its head."""
    sheet = Sheet(width, height, rng.choice(((255, 255, 255), (252, 249, 240), (250, 247, 236))))
    if maybe(rng, 0.4):
        washed(sheet, rng, (238, 230, 208))
    border = rng.choice(_BORDERS)
    if maybe(rng, 0.85):
        inset = width * rng.uniform(0.015, 0.03)
        sheet.frame(inset, inset, width - inset, height - inset, rng.randint(3, 8), border)
        sheet.frame(inset + 12, inset + 12, width - inset - 12, height - inset - 12, 1, border)
    return sheet


def title(
    sheet: Sheet, rng: random.Random, palette: Palette, y: float, size: int, text: str = "营业执照", most: float = 0.62
) -> float:
    """The title, at most ``most`` of the page wide, often with (副本) by it; returns the baseline of its last line."""
    shown = (" " * rng.choice((0, 1, 2, 3))).join(text)
    copy = rng.choice(("", "（副  本）", "(副本)", "副本", "（副　本）", "正本"))
    font = rng.choice((palette.song, palette.hei_bold, palette.kai, palette.hei))
    size = shrink(font, shown, size, most * sheet.width)
    end = sheet.text(sheet.width / 2, y, shown, font, size, anchor="m")
    if copy and end + 2.8 * size < 0.95 * sheet.width and maybe(rng, 0.45):
        sheet.text(end + 0.4 * size, y, copy, palette.song, round(size * 0.4))
        return y
    if copy:
        y += size * 0.85
        sheet.text(sheet.width / 2, y, copy, palette.song, round(size * 0.4), anchor="m")
    return y


def scope_row(
    sheet: Sheet,
    x: float,
    y: float,
    label: str,
    value: Part,
    how: Style,
    *,
    width: float,
    column: float | None,
    bottom: float,
) -> float:
    """The scope of business, written small enough to end above ``bottom``."""
    head = how.label_font.length(how.label(label), how.label_size) + how.gap * how.size if column is None else column
    size = fitted(how.value_font, value.text, how.size, width - head - how.size, bottom - y)
    smaller = Style(
        how.label_font,
        how.value_font,
        size if how.joined else how.label_size,
        size,
        how.separator,
        how.joined,
        how.gap * how.size / size,
        how.leading,
        how.label_colour,
        how.colour,
    )
    return beside(sheet, x, y, label, value, smaller, width=width, column=column)


def foot(sheet: Sheet, rng: random.Random, data: Licence, how: Style, x: float, y: float) -> None:
    """The authority and the day of issue, with a seal: not the day the company was founded."""
    label = rng.choice(("登记机关", "登记机关", "发照机关", "登 记 机 关"))
    if maybe(rng, 0.3):
        sheet.text(x, y, f"{label}{rng.choice((' ', '：'))}{data.authority}", how.value_font, how.size, anchor="m")
    else:
        sheet.text(x, y, label, how.label_font, how.label_size, anchor="m")
    day = rng.choice(
        (day_text(rng, data.issued), f"{data.issued.year} 年 {data.issued.month:02d} 月 {data.issued.day:02d} 日")
    )
    sheet.text(
        x + rng.uniform(-0.03, 0.05) * sheet.width,
        y + rng.uniform(1.8, 2.6) * how.size,
        day,
        how.value_font,
        how.size,
        anchor="m",
    )
    if maybe(rng, 0.7):
        seal(sheet, x + 2 * how.size, y + how.size, 4.2 * how.size)


def code_head(sheet: Sheet, rng: random.Random, data: Licence, how: Style, x: float, y: float, width: float) -> float:
    """The credit code, beside its label or under it; in ``width`` pixels."""
    label = label_of(rng, "credit_code", data)
    value = field_part(sheet, rng, "credit_code", data)
    if maybe(rng, 0.5) or how.value_font.length(label + " " + value.text, how.size) > width:
        size = shrink(how.label_font, label, how.label_size, width)
        sheet.text(x, y, label, how.label_font, size, colour=how.label_colour)
        size = shrink(how.value_font, value.text, how.size, width)
        sheet.text(x, y + 1.5 * how.size, value, how.value_font, size, colour=how.colour)
        return y + 1.5 * how.size
    sheet.text(
        x, y, (Part(label + rng.choice(("：", " ", ":", ""))), value), how.value_font, how.size, colour=how.colour
    )
    return y
