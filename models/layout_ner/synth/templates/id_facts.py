"""Whose identity card it is, and how a card is printed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import later, maybe
from models.layout_ner.synth.templates.listing import listed
from models.layout_ner.synth.values import dates, identifiers, people, places

BLUE: Colour = (70, 110, 170)


_PURPOSES = (
    "仅供办理{}业务使用",
    "仅用于{}，他用无效",
    "此件仅限{}使用",
    "仅供{}核验，再次复印无效",
    "本复印件用于{}",
)


_BUSINESS = listed(
    "开户 签证 入职 贷款 租房 报名 工商登记 社保 公积金 车辆过户 保险理赔 注册 招标 公证 学籍 电话卡 落户"
)


@dataclass(slots=True, frozen=True)
class Person:
    """A card's holder; all values agree with one another."""

    name: str
    male: bool
    ethnicity: str
    birth: date
    address: str
    number: str
    authority: str
    start: date
    end: date | None

    @property
    def sex(self) -> str:
        """As printed."""
        return "男" if self.male else "女"


def person(rng: random.Random) -> Person:
    """A random holder: the number says birth and sex, and a card's term depends on the holder's age."""
    male = rng.random() < 0.5
    birth = dates.date_between(rng, date(1940, 1, 1), date(2012, 12, 31))
    start = dates.date_between(rng, max(date(2005, 1, 1), later(birth, 1)), date(2025, 12, 31))
    age = (start - birth).days / 365.25
    years = 5 if age < 16 else 10 if age < 26 else 20 if age < 46 else 0
    region = places.region(rng)
    ethnicity = people.ethnicity(rng) if rng.random() < 0.7 else "汉"
    return Person(
        people.chinese_name(rng),
        male,
        ethnicity.removesuffix("族") or ethnicity,
        birth,
        places.address_zh(rng, region),
        identifiers.resident_id(rng, birth, male, region),
        places.police_authority(rng, region),
        start,
        later(start, years) if years else None,
    )


@dataclass(slots=True, frozen=True)
class Look:
    """How a card is printed; ``merged``: a text detector finds label and value as one line."""

    label: Font
    value: Font
    digits: Font
    colour: Colour
    ink: Colour
    merged: bool
    blank: str
    gap: str

    @classmethod
    def random(cls, rng: random.Random, palette: Palette, *, grey: bool = False) -> Look:
        """A card's print; ``grey`` for photocopies."""
        hei = palette.hei
        return cls(
            hei,
            rng.choice((hei, hei, palette.hei_bold, palette.song)),
            rng.choice((palette.ocr, hei, palette.sans, palette.mono)),
            (95, 95, 95) if grey else rng.choice((BLUE, (60, 100, 150), (90, 130, 180))),
            rng.choice((INK, (15, 15, 18), (50, 50, 55))),
            maybe(rng, 0.6),
            " " * rng.choice((0, 1, 2, 3)),
            " " * rng.choice((0, 1, 1, 2)),
        )


def birth_parts(rng: random.Random, day: date, key: int, gap: str) -> list[Part]:
    """The day of birth as cards print it, with gaps."""
    return [Part(f"{day.year}{gap}年{gap}{day.month}{gap}月{gap}{day.day}{gap}日", key)]


def term_parts(sheet: Sheet, rng: random.Random, holder: Person, dash: str = "-") -> tuple[Part, Part, Part]:
    """From when to when a card is valid."""
    start = sheet.entity("valid_from", holder.start.isoformat())
    end = sheet.entity("valid_to", holder.end.isoformat() if holder.end else "permanent")
    until = f"{holder.end:%Y.%m.%d}" if holder.end else "长期"
    return Part(f"{holder.start:%Y.%m.%d}", start), Part(dash), Part(until, end)


def purpose(rng: random.Random) -> str:
    """What a copy may be used for."""
    return rng.choice(_PURPOSES).format(rng.choice(_BUSINESS))
