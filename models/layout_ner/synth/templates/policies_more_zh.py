"""More Chinese insurance policies: parts with heads, tables of people, vehicles, cards, covers, letters, bilingual."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import policy_words as words
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import Value, maybe, parts_of, text_of
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.policies_scrambled import TITLES_ZH, table_of_covers
from models.layout_ner.synth.templates.policy_facts import Policy, policy, value_part
from models.layout_ner.synth.templates.policy_rows import date_group
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import dates, identifiers, money, people, places


def begin(
    rng: random.Random, palette: Palette, data: Policy, across: tuple[float, float], joined: float = 0.35
) -> tuple[Area, str]:
    """An empty page and how it prints its days."""
    area = chance.open_page(rng, palette, chinese=True, across=across, joined=joined)
    return area, date_group(rng, data.chinese)


def section(area: Area, text: str, bar: bool) -> None:
    """The head of a part, on a bar or not."""
    if bar:
        top = area.y + 0.2 * area.size
        area.sheet.frame(area.left, top, area.right, top + 1.9 * area.size, 0, fill=(226, 232, 240))
        area.y = top + 0.35 * area.size
        area.sheet.text(area.left + 0.6 * area.size, area.y + 0.95 * area.size, text, area.bold, area.size)
        area.y += 1.9 * area.size
    else:
        chance.heading(area, text, 1.15)


def block_of(area: Area, entries: list[Entry], kind: str, columns: int) -> None:
    """Pairs in one of the plain ways."""
    if not entries:
        return
    if kind == "cells":
        blocks.cells(area, entries, columns)
    elif kind == "boxes":
        blocks.under(area, entries, columns, framed=True)
    elif kind == "under":
        blocks.under(area, entries, columns)
    else:
        long = [entry for entry in entries if blocks.length(area, entry) > area.width / columns - 3 * area.size]
        short = [entry for entry in entries if entry not in long]
        if short:
            blocks.rows(area, short, columns, kind)
        if long:
            blocks.rows(area, long, 1, kind)


@family("policy_zh_people", "insurance_policy")
def policy_zh_people(rng: random.Random, palette: Palette) -> Sheet:
    """Parts for policyholder and insured in which the label is just 姓名 or 名称; the head says whose it is."""
    data = policy(rng, chinese=True)
    area, group = begin(rng, palette, data, (34, 70))
    sheet = area.sheet
    found = words.fields(sheet, rng, data, group, "", without=("policyholder", "insured", "id_number"))
    chance.titled(area, TITLES_ZH, owner=data.insurer)
    firm = len(data.holder) > 5
    owner = rng.choice(("insured", "insured", "policyholder")) if maybe(rng, 0.7) else ""

    def person(role: str) -> list[Entry]:
        name = rng.choice(
            ("名称", "单位名称", "名称/姓名") if firm and role == "policyholder" else ("姓名", "姓名", "姓名/名称")
        )
        if role == "insured" and firm and data.holder == data.insured:
            name = "名称"
        rows = [Entry(name, value_part(sheet, rng, role, data, ""))]
        if role == owner and (role == "insured" or data.holder == data.insured or firm):
            label = words.label(rng, "id_number", data)
            rows.append(Entry(rng.choice(("证件号码", "证件号", label)), value_part(sheet, rng, "id_number", data, "")))
        rows += rng.sample(
            [
                Entry("证件类型", rng.choice(("居民身份证", "身份证", "统一社会信用代码"))),
                Entry("性别", rng.choice("男女")),
                Entry("联系电话", identifiers.phone_zh(rng)),
                Entry("地址", places.address_zh(rng)),
                Entry(
                    "出生日期",
                    dates.format_date(rng, dates.date_between(rng, date(1950, 1, 1), date(2005, 1, 1)), group),
                ),
                Entry("职业", rng.choice(("职员", "教师", "司机", "学生"))),
            ],
            rng.randint(0, 4),
        )
        return rows

    parts = [
        (rng.choice(("投保人", "投保人信息", "投保人资料", "一、投保人情况")), person("policyholder")),
        (rng.choice(("被保险人", "被保险人信息", "被保人资料", "二、被保险人情况")), person("insured")),
        (
            rng.choice(("受益人", "受益人信息")),
            [Entry("姓名", rng.choice(("法定", people.chinese_name(rng)))), Entry("受益比例", "100%")],
        ),
        (
            rng.choice(("保险信息", "保障内容", "承保信息", "三、保险责任")),
            chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 4)),
        ),
    ]
    if maybe(rng, 0.4):
        parts.pop(2)
    if maybe(rng, 0.3):
        parts.insert(0, parts.pop())
    bar, kind, columns = (
        maybe(rng, 0.5),
        rng.choice(("beside", "tab", "cells", "boxes", "under", "right")),
        rng.choice((1, 2, 2, 3)),
    )
    for head, entries in parts:
        section(area, head, bar)
        block_of(area, entries, kind, columns)
        area.skip(rng.uniform(0.2, 1.0))
    if maybe(rng, 0.5):
        chance.prose_block(area)
    return chance.close_page(area, least=0.6, most=1.4)


@family("policy_zh_roster", "insurance_policy")
def policy_zh_roster(rng: random.Random, palette: Palette) -> Sheet:
    """Pairs above, and a table of one row whose heads are labels: name, number, plan, sum, premium."""
    data = policy(rng, chinese=True)
    area, group = begin(rng, palette, data, (52, 88))
    found = words.fields(area.sheet, rng, data, group, "")
    chance.titled(area, TITLES_ZH, owner=data.insurer)
    names = [name for name in ("insured", "id_number", "product", "sum_insured", "premium") if name in found]
    table = (
        names[: rng.randint(2, 5)]
        if maybe(rng, 0.6)
        else rng.sample(names, rng.randint(min(2, len(names)), len(names)))
    )
    inside = [entry for name in table for entry in found.pop(name)]
    if maybe(rng, 0.35):
        inside += found.pop("period")
    inside, over = inside[:6], inside[6:]
    if maybe(rng, 0.5):
        inside.insert(0, Entry(rng.choice(("序号", "No.", "编号")), "1"))
    rest = chance.mixed(rng, [*words.listed(found), *over], words.others(rng, data, group, 0, 6))
    cut = rng.randint(max(0, len(rest) - 4), len(rest)) if rest else 0
    if rest[:cut]:
        chance.scramble(area, rest[:cut])
    area.how.separator = ""
    blocks.heads(area, inside, frame=maybe(rng, 0.8), extra=[[""] * len(inside)] * rng.choice((0, 0, 1)))
    if rest[cut:]:
        chance.scramble(area, rest[cut:])
    if maybe(rng, 0.6):
        chance.prose_block(area)
    return chance.close_page(area, least=0.4, most=1.2)


@family("policy_zh_vehicle", "insurance_policy", weight=1.2)
def policy_zh_vehicle(rng: random.Random, palette: Palette) -> Sheet:
    """A vehicle's policy: a ruled table with the vehicle's data, covers, the total in words and figures, the term."""
    data = policy(rng, chinese=True, line="motor")
    area, group = begin(rng, palette, data, (58, 84), joined=0.0)
    sheet, how = area.sheet, area.how
    found = words.fields(sheet, rng, data, group, "", without=("premium",), one_line=0.85)
    title = rng.choice(
        (
            "机动车商业保险保险单",
            "机动车交通事故责任强制保险单",
            "机动车综合商业保险保险单",
            "车辆保险单",
            "神行车保系列产品保险单",
        )
    )
    chance.heading(area, title, 1.6, "m")
    area.line(data.insurer, align=rng.choice("lm"))
    number = found.pop("policy_number")[0]
    area.line([Part(how.label(text_of(number.label)) + " "), *parts_of(number.value)], align=rng.choice("lr"))
    grid = Grid(
        sheet,
        [area.left + cut * area.width for cut in (0.0, 0.13, 0.36, 0.5, 0.66, 0.8, 1.0)],
        area.y + 0.3 * area.size,
        how.value_font,
        area.size,
        pad=0.35,
        least=rng.uniform(1.9, 2.6) * area.size,
    )
    align = rng.choice("lm")

    def wide(label: str, value: Value) -> None:
        grid.row([cell(label, align=align, font=how.label_font), cell(value, span=5)])

    head = [entry for name in ("policyholder", "insured", "id_number") for entry in found.pop(name, [])]
    for entry in head:
        wide(text_of(entry.label), entry.value)
    vehicle = [
        ("号牌号码", f"{rng.choice('京沪粤浙苏鲁川鄂')}{rng.choice('ABCDE')}{rng.randint(10000, 99999)}"),
        ("厂牌型号", rng.choice(("轿车", "SUV", "小型客车")) + str(rng.randint(100, 999))),
        ("VIN码/车架号", "L" + str(rng.randint(10**15, 10**16 - 1))),
        ("发动机号", str(rng.randint(10**6, 10**8))),
        ("核定载客", f"{rng.randint(2, 9)} 人"),
        ("使用性质", rng.choice(("家庭自用", "非营业", "营业"))),
        ("初次登记日期", dates.format_date(rng, dates.date_between(rng, date(2005, 1, 1), data.start), group)),
        ("新车购置价", f"{rng.randint(40, 900) * 1000}.00"),
        ("机动车种类", rng.choice(("客车", "货车", "摩托车"))),
    ]
    rng.shuffle(vehicle)
    for start in range(0, rng.choice((3, 6, 9)), 3):
        grid.row(
            [
                item
                for label, value in vehicle[start : start + 3]
                for item in (cell(label, align=align, font=how.label_font), cell(value))
            ]
        )
    term = found.pop("period")
    tail = [entry for entries in found.values() for entry in entries]
    for entry in tail:
        wide(text_of(entry.label), entry.value)
    if maybe(rng, 0.6):
        area.y = grid.y
        table_of_covers(area, data, "", total=False)
        grid.y = area.y - 0.8 * area.size
    words_of = money.capitals(data.premium)
    figure = value_part(sheet, rng, "premium", data, "")
    sign = Part(rng.choice(("（¥：", "（小写：", " (￥:", "  小写：")))
    line = rng.choice(
        ([Part(f"（人民币大写）：{words_of}"), sign, figure, Part("）")], [Part(words_of + " "), figure], [figure])
    )
    wide(rng.choice(("保险费合计", "保险费合计（人民币大写）", "合计保险费", "总保险费")), line)
    for entry in term:
        wide(text_of(entry.label), entry.value)
    for label, value in (("特别约定", "无"), ("保险合同争议解决方式", rng.choice(("诉讼", "仲裁")))):
        if maybe(rng, 0.5):
            wide(label, value)
    area.y = grid.y + 0.8 * area.size
    if maybe(rng, 0.6):
        chance.prose_block(area, 1, 4)
    chance.signature(area)
    return chance.close_page(area, least=0.5, most=1.3)


@family("policy_zh_wallet", "insurance_policy", weight=0.8)
def policy_zh_wallet(rng: random.Random, palette: Palette) -> Sheet:
    """A card or a telephone's card: few pairs, narrow, values right of labels or under them."""
    data = policy(rng, chinese=True)
    area, group = begin(rng, palette, data, (18, 30))
    found = words.fields(area.sheet, rng, data, group, "")
    chance.titled(
        area,
        ("保险卡", "保险服务卡", "电子保险卡", "保单详情", "我的保障", "保障凭证", "学平险卡", "急救卡"),
        owner=data.insurer,
    )
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 3))
    kind = rng.choice(("beside", "tab", "ends", "under", "boxes", "leaders"))
    block_of(area, entries, kind, 2 if kind in ("under", "boxes") and maybe(rng, 0.4) else 1)
    if maybe(rng, 0.5):
        area.line(
            f"{rng.choice(('服务热线', '全国统一客服', '报案电话'))} {rng.randint(95500, 95600)}",
            align=rng.choice("lm"),
        )
    return chance.close_page(area, least=0.3, most=1.8)


