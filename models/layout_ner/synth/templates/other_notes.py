"""Pages of no known type that people take for receipts, tickets, licences and cards."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.marks import squares
from models.layout_ner.synth.templates.other_kit import (
    address,
    day,
    firm,
    lines_table,
    page,
    person,
    phone,
    some,
    thing,
)
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import money, places


@family("note_delivery", None)
def note_delivery(rng: random.Random, palette: Palette) -> Sheet:
    """A delivery note, packing list or store's slip: goods with counts, no sums of money."""
    area = page(rng, palette, rng.choice(((18, 30), (34, 64))))
    zh = area.chinese
    titles = (
        "送货单|出库单|入库单|装箱单|配送单|拣货单|调拨单|领料单|退货单"
        if zh
        else (
            "DELIVERY NOTE|Packing List|DELIVERY ORDER|Picking List|Goods Received Note|Stock Transfer|PACKING "
            "SLIP|Dispatch Note"
        )
    )
    order = ["firm", "title", "pairs", "goods", "sign"]
    if maybe(rng, 0.4):
        order[:2] = ["title", "firm"]
    for piece in order:
        if piece == "firm":
            chance.heading(area, firm(area), rng.uniform(1.0, 1.5), rng.choice("lmr"))
            if maybe(rng, 0.6):
                area.block(address(area), size=max(10, area.size - 2))
        elif piece == "title":
            chance.heading(area, pick(rng, titles), 1.5, rng.choice("lmr"))
        elif piece == "pairs":
            pool = (
                [
                    ("送货单号|单号|出库单号|订单号", coded(rng, "########")),
                    ("收货单位|客户|收货人", firm(area)),
                    ("日期|送货日期|制单日期", day(area)),
                    ("收货地址|地址", address(area)),
                    ("仓库|库位|司机", person(area)),
                    ("电话|联系电话", phone(area)),
                ]
                if zh
                else [
                    ("Delivery Note No.|D/O No.|Ref|Order No.", coded(rng, "@@-#####")),
                    ("Deliver To|Ship To|Customer", firm(area)),
                    ("Date|Despatch Date|Delivery Date", day(area)),
                    ("Address|Delivery Address", address(area)),
                    ("Driver|Carrier|Picked by", person(area)),
                    ("Phone|Contact", phone(area)),
                ]
            )
            chance.scramble(area, some(rng, pool, 3, 6), halves=0.3)
        elif piece == "goods":
            heads = (
                [pick(rng, "品名|货品名称|物料"), pick(rng, "规格|型号|单位"), pick(rng, "数量|件数|实发数量")]
                if zh
                else ["Item", pick(rng, "Code|Unit|Bin"), pick(rng, "Qty|Quantity|Cartons")]
            )
            rows = [[thing(area), coded(rng, "@##"), str(rng.randint(1, 400))] for _ in range(rng.randint(2, 12))]
            lines_table(area, heads, rows)
        else:
            names = ("收货人签字", "送货人", "仓管员") if zh else ("Received by", "Delivered by", "Checked by")
            blocks.flow(area, [Entry(name, person(area) if maybe(rng, 0.5) else "") for name in rng.sample(names, 2)])
    return chance.close_page(area, least=0.3, most=1.3)


@family("quotation", None)
def quotation(rng: random.Random, palette: Palette) -> Sheet:
    """A quotation, price list or purchase order: prices, but nothing was sold."""
    area = page(rng, palette, (40, 84))
    zh = area.chinese
    chance.titled(
        area,
        ("报价单", "询价单", "采购订单", "价目表", "产品价格表", "采购计划", "工程预算表")
        if zh
        else ("QUOTATION", "Price List", "PURCHASE ORDER", "Estimate", "Request for Quotation", "Rate Card", "Tariff"),
        owner=firm(area),
    )
    pool = (
        [
            ("报价日期|日期", day(area)),
            ("询价单位|采购单位|致", firm(area)),
            ("报价有效期|有效期", f"{rng.randint(7, 90)}天"),
            ("联系人", person(area)),
            ("交货期|付款方式", pick(rng, "款到发货|30天|月结")),
            ("报价单号|采购单号", coded(rng, "@@########")),
        ]
        if zh
        else [
            ("Date|Quote Date", day(area)),
            ("To|Attention|Vendor", firm(area)),
            ("Valid for|Validity", f"{rng.randint(7, 90)} days"),
            ("Contact|Prepared by", person(area)),
            ("Lead time|Terms", pick(rng, "4 weeks|COD|Net 30")),
            ("Quote No.|PO No.|Our Ref", coded(rng, "@-######")),
        ]
    )
    chance.scramble(area, some(rng, pool, 2, 6), halves=0.3)
    heads = ["产品", "规格", "数量", "单价"] if zh else ["Product", "Spec", "Qty", "Unit price"]
    rows = [
        [thing(area), coded(rng, "@-###"), str(rng.randint(1, 200)), f"{money.amount(rng, 1, 5000)}"]
        for _ in range(rng.randint(3, 14))
    ]
    lines_table(area, heads, rows)
    if maybe(rng, 0.5):
        blocks.rows(
            area,
            [
                Entry(
                    pick(rng, "预计总价|报价合计|预算金额" if zh else "Estimated total|Quoted amount|Budget"),
                    f"{money.amount(rng, 100, 90000)}",
                )
            ],
            1,
            "ends",
        )
    chance.prose_block(area)
    return chance.close_page(area, least=0.6, most=1.4)


