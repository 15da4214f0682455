"""Pages of no known type that look like known ones: delivery notes, quotations, passes, labels, permits, statements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.marks import portrait, seal, squares
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, goods, identifiers, money, people, places

Pairs = Sequence[tuple[str, str]]


def day(area: Area) -> str:
    """Some date."""
    made = dates.date_between(area.rng, date(2005, 1, 1), date(2026, 6, 30))
    return dates.format_date(area.rng, made, "zh" if area.chinese else "en")


def person(area: Area) -> str:
    """Some name."""
    return people.chinese_name(area.rng) if area.chinese else people.english_name(area.rng)


def firm(area: Area) -> str:
    """Some company."""
    return companies.company_zh(area.rng) if area.chinese else companies.company_en(area.rng)


def address(area: Area) -> str:
    """Some address."""
    return places.address_zh(area.rng) if area.chinese else places.address_en(area.rng)


def phone(area: Area) -> str:
    """Some telephone."""
    return identifiers.phone_zh(area.rng) if area.chinese else identifiers.phone_en(area.rng)


def thing(area: Area) -> str:
    """Some goods."""
    return goods.goods_zh(area.rng) if area.chinese else goods.goods_en(area.rng)


def some(rng: random.Random, pool: Pairs, low: int, high: int) -> list[Entry]:
    """Some of the pairs, in any order."""
    return [Entry(pick(rng, names), value) for names, value in rng.sample(list(pool), min(len(pool), rng.randint(low, high)))]


def lines_table(area: Area, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts, ruled or not; the first column wider."""
    rng = area.rng
    shares = [rng.uniform(1.6, 2.4), *(rng.uniform(0.8, 1.3) for _ in heads[1:])]
    edges = [area.left]
    for share in shares:
        edges.append(edges[-1] + area.width * share / sum(shares))
    grid = Grid(area.sheet, edges, area.y, area.how.value_font, max(10, area.size - 1), pad=0.3, least=rng.uniform(1.5, 2.2) * area.size, frame=maybe(rng, 0.6))  # fmt: skip
    align = rng.choice("lmr")
    grid.row([cell(head, align=align if number else "l", font=area.bold) for number, head in enumerate(heads)])
    for row in rows:
        grid.row([cell(text, align=align if number else "l") for number, text in enumerate(row)])
    area.y = grid.y + 0.6 * area.size


def page(rng: random.Random, palette: Palette, across: tuple[float, float], chinese: bool | None = None) -> Area:
    """An empty page in one of the languages."""
    return chance.open_page(rng, palette, chinese=maybe(rng, 0.55) if chinese is None else chinese, across=across)


@family("note_delivery", None)
def note_delivery(rng: random.Random, palette: Palette) -> Sheet:
    """A delivery note, packing list or store's slip: goods with counts, no sums of money."""
    area = page(rng, palette, rng.choice(((18, 30), (34, 64))))
    zh = area.chinese
    titles = "送货单|出库单|入库单|装箱单|配送单|拣货单|调拨单|领料单|退货单" if zh else "DELIVERY NOTE|Packing List|DELIVERY ORDER|Picking List|Goods Received Note|Stock Transfer|PACKING SLIP|Dispatch Note"  # fmt: skip
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
                [("送货单号|单号|出库单号|订单号", coded(rng, "########")), ("收货单位|客户|收货人", firm(area)), ("日期|送货日期|制单日期", day(area)), ("收货地址|地址", address(area)), ("仓库|库位|司机", person(area)), ("电话|联系电话", phone(area))]
                if zh
                else [("Delivery Note No.|D/O No.|Ref|Order No.", coded(rng, "@@-#####")), ("Deliver To|Ship To|Customer", firm(area)), ("Date|Despatch Date|Delivery Date", day(area)), ("Address|Delivery Address", address(area)), ("Driver|Carrier|Picked by", person(area)), ("Phone|Contact", phone(area))]
            )  # fmt: skip
            chance.scramble(area, some(rng, pool, 3, 6), halves=0.3)
        elif piece == "goods":
            heads = [pick(rng, "品名|货品名称|物料"), pick(rng, "规格|型号|单位"), pick(rng, "数量|件数|实发数量")] if zh else ["Item", pick(rng, "Code|Unit|Bin"), pick(rng, "Qty|Quantity|Cartons")]
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
    chance.titled(area, ("报价单", "询价单", "采购订单", "价目表", "产品价格表", "采购计划", "工程预算表") if zh else ("QUOTATION", "Price List", "PURCHASE ORDER", "Estimate", "Request for Quotation", "Rate Card", "Tariff"), owner=firm(area))  # fmt: skip
    pool = (
        [("报价日期|日期", day(area)), ("询价单位|采购单位|致", firm(area)), ("报价有效期|有效期", f"{rng.randint(7, 90)}天"), ("联系人", person(area)), ("交货期|付款方式", pick(rng, "款到发货|30天|月结")), ("报价单号|采购单号", coded(rng, "@@########"))]
        if zh
        else [("Date|Quote Date", day(area)), ("To|Attention|Vendor", firm(area)), ("Valid for|Validity", f"{rng.randint(7, 90)} days"), ("Contact|Prepared by", person(area)), ("Lead time|Terms", pick(rng, "4 weeks|COD|Net 30")), ("Quote No.|PO No.|Our Ref", coded(rng, "@-######"))]
    )  # fmt: skip
    chance.scramble(area, some(rng, pool, 2, 6), halves=0.3)
    heads = ["产品", "规格", "数量", "单价"] if zh else ["Product", "Spec", "Qty", "Unit price"]
    rows = [[thing(area), coded(rng, "@-###"), str(rng.randint(1, 200)), f"{money.amount(rng, 1, 5000)}"] for _ in range(rng.randint(3, 14))]
    lines_table(area, heads, rows)
    if maybe(rng, 0.5):
        blocks.rows(area, [Entry(pick(rng, "预计总价|报价合计|预算金额" if zh else "Estimated total|Quoted amount|Budget"), f"{money.amount(rng, 100, 90000)}")], 1, "ends")
    chance.prose_block(area)
    return chance.close_page(area, least=0.6, most=1.4)


