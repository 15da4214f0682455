"""Pages of pairs put together by chance, so that a network cannot learn layouts by heart.

A page is cut into blocks; every block arranges some of the pairs in one of the ways of :mod:`pair_blocks`, in its own
type size and manner at times, with headings, rules and prose between, and blocks side by side now and then.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose, words_en, words_zh
from models.layout_ner.synth.templates.labels import maybe, shrink, text_of
from models.layout_ner.synth.templates.pair_blocks import Area, Entry, manner
from models.layout_ner.synth.templates.parts import coded
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, goods, money, people

PAPERS: tuple[Colour, ...] = ((255, 255, 255), (255, 255, 255), (252, 252, 248), (246, 247, 250), (250, 246, 236))
Interlude = Callable[[Area], None]

_WAYS = ("rows", "rows", "rows", "tab", "right", "ends", "leaders", "under", "boxes", "cells", "cells", "heads")
_WAYS_LINE = ("flow", "flow", "chain")


def open_page(
    rng: random.Random,
    palette: Palette,
    *,
    chinese: bool,
    across: tuple[float, float] = (22, 85),
    joined: float = 0.35,
    fonts: Sequence[str] = (),
) -> Area:
    """An empty page ``across`` characters of its text wide."""
    count = rng.uniform(*across)
    size = rng.randint(13, 27)
    width = min(max(round(size * count), 420), 1900)
    size = max(11, round(width / count))
    margin = max(width * rng.uniform(0.03, 0.1), 1.1 * size)  # a closing mark may hang over
    sheet = Sheet(width, 9000, rng.choice(PAPERS))
    how = manner(rng, palette, size, chinese=chinese, fonts=fonts, joined=joined)
    bold = palette.hei_bold if chinese else palette.sans_bold
    return Area(sheet, rng, palette, chinese, how, bold, margin, width - 2 * margin, rng.uniform(0.6, 4.0) * size)


def close_page(area: Area, *, least: float = 0.0, most: float = 0.0) -> Sheet:
    """Cut the page off below what is written; at least ``least`` to ``most`` of the width high."""
    foot = area.y + area.rng.uniform(0.5, 4.0) * area.size
    area.sheet.height = int(max(foot, area.sheet.width * area.rng.uniform(least, max(least, most))))
    return area.sheet


def _share(area: Area, entries: Sequence[Entry]) -> list[list[Entry]]:
    """The pairs in groups of one to seven."""
    groups, rest = [], list(entries)
    while rest:
        count = area.rng.choice((1, 2, 2, 3, 3, 4, 5, 6, 7, 9))
        groups.append(rest[:count])
        rest = rest[count:]
    return groups


def arrange(area: Area, entries: Sequence[Entry]) -> None:
    """Write some pairs as one block, in a way chosen by chance; long values take rows of their own."""
    rng, how = area.rng, area.how
    room = how.value_font.length("国" if area.chinese else "n", how.size)
    wide = area.width / room  # in characters
    limit = (0.4 if wide > 30 else 0.75) * area.width
    short = [entry for entry in entries if blocks.length(area, entry) < limit]
    long = [entry for entry in entries if blocks.length(area, entry) >= limit]
    ways = _WAYS + (_WAYS_LINE if len(short) > 1 else ())
    way = rng.choice(ways)
    if long and maybe(rng, 0.5):
        _plain(area, long)
        long = []
    if short:
        most = 4 if wide > 55 else 3 if wide > 40 else 2 if wide > 24 else 1
        columns = rng.randint(1, min(most, len(short)))
        if way in ("flow", "chain"):
            getattr(blocks, way)(area, short)
        elif way == "under":
            blocks.under(area, short, max(columns, min(2, most)))
        elif way == "boxes":
            blocks.under(area, short, columns, framed=True)
        elif way == "cells" and wide > 16:
            blocks.cells(area, short, max(1, min(columns, 3)), frame=maybe(rng, 0.85))
        elif way == "heads" and len(short) > 1 and wide > 12 * min(len(short), 6):
            for start in range(0, len(short), 6):
                blocks.heads(area, short[start : start + 6], frame=maybe(rng, 0.7))
        else:
            mode = "beside" if way not in ("tab", "right", "ends", "leaders") else way
            blocks.rows(area, short, columns, mode)
    if long:
        _plain(area, long)


def _plain(area: Area, entries: Sequence[Entry]) -> None:
    rng = area.rng
    way = rng.random()
    if way < 0.2:
        blocks.under(area, entries, 1, framed=maybe(rng, 0.3))
    elif way < 0.4 and area.width > 22 * area.size:
        blocks.cells(area, entries, 1)
    else:
        blocks.rows(area, entries, 1, rng.choice(("beside", "tab", "tab", "right")))


def scramble(area: Area, entries: Sequence[Entry], *, interlude: Interlude | None = None, halves: float = 0.2) -> None:
    """Write all pairs, block by block; ``interlude`` writes what stands between blocks."""
    rng = area.rng
    groups = _share(area, entries)
    kept = area.how
    changing = maybe(rng, 0.35)
    while groups:
        if changing and maybe(rng, 0.5):
            size = max(10, round(kept.size * rng.uniform(0.8, 1.3)))
            area.how = manner(rng, area.palette, size, chinese=area.chinese)
        if len(groups) > 1 and area.width > 36 * area.size and maybe(rng, halves):
            side_by_side(area, groups.pop(0), groups.pop(0))
        else:
            arrange(area, groups.pop(0))
        if groups and interlude is not None and maybe(rng, 0.35):
            interlude(area)
        elif maybe(rng, 0.5):
            area.skip(rng.uniform(0.2, 1.6))
    area.how = kept


def side_by_side(area: Area, first: Sequence[Entry], second: Sequence[Entry]) -> None:
    """Two blocks next to each other, each with rows of its own."""
    cut = area.rng.uniform(0.4, 0.6) * area.width
    gap = area.rng.uniform(1.5, 3.0) * area.size
    left = replace(area, width=cut - gap / 2)
    right = replace(area, left=area.left + cut + gap / 2, width=area.width - cut - gap / 2)
    arrange(left, first)
    arrange(right, second)
    area.y = max(left.y, right.y)


def heading(area: Area, text: str, scale: float = 1.3, align: str = "l") -> None:
    """A line in bold."""
    size = shrink(area.bold, text, round(area.size * scale), 0.96 * area.width)
    area.line(text, align=align, font=area.bold, size=size)
    area.skip(0.2)


def loud(area: Area, entry: Entry, mode: str) -> None:
    """A pair in bold and larger letters: beside each other, or the value in a line of its own under its label."""
    rng = area.rng
    size = round(area.size * rng.choice((1.15, 1.3, 1.6)))
    if text_of(entry.label) and maybe(rng, 0.2):
        align = rng.choice("lmr")
        area.line(_label(entry), align=align, size=rng.choice((area.size, size)))
        area.line(entry.value, align=align, font=area.bold, size=round(1.2 * size), most=0.9)
        return
    whole = text_of(entry.label) + text_of(entry.value) + "：国"
    size = shrink(area.bold, whole, size, 0.9 * area.width)
    how = replace(area.how, label_font=area.bold, value_font=area.bold, size=size, label_size=size)
    place = replace(area, how=how)
    blocks.rows(place, [entry], 1, mode)
    area.y = place.y


def _label(entry: Entry) -> Part:
    return entry.label if isinstance(entry.label, Part) else Part(entry.label)


def rule(area: Area) -> None:
    """A line across, at times double or thick."""
    y = area.y + 0.3 * area.size
    area.sheet.rule(
        area.left, y, area.right, y, area.rng.choice((1, 1, 2, 3)), area.rng.choice(((90, 90, 90), (0, 0, 0)))
    )
    if maybe(area.rng, 0.15):
        area.sheet.rule(area.left, y + 4, area.right, y + 4, 1)
    area.skip(0.7)


def chatter(area: Area) -> None:
    """What pages hold besides: prose, headings, rules, tables of goods."""
    rng = area.rng
    kind = rng.random()
    if kind < 0.3:
        rule(area)
    elif kind < 0.5:
        text = words_zh.section(rng) if area.chinese else words_en.section(rng)
        heading(area, text.upper() if maybe(rng, 0.3) else text, rng.uniform(1.0, 1.4), rng.choice("llm"))
    elif kind < 0.8:
        prose_block(area)
    elif area.width > 24 * area.size:
        goods_rows(area)


def prose_block(area: Area, low: int = 1, high: int = 3) -> None:
    """A paragraph, mostly in a smaller size."""
    rng = area.rng
    if area.chinese:
        text = words_zh.paragraph(rng, low, high) if maybe(rng, 0.6) else prose.paragraph_zh(rng, low, high)
        font = rng.choice((area.palette.song, area.palette.hei, area.how.value_font))
    else:
        text = words_en.paragraph(rng, low, high) if maybe(rng, 0.6) else prose.paragraph_en(rng, low, high)
        font = rng.choice((area.palette.sans, area.palette.serif, area.how.value_font))
    area.block(text, font=font, size=max(10, round(area.size * rng.uniform(0.7, 1.0))))
    area.skip(0.3)


def goods_rows(area: Area) -> None:
    """A few rows of things with figures, which are no field."""
    rng, how = area.rng, area.how
    grid = Grid(
        area.sheet,
        [area.left + cut * area.width for cut in (0.0, 0.5, 0.75, 1.0)],
        area.y,
        how.value_font,
        max(10, how.size - 1),
        least=1.8 * how.size,
        frame=maybe(rng, 0.6),
    )
    for _ in range(rng.randint(1, 4)):
        name = goods.goods_zh(rng) if area.chinese else goods.goods_en(rng)
        grid.row([cell(name), cell(str(rng.randint(1, 90))), cell(f"{money.amount(rng, 1, 900)}")])
    area.y = grid.y + 0.6 * how.size


def loose(area: Area) -> None:
    """A word or number that means nothing, at any place of a line: page numbers, codes, stamps."""
    rng = area.rng
    text = rng.choice(
        (
            coded(rng, "@@######"),
            f"{rng.randint(1, 4)}/{rng.randint(4, 9)}",
            rng.choice(
                ("正本", "副本", "第一联", "存根", "绝密", "电子件") if area.chinese else ("COPY", "ORIGINAL", "Page 1")
            ),
            coded(rng, "No.######"),
        )
    )
    area.line(text, align=rng.choice("lmr"), size=max(10, round(area.size * rng.uniform(0.7, 1.0))))


def titled(area: Area, titles: Sequence[str], *, owner: str = "") -> None:
    """The page's title, and who gave it out, in one of several arrangements; either may be absent."""
    rng = area.rng
    title = rng.choice(titles)
    lines = [(title, rng.uniform(1.2, 2.2)), (owner, rng.uniform(0.9, 1.6))]
    if maybe(rng, 0.5):
        lines.reverse()
    align = rng.choice("lmmr")
    for text, scale in lines:
        if text and maybe(rng, 0.9):
            if maybe(rng, 0.2):
                align = rng.choice("lmr")
            heading(area, text, scale, align)
    if maybe(rng, 0.15):
        loose(area)
    if maybe(rng, 0.3):
        rule(area)
    area.skip(rng.uniform(0.2, 1.5))


