"""What stands on an insurance policy: values that agree with one another, in Chinese or English."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import decimal, later, maybe
from models.layout_ner.synth.templates.words_en import coined
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

LINES = ("life", "health", "accident", "motor", "property", "travel", "liability", "cargo")
_PRODUCTS_ZH = {
    "life": "终身寿险|两全保险（分红型）|定期寿险|年金保险|增额终身寿险|养老年金保险|终身寿险（万能型）|少儿两全保险",
    "health": "重大疾病保险|百万医疗保险|住院医疗保险|防癌疾病保险|长期医疗保险|护理保险|补充医疗保险",
    "accident": "人身意外伤害保险|综合意外险|团体意外伤害保险|交通工具意外伤害保险|学生平安保险|雇主意外险",
    "motor": "机动车商业保险|机动车交通事故责任强制保险|机动车辆保险|新能源汽车商业保险|摩托车综合保险",
    "property": "家庭财产保险|企业财产综合险|财产一切险|房屋保险|建筑工程一切险|店铺综合保险",
    "travel": "境内旅游意外保险|境外旅行综合保险|申根签证保险|航空延误保险|旅行社责任保险",
    "liability": "公众责任保险|雇主责任保险|产品责任保险|职业责任保险|安全生产责任保险",
    "cargo": "国内货物运输保险|进出口货物运输险|物流责任保险|船舶保险",
}
_PRODUCTS_EN = {
    "life": "Whole Life|Term Life|Endowment|Universal Life|Annuity|Life Protector|Family Income",
    "health": "Medical|Critical Illness|Hospital and Surgical|Health Care|Dental|Cancer Care",
    "accident": "Personal Accident|Group Personal Accident|Student Accident",
    "motor": "Private Car Comprehensive|Motor|Motorcycle|Commercial Vehicle|Third Party Motor|Car",
    "property": "Home|Householder|Fire|Contents|Business Property|Landlord|Homeowners",
    "travel": "Travel|Annual Travel|Single Trip Travel|Overseas Student|Flight Delay",
    "liability": "Public Liability|Professional Indemnity|Employers' Liability|General Liability",
    "cargo": "Marine Cargo|Inland Transit|Hull",
}
_CHARS = "安康福瑞泰盛金鑫御享e惠鸿臻尊悦守护乐家祥无忧智盈优逸佑卓越"
_COVERS_ZH = {
    "motor": (
        "机动车损失保险|第三者责任保险|车上人员责任险（司机）|车上人员责任险（乘客）|"
        "盗抢险|玻璃单独破碎险|车身划痕损失险|不计免赔率|医保外医疗费用责任险"
    ),
    "life": "身故保险金|满期保险金|全残保险金|生存保险金|豁免保险费|年金给付",
    "other": (
        "意外身故、伤残|意外医疗|住院津贴|公共交通意外|重大疾病|紧急救援|个人责任|"
        "行李延误|火灾损失|水暖管爆裂|盗窃损失|救护车费用|猝死|门诊费用"
    ),
}
_COVERS_EN = {
    "motor": "Own damage|Third party liability|Windscreen|Theft|Passenger liability|Flood and storm|Loss of use|Towing",
    "life": "Death benefit|Maturity benefit|Total disability|Waiver of premium|Terminal illness|Accidental death",
    "other": (
        "Accidental death|Medical expenses|Hospital income|Baggage delay|Trip cancellation|Personal "
        "liability|Buildings|Contents|Loss of rent|Emergency evacuation|Theft|Fire|Legal expenses"
    ),
}


@dataclass(slots=True, frozen=True)
class Policy:
    """A policy's values. ``covers``: further rows of the table (name, sum, premium) that add up to the totals."""

    line: str
    number: str
    insurer: str
    holder: str
    insured: str
    id_number: str
    product: str
    sum_insured: Decimal
    premium: Decimal
    start: date
    end: date | None
    covers: tuple[tuple[str, Decimal, Decimal], ...]
    chinese: bool