@family("boarding", None)
def boarding(rng: random.Random, palette: Palette) -> Sheet:
    """A boarding pass, a bus or ship ticket, an itinerary of flights: places, times and seats, but no train."""
    area = page(rng, palette, rng.choice(((18, 34), (40, 66))))
    zh = area.chinese
    chance.titled(area, ("登机牌", "航空运输电子客票行程单", "汽车客票", "船票", "长途汽车票", "行程单（机票）", "客运发票", "机场大巴票") if zh else ("BOARDING PASS", "E-Ticket Itinerary", "Bus Ticket", "FERRY TICKET", "Flight Itinerary", "Electronic Ticket", "Coach Ticket"))  # fmt: skip
    flight = f"{rng.choice(('CA', 'MU', 'CZ', 'HU', 'MH', 'SQ', 'BA', 'AK'))}{rng.randint(100, 9999)}"
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    pool = (
        [("航班|航班号|班次|车号", flight), ("姓名|旅客姓名", person(area)), ("出发地|始发|自|上车点", places.city_zh(rng)), ("目的地|至|到达", places.city_zh(rng)), ("日期|乘机日期", day(area)), ("登机口|检票口", str(rng.randint(1, 60))), ("座位|座位号", f"{rng.randint(1, 60)}{rng.choice('ABCDEFHJK')}"), ("登机时间|起飞时间|发车时间", clock), ("舱位|等级", pick(rng, "经济舱|Y|商务舱|普通")), ("电子客票号|票号", coded(rng, "###-##########")), ("证件号|身份证号", coded(rng, "######********####")), ("票价|燃油附加费|合计", f"CNY {rng.randint(30, 3000)}.00"), ("序号", coded(rng, "###"))]
        if zh
        else [("Flight|Service|Bus No.", flight), ("Name|Passenger", person(area).upper()), ("From|Origin|Departs", prose.title_en(rng, 1, 1)), ("To|Destination|Arrives", prose.title_en(rng, 1, 1)), ("Date", day(area)), ("Gate|Platform|Bay", str(rng.randint(1, 60))), ("Seat", f"{rng.randint(1, 60)}{rng.choice('ABCDEFHJK')}"), ("Boarding|Departure Time|Time", clock), ("Class|Cabin", pick(rng, "Economy|Y|Business")), ("E-ticket|Ticket No.|Booking Ref", coded(rng, "@@@###")), ("Fare|Baggage", pick(rng, "USD 120.00|1PC|20KG")), ("Seq|Zone", coded(rng, "###"))]
    )  # fmt: skip
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
    code = coded(rng, rng.choice(("SF#############", "YT#############", "############", "JD###########", "1Z%%%%%%%%%%%%%%%%")))
    if maybe(rng, 0.7):
        chance.heading(area, pick(rng, "标准快递|特快专递|电商标快|快递电子面单|物流运单" if zh else "PRIORITY|EXPRESS|Standard Parcel|AIR WAYBILL|NEXT DAY"), 1.4, rng.choice("lmr"))
    if maybe(rng, 0.7):
        area.line(code, font=area.bold, size=round(1.3 * area.size), align=rng.choice("lm"))
    for names in ("收件人|收|收方|收货方", "寄件人|寄|寄方|发货方") if zh else ("TO|SHIP TO|Recipient|Consignee", "FROM|Sender|SHIP FROM|Shipper"):
        value = [Entry(pick(rng, names), f"{person(area)} {phone(area)}"), Entry("", address(area))]
        if maybe(rng, 0.5):
            blocks.rows(area, value, 1)
        else:
            blocks.under(area, [Entry(value[0].label, f"{value[0].value} {value[1].value}")], 1, framed=True)
    pool = (
        [("重量|计费重量", f"{rng.uniform(0.1, 20):.2f}kg"), ("件数", str(rng.randint(1, 9))), ("付款方式|运费", pick(rng, "寄付月结|到付|现付")), ("托寄物|品名|内容", thing(area)), ("运单号|订单号", code), ("寄件时间|打印时间", day(area))]
        if zh
        else [("Weight", f"{rng.uniform(0.1, 20):.1f} kg"), ("Pieces|Pkgs", str(rng.randint(1, 9))), ("Payment|Billing", pick(rng, "Prepaid|Collect|P/P")), ("Contents|Description", thing(area)), ("Tracking No.|Order", code), ("Ship date", day(area))]
    )  # fmt: skip
    chance.arrange(area, some(rng, pool, 2, 6))
    return chance.close_page(area, least=0.8, most=1.6)


