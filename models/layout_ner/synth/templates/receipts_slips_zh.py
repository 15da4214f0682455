"""Chinese slips: card terminals, taxis, car parks, tolls, fuel."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import bill_words_zh as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_zh import Bill, bill
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.receipts_scrambled_zh import divide
from models.layout_ner.synth.templates.receipts_zh import shop_zh
from models.layout_ner.synth.values import companies, dates, places


def narrow(doc: Bill) -> Sheet:
    """The page, cut off below."""
    return chance.close_page(doc.area, least=0.2, most=0.6)


def pos_entries(doc: Bill, low: int, high: int) -> list[Entry]:
    """What a card terminal prints: numbers of merchant, terminal, batch and reference, the card, and the fields."""
    rng, sheet = doc.rng, doc.area.sheet
    banks = {
        "发卡行": companies.bank_zh(rng),
        "收单行": rng.choice((companies.bank_zh(rng), "银联商务", "通联支付", "拉卡拉")),
    }
    bank_like = {"发卡机构": "发卡行", "发卡银行": "发卡行", "收单机构": "收单行", "收单银行": "收单行"}
    near: list[Entry] = []
    for names, pattern in rng.sample(words.POS_NEAR, rng.randint(low, min(high, len(words.POS_NEAR)))):
        label = pick(rng, names)
        key = next((bank_like.get(part, part) for part in (*banks, *bank_like) if label.startswith(part)), "")
        if pattern:
            value = coded(rng, pattern)
        elif key:
            value = banks[key]
        else:
            value = pick(rng, "借记卡|贷记卡|银联卡|VISA|微信支付|支付宝|云闪付|银联二维码")
        near.append(Entry(label, value))
    if maybe(rng, 0.7):
        label = pick(rng, "交易类型|交易类别|类型|TRANS TYPE|交易类型(TRANS TYPE)|交易|业务类型|消费类型")
        near.append(Entry(label, pick(rng, "消费|消费(SALE)|SALE|扫码支付|消费/SALE|预授权完成|被扫消费|主扫支付")))
    written = Part(dates.format_date(rng, doc.day, "zh"), sheet.entity("date", doc.day.isoformat()))
    main = [
        Entry(
            pick(rng, words.POS_MOMENT),
            [written, Part(rng.choice((" ", "  ")) + doc.clock)] if maybe(rng, 0.75) else written,
        )
    ]
    if maybe(rng, 0.88):
        number = coded(
            rng, rng.choice(("######", "######", "000###", "########", "############", "####################"))
        )
        main.append(Entry(pick(rng, words.POS_NUMBER), Part(number, sheet.entity("receipt_number", number))))
    return chance.mixed(rng, main, near)


@family("zh_pos", "receipt", weight=1.8)
def zh_pos(rng: random.Random, palette: Palette) -> Sheet:
    """A slip of a card terminal: the merchant labelled, Chinese labels with or without English, one amount."""
    doc = bill(rng, palette, across=(15, 26), count=(1, 1), price=(5, 6000), tax=0, fonts=("song", "hei", "hei", "kai"))
    area = doc.area
    doc.before, doc.after = rng.choice(
        (("RMB ", ""), ("RMB", ""), ("￥", ""), ("¥", ""), ("CNY ", ""), ("", "元"), ("", ""))
    )
    name = companies.company_zh(rng) if maybe(rng, 0.5) else shop_zh(rng)
    pieces = ["title", "name", "pairs", "sum", "notes"]
    if maybe(rng, 0.25):
        pieces[2:4] = ["sum", "pairs"]
    if maybe(rng, 0.15):
        pieces[:2] = ["name", "title"]
    for piece in pieces:
        if piece == "title":
            if maybe(rng, 0.35):
                area.line(
                    rng.choice((companies.bank_zh(rng), "银联商务", "UnionPay 银联", "拉卡拉", "通联支付")),
                    align="m",
                    font=area.bold,
                )
            doc.title(pick(rng, words.POS_TITLES), rng.choice("mml"))
            if maybe(rng, 0.4):
                area.line(
                    pick(rng, "商户存根|持卡人存根|商户存根 MERCHANT COPY|持卡人存根 CUSTOMER COPY|重打印|请妥善保管"),
                    align=rng.choice("mlr"),
                )
        elif piece == "name":
            key = area.sheet.entity("company", name)
            value = Part(name, key)
            mode = rng.choice(("beside", "beside", "below", "bare"))
            if mode == "bare":
                area.block(value, align=rng.choice("ml"))
            elif mode == "below":
                blocks.under(area, [Entry(pick(rng, words.POS_NAME), value)])
            else:
                blocks.rows(area, [Entry(pick(rng, words.POS_NAME), value)])
        elif piece == "pairs":
            entries = pos_entries(doc, 3, 9)
            if maybe(rng, 0.6):
                blocks.rows(area, entries, 1, rng.choice(("beside", "beside", "tab", "ends")))
            else:
                chance.scramble(area, entries, halves=0.0)
        elif piece == "sum":
            rows = [Entry(pick(rng, words.POS_AMOUNT), doc.figure(doc.sale.total, "total"))]
            if maybe(rng, 0.2):
                rows.append(Entry(pick(rng, "小费(TIPS)|手续费|优惠金额|奖励金"), "0.00"))
            doc.write_sums(rows)
        else:
            for text in rng.sample(words.NOTES.split("|"), rng.randint(0, 2)):
                area.block(text)
            if maybe(rng, 0.7):
                area.block(
                    pick(
                        rng,
                        (
                            "备注(REFERENCE)|持卡人签名(CARDHOLDER SIGNATURE)|持卡人签名：|本人确认以上交易，"
                            "同意将其记入本卡账户|交易金额未超过1000元，免密免签|I ACKNOWLEDGE SATISFACTORY "
                            "RECEIPT OF RELATIVE GOODS/SERVICES|免签免密"
                        ),
                    )
                )
        if maybe(rng, 0.5):
            divide(doc)
    return narrow(doc)


@family("zh_pos_cells", "receipt")
def zh_pos_cells(rng: random.Random, palette: Palette) -> Sheet:
    """A terminal's slip whose pairs stand under one another, in cells, or in a mixture, with the sum anywhere."""
    doc = bill(rng, palette, across=(20, 40), count=(1, 1), price=(5, 9000), tax=0)
    area = doc.area
    doc.title(pick(rng, words.POS_TITLES))
    name = companies.company_zh(rng) if maybe(rng, 0.5) else shop_zh(rng)
    entries = [
        Entry(pick(rng, words.POS_NAME), Part(name, area.sheet.entity("company", name))),
        *pos_entries(doc, 3, 8),
        Entry(pick(rng, words.POS_AMOUNT), doc.figure(doc.sale.total, "total")),
    ]
    if maybe(rng, 0.3):
        rng.shuffle(entries)
    if maybe(rng, 0.5):
        blocks.cells(area, entries, rng.choice((1, 2)))
    elif maybe(rng, 0.5):
        blocks.under(area, entries, rng.choice((1, 2)), framed=maybe(rng, 0.4))
    else:
        chance.scramble(area, entries)
    doc.foot(0, 3)
    return narrow(doc)