@family("policy_zh_cover", "insurance_policy", weight=0.6)
def policy_zh_cover(rng: random.Random, palette: Palette) -> Sheet:
    """The cover of a contract: few lines with much room, set in the middle or left."""
    data = policy(rng, chinese=True, line=rng.choice(("life", "health", "accident", "property")))
    area, group = begin(rng, palette, data, (24, 40))
    area.skip(rng.uniform(2, 8))
    align = rng.choice("mml")
    chance.heading(area, data.insurer, rng.uniform(1.0, 1.5), align)
    area.skip(rng.uniform(1, 5))
    chance.heading(
        area,
        rng.choice(("保险合同", "人身保险合同", "保险单", "保 险 合 同", "电子保险合同", "团体保险合同")),
        2.2,
        align,
    )
    area.skip(rng.uniform(2, 6))
    entries = words.listed(words.fields(area.sheet, rng, data, group, ""))
    rest = words.others(rng, data, group, 0, 3)
    for entry in rest:
        entries.insert(rng.randint(1, len(entries)), entry)
    how = area.how
    for entry in entries:
        parts = [Part(how.label(text_of(entry.label)) + " "), *parts_of(entry.value)]
        if how.value_font.length(text_of(parts), how.size) < 0.9 * area.width:
            area.line(parts, align=align)
        else:
            blocks.rows(area, [entry])
        area.skip(rng.uniform(0.2, 1.4))
    area.skip(rng.uniform(1, 6))
    if maybe(rng, 0.6):
        area.line(dates.format_date(rng, data.start, "zh_long"), align=align)
    return chance.close_page(area, least=0.9, most=1.45)


