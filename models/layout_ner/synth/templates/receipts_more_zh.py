"""More Chinese receipts: card slips, taxis, car parks, fuel, hotels, chemists, vouchers, bills, cinemas, couriers."""

from __future__ import annotations

import random
from datetime import timedelta

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import bill_words_zh as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_zh import bill
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.receipts_scrambled_zh import divide
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, money, people, places


def _city(rng: random.Random) -> str:
    return places.city_zh(rng)


@family("zh_hotel", "receipt")
def zh_hotel(rng: random.Random, palette: Palette) -> Sheet:
    """A hotel's bill: guest, room, arrival and departure; charges in a table; signature."""
    doc = bill(rng, palette, across=(28, 56), count=(1, 6), price=(20, 900), tax=0.2)
    area = doc.area
    doc.seller(align=rng.choice("mml"))
    doc.title(pick(rng, "宾客账单|结账单|住宿费账单|客房账单|酒店水单|消费明细单|客人账单|住宿消费凭证|离店结算单"))
    arrival = doc.day - timedelta(days=rng.randint(1, 12))
    stay = [
        ("宾客姓名|客人姓名|住客|姓名", people.chinese_name(rng)),
        ("房号|房间号|房间", coded(rng, "####")),
        ("房型|房类", pick(rng, "标准间|大床房|豪华双床|商务套房")),
        ("入住日期|到店日期|抵店时间|入住时间", dates.format_date(rng, arrival, "zh")),
        ("天数|间夜|人数", str(rng.randint(1, 12))),
        ("押金|预付款|预授权", f"{rng.randint(1, 20)}00.00"),
        ("会员卡号|证件号码|协议单位", coded(rng, "########")),
    ]
    entries = chance.mixed(
        rng, doc.details(0, 1), [Entry(pick(rng, names), value) for names, value in rng.sample(stay, rng.randint(2, 6))]
    )
    chance.scramble(area, entries, halves=0.3)
    doc.goods()
    doc.write_sums(doc.sums())
    if maybe(rng, 0.6):
        area.line(pick(rng, "宾客签名|客人签字：|我同意支付上述款项|收银员签字"), align=rng.choice("lr"))
    doc.foot(0, 2)
    return chance.close_page(area, least=0.5, most=1.3)


@family("zh_chemist", "receipt")
def zh_chemist(rng: random.Random, palette: Palette) -> Sheet:
    """A chemist's or clinic's receipt: batch numbers, makers, insurance payments, member and doctor."""
    doc = bill(rng, palette, across=(18, 36), count=(1, 7), price=(3, 300), tax=0.1)
    area = doc.area
    name = (
        _city(rng)
        + rng.choice(("市", ""))
        + pick(rng, "仁济|康宁|同和|百草|益民|春天|惠仁|健康")
        + pick(rng, "大药房有限公司|医药连锁有限公司|大药房|药店|诊所|中医馆|医院|口腔门诊部|社区卫生服务中心")
    )
    doc.seller(name=name, align=rng.choice("mml"))
    doc.title(
        pick(rng, "销售小票|药品销售凭证|门诊收费清单|收费清单|购药小票|门诊收费收据|药品清单|挂号收费凭条|结算单")
    )
    near = [
        ("会员|会员姓名|患者|姓名", people.chinese_name(rng)),
        ("科室|医生|开方医师", pick(rng, "内科|口腔科|王医生|中医科")),
        ("病历号|门诊号|就诊卡号|处方号", coded(rng, "########")),
        ("医保类型|费别|参保类型", pick(rng, "自费|城镇职工|居民医保|普通医保")),
        ("执业药师|审方药师|配药员", people.chinese_name(rng)),
    ]
    entries = chance.mixed(
        rng, doc.details(0, 2), [Entry(pick(rng, names), value) for names, value in rng.sample(near, rng.randint(1, 4))]
    )
    chance.scramble(area, entries, halves=0.2)
    divide(doc)
    doc.goods()
    divide(doc)
    rows = doc.sums()
    if maybe(rng, 0.5):
        rows.append(Entry(pick(rng, "医保支付|统筹支付|个人账户支付|医保余额|其他支付"), "0.00"))
    doc.write_sums(rows)
    doc.foot(0, 3)
    return chance.close_page(area, least=0.3, most=0.9)


