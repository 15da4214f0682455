"""Receipts kept for validation: layouts that no training family has."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import till_words as words
from models.layout_ner.synth.templates.parts import Roll, coded, maybe, pick, right_ends, trimmed
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.receipts_en import invented
from models.layout_ner.synth.templates.receipts_zh import shop_zh
from models.layout_ner.synth.templates.sale import sale
from models.layout_ner.synth.templates.till_head import SIGNS, TAX_NAMES, company
from models.layout_ner.synth.values import companies, dates, goods, identifiers, people, places


def _strip(rng: random.Random, palette: Palette, *, chinese: bool, wide: tuple[float, float] = (20, 30)) -> Roll:
    size = rng.randint(15, 26)
    width = round(size * rng.uniform(*wide))
    left = rng.uniform(10, 60)
    font = (
        rng.choice((palette.song, palette.hei)) if chinese else rng.choice((palette.sans, palette.mono, palette.serif))
    )
    return Roll(
        Sheet(round(width + left + rng.uniform(10, 60)), 100),
        rng,
        font,
        size,
        left,
        left + width,
        rng.uniform(12, 60),
        rng.uniform(1.35, 1.7),
    )


@family("val_cafe", "receipt", split="val")
def val_cafe(rng: random.Random, palette: Palette) -> Sheet:
    """A café: date and number first, the firm and its address at the foot."""
    roll = _strip(rng, palette, chinese=False)
    if maybe(rng, 0.5):
        roll.case = str.upper
    sheet, country = roll.sheet, rng.choice(("MY", "UK", "US"))
    bought = invented(rng, TillStyle(count=(1, 6), price=(1.5, 40.0)), country)
    sign, tax_name = rng.choice(SIGNS[country]), rng.choice(TAX_NAMES[country])
    day = dates.date_between(rng, date(2012, 1, 1), date(2026, 6, 30))
    written = Part(
        dates.format_date(rng, day, "us" if country == "US" else "en"), sheet.entity("date", day.isoformat())
    )
    number = identifiers.receipt_number(rng)
    roll.cells([(written, 0.0, "l"), (dates.clock(rng), 1.0, "r")])
    roll.cells(
        [
            (
                [
                    Part(pick(rng, "Order |Receipt |Ticket |Check ")),
                    Part(number, sheet.entity("receipt_number", number)),
                ],
                0.0,
                "l",
            ),
            (pick(rng, "Take away|Eat in|Table 7|To go"), 1.0, "r"),
        ]
    )
    roll.row(f"{pick(rng, 'Served by|Barista|Your host')} {people.english_name(rng)}", align="l")
    roll.separator("rule")
    times = rng.choice(("", "x "))
    for item in bought.items:
        roll.cells(
            [
                (
                    f"{item.quantity:f} {times}{trimmed(roll.font, item.name, roll.size, roll.width * 0.55)}",
                    0.0,
                    "l",
                ),
                (f"{item.amount:.2f}", 1.0, "r"),
            ]
        )
    roll.separator("double")
    if bought.discount or bought.service:
        roll.pair("Items", f"{bought.subtotal:.2f}", "ends")
        if bought.discount:
            roll.pair("You saved", f"-{bought.discount:.2f}", "ends")
        if bought.service:
            roll.pair("Service", f"{bought.service:.2f}", "ends")
    if bought.rate:
        roll.pair(
            f"{pick(rng, 'of which ' if bought.inclusive else 'plus |')}{tax_name} {bought.rate:f}%",
            Part(f"{bought.tax:.2f}", sheet.entity("tax", str(bought.tax))),
            "ends",
        )
    if bought.rounding:
        roll.pair("Rounded by", f"{bought.rounding:.2f}", "ends")
    roll.skip(0.5)
    total = [
        Part(sign, sheet.entity("currency", sign)),
        Part(" "),
        Part(f"{bought.total:,.2f}", sheet.entity("total", str(bought.total))),
    ]
    label = pick(rng, "Total to pay|Amount to pay|Total|Sum due")
    if maybe(rng, 0.5):
        roll.row(label, align="m")
        roll.row(total, align="m", font=palette.sans_bold, size=round(roll.size * 1.7))
    else:
        roll.row([Part(label + " "), *total], align="r", font=palette.sans_bold, size=round(roll.size * 1.2))
    roll.row(f"{pick(rng, 'Paid by card|Paid in cash|Contactless')} {bought.paid:.2f}", align=rng.choice("mr"))
    roll.skip(1)
    name, address = company(rng, country), places.address_en(rng, country)
    roll.block([name], sheet.entity("company", name), align="m")
    roll.block(
        roll.font.broken(roll.case(address), roll.size, roll.width * 0.7, roll.width * 0.7),
        sheet.entity("address", address),
        align="m",
    )
    roll.row(f"{pick(rng, 'Tel|Phone')} {identifiers.phone_en(rng)}", align="m")
    roll.row(f"{pick(rng, 'Reg. no.|Tax no.')} {coded(rng, '###########')}", align="m")
    roll.finish(40)
    return sheet


@family("val_cash_bill", "receipt", split="val")
def val_cash_bill(rng: random.Random, palette: Palette) -> Sheet:
    """A landscape cash bill: the firm at the left, number and date at the right, a framed table, the sum in a box."""
    roll = _strip(rng, palette, chinese=False, wide=(40, 55))
    sheet, country = roll.sheet, rng.choice(("MY", "MY", "UK"))
    bought = invented(rng, TillStyle(count=(2, 9), price=(2.0, 400.0)), country)
    sign = rng.choice(SIGNS[country])
    left, right, top = roll.left, roll.right, roll.y
    name, address = company(rng, country), places.address_en(rng, country)
    roll.right = left + roll.width * 0.55
    roll.block([name], sheet.entity("company", name), font=palette.sans_bold, size=round(roll.size * 1.25))
    roll.row(f"({coded(rng, '######-@')})")
    roll.block(roll.font.broken(address, roll.size, roll.width, roll.width), sheet.entity("address", address))
    roll.row(f"Tel: {identifiers.phone_en(rng)}")
    low = roll.y
    roll.left, roll.right, roll.y = left + (right - left) * 0.64, right, top
    roll.row(pick(rng, words.TITLES), font=palette.sans_bold, size=round(roll.size * 1.2))
    roll.skip(0.4)
    number, day = identifiers.receipt_number(rng), dates.date_between(rng, date(2010, 1, 1), date(2026, 6, 30))
    for label, part in (
        (pick(rng, words.NUMBER), Part(number, sheet.entity("receipt_number", number))),
        (pick(rng, "Date|DATE|Dated"), Part(dates.format_date(rng, day, "en"), sheet.entity("date", day.isoformat()))),
        (pick(rng, "Terms|Salesman|Page"), Part(pick(rng, "C.O.D.|Cash|1 of 1"))),
    ):
        roll.pair(f"{label}:", part, "tab", at=0.45)
    roll.left, roll.right, roll.y = left, right, max(low, roll.y) + roll.size
    columns = [
        ["Qty", *(f"{item.quantity:f}" for item in bought.items)],
        [f"Price {sign}", *(f"{item.price:,}" for item in bought.items)],
        [f"Amount {sign}", *(f"{item.amount:,}" for item in bought.items)],
    ]
    ends = right_ends(rng, roll.font, roll.size, roll.width, columns, roll.width * 0.5)
    start = roll.y - 0.3 * roll.size
    for number_, name_ in enumerate(["Particulars", *(item.name for item in bought.items)]):
        roll.cells(
            [
                (trimmed(roll.font, name_, roll.size, roll.width * 0.4), 0.01, "l"),
                *((column[number_], end - 0.01, "r") for column, end in zip(columns, ends, strict=True)),
            ]
        )
    sheet.frame(left - 3, start, right + 3, roll.y + 2, 1)
    roll.skip(0.5)
    roll.left = left + (right - left) * 0.58
    rows: list[tuple[str, Decimal, str | None]] = [("Sub-total", bought.subtotal, None)]
    if bought.discount:
        rows.append(("Less: discount", -bought.discount, None))
    if bought.service:
        rows.append(("Service", bought.service, None))
    if bought.rate:
        rows.append(
            (
                f"{rng.choice(TAX_NAMES[country])} {bought.rate:f}%{' (incl.)' if bought.inclusive else ''}",
                bought.tax,
                "tax",
            )
        )
    if bought.rounding:
        rows.append(("Rounding", bought.rounding, None))
    for label, value, field in rows:
        roll.pair(label, Part(f"{value:,.2f}", sheet.entity(field, str(value)) if field else None), "ends")
    key = sheet.entity("currency", sign)
    roll.pair(
        [Part(pick(rng, "Total |Grand total |Amount payable ")), Part(sign, key)],
        Part(f"{bought.total:,.2f}", sheet.entity("total", str(bought.total))),
        "ends",
        font=palette.sans_bold,
    )
    roll.left = left
    roll.skip(2)
    roll.cells([("Received by", 0.05, "l"), ("Authorised signature", 0.95, "r")])
    roll.finish(40)
    return sheet


@family("val_zh_counter", "receipt", split="val")
def val_zh_counter(rng: random.Random, palette: Palette) -> Sheet:
    """A shop's sales sheet: a framed table, sums in one row, shop and address below."""
    roll = _strip(rng, palette, chinese=True, wide=(26, 36))
    sheet = roll.sheet
    names = [(goods.goods_zh(rng), coded(rng, "######")) for _ in range(rng.randint(1, 7))]
    bought = sale(rng, names, rate=Decimal(0), inclusive=True, low=2, high=300, discount=0.4, cash=False, whole=0.4)
    day = dates.date_between(rng, date(2012, 1, 1), date(2026, 6, 30))
    roll.row(
        pick(rng, "销售清单|商品销售单|送货单（代收据）|零售票据"),
        align="m",
        font=palette.hei_bold,
        size=round(roll.size * 1.5),
    )
    number = coded(rng, "@@########")
    roll.cells(
        [
            ([Part("№ "), Part(number, sheet.entity("receipt_number", number))], 0.0, "l"),
            (Part(dates.format_date(rng, day, "zh"), sheet.entity("date", day.isoformat())), 1.0, "r"),
        ]
    )
    roll.row(f"客户：{people.chinese_name(rng)}　电话：{identifiers.phone_zh(rng)}", align="l")
    columns = [
        ["数量", *(f"{item.quantity:f}" for item in bought.items)],
        ["单价", *(f"{item.price}" for item in bought.items)],
        ["金额", *(f"{item.amount}" for item in bought.items)],
    ]
    ends = right_ends(rng, roll.font, roll.size, roll.width, columns, roll.width * 0.45)
    top = roll.y - 2
    for index, name in enumerate(["货品", *(item.name for item in bought.items)]):
        roll.cells(
            [
                (trimmed(roll.font, name, roll.size, roll.width * 0.4), 0.01, "l"),
                *((column[index], end - 0.01, "r") for column, end in zip(columns, ends, strict=True)),
            ]
        )
    sheet.frame(roll.left - 3, top, roll.right + 3, roll.y, 1)
    roll.skip(0.4)
    sign = rng.choice(("￥", "¥", "人民币"))
    cells: list[tuple[list[Part], float, str]] = []
    if bought.discount:
        cells = [([Part(f"原价 {bought.subtotal}")], 0.0, "l"), ([Part(f"让利 {bought.discount}")], 0.4, "l")]
    total = [
        Part(pick(rng, "应收 |实收 |合计 |总计 ")),
        Part(sign, sheet.entity("currency", sign)),
        Part(f"{bought.total}", sheet.entity("total", str(bought.total))),
    ]
    roll.cells([*cells, (total, 1.0, "r")])
    roll.skip(0.8)
    name = companies.company_zh(rng) if maybe(rng, 0.6) else shop_zh(rng)
    address = places.address_zh(rng)
    roll.block([name], sheet.entity("company", name), align="r", font=palette.hei_bold)
    key = sheet.entity("address", address)
    for line in roll.font.broken(address, roll.size, roll.width * 0.8, roll.width * 0.8):
        roll.row(Part(line, key), align="r")
    roll.row(f"{pick(rng, '制单|开单')} {people.chinese_name(rng)}", align="r")
    roll.finish(30)
    return sheet


