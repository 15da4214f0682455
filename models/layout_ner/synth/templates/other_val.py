"""Pages of no known type kept for validation."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates.other_parts import page
from models.layout_ner.synth.templates.parts import coded, maybe, pick
from models.layout_ner.synth.values import identifiers


@family("val_newspaper", None, split="val")
def val_newspaper(rng: random.Random, palette: Palette) -> Sheet:
    """A newspaper's page: three columns, several headlines."""
    sheet = page(rng, palette)
    roll = sheet.roll
    sheet.heading(sheet.words(1, 3), 2.4, "m")
    roll.cells([(sheet.day(), 0.0, "l"), (coded(rng, "No. ####"), 1.0, "r")])
    roll.separator("double")
    roll.size = max(10, round(roll.size * 0.75))
    left, width, top = roll.left, roll.width, roll.y
    gap = 1.4 * roll.size
    for column in range(3):
        roll.left = left + column * (width + gap) / 3
        roll.right, roll.y = roll.left + (width - 2 * gap) / 3, top
        while not sheet.full():
            if maybe(rng, 0.4):
                sheet.heading(sheet.words(1, 3), 1.3)
            sheet.paragraph(sheet.text(2, 6))
            roll.skip(0.5)
    return roll.sheet


@family("val_parcel", None, split="val")
def val_parcel(rng: random.Random, palette: Palette) -> Sheet:
    """A parcel's label: sender, recipient, codes."""
    sheet = page(rng, palette, shape=rng.choice((1.4, 1.0)))
    roll = sheet.roll
    roll.size = round(roll.size * rng.uniform(1.2, 1.7))
    sheet.heading(coded(rng, "@@###########"), 1.6, "m")
    for label in ("收件人|收|寄件人|寄" if sheet.chinese else "TO:|SHIP TO|FROM:|SENDER").split("|")[
        :: 2 if maybe(rng, 0.5) else 3
    ]:
        roll.separator("rule")
        roll.row(f"{label} {sheet.person()}")
        roll.row(identifiers.phone_zh(rng) if sheet.chinese else identifiers.phone_en(rng))
        roll.block([sheet.address()])
    roll.separator("rule")
    roll.cells([(f"{rng.randint(1, 90) / 10} kg", 0.0, "l"), (pick(rng, "EXPRESS|1/1|COD|A-12|标准快递"), 1.0, "r")])
    return roll.sheet


@family("val_essay", None, split="val")
def val_essay(rng: random.Random, palette: Palette) -> Sheet:
    """A report with headings, notes below a line, and a table."""
    sheet = page(rng, palette, roles=("sans", "serif", "mono"))
    roll = sheet.roll
    sheet.heading(sheet.words(2, 6), 1.8, "l")
    roll.row(f"{sheet.person()} · {sheet.day()}")
    for number in range(1, 6):
        if roll.y > sheet.bottom - 12 * roll.size:
            break
        roll.skip(0.5)
        sheet.heading(f"{number} {sheet.words(1, 4)}", 1.25)
        sheet.paragraph(sheet.text(2, 6))
        if maybe(rng, 0.35) and roll.y < sheet.bottom - 14 * roll.size:
            roll.skip(0.5)
            sheet.table(rng.randint(2, 5), rng.randint(2, 6))
    if roll.y < sheet.bottom - 5 * roll.size:
        roll.separator("rule")
        sheet.paragraph(f"{rng.randint(1, 40)} {sheet.text(1, 1)}")
    return roll.sheet
