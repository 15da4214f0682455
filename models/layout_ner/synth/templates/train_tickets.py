"""Chinese train tickets for training: paper ones, red and blue, and electronic ones."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet
from models.layout_ner.synth.templates.parts import coded, maybe, pick
from models.layout_ner.synth.templates.train_form import Ticket
from models.layout_ner.synth.templates.train_parts import (
    ADVICE,
    NOTES,
    arrow,
    departure_parts,
    journey,
    serial,
    tinted,
)
from models.layout_ner.synth.values import companies, dates, identifiers

RED: Colour = (205, 60, 70)


def paper_ticket(rng: random.Random, palette: Palette, *, red: bool) -> Sheet:
    """A paper ticket: the red one (thermal print, number at the top left) or the blue magnetic one."""
    width = rng.randint(700, 1500)
    sheet = Sheet(width, round(width * rng.uniform(0.6, 0.66)), paper=(253, 238, 236) if red else (228, 240, 250))
    tinted(sheet, rng, (247, 222, 222) if red else (210, 228, 244))
    font = rng.choice((palette.song, palette.hei, palette.song))
    ticket = Ticket(sheet, rng, font, width / 100, journey(rng, 2009, 2020))
    trip, size = ticket.trip, rng.uniform(3.1, 3.7)
    left, y = rng.uniform(5, 9), rng.uniform(7, 10)
    ticket.put(
        left,
        y,
        serial(rng),
        size * 1.15,
        colour=RED,
        font=rng.choice((palette.sans, palette.serif, palette.mono)),
        room=30,
    )
    if maybe(rng, 0.6):
        ticket.put(
            92,
            y,
            rng.choice(
                (
                    f"检票:{coded(rng, '##')}{rng.choice('AB')}",
                    f"检票口{coded(rng, '#')}{rng.choice('AB')}",
                    f"候车室{coded(rng, '#')}",
                    f"{trip.origin}售",
                )
            ),
            size,
            anchor="r",
            room=34,
        )
    y += rng.uniform(7, 8.5)
    ticket.stations(
        y,
        size * rng.uniform(1.25, 1.5),
        left + 3,
        93,
        suffix=rng.choice(("站", "站", "")),
        apart=maybe(rng, 0.5),
        spelled=red and maybe(rng, 0.8),
        colour=INK,
    )
    y += size * rng.uniform(2.4, 2.9)
    ticket.moment(y, left + 1, size, apart=maybe(rng, 0.4))
    ticket.seat(66, y, size, apart=maybe(rng, 0.4))
    y += size * rng.uniform(1.5, 1.8)
    ticket.price(left + 1, y, size)
    if maybe(rng, 0.6):
        ticket.put(48, y, rng.choice(("网", "学惠", "惠", "折", "孩", "网  学")), size, room=12)
    ticket.put(66, y, trip.kind, size, room=24)
    y += size * rng.uniform(1.5, 1.8)
    ticket.put(left + 1, y, pick(rng, NOTES), size * 0.95, room=56)
    has_person = maybe(rng, 0.93)
    if has_person:
        y += size * rng.uniform(1.6, 2.2)
        ticket.person(left + 1, y, size, number=trip.masked, name_first=maybe(rng, 0.1), apart=maybe(rng, 0.4))
    if maybe(rng, 0.7):
        y += size * 1.9
        for line in rng.sample(ADVICE.split("|"), 2):
            ticket.put(left + 8, y, line, size * 0.9, room=52)
            y += size * 1.25
    foot = sheet.height / ticket.u - rng.uniform(2, 4)
    if foot > y + 1:
        tail = f"{coded(rng, '####################')}{rng.choice(('', ' ' + trip.origin + '售', ' JM'))}"
        ticket.put(left, foot, tail, size * 0.9, room=62)
    return sheet


@family("train_red", "train_ticket")
def train_red(rng: random.Random, palette: Palette) -> Sheet:
    """The red paper ticket."""
    return paper_ticket(rng, palette, red=True)


@family("train_blue", "train_ticket")
def train_blue(rng: random.Random, palette: Palette) -> Sheet:
    """The blue magnetic ticket."""
    return paper_ticket(rng, palette, red=False)


@family("train_invoice", "train_ticket")
def train_invoice(rng: random.Random, palette: Palette) -> Sheet:
    """The electronic invoice of a railway ticket (2024 on), as a PDF page."""
    width = rng.randint(1000, 1600)
    sheet = Sheet(width, round(width * rng.uniform(0.6, 0.68)))
    ticket = Ticket(sheet, rng, rng.choice((palette.song, palette.hei)), width / 100, journey(rng, 2024, 2026))
    trip, size = ticket.trip, rng.uniform(1.9, 2.3)
    left = rng.uniform(5, 10)
    red: Colour = rng.choice(((150, 40, 36), (40, 40, 40)))
    title = rng.choice(("电子发票（铁路电子客票）", "电子发票(铁路电子客票)"))
    y = rng.uniform(6, 8)
    ticket.put(
        50, y, title, size * 1.5, anchor="m", colour=red, font=rng.choice((palette.kai, palette.hei_bold)), room=44
    )
    y += rng.uniform(4, 6)
    day = dates.format_date(rng, trip.leaves.date(), "zh_long")
    ticket.put(left, y, f"发票号码:{identifiers.invoice_number(rng, True)}", size)
    ticket.put(94, y, f"开票日期:{day}", size, anchor="r")
    y += rng.uniform(7, 9)
    ticket.stations(
        y,
        size * rng.uniform(1.7, 2.1),
        left + 8,
        88,
        suffix=rng.choice(("站", "站", "")),
        apart=False,
        spelled=maybe(rng, 0.8),
        colour=red,
    )
    y += rng.uniform(6, 8)
    ticket.moment(y, left + 3, size, apart=maybe(rng, 0.5))
    ticket.seat(50, y, size, apart=maybe(rng, 0.3))
    ticket.put(78, y, trip.kind, size, room=18)
    y += rng.uniform(4, 5)
    ticket.price(left + 3, y, size, label=rng.choice(("票价:", "票价：", "票价: ")))
    if maybe(rng, 0.4):
        ticket.put(60, y, pick(rng, "学生票|退票费:￥20.00|始发改签|变更到站|优惠"), size)
    y += rng.uniform(4.5, 6)
    ticket.person(
        left + 3,
        y,
        size,
        number=trip.masked if maybe(rng, 0.85) else trip.id_number,
        name_first=maybe(rng, 0.15),
        apart=maybe(rng, 0.7),
    )
    y += rng.uniform(4, 5)
    ticket.put(left + 3, y, f"电子客票号:{coded(rng, '####################')}", size)
    y += rng.uniform(3.5, 4.5)
    buyer = companies.company_zh(rng) if maybe(rng, 0.7) else trip.passenger
    ticket.put(left, y, f"购买方名称:{buyer}", size, room=44)
    ticket.put(
        left + 48,
        y,
        f"统一社会信用代码:{identifiers.credit_code(rng) if buyer != trip.passenger else ''}",
        size,
        room=42,
    )
    y += rng.uniform(3.5, 4.5)
    ticket.put(
        left, y, pick(rng, "买票请到12306 发货请到95306 中国铁路祝您旅途愉快|买票请到12306 发货请到95306"), size * 0.9
    )
    return sheet


@family("train_slip", "train_ticket")
def train_slip(rng: random.Random, palette: Palette) -> Sheet:
    """The slip for expenses of an electronic ticket: labels before the values, narrow paper."""
    width = rng.randint(520, 900)
    sheet = Sheet(width, 100)
    ticket = Ticket(
        sheet, rng, rng.choice((palette.song, palette.hei, palette.hei_bold)), width / 100, journey(rng, 2019, 2026)
    )
    trip, size, colon = ticket.trip, rng.uniform(3.8, 5.0), rng.choice((":", "：", " "))
    y = rng.uniform(8, 14)
    ticket.put(
        50,
        y,
        pick(rng, "铁路电子客票|行程信息提示|铁路电子客票报销凭证|购票信息单|行程单"),
        size * 1.3,
        anchor="m",
        room=80,
    )
    y += size * 2.2
    key = sheet.entity("departure", trip.leaves.isoformat(timespec="minutes"))
    day, clock = departure_parts(rng, trip.leaves)
    seat = sheet.entity("seat", f"{trip.carriage}{trip.place}")
    price = f"{trip.price:.1f}"
    rows: list[tuple[str, list[Part]]] = [
        (pick(rng, "车次|列车车次|车 次"), [ticket.named("train", trip.train)]),
        (
            pick(rng, "出发站|始发站|发站|乘车站|出发地"),
            [ticket.named("origin", trip.origin), Part(rng.choice(("", "站")))],
        ),
        (
            pick(rng, "到达站|终到站|到站|目的地"),
            [ticket.named("destination", trip.destination), Part(rng.choice(("", "站")))],
        ),
        (pick(rng, "开车时间|发车时间|乘车时间|出发时间|乘车日期"), [Part(day, key), Part(" "), Part(clock, key)]),
        (pick(rng, "席位|座位|座位号|车厢座位"), [Part(trip.carriage + trip.place, seat)]),
        (pick(rng, "席别|座席|座位类型"), [Part(trip.kind)]),
        (
            pick(rng, "票价|票款|金额|价格"),
            [
                Part(rng.choice(("￥", "¥", ""))),
                ticket.named("price", price, str(trip.price)),
                Part(rng.choice(("元", ""))),
            ],
        ),
        (pick(rng, "乘车人|旅客姓名|姓名|乘客"), [ticket.named("passenger", trip.passenger)]),
        (pick(rng, "证件号码|身份证号|有效证件号|证件号"), [ticket.named("id_number", trip.masked)]),
        (pick(rng, "订单号|票号|电子票号"), [Part(coded(rng, "@@########"))]),
        (pick(rng, "检票口|检票"), [Part(coded(rng, "##") + rng.choice("AB"))]),
    ]
    rows = rows[: rng.randint(9, 11)]
    if maybe(rng, 0.5):
        rng.shuffle(rows)
    tab = rng.choice((0.0, 0.0, 30.0))
    for label, parts in rows:
        parts = [part for part in parts if part.text]
        if tab:
            ticket.put(8, y, label + colon.strip(), size, room=tab - 9)
            ticket.put(8 + tab, y, parts, size, room=84 - tab)
        else:
            ticket.put(8, y, [Part(label + colon), *parts], size, room=84)
        y += size * rng.uniform(1.45, 1.6)
    ticket.put(50, y + size, pick(rng, ADVICE), size * 0.9, anchor="m", room=80)
    sheet.height = int((y + size * 3) * ticket.u)
    return sheet


@family("train_screen", "train_ticket")
def train_screen(rng: random.Random, palette: Palette) -> Sheet:
    """An electronic ticket on a telephone's screen: times above stations, the train between."""
    width = rng.randint(640, 1100)
    sheet = Sheet(width, round(width * rng.uniform(0.75, 1.5)), paper=(250, 251, 253))
    ticket = Ticket(sheet, rng, palette.hei, width / 100, journey(rng, 2019, 2026))
    trip, size = ticket.trip, rng.uniform(3.2, 4.2)
    y = rng.uniform(8, 16)
    ticket.put(
        50, y, pick(rng, "电子客票|车票详情|订单详情|我的车票|本人车票"), size * 1.1, anchor="m", font=palette.hei_bold
    )
    y += size * 2.6
    key = sheet.entity("departure", trip.leaves.isoformat(timespec="minutes"))
    day, clock = departure_parts(rng, trip.leaves)
    week = rng.choice("一二三四五六日")
    ticket.put(
        7,
        y,
        [Part(day, key), Part(f" {rng.choice(('周', '星期'))}{week}")] if maybe(rng, 0.6) else Part(day, key),
        size,
        room=50,
    )
    y += size * 2.4
    arrives = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    ticket.put(7, y, Part(clock, key), size * 1.5, room=22)
    ticket.put(93, y, arrives, size * 1.5, anchor="r", room=22)
    ticket.put(50, y, ticket.named("train", trip.train), size, anchor="m", room=20)
    arrow(sheet, 40 * ticket.u, 60 * ticket.u, (y + 0.9 * size) * ticket.u, (120, 140, 180))
    y += size * 2.0
    ticket.put(7, y, ticket.named("origin", trip.origin), size, room=30)
    ticket.put(93, y, ticket.named("destination", trip.destination), size, anchor="r", room=30)
    y += size * 2.6
    ticket.put(7, y, ticket.named("passenger", trip.passenger), size, room=34)
    ticket.put(93, y, trip.kind, size, anchor="r", room=26)
    y += size * 1.7
    ticket.put(
        7, y, [Part(pick(rng, "|二代身份证 |身份证 ")), ticket.named("id_number", trip.masked)], size * 0.9, room=52
    )
    ticket.seat(93, y, size, anchor="r")
    y += size * 2.2
    ticket.price(7, y, size, label=rng.choice(("票价 ", "", "票价：")))
    ticket.put(93, y, pick(rng, "已支付|已出票|未出行|检票口 A12|成人票"), size, anchor="r", room=26)
    y += size * 2.2
    if y + size < sheet.height / ticket.u:
        ticket.put(7, y, f"订单号 {coded(rng, '@#########')}", size * 0.9, room=50)
    return sheet
