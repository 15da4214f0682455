"""What papers about train journeys call their fields, and what else they hold."""

from __future__ import annotations

import random
from collections.abc import Sequence

from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.templates.train_parts import Journey, departure_parts
from models.layout_ner.synth.values import companies, identifiers, places

LABELS = {
    "train": "车次|列车车次|车 次|乘坐车次|次|列车|Train|车次号|班次|车次 Train No.",
    "origin": "出发站|始发站|发站|乘车站|出发地|出发|上车站|从|From|起点站|始发|出发车站|起始站|上车",
    "destination": "到达站|终到站|到站|目的地|到达|下车站|到|To|终点站|抵达站|到达车站|目的站|下车",
    "departure": (
        "开车时间|发车时间|乘车时间|出发时间|乘车日期|出发日期|开车|乘车日期时间|日期时间|日期|发车|出行时间|"
        "Departure|行程时间|开点"
    ),
    "seat": "席位|座位|座位号|车厢座位|座号|车厢/座位|席位号|铺位|座席号|Seat|车厢座号|位置",
    "price": "票价|票款|金额|价格|票面价|车票价格|实付金额|支付金额|Price|票价(元)|票价金额|全价|票面金额|小计",
    "passenger": "乘车人|旅客姓名|姓名|乘客|旅客|乘客姓名|乘车人姓名|Passenger|出行人|购票人姓名|客户姓名",
    "id_number": (
        "证件号码|身份证号|有效证件号|证件号|身份证件号码|身份证|乘车人证件|ID No.|证件|有效身份证件号|乘客证件"
    ),
}
TITLES = [
    "铁路电子客票",
    "行程信息提示",
    "报销凭证",
    "购票信息单",
    "行程单",
    "电子客票",
    "车票信息",
    "火车票",
    "铁路客票",
    "出行提醒",
    "车票详情",
    "订单详情",
    "高铁票",
    "铁路电子客票行程信息",
    "火车票报销单",
    "车票凭证",
    "购票成功",
    "中国铁路",
    "乘车凭证",
    "铁路旅客车票",
    "退改签凭证",
    "12306 订单",
]


def entries(
    sheet: Sheet, rng: random.Random, trip: Journey, *, without: Sequence[str] = (), masked: float = 0.8
) -> list[Entry]:
    """The journey's pairs, all announced: never without train, stations, departure and price."""
    key = sheet.entity("departure", trip.leaves.isoformat(timespec="minutes")) if "departure" not in without else None
    day, clock = departure_parts(rng, trip.leaves)
    if maybe(rng, 0.3):
        day = f"{trip.leaves:%Y-%m-%d}" if maybe(rng, 0.6) else f"{trip.leaves:%Y/%m/%d}"
    price = f"{trip.price:.1f}" if maybe(rng, 0.5) else f"{trip.price:.2f}"
    shown = trip.masked if maybe(rng, masked) else trip.id_number
    station = rng.choice(("", "", "站"))
    values: dict[str, list[Part]] = {}
    for name in LABELS:
        if name in without or (name in ("seat", "passenger", "id_number") and maybe(rng, 0.12)):
            continue
        if name == "departure":
            middle = rng.choice((" ", "  ", " ", " 周" + rng.choice("一二三四五六日") + " "))
            values[name] = [Part(day, key), Part(middle), Part(clock, key), Part(rng.choice(("", "", "开")))]
        elif name in ("origin", "destination"):
            text = trip.origin if name == "origin" else trip.destination
            values[name] = [Part(text, sheet.entity(name, text)), Part(station)]
        elif name == "seat":
            values[name] = [Part(trip.carriage + trip.place, sheet.entity(name, trip.carriage + trip.place))]
        elif name == "price":
            sign, unit = rng.choice((("￥", ""), ("¥", ""), ("", "元"), ("", ""), ("￥", "元")))
            values[name] = [Part(sign), Part(price, sheet.entity(name, str(trip.price))), Part(unit)]
        else:
            text = {"train": trip.train, "passenger": trip.passenger, "id_number": shown}[name]
            values[name] = [Part(text, sheet.entity(name, text))]
    return [Entry(pick(rng, LABELS[name]), [part for part in parts if part.text]) for name, parts in values.items()]


def others(rng: random.Random, trip: Journey, low: int = 0, high: int = 7) -> list[Entry]:
    """Pairs that are no field."""
    clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}"
    pool = [
        ("席别|座席|座位类型|席别等级", trip.kind),
        (
            "订单号|票号|电子票号|订单编号|取票号|21位票号",
            coded(rng, rng.choice(("E#########", "@@########", "#####################"))),
        ),
        ("检票口|检票|候车室|候车地点", f"{rng.randint(1, 30)}{rng.choice('AB')}"),
        ("到达时间|预计到达|到点", clock),
        ("历时|全程|运行时间", f"{rng.randint(0, 20)}小时{rng.randint(1, 59)}分"),
        ("票种|车票类型|票类", pick(rng, "成人票|学生票|儿童票|残军票")),
        ("状态|车票状态|订单状态", pick(rng, "已支付|已出票|已改签|已检票|未出行")),
        ("退票费|手续费|服务费|保险|改签差价", f"{rng.randint(0, 90)}.00"),
        ("购买方|购买方名称|抬头|报销单位", companies.company_zh(rng)),
        ("统一社会信用代码|税号|纳税人识别号", identifiers.credit_code(rng)),
        ("经由|途经|中转站", places.railway_station(rng)),
        ("联系电话|手机号|联系方式", identifiers.phone_zh(rng)),
        ("证件类型|有效证件", pick(rng, "二代身份证|身份证|护照|中国居民身份证")),
        ("下单时间|出票时间|购票时间|打印时间|开票日期", f"{trip.leaves:%m}月{trip.leaves:%d}日"),
        ("售票站|售票窗口|取票点|代售点", f"{places.railway_station(rng)}站"),
        ("里程|公里", f"{rng.randint(20, 2400)}"),
    ]
    return [Entry(pick(rng, names), value) for names, value in rng.sample(pool, rng.randint(low, min(high, len(pool))))]
