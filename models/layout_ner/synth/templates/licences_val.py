"""Business licences for validation: layouts that no training page has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import beside, maybe, spread
from models.layout_ner.synth.templates.licence_facts import (
    day_text,
    field_part,
    label_of,
    licence,
    note,
    serial,
    term_text,
)
from models.layout_ner.synth.templates.licence_parts import manner, paper, scope_row
from models.layout_ner.synth.templates.marks import emblem, seal, squares


@family("licence_val_wide", "business_license", split="val")
def licence_val_wide(rng: random.Random, palette: Palette) -> Sheet:
    """A wide licence: title at the left, code at the right of it, four rows of two, scope over the whole width."""
    width = rng.randint(1400, 1900)
    sheet = paper(rng, width, round(width * rng.uniform(0.64, 0.72)))
    height = sheet.height
    data = licence(rng)
    how = manner(rng, palette, round(width * rng.uniform(0.0145, 0.0165)))
    emblem(sheet, width * 0.11, height * 0.16, height * 0.06)
    sheet.text(
        width * 0.17, height * 0.19, rng.choice(("营业执照", "营 业 执 照")), palette.hei_bold, round(height * 0.075)
    )
    sheet.text(
        width * 0.17,
        height * 0.25,
        rng.choice(("（副 本）", "（正 本）", serial(rng))),
        palette.song,
        round(how.size * 1.1),
    )
    code = field_part(sheet, rng, "credit_code", data)
    sheet.text(width * 0.93, height * 0.15, "统一社会信用代码", how.label_font, how.label_size, anchor="r")
    sheet.text(width * 0.93, height * 0.15 + 1.7 * how.size, code, how.value_font, how.size, anchor="r")
    column = None if how.joined else 6.4 * how.label_size
    pairs = [("company", "registered_capital"), ("company_type", "established"), ("legal_representative", "term")]
    y = height * 0.36
    for left, right in pairs:
        lowest = y
        for name, x, room in ((left, width * 0.07, width * 0.44), (right, width * 0.56, width * 0.37)):
            if name == "registered_capital" and data.capital is None:
                continue
            label = "营业期限" if name == "term" else label_of(rng, name, data)
            value = Part(term_text(rng, data)) if name == "term" else field_part(sheet, rng, name, data)
            lowest = max(lowest, beside(sheet, x, y, spread(rng, label, 1.0, 2), value, how, width=room, column=column))
        y = lowest
    y = beside(
        sheet,
        width * 0.07,
        y,
        spread(rng, label_of(rng, "address", data), 1.0, 2),
        field_part(sheet, rng, "address", data),
        how,
        width=width * 0.86,
        column=column,
    )
    scope_row(
        sheet,
        width * 0.07,
        y,
        label_of(rng, "scope", data),
        field_part(sheet, rng, "scope", data),
        how,
        width=width * 0.86,
        column=column,
        bottom=height * 0.83,
    )
    x = width * 0.62
    sheet.text(x, height * 0.88, (Part("登记机关 "), Part(data.authority)), how.value_font, how.size)
    sheet.text(x, height * 0.88 + 1.6 * how.size, day_text(rng, data.issued), how.value_font, how.size)
    seal(sheet, x + 12 * how.size, height * 0.87, 3.5 * how.size)
    squares(sheet, width * 0.07, height * 0.84, height * 0.09, rng)
    if maybe(rng, 0.5):
        sheet.text(width * 0.5, height * 0.965, note(rng), palette.song, max(10, round(how.size * 0.65)), anchor="m")
    return sheet


@family("licence_val_upright", "business_license", split="val")
def licence_val_upright(rng: random.Random, palette: Palette) -> Sheet:
    """An upright licence: code and number of the copy under the title, people and capital side by side."""
    width = rng.randint(1000, 1350)
    sheet = paper(rng, width, round(width * rng.uniform(1.36, 1.44)))
    height = sheet.height
    data = licence(rng)
    how = manner(rng, palette, round(width * rng.uniform(0.019, 0.022)))
    emblem(sheet, width / 2, height * 0.08, height * 0.035)
    sheet.text(
        width / 2,
        height * 0.18,
        "营业执照",
        palette.kai if maybe(rng, 0.5) else palette.song,
        round(width * 0.075),
        anchor="m",
    )
    code = field_part(sheet, rng, "credit_code", data)
    sheet.text(width * 0.12, height * 0.235, (Part("统一社会信用代码："), code), how.value_font, how.size)
    sheet.text(
        width * 0.88,
        height * 0.235,
        rng.choice(("（1-1）", serial(rng)))[:14],
        how.value_font,
        max(10, how.size - 4),
        anchor="r",
    )
    y = height * 0.29
    x, room = width * 0.12, width * 0.76
    column = None if how.joined else 6.2 * how.label_size
    for name in (
        "established",
        "company",
        "company_type",
        "address",
        "legal_representative",
        "registered_capital",
        "scope",
    ):
        if name == "registered_capital" and data.capital is None:
            continue
        label, value = spread(rng, label_of(rng, name, data), 0.8, 3), field_part(sheet, rng, name, data)
        if name == "scope":
            y = scope_row(sheet, x, y, label, value, how, width=room, column=column, bottom=height * 0.78)
        else:
            y = beside(sheet, x, y, label, value, how, width=room, column=column)
    y = max(y + how.size, height * 0.84)
    sheet.text(width * 0.14, y, "登记机关", how.label_font, how.label_size)
    sheet.text(width * 0.86, y, day_text(rng, data.issued), how.value_font, how.size, anchor="r")
    seal(sheet, width * 0.75, y, 4 * how.size)
    sheet.text(width / 2, height * 0.955, note(rng)[:30], palette.song, max(10, round(how.size * 0.7)), anchor="m")
    return sheet
