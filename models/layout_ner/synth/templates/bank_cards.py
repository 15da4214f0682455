"""Bank cards: embossed and flat, Chinese and foreign, fronts and backs, on copies and on screens."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.bank_facts import (
    Card,
    Face,
    bank_card,
    chip,
    face,
    page,
)
from models.layout_ner.synth.templates.labels import beside, iso_month, maybe, style
from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.templates.words_en import coined
from models.layout_ner.synth.values import identifiers, people

_KINDS_EN = listed(
    "DEBIT|CREDIT|debit|credit|Debit Card|Credit Card|PLATINUM|GOLD|CLASSIC|WORLD|Business|SIGNATURE|TITANIUM|ATM CARD",
    "|",
)


_KINDS_ZH = listed(
    "借记卡|储蓄卡|信用卡|贷记卡|金卡|白金卡|普卡|IC卡|理财卡|公务卡|工资卡|钻石卡|社会保障卡|一卡通", "|"
)


_SCHEMES = listed(
    "UnionPay|银联|UnionPay 银联|VISA|MasterCard|mastercard|JCB|QuickPass|闪付|银联 UnionPay|VISA Electron|ATM", "|"
)


_VALID = listed(
    "VALID THRU|VALID THRU MONTH/YEAR|GOOD THRU|EXPIRES END|有效期至|有效期|有效期限|VALID UNTIL|EXP|"
    "有效期 VALID THRU|VALID THRU 有效期|MONTH/YEAR|Valid Thru|EXPIRY DATE|月/年 MONTH/YEAR|THRU",
    "|",
)


def write_bank(card: Face, data: Card, across: float, down: float, size: float, *, anchor: str = "l") -> None:
    """The bank's name, at times with another one in the other language."""
    rng = card.rng
    key = card.sheet.entity("bank", data.bank)
    name = Part(data.bank, key)
    if data.second and maybe(rng, 0.3):
        tail = rng.choice(("".join(word[0] for word in data.second.split()).upper(), data.second))
        card.write(across, down, (name, Part(" " + tail)), card.bold, size, anchor=anchor, most=0.62)
        return
    card.write(across, down, (name,), card.bold, size, anchor=anchor, most=0.58)
    if data.second:
        card.write(
            across,
            down + size * 1.35,
            data.second.upper() if maybe(rng, 0.5) else data.second,
            card.plain,
            size * 0.55,
            anchor=anchor,
            most=0.55,
        )


def write_number(card: Face, data: Card, across: float, down: float, size: float, *, split: bool) -> None:
    """The number: one run with gaps, or one run a group."""
    key = card.sheet.entity("card_number", data.number)
    pixels = max(11, round(size * card.width))
    room = (0.95 - across) * card.width
    gap = card.rng.uniform(1.0, 1.5) * pixels
    total = sum(card.figures.length(group, pixels) for group in data.groups) + gap * (len(data.groups) - 1)
    if split and len(data.groups) > 1:
        if total > room:
            pixels, gap = max(10, int(pixels * room / total)), gap * room / total
        x, y = card.at(across, down)
        for group in data.groups:
            x = card.sheet.text(x, y, Part(group, key), card.figures, pixels, colour=card.ink) + max(gap, 0.9 * pixels)
        return
    text = (" " * card.rng.choice((1, 1, 2))).join(data.groups)
    card.write(across, down, (Part(text, key),), card.figures, size, most=0.95 - across)


