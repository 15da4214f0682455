"""VAT invoices on paper and their PDF likenesses, for training: codes, four-row party blocks, password area."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.parts import Roll, maybe, pick
from models.layout_ner.synth.templates.vat_bill import bill
from models.layout_ner.synth.templates.vat_form import (
    Form,
    Pen,
    goods_table,
    party,
    party_rows,
    seal,
    square_code,
    stacked,
    words_row,
)
from models.layout_ner.synth.values import dates, places

BROWN: Colour = (150, 92, 48)
INKS: tuple[Colour, ...] = ((32, 34, 38), (40, 44, 90), (60, 60, 66))
COLUMNS = (
    ("name", 0.235, "name"),
    ("specification", 0.115, "specification"),
    ("unit", 0.055, "unit"),
    ("quantity", 0.095, "quantity"),
    ("unit_price", 0.12, "unit_price"),
    ("amount", 0.15, "amount"),
    ("rate", 0.06, "rate"),
    ("tax", 0.15, "tax"),
)
PASSWORD = "0123456789<>/*-+"


@dataclass(slots=True, frozen=True)
class PaperStyle:
    """What distinguishes the families of paper invoices."""

    titles: tuple[str, ...]
    labels: tuple[Colour, ...]
    parties: tuple[str, str] = ("购买方", "销售方")
    older: bool = False
    check: float = 0.2
    machine: float = 0.5
    header_right: bool = False
    stamp: float = 0.7
    digital_look: bool = False
    words_labels: tuple[str, ...] = ("价税合计（大写）", "价税合计(大写)", "价税合计 (大写)")


def pens(rng: random.Random, palette: Palette, size: int, label: Colour, fonts: tuple[str, str]) -> tuple[Pen, Pen]:
    """The pen of pre-printed text and the pen of data."""
    label_font: Font = getattr(palette, fonts[0])
    data_font: Font = getattr(palette, fonts[1])
    return Pen(label_font, size, label), Pen(data_font, round(size * rng.uniform(0.9, 1.05)), rng.choice(INKS))


def paper(rng: random.Random, palette: Palette, style: PaperStyle) -> Sheet:
    """Lay out an invoice of 240 by 140 millimetres."""
    width = rng.randint(1150, 1800)
    size = max(12, round(width * rng.uniform(0.0112, 0.0138)))
    sheet = Sheet(width, 100)
    label, data = pens(
        rng,
        palette,
        size,
        rng.choice(style.labels),
        rng.choice((("kai", "song"), ("song", "hei"), ("song", "song"), ("hei", "song"))),
    )
    form = Form(
        sheet,
        rng,
        bill(rng, most=8),
        label,
        data,
        label.colour,
        rng.choice(("：", ":", "：", ":")),
        rng.choice(("￥", "¥", "￥", "")),
    )
    left, right = width * rng.uniform(0.05, 0.1), width * rng.uniform(0.9, 0.955)
    y = width * rng.uniform(0.03, 0.07)
    y = _top(form, palette, style, left, right, y)
    edge = left + 2.2 * size  # the cells with characters one below the other end here
    joined = maybe(rng, 0.55)
    block = size * rng.uniform(6.6, 8.2)
    middle = left + (right - left) * rng.uniform(0.57, 0.62)
    stacked(form, (left + edge) / 2, y, y + block, style.parties[0])
    party(
        form,
        party_rows(form.bill.buyer, "buyer", rng, older=style.older),
        edge + 0.5 * size,
        y,
        y + block,
        middle - edge - size,
        joined=joined,
    )
    stacked(form, middle + 1.1 * size, y, y + block, pick(rng, "密码区"))
    step = block / 4
    for number in range(4):
        code = "".join(rng.choice(PASSWORD) for _ in range(rng.choice((27, 27, 21, 28))))
        form.write(
            middle + 2.8 * size,
            y + step * (number + 0.5) + 0.35 * size,
            code,
            replace(data, font=palette.mono),
            width=right - middle - 3.2 * size,
        )
    top = y
    y = _table(form, left, right, y + block, room=size * rng.uniform(7, 11), size=size)
    height = 1.9 * size
    split = left + (right - left) * 0.235
    words_row(
        form,
        left,
        right,
        y,
        y + height,
        split=split,
        labels=(rng.choice(style.words_labels), pick(rng, "（小写）|(小写)|（小写） ")),
    )
    y += height
    sheet.rule(left, y, right, y, 1, form.line)
    stacked(form, (left + edge) / 2, y, y + block, style.parties[1])
    party(
        form,
        party_rows(form.bill.seller, "seller", rng, older=style.older),
        edge + 0.5 * size,
        y,
        y + block,
        middle - edge - size,
        joined=joined,
    )
    stacked(form, middle + 1.1 * size, y, y + block, "备注")
    _remark(form, style, middle + 2.8 * size, right, y, size)
    y += block
    sheet.frame(left, top, right, y, 2, form.line)
    for x in (edge, middle, middle + 2.2 * size):
        for part in ((top, top + block), (y - block, y)):
            sheet.rule(x, part[0], x, part[1], 1, form.line)
    for across in (top + block, y - block - height):
        sheet.rule(left, across, right, across, 1, form.line)
    _signatures(form, left, right, y + 1.8 * size)
    if maybe(rng, style.stamp):
        seal(
            form, left + (right - left) * rng.uniform(0.78, 0.9), y - rng.uniform(0, 2) * size, size * rng.uniform(4, 6)
        )
    sheet.height = int(y + size * rng.uniform(3.2, 6))
    return sheet


def _table(form: Form, left: float, right: float, y: float, *, room: float, size: int) -> float:
    return goods_table(
        form, left, right, y, COLUMNS, head=1.7 * size, leading=1.35 * size, room=room, ruled=maybe(form.rng, 0.8)
    )


def _top(form: Form, palette: Palette, style: PaperStyle, left: float, right: float, y: float) -> float:
    """Title, code, number, date, check code and machine number; returns where the frame begins."""
    rng, sheet, invoice = form.rng, form.sheet, form.bill
    size = form.label.size
    title = rng.choice(style.titles).format(
        place=rng.choice((places.city_zh(rng), "北京", "上海", "广东", "江苏", "浙江", "四川"))
    )
    big = Pen(
        rng.choice((palette.kai, palette.song, palette.hei)), round(size * rng.uniform(1.8, 2.3)), form.label.colour
    )
    middle = (left + right) / 2
    form.write(middle, y + 1.8 * size, title, big, anchor="m", width=(right - left) * 0.46)
    sheet.rule(middle - 9 * size, y + 2.6 * size, middle + 9 * size, y + 2.6 * size, 2, form.line)
    code = form.entity("invoice_code", invoice.code)
    number = form.entity("invoice_number", invoice.number)
    day = form.entity("issue_date", dates.format_date(rng, invoice.day, "zh_long"), invoice.day.isoformat())
    label = form.label
    column = right - size * rng.uniform(15.5, 17.5)
    rows: list[tuple[str, Part]] = []
    if style.header_right:
        if maybe(rng, 0.3):
            square_code(form, left, y, 5.5 * size)
        rows = [("发票代码", code), ("发票号码", number), ("开票日期", day)]
        if maybe(rng, 0.75):
            rows.append(("校 验 码" if maybe(rng, 0.4) else "校验码", Part(_spaced(invoice.check, rng))))
        if maybe(rng, style.machine):
            form.named(
                left, y + 6.0 * size, f"机器编号{form.colon}", invoice.machine, width=20 * size, joined=maybe(rng, 0.6)
            )
    else:
        heavy = Pen(rng.choice((palette.song, palette.sans, palette.serif)), round(size * 1.7), form.data.colour)
        form.write(left + size, y + 1.9 * size, code, heavy, width=13 * size)
        if maybe(rng, 0.5):
            form.write(
                column + 1.2 * size,
                y + 1.9 * size,
                [Part(pick(rng, "No |№ |N°|No.")), number],
                heavy,
                width=right - column - 1.2 * size,
            )
        else:
            form.write(column, y + 1.9 * size, pick(rng, "No|№|No."), replace(heavy, colour=label.colour))
            form.write(column + 4.2 * size, y + 1.9 * size, number, heavy, width=right - column - 4.2 * size)
        if maybe(rng, 0.5):  # the same once more, printed by the machine
            small = Pen(form.data.font, round(size * 0.85), form.data.colour)
            form.write(right, y + 3.2 * size, Part(invoice.code), small, anchor="r")
            form.write(right, y + 4.4 * size, Part(invoice.number), small, anchor="r")
        rows = [("开票日期", day)]
        if maybe(rng, style.check):
            form.write(left + size, y + 5.6 * size, f"校验码 {_spaced(invoice.check, rng)}", form.data)
        elif maybe(rng, style.machine):
            form.write(left + size, y + 5.6 * size, f"机器编号{form.colon}{invoice.machine}", form.data)
    start = y + (5.6 if len(rows) == 1 else 0.9) * size
    joined = maybe(rng, 0.6)
    for index, (text, part) in enumerate(rows):
        form.named(
            column, start + index * 1.5 * size, text + form.colon, part, width=right - column + 2 * size, joined=joined
        )
    return y + 6.6 * size


def _spaced(check: str, rng: random.Random) -> str:
    return " ".join(check[start : start + 5] for start in range(0, 20, 5)) if maybe(rng, 0.6) else check


def _remark(form: Form, style: PaperStyle, x: float, right: float, y: float, size: int) -> None:
    lines = [form.bill.remark] if form.bill.remark else []
    if maybe(form.rng, 0.2):
        lines.append(f"校验码 {_spaced(form.bill.check, form.rng)}")
    for number, line in enumerate(lines):
        form.write(x, y + (1.6 + 1.5 * number) * size, line, width=right - x - 4)


def _signatures(form: Form, left: float, right: float, y: float) -> None:
    rng = form.rng
    payee, reviewer, drawer = form.bill.people
    labels = [
        ("收款人", payee),
        ("复核", reviewer),
        ("开票人", drawer),
        (pick(rng, "销售方：（章）|销售方:(章)|销货单位：（章）"), ""),
    ]
    width = (right - left) / 4
    joined = maybe(rng, 0.6)
    for number, (label, name) in enumerate(labels):
        shown = label + form.colon if name else label
        form.named(
            left + number * width + form.label.size,
            y,
            shown,
            name,
            width=width - form.label.size,
            joined=joined and bool(name),
        )


@family("vat_special", "vat_invoice")
def vat_special(rng: random.Random, palette: Palette) -> Sheet:
    """The special invoice in its form since 2014: code at the left, number at the right."""
    style = PaperStyle(
        ("{place}增值税专用发票", "{place}增值税专用发票", "增值税专用发票"), (BROWN, (40, 100, 70), (90, 60, 40))
    )
    return paper(rng, palette, style)


@family("vat_ordinary", "vat_invoice")
def vat_ordinary(rng: random.Random, palette: Palette) -> Sheet:
    """The ordinary invoice, with its check code."""
    style = PaperStyle(("{place}增值税普通发票", "增值税普通发票"), (BROWN, (150, 60, 60), (60, 60, 60)), check=0.85)
    return paper(rng, palette, style)


@family("vat_old", "vat_invoice")
def vat_old(rng: random.Random, palette: Palette) -> Sheet:
    """Invoices before 2014, with the older names of the parties."""
    style = PaperStyle(
        ("{place}增值税专用发票", "{place}增值税普通发票"),
        (BROWN, (60, 90, 60), (30, 60, 110)),
        parties=("购货单位", "销货单位"),
        older=True,
        machine=0.1,
        words_labels=("价税合计（大写）", "价税合计(大写)", "价税合计"),
    )
    return paper(rng, palette, style)


@family("vat_electronic", "vat_invoice")
def vat_electronic(rng: random.Random, palette: Palette) -> Sheet:
    """The electronic ordinary invoice of 2015 to 2023: code, number, date and check code at the right."""
    style = PaperStyle(
        ("{place}增值税电子普通发票", "增值税电子普通发票", "{place}增值税电子专用发票"),
        (BROWN, (120, 60, 40)),
        header_right=True,
        machine=0.8,
        stamp=0.85,
    )
    return paper(rng, palette, style)


@family("vat_roll", "vat_invoice")
def vat_roll(rng: random.Random, palette: Palette) -> Sheet:
    """The ordinary invoice on a roll of till paper."""
    size = rng.randint(16, 26)
    width = round(size * rng.uniform(19, 25))
    page = width + rng.randint(20, 90)
    sheet = Sheet(page, 100)
    left = rng.uniform(8, page - width - 8)
    font = rng.choice((palette.song, palette.hei))
    roll = Roll(sheet, rng, font, size, left, left + width, rng.uniform(15, 60), rng.uniform(1.35, 1.7))
    invoice = bill(rng, most=4, person=0.3)
    colon = rng.choice(("：", ":"))

    def named(label: str, text: str, name: str | None = None, value: str | None = None) -> None:
        if not text:
            roll.row(label + colon)
            return
        key = sheet.entity(name, value or text) if name else None
        head = label + colon
        room = roll.width - font.length(head, size)
        pieces = [piece for piece in font.broken(text, size, room, roll.width) if piece.strip()]
        for number, piece in enumerate(pieces):
            roll.row([Part(head), Part(piece, key)] if number == 0 else Part(piece, key))

    roll.row(
        f"{places.city_zh(rng)}增值税普通发票" if maybe(rng, 0.7) else "增值税普通发票（卷票）",
        align="m",
        size=round(size * 1.3),
    )
    roll.row(pick(rng, "发票联|发 票 联|发票联（卷票）"), align="m")
    named("发票代码", invoice.code, "invoice_code")
    named("发票号码", invoice.number, "invoice_number")
    if maybe(rng, 0.7):
        named("机打号码", invoice.number)
        named("机器编号", invoice.machine)
    seller = [
        ("销售方名称", invoice.seller.name, "seller_name"),
        (pick(rng, "纳税人识别号|销售方纳税人识别号|税号"), invoice.seller.tax_id, "seller_tax_id"),
    ]
    buyer = [
        ("购买方名称", invoice.buyer.name, "buyer_name"),
        (pick(rng, "纳税人识别号|购买方纳税人识别号|购买方税号"), invoice.buyer.tax_id, "buyer_tax_id"),
    ]
    for label, text, name in seller:
        named(label, text, name)
    named(
        pick(rng, "开票日期|开票日期|日期"),
        dates.format_date(rng, invoice.day, "zh_long" if maybe(rng, 0.6) else "iso"),
        "issue_date",
        invoice.day.isoformat(),
    )
    named("收款员", invoice.people[0])
    for label, text, name in buyer:
        named(label, text, name)
    roll.separator(rng.choice(("dashes", "rule", "-")))
    roll.cells([(pick(rng, "项目|品名"), 0.0, "l"), ("单价", 0.42, "r"), ("数量", 0.66, "r"), ("金额", 1.0, "r")])
    for group, row in enumerate(invoice.rows):
        roll.block([row.name], sheet.entity("items.name", row.name, group))
        cells: list[tuple[Part, float, str]] = []
        for name, text, place in (
            ("items.unit_price", row.unit_price[:9], 0.42),
            ("items.quantity", row.quantity, 0.66),
            ("items.amount", str(row.amount), 1.0),
        ):
            if text:
                cells.append((Part(text, sheet.entity(name, text, group)), place, "r"))
        roll.cells(cells)
    roll.separator(rng.choice(("dashes", "rule", "-")))
    sign = rng.choice(("￥", "¥", ""))
    figure = Part(str(invoice.total), sheet.entity("total", str(invoice.total)))
    roll.row([Part(pick(rng, "合计金额（小写）|合计金额(小写)|总计金额(小写)") + colon + sign), figure])
    named(pick(rng, "合计金额（大写）|合计金额(大写)|总计金额(大写)"), invoice.words, "total_in_words")
    if maybe(rng, 0.8):
        named("校验码", _spaced(invoice.check, rng))
    roll.finish(rng.choice((20, 80)))
    return sheet
