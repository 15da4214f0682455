"""A railway journey, and the pieces that Chinese train tickets print it with."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from PIL import Image, ImageDraw

from models.layout_ner.synth.sheet import Colour, Sheet
from models.layout_ner.synth.templates.parts import coded, maybe
from models.layout_ner.synth.values import dates, identifiers, people, places, words

CLASSES = (
    "二等座",
    "二等座",
    "二等座",
    "一等座",
    "商务座",
    "特等座",
    "新空调硬座",
    "硬座",
    "新空调硬卧",
    "硬卧",
    "新空调软卧",
    "软卧",
    "动卧",
    "无座",
    "优选一等座",
)
NOTES = (
    "限乘当日当次车|限乘当日当次车在2日内到有效|限乘当日当次车，中途下车失效|限当日当次车，在三日内到有效|网|检票进站"
)
ADVICE = "买票请到12306 发货请到95306|中国铁路祝您旅途愉快|报销凭证 遗失不补|退票、改签时须交回车站|仅供报销使用"


@dataclass(slots=True, frozen=True)
class Journey:
    """What a ticket says. ``seat`` is carriage and place as printed; ``id_number`` is masked on paper tickets."""

    train: str
    origin: str
    destination: str
    leaves: datetime
    carriage: str
    place: str
    kind: str
    price: Decimal
    passenger: str
    id_number: str
    masked: str


def journey(rng: random.Random, first: int = 2009, last: int = 2026) -> Journey:
    """Invent a journey."""
    origin = places.railway_station(rng)
    destination = places.railway_station(rng)
    while destination == origin:
        destination = places.railway_station(rng)
    day = dates.date_between(rng, date(first, 1, 1), date(last, 6, 30))
    leaves = datetime.combine(day, time(rng.randint(0, 23), rng.randint(0, 59)))
    train = identifiers.train_number(rng)
    fast = train[0] in "GDC"
    kind = rng.choice(CLASSES[:6] if fast else CLASSES[6:])
    place = f"{rng.randint(1, 20):02d}{rng.choice('ABCDF')}号" if fast else f"{rng.randint(1, 118):03d}号"
    if kind.endswith("卧"):
        place = f"{rng.randint(1, 20):02d}号{rng.choice('上中下')}铺"
    if kind == "无座":
        place = "无座"
    birth = day - timedelta(days=rng.randint(6 * 366, 85 * 365))
    number = identifiers.resident_id(rng, birth, maybe(rng, 0.5), places.region(rng))
    price = Decimal(rng.randint(10, 3000)) / 2
    name = people.chinese_name(rng) if maybe(rng, 0.96) else people.english_name(rng).upper()
    return Journey(
        train,
        origin,
        destination,
        leaves,
        f"{rng.randint(1, 18):02d}车" if maybe(rng, 0.97) else "加1车",
        place,
        kind,
        price,
        name,
        number,
        f"{number[:10]}****{number[14:]}",
    )


def departure_parts(rng: random.Random, leaves: datetime) -> tuple[str, str]:
    """Date and time as tickets print them."""
    day = rng.choice(
        (
            f"{leaves:%Y年%m月%d日}",
            f"{leaves:%Y年%m月%d日}",
            f"{leaves:%Y 年 %m 月 %d 日}",
            f"{leaves.year}年{leaves.month}月{leaves.day}日",
        )
    )
    return day, f"{leaves:%H:%M}"


_INITIALS = words("B C D F G H J K L M N P Q R S T W X Y Z Zh Sh Ch")
_FINALS = words("a ai an ang ao e ei en eng i ian iang iao in ing iu o ong ou u ua uan ui un uo")


def spelling(rng: random.Random, station: str) -> str:
    """Something that looks like the name in Latin letters (tickets print it below the characters)."""
    syllables = [rng.choice(_INITIALS) + rng.choice(_FINALS) for _ in station]
    return syllables[0] + "".join(part.lower() for part in syllables[1:])


def arrow(sheet: Sheet, x0: float, x1: float, y: float, colour: Colour) -> None:
    """An arrow from origin to destination."""
    sheet.rule(x0, y, x1, y, 2, colour)
    sheet.rule(x1 - 8, y - 5, x1, y, 2, colour)
    sheet.rule(x1 - 8, y + 5, x1, y, 2, colour)


def tinted(sheet: Sheet, rng: random.Random, colour: Colour) -> None:
    """Fine slanting lines below everything, as on tickets."""
    gap = rng.randint(7, 16)

    def paint(_: Image.Image, canvas: ImageDraw.ImageDraw) -> None:
        for x in range(-sheet.height, sheet.width, gap):
            canvas.line((x, sheet.height, x + sheet.height, 0), fill=colour, width=1)

    sheet.under.append(paint)


def serial(rng: random.Random) -> str:
    """The ticket's own number, which is none of the fields."""
    return coded(rng, rng.choice(("@######", "@###@######", "#@######", "@##@######")))
