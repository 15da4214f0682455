"""Resident identity cards: front, back, both sides on a copy, and listings of what stands on a card."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.id_facts import (
    Look,
    Person,
    birth_parts,
    person,
    purpose,
    term_parts,
)
from models.layout_ner.synth.templates.labels import beside, maybe, shrink, style
from models.layout_ner.synth.templates.marks import emblem, portrait, washed
from models.layout_ner.synth.values import companies, dates


def _labelled(
    sheet: Sheet, look: Look, x: float, y: float, label: str, value: Part, size: int, offset: float, limit: float
) -> float:
    """Label and value on a card, one run or two; returns the right end."""
    if look.merged:
        parts = (Part(label + look.blank), value)
        length = look.value.length(label + look.blank + value.text, size)
        small = size if length <= limit else max(9, int(size * limit / length))
        return sheet.text(x, y, parts, look.value, small, colour=look.ink)
    sheet.text(x, y, label, look.label, round(size * 0.88), colour=look.colour)
    small = shrink(look.value, value.text, size, limit - offset)
    return sheet.text(x + offset, y, value, look.value, small, colour=look.ink)


def front(sheet: Sheet, rng: random.Random, look: Look, holder: Person, x: float, y: float, width: float) -> None:
    """Write a card's front into a rectangle ``width`` pixels wide whose top left is (x, y)."""
    unit = width / 856
    size = max(11, round(rng.uniform(30, 35) * unit))
    left, step = x + rng.uniform(48, 75) * unit, rng.uniform(62, 72) * unit
    offset = rng.uniform(88, 100) * unit
    room = 500 * unit
    spaced = look.blank != "" and maybe(rng, 0.5)
    gap = " " if spaced else ""
    line = y + rng.uniform(72, 95) * unit
    _labelled(
        sheet, look, left, line, f"姓{gap}名", Part(holder.name, sheet.entity("name", holder.name)), size, offset, room
    )
    line += step
    sex = Part(holder.sex, sheet.entity("sex", holder.sex))
    nation = Part(holder.ethnicity, sheet.entity("ethnicity", holder.ethnicity))
    second = left + rng.uniform(195, 225) * unit
    if look.merged and maybe(rng, 0.5):
        between = " " * rng.randint(1, 4)
        parts = (Part(f"性{gap}别{look.blank}"), sex, Part(f"{between}民{gap}族{look.blank}"), nation)
        text = "".join(part.text for part in parts)
        sheet.text(left, line, parts, look.value, shrink(look.value, text, size, room), colour=look.ink)
    else:
        end = _labelled(sheet, look, left, line, f"性{gap}别", sex, size, offset, 195 * unit)
        second = max(second, end + 1.2 * size)
        _labelled(sheet, look, second, line, f"民{gap}族", nation, size, offset, x + 560 * unit - second)
    line += step
    day = sheet.entity("birth_date", holder.birth.isoformat())
    _birth(sheet, rng, look, holder.birth, day, left, line, size, offset, gap, room)
    line += step
    address = sheet.entity("address", holder.address)
    wide = look.value.length("住" * rng.choice((10, 11, 11, 12)), size)
    number_line = y + rng.uniform(462, 490) * unit
    if look.merged:
        pieces = look.value.broken(holder.address, size, wide, wide)
        head = f"住{gap}址{look.blank}"
        indent = look.value.length(head, size)
        for count, piece in enumerate(pieces):
            first = [Part(head)] if count == 0 else []
            sheet.text(
                left + (0 if count == 0 else indent),
                line,
                [*first, Part(piece, address)],
                look.value,
                size,
                colour=look.ink,
            )
            line += 1.22 * size
    else:
        sheet.text(left, line, f"住{gap}址", look.label, round(size * 0.88), colour=look.colour)
        line = sheet.wrapped(
            left + offset,
            line,
            Part(holder.address, address),
            look.value,
            size,
            width=wide,
            leading=1.22,
            colour=look.ink,
        )
    number_line = max(number_line, line + 0.5 * size)
    _number(sheet, rng, look, holder.number, left, number_line, size, unit)
    if maybe(rng, 0.9):
        portrait(sheet, x + 570 * unit, y + 75 * unit, 225 * unit, 300 * unit, rng)


