"""More business licences: by chance, on screens, from registers, in boxes, in sentences, with the scope first."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import beside, lay, maybe, parts_of, shrink, spread
from models.layout_ner.synth.templates.licence_facts import (
    Licence,
    day_text,
    field_part,
    label_of,
    licence,
    note,
    serial,
    term_text,
)
from models.layout_ner.synth.templates.licence_parts import manner, paper, scope_row, title
from models.layout_ner.synth.templates.marks import emblem, seal, squares
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick
from models.layout_ner.synth.values import identifiers, people

LABELS = {
    "credit_code": (
        "统一社会信用代码|社会信用代码|信用代码|统一信用代码|统一社会信用代码/注册号|信用代码/税号|统一代码|"
        "统一社会信用代码（营业执照号）"
    ),
    "company": (
        "名称|企业名称|公司名称|单位名称|市场主体名称|名 称|商事主体名称|企业（机构）名称|经营者名称|字号名称|"
        "主体名称|商户名称"
    ),
    "company_type": (
        "类型|企业类型|公司类型|主体类型|市场主体类型|经济性质|经济类型|机构类型|类 型|商事主体类型|企业性质|组织形式"
    ),
    "legal_representative": (
        "法定代表人|负责人|法人代表|法定代表人姓名|投资人|执行事务合伙人|法人|法定代表人（负责人）|企业法人|"
        "法人姓名|代表人"
    ),
    "registered_capital": (
        "注册资本|注册资金|出资额|注册资本（万元）|成员出资总额|认缴注册资本|资本总额|注册资本金|开办资金"
    ),
    "established": "成立日期|注册日期|成立时间|注册时间|设立日期|开业日期|登记日期|成立年月日|创立日期",
    "address": (
        "住所|营业场所|经营场所|主要经营场所|地址|注册地址|企业地址|住 所|公司住所|经营地址|企业住所|注册地|住所地"
    ),
    "scope": (
        "经营范围|经营范围及方式|主营业务|许可经营项目|经营项目|业务范围|经营业务范围|一般经营项目|主营范围|营业范围"
    ),
}
_OPERATOR = "经营者|经营者姓名|经营者|业主姓名|个体户主"
TITLES = (
    "营业执照",
    "营业执照",
    "营业执照",
    "电子营业执照",
    "营业执照（副本）",
    "企业法人营业执照",
    "个体工商户营业执照",
    "营 业 执 照",
    "企业营业执照信息",
)


def named(rng: random.Random, name: str, data: Licence) -> str:
    """One of a field's labels, from the long list or as licences print it."""
    if maybe(rng, 0.4):
        return label_of(rng, name, data)
    if name == "legal_representative" and data.kind == "individual":
        return pick(rng, _OPERATOR)
    return pick(rng, LABELS[name])


def entries(sheet: Sheet, rng: random.Random, data: Licence, *, without: Sequence[str] = ()) -> list[Entry]:
    """The fields' pairs, announced; company, address and scope are never missing."""
    found = []
    for name in LABELS:
        if name in without or (name == "registered_capital" and data.capital is None):
            continue
        if name in ("credit_code", "company_type", "established", "legal_representative") and maybe(rng, 0.06):
            continue
        found.append(Entry(named(rng, name, data), field_part(sheet, rng, name, data)))
    return found


