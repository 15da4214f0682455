"""Train tickets kept for validation: layouts that no training family has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.parts import coded, maybe, pick
from models.layout_ner.synth.templates.train_form import Ticket
from models.layout_ner.synth.templates.train_parts import ADVICE, departure_parts, journey, serial, tinted


@family("val_train_early", "train_ticket", split="val")
def val_train_early(rng: random.Random, palette: Palette) -> Sheet:
    """An early paper ticket: the train first, both stations in one run, seat below the price."""
    width = rng.randint(700, 1300)
    sheet = Sheet(width, round(width * 0.62), paper=(252, 240, 238))
    tinted(sheet, rng, (244, 214, 214))
    ticket = Ticket(sheet, rng, rng.choice((palette.song, palette.hei)), width / 100, journey(rng, 2004, 2012))
    trip, size = ticket.trip, rng.uniform(3.4, 4.0)
    y = 9.0
    ticket.put(92, y, serial(rng), size, anchor="r", room=30)
    ticket.put(7, y, [ticket.named("train", trip.train), Part("次")], size * 1.3, room=26)
    y += size * 2.2
    ends = [
        ticket.named("origin", trip.origin),
        Part(rng.choice((" → ", "—>", " 至 ", "→"))),
        ticket.named("destination", trip.destination),
    ]
    ticket.put(50, y, ends, size * 1.4, anchor="m", room=80)
    y += size * 2.1
    ticket.moment(y, 7, size, apart=maybe(rng, 0.5))
    ticket.put(92, y, trip.kind, size, anchor="r", room=26)
    y += size * 1.8
    ticket.price(7, y, size, label=rng.choice(("全价", "票价", "")))
    ticket.seat(92, y, size, anchor="r")
    y += size * 1.8
    ticket.put(7, y, pick(rng, "在3日内到有效|限乘当日当次车|中途下车失效"), size)
    y += size * 1.9
    ticket.person(7, y, size, number=trip.masked, name_first=True, apart=True)
    y += size * 2.2
    ticket.put(7, y, coded(rng, "####################"), size * 0.8, room=60)
    return sheet


@family("val_train_itinerary", "train_ticket", split="val")
def val_train_itinerary(rng: random.Random, palette: Palette) -> Sheet:
    """A confirmation as a table: labels in one row, values below."""
    width = rng.randint(900, 1500)
    sheet = Sheet(width, 100)
    ticket = Ticket(sheet, rng, rng.choice((palette.hei, palette.song)), width / 100, journey(rng, 2018, 2026))
    trip, size = ticket.trip, rng.uniform(1.9, 2.4)
    day, clock = departure_parts(rng, trip.leaves)
    key = sheet.entity("departure", trip.leaves.isoformat(timespec="minutes"))
    y = rng.uniform(6, 9)
    ticket.put(6, y, pick(rng, "铁路出行确认单|火车票订单|客票信息"), size * 1.5, font=palette.hei_bold)
    y += size * 3
    groups: list[list[tuple[str, list[Part]]]] = [
        [
            ("乘客", [ticket.named("passenger", trip.passenger)]),
            ("证件", [ticket.named("id_number", trip.id_number if maybe(rng, 0.5) else trip.masked)]),
            ("订单", [Part(coded(rng, "@@#######"))]),
        ],
        [
            ("车次", [ticket.named("train", trip.train)]),
            ("出发", [ticket.named("origin", trip.origin)]),
            ("到达", [ticket.named("destination", trip.destination)]),
        ],
        [
            ("出发时间", [Part(day, key), Part(" "), Part(clock, key)]),
            ("车厢座位", [Part(trip.carriage + trip.place, sheet.entity("seat", trip.carriage + trip.place))]),
            ("席别", [Part(trip.kind)]),
        ],
    ]
    price = f"{trip.price:.2f}"
    groups.append(
        [
            ("票价", [Part("¥"), ticket.named("price", price, str(trip.price))]),
            ("状态", [Part(pick(rng, "已出票|已支付|未检票"))]),
            ("检票口", [Part(coded(rng, "#@"))]),
        ]
    )
    for group in groups:
        for column, (label, parts) in enumerate(group):
            x = 6 + column * 31
            ticket.put(x, y, label, size * 0.85, colour=(120, 120, 130), room=28)
            ticket.put(x, y + size * 1.6, parts, size, room=29)
        y += size * 4.2
        sheet.rule(
            6 * ticket.u, (y - 1.9 * size) * ticket.u, 96 * ticket.u, (y - 1.9 * size) * ticket.u, 1, (200, 200, 205)
        )
    ticket.put(6, y + size, pick(rng, ADVICE), size * 0.85)
    sheet.height = int((y + size * 4) * ticket.u)
    return sheet