@family("permit", None, weight=1.5)
def permit(rng: random.Random, palette: Palette) -> Sheet:
    """A permit or certificate of a firm that is no business licence, or a person's licence that is no identity card."""
    area = page(rng, palette, rng.choice(((26, 44), (40, 64))), chinese=maybe(rng, 0.75))
    zh = area.chinese
    own = maybe(rng, 0.5)
    if zh:
        titles = ("驾驶证", "中华人民共和国机动车驾驶证", "中华人民共和国机动车行驶证", "学生证", "教师资格证书", "社会保障卡", "工作证", "护照资料页", "居住证", "户口簿", "港澳通行证", "执业医师证", "特种作业操作证") if own else ("食品经营许可证", "开户许可证", "道路运输经营许可证", "卫生许可证", "商标注册证", "税务登记证", "组织机构代码证", "安全生产许可证", "事业单位法人证书", "基本存款账户信息", "医疗机构执业许可证", "房屋所有权证", "专利证书", "排污许可证")  # fmt: skip
        pool = (
            [("姓名", person(area)), ("性别", pick(rng, "男|女")), ("出生日期", day(area)), ("住址|地址", address(area)), ("证号|编号|档案编号", coded(rng, "##################")), ("准驾车型|专业|岗位|资格种类", pick(rng, "C1|计算机|会计|高级中学教师资格")), ("有效期限|有效期至", day(area)), ("初次领证日期|发证日期|入学时间", day(area)), ("发证机关|学校|工作单位|签发机关", firm(area)), ("国籍|民族|学历", pick(rng, "中国|汉|本科")), ("号牌号码|车辆类型|所有人", coded(rng, "京@#####"))]
            if own
            else [("单位名称|经营者名称|权利人|注册人|名称", firm(area)), ("法定代表人|负责人|代理机构", person(area)), ("经营场所|坐落|地址|住所", address(area)), ("许可证编号|核准号|证号|注册号", coded(rng, "JY###############")), ("主体业态|开户银行|核定使用商品|用途", pick(rng, "餐饮服务经营者|中国工商银行|第35类|住宅")), ("经营项目|许可范围|宗旨和业务范围", pick(rng, "热食类食品制售|普通货运|预包装食品销售|内科")), ("有效期至|有效期限|注册日期", day(area)), ("发证机关|登记机关|举办单位", firm(area)), ("签发人|日常监督管理机构", person(area)), ("账号|面积|申请日", coded(rng, "##########")), ("发证日期|签发日期", day(area))]
        )  # fmt: skip
    else:
        titles = ("DRIVING LICENCE", "Student Card", "Staff Pass", "Membership Certificate", "Visitor Pass", "PERMIT", "Passport", "Certificate of Registration", "Trade Mark Certificate", "Food Handler Permit", "Vehicle Registration")  # fmt: skip
        pool = [("Name|Surname", person(area)), ("Address", address(area)), ("Licence No.|Permit No.|ID|Reg. No.", coded(rng, "@@######")), ("Date of Birth|DOB", day(area)), ("Expiry|Valid until|Date of expiry", day(area)), ("Issued|Date of issue", day(area)), ("Class|Category|Department", pick(rng, "B|D|Science|Sales")), ("Issued by|Authority", firm(area)), ("Sex", pick(rng, "M|F")), ("Nationality|Place of birth", prose.title_en(rng, 1, 1))]  # fmt: skip
    chance.titled(area, titles, owner=firm(area) if maybe(rng, 0.4) else "")
    chance.scramble(area, some(rng, pool, 4, 10), halves=0.2)
    if own and maybe(rng, 0.6):
        portrait(area.sheet, area.left, area.y + 0.4 * area.size, 5 * area.size, 6.5 * area.size, rng)
        area.skip(7.5)
    if maybe(rng, 0.5):
        area.line(day(area), align="r")
        seal(area.sheet, area.right - 3 * area.size, area.y - area.size, 2.6 * area.size)
    return chance.close_page(area, least=0.5, most=1.2)


