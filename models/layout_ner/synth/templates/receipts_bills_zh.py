"""Chinese receipts of utilities, cinemas, couriers and canteens, and sales sheets on printed paper."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import bill_words_zh as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_zh import Bill, bill
from models.layout_ner.synth.templates.labels import lay, maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.receipts_scrambled_zh import divide
from models.layout_ner.synth.templates.receipts_slips_zh import narrow
from models.layout_ner.synth.templates.receipts_zh import shop_zh
from models.layout_ner.synth.values import identifiers, money, people, places

_KINDS: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    # titles, endings of the seller's name, pairs that are no field (``#`` and the like are filled in)
    "utility": (
        (
            "缴费凭证|水费缴费单|电费收据|燃气费缴费凭证|话费充值凭证|客户缴费回单|电费账单|供暖费收据|"
            "有线电视缴费单|缴费成功"
        ),
        "自来水有限公司|供电公司|燃气有限公司|供热有限责任公司|通信有限公司|水务集团有限公司|营业厅",
        (
            ("户号|客户编号|用户编号|表号", "##########"),
            ("上期示数|上次读数|起码", "####"),
            ("本期示数|本次读数|止码", "#####"),
            ("用量|本期用量|用电量|用水量", "###"),
            ("违约金|滞纳金|上期结余", "0.00"),
            ("账期|费用所属期|计费月份", "2023##"),
            ("本期余额|账户余额|可用余额", "##.##"),
        ),
    ),
    "cinema": (
        "电影票|取票凭证|影票小票|售票小票|观影凭证|门票|入场券|景区门票|演出票|购票凭证",
        "影城|电影院|国际影城|剧院|大剧院|动物园|风景区管理有限公司|游乐园|博物馆|旅游发展有限公司",
        (
            ("影厅|放映厅|厅号", "#号厅"),
            ("座位|座号|座位号", "#排##座"),
            ("影片|片名|剧目|票种", "成人票"),
            ("场次|放映时间|入场时间", "##:##"),
            ("取票号|验票码|入园码", "########"),
            ("服务费|手续费", "3.00"),
            ("张数|人数", "#"),
        ),
    ),
    "courier": (
        (
            "快递收费凭证|寄件收据|运单存根|快递服务费收据|货物运单（客户联）|快件详情单（收据联）|物流托运单|"
            "邮资凭证|收派凭证"
        ),
        "速运有限公司|快递有限公司|物流有限公司|邮政局|速递营业部|货运部|运输有限公司",
        (
            ("目的地|寄达地|到站", ""),
            ("重量|计费重量|计费重量(kg)", "#.#"),
            ("件数|数量", "#"),
            ("保价|声明价值|保价费", "#00.00"),
            ("运单|母单号|物流单号", "SF############"),
            ("产品类型|时效|业务类型", "标准快递"),
            ("付款方式|结算方式", "寄付现结"),
        ),
    ),
    "canteen": (
        "消费凭条|食堂消费小票|取餐单|就餐凭证|点餐小票|外卖小票|餐费收据|结账单|充值凭条|自助收银小票",
        "食堂|餐饮管理有限公司|职工餐厅|学生食堂|团膳服务有限公司|美食城|快餐店|餐饮店",
        (
            ("窗口|档口|机号", "##号"),
            ("卡号|学工号|员工号", "########"),
            ("卡余额|消费后余额|余额", "##.##"),
            ("餐别|餐次", "午餐"),
            ("取餐号|排队号|叫号", "@###"),
            ("次数|补贴余额", "##"),
            ("桌号|就餐方式", "堂食"),
        ),
    ),
}


def kind_of(rng: random.Random, palette: Palette, kind: str, *, across: tuple[float, float]) -> Bill:
    """Seller, title, details and pairs of a trade, in one of several orders; the goods and sums are still to come."""
    titles, endings, pairs = _KINDS[kind]
    doc = bill(rng, palette, across=across, count=(1, 5), price=(1, 400), tax=0.15)
    brand = "".join(rng.sample("中联华新安泰鼎盛万众恒通顺达星辰康宁和美嘉禾", rng.choice((2, 2, 4))))
    name = places.city_zh(rng) + rng.choice(("市", "")) + rng.choice((brand, brand, "")) + pick(rng, endings)
    order = rng.choice(
        (("seller", "title", "pairs"), ("title", "seller", "pairs"), ("title", "pairs", "seller"), ("seller", "pairs"))
    )
    for piece in order:
        if piece == "seller":
            doc.seller(name=name, parts=rng.choice(("n", "np", "nap", "na")), labelled=0.2)
        elif piece == "title":
            doc.title(pick(rng, titles))
        else:
            near = [
                Entry(pick(rng, names), coded(rng, form) or places.city_zh(rng))
                for names, form in rng.sample(pairs, rng.randint(2, 6))
            ]
            if maybe(rng, 0.6):
                near.insert(0, doc.customer())
            chance.scramble(doc.area, chance.mixed(rng, doc.details(0, 1), near), halves=0.25)
        if maybe(rng, 0.5):
            divide(doc)
    return doc


def close(doc: Bill, *, goods: float) -> Sheet:
    """Goods, sums and foot."""
    rng = doc.rng
    if maybe(rng, goods):
        doc.goods()
        divide(doc)
    rows = doc.sums()
    if maybe(rng, 0.25):
        chance.scramble(doc.area, rows, halves=0.2)
    else:
        doc.write_sums(rows)
    doc.foot(0, 3)
    return chance.close_page(doc.area, least=0.3, most=0.9)


@family("zh_utility", "receipt")
def zh_utility(rng: random.Random, palette: Palette) -> Sheet:
    """Water, electricity, gas, telephone: account, readings, the sum."""
    return close(kind_of(rng, palette, "utility", across=rng.choice(((16, 28), (30, 54)))), goods=0.4)


@family("zh_cinema", "receipt")
def zh_cinema(rng: random.Random, palette: Palette) -> Sheet:
    """A cinema's or park's slip: hall, seat, performance, the sum."""
    return close(kind_of(rng, palette, "cinema", across=(14, 30)), goods=0.4)


@family("zh_courier", "receipt")
def zh_courier(rng: random.Random, palette: Palette) -> Sheet:
    """A courier's receipt: sender and recipient, weight, charges."""
    doc = kind_of(rng, palette, "courier", across=rng.choice(((18, 30), (30, 52))))
    rows = [
        Entry(pick(rng, "寄件人|寄方|托运人"), f"{people.chinese_name(rng)} {identifiers.phone_zh(rng)}"),
        Entry(pick(rng, "收件人|收方|收货人"), people.chinese_name(rng)),
        Entry(pick(rng, "收件地址|收方地址|寄件地址"), places.address_zh(rng)),
    ]
    blocks.rows(doc.area, rng.sample(rows, rng.randint(1, 3)), 1, rng.choice(("beside", "tab")))
    return close(doc, goods=0.35)


