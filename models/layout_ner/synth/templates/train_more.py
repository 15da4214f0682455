"""More train tickets: by chance, in tables, on screens with several parts, as mails, as narrow slips."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates import train_words as words
from models.layout_ner.synth.templates.labels import lay, maybe, shrink, text_of
from models.layout_ner.synth.templates.pair_blocks import Area
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.train_form import Ticket
from models.layout_ner.synth.templates.train_parts import ADVICE, NOTES, departure_parts, journey, serial, tinted
from models.layout_ner.synth.values import companies


def _note(area: Area) -> None:
    kind = area.rng.random()
    if kind < 0.4:
        area.line(pick(area.rng, f"{ADVICE}|{NOTES}"), align=area.rng.choice("lm"), size=max(10, area.size - 3))
    elif kind < 0.7:
        chance.rule(area)
    else:
        chance.prose_block(area, 1, 2)


@family("train_scrambled", "train_ticket", weight=2.2)
def train_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A journey's pairs in no known layout."""
    area = chance.open_page(rng, palette, chinese=True, across=rng.choice(((16, 28), (26, 46), (40, 70))))
    trip = journey(rng)
    if maybe(rng, 0.85):
        chance.titled(
            area, words.TITLES, owner=pick(rng, "中国铁路||12306|国铁吉讯|中国国家铁路集团") if maybe(rng, 0.4) else ""
        )
    entries = chance.mixed(rng, words.entries(area.sheet, rng, trip), words.others(rng, trip))
    chance.scramble(area, entries, interlude=_note)
    for _ in range(rng.randint(0, 2)):
        _note(area)
    return chance.close_page(area, least=0.3, most=rng.choice((0.4, 0.7, 1.5)))


def _way(area: Area, trip_parts: dict[str, Part], size: int) -> None:
    """Origin and destination with the train between, or all three in one run."""
    rng, sheet = area.rng, area.sheet
    bold = rng.choice((area.bold, area.how.value_font))
    y = area.y + 1.1 * size
    if maybe(rng, 0.3):
        mark = rng.choice((" → ", " - ", " 至 ", "—", " ⇀ ".replace("⇀", "→"), " > "))
        parts = [trip_parts["origin"], Part(mark), trip_parts["destination"]]
        if maybe(rng, 0.5):
            parts = [trip_parts["train"], Part(rng.choice(("  ", "次 ", " "))), *parts]
            trip_parts = {**trip_parts, "train": Part("")}
        size = shrink(bold, text_of(parts), size, area.width)
        sheet.text(area.left, y, parts, bold, size)
        if trip_parts["train"].text:
            y += 1.6 * area.size
            sheet.text(area.left, y, trip_parts["train"], area.how.value_font, area.size)
    else:
        size = shrink(bold, trip_parts["origin"].text + trip_parts["destination"].text + "国国国国国", size, area.width)
        sheet.text(area.left, y, trip_parts["origin"], bold, size)
        sheet.text(area.right, y, trip_parts["destination"], bold, size, anchor="r")
        sheet.text(
            area.left + area.width / 2, y, trip_parts["train"], area.how.value_font, min(size, area.size), anchor="m"
        )
    area.y = y + 0.7 * area.size


@family("train_card", "train_ticket", weight=1.2)
def train_card(rng: random.Random, palette: Palette) -> Sheet:
    """A screen's card: stations large at both sides or in one line, the other values in blocks below or above."""
    area = chance.open_page(rng, palette, chinese=True, across=(17, 30), fonts=("hei", "hei_bold", "song"))
    sheet, trip = area.sheet, journey(rng)
    texts = {"train": trip.train, "origin": trip.origin, "destination": trip.destination}
    parts = {name: Part(text, sheet.entity(name, text)) for name, text in texts.items()}
    entries = chance.mixed(
        rng, words.entries(sheet, rng, trip, without=("train", "origin", "destination")), words.others(rng, trip, 0, 4)
    )
    cut = rng.choice((0, 0, rng.randint(0, 3)))
    if maybe(rng, 0.6):
        area.line(pick(rng, "|".join(words.TITLES)), align=rng.choice("lm"), font=area.bold)
    if entries[:cut]:
        chance.scramble(area, entries[:cut], halves=0.0)
    _way(area, parts, round(area.size * rng.uniform(1.2, 1.9)))
    if maybe(rng, 0.5):
        clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
        area.line(pick(rng, f"历时 {rng.randint(1, 9)}小时|经停站|时刻表|{clock}到达|复兴号"), align="m")
    area.skip(0.4)
    if entries[cut:]:
        chance.scramble(area, entries[cut:], halves=0.1, interlude=_note)
    return chance.close_page(area, least=0.5, most=1.5)