@family("zh_taxi", "receipt")
def zh_taxi(rng: random.Random, palette: Palette) -> Sheet:
    """A taxi's receipt: plate, times of getting in and out, kilometres, price by the kilometre, the sum."""
    doc = bill(rng, palette, across=(12, 22), count=(1, 1), price=(8, 200), tax=0.1)
    area, sheet = doc.area, doc.area.sheet
    name = (
        f"{places.city_zh(rng)}{pick(rng, '市|')}{companies.company_zh(rng)[-8:]}"
        if maybe(rng, 0.3)
        else companies.company_zh(rng)
    )
    low = maybe(rng, 0.3)
    if not low:
        doc.seller(name=name, parts=rng.choice(("n", "np", "nap")), labelled=0.3)
    doc.title(
        pick(rng, "出租汽车发票|出租车专用发票|出租汽车车费凭证|乘车凭证|车费收据|出租车票|网约车行程单|电子行程单")
    )
    number = coded(rng, "########")
    written = Part(dates.format_date(rng, doc.day, "zh"), sheet.entity("date", doc.day.isoformat()))
    start = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    entries = [
        Entry(
            pick(rng, "号码|发票号码|票号|发票号|单号|流水号|凭证号"),
            Part(number, sheet.entity("receipt_number", number)),
        ),
        Entry(pick(rng, "日期|乘车日期|Date|日 期"), written),
        Entry(pick(rng, "上车|上车时间|起始时间|上车 Start"), start),
        Entry(pick(rng, "下车|下车时间|结束时间|时间"), doc.clock[:5]),
        Entry(pick(rng, "车号|车牌|车牌号|TAXI NO"), f"{rng.choice('京沪粤川鄂')}{coded(rng, '@·#####')}"),
        Entry(pick(rng, "单价|公里价|每公里"), f"{rng.choice(('2.30', '2.50', '1.90', '3.00'))}"),
        Entry(pick(rng, "里程|公里|行驶里程"), f"{rng.uniform(1, 50):.1f}{rng.choice(('km', '公里', ''))}"),
        Entry(pick(rng, "等候|低速|候时"), f"00:{rng.randint(0, 59):02d}:00"),
        Entry(pick(rng, "证号|驾驶员|司机|监督卡"), coded(rng, "######")),
        Entry(pick(rng, "代码|发票代码"), coded(rng, "1##########")),
        Entry(pick(rng, "燃油附加费|附加费|调度费"), rng.choice(("0.00", "1.00", "3.00"))),
    ]
    keep = entries[:2] + rng.sample(entries[2:], rng.randint(3, len(entries) - 2))
    if maybe(rng, 0.5):
        rng.shuffle(keep)
    total = [
        Entry(
            pick(rng, "金额|实收金额|车费|合计|合计金额|总金额|应付|金额 Fare|实付金额"),
            doc.figure(doc.sale.total, "total"),
        )
    ]
    if maybe(rng, 0.7):
        blocks.rows(area, [*keep, *total], 1, rng.choice(("beside", "tab", "ends", "right")))
    else:
        chance.scramble(area, [*keep, *total], halves=0.0)
    if low:
        doc.seller(name=name, parts="n", labelled=0.4)
    doc.foot(0, 2)
    return narrow(doc)