def others(rng: random.Random, data: Licence, low: int = 0, high: int = 7) -> list[Entry]:
    """Pairs that are no field."""
    pool = [
        ("登记机关|发照机关|登记机构|核发机关", data.authority),
        ("核准日期|发照日期|发证日期|变更日期|年检日期|打印日期|签发日期", day_text(rng, data.issued)),
        ("营业期限|经营期限|有效期限|合伙期限|经营期限自", term_text(rng, data)),
        ("登记状态|经营状态|企业状态", pick(rng, "存续|在业|开业|在营（开业）企业")),
        ("注册号|执照编号|证照编号|档案号|流水号|工商注册号", coded(rng, "###############")),
        ("组织机构代码|税务登记号|海关编码", coded(rng, "########-#")),
        ("实收资本|实缴资本", data.capital_text if data.capital is not None else "—"),
        ("组成形式|组织类型", pick(rng, "个人经营|家庭经营|公司制")),
        ("所属行业|行业|国民经济行业", pick(rng, "批发业|零售业|餐饮业|软件和信息技术服务业|建筑装饰业")),
        ("联系电话|电话|企业联系电话", identifiers.phone_zh(rng)),
        ("股东|监事|联络员|财务负责人|高级管理人员", people.chinese_name(rng)),
        ("从业人数|参保人数|人员规模", str(rng.randint(1, 900))),
        ("证照类型|副本数|证件名称", pick(rng, "营业执照|1|副本")),
        ("邮政编码|邮编", coded(rng, "######")),
    ]
    return [Entry(pick(rng, names), value) for names, value in rng.sample(pool, rng.randint(low, min(high, len(pool))))]


def _interlude(area: Area) -> None:
    kind = area.rng.random()
    if kind < 0.4:
        chance.rule(area)
    elif kind < 0.7:
        area.block(note(area.rng), size=max(10, area.size - 3))
    else:
        chance.loose(area)


def _stamp(area: Area, data: Licence) -> None:
    """Authority and day of issue at the foot."""
    rng = area.rng
    align = rng.choice("rrm")
    for text in rng.sample((data.authority, "登记机关", day_text(rng, data.issued)), rng.randint(1, 3)):
        area.line(text, align=align)
    if maybe(rng, 0.6):
        seal(area.sheet, area.left + 0.75 * area.width, area.y - area.size, 3 * area.size)


@family("licence_scrambled", "business_license", weight=2.2)
def licence_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A licence's pairs in no known layout."""
    area = chance.open_page(rng, palette, chinese=True, across=rng.choice(((20, 36), (32, 58), (50, 78))))
    data = licence(rng)
    if maybe(rng, 0.9):
        chance.titled(area, TITLES, owner=pick(rng, "|（副 本）|正本|国家市场监督管理总局") or "")
    found = chance.mixed(rng, entries(area.sheet, rng, data), others(rng, data))
    chance.scramble(area, found, interlude=_interlude)
    if maybe(rng, 0.6):
        _stamp(area, data)
    if maybe(rng, 0.5):
        area.block(note(rng), size=max(10, area.size - 3))
    return chance.close_page(area, least=0.4, most=1.4)


@family("licence_screen", "business_license")
def licence_screen(rng: random.Random, palette: Palette) -> Sheet:
    """An electronic licence as a telephone shows it: values under labels or right of them, a code to scan."""
    area = chance.open_page(rng, palette, chinese=True, across=(18, 30), fonts=("hei", "hei", "song"))
    data = licence(rng)
    if maybe(rng, 0.5):
        emblem(area.sheet, area.left + area.width / 2, area.y + 1.5 * area.size, 1.4 * area.size)
        area.skip(3.4)
    chance.heading(area, rng.choice(TITLES), 1.6, "m")
    found = entries(area.sheet, rng, data)
    if maybe(rng, 0.4):
        rng.shuffle(found)
    for entry in others(rng, data, 0, 3):
        found.insert(rng.randint(0, len(found)), entry)
    kind = rng.choice(("under", "tab", "beside", "ends", "boxes"))
    if kind in ("under", "boxes"):
        blocks.under(area, found, 1, framed=kind == "boxes")
    else:
        blocks.rows(area, found, 1, kind)
    if maybe(rng, 0.5):
        squares(area.sheet, area.left + area.width / 2 - 3 * area.size, area.y + area.size, 6 * area.size, rng)
        area.skip(8)
    return chance.close_page(area, least=0.8, most=1.9)