@family("train_order", "train_ticket")
def train_order(rng: random.Random, palette: Palette) -> Sheet:
    """An order or statement of expenses: a table whose heads are the labels, one row below, other pairs around it."""
    area = chance.open_page(rng, palette, chinese=True, across=(48, 90), joined=0.3)
    sheet, trip = area.sheet, journey(rng)
    chance.titled(
        area,
        ("火车票订单", "出行明细", "差旅报销明细", "订票确认单", "车票清单", "铁路客票订单", "行程确认单"),
        owner=companies.company_zh(rng) if maybe(rng, 0.4) else "",
    )
    entries = words.entries(sheet, rng, trip)
    if maybe(rng, 0.5):
        rng.shuffle(entries)
    count = rng.randint(4, len(entries))
    inside, rest = entries[:count], chance.mixed(rng, entries[count:], words.others(rng, trip, 0, 6))
    cut = rng.randint(0, len(rest))
    if rest[:cut]:
        chance.scramble(area, rest[:cut])
    area.how.separator = ""
    if len(inside) > 6:
        blocks.heads(area, inside[:4], frame=maybe(rng, 0.7))
        blocks.heads(area, inside[4:], frame=maybe(rng, 0.7))
    else:
        blocks.heads(area, inside, frame=maybe(rng, 0.8))
    if rest[cut:]:
        chance.scramble(area, rest[cut:])
    if maybe(rng, 0.5):
        chance.prose_block(area)
    return chance.close_page(area, least=0.3, most=0.9)


@family("train_message", "train_ticket", weight=0.8)
def train_message(rng: random.Random, palette: Palette) -> Sheet:
    """A message or mail that says the journey in a sentence or two."""
    area = chance.open_page(rng, palette, chinese=True, across=(18, 44), fonts=("hei", "song", "kai"))
    sheet, trip = area.sheet, journey(rng)
    key = sheet.entity("departure", trip.leaves.isoformat(timespec="minutes"))
    day, clock = departure_parts(rng, trip.leaves)
    price = f"{trip.price:.1f}"

    def part(name: str, text: str, value: str | None = None) -> Part:
        return Part(text, sheet.entity(name, value or text))

    when = [Part(day.replace(" ", ""), key), Part(rng.choice(("", " "))), Part(clock, key)]
    way = [
        part("origin", trip.origin),
        Part(rng.choice(("站", "", "-", "站至", "→"))),
        part("destination", trip.destination),
    ]
    seat = part("seat", trip.carriage + trip.place)
    train, money, who = (
        part("train", trip.train),
        part("price", price, str(trip.price)),
        part("passenger", trip.passenger),
    )
    number = Part(coded(rng, "E#########"))
    texts: tuple[list[Part | str], ...] = (
        [
            "【铁路客服】订单",
            number,
            "，",
            who,
            "您已购",
            *when,
            "开",
            train,
            "次",
            seat,
            "，",
            *way,
            "，票价",
            money,
            "元。请持证件进站。",
        ],
        [
            who,
            "您好，您预订的",
            train,
            "次列车（",
            *way,
            "）已出票，乘车时间：",
            *when,
            "，座位：",
            seat,
            "，金额：¥",
            money,
            "。",
        ],
        [
            "乘车提醒：",
            *when,
            "，",
            *way,
            "，",
            train,
            "次，",
            seat,
            "，乘车人",
            who,
            "，票款",
            money,
            "元，祝您旅途愉快。",
        ],
        [
            "尊敬的旅客",
            who,
            "，您购买的",
            *way,
            train,
            "次车票（",
            seat,
            "，",
            f"{trip.kind}，",
            money,
            "元）已支付成功，开车时间",
            *when,
            "。",
        ],
    )
    if maybe(rng, 0.6):
        area.line(
            pick(rng, "铁路12306|购票成功|出票通知|订单提醒|短信|1065810"), align=rng.choice("lm"), font=area.bold
        )
        area.skip(0.4)
    parts = [Part(piece) if isinstance(piece, str) else piece for piece in rng.choice(texts)]
    last = lay(
        sheet, area.left, area.base(), parts, area.how.value_font, area.size, width=area.width - area.size, leading=1.5
    )
    area.y = last + 1.2 * area.size
    for _ in range(rng.randint(0, 2)):
        _note(area)
    if maybe(rng, 0.5):
        blocks.rows(area, words.others(rng, trip, 1, 3))
    return chance.close_page(area, least=0.4, most=1.4)