def _covers(rng: random.Random, line: str, premium: Decimal, chinese: bool) -> tuple[tuple[str, Decimal, Decimal], ...]:
    pool = (_COVERS_ZH if chinese else _COVERS_EN).get(line) or (_COVERS_ZH if chinese else _COVERS_EN)["other"]
    names = rng.sample(pool.split("|"), rng.randint(2, 5))
    left = premium
    rows = []
    for number, name in enumerate(names):
        share = (
            left if number == len(names) - 1 else money.rounded(left * Decimal(str(round(rng.uniform(0.2, 0.6), 3))))
        )
        left -= share
        rows.append((name, Decimal(rng.choice((1, 2, 5, 10, 20, 30, 50, 100, rng.randint(3, 99)))) * 10_000, share))
    return tuple(rows)


def policy(rng: random.Random, *, chinese: bool, line: str | None = None) -> Policy:
    """A random policy; the sums of its covers add up to its own."""
    line = line or rng.choice(LINES)
    start = dates.date_between(rng, date(2006, 1, 1), date(2026, 6, 30))
    long = line in ("life", "health") and maybe(rng, 0.7)
    if long:
        end = None if maybe(rng, 0.35) else later(start, rng.choice((5, 10, 15, 20, 30)), -1)
    elif line == "travel":
        end = date.fromordinal(start.toordinal() + rng.randint(3, 90))
    else:
        end = later(start, 1, -rng.randint(0, 1))
    premium = money.amount(rng, 30, 60_000)
    firm = line in ("liability", "cargo", "property") and maybe(rng, 0.6)
    if chinese:
        birth = dates.date_between(rng, date(1945, 1, 1), date(2003, 12, 31))
        holder = companies.company_zh(rng) if firm else people.chinese_name(rng)
        other = people.chinese_name(rng)
        number = (
            identifiers.credit_code(rng)
            if firm
            else identifiers.resident_id(rng, birth, maybe(rng, 0.5), places.region(rng))
        )
        brand = "".join(rng.choice(_CHARS) for _ in range(rng.choice((0, 2, 2, 2, 4))))
        product = brand + rng.choice(_PRODUCTS_ZH[line].split("|"))
        insurer = companies.insurer_zh(rng)
    else:
        holder = companies.company_en(rng) if firm else people.english_name(rng)
        other = people.english_name(rng)
        number = identity_en(rng)
        product = rng.choice(_PRODUCTS_EN[line].split("|")) + rng.choice(
            (" Insurance", " Insurance", " Policy", " Plan", " Cover", "")
        )
        if maybe(rng, 0.4):
            product = rng.choice(
                (
                    f"{coined(rng)} {product}",
                    f"{product} {rng.choice(('Plus', 'Gold', 'Elite', 'A', 'Standard', 'II'))}",
                )
            )
        insurer = insurer_en(rng)
    covers = _covers(rng, line, premium, chinese)
    total = sum((row[1] for row in covers), Decimal(0))
    insured = holder if firm or maybe(rng, 0.6) else other
    return Policy(
        line,
        identifiers.policy_number(rng),
        insurer,
        holder,
        insured,
        number,
        product,
        total,
        premium,
        start,
        end,
        covers,
        chinese,
    )


def identity_en(rng: random.Random) -> str:
    """An identity card's or passport's number, Malaysian or other."""
    digits = "".join(rng.choice("0123456789") for _ in range(9))
    day = dates.date_between(rng, date(1945, 1, 1), date(2003, 12, 31))
    return rng.choice(
        (
            f"{day:%y%m%d}-{rng.randint(1, 16):02d}-{rng.randint(1000, 9999)}",
            f"{day:%y%m%d}{rng.randint(1, 16):02d}{rng.randint(1000, 9999)}",
            f"{rng.choice('ABCEGHJK')}{digits[:8]}",
            f"S{digits[:7]}{rng.choice('ABCDEFG')}",
            f"{digits[:3]}-{digits[3:5]}-{digits[5:]}",
            digits,
        )
    )