@family("zh_voucher", "receipt", weight=1.5)
def zh_voucher(rng: random.Random, palette: Palette) -> Sheet:
    """收据: received from whom, for what, in capitals and figures; lines to write on or a ruled table, stamp below."""
    doc = bill(rng, palette, across=(30, 50), count=(1, 4), price=(20, 5000), tax=0, fonts=("song", "hei", "kai"))
    area, sheet = doc.area, doc.area.sheet
    doc.before, doc.after = rng.choice((("￥", ""), ("¥", ""), ("￥ ", ""), ("", "元"), ("", "")))
    kinds = (
        "中学|小学|大学|幼儿园|人民医院|物业服务有限公司|培训学校|村民委员会|房地产开发有限公司|"
        "驾驶培训有限公司|职业技术学院|妇幼保健院"
    )
    name = (
        _city(rng) + rng.choice(("市", "第一", "")) + pick(rng, kinds) if maybe(rng, 0.6) else companies.company_zh(rng)
    )
    where = rng.choice(("top", "top", "row", "bottom", "bottom"))
    if where == "top":
        doc.seller(name=name, parts=rng.choice(("n", "n", "na")), align="m", labelled=0)
    doc.title(
        pick(
            rng,
            (
                "收 据|收据|收款收据|缴费收据|收费收据|统一收款收据|专用收款收据|资金往来结算票据|"
                "行政事业性收费票据|收款凭证|押金收据|学杂费收据"
            ),
        ),
        "m",
    )
    number = coded(rng, rng.choice(("#######", "########", "@#######", "######")))
    written = Part(
        dates.format_date(rng, doc.day, "zh_long" if maybe(rng, 0.7) else "zh"),
        sheet.entity("date", doc.day.isoformat()),
    )
    y = area.base()
    when = [Part(pick(rng, "日期：|开票日期：|入账日期：|收款日期：||")), written]
    which = [
        Part(pick(rng, "№ |No. |NO：|编号：|票据号码：|收据号：|№")),
        Part(number, sheet.entity("receipt_number", number)),
    ]
    ends = [when, which] if maybe(rng, 0.6) else [which, when]
    area.sheet.text(area.left, y, [part for part in ends[0] if part.text], area.how.value_font, area.size)
    area.sheet.text(area.right, y, [part for part in ends[1] if part.text], area.how.value_font, area.size, anchor="r")
    area.skip(2.0)
    payer = rng.choice((people.chinese_name(rng), companies.company_zh(rng)))
    for_what = pick(
        rng, "学费|住院押金|物业管理费|培训费|水电费|房租|装修押金|书本费|停车费|会费|体检费|货款|定金|工程款"
    )
    capitals = money.capitals(doc.sale.total)
    total = doc.figure(doc.sale.total, "total")
    company = Part(name, sheet.entity("company", name)) if where != "top" else Part("")
    style = rng.choice(("lines", "table", "pairs"))
    if style == "table":
        grid = Grid(
            sheet,
            [area.left + cut * area.width for cut in (0.0, 0.4, 0.53, 0.76, 1.0)],
            area.y,
            area.how.value_font,
            area.size,
            least=2.0 * area.size,
            pad=0.4,
        )
        grid.row(
            [
                cell(pick(rng, "交款单位|交款人|缴款人|付款单位") + "：" + payer, span=2),
                cell(pick(rng, "收款方式：现金|支付方式：转账|收款方式：微信"), span=2),
            ]
        )
        grid.row([cell(pick(rng, words.HEADINGS[kind]), align="m") for kind in ("name", "quantity", "price", "amount")])
        for item in doc.sale.items:
            grid.row(
                [
                    cell(item.name),
                    cell(f"{item.quantity:f}", align="m"),
                    cell(f"{item.price}", align="r"),
                    cell(f"{item.amount}", align="r"),
                ]
            )
        if doc.sale.discount or maybe(rng, 0.3):
            grid.row([cell(pick(rng, "减免|优惠")), cell(""), cell(""), cell(f"-{doc.sale.discount}", align="r")])
        label = pick(rng, "合计人民币（大写）：|合计（大写）|金额合计（大写）：|人民币（大写）")
        grid.row([cell(label + capitals, span=2), cell([Part(pick(rng, "小写：|（小写）|合计：")), *total], span=2)])
        area.y = grid.y + 0.6 * area.size
    elif style == "lines":
        pieces: list[list[Part]] = [
            [Part(pick(rng, "今收到 |兹收到 |收到 |交款单位：|今收到：")), Part(payer)],
            [Part(pick(rng, "交来 |交来：|系付 |收款事由：|摘要：|人民币系 ")), Part(for_what)],
            [Part(pick(rng, "人民币（大写）|金额（大写）：|计人民币（大写）")), Part(capitals)],
            [Part(pick(rng, "￥|（小写）|小写：|金额：|合计：").replace("￥", "" if doc.before else "￥")), *total],
        ]
        for piece in pieces:
            y = area.base()
            end = area.sheet.text(
                area.left + area.size, y, [part for part in piece if part.text], area.how.value_font, area.size
            )
            if maybe(rng, 0.7):
                area.sheet.rule(
                    area.left + area.size,
                    y + 0.35 * area.size,
                    max(end, area.left + 0.9 * area.width),
                    y + 0.35 * area.size,
                    1,
                )
            area.skip(2.2)
    else:
        rows = [
            Entry(pick(rng, words.CUSTOMER), payer),
            Entry(pick(rng, "收费项目|收款事由|款项内容|摘要|项目"), for_what),
            Entry(pick(rng, "金额（大写）|人民币（大写）|合计（大写）|大写"), capitals),
            Entry(pick(rng, "金额（小写）|小写|￥|金额|合计|合计（小写）|人民币（小写）"), total),
            Entry(pick(rng, "收款方式|支付方式|付款方式"), pick(rng, "现金|微信|转账|刷卡")),
        ]
        if maybe(rng, 0.3):
            rng.shuffle(rows)
        chance.scramble(area, rows, halves=0.1)
    if where == "row":
        blocks.rows(area, [Entry(pick(rng, "收款单位|收款单位（盖章）|收费单位|单位名称"), company)])
    foot = [
        Entry(pick(rng, "经手人|收款人|开票人|出纳"), people.chinese_name(rng)),
        Entry(pick(rng, "会计|复核|审核"), people.chinese_name(rng)),
    ]
    if where == "bottom":
        foot.insert(rng.randint(0, 2), Entry(pick(rng, "收款单位（公章）|收款单位|收费单位（盖章）|单位盖章"), company))
    blocks.flow(area, foot)
    doc.foot(0, 1)
    return chance.close_page(area, least=0.4, most=0.8)
