"""The page of a Chinese insurance policy: its head, its foot, pairs in columns."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import Style, beside, lay, maybe, shrink
from models.layout_ner.synth.templates.marks import seal
from models.layout_ner.synth.templates.policy_facts import Policy
from models.layout_ner.synth.templates.policy_rows import (
    Row,
)
from models.layout_ner.synth.templates.words_zh import paragraph
from models.layout_ner.synth.values import dates, identifiers

TITLES = {
    "motor": "机动车商业保险保险单|机动车交通事故责任强制保险单|机动车辆保险单|机动车商业保险保险单（电子保单）",
    "life": "人身保险合同|保险单|人寿保险单|个人人身保险保险单|保险合同",
    "other": "保险单|电子保险单|保险单（电子保单）|保险凭证|承保确认书|保险单明细表|保险单正本|保险证明",
}


def begin(rng: random.Random, data: Policy, palette: Palette, *, narrow: bool = False) -> tuple[Sheet, int, float]:
    """A page with the insurer's name and a title: the page, the size of its text, the next baseline."""
    width = rng.randint(700, 950) if narrow else rng.randint(1000, 1500)
    sheet = Sheet(width, 4000)
    size = max(12, round(width * (0.026 if narrow else rng.uniform(0.0155, 0.0195))))
    y = 3.2 * size
    if maybe(rng, 0.85):
        font = rng.choice((palette.hei_bold, palette.song, palette.hei))
        middle = maybe(rng, 0.5)
        large = shrink(font, data.insurer, size + rng.randint(2, 10), width * 0.8)
        sheet.text(width / 2 if middle else width * 0.07, y, data.insurer, font, large, anchor="m" if middle else "l")
        y += 2.2 * size
        if maybe(rng, 0.3):
            sheet.text(
                width * 0.07,
                y,
                f"客服电话：{rng.randint(95500, 95600)}  网址：www.{rng.choice('abcdefgh')}{rng.randint(10, 99)}ic.com",
                palette.hei,
                size - 3,
            )
            y += 1.8 * size
    y += 0.8 * size
    titles = TITLES.get(data.line, TITLES["other"]) if maybe(rng, 0.8) else TITLES["other"]
    text = rng.choice(titles.split("|")) if maybe(rng, 0.85) else data.product + "保险单"
    font = rng.choice((palette.hei_bold, palette.song, palette.kai))
    sheet.text(width / 2, y, text, font, shrink(font, text, size + rng.randint(8, 20), width * 0.8), anchor="m")
    return sheet, size, y + 2.6 * size


def finish(sheet: Sheet, rng: random.Random, palette: Palette, data: Policy, size: int, y: float) -> Sheet:
    """Small print, the insurer's stamp and day; the page is cut below."""
    left, width = sheet.width * 0.07, sheet.width * 0.86
    small = max(10, size - 3)
    if maybe(rng, 0.6):
        y += size
        y = (
            lay(
                sheet,
                left,
                y,
                rng.choice(("重要提示：", "特别约定：", "明示告知：", "")) + paragraph(rng, 1, 4),
                palette.song,
                small,
                width=width,
            )
            + 2 * small
        )
    if maybe(rng, 0.6):
        y += size
        x = sheet.width * rng.uniform(0.55, 0.62)
        sheet.text(
            x,
            y,
            f"保险人：{data.insurer}",
            palette.song,
            shrink(palette.song, f"保险人：{data.insurer}", size, sheet.width * 0.95 - x),
        )
        y += 1.8 * size
        if maybe(rng, 0.7):
            sheet.text(x, y, f"签单日期：{dates.format_date(rng, data.start, 'zh')}", palette.song, size)
            y += 1.8 * size
        if maybe(rng, 0.7):
            seal(sheet, sheet.width * 0.75, y - 2 * size, 4 * size)
    if maybe(rng, 0.4):
        y += size
        foot = f"核保：自动核保    制单：{rng.randint(1000, 9999)}    报案电话：{identifiers.phone_zh(rng)}"
        sheet.text(left, y, foot, palette.song, shrink(palette.song, foot, small, width))
        y += size
    sheet.height = int(max(y + 3 * size, sheet.width * rng.uniform(0.6, 1.35)))
    return sheet


def columns(sheet: Sheet, rng: random.Random, how: Style, rows: list[Row], y: float, *, count: int) -> float:
    """Rows label by label in one or two columns; long values take a whole line. Returns the next baseline."""
    left, width = sheet.width * 0.07, sheet.width * 0.86
    column = (
        None
        if how.joined
        else max(how.label_font.length(how.label(label), how.label_size) for label, _ in rows) + how.size
    )
    if column is not None:
        column = min(column, width * (0.4 if count == 1 else 0.22))
    half, place, lowest = width / count - how.size, 0, y
    for label, value in rows:
        text = "".join(
            part.text
            for part in ((Part(value),) if isinstance(value, str) else (value,) if isinstance(value, Part) else value)
        )
        long = count > 1 and how.value_font.length(how.label(label) + text, how.size) > half - 2 * how.size
        if long and place:
            y, place = lowest, 0
        x = left + place * width / count
        lowest = max(lowest, beside(sheet, x, y, label, value, how, width=width if long else half, column=column))
        place += 1
        if long or place == count:
            y, place = lowest, 0
    return lowest


def shorter(how: Style, label: str, width: float) -> str:
    """A label cut off where it is too long for its place."""
    text = how.label(label)
    while len(text) > 3 and how.label_font.length(text, how.label_size) > width:
        text = text[:-1]
    return text
