"""More identity cards: pairs by chance, reports with the portrait at any side, fronts and backs of other spacing."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.id_facts import Person, birth_parts, person, purpose, term_parts
from models.layout_ner.synth.templates.labels import lay, maybe, shrink
from models.layout_ner.synth.templates.marks import emblem, portrait, washed
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import companies, dates, identifiers

LABELS = {
    "name": "姓名|姓名|姓 名|姓名 Name|真实姓名|持证人姓名",
    "sex": "性别|性别|性 别|性别 Sex",
    "ethnicity": "民族|民族|民 族|民族 Ethnicity",
    "birth_date": "出生|出生日期|出生|出生年月日|生日|出生日期 Birth",
    "address": "住址|住址|地址|户籍地址|住 址|身份证地址|户籍所在地",
    "id_number": "公民身份号码|公民身份号码|身份证号|身份证号码|证件号码|身份证件号|身份号码",
    "issuing_authority": "签发机关|签发机关|发证机关|签发单位|签证机关",
    "valid_from": "有效期限|有效期限|有效期|证件有效期|有效期限 Valid|有效日期",
}
TITLES = [
    "居民身份证信息",
    "身份证识别结果",
    "实名认证信息",
    "身份信息核验",
    "证件信息",
    "居民身份证",
    "身份证信息登记",
    "身份核验报告",
    "实名信息",
    "人员信息核查",
    "个人身份信息",
    "公民身份信息查询结果",
    "身份证正面信息",
    "OCR识别结果",
    "办证信息",
]


def pairs(sheet: Sheet, rng: random.Random, holder: Person, *, front: bool = True, back: bool = True) -> list[Entry]:
    """What a card says, as pairs, announced."""
    nation = holder.ethnicity + rng.choice(("", "族"))
    birth = rng.choice(
        (
            f"{holder.birth:%Y-%m-%d}",
            f"{holder.birth.year}年{holder.birth.month}月{holder.birth.day}日",
            f"{holder.birth:%Y年%m月%d日}",
            f"{holder.birth:%Y.%m.%d}",
            f"{holder.birth:%Y%m%d}",
            f"{holder.birth:%Y/%m/%d}",
        )
    )
    texts = {
        "name": (holder.name, holder.name),
        "sex": (holder.sex, holder.sex),
        "ethnicity": (nation, nation),
        "birth_date": (birth, holder.birth.isoformat()),
        "address": (holder.address, holder.address),
        "id_number": (holder.number, holder.number),
    }
    found = []
    if front:
        found = [
            Entry(pick(rng, LABELS[name]), Part(text, sheet.entity(name, value)))
            for name, (text, value) in texts.items()
        ]
    if back:
        authority = Part(holder.authority, sheet.entity("issuing_authority", holder.authority))
        found.append(Entry(pick(rng, LABELS["issuing_authority"]), authority))
        dash = rng.choice(("-", "-", "至", " - ", "~", "—", " 至 "))
        found.append(Entry(pick(rng, LABELS["valid_from"]), list(term_parts(sheet, rng, holder, dash))))
    return found


def others(rng: random.Random, holder: Person, low: int = 0, high: int = 5) -> list[Entry]:
    """Pairs that are no field."""
    pool = [
        ("联系电话|手机号码|手机号", identifiers.phone_zh(rng)),
        ("核验结果|认证状态|比对结果|审核状态", pick(rng, "一致|已通过|认证成功|比对一致")),
        (
            "核验时间|识别时间|登记日期|查询时间",
            dates.format_date(rng, dates.date_between(rng, holder.start, date(2026, 6, 30)), "zh"),
        ),
        ("核验机构|登记单位|查询单位", companies.company_zh(rng)),
        ("流水号|请求编号|订单号|业务编号", coded(rng, "%%%%%%%%%%##########")),
        ("用途|使用目的|备注", purpose(rng)),
        ("相似度|置信度|得分", f"{rng.uniform(80, 99):.2f}"),
        ("证件类型|证件种类", pick(rng, "居民身份证|二代身份证")),
        ("年龄|周岁", str(rng.randint(12, 80))),
        ("职业|文化程度|婚姻状况", pick(rng, "职员|本科|未婚|已婚|学生")),
    ]
    return [Entry(pick(rng, names), value) for names, value in rng.sample(pool, rng.randint(low, high))]


@family("id_scrambled", "id_card", weight=1.8)
def id_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """What a card says, in no known layout."""
    area = chance.open_page(rng, palette, chinese=True, across=rng.choice(((16, 28), (26, 46), (40, 66))))
    holder = person(rng)
    sides = rng.choice(("both", "both", "front", "back"))
    chance.titled(area, TITLES)
    found = pairs(area.sheet, rng, holder, front=sides != "back", back=sides != "front")
    found = chance.mixed(rng, found, others(rng, holder))
    if maybe(rng, 0.35) and area.width > 30 * area.size:
        _beside_portrait(area, found)
    else:
        chance.scramble(area, found, interlude=chance.rule)
    if maybe(rng, 0.3):
        chance.prose_block(area)
    return chance.close_page(area, least=0.3, most=1.3)


def _beside_portrait(area: Area, found: list[Entry]) -> None:
    """The pairs with a portrait at the left or the right of them."""
    rng = area.rng
    wide = rng.uniform(0.2, 0.28) * area.width
    left = maybe(rng, 0.4)
    inner = replace(
        area, left=area.left + (wide + 1.5 * area.size if left else 0), width=area.width - wide - 1.5 * area.size
    )
    top = area.y
    portrait(area.sheet, area.left if left else area.right - wide, top, wide, 1.3 * wide, rng)
    chance.scramble(inner, found, halves=0.0)
    area.y = max(inner.y, top + 1.4 * wide)


@family("id_report", "id_card")
def id_report(rng: random.Random, palette: Palette) -> Sheet:
    """A report or register's page: a table of cells, or heads with values below; other people's words around."""
    area = chance.open_page(rng, palette, chinese=True, across=(40, 72), joined=0.1)
    holder = person(rng)
    chance.titled(area, TITLES, owner=companies.company_zh(rng) if maybe(rng, 0.4) else "")
    found = pairs(area.sheet, rng, holder, back=maybe(rng, 0.7))
    if maybe(rng, 0.4):
        rng.shuffle(found)
    extra = others(rng, holder, 0, 4)
    way = rng.choice(("cells", "heads", "boxes"))
    if way == "cells":
        blocks.cells(area, [*found, *extra], rng.choice((1, 2, 2, 3)))
    elif way == "heads":
        short = [entry for entry in found if blocks.length(area, entry) < 0.4 * area.width]
        for start in range(0, len(short), 4):
            some = short[start : start + 4]
            blocks.heads(area, some) if len(some) > 1 else blocks.rows(area, some)
        rest = [entry for entry in found if entry not in short] + extra
        if rest:
            blocks.rows(area, rest, 1, rng.choice(("beside", "tab")))
    else:
        blocks.under(area, [*found, *extra], rng.choice((2, 3)), framed=True)
    if maybe(rng, 0.5):
        chance.prose_block(area)
    return chance.close_page(area, least=0.4, most=1.3)


@family("id_loose", "id_card", weight=1.2)
def id_loose(rng: random.Random, palette: Palette) -> Sheet:
    """A card's front or back spaced in other ways, with portrait, number and print of other sizes."""
    width = rng.randint(600, 1200)
    sheet = Sheet(
        width,
        round(width * rng.uniform(0.6, 0.68)),
        rng.choice(((255, 255, 255), (232, 240, 245), (240, 240, 236), (210, 220, 226))),
    )
    if maybe(rng, 0.5):
        washed(sheet, rng, (200, 216, 226))
    holder, height = person(rng), sheet.height
    font = rng.choice((palette.hei, palette.hei, palette.song, palette.hei_bold, palette.kai))
    size = round(width * rng.uniform(0.03, 0.042))
    label_colour = rng.choice(((70, 110, 170), (60, 60, 60), (30, 32, 36)))
    if maybe(rng, 0.35):
        _loose_back(sheet, rng, palette, holder, size)
        return sheet
    left, top, step = (
        width * rng.uniform(0.05, 0.1),
        height * rng.uniform(0.12, 0.18),
        height * rng.uniform(0.115, 0.135),
    )
    gap = rng.uniform(0.9, 1.8) * size
    joined = maybe(rng, 0.5)
    blank = rng.choice(("", " ", "  ", "   "))
    room = width * rng.uniform(0.56, 0.6)

    def put(x: float, y: float, label: str, parts: list[Part], limit: float) -> float:
        text = "".join(part.text for part in parts)
        if joined:
            small = shrink(font, label + blank + text, size, limit)
            return sheet.text(x, y, [Part(label + blank), *parts], font, small)
        end = sheet.text(x, y, label, font, round(size * 0.88), colour=label_colour)
        small = shrink(font, text, size, limit - (end - x) - gap)
        return sheet.text(end + gap, y, parts, font, small)

    y = top
    put(left, y, rng.choice(("姓名", "姓 名")), [Part(holder.name, sheet.entity("name", holder.name))], room)
    y += step
    end = put(left, y, rng.choice(("性别", "性 别")), [Part(holder.sex, sheet.entity("sex", holder.sex))], 0.5 * room)
    start = max(end + rng.uniform(1.0, 2.5) * size, left + 0.4 * room)
    put(
        start,
        y,
        rng.choice(("民族", "民 族")),
        [Part(holder.ethnicity, sheet.entity("ethnicity", holder.ethnicity))],
        left + 1.1 * room - start,
    )
    y += step
    key = sheet.entity("birth_date", holder.birth.isoformat())
    put(left, y, rng.choice(("出生", "出 生")), birth_parts(rng, holder.birth, key, rng.choice(("", " ", "  "))), room)
    y += step
    address = sheet.entity("address", holder.address)
    small = round(size * 0.95)
    head = "住址" if maybe(rng, 0.7) else "住 址"
    if joined:
        first = font.length(head + blank, small)
        pieces = font.broken(holder.address, small, room - first, room - first)
        for number, piece in enumerate(pieces):
            sheet.text(
                left + (first if number else 0),
                y,
                [Part("" if number else head + blank), Part(piece, address)],
                font,
                small,
            )
            y += 1.25 * small
    else:
        end = sheet.text(left, y, head, font, round(size * 0.88), colour=label_colour)
        y = sheet.wrapped(
            end + gap, y, Part(holder.address, address), font, small, width=left + room - end - gap, leading=1.25
        )
    y = max(y + 0.6 * size, height * rng.uniform(0.86, 0.92))
    code = Part(holder.number, sheet.entity("id_number", holder.number))
    digits = rng.choice((font, palette.ocr, palette.sans, palette.mono))
    label = rng.choice(("公民身份号码", "公民身份号码", "公 民 身 份 号 码"))
    if maybe(rng, 0.5):
        mark = rng.choice((" ", "  ", ""))
        sheet.text(
            left, y, [Part(label + mark), code], font, shrink(font, label + mark + holder.number, size, 0.88 * width)
        )
    else:
        end = sheet.text(left, y, label, font, round(size * 0.88), colour=label_colour) + size
        sheet.text(end, y, code, digits, shrink(digits, holder.number, size, 0.96 * width - end))
    sheet.height = max(height, int(y + 0.8 * size))
    if maybe(rng, 0.85):
        portrait(sheet, left + 1.12 * room, top - size, 0.92 * width - left - 1.12 * room, 0.55 * height, rng)
    return sheet