@family("train_strip", "train_ticket")
def train_strip(rng: random.Random, palette: Palette) -> Sheet:
    """A paper ticket of another print: train first or last, price before the day, person at any place."""
    width = rng.randint(700, 1400)
    paper = rng.choice(((252, 238, 238), (228, 240, 250), (255, 255, 255), (246, 250, 240), (252, 246, 230)))
    sheet = Sheet(width, round(width * rng.uniform(0.56, 0.7)), paper=paper)
    if maybe(rng, 0.7):
        tinted(sheet, rng, tuple(max(0, value - 22) for value in paper))  # type: ignore[arg-type]  # still three
    trip = journey(rng, 2005, 2026)
    ticket = Ticket(
        sheet, rng, rng.choice((palette.song, palette.hei, palette.kai, palette.hei_bold)), width / 100, trip
    )
    size = rng.uniform(3.0, 3.8)
    rows = ["stations", "moment", "price", "seat", "person", "note"]
    if maybe(rng, 0.6):
        first, rest = rows[:1], rows[1:]
        rng.shuffle(rest)
        rows = first + rest if maybe(rng, 0.6) else rest[:2] + first + rest[2:]
    if maybe(rng, 0.7):
        rows.insert(0, "serial")
    step = min((sheet.height / ticket.u - 12) / (len(rows) + 1.2), size * 3.2)
    size = min(size, step / 1.75)
    y = 8 + size
    left = rng.uniform(5, 10)
    for row in rows:
        if row == "serial":
            ticket.put(left if maybe(rng, 0.7) else 60, y, serial(rng), size, room=32)
        elif row == "stations":
            y += 0.4 * size
            if maybe(rng, 0.5):
                ticket.stations(
                    y,
                    size * 1.3,
                    left + 2,
                    92,
                    suffix=rng.choice(("站", "")),
                    apart=maybe(rng, 0.3),
                    spelled=False,
                    colour=(60, 60, 60),
                )
            else:
                run = [
                    ticket.named("origin", trip.origin),
                    Part(rng.choice((" 至 ", " → ", "—", " 到 ", "  "))),
                    ticket.named("destination", trip.destination),
                ]
                end = ticket.put(left, y, run, size * 1.3, room=56)
                ticket.put(
                    max(end + 3, 70),
                    y,
                    [ticket.named("train", trip.train), Part(rng.choice(("次", "", " 次")))],
                    size * 1.2,
                    room=22,
                )
        elif row == "moment":
            ticket.moment(y, left, size, apart=maybe(rng, 0.4), ending=rng.choice(("开", "", " 开", "发车")))
            if maybe(rng, 0.5):
                ticket.put(94, y, trip.kind, size, anchor="r", room=24)
        elif row == "price":
            ticket.price(left, y, size, label=rng.choice(("", "票价", "票价：", "全价 ", "金额 ")))
            if maybe(rng, 0.4):
                ticket.put(60, y, pick(rng, "网|学|孩|优惠|始发改签"), size, room=20)
        elif row == "seat":
            ticket.seat(left if maybe(rng, 0.6) else 55, y, size, apart=maybe(rng, 0.3))
        elif row == "person":
            ticket.person(
                left,
                y,
                size,
                number=trip.masked if maybe(rng, 0.8) else trip.id_number,
                name_first=maybe(rng, 0.4),
                apart=maybe(rng, 0.5),
            )
        else:
            ticket.put(left, y, pick(rng, f"{NOTES}|{ADVICE}"), size * 0.9, room=60)
        y += step
    if maybe(rng, 0.6):
        ticket.put(
            left, y, coded(rng, "####################") + rng.choice(("", f" {trip.origin}售")), size * 0.8, room=66
        )
    return sheet


@family("train_slip_boxes", "train_ticket")
def train_slip_boxes(rng: random.Random, palette: Palette) -> Sheet:
    """A confirmation in boxes: each value under its label or beside it, two to four in a row."""
    area = chance.open_page(rng, palette, chinese=True, across=(32, 60), joined=0.1)
    trip = journey(rng)
    chance.titled(area, words.TITLES)
    entries = chance.mixed(rng, words.entries(area.sheet, rng, trip), words.others(rng, trip, 1, 6))
    way = rng.choice(("boxes", "under", "cells", "tab"))
    wide = area.width / area.size
    columns = rng.choice((2, 3, 4) if wide > 44 else (2, 3))
    if way == "cells":
        blocks.cells(area, entries, min(columns, 3))
    elif way == "tab":
        blocks.rows(area, entries, min(columns, 2), "tab")
    else:
        blocks.under(area, entries, columns, framed=way == "boxes")
    if maybe(rng, 0.5):
        inner = replace(area, width=0.9 * area.width)
        chance.prose_block(inner)
        area.y = inner.y
    return chance.close_page(area, least=0.3, most=1.2)