@family("zh_canteen", "receipt")
def zh_canteen(rng: random.Random, palette: Palette) -> Sheet:
    """A canteen's or snack bar's slip: window, card, what is left on it."""
    return close(kind_of(rng, palette, "canteen", across=(13, 24)), goods=0.8)


@family("zh_sales_sheet", "receipt", weight=1.2)
def zh_sales_sheet(rng: random.Random, palette: Palette) -> Sheet:
    """A sales sheet on printed paper: number and day beside the title, customer, a ruled table, capitals."""
    doc = bill(rng, palette, across=(30, 58), count=(1, 8), price=(2, 900), tax=0.1)
    area, sheet = doc.area, doc.area.sheet
    low = maybe(rng, 0.45)
    if not low:
        doc.seller(align=rng.choice("mml"), parts=rng.choice(("n", "na", "nap")))
    doc.title(
        pick(
            rng,
            (
                "销售单|送货单|商品销售清单|销售出库单|销货清单|出货单|零售清单|销售凭证|结算清单|维修结算单|"
                "定货单|客户结算单"
            ),
        ),
        rng.choice("mml"),
    )
    details = doc.details(0, 2)
    if maybe(rng, 0.8):
        details.insert(rng.randint(0, len(details)), doc.customer())
    if maybe(rng, 0.6):
        details.insert(rng.randint(0, len(details)), Entry(pick(rng, "电话|联系电话|手机"), identifiers.phone_zh(rng)))
    way = rng.choice(("flow", "rows", "scramble", "chain"))
    if way == "scramble":
        chance.scramble(area, details, halves=0.3)
    elif way == "rows":
        blocks.rows(area, details, rng.choice((2, 2, 3)), rng.choice(("beside", "tab")))
    else:
        getattr(blocks, way)(area, details)
    doc.goods()
    total = doc.figure(doc.sale.total, "total")
    if maybe(rng, 0.5):
        line = [
            Part(
                pick(rng, "合计人民币（大写）：|合计大写：|金额大写：|大写：") + money.capitals(doc.sale.total) + "   "
            ),
            Part(pick(rng, "小写：|￥：|合计：|（小写）|总计：")),
            *total,
        ]
        last = lay(sheet, area.left, area.base(), line, area.how.value_font, area.size, width=area.width)
        area.y = last + 0.8 * area.size
        if doc.sale.discount:
            area.line(f"{pick(rng, words.DISCOUNT)}：{doc.sale.discount}")
    else:
        doc.write_sums(doc.sums(extra=maybe(rng, 0.3)))
    blocks.flow(
        area,
        [
            Entry(pick(rng, "制单|开单|经手人|送货人"), people.chinese_name(rng)),
            Entry(pick(rng, "收货人签字|客户签名|收货人"), pick(rng, "__________|　")),
        ],
    )
    if low:
        box = replace(area, left=area.left + rng.choice((0.0, 0.3)) * area.width, width=0.7 * area.width)
        Bill.seller(replace(doc, area=box), align=rng.choice("lr"), parts=rng.choice(("n", "na", "nap")))
        area.y = box.y
    doc.foot(0, 1)
    return chance.close_page(area, least=0.4, most=1.2)


