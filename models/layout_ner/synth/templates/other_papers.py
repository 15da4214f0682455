"""More pages of no known type: cards of clubs, transcripts, minutes, timetables, contracts, pay slips, screens."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bank_facts import chip, face
from models.layout_ner.synth.templates.bank_facts import page as card_page
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.marks import squares
from models.layout_ner.synth.templates.other_kit import (
    address,
    day,
    firm,
    lines_table,
    page,
    person,
    phone,
    thing,
)
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import identifiers, money, people, places


@family("club_card", None, weight=1.5)
def club_card(rng: random.Random, palette: Palette) -> Sheet:
    """A member's, gift, library, visitor's or business card: shaped like a bank card, but of no bank."""
    sheet, x, y, width = card_page(rng)
    card = face(sheet, rng, palette, x, y, width)
    zh = maybe(rng, 0.6)
    names = (
        (
            "会员卡|贵宾卡|积分卡|借书证|购物卡|VIP卡|储值卡|礼品卡|健身卡|公交卡|房卡|代金券|名片|工作证|"
            "学生证|停车卡|洗车卡"
        )
        if zh
        else (
            "MEMBER CARD|VIP|Gift Card|Library Card|LOYALTY CARD|Visitor|Room Key|TRANSIT CARD|STAFF|Store "
            "Card|Rewards|PRIVILEGE CARD"
        )
    )
    number = coded(
        rng,
        rng.choice(
            ("NO. ########", "#### ####", "@@######", "No.##########", "8### #### ####", "ID: ######", "## ### ###")
        ),
    )
    holder = people.chinese_name(rng) if zh else people.english_name(rng)
    firm_name = (
        (places.city_zh(rng) + pick(rng, "百货|超市|健身会所|图书馆|酒店|美容院|影城|大学"))
        if zh
        else f"{prose.title_en(rng, 1, 2)} {pick(rng, 'Club|Hotel|Stores|Library|Gym|University')}"
    )
    pieces = [firm_name, pick(rng, names), number]
    pieces += rng.sample(
        (
            holder,
            pick(rng, "有效期至 |有效期：|VALID UNTIL |Expires " if zh else "VALID UNTIL |Expires |Exp ")
            + f"{rng.randint(1, 12):02d}/{rng.randint(20, 35)}",
            identifiers.phone_zh(rng) if zh else identifiers.phone_en(rng),
            pick(
                rng,
                "本卡最终解释权归本店所有|凭卡消费享八折|遗失不补|请妥善保管|欢迎光临"
                if zh
                else "Terms apply|Not a credit card|Present this card|Welcome",
            ),
            f"￥{rng.choice((50, 100, 200, 500, 1000))}" if zh else f"${rng.choice((10, 25, 50, 100))}",
            pick(rng, "总经理|销售经理|金卡会员|普通会员|临时" if zh else "Manager|Gold|Silver|Temporary|Director"),
            places.city_zh(rng) + "市" if zh else prose.title_en(rng, 1, 2),
        ),
        rng.randint(1, 5),
    )
    rng.shuffle(pieces)
    if maybe(rng, 0.3):
        chip(card, 0.82, 0.1)
    step = 0.86 / len(pieces)
    home = rng.choice(((0.08, "l"), (0.5, "m"), (0.08, "l")))
    for index, text in enumerate(pieces):
        across, anchor = home if maybe(rng, 0.7) else rng.choice(((0.5, "m"), (0.92, "r"), (0.1, "l")))
        most = 0.7 if anchor == "l" and index == 0 else 0.84
        card.write(
            across,
            0.15 + step * index,
            text,
            rng.choice((card.bold, card.plain, card.figures)),
            rng.uniform(0.026, 0.055),
            anchor=anchor,
            most=most,
        )
    return sheet


@family("timetable", None)
def timetable(rng: random.Random, palette: Palette) -> Sheet:
    """A timetable of trains, buses or lessons: places, numbers and times in rows, but nobody's journey."""
    area = page(rng, palette, (34, 70))
    zh = area.chinese
    chance.titled(
        area,
        ("列车时刻表", "课程表", "公交线路时刻表", "值班表", "航班动态", "候车信息", "作息时间表", "赛程表")
        if zh
        else ("Train Timetable", "DEPARTURES", "Class Schedule", "Bus Times", "Arrivals", "Duty Roster", "Fixtures"),
    )
    kind = rng.random()

    def clock() -> str:
        return f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"

    place = places.railway_station if zh else (lambda random_: prose.title_en(random_, 1, 2))
    if kind < 0.6:
        heads = ["车次", "始发站", "终到站", "开点", "到点"] if zh else ["Train", "From", "To", "Dep.", "Arr."]
        rows = [
            [identifiers.train_number(rng), place(rng), place(rng), clock(), clock()] for _ in range(rng.randint(5, 22))
        ]
    else:
        heads = ["时间", "周一", "周二", "周三"] if zh else ["Time", "Mon", "Tue", "Wed"]
        rows = [
            [clock(), *(prose.characters(rng, 2, 4) if zh else prose.title_en(rng, 1, 1) for _ in range(3))]
            for _ in range(rng.randint(4, 10))
        ]
    lines_table(area, heads, rows)
    if maybe(rng, 0.5):
        chance.prose_block(area)
    return chance.close_page(area, least=0.5, most=1.4)