@family("bank_advice", None, weight=1.2)
def bank_advice(rng: random.Random, palette: Palette) -> Sheet:
    """A bank's transfer advice or statement: payer, payee, accounts, sums in capitals; no receipt of a shop."""
    area = page(rng, palette, (44, 84), chinese=maybe(rng, 0.65))
    zh = area.chinese
    if zh:
        chance.titled(area, ("电子回单", "业务回单", "客户回单", "转账凭证", "进账单", "银行对账单", "账户交易明细", "网上银行电子回单", "收款回单", "存款凭条"), owner=companies.bank_zh(rng))  # fmt: skip
        value = money.amount(rng, 10, 900000)
        pool = [("付款人户名|付款人|付款方户名", firm(area)), ("付款人账号|付款账号", coded(rng, "###################")), ("付款人开户行|付款行", companies.bank_branch_zh(rng)), ("收款人户名|收款人|收款方户名", firm(area)), ("收款人账号|收款账号", coded(rng, "###################")), ("收款人开户行|收款行", companies.bank_branch_zh(rng)), ("金额|交易金额|转账金额", f"¥{value}"), ("金额（大写）|大写金额", money.capitals(value)), ("交易时间|记账日期|日期", day(area)), ("回单编号|交易流水号|凭证号", coded(rng, "################")), ("摘要|用途|附言", pick(rng, "货款|服务费|往来款|工资")), ("币种", "人民币"), ("回单验证码|柜员", coded(rng, "%%%%%%%%"))]  # fmt: skip
    else:
        chance.titled(area, ("Transfer Advice", "ACCOUNT STATEMENT", "Bank Statement", "Payment Advice", "Credit Advice", "Deposit Slip", "Remittance Advice"), owner=f"{prose.title_en(rng, 1, 1)} Bank")  # fmt: skip
        pool = [("Payer|Remitter|From", firm(area)), ("Account No.|From Account", coded(rng, "##########")), ("Beneficiary|Payee|To", firm(area)), ("Beneficiary Account|To Account", coded(rng, "##########")), ("Amount", f"{money.amount(rng, 10, 90000):,.2f}"), ("Value Date|Date|Statement Date", day(area)), ("Reference|Ref No.", coded(rng, "@@##########")), ("Purpose|Details", pick(rng, "Invoice|Salary|Rent")), ("Opening Balance|Closing Balance|Charges", f"{money.amount(rng, 1, 90000):,.2f}")]  # fmt: skip
    chance.scramble(area, some(rng, pool, 5, 12), halves=0.35)
    if maybe(rng, 0.4):
        heads = ["日期", "摘要", "借方", "余额"] if zh else ["Date", "Details", "Debit", "Balance"]
        rows = [[day(area), pick(rng, "转账|消费|利息") if zh else pick(rng, "Transfer|Card|Interest"), f"{money.amount(rng, 1, 9000)}", f"{money.amount(rng, 1, 90000)}"] for _ in range(rng.randint(3, 14))]
        lines_table(area, heads, rows)
    if maybe(rng, 0.4):
        seal(area.sheet, area.right - 4 * area.size, area.y - area.size, 3 * area.size)
    return chance.close_page(area, least=0.4, most=1.2)