@family("zh_pay_screen", "receipt", weight=0.8)
def zh_pay_screen(rng: random.Random, palette: Palette) -> Sheet:
    """A payment as a telephone shows it: a large sum first, then pairs with values at the right."""
    doc = bill(rng, palette, across=(16, 24), count=(1, 2), price=(1, 900), tax=0, fonts=("hei", "hei", "song"))
    area, sheet = doc.area, doc.area.sheet
    top = maybe(rng, 0.6)
    if top:
        doc.seller(parts="n", align="m", labelled=0)
    area.skip(0.5)
    area.line(doc.figure(doc.sale.total, "total"), align="m", font=area.bold, size=round(1.9 * area.size))
    if maybe(rng, 0.6):
        area.line(pick(rng, "支付成功|交易成功|已支付|付款成功|订单完成"), align="m")
    chance.rule(area)
    number = coded(rng, rng.choice(("20##############", "############################", "4200############")))
    written = Part(dates_text(doc), sheet.entity("date", doc.day.isoformat()))
    entries = [
        Entry(pick(rng, "支付时间|创建时间|付款时间|交易时间|下单时间"), [written, Part(f" {doc.clock}")]),
        Entry(
            pick(rng, "交易单号|订单号|商户单号|转账单号|流水号"), Part(number, sheet.entity("receipt_number", number))
        ),
        Entry(pick(rng, "支付方式|付款方式"), pick(rng, "零钱|花呗|建设银行储蓄卡(1234)|余额宝")),
        Entry(pick(rng, "商品|商品说明|商品名称|订单信息"), doc.sale.items[0].name),
        Entry(pick(rng, "当前状态|交易状态"), pick(rng, "支付成功|对方已收钱")),
        Entry(
            pick(rng, "收单机构|账单分类|服务商"),
            pick(rng, "通联支付网络服务股份有限公司|餐饮美食|拉卡拉支付股份有限公司"),
        ),
    ]
    if not top:
        name = shop_zh(rng)
        entries.append(
            Entry(pick(rng, "商户全称|收款方|商家|收款方全称|商户名称"), Part(name, sheet.entity("company", name)))
        )
    rng.shuffle(entries)
    blocks.rows(area, entries, 1, rng.choice(("ends", "tab", "beside", "ends")))
    return narrow(doc)


def dates_text(doc: Bill) -> str:
    """The day as screens show it."""
    day = doc.day
    return doc.rng.choice(
        (f"{day:%Y-%m-%d}", f"{day:%Y年%m月%d日}", f"{day.year}年{day.month}月{day.day}日", f"{day:%Y/%m/%d}")
    )