@family("screen", None)
def screen(rng: random.Random, palette: Palette) -> Sheet:
    """A telephone's or program's screen: chats, settings, lists, weather, news."""
    area = page(rng, palette, (16, 32))
    zh = area.chinese
    area.line(f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}", size=max(10, area.size - 4))
    chance.heading(area, (prose.characters(rng, 2, 6) if zh else prose.title_en(rng, 1, 3)), 1.2, rng.choice("lm"))
    kind = rng.choice(("chat", "settings", "list"))
    for _ in range(rng.randint(4, 14)):
        if kind == "chat":
            inner = replace(area, left=area.left + rng.choice((0.0, 0.2)) * area.width, width=0.8 * area.width)
            inner.block(prose.sentence_zh(rng) if zh else prose.sentence_en(rng, 3, 12))
            area.y = inner.y + 0.4 * area.size
        elif kind == "settings":
            value = rng.choice((">", "ON", "12", "已开启" if zh else "Off", coded(rng, "#.#")))
            blocks.rows(
                area, [Entry(prose.characters(rng, 2, 6) if zh else prose.title_en(rng, 1, 3), value)], 1, "ends"
            )
        else:
            area.line(thing(area) if maybe(rng, 0.5) else (person(area)), font=area.bold)
            area.line(
                rng.choice((phone(area), day(area), address(area)))[: 30 if zh else 44], size=max(10, area.size - 3)
            )
            chance.rule(area)
    return chance.close_page(area, least=0.8, most=2.0)


@family("advert", None, weight=0.8)
def advert(rng: random.Random, palette: Palette) -> Sheet:
    """A leaflet, coupon or invitation: large words, prices, dates, an address, a code to scan."""
    area = page(rng, palette, (18, 36))
    zh = area.chinese
    for _ in range(rng.randint(3, 9)):
        text = rng.choice(
            (
                prose.characters(rng, 3, 10) if zh else prose.title_en(rng, 1, 4),
                thing(area),
                f"{'￥' if zh else '$'}{money.amount(rng, 1, 500)}",
                day(area),
                firm(area),
                pick(
                    rng,
                    "限时特价|买一送一|新店开业|敬请光临|满100减20|邀请函|优惠券"
                    if zh
                    else "SALE|50% OFF|Grand Opening|Free entry|You are invited|COUPON",
                ),
            )
        )
        chance.heading(area, text, rng.uniform(0.9, 2.2), rng.choice("mml"))
        if maybe(rng, 0.3):
            chance.prose_block(area, 1, 2)
    blocks.rows(area, [Entry("地址" if zh else "Address", address(area)), Entry("电话" if zh else "Call", phone(area))])
    if maybe(rng, 0.5):
        squares(area.sheet, area.left, area.y, 5 * area.size, rng)
        area.skip(6)
    return chance.close_page(area, least=0.6, most=1.5)