@family("licence_register", "business_license")
def licence_register(rng: random.Random, palette: Palette) -> Sheet:
    """A register's printout: a table of many pairs, two or three in a row, the scope over the whole width."""
    area = chance.open_page(rng, palette, chinese=True, across=(50, 84), joined=0.0)
    data = licence(rng)
    chance.titled(
        area,
        (
            "企业信用信息公示报告",
            "工商登记信息",
            "企业基本情况",
            "市场主体登记信息",
            "营业执照登记事项",
            "主体信息查询结果",
            "供应商资质信息",
        ),
        owner=data.authority if maybe(rng, 0.4) else "",
    )
    found = chance.mixed(rng, entries(area.sheet, rng, data), others(rng, data, 2, 9))
    cut = rng.choice((0, 0, rng.randint(1, 3)))
    if cut:
        chance.scramble(area, found[:cut])
    blocks.cells(area, found[cut:], rng.choice((1, 2, 2, 3)))
    if maybe(rng, 0.5):
        chance.prose_block(area)
    chance.signature(area)
    return chance.close_page(area, least=0.4, most=1.3)


@family("licence_scope_first", "business_license", weight=1.2)
def licence_scope_first(rng: random.Random, palette: Palette) -> Sheet:
    """A bordered licence whose pairs stand in two columns of any order, the scope above or below."""
    wide = maybe(rng, 0.6)
    width = rng.randint(1100, 1800) if wide else rng.randint(900, 1300)
    sheet = paper(rng, width, round(width * (rng.uniform(0.64, 0.76) if wide else rng.uniform(1.3, 1.45))))
    height, data = sheet.height, licence(rng)
    how = manner(rng, palette, round(width * (rng.uniform(0.014, 0.018) if wide else rng.uniform(0.018, 0.023))))
    left, room = width * 0.08, width * 0.84
    y = title(
        sheet,
        rng,
        palette,
        height * (0.2 if wide else 0.13),
        round(width * (0.045 if wide else 0.07)),
        rng.choice(TITLES[:3]),
    )
    if maybe(rng, 0.5):
        emblem(sheet, width * rng.choice((0.12, 0.5)), height * (0.08 if wide else 0.05), height * 0.035)
    y += 2.6 * how.size
    names = ["company", "company_type", "legal_representative", "registered_capital", "established", "address", "term"]
    if data.capital is None:
        names.remove("registered_capital")
    rng.shuffle(names)
    code = field_part(sheet, rng, "credit_code", data)
    head = Part(named(rng, "credit_code", data) + rng.choice(("：", " ", "  ")))
    place, anchor = rng.choice(((left, "l"), (left + room, "r"), (width / 2, "m")))
    sheet.text(place, y, (head, code), how.value_font, how.size, colour=how.colour, anchor=anchor)
    if maybe(rng, 0.4) and anchor != "m":
        sheet.text(
            2 * left + room - place,
            y,
            serial(rng),
            how.value_font,
            max(10, how.size - 4),
            anchor="r" if anchor == "l" else "l",
        )
    y += 2.2 * how.size
    column = None if how.joined else 6.6 * how.label_size
    below = height * 0.82
    scope_label, scope = named(rng, "scope", data), field_part(sheet, rng, "scope", data)
    first = maybe(rng, 0.4)
    if first:
        y = scope_row(
            sheet, left, y, scope_label, scope, how, width=room, column=column, bottom=height * (0.45 if wide else 0.4)
        )
    columns = 2 if wide and maybe(rng, 0.8) else 1
    lowest = y
    for start in range(0, len(names), columns):
        y = lowest
        for number, name in enumerate(names[start : start + columns]):
            label = rng.choice(("营业期限", "经营期限")) if name == "term" else named(rng, name, data)
            value = Part(term_text(rng, data)) if name == "term" else field_part(sheet, rng, name, data)
            x = left + number * room / 2
            label = spread(rng, label, 0.4, 3)
            lowest = max(
                lowest, beside(sheet, x, y, label, value, how, width=room / columns - 1.5 * how.size, column=column)
            )
    y = lowest
    if not first:
        y = scope_row(
            sheet, left, y, scope_label, scope, how, width=room, column=column, bottom=max(below, y + 3 * how.size)
        )
    y = max(y + 0.5 * how.size, height * 0.84)
    authority = f"登记机关 {data.authority}"
    sheet.text(width * 0.6, y, authority, how.value_font, shrink(how.value_font, authority, how.size, width * 0.37))
    sheet.text(width * 0.6, y + 1.7 * how.size, day_text(rng, data.issued), how.value_font, how.size)
    if maybe(rng, 0.6):
        squares(sheet, left, y - how.size, 4 * how.size, rng)
    sheet.height = max(sheet.height, int(y + 4 * how.size))
    return sheet