@family("zh_parking", "receipt")
def zh_parking(rng: random.Random, palette: Palette) -> Sheet:
    """A car park, a toll or a filling station: plate, times, litres, the sum."""
    doc = bill(rng, palette, across=(14, 26), count=(1, 1), price=(1, 500), tax=0.15)
    area = doc.area
    kind = rng.choice(("parking", "fuel", "toll"))
    title = {
        "parking": "停车收费凭证|停车费收据|停车缴费小票|停车场收费单|停车票",
        "fuel": "加油小票|加油凭证|加油站交易凭证|成品油销售单|加油卡消费凭证",
        "toll": "通行费收据|车辆通行费|高速公路通行费凭证|过路费",
    }[kind]
    order = ["seller", "title"] if maybe(rng, 0.6) else ["title", "seller"]
    if maybe(rng, 0.2):
        order.remove("seller")
    for piece in order:
        doc.title(pick(rng, title)) if piece == "title" else doc.seller()
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:00"
    plate = f"{rng.choice('京沪粤川鄂浙苏')}{coded(rng, '@%%%%%')}"
    own = {
        "parking": [
            ("车牌号|车牌号码|车号|车牌", plate),
            ("入场时间|进场时间|驶入时间", clock),
            ("停车时长|停放时长|时长", f"{rng.randint(0, 20)}小时{rng.randint(1, 59)}分"),
            ("收费标准|车型|车辆类型", pick(rng, "临时车|小型车|月租车|5元/小时")),
            ("出口|通道|岗亭", pick(rng, "东门|1号出口|南出口")),
        ],
        "fuel": [
            ("油品|油品名称|商品|品号", pick(rng, "92号汽油|95#汽油|0#柴油|98号")),
            ("加油量|数量|升数|数量(升)", f"{rng.uniform(5, 80):.2f}"),
            ("单价|单价(元/升)", f"{rng.uniform(6, 9):.2f}"),
            ("油枪|枪号|加油枪", str(rng.randint(1, 24))),
            ("油站编号|站号|班次", coded(rng, "####")),
        ],
        "toll": [
            ("入口|入口站|入口收费站", places.city_zh(rng) + "站"),
            ("出口|出口站", places.city_zh(rng) + "站"),
            ("车型|车种", pick(rng, "客1|一型客车|货2")),
            ("车牌|车牌号", plate),
            ("轴重|里程", f"{rng.randint(5, 600)}km"),
        ],
    }[kind]
    near = [Entry(pick(rng, names), value) for names, value in rng.sample(own, rng.randint(2, 5))]
    entries = chance.mixed(rng, doc.details(0, 2), near)
    rows = doc.sums()
    if maybe(rng, 0.4):
        chance.scramble(area, [*entries, *rows], halves=0.0)
    else:
        chance.scramble(area, entries, halves=0.0)
        divide(doc)
        doc.write_sums(rows)
    if "seller" not in order:
        doc.seller(parts=rng.choice(("n", "na", "nap")), labelled=0.3)
    doc.foot(0, 3)
    return narrow(doc)