def insurer_en(rng: random.Random) -> str:
    """An insurance company's name in English."""
    first = (
        coined(rng)
        if maybe(rng, 0.6)
        else rng.choice(
            (
                "Pacific",
                "Union",
                "Great Eastern",
                "Royal",
                "Mutual",
                "Allied",
                "First",
                "Northern",
                "Liberty",
                "Harbour",
            )
        )
    )
    kind = rng.choice(
        (
            "General Insurance",
            "Insurance",
            "Life Assurance",
            "Assurance",
            "Insurance Company",
            "Mutual Insurance",
            "General",
            "Life Insurance",
        )
    )
    return f"{first} {kind} {rng.choice(('Berhad', 'Ltd', 'Limited', 'plc', 'Inc.', 'Co. Ltd', 'Corporation'))}"


def amount_text(rng: random.Random, value: Decimal, chinese: bool, currency: str) -> str:
    """A sum as policies print it."""
    whole = value == value.to_integral_value()
    plain = f"{value:,.2f}"
    if chinese:
        choices = [
            f"{value:.2f}元",
            f"{plain}元",
            f"¥{plain}",
            f"￥{value:.2f}",
            f"人民币{plain}元",
            f"RMB {plain}",
            f"CNY{plain}",
            plain,
            f"{value:.2f}",
        ]
        if whole:
            choices += [f"{int(value)}元", f"{int(value):,}元"]
        if value % 10_000 == 0:
            choices += [f"{int(value) // 10_000}万元", f"人民币{int(value) // 10_000}万元"]
        return rng.choice(choices)
    choices = [f"{currency}{plain}", f"{currency} {plain}", plain, f"{currency} {value:.2f}"]
    if whole:
        choices.append(f"{currency} {int(value):,}")
    return rng.choice(choices)


LABELS_ZH = {
    "policy_number": "保险单号|保单号|保险单号码|保单号码|保险合同号|合同编号|保险单编号|电子保单号|保险合同号码",
    "policyholder": "投保人|投保人|投保人姓名|投保人名称|投保单位|投保人名称/姓名",
    "insured": "被保险人|被保险人|被保险人姓名|被保险人名称|主被保险人|被保人",
    "id_number": "证件号码|身份证号码|被保险人身份证号码|证件号|身份证号|被保险人证件号码|投保人证件号码|居民身份证",
    "product": "险种名称|产品名称|保险产品|险种|投保险种|保险名称|主险名称|承保险种|计划名称",
    "sum_insured": "保险金额|保险金额合计|总保险金额|基本保险金额|保额|保险金额/责任限额|保障金额|累计责任限额",
    "premium": "保险费|保险费合计|总保险费|保费|首期保险费|每期保险费|应交保险费|保费合计|年交保险费",
}
LABELS_EN = {
    "policy_number": (
        "Policy No.|Policy Number|Policy no|Certificate No.|Contract Number|Policy #|Certificate Number|Policy No"
    ),
    "policyholder": (
        "Policyholder|Policy Holder|Policy Owner|Name of Policyholder|Proposer|Policyholder Name|Owner|Contract Holder"
    ),
    "insured": (
        "Insured|Name of Insured|Life Assured|Insured Person|The Insured|"
        "Insured Name|Person Insured|Life Insured|Named Insured"
    ),
    "id_number": (
        "NRIC / Passport No.|ID Number|Identity Card No.|I.C. No.|Passport "
        "No.|NRIC No.|ID No.|New IC No.|Identification No."
    ),
    "product": (
        "Plan|Product|Type of Cover|Class of Insurance|Plan Name|Product "
        "Name|Type of Policy|Policy Type|Coverage|Basic Plan"
    ),
    "sum_insured": (
        "Sum Insured|Total Sum Insured|Sum Assured|Limit of Liability|Face "
        "Amount|Amount of Insurance|Total Limit|Basic Sum Assured"
    ),
    "premium": (
        "Premium|Total Premium|Annual Premium|Premium Payable|Gross Premium|"
        "Total Amount Payable|Premium Due|Total Premium Due"
    ),
}
PERIOD_ZH = "保险期间|保险期限|保障期间|保险责任期间|保单有效期|保险有效期"
PERIOD_EN = "Period of Insurance|Policy Period|Period of Cover|Coverage Period|Insurance Period|Term of Cover"
START_ZH, END_ZH = (
    "保险起期|生效日期|合同生效日|起保日期|保险责任起始日|保单生效日",
    "保险止期|终止日期|合同终止日|满期日|终保日期|到期日期|保险责任终止日",
)
START_EN, END_EN = (
    "Effective Date|Start Date|Commencement Date|From|Inception Date|Date of Commencement|Policy Effective Date",
    "Expiry Date|End Date|Maturity Date|To|Expiration Date|Date of Expiry",
)
LIFELONG_ZH, LIFELONG_EN = ("终身", "终身", "长期"), ("Whole of life", "Lifetime", "Whole life")