def write_term(card: Face, data: Card, across: float, down: float, size: float) -> None:
    """Until when it is valid: the label left of the month, above it, in two lines, or in one run with it."""
    if data.until is None:
        return
    rng = card.rng
    key = card.sheet.entity("valid_thru", iso_month(data.until))
    month = Part(
        rng.choice((f"{data.until:%m/%y}",) * 6 + (f"{data.until:%m/%Y}", f"{data.until:%m}/ {data.until:%y}")), key
    )
    label = rng.choice(_VALID)
    small = size * 0.55
    manner = rng.random()
    if manner < 0.3:
        card.write(across, down, (Part(label + " "), month), card.plain, size * 0.8, most=0.45)
    elif manner < 0.55:
        card.write(across, down - 0.075, label, card.plain, small, most=0.4)
        card.write(across + rng.uniform(0, 0.03), down + 0.02, (month,), card.figures, size)
    elif manner < 0.8 and " " in label and len(label) < 16:
        first, second = label.split(" ", 1)
        end = max(
            card.write(across, down - 0.034, first, card.plain, small),
            card.write(across, down + 0.012, second, card.plain, small),
        )
        card.write((end - card.x) / card.width + 0.022, down, (month,), card.figures, size)
    else:
        end = card.write(across, down, label, card.plain, small, most=0.3)
        card.write((end - card.x) / card.width + 0.028, down, (month,), card.figures, size)


@family("card_embossed", "bank_card", weight=1.2)
def card_embossed(rng: random.Random, palette: Palette) -> Sheet:
    """The common front: bank above, number in the middle, month and holder below, scheme at the right."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng)
    front = face(sheet, rng, palette, x, y, width)
    write_bank(front, data, rng.uniform(0.06, 0.14), rng.uniform(0.14, 0.19), rng.uniform(0.045, 0.06))
    if maybe(rng, 0.6):
        front.write(
            0.94, rng.uniform(0.13, 0.18), rng.choice(_KINDS_ZH + _KINDS_EN), front.plain, 0.032, anchor="r", most=0.22
        )
    if maybe(rng, 0.6):
        chip(front, 0.1, 0.33)
    line = rng.uniform(0.58, 0.64)
    write_number(front, data, rng.uniform(0.07, 0.12), line, rng.uniform(0.052, 0.064), split=maybe(rng, 0.35))
    place = rng.uniform(0.1, 0.4)
    if place > 0.2 and maybe(rng, 0.4):
        front.write(0.09, line + 0.075, data.number[:4], front.plain, 0.022)
    write_term(front, data, place, line + rng.uniform(0.15, 0.17), rng.uniform(0.034, 0.042))
    if maybe(rng, 0.6):
        front.write(0.09, 0.93, data.holder, front.figures, 0.036, most=0.5)
    if maybe(rng, 0.8):
        front.write(
            0.94,
            rng.uniform(0.9, 0.94),
            rng.choice(_SCHEMES),
            front.bold,
            rng.uniform(0.035, 0.055),
            anchor="r",
            most=0.28,
        )
    return sheet


@family("card_flat", "bank_card")
def card_flat(rng: random.Random, palette: Palette) -> Sheet:
    """A modern front: few words, number small and low or in two rows, kinds in Chinese and English."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng)
    front = face(sheet, rng, palette, x, y, width)
    right = maybe(rng, 0.3)
    write_bank(
        front,
        data,
        0.94 if right else 0.07,
        rng.uniform(0.15, 0.2),
        rng.uniform(0.04, 0.055),
        anchor="r" if right else "l",
    )
    front.write(
        0.06 if right else 0.94, 0.16, rng.choice(_KINDS_EN), front.plain, 0.03, anchor="l" if right else "r", most=0.25
    )
    if maybe(rng, 0.4):
        front.write(0.07, rng.uniform(0.4, 0.48), rng.choice(_KINDS_ZH), front.plain, 0.04)
    if maybe(rng, 0.35) and len(data.groups) >= 4:
        key = sheet.entity("card_number", data.number)
        half = (len(data.groups) + 1) // 2
        for number, groups in enumerate((data.groups[:half], data.groups[half:])):
            front.write(0.08, 0.62 + 0.1 * number, (Part(" ".join(groups), key),), front.figures, 0.05)
    else:
        write_number(front, data, 0.08, rng.uniform(0.66, 0.74), rng.uniform(0.04, 0.055), split=maybe(rng, 0.5))
    write_term(front, data, 0.08, 0.88, 0.032)
    if maybe(rng, 0.7):
        front.write(0.94, 0.92, rng.choice(_SCHEMES), front.bold, 0.045, anchor="r", most=0.3)
    return sheet