def _birth(
    sheet: Sheet,
    rng: random.Random,
    look: Look,
    day: date,
    key: int,
    left: float,
    line: float,
    size: int,
    offset: float,
    gap: str,
    room: float,
) -> None:
    if not look.merged and maybe(rng, 0.3):
        sheet.text(left, line, f"出{gap}生", look.label, round(size * 0.88), colour=look.colour)
        at = left + offset
        for figure, mark in ((day.year, "年"), (day.month, "月"), (day.day, "日")):
            at = sheet.text(at, line, Part(f"{figure} {mark}", key), look.value, size, colour=look.ink) + 0.9 * size
        return
    value = birth_parts(rng, day, key, look.gap)[0]
    _labelled(sheet, look, left, line, f"出{gap}生", value, size, offset, room)


def _number(
    sheet: Sheet, rng: random.Random, look: Look, number: str, left: float, line: float, size: int, unit: float
) -> None:
    key = sheet.entity("id_number", number)
    label = "公民身份号码"
    if look.merged and maybe(rng, 0.6):
        blank = look.blank or " " * rng.randint(0, 2)
        text = label + blank + number
        small = shrink(look.value, text, round(size * 1.05), 740 * unit)
        sheet.text(left, line, (Part(label + blank), Part(number, key)), look.value, small, colour=look.ink)
        return
    end = sheet.text(left, line, label, look.label, round(size * 0.9), colour=look.colour)
    at = max(end + 0.9 * size, left + 240 * unit)
    small = shrink(look.digits, number, round(size * rng.uniform(1.05, 1.2)), left + 750 * unit - at)
    sheet.text(at, line, Part(number, key), look.digits, small, colour=look.ink)


def back(sheet: Sheet, rng: random.Random, look: Look, holder: Person, x: float, y: float, width: float) -> None:
    """Write a card's back into a rectangle ``width`` pixels wide whose top left is (x, y)."""
    unit = width / 856
    size = max(11, round(rng.uniform(28, 34) * unit))
    emblem(
        sheet,
        x + 130 * unit,
        y + 130 * unit,
        80 * unit,
        look.colour if look.colour[0] == look.colour[2] else (190, 50, 40),
    )
    country, title = "中华人民共和国", "居民身份证"
    if maybe(rng, 0.3):
        country = " ".join(country)
    if maybe(rng, 0.4):
        title = " ".join(title)
    first, second = round(rng.uniform(42, 52) * unit), round(rng.uniform(58, 76) * unit)
    middle = x + rng.uniform(500, 530) * unit
    first = shrink(look.label, country, first, 540 * unit)
    sheet.text(middle, y + rng.uniform(108, 125) * unit, country, look.label, first, anchor="m", colour=look.ink)
    second = shrink(look.label, title, second, 560 * unit)
    sheet.text(middle, y + rng.uniform(208, 235) * unit, title, look.label, second, anchor="m", colour=look.ink)
    left, offset, room = x + rng.uniform(170, 260) * unit, rng.uniform(150, 165) * unit, 560 * unit
    line = y + rng.uniform(385, 410) * unit
    authority = Part(holder.authority, sheet.entity("issuing_authority", holder.authority))
    _labelled(sheet, look, left, line, "签发机关", authority, size, offset, room)
    line += rng.uniform(62, 74) * unit
    term = term_parts(sheet, rng, holder)
    if look.merged:
        sheet.text(left, line, (Part("有效期限" + look.blank), *term), look.value, size, colour=look.ink)
    else:
        sheet.text(left, line, "有效期限", look.label, round(size * 0.88), colour=look.colour)
        sheet.text(left + offset, line, term, look.value, size, colour=look.ink)