def label_of(rng: random.Random, name: str, chinese: bool, bilingual: bool = False) -> str:
    """One of a field's labels, perhaps in both languages."""
    text = rng.choice((LABELS_ZH if chinese else LABELS_EN)[name].split("|"))
    if bilingual:
        other = rng.choice((LABELS_EN if chinese else LABELS_ZH)[name].split("|"))
        return f"{text}{rng.choice((' ', ' / ', '/'))}{other}"
    return text


def value_part(sheet: Sheet, rng: random.Random, name: str, data: Policy, currency: str) -> Part:
    """A field's value, announced to the sheet."""
    if name in ("sum_insured", "premium"):
        amount = data.sum_insured if name == "sum_insured" else data.premium
        return Part(amount_text(rng, amount, data.chinese, currency), sheet.entity(name, decimal(amount)))
    text = {
        "policy_number": data.number,
        "policyholder": data.holder,
        "insured": data.insured,
        "id_number": data.id_number,
        "product": data.product,
    }[name]
    return Part(text, sheet.entity(name, text))


def date_part(sheet: Sheet, rng: random.Random, name: str, data: Policy, group: str) -> Part:
    """The first or the last day, announced to the sheet."""
    day = data.start if name == "start_date" else data.end
    if day is None:
        return Part(rng.choice(LIFELONG_ZH if data.chinese else LIFELONG_EN), sheet.entity(name, "permanent"))
    return Part(dates.format_date(rng, day, group), sheet.entity(name, day.isoformat()))


def period_parts(sheet: Sheet, rng: random.Random, data: Policy, group: str) -> list[Part]:
    """Both days in one line: 自 ... 零时起至 ... 二十四时止."""
    start, end = date_part(sheet, rng, "start_date", data, group), date_part(sheet, rng, "end_date", data, group)
    if data.chinese:
        before, between, after = rng.choice(
            (
                ("自", "零时起至", "二十四时止"),
                ("自", "0时起至", "24时止"),
                ("", "至", ""),
                ("", " 至 ", ""),
                ("", " - ", ""),
                ("自 ", " 00:00 起至 ", " 24:00 止"),
                ("", " 00:00:00 至 ", " 23:59:59"),
                ("从", "零时起到", "二十四时止"),
                ("", "~", ""),
                ("自", "零时起，至", "二十四时止（北京时间）"),
            )
        )
    else:
        before, between, after = rng.choice(
            (
                ("From ", " to ", ""),
                ("", " to ", ""),
                ("", " - ", ""),
                ("From: ", " To: ", ""),
                ("From ", " to ", " (both dates inclusive)"),
                ("", " until ", ""),
                ("FROM ", " TO ", " midnight"),
                ("", " through ", ""),
                ("", " – ", ""),
                ("00:01 ", " to 23:59 ", ""),
            )
        )
    if data.end is None:
        after = ""
        between = "至" if data.chinese else " to "
    return [part for part in (Part(before), start, Part(between), end, Part(after)) if part.text]