def _loose_back(sheet: Sheet, rng: random.Random, palette: Palette, holder: Person, size: int) -> None:
    width, height = sheet.width, sheet.height
    font = rng.choice((palette.hei, palette.hei_bold, palette.song))
    emblem(sheet, width * rng.uniform(0.12, 0.2), height * 0.25, height * 0.13)
    middle = width * rng.uniform(0.5, 0.6)
    for text, share, scale in (("中华人民共和国", 0.22, 1.3), ("居民身份证", 0.4, 1.8)):
        shown = rng.choice(("", " ", "  ")).join(text)
        sheet.text(
            middle, height * share, shown, font, shrink(font, shown, round(size * scale), 0.62 * width), anchor="m"
        )
    left = width * rng.uniform(0.1, 0.28)
    y = height * rng.uniform(0.68, 0.74)
    rows = [
        ("签发机关", [Part(holder.authority, sheet.entity("issuing_authority", holder.authority))]),
        ("有效期限", list(term_parts(sheet, rng, holder))),
    ]
    apart = maybe(rng, 0.5)
    blank = rng.choice((" ", "  ", ""))
    for label, parts in rows:
        if apart:
            end = sheet.text(left, y, label, font, round(size * 0.9)) + size
            text = "".join(part.text for part in parts)
            sheet.text(end, y, parts, font, shrink(font, text, size, 0.95 * width - end))
        else:
            text = label + blank + "".join(part.text for part in parts)
            sheet.text(left, y, [Part(label + blank), *parts], font, shrink(font, text, size, 0.95 * width - left))
        y += rng.uniform(1.6, 2.0) * size