def mixed(rng: random.Random, fields: Sequence[Entry], others: Sequence[Entry]) -> list[Entry]:
    """Fields and others in one order: any, or the fields' own with the others between."""
    entries = list(fields)
    if maybe(rng, 0.55):
        rng.shuffle(entries)
    for entry in others:
        entries.insert(rng.randint(0, len(entries)), entry)
    return entries


def signature(area: Area) -> None:
    """Names and days at a page's foot, which are no fields."""
    rng = area.rng
    if area.chinese:
        pairs = [
            Entry(rng.choice(("经办", "制单", "复核", "审核", "打印人", "经办人", "主管")), people.chinese_name(rng)),
            Entry(
                rng.choice(("打印日期", "打印时间", "制表日期", "下载时间")), dates.format_date(rng, _day(rng), "zh")
            ),
            Entry(rng.choice(("单位", "盖章", "签章")), rng.choice(("（盖章）", companies.company_zh(rng)))),
        ]
    else:
        pairs = [
            Entry(rng.choice(("Prepared by", "Checked by", "Signed", "Printed by")), people.english_name(rng)),
            Entry(rng.choice(("Printed on", "Print date", "Downloaded")), dates.format_date(rng, _day(rng), "en")),
        ]
    rng.shuffle(pairs)
    some = [entry for entry in pairs[: rng.randint(1, len(pairs))] if text_of(entry.value)]
    blocks.flow(area, some)


def _day(rng: random.Random) -> date:
    return dates.date_between(rng, date(2012, 1, 1), date(2026, 6, 30))
