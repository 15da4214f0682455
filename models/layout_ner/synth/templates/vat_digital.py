"""Fully digital VAT invoices (数电票) for training: a number of 20 digits, no code, buyer and seller side by side."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Colour, Sheet
from models.layout_ner.synth.templates.parts import maybe, pick
from models.layout_ner.synth.templates.vat_bill import Party, bill
from models.layout_ner.synth.templates.vat_form import (
    Form,
    Pen,
    goods_table,
    party,
    seal,
    square_code,
    stacked,
    words_row,
)
from models.layout_ner.synth.templates.vat_paper import pens
from models.layout_ner.synth.values import dates

RED: Colour = (150, 40, 36)
COLUMNS = (
    ("name", 0.23, "name_digital"),
    ("specification", 0.11, "specification"),
    ("unit", 0.06, "unit"),
    ("quantity", 0.1, "quantity"),
    ("unit_price", 0.13, "unit_price"),
    ("amount", 0.13, "amount"),
    ("rate", 0.1, "rate_digital"),
    ("tax", 0.14, "tax"),
)
TITLES = (
    "电子发票（增值税专用发票）",
    "电子发票（普通发票）",
    "电子发票（普通发票）",
    "电子发票(普通发票)",
    "电子发票(增值税专用发票)",
)


def digital_rows(rng: random.Random, who: Party, role: str) -> list[tuple[str, str, str | None]]:
    """The two rows about a party."""
    return [
        (pick(rng, "名称|名 称|名称"), who.name, f"{role}_name"),
        (
            pick(rng, "统一社会信用代码/纳税人识别号|统一社会信用代码/纳税人识别号|纳税人识别号"),
            who.tax_id,
            f"{role}_tax_id",
        ),
    ]


@dataclass(slots=True, frozen=True)
class DigitalStyle:
    """What distinguishes the families of digital invoices."""

    labels: tuple[Colour, ...] = (RED, (128, 50, 40))
    header_right: bool = True
    columns: tuple[tuple[str, float, str], ...] = COLUMNS
    width: tuple[int, int] = (1150, 1800)
    tall: bool = False


def digital(rng: random.Random, palette: Palette, style: DigitalStyle) -> Sheet:
    """Lay out a digital invoice."""
    width = rng.randint(*style.width)
    size = max(12, round(width * rng.uniform(0.0115, 0.014)))
    sheet = Sheet(width, 100)
    label, data = pens(
        rng, palette, size, rng.choice(style.labels), rng.choice((("kai", "song"), ("song", "song"), ("hei", "hei")))
    )
    form = Form(
        sheet,
        rng,
        bill(rng, digital=True, most=8),
        label,
        data,
        label.colour,
        rng.choice(("：", ":", "：")),
        rng.choice(("¥", "￥", "¥")),
    )
    left, right = width * rng.uniform(0.03, 0.07), width * rng.uniform(0.93, 0.97)
    y = _top(form, palette, style, left, right, width * rng.uniform(0.02, 0.05))
    edge, middle = left + 2.2 * size, (left + right) / 2
    block = size * rng.uniform(4.6, 6.2)
    joined = maybe(rng, 0.7)
    names = ("购买方信息", "销售方信息")
    top = y
    for x, who, role, text in (
        (left, form.bill.buyer, "buyer", names[0]),
        (middle, form.bill.seller, "seller", names[1]),
    ):
        stacked(form, x + 1.1 * size, y, y + block, text)
        inside = x + 2.7 * size
        party(
            form,
            digital_rows(rng, who, role),
            inside,
            y + 0.3 * size,
            y + block - 0.3 * size,
            x + (right - left) / 2 - inside - size,
            joined=joined,
        )
    y = goods_table(
        form,
        left,
        right,
        y + block,
        style.columns,
        head=1.9 * size,
        leading=1.4 * size,
        room=size * rng.uniform(4, 12 if not style.tall else 30),
        ruled=False,
        sums=pick(rng, "合计|合 计|合        计"),
    )
    height = 2.0 * size
    sheet.rule(left, y, right, y, 1, form.line)
    words_row(
        form,
        left,
        right,
        y,
        y + height,
        split=left + (right - left) * 0.23,
        labels=(pick(rng, "价税合计（大写）|价税合计(大写)"), pick(rng, "（小写）|(小写)")),
        mark=rng.choice(("⊗", "ⓧ", "⊗", "")),
    )
    y += height
    note = size * rng.uniform(3.5, 6)
    stacked(form, (left + edge) / 2, y, y + note, "备注")
    if form.bill.remark:
        form.write(edge + 0.6 * size, y + 1.6 * size, form.bill.remark, width=right - edge - size)
    sheet.rule(left, y, right, y, 1, form.line)
    sheet.rule(left, top + block, right, top + block, 1, form.line)
    for x, low, high in (
        (edge, top, top + block),
        (middle, top, top + block),
        (middle + 2.2 * size, top, top + block),
        (edge, y, y + note),
    ):
        sheet.rule(x, low, x, high, 1, form.line)
    y += note
    sheet.frame(left, top, right, y, 2, form.line)
    form.named(
        left + 2 * size, y + 2.4 * size, f"开票人{form.colon}", form.bill.people[2], width=20 * size, joined=joined
    )
    sheet.height = int(
        y + size * rng.uniform(4, 7) if not style.tall else max(y + 5 * size, width * rng.uniform(1.0, 1.42))
    )
    return sheet


def _top(form: Form, palette: Palette, style: DigitalStyle, left: float, right: float, y: float) -> float:
    rng, size = form.rng, form.label.size
    title = Pen(
        rng.choice((palette.kai, palette.song, palette.hei)), round(size * rng.uniform(1.7, 2.1)), form.label.colour
    )
    middle = (left + right) / 2
    form.write(middle, y + 3.2 * size, rng.choice(TITLES), title, anchor="m", width=(right - left) * 0.42)
    form.sheet.rule(middle - 9 * size, y + 4.0 * size, middle + 9 * size, y + 4.0 * size, 1, form.line)
    form.sheet.rule(middle - 9 * size, y + 4.4 * size, middle + 9 * size, y + 4.4 * size, 1, form.line)
    if maybe(rng, 0.8):
        square_code(form, left + size, y + 0.4 * size, 5.2 * size)
    if maybe(rng, 0.7):
        seal(form, middle, y + 3 * size, 3.2 * size)
    number = form.entity("invoice_number", form.bill.number)
    day = form.entity("issue_date", dates.format_date(rng, form.bill.day, "zh_long"), form.bill.day.isoformat())
    rows = [("发票号码", number), ("开票日期", day)]
    column = right - size * rng.uniform(16, 18) if style.header_right else left + size * 7.2
    joined = maybe(rng, 0.7)
    for index, (text, part) in enumerate(rows):
        line = y + (2.0 + 1.9 * index) * size
        form.named(
            column,
            line,
            text + form.colon,
            part,
            width=(right - column if style.header_right else middle - 10 * size - column),
            joined=joined,
        )
    if maybe(rng, 0.25):
        form.write(
            left + (1 if style.header_right else 7.2) * size,
            y + 6.5 * size,
            pick(rng, "下载次数：1|标签：|差额征税|建筑服务"),
            replace(form.label, size=max(9, round(size * 0.8))),
        )
    return y + 6.9 * size


@family("vat_digital", "vat_invoice")
def vat_digital(rng: random.Random, palette: Palette) -> Sheet:
    """The usual digital invoice, wider than tall."""
    return digital(rng, palette, DigitalStyle())


@family("vat_digital_tall", "vat_invoice")
def vat_digital_tall(rng: random.Random, palette: Palette) -> Sheet:
    """A digital invoice at the top of an A4 page, in black or brown."""
    return digital(rng, palette, DigitalStyle(labels=((40, 40, 40), RED, (110, 70, 40)), tall=True, width=(1000, 1400)))


@family("vat_digital_services", "vat_invoice")
def vat_digital_services(rng: random.Random, palette: Palette) -> Sheet:
    """A digital invoice for services: fewer columns."""
    columns = tuple(
        column
        for column in COLUMNS
        if column[0] not in (("specification",) if maybe(rng, 0.5) else ("specification", "unit"))
    )
    return digital(rng, palette, DigitalStyle(columns=columns))