def card(rng: random.Random, low: int = 620, high: int = 1250) -> tuple[Sheet, float]:
    """An empty page of a card's proportions, and its width."""
    width = rng.randint(low, high)
    paper = rng.choice(((255, 255, 255), (236, 242, 246), (228, 236, 240), (240, 240, 236)))
    sheet = Sheet(width, round(width * rng.uniform(0.625, 0.66)), paper)
    if maybe(rng, 0.5):
        washed(sheet, rng, (206, 222, 232))
    return sheet, float(width)


@family("id_front", "id_card", weight=1.2)
def id_front(rng: random.Random, palette: Palette) -> Sheet:
    """A scan of the front alone."""
    sheet, width = card(rng)
    front(sheet, rng, Look.random(rng, palette), person(rng), 0, 0, width)
    return sheet


@family("id_back", "id_card", weight=0.8)
def id_back(rng: random.Random, palette: Palette) -> Sheet:
    """A scan of the back alone."""
    sheet, width = card(rng)
    back(sheet, rng, Look.random(rng, palette), person(rng), 0, 0, width)
    return sheet


@family("id_desk", "id_card")
def id_desk(rng: random.Random, palette: Palette) -> Sheet:
    """One side lying somewhere on a larger, darker ground."""
    width, height = rng.randint(900, 1500), rng.randint(750, 1300)
    shade = rng.randint(70, 200)
    sheet = Sheet(width, height, (shade, shade - rng.randint(0, 30), shade - rng.randint(0, 40)))
    wide = min(width - 60, (height - 60) / 0.64) * rng.uniform(0.65, 1.0)
    x, y = rng.uniform(20, width - wide - 20), rng.uniform(20, height - 0.63 * wide - 20)
    sheet.frame(x, y, x + wide, y + 0.63 * wide, 1, (160, 170, 175), fill=(234, 240, 243))
    (front if maybe(rng, 0.65) else back)(sheet, rng, Look.random(rng, palette), person(rng), x, y, wide)
    return sheet


@family("id_copy", "id_card", weight=1.2)
def id_copy(rng: random.Random, palette: Palette) -> Sheet:
    """A copy of both sides on one page, with a note of what it is for."""
    width = rng.randint(1000, 1500)
    height = round(width * 1.414)
    sheet = Sheet(width, height)
    look, holder = Look.random(rng, palette, grey=maybe(rng, 0.7)), person(rng)
    wide = width * rng.uniform(0.5, 0.72)
    x = (width - wide) / 2 + rng.uniform(-0.08, 0.08) * width
    y = height * rng.uniform(0.1, 0.15)
    size = round(width * rng.uniform(0.017, 0.024))
    if maybe(rng, 0.5):
        head = rng.choice(
            (
                "身份证复印件",
                "身份证正反面复印件",
                "附件：居民身份证复印件",
                "法定代表人身份证明",
                "申请人身份证",
                "证件粘贴处",
            )
        )
        sheet.text(width / 2, height * 0.06, head, palette.hei_bold, size + 6, anchor="m")
    sides = [front, back] if maybe(rng, 0.75) else [back, front]
    for side in sides:
        if maybe(rng, 0.7):
            sheet.frame(x, y, x + wide, y + 0.63 * wide, 1, (150, 150, 150))
        side(sheet, rng, look, holder, x, y, wide)
        y += wide * rng.uniform(0.68, 0.8)
    if maybe(rng, 0.6):
        y = min(y + size * 2, height - 5 * size)
        y = sheet.wrapped(
            width * 0.15, y, purpose(rng), rng.choice((palette.kai, palette.song)), size, width=width * 0.7
        )
        if maybe(rng, 0.5):
            day = dates.format_date(rng, dates.date_between(rng, date(2015, 1, 1), date(2026, 12, 31)), "zh")
            sheet.text(width * 0.85, y + size, day, palette.song, size, anchor="r")
    return sheet


