"""Names, dates, tables and pairs for pages of no known type that look like known ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import pick
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, goods, identifiers, people, places

Pairs = Sequence[tuple[str, str]]


def day(area: Area) -> str:
    """Some date."""
    made = dates.date_between(area.rng, date(2005, 1, 1), date(2026, 6, 30))
    return dates.format_date(area.rng, made, "zh" if area.chinese else "en")


def person(area: Area) -> str:
    """Some name."""
    return people.chinese_name(area.rng) if area.chinese else people.english_name(area.rng)


def firm(area: Area) -> str:
    """Some company."""
    return companies.company_zh(area.rng) if area.chinese else companies.company_en(area.rng)


def address(area: Area) -> str:
    """Some address."""
    return places.address_zh(area.rng) if area.chinese else places.address_en(area.rng)


def phone(area: Area) -> str:
    """Some telephone."""
    return identifiers.phone_zh(area.rng) if area.chinese else identifiers.phone_en(area.rng)


def thing(area: Area) -> str:
    """Some goods."""
    return goods.goods_zh(area.rng) if area.chinese else goods.goods_en(area.rng)


def some(rng: random.Random, pool: Pairs, low: int, high: int) -> list[Entry]:
    """Some of the pairs, in any order."""
    return [
        Entry(pick(rng, names), value)
        for names, value in rng.sample(list(pool), min(len(pool), rng.randint(low, high)))
    ]


def lines_table(area: Area, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts, ruled or not; the first column wider."""
    rng = area.rng
    shares = [rng.uniform(1.6, 2.4), *(rng.uniform(0.8, 1.3) for _ in heads[1:])]
    edges = [area.left]
    for share in shares:
        edges.append(edges[-1] + area.width * share / sum(shares))
    grid = Grid(
        area.sheet,
        edges,
        area.y,
        area.how.value_font,
        max(10, area.size - 1),
        pad=0.3,
        least=rng.uniform(1.5, 2.2) * area.size,
        frame=maybe(rng, 0.6),
    )
    align = rng.choice("lmr")
    grid.row([cell(head, align=align if number else "l", font=area.bold) for number, head in enumerate(heads)])
    for row in rows:
        grid.row([cell(text, align=align if number else "l") for number, text in enumerate(row)])
    area.y = grid.y + 0.6 * area.size


def page(rng: random.Random, palette: Palette, across: tuple[float, float], chinese: bool | None = None) -> Area:
    """An empty page in one of the languages."""
    return chance.open_page(rng, palette, chinese=maybe(rng, 0.55) if chinese is None else chinese, across=across)
