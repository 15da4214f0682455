"""VAT invoices kept for validation: layouts that no training family has."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Colour, Sheet
from models.layout_ner.synth.templates.parts import maybe, pick
from models.layout_ner.synth.templates.vat_bill import bill
from models.layout_ner.synth.templates.vat_digital import digital_rows
from models.layout_ner.synth.templates.vat_form import Form, Pen, goods_table, party, party_rows, seal, words_row
from models.layout_ner.synth.templates.vat_paper import pens
from models.layout_ner.synth.values import dates

BLUE: Colour = (30, 70, 140)


def _form(rng: random.Random, palette: Palette, *, digital: bool) -> Form:
    width = rng.randint(1100, 1700)
    size = max(13, round(width * rng.uniform(0.0125, 0.0145)))
    label, data = pens(
        rng,
        palette,
        size,
        rng.choice(((60, 60, 60), BLUE, (120, 70, 40))),
        rng.choice((("hei", "song"), ("song", "hei"), ("kai", "kai"))),
    )
    return Form(
        Sheet(width, 100),
        rng,
        bill(rng, digital=digital, most=6),
        label,
        data,
        label.colour,
        rng.choice((":", "：")),
        rng.choice(("¥", "￥")),
    )


@family("val_vat_stacked", "vat_invoice", split="val")
def val_vat_stacked(rng: random.Random, palette: Palette) -> Sheet:
    """A digital invoice without frames: seller above buyer, number at the left below the title."""
    form = _form(rng, palette, digital=True)
    size, width = form.label.size, form.sheet.width
    left, right, y = width * 0.07, width * 0.93, width * 0.06
    form.write(
        left,
        y,
        pick(rng, "电子发票（普通发票）|电子发票（增值税专用发票）"),
        Pen(palette.hei_bold, round(size * 1.8), form.label.colour),
    )
    y += 2.6 * size
    number = form.entity("invoice_number", form.bill.number)
    day = form.entity("issue_date", dates.format_date(rng, form.bill.day, "zh_long"), form.bill.day.isoformat())
    form.named(left, y, f"发票号码{form.colon}", number, width=width * 0.4, joined=maybe(rng, 0.5))
    form.named(left + width * 0.46, y, f"开票日期{form.colon}", day, width=width * 0.4, joined=maybe(rng, 0.5))
    for title, who, role in (("销售方", form.bill.seller, "seller"), ("购买方", form.bill.buyer, "buyer")):
        y += 2.2 * size
        form.write(left, y, title, Pen(palette.hei_bold, size, form.label.colour))
        party(
            form,
            digital_rows(rng, who, role),
            left + 5 * size,
            y - size,
            y + 2.8 * size,
            width * 0.7,
            joined=maybe(rng, 0.5),
        )
        y += 2.4 * size
    columns = (
        ("name", 0.3, "name_digital"),
        ("quantity", 0.1, "quantity"),
        ("unit", 0.08, "unit"),
        ("unit_price", 0.16, "unit_price"),
        ("rate", 0.1, "rate_digital"),
        ("amount", 0.14, "amount"),
        ("tax", 0.12, "tax"),
    )
    form.sheet.rule(left, y, right, y, 1, form.line)
    y = goods_table(
        form,
        left,
        right,
        y,
        columns,
        head=2 * size,
        leading=1.5 * size,
        room=3 * size,
        ruled=False,
        sums="小计|合计金额|合计",
    )
    form.sheet.rule(left, y, right, y, 1, form.line)
    words_row(
        form,
        left,
        right,
        y,
        y + 2.4 * size,
        split=left + 12 * size,
        labels=(pick(rng, "价税合计（大写）|价税合计(大写)"), pick(rng, "（小写）|(小写)")),
        mark="",
    )
    form.sheet.height = int(y + 8 * size)
    return form.sheet


@family("val_vat_boxes", "vat_invoice", split="val")
def val_vat_boxes(rng: random.Random, palette: Palette) -> Sheet:
    """A paper invoice whose head stands in boxes at the left and whose parties stand side by side above the goods."""
    form = _form(rng, palette, digital=False)
    size, width = form.label.size, form.sheet.width
    left, right, y = width * 0.06, width * 0.94, width * 0.05
    form.write(
        (left + right) / 2,
        y + size,
        pick(rng, "增值税普通发票|增值税专用发票|增值税电子普通发票"),
        Pen(palette.kai, round(size * 2), form.label.colour),
        anchor="m",
    )
    seal(form, (left + right) / 2, y + 0.6 * size, 3 * size)
    y += 4.2 * size
    heads = [
        ("发票代码", form.entity("invoice_code", form.bill.code)),
        ("发票号码", form.entity("invoice_number", form.bill.number)),
        (
            "开票日期",
            form.entity("issue_date", dates.format_date(rng, form.bill.day, "zh_long"), form.bill.day.isoformat()),
        ),
    ]
    step = (right - left) / 3
    for index, (text, part) in enumerate(heads):
        form.sheet.frame(left + index * step, y - 1.4 * size, left + (index + 1) * step, y + 2.4 * size, 1, form.line)
        form.write(left + (index + 0.5) * step, y, text, anchor="m", pen=form.label)
        form.write(left + (index + 0.5) * step, y + 1.7 * size, part, anchor="m", width=step - size)
    y += 3.6 * size
    for x, who, role, title in (
        (left, form.bill.buyer, "buyer", "购买方"),
        ((left + right) / 2, form.bill.seller, "seller", "销售方"),
    ):
        form.write(x + size, y, title, replace(form.label, font=palette.hei_bold))
        party(
            form,
            party_rows(who, role, rng),
            x + size,
            y + 0.5 * size,
            y + 7.5 * size,
            (right - left) / 2 - 2 * size,
            joined=maybe(rng, 0.6),
        )
    y += 8 * size
    columns = (
        ("name", 0.28, "name"),
        ("specification", 0.12, "specification"),
        ("quantity", 0.09, "quantity"),
        ("unit_price", 0.15, "unit_price"),
        ("amount", 0.14, "amount"),
        ("rate", 0.08, "rate"),
        ("tax", 0.14, "tax"),
    )
    y = goods_table(form, left, right, y, columns, head=1.9 * size, leading=1.5 * size, room=4 * size)
    words_row(form, left, right, y, y + 2.2 * size, split=left + 11 * size, labels=("价税合计（大写）", "（小写）"))
    form.sheet.frame(left, y - 2 * size, right, y + 2.2 * size, 1, form.line)
    y += 4.2 * size
    form.write(left, y, f"校验码{form.colon}{form.bill.check}")
    form.write(left + width * 0.45, y, f"开票人{form.colon}{form.bill.people[2]}")
    form.sheet.height = int(y + 3 * size)
    return form.sheet