@family("id_pair", "id_card", weight=0.8)
def id_pair(rng: random.Random, palette: Palette) -> Sheet:
    """Both sides next to each other."""
    wide = rng.randint(600, 820)
    margin = rng.randint(15, 60)
    sheet = Sheet(2 * wide + 3 * margin, round(0.64 * wide) + 2 * margin + 60)
    look, holder = Look.random(rng, palette), person(rng)
    left, right = (front, back) if maybe(rng, 0.7) else (back, front)
    left(sheet, rng, look, holder, margin, margin, wide)
    right(sheet, rng, look, holder, 2 * margin + wide, margin, wide)
    if maybe(rng, 0.4):
        sheet.text(sheet.width / 2, sheet.height - 22, purpose(rng), palette.hei, 22, anchor="m")
    return sheet


@family("id_listing", "id_card", weight=0.7)
def id_listing(rng: random.Random, palette: Palette) -> Sheet:
    """What a card says, listed on a screen or on paper."""
    width = rng.randint(700, 1200)
    sheet = Sheet(width, 3000)
    manner = style(rng, palette, max(16, round(width * rng.uniform(0.022, 0.032))), fonts=("hei", "song"))
    return listing(sheet, rng, palette, manner, person(rng), sides=rng.choice(("both", "both", "front")))


def listing(sheet: Sheet, rng: random.Random, palette: Palette, manner: object, holder: Person, sides: str) -> Sheet:
    """Label by label, one a line; the page is cut below."""
    from models.layout_ner.synth.templates.labels import Style

    assert isinstance(manner, Style)
    size, width = manner.size, sheet.width
    y = 3.0 * size
    head = rng.choice(("居民身份证信息", "身份证识别结果", "实名认证信息", "身份信息核验", "证件信息", "居民身份证"))
    sheet.text(width / 2, y, head, palette.hei_bold, size + 4, anchor="m")
    y += 3 * size
    nation = holder.ethnicity + rng.choice(("", "族"))
    rows: list[tuple[str, str, str, str]] = [
        ("姓名", "name", holder.name, holder.name),
        ("性别", "sex", holder.sex, holder.sex),
        ("民族", "ethnicity", nation, nation),
        (
            rng.choice(("出生", "出生日期")),
            "birth_date",
            rng.choice(
                (
                    f"{holder.birth:%Y-%m-%d}",
                    f"{holder.birth.year}年{holder.birth.month}月{holder.birth.day}日",
                    f"{holder.birth:%Y年%m月%d日}",
                )
            ),
            holder.birth.isoformat(),
        ),
        ("住址", "address", holder.address, holder.address),
        (rng.choice(("公民身份号码", "身份证号码", "身份证号")), "id_number", holder.number, holder.number),
    ]
    column = None if manner.joined or maybe(rng, 0.3) else width * rng.uniform(0.25, 0.32)
    for label, name, text, value in rows:
        y = beside(
            sheet,
            width * 0.07,
            y,
            label,
            Part(text, sheet.entity(name, value)),
            manner,
            width=width * 0.86,
            column=column,
        )
    if sides == "both":
        authority = Part(holder.authority, sheet.entity("issuing_authority", holder.authority))
        y = beside(sheet, width * 0.07, y, "签发机关", authority, manner, width=width * 0.86, column=column)
        label = manner.label(rng.choice(("有效期限", "有效期", "证件有效期")))
        term = term_parts(sheet, rng, holder, rng.choice(("-", "至", " - ", "~")))
        if manner.joined or column is None:
            sheet.text(width * 0.07, y, (Part(label + " "), *term), manner.value_font, size, colour=manner.colour)
        else:
            sheet.text(
                width * 0.07,
                y,
                label,
                manner.label_font,
                shrink(manner.label_font, label, manner.label_size, column - size / 2),
                colour=manner.label_colour,
            )
            sheet.text(width * 0.07 + column, y, term, manner.value_font, size, colour=manner.colour)
        y += manner.pitch
    if maybe(rng, 0.6):
        note = rng.choice(
            (
                purpose(rng),
                "查询结果仅供参考",
                f"核验机构：{companies.company_zh(rng)}",
                f"核验时间：{dates.format_date(rng, date.today().replace(year=2024), 'zh')}",
            )
        )
        y = sheet.wrapped(width * 0.07, y + size, note, manner.value_font, max(12, size - 3), width=width * 0.86) + size
    sheet.height = int(y + size)
    return sheet
