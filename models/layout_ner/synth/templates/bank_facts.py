"""A bank card's values, and the card as a thing that is written on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from PIL import Image, ImageDraw

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import maybe, shrink
from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.templates.words_en import coined
from models.layout_ner.synth.values import companies, dates, identifiers, people

_GROUNDS: tuple[Colour, ...] = (
    (180, 30, 40),
    (20, 60, 130),
    (15, 100, 90),
    (60, 60, 66),
    (200, 160, 70),
    (110, 40, 110),
    (230, 232, 236),
    (245, 240, 225),
    (30, 30, 34),
    (90, 140, 190),
    (210, 90, 30),
    (160, 170, 180),
)


_LATIN_PARTS = listed(
    "First National Pacific Union Commercial Merchants Savings Northern "
    "Southern Eastern Western Royal Metropolitan Coastal "
    "Continental United Heritage Citizens Standard Allied General "
    "Central Provincial Farmers Overseas Capital Summit Harbour"
)


@dataclass(slots=True, frozen=True)
class Card:
    """A bank card's values. ``groups``: the number as printed, group by group."""

    number: str
    groups: tuple[str, ...]
    bank: str
    second: str
    until: date | None
    since: date
    holder: str
    chinese: bool


def groups_of(rng: random.Random, number: str) -> tuple[str, ...]:
    """A number in groups of four (the last one what is left), at times in one piece or 6 and the rest."""
    if maybe(rng, 0.12):
        return (number,)
    if len(number) == 19 and maybe(rng, 0.2):
        return number[:6], number[6:]
    return tuple(number[start : start + 4] for start in range(0, len(number), 4))


def bank_en(rng: random.Random) -> str:
    """A bank's name in English."""
    first = rng.choice(_LATIN_PARTS) if maybe(rng, 0.6) else coined(rng)
    second = rng.choice(_LATIN_PARTS)
    return rng.choice(
        (
            f"{first} Bank",
            f"{first} {second} Bank",
            f"Bank of {coined(rng)}",
            f"{first} {second} Banking Corporation",
            f"{coined(rng)} Bank Berhad",
            f"{first} Trust Bank",
            f"{coined(rng)} Savings Bank",
            f"{first} Credit Union",
            f"{''.join(rng.choice('ABCDEFGHIKLMNOPRSTUVW') for _ in range(rng.randint(2, 4)))} Bank",
            f"{first} {second} Bank Ltd",
        )
    )


def bank_card(rng: random.Random, *, chinese: bool = True) -> Card:
    """A random card."""
    number = identifiers.bank_card_number(rng)
    until = (
        dates.date_between(rng, date(2016, 1, 1), date(2036, 12, 31)) if maybe(rng, 0.72 if chinese else 0.95) else None
    )
    bank = companies.bank_zh(rng) if chinese else bank_en(rng)
    second = bank_en(rng) if chinese and maybe(rng, 0.5) else ""
    holder = people.english_name(rng).upper()
    return Card(
        number,
        groups_of(rng, number),
        bank,
        second,
        until,
        dates.date_between(rng, date(2004, 1, 1), date(2015, 12, 31)),
        holder,
        chinese,
    )


@dataclass(slots=True)
class Face:
    """A card being written: where it lies, how it is printed."""

    sheet: Sheet
    x: float
    y: float
    width: float
    height: float
    ink: Colour
    bold: Font
    plain: Font
    figures: Font
    rng: random.Random

    def at(self, across: float, down: float) -> tuple[float, float]:
        """A place on the card given in fractions of its sides."""
        return self.x + across * self.width, self.y + down * self.height

    def write(
        self,
        across: float,
        down: float,
        content: str | tuple[Part, ...],
        font: Font,
        size: float,
        *,
        anchor: str = "l",
        most: float = 0.9,
    ) -> float:
        """Write at a place; ``size`` and ``most`` (the greatest length) in fractions of the width."""
        text = content if isinstance(content, str) else "".join(part.text for part in content)
        x, y = self.at(across, down)
        pixels = shrink(font, text, max(10, round(size * self.width)), most * self.width)
        return self.sheet.text(x, y, content, font, pixels, colour=self.ink, anchor=anchor)


def face(
    sheet: Sheet, rng: random.Random, palette: Palette, x: float, y: float, width: float, *, grey: bool = False
) -> Face:
    """An empty card on a sheet."""
    height = width * rng.uniform(0.6, 0.65)
    ground: Colour = (rng.randint(215, 250),) * 3 if grey else rng.choice(_GROUNDS)
    ink: Colour = (22, 22, 26) if sum(ground) > 420 else rng.choice(((240, 240, 240), (225, 215, 180), (250, 250, 250)))

    def paint(image: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        canvas.rounded_rectangle((x, y, x + width, y + height), radius=width * 0.035, fill=ground)

    sheet.under.append(paint)
    figures = rng.choice((palette.ocr, palette.mono, palette.sans, palette.sans_bold, palette.hei))
    return Face(sheet, x, y, width, height, ink, palette.hei_bold, palette.hei, figures, rng)


def chip(card: Face, across: float, down: float) -> None:
    """The contacts of a chip."""
    x, y = card.at(across, down)
    side = 0.1 * card.width
    card.sheet.under.append(
        lambda _, canvas: canvas.rounded_rectangle(
            (x, y, x + side, y + 0.75 * side), 6, fill=(210, 190, 120), outline=(150, 130, 80)
        )
    )


def page(rng: random.Random, low: int = 640, high: int = 1200) -> tuple[Sheet, float, float, float]:
    """A page little larger than a card: the sheet, and the card's left, top and width."""
    width = rng.randint(low, high)
    margin = width * rng.choice((0.0, 0.02, 0.06, 0.12))
    sheet = Sheet(width, round((width - 2 * margin) * 0.66 + 2 * margin), (rng.randint(60, 255),) * 3)
    return sheet, margin, margin, width - 2 * margin
