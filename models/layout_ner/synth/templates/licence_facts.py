"""What stands on a business licence: values that agree with one another, and their many labels."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import decimal, later, maybe
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

LABELS = {
    "credit_code": ("统一社会信用代码", "统一社会信用代码", "社会信用代码", "统一社会信用代码/注册号"),
    "company": ("名称", "名称", "名称", "企业名称", "公司名称"),
    "company_type": ("类型", "类型", "主体类型", "公司类型", "企业类型", "经济性质"),
    "legal_representative": ("法定代表人", "法定代表人", "负责人", "法定代表人姓名", "投资人", "执行事务合伙人"),
    "registered_capital": ("注册资本", "注册资本", "注册资金", "成员出资总额", "出资额"),
    "established": ("成立日期", "成立日期", "注册日期", "成立时间"),
    "address": ("住所", "住所", "营业场所", "经营场所", "主要经营场所", "地址"),
    "scope": ("经营范围", "经营范围", "经营范围及方式", "主营项目类别"),
}
_NOTES = (
    "每年1月1日至6月30日通过国家企业信用信息公示系统报送年度报告",
    "国家企业信用信息公示系统网址：http://www.gsxt.gov.cn",
    "国家市场监督管理总局监制",
    "中华人民共和国国家工商行政管理总局监制",
    "扫描二维码登录国家企业信用信息公示系统了解更多登记、备案、许可、监管信息",
    "市场主体应当于每年1月1日至6月30日通过公示系统报送公示年度报告",
)


@dataclass(slots=True, frozen=True)
class Licence:
    """A licence's values; ``capital`` is None where there is none (branches, individual businesses)."""

    kind: str
    code: str
    company: str
    company_type: str
    person: str
    capital: Decimal | None
    capital_text: str
    established: date
    end: date | None
    address: str
    scope: str
    authority: str
    issued: date


def capital_text(rng: random.Random, capital: Decimal) -> str:
    """Capital as licences print it."""
    tens = capital / 10_000
    plain = f"{tens:f}".rstrip("0").rstrip(".") if "." in f"{tens:f}" else f"{tens:f}"
    return rng.choice(
        (
            money.capitals(capital),
            money.capitals(capital),
            f"人民币{money.capitals(capital)}",
            f"（人民币）{money.capitals(capital)}",
            f"{plain}万元人民币",
            f"{plain}万元",
            f"人民币{plain}万元",
            f"{tens:.6f}万元人民币",
            f"{plain}万人民币",
            f"{int(capital):,}元",
        )
    )


def licence(rng: random.Random, kind: str | None = None) -> Licence:
    """A random licence; ``kind`` is ``company``, ``branch`` or ``individual``."""
    kind = kind or rng.choices(("company", "branch", "individual"), (7, 1, 2))[0]
    region = places.region(rng)
    established = dates.date_between(rng, date(1993, 1, 1), date(2025, 6, 30))
    capital = (
        Decimal(
            rng.choice((3, 10, 30, 50, 50, 100, 100, 200, 300, 500, 500, 800, 1000, 2000, 5000, rng.randint(11, 9999)))
        )
        * 10_000
    )
    company = companies.company_zh(rng)
    company_type = companies.company_type_zh(rng)
    if kind == "branch":
        company += rng.choice((places.city_zh(rng), "第一", "")) + "分公司"
        company_type = rng.choice(
            ("有限责任公司分公司", "有限责任公司分公司（自然人投资或控股）", "股份有限公司分公司", "分公司")
        )
    elif kind == "individual":
        company_type = rng.choice(("个体工商户", "个体工商户", "个体", "个体（个人经营）"))
    organ = rng.choice(("市场监督管理局", "市场监督管理局", "工商行政管理局", "行政审批局"))
    authority = (region.city or region.county) + organ
    return Licence(
        kind,
        identifiers.credit_code(rng, region),
        company,
        company_type,
        people.chinese_name(rng),
        capital if kind == "company" else None,
        capital_text(rng, capital),
        established,
        None if maybe(rng, 0.45) else later(established, rng.choice((10, 15, 20, 30, 50)), -1),
        places.address_zh(rng, region),
        companies.business_scope(rng),
        authority,
        dates.date_between(rng, established, date(2026, 6, 30)),
    )


def day_text(rng: random.Random, day: date) -> str:
    """A day as licences print it."""
    return dates.format_date(rng, day, "zh_long") if maybe(rng, 0.9) else dates.format_date(rng, day, "iso")


def term_text(rng: random.Random, data: Licence) -> str:
    """How long the business may run."""
    if data.end is None:
        return rng.choice(("长期", "长期", f"{day_text(rng, data.established)}至长期", "永久"))
    return rng.choice(("{} 至 {}", "自{}至{}", "{}至{}")).format(
        day_text(rng, data.established), day_text(rng, data.end)
    )


def label_of(rng: random.Random, name: str, data: Licence) -> str:
    """One of a field's labels that suits the kind of business."""
    if data.kind == "individual":
        if name == "legal_representative":
            return rng.choice(("经营者", "经营者", "经营者姓名"))
        if name == "address":
            return "经营场所"
        if name == "established":
            return rng.choice(("注册日期", "成立日期"))
    if data.kind == "branch":
        if name == "legal_representative":
            return "负责人"
        if name == "address":
            return "营业场所"
    return rng.choice(LABELS[name][:2]) if maybe(rng, 0.7) else rng.choice(LABELS[name])


def field_part(sheet: Sheet, rng: random.Random, name: str, data: Licence) -> Part:
    """A field's value, announced to the sheet."""
    if name == "established":
        return Part(day_text(rng, data.established), sheet.entity(name, data.established.isoformat()))
    if name == "registered_capital":
        assert data.capital is not None
        return Part(data.capital_text, sheet.entity(name, decimal(data.capital)))
    text = {
        "credit_code": data.code,
        "company": data.company,
        "company_type": data.company_type,
        "legal_representative": data.person,
        "address": data.address,
        "scope": data.scope,
    }[name]
    return Part(text, sheet.entity(name, text))


def note(rng: random.Random) -> str:
    """Small print."""
    return rng.choice(_NOTES)


def serial(rng: random.Random) -> str:
    """What stands beside the title: number of the copy, of the form."""
    return rng.choice(
        (
            f"({rng.randint(1, 3)}-{rng.randint(1, 3)})",
            f"编号：{rng.randint(10**9, 10**11)}",
            f"编号 {rng.randint(10**9, 10**11)}",
            f"副本编号：{rng.randint(1, 9)}-{rng.randint(1, 9)}",
            f"证照编号：{rng.randint(10**9, 10**11)}",
            f"No.{rng.randint(10**6, 10**8)}",
        )
    )