@family("card_foreign", "bank_card")
def card_foreign(rng: random.Random, palette: Palette) -> Sheet:
    """A front in English."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=False)
    front = face(sheet, rng, palette, x, y, width)
    front.bold, front.plain = palette.sans_bold, palette.sans
    low = maybe(rng, 0.2)
    write_bank(front, data, 0.07, 0.93 if low else 0.17, rng.uniform(0.045, 0.06))
    if maybe(rng, 0.6):
        front.write(0.94, 0.16, rng.choice(_KINDS_EN), front.plain, 0.034, anchor="r", most=0.25)
    if maybe(rng, 0.6):
        chip(front, 0.09, 0.34)
    write_number(front, data, 0.08, 0.6, rng.uniform(0.05, 0.062), split=maybe(rng, 0.3))
    if maybe(rng, 0.35):
        front.write(
            0.08,
            0.74,
            rng.choice(("MEMBER SINCE", "CUSTOMER SINCE", "SINCE")) + f" {data.since:%y}",
            front.plain,
            0.022,
        )
    write_term(front, data, 0.42, 0.75, 0.036)
    if not low:
        front.write(0.08, rng.uniform(0.89, 0.92), data.holder, front.figures, 0.038, most=0.55)
    front.write(
        0.94,
        0.92,
        rng.choice(("VISA", "MasterCard", "mastercard", "AMEX", "Maestro", "DISCOVER")),
        front.bold,
        0.055,
        anchor="r",
        most=0.28,
    )
    return sheet


@family("card_back", "bank_card", weight=0.7)
def card_back(rng: random.Random, palette: Palette) -> Sheet:
    """A back that carries the number: stripe, signature panel, telephone lines, small print."""
    sheet, x, y, width = page(rng)
    data = bank_card(rng, chinese=maybe(rng, 0.75))
    back = face(sheet, rng, palette, x, y, width)
    top = y + 0.1 * back.height
    sheet.frame(x, top, x + width, top + 0.16 * back.height, 0, fill=(20, 20, 20))
    back.write(
        0.06,
        0.075,
        rng.choice(
            (
                f"24小时客户服务热线 {identifiers.phone_zh(rng)}",
                f"Customer service: {identifiers.phone_en(rng)}",
                "AUTHORIZED SIGNATURE 持卡人签名",
            )
        ),
        back.plain,
        0.022,
        most=0.85,
    )
    write_number(back, data, 0.07, rng.uniform(0.46, 0.52), 0.045, split=maybe(rng, 0.25))
    if maybe(rng, 0.6):
        back.write(
            0.93,
            0.35,
            f"{rng.choice(('CVV', 'CVN2', 'Security code', ''))} {rng.randint(0, 999):03d}".strip(),
            back.plain,
            0.026,
            anchor="r",
            most=0.16,
        )
    write_term(back, data, 0.07, 0.65, 0.032)
    write_bank(back, data, 0.07, rng.uniform(0.77, 0.8), 0.036)
    notes = (
        "本卡仅限本人使用，不得转借。",
        "拾到本卡请交还发卡银行。",
        "使用本卡须遵守章程及协议。",
        "This card is the property of the issuing bank.",
        "If found please return to any branch.",
        f"www.{coined(rng).lower()}bank.com",
        "Not valid unless signed",
    )
    down = 0.895
    for note in rng.sample(notes, 2):
        back.write(0.07, down, note, back.plain, 0.022)
        down += 0.055
    return sheet


@family("card_copy", "bank_card", weight=0.8)
def card_copy(rng: random.Random, palette: Palette) -> Sheet:
    """A photocopy of a card on a page, with a title or a note."""
    width = rng.randint(900, 1400)
    height = round(width * rng.choice((0.75, 1.0, 1.414)))
    sheet = Sheet(width, height)
    wide = width * rng.uniform(0.5, 0.72)
    size = round(width * 0.022)
    data = bank_card(rng)
    card = face(sheet, rng, palette, (width - wide) / 2, height * 0.16, wide, grey=True)
    write_bank(card, data, 0.08, 0.17, 0.055)
    write_number(card, data, 0.08, 0.6, 0.058, split=maybe(rng, 0.3))
    write_term(card, data, rng.choice((0.1, 0.4)), 0.77, 0.038)
    if maybe(rng, 0.5):
        card.write(0.08, 0.92, data.holder, card.plain, 0.034, most=0.5)
    card.write(0.94, 0.92, rng.choice(_SCHEMES), card.bold, 0.045, anchor="r", most=0.3)
    head = rng.choice(
        ("银行卡复印件", "附件：银行卡正面复印件", "工资卡复印件", "收款账户证明", "Copy of bank card", "")
    )
    sheet.text(width / 2, height * 0.09, head, palette.hei_bold, size + 6, anchor="m")
    y = card.y + card.height + 3 * size
    if maybe(rng, 0.6) and y + 5 * size < height:
        manner = style(rng, palette, size)
        for label, value in (("持卡人", people.chinese_name(rng)), ("联系电话", identifiers.phone_zh(rng))):
            y = beside(sheet, width * 0.2, y, label, value, manner, width=width * 0.6)
            if y + 2 * size > height:
                break
    return sheet


@family("card_screen", "bank_card", weight=0.7)
def card_screen(rng: random.Random, palette: Palette) -> Sheet:
    """A card's details on a telephone's screen or printed as a list."""
    width = rng.randint(600, 1000)
    sheet = Sheet(width, 2400)
    data = bank_card(rng, chinese=maybe(rng, 0.85))
    fonts = ("hei", "song") if data.chinese else ("sans",)
    size = round(width * rng.uniform(0.028, 0.036))
    manner = style(rng, palette, size, fonts=fonts)
    y = 3.0 * size
    sheet.text(
        width / 2,
        y,
        rng.choice(("银行卡信息", "我的银行卡", "卡片详情", "账户信息")) if data.chinese else "Card details",
        palette.hei_bold,
        size + 4,
        anchor="m",
    )
    y += 2.6 * size
    zh = data.chinese
    rows: list[tuple[str, Part | str]] = [
        (
            rng.choice(("开户银行", "发卡行", "银行名称", "所属银行"))
            if zh
            else rng.choice(("Bank", "Issuer", "Issuing bank")),
            Part(data.bank, sheet.entity("bank", data.bank)),
        ),
        (
            rng.choice(("卡号", "银行卡号", "账号")) if zh else rng.choice(("Card number", "Card No.")),
            Part(" ".join(data.groups), sheet.entity("card_number", data.number)),
        ),
        (rng.choice(("卡类型", "卡种")) if zh else "Type", rng.choice(_KINDS_ZH if zh else _KINDS_EN)),
        (
            rng.choice(("持卡人", "户名", "姓名")) if zh else "Cardholder",
            people.chinese_name(rng) if zh else data.holder,
        ),
        (
            rng.choice(("客服电话", "预留手机号")) if zh else "Customer service",
            identifiers.phone_zh(rng) if zh else identifiers.phone_en(rng),
        ),
    ]
    if data.until is not None:
        label = rng.choice(("有效期", "有效期至")) if zh else rng.choice(("Valid thru", "Expiry date", "Expires"))
        rows.append((label, Part(f"{data.until:%m/%y}", sheet.entity("valid_thru", iso_month(data.until)))))
    rng.shuffle(rows)
    column = None if manner.joined or maybe(rng, 0.3) else width * rng.uniform(0.28, 0.34)
    for label, value in rows:
        y = beside(sheet, width * 0.07, y, label, value, manner, width=width * 0.86, column=column)
    sheet.height = int(y + size)
    return sheet