@family("licence_statement", "business_license", weight=0.7)
def licence_statement(rng: random.Random, palette: Palette) -> Sheet:
    """A notice of registration or an introduction: some values in sentences, the others below as pairs."""
    area = chance.open_page(rng, palette, chinese=True, across=(32, 58))
    sheet, data = area.sheet, licence(rng, rng.choice(("company", "company", "branch")))
    chance.titled(
        area,
        (
            "准予设立登记通知书",
            "营业执照信息说明",
            "企业登记信息",
            "核准登记通知书",
            "公司简介（营业执照）",
            "企业资质情况说明",
        ),
        owner=data.authority if maybe(rng, 0.5) else "",
    )

    def value(name: str) -> Part:
        return field_part(sheet, rng, name, data)

    used, pieces = rng.choice(
        (
            (
                ("company", "established"),
                [value("company"), Part("于"), value("established"), Part("在我局登记成立，营业执照主要事项如下。")],
            ),
            (
                ("company", "credit_code"),
                [
                    Part("经审核，"),
                    value("company"),
                    Part("（统一社会信用代码："),
                    value("credit_code"),
                    Part("）符合登记条件，登记事项如下："),
                ],
            ),
            (
                ("company", "address"),
                [Part("企业名称："), value("company"), Part("，住所："), value("address"), Part("。其他登记事项：")],
            ),
        )
    )
    last = lay(
        sheet, area.left, area.base(), pieces, area.how.value_font, area.size, width=area.width - area.size, leading=1.5
    )
    area.y = last + area.size
    found = chance.mixed(rng, entries(sheet, rng, data, without=used), others(rng, data, 0, 4))
    kind = rng.choice(("rows", "cells", "scramble"))
    if kind == "rows":
        blocks.rows(area, found, 1, rng.choice(("beside", "tab", "right")))
    elif kind == "cells":
        blocks.cells(area, found, rng.choice((1, 2)))
    else:
        chance.scramble(area, found)
    _stamp(area, data)
    return chance.close_page(area, least=0.6, most=1.4)


@family("licence_frame", "business_license")
def licence_frame(rng: random.Random, palette: Palette) -> Sheet:
    """A licence in a frame with everything centred or flush left, the code at the top or at the foot."""
    area = chance.open_page(rng, palette, chinese=True, across=(30, 46))
    data = licence(rng)
    chance.heading(area, rng.choice(TITLES), rng.uniform(1.8, 2.8), "m")
    found = entries(area.sheet, rng, data)
    code = next(
        (
            entry
            for entry in found
            if any(
                area.sheet.named[part.key].name == "credit_code"
                for part in parts_of(entry.value)
                if part.key is not None
            )
        ),
        None,
    )
    if code is not None:
        found.remove(code)
    late = maybe(rng, 0.4)
    if code is not None and not late:
        area.line([Part(area.how.label(str(code.label)) + " "), *parts_of(code.value)], align=rng.choice("mlr"))
        area.skip(0.6)
    if maybe(rng, 0.5):
        rng.shuffle(found)
    inner = replace(area, left=area.left + 0.05 * area.width, width=0.9 * area.width)
    for entry in found:
        inner.how.leading = 1.9
        wide = [entry]
        blocks.rows(inner, wide, 1, "tab" if maybe(rng, 0.7) else "beside")
    area.y = inner.y
    if code is not None and late:
        area.line([Part(area.how.label(str(code.label)) + " "), *parts_of(code.value)], align=rng.choice("ml"))
    _stamp(area, data)
    sheet = chance.close_page(area, least=0.7, most=1.4)
    sheet.frame(8, 8, sheet.width - 8, sheet.height - 8, 3, (170, 140, 80))
    return sheet