@family("val_zh_card", "receipt", split="val")
def val_zh_card(rng: random.Random, palette: Palette) -> Sheet:
    """A card terminal's slip: Chinese and English labels, one sum."""
    roll = _strip(rng, palette, chinese=True, wide=(17, 22))
    sheet = roll.sheet
    name = companies.company_zh(rng) if maybe(rng, 0.5) else shop_zh(rng)
    day = dates.date_between(rng, date(2012, 1, 1), date(2026, 6, 30))
    total = Decimal(rng.randint(100, 300000)) / 100
    number = coded(rng, "######")
    key = sheet.entity("company", name)
    lead = pick(rng, "商户名称(MERCHANT):|商户名称：|商户名: ")
    roll.row(pick(rng, "银联商务签购单|POS签购单|POS 消费凭条|刷卡凭证"), align="m", size=round(roll.size * 1.4))
    room = roll.width - roll.font.length(lead, roll.size)
    for index, line in enumerate(line for line in roll.font.broken(name, roll.size, room, roll.width) if line):
        roll.row([Part(lead), Part(line, key)] if index == 0 else Part(line, key), align="l")
    roll.row(f"商户编号: {coded(rng, '###############')}", align="l")
    roll.row(f"终端编号: {coded(rng, '########')}  操作员: 01", align="l")
    roll.row(f"卡号: {coded(rng, '######')}******{coded(rng, '####')}", align="l")
    roll.row(pick(rng, "交易类型: 消费(SALE)|交易类别：消费|类型: 扫码支付"), align="l")
    roll.row(
        [Part(pick(rng, "凭证号: |票据号：|凭证号(VOUCHER): ")), Part(number, sheet.entity("receipt_number", number))],
        align="l",
    )
    roll.row(
        [
            Part(pick(rng, "日期/时间: |交易时间：|DATE/TIME: ")),
            Part(dates.format_date(rng, day, "zh"), sheet.entity("date", day.isoformat())),
            Part(f" {rng.randint(8, 22):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"),
        ],
        align="l",
    )
    sign = rng.choice(("RMB", "CNY", "￥"))
    roll.row(
        [
            Part(pick(rng, "金额(AMOUNT): |金额：|交易金额: ")),
            Part(sign, sheet.entity("currency", sign)),
            Part(" "),
            Part(f"{total}", sheet.entity("total", str(total))),
        ],
        align="l",
        size=round(roll.size * 1.2),
    )
    roll.row(pick(rng, "备注(REFERENCE)|持卡人签名：|本人确认以上交易"), align="l")
    roll.finish(30)
    return sheet
