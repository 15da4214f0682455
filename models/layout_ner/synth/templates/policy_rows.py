"""The rows of an insurance policy, label by label, and its table of covers; in Chinese or English."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import Value, maybe
from models.layout_ner.synth.templates.policy_facts import (
    END_EN,
    END_ZH,
    PERIOD_EN,
    PERIOD_ZH,
    START_EN,
    START_ZH,
    Policy,
    amount_text,
    date_part,
    label_of,
    period_parts,
    value_part,
)
from models.layout_ner.synth.templates.tables import Cell, Grid, cell
from models.layout_ner.synth.templates.words_en import code, sentence
from models.layout_ner.synth.templates.words_zh import sentence as sentence_zh
from models.layout_ner.synth.values import companies, dates, identifiers, money, people, places

Row = tuple[str, Value]
CURRENCIES = ("RM", "USD", "US$", "$", "£", "GBP", "SGD", "HK$", "EUR", "MYR")
FIELDS = ("policy_number", "policyholder", "insured", "id_number", "product", "sum_insured", "premium", "period")


def date_group(rng: random.Random, chinese: bool) -> str:
    """How a whole document prints its days."""
    return rng.choice(("zh", "zh_long", "zh_long", "iso")) if chinese else rng.choice(("en", "en", "us", "iso"))


def field_rows(
    sheet: Sheet,
    rng: random.Random,
    data: Policy,
    group: str,
    currency: str,
    *,
    bilingual: bool = False,
    without: tuple[str, ...] = (),
) -> dict[str, list[Row]]:
    """For each field its rows (one; two for a period with a row for each day), all announced to the sheet.

    Some fields are missing, as in life, but never the number, the insured and the period.
    """
    rows: dict[str, list[Row]] = {}
    optional = {"policyholder": 0.88, "id_number": 0.6, "product": 0.88, "sum_insured": 0.88, "premium": 0.9}
    for name in FIELDS:
        if name in without or not maybe(rng, optional.get(name, 1.0)):
            continue
        if name == "period":
            rows[name] = _period(sheet, rng, data, group)
        else:
            rows[name] = [(label_of(rng, name, data.chinese, bilingual), value_part(sheet, rng, name, data, currency))]
    return rows


def _period(sheet: Sheet, rng: random.Random, data: Policy, group: str) -> list[Row]:
    if maybe(rng, 0.6):
        return [
            (rng.choice((PERIOD_ZH if data.chinese else PERIOD_EN).split("|")), period_parts(sheet, rng, data, group))
        ]
    pairs = (
        zip(START_ZH.split("|"), END_ZH.split("|"), strict=False)
        if data.chinese
        else zip(START_EN.split("|"), END_EN.split("|"), strict=False)
    )
    first, last = rng.choice(list(pairs))
    return [
        (first, date_part(sheet, rng, "start_date", data, group)),
        (last, date_part(sheet, rng, "end_date", data, group)),
    ]


def other_rows(rng: random.Random, data: Policy, group: str, most: int = 8) -> list[Row]:
    """Rows that are no field of a policy: beneficiaries, agents, telephones, other days and sums."""
    day = dates.format_date(rng, data.start, group)
    birth = dates.format_date(rng, dates.date_between(rng, date(1950, 1, 1), date(2005, 1, 1)), group)
    if data.chinese:
        rows: list[Row] = [
            ("受益人", rng.choice(("法定", "法定继承人", people.chinese_name(rng)))),
            ("性别", rng.choice("男女")),
            ("出生日期", birth),
            ("联系电话", identifiers.phone_zh(rng)),
            ("签单日期", day),
            ("投保日期", day),
            ("代理人", people.chinese_name(rng)),
            ("业务员", f"{people.chinese_name(rng)} {rng.randint(10**6, 10**8)}"),
            ("联系地址", places.address_zh(rng)),
            ("交费方式", rng.choice(("年交", "趸交", "月交", "一次性交清"))),
            ("交费期间", rng.choice(("10年", "20年", "一次性", "至60周岁"))),
            ("服务热线", str(rng.randint(95500, 95600))),
            ("保险公司", data.insurer),
            ("出单机构", companies.insurer_zh(rng)),
            ("免赔额", f"{rng.randint(0, 50) * 100}元"),
            ("职业", rng.choice(("教师", "司机", "内勤人员", "学生"))),
            ("年龄", f"{rng.randint(1, 70)}周岁"),
            ("邮政编码", f"{rng.randint(100000, 850000)}"),
            ("争议解决方式", rng.choice(("诉讼", "仲裁"))),
            ("份数", f"{rng.randint(1, 5)}份"),
            ("与投保人关系", rng.choice(("本人", "配偶", "子女", "父母", "雇佣"))),
            ("币种", "人民币"),
            ("特别约定", sentence_zh(rng)),
        ]
    else:
        rows = [
            ("Beneficiary", people.english_name(rng)),
            ("Agent", people.english_name(rng)),
            ("Agent Code", code(rng)),
            ("Date of Issue", day),
            ("Date of Birth", birth),
            ("Telephone", identifiers.phone_en(rng)),
            ("Address", places.address_en(rng).replace("\n", ", ")),
            ("Occupation", rng.choice(("Teacher", "Engineer", "Clerk", "Driver", "Retired"))),
            ("Deductible", f"{rng.randint(1, 20) * 50}"),
            ("Payment Mode", rng.choice(("Annual", "Monthly", "Single", "Quarterly"))),
            ("Branch", rng.choice(("Head Office", "Main Branch", "Central"))),
            ("Sex", rng.choice(("Male", "Female", "M", "F"))),
            ("Age", str(rng.randint(1, 70))),
            ("Excess", f"{rng.randint(1, 20) * 50}.00"),
            ("Issued By", people.english_name(rng)),
            ("Account No.", code(rng)),
            ("Geographical Limit", rng.choice(("Worldwide", "Malaysia", "Europe", "Asia"))),
            ("Previous Policy", identifiers.policy_number(rng)),
            ("Interest Insured", sentence(rng)),
            ("Currency", "USD"),
            ("Broker", companies.company_en(rng)),
            ("Stamp Duty", "10.00"),
            ("Service Tax", f"{money.amount(rng, 1, 90)}"),
            ("Relationship", rng.choice(("Self", "Spouse", "Child"))),
        ]
    if data.line == "motor":
        plate = (
            f"{rng.choice('京沪粤浙苏鲁川')}{rng.choice('ABCDE')}{rng.randint(10000, 99999)}"
            if data.chinese
            else f"{rng.choice('ABWVPJ')}{rng.choice('ABCDKM')}{rng.choice('ABCDKM')} {rng.randint(1, 9999)}"
        )
        frame = "L" + "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ0123456789") for _ in range(16))
        names = (
            ("号牌号码", "车架号/VIN码", "发动机号")
            if data.chinese
            else ("Registration No.", "Chassis No.", "Engine No.")
        )
        vehicle: list[Row] = list(zip(names, (plate, frame, code(rng)), strict=True))
        return vehicle + rng.sample(rows, rng.randint(1, most))
    return rng.sample(rows, rng.randint(2, most))


def ordered(rng: random.Random, fields: dict[str, list[Row]], others: list[Row]) -> list[Row]:
    """All rows: mostly number first, people next, sums and days after; others in between; at times any order."""
    blocks = [fields[name] for name in FIELDS if name in fields]
    if maybe(rng, 0.25):
        rng.shuffle(blocks)
    elif maybe(rng, 0.5) and len(blocks) > 3:
        first, second = rng.sample(range(1, len(blocks)), 2)
        blocks[first], blocks[second] = blocks[second], blocks[first]
    for row in others:
        blocks.insert(rng.randint(0 if maybe(rng, 0.15) else 1, len(blocks)), [row])
    return [row for block in blocks for row in block]


def covers_table(
    sheet: Sheet,
    rng: random.Random,
    palette: Palette,
    data: Policy,
    left: float,
    right: float,
    y: float,
    size: int,
    *,
    total: Value | None = None,
) -> float:
    """The covers, a row each; with ``total``, a last row that carries the labelled sum. Returns the table's bottom."""
    zh = data.chinese
    font = rng.choice((palette.song, palette.hei)) if zh else rng.choice((palette.sans, palette.serif))
    heads = (
        (
            "承保险别|保险责任|保障项目|保险项目",
            "保险金额（元）|保险金额/责任限额|保额|赔偿限额",
            "保险费（元）|保费|签单保费",
        )
        if zh
        else (
            "Cover|Benefits|Coverage|Section|Item",
            "Limit|Sum Insured|Benefit Amount|Cover Limit",
            "Premium|Amount|Rate",
        )
    )
    span = right - left
    grid = Grid(
        sheet, [left, left + 0.5 * span, left + 0.77 * span, right], y, font, size, pad=0.5, frame=maybe(rng, 0.75)
    )
    grid.least = rng.uniform(1.8, 2.5) * size
    align = rng.choice(("l", "m", "r"))
    fill: Colour | None = rng.choice((None, (235, 240, 248), (242, 240, 235)))
    grid.row(
        [
            cell(rng.choice(head.split("|")), align="l" if number == 0 else align, fill=fill)
            for number, head in enumerate(heads)
        ]
    )
    for name, limit, share in data.covers:
        shown = (
            f"{limit:,.2f}",
            f"{int(limit)}",
            f"{int(limit):,}",
            f"{int(limit) // 10_000}万" if zh else f"{int(limit):,}.00",
        )
        grid.row([cell(name), cell(rng.choice(shown), align=align), cell(f"{share:,.2f}", align=align)])
    if total is not None:
        row: list[Cell] = [
            cell(
                rng.choice(("保险费合计", "合计", "总保险费") if zh else ("Total Premium", "Total", "Premium Payable"))
            ),
            cell(""),
        ]
        grid.row([*row, cell(total, align=align)])
    return grid.y


def total_premium(sheet: Sheet, rng: random.Random, data: Policy, currency: str) -> list[Part]:
    """The premium for a table's last row, in Chinese at times with capitals before it."""
    part = value_part(sheet, rng, "premium", data, currency)
    if data.chinese and maybe(rng, 0.3):
        return [Part(f"（大写）{money.capitals(data.premium)} "), part]
    return [part]


def sum_again(rng: random.Random, data: Policy, currency: str) -> str:
    """A sum that is none of the fields: of one cover."""
    return amount_text(rng, data.covers[0][1], data.chinese, currency)