@family("policy_zh_notice", "insurance_policy", weight=0.8)
def policy_zh_notice(rng: random.Random, palette: Palette) -> Sheet:
    """A letter: who is written to, sentences with some of the values in them, the others listed or in a table."""
    data = policy(rng, chinese=True)
    area, group = begin(rng, palette, data, (34, 58))
    sheet = area.sheet
    chance.titled(
        area,
        ("承保通知书", "投保成功通知", "保险证明", "承保函", "续保通知", "保险凭证", "参保证明", "电子投保回执"),
        owner=data.insurer,
    )

    def value(name: str) -> Part:
        return value_part(sheet, rng, name, data, "")

    openings: tuple[tuple[tuple[str, ...], list[Value]], ...] = (
        (
            ("policyholder",),
            [Part("尊敬的"), value("policyholder"), Part("：您好！感谢您选择本公司。您的保险已经承保，详情如下。")],
        ),
        (
            ("policyholder", "product"),
            [
                Part("尊敬的"),
                value("policyholder"),
                Part("，您购买的"),
                value("product"),
                Part("已生效，请核对以下信息。"),
            ],
        ),
        (
            ("insured", "product"),
            [Part("兹证明"), value("insured"), Part("在我公司投保了"), value("product"), Part("，现予以确认。")],
        ),
        (
            ("policyholder", "insured"),
            [
                Part("应投保人"),
                value("policyholder"),
                Part("要求，本公司同意为被保险人"),
                value("insured"),
                Part("承担保险责任。"),
            ],
        ),
        ((), [Part("根据投保人的申请，本公司同意按下列条件承保，特立本单为凭。")]),
    )
    used, parts = rng.choice(openings)
    area.block([part for part in parts if isinstance(part, Part)])
    area.skip(rng.uniform(0.3, 1.0))
    found = words.fields(sheet, rng, data, group, "", without=used)
    entries = chance.mixed(rng, words.listed(found), words.others(rng, data, group, 0, 3))
    kind = rng.choice(("beside", "tab", "cells", "right", "beside"))
    block_of(area, entries, kind, rng.choice((1, 1, 2)))
    if maybe(rng, 0.3):
        table_of_covers(area, data, "", total=False)
    chance.prose_block(area, 1, 4)
    area.line(data.insurer, align="r")
    area.line(dates.format_date(rng, data.start, "zh_long"), align="r")
    return chance.close_page(area, least=0.6, most=1.4)