@family("id_statement", "id_card", weight=0.8)
def id_statement(rng: random.Random, palette: Palette) -> Sheet:
    """A statement of who somebody is: name, sex, birth, address and number in a sentence or two."""
    area = chance.open_page(rng, palette, chinese=True, across=(22, 44))
    sheet, holder = area.sheet, person(rng)
    chance.titled(
        area,
        (
            "户籍证明",
            "身份证明",
            "个人身份说明",
            "人员信息核查结果",
            "实名认证告知",
            "居民身份信息证明",
            "身份核验结果通知",
        ),
    )
    birth = sheet.entity("birth_date", holder.birth.isoformat())
    name, sex = Part(holder.name, sheet.entity("name", holder.name)), Part(holder.sex, sheet.entity("sex", holder.sex))
    nation = Part(holder.ethnicity, sheet.entity("ethnicity", holder.ethnicity))
    address = Part(holder.address, sheet.entity("address", holder.address))
    number = Part(holder.number, sheet.entity("id_number", holder.number))
    day = Part(f"{holder.birth.year}年{holder.birth.month}月{holder.birth.day}日", birth)
    texts: tuple[list[Part | str], ...] = (
        [
            "兹证明",
            name,
            "，",
            sex,
            "，",
            nation,
            "族，",
            day,
            "出生，住址：",
            address,
            "，公民身份号码：",
            number,
            "。",
        ],
        [
            "姓名：",
            name,
            "，性别：",
            sex,
            "，民族：",
            nation,
            "，出生日期：",
            day,
            "，公民身份号码",
            number,
            "，户籍地址：",
            address,
            "。",
        ],
        [
            "经核查，",
            name,
            "（",
            sex,
            "，",
            day,
            "生，",
            nation,
            "族）的居民身份证号码为",
            number,
            "，住址为",
            address,
            "。",
        ],
        [
            "持证人",
            name,
            "，性别",
            sex,
            "，身份证号",
            number,
            "，出生于",
            day,
            "，民族",
            nation,
            "，现住",
            address,
            "。",
        ],
    )
    parts = [Part(piece) if isinstance(piece, str) else piece for piece in rng.choice(texts)]
    font, room = area.how.value_font, area.width - area.size
    area.y = lay(sheet, area.left, area.base(), parts, font, area.size, width=room, leading=1.6) + area.size
    if maybe(rng, 0.6):
        blocks.rows(area, pairs(sheet, rng, holder, front=False))
    if maybe(rng, 0.5):
        chance.prose_block(area)
    if maybe(rng, 0.6):
        area.line(companies.company_zh(rng), align="r")
        area.line(
            dates.format_date(rng, dates.date_between(rng, holder.start, date(2026, 6, 30)), "zh_long"), align="r"
        )
    return chance.close_page(area, least=0.5, most=1.4)
