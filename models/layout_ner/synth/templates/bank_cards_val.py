"""Bank cards for validation: layouts that no training page has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.bank_cards import write_bank
from models.layout_ner.synth.templates.bank_facts import bank_card, chip, face, page
from models.layout_ner.synth.templates.labels import iso_month, maybe


@family("card_val_centred", "bank_card", split="val")
def card_val_centred(rng: random.Random, palette: Palette) -> Sheet:
    """Bank at the top right, number in the middle of the card, month at the lower right, holder above the number."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=maybe(rng, 0.7))
    card = face(sheet, rng, palette, x, y, width)
    write_bank(card, data, 0.93, 0.16, 0.05, anchor="r")
    chip(card, 0.08, 0.12)
    card.write(0.08, 0.46, data.holder, card.plain, 0.032, most=0.6)
    key = sheet.entity("card_number", data.number)
    if maybe(rng, 0.3):
        groups, size = data.groups, max(11, round(0.046 * width))
        left = x + 0.08 * width
        for group in groups:
            left = (
                sheet.text(left, y + 0.62 * card.height, Part(group, key), card.figures, size, colour=card.ink)
                + 1.1 * size
            )
    else:
        card.write(0.5, 0.62, (Part(" ".join(data.groups), key),), card.figures, 0.055, anchor="m")
    if data.until is not None:
        month = Part(f"{data.until:%m/%y}", sheet.entity("valid_thru", iso_month(data.until)))
        label = rng.choice(("VALID THRU", "有效期至", "GOOD THRU", "VALID UNTIL"))
        if maybe(rng, 0.5):
            card.write(0.6, 0.74, (Part(label + "  "), month), card.plain, 0.028, most=0.34)
        else:
            card.write(0.6, 0.74, label, card.plain, 0.02, most=0.25)
            card.write(0.6, 0.815, (month,), card.figures, 0.036)
    card.write(
        0.08, 0.91, rng.choice(("银联 UnionPay", "VISA", "UnionPay", "Mastercard", "Debit")), card.bold, 0.045, most=0.4
    )
    return sheet


@family("card_val_strip", "bank_card", split="val")
def card_val_strip(rng: random.Random, palette: Palette) -> Sheet:
    """Everything flush left in the lower half, with the kind of card and a telephone above."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng)
    card = face(sheet, rng, palette, x, y, width)
    card.write(
        0.06,
        0.12,
        rng.choice(("龙卡通", "牡丹灵通卡", "DEBIT 借记卡", "CREDIT CARD 信用卡", "个人结算卡")),
        card.plain,
        0.034,
    )
    card.write(0.94, 0.12, f"客服热线 {rng.randint(95500, 95599)}", card.plain, 0.024, anchor="r")
    write_bank(card, data, 0.06, 0.5, 0.052)
    key = sheet.entity("card_number", data.number)
    card.write(
        0.06,
        0.7,
        (Part("  ".join(data.groups) if maybe(rng, 0.5) else " ".join(data.groups), key),),
        card.figures,
        0.05,
    )
    if data.until is not None:
        month = Part(f"{data.until:%m/%y}", sheet.entity("valid_thru", iso_month(data.until)))
        end = card.write(
            0.06,
            0.82,
            rng.choice(("VALID THRU", "有效期", "有效期 VALID THRU", "EXPIRES")),
            card.plain,
            0.022,
            most=0.3,
        )
        card.write((end - x) / width + 0.03, 0.82, (month,), card.figures, 0.032)
    if maybe(rng, 0.6):
        card.write(0.06, 0.92, data.holder, card.plain, 0.032, most=0.5)
    return sheet