@family("policy_zh_bilingual", "insurance_policy", weight=0.8)
def policy_zh_bilingual(rng: random.Random, palette: Palette) -> Sheet:
    """A table whose label cells hold Chinese and, under it, English."""
    data = policy(rng, chinese=True, line=rng.choice(("travel", "cargo", "accident", "health", "liability")))
    area, group = begin(rng, palette, data, (44, 66), joined=0.0)
    sheet, how = area.sheet, area.how
    chance.titled(
        area, ("保险单 INSURANCE POLICY", "保险证明 Certificate of Insurance", "保险凭证"), owner=data.insurer
    )
    plain = words.fields(sheet, rng, data, group, "")
    kinds = {name: entries for name, entries in plain.items()}
    share = rng.uniform(0.24, 0.36)
    edges = [area.left, area.left + share * area.width, area.right]
    grid = Grid(sheet, edges, area.y, how.value_font, area.size, pad=0.4, least=2.4 * area.size, frame=maybe(rng, 0.8))
    between = rng.choice((" ", " / ", "  "))
    strangers = (
        ("受益人 Beneficiary", people.chinese_name(rng)),
        ("联系电话 Tel", identifiers.phone_zh(rng)),
        ("签发日期 Date of Issue", dates.format_date(rng, data.start, group)),
        ("地址 Address", places.address_zh(rng)),
        ("免赔额 Deductible", f"{rng.randint(1, 90)}00.00"),
        ("航班号/车次 Flight No.", f"CA{rng.randint(100, 9999)}"),
    )
    for name, entries in kinds.items():
        for number, entry in enumerate(entries):
            key = name if name != "period" or len(entries) == 1 else ("start_date", "end_date")[number]
            english = rng.choice(words.EN[key if key in words.EN else name].split("|"))
            grid.row([cell(text_of(entry.label) + between + english, font=how.label_font), cell(entry.value)])
            if maybe(rng, 0.25):
                other, text = rng.choice(strangers)
                grid.row([cell(other, font=how.label_font), cell(text)])
    area.y = grid.y + area.size
    if maybe(rng, 0.5):
        table_of_covers(area, data, "", total=False)
    if maybe(rng, 0.6):
        chance.prose_block(area)
    return chance.close_page(area, least=0.5, most=1.3)