@family("boarding", None)
def boarding(rng: random.Random, palette: Palette) -> Sheet:
    """A boarding pass, a bus or ship ticket, an itinerary of flights: places, times and seats, but no train."""
    area = page(rng, palette, rng.choice(((18, 34), (40, 66))))
    zh = area.chinese
    chance.titled(
        area,
        (
            "登机牌",
            "航空运输电子客票行程单",
            "汽车客票",
            "船票",
            "长途汽车票",
            "行程单（机票）",
            "客运发票",
            "机场大巴票",
        )
        if zh
        else (
            "BOARDING PASS",
            "E-Ticket Itinerary",
            "Bus Ticket",
            "FERRY TICKET",
            "Flight Itinerary",
            "Electronic Ticket",
            "Coach Ticket",
        ),
    )
    flight = f"{rng.choice(('CA', 'MU', 'CZ', 'HU', 'MH', 'SQ', 'BA', 'AK'))}{rng.randint(100, 9999)}"
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    pool = (
        [
            ("航班|航班号|班次|车号", flight),
            ("姓名|旅客姓名", person(area)),
            ("出发地|始发|自|上车点", places.city_zh(rng)),
            ("目的地|至|到达", places.city_zh(rng)),
            ("日期|乘机日期", day(area)),
            ("登机口|检票口", str(rng.randint(1, 60))),
            ("座位|座位号", f"{rng.randint(1, 60)}{rng.choice('ABCDEFHJK')}"),
            ("登机时间|起飞时间|发车时间", clock),
            ("舱位|等级", pick(rng, "经济舱|Y|商务舱|普通")),
            ("电子客票号|票号", coded(rng, "###-##########")),
            ("证件号|身份证号", coded(rng, "######********####")),
            ("票价|燃油附加费|合计", f"CNY {rng.randint(30, 3000)}.00"),
            ("序号", coded(rng, "###")),
        ]
        if zh
        else [
            ("Flight|Service|Bus No.", flight),
            ("Name|Passenger", person(area).upper()),
            ("From|Origin|Departs", prose.title_en(rng, 1, 1)),
            ("To|Destination|Arrives", prose.title_en(rng, 1, 1)),
            ("Date", day(area)),
            ("Gate|Platform|Bay", str(rng.randint(1, 60))),
            ("Seat", f"{rng.randint(1, 60)}{rng.choice('ABCDEFHJK')}"),
            ("Boarding|Departure Time|Time", clock),
            ("Class|Cabin", pick(rng, "Economy|Y|Business")),
            ("E-ticket|Ticket No.|Booking Ref", coded(rng, "@@@###")),
            ("Fare|Baggage", pick(rng, "USD 120.00|1PC|20KG")),
            ("Seq|Zone", coded(rng, "###")),
        ]
    )
    chance.scramble(area, some(rng, pool, 6, 12), interlude=chance.rule, halves=0.3)
    if maybe(rng, 0.4):
        squares(area.sheet, area.left, area.y, 5 * area.size, rng)
        area.skip(6)
    return chance.close_page(area, least=0.3, most=0.9)


@family("waybill", None)
def waybill(rng: random.Random, palette: Palette) -> Sheet:
    """A label or waybill of a parcel: sender and recipient in boxes, a large code, weight and service."""
    area = page(rng, palette, (18, 32))
    zh = area.chinese
    code = coded(
        rng, rng.choice(("SF#############", "YT#############", "############", "JD###########", "1Z%%%%%%%%%%%%%%%%"))
    )
    if maybe(rng, 0.7):
        chance.heading(
            area,
            pick(
                rng,
                "标准快递|特快专递|电商标快|快递电子面单|物流运单"
                if zh
                else "PRIORITY|EXPRESS|Standard Parcel|AIR WAYBILL|NEXT DAY",
            ),
            1.4,
            rng.choice("lmr"),
        )
    if maybe(rng, 0.7):
        area.line(code, font=area.bold, size=round(1.3 * area.size), align=rng.choice("lm"))
    for names in (
        ("收件人|收|收方|收货方", "寄件人|寄|寄方|发货方")
        if zh
        else ("TO|SHIP TO|Recipient|Consignee", "FROM|Sender|SHIP FROM|Shipper")
    ):
        value = [Entry(pick(rng, names), f"{person(area)} {phone(area)}"), Entry("", address(area))]
        if maybe(rng, 0.5):
            blocks.rows(area, value, 1)
        else:
            blocks.under(area, [Entry(value[0].label, f"{value[0].value} {value[1].value}")], 1, framed=True)
    pool = (
        [
            ("重量|计费重量", f"{rng.uniform(0.1, 20):.2f}kg"),
            ("件数", str(rng.randint(1, 9))),
            ("付款方式|运费", pick(rng, "寄付月结|到付|现付")),
            ("托寄物|品名|内容", thing(area)),
            ("运单号|订单号", code),
            ("寄件时间|打印时间", day(area)),
        ]
        if zh
        else [
            ("Weight", f"{rng.uniform(0.1, 20):.1f} kg"),
            ("Pieces|Pkgs", str(rng.randint(1, 9))),
            ("Payment|Billing", pick(rng, "Prepaid|Collect|P/P")),
            ("Contents|Description", thing(area)),
            ("Tracking No.|Order", code),
            ("Ship date", day(area)),
        ]
    )
    chance.arrange(area, some(rng, pool, 2, 6))
    return chance.close_page(area, least=0.8, most=1.6)
