"""Business licences: the horizontal and the upright form, individual businesses, branches, old ones, and printouts."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import Style, beside, maybe, spread, style
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
from models.layout_ner.synth.templates.licence_parts import code_head, foot, manner, paper, scope_row, title
from models.layout_ner.synth.templates.marks import emblem, squares
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, identifiers, people


@family("licence_horizontal", "business_license", weight=1.4)
def licence_horizontal(rng: random.Random, palette: Palette) -> Sheet:
    """The wide form in two columns with the code at the top left."""
    width = rng.randint(1300, 1900)
    sheet = paper(rng, width, round(width * rng.uniform(0.66, 0.74)))
    height = sheet.height
    data = licence(rng)
    how = manner(rng, palette, round(width * rng.uniform(0.0145, 0.019)))
    emblem(sheet, width / 2, height * 0.1, height * 0.055)
    last = title(
        sheet, rng, palette, height * rng.uniform(0.23, 0.26), round(height * rng.uniform(0.07, 0.09)), most=0.34
    )
    code_head(sheet, rng, data, how, width * 0.07, height * rng.uniform(0.14, 0.19), width * 0.24)
    if maybe(rng, 0.6):
        side = height * rng.uniform(0.1, 0.13)
        squares(sheet, width * 0.9 - side, height * 0.08, side, rng)
        if maybe(rng, 0.5):
            sheet.wrapped(
                width * 0.75,
                height * 0.1,
                "扫描二维码登录“国家企业信用信息公示系统”",
                palette.hei,
                max(9, round(how.size * 0.6)),
                width=width * 0.07,
            )
    y = last + height * rng.uniform(0.07, 0.1)
    left = ["company", "company_type", "legal_representative"]
    right = ["registered_capital", "established", "term", "address"]
    if maybe(rng, 0.3):
        left.remove("legal_representative")
        right.insert(0, "legal_representative")
    if maybe(rng, 0.25):
        right.remove("term")
    column = 6.2 * how.label_size if not how.joined else None
    label_width = rng.random() < 0.6
    bottoms = []
    for names, x, room in ((left, width * 0.07, width * 0.43), (right, width * 0.55, width * 0.38)):
        down = y
        for name in names:
            if name == "registered_capital" and data.capital is None:
                continue
            label = "营业期限" if name == "term" else label_of(rng, name, data)
            value = Part(term_text(rng, data)) if name == "term" else field_part(sheet, rng, name, data)
            down = beside(
                sheet,
                x,
                down,
                spread(rng, label, 1.0 if label_width else 0.0, 2),
                value,
                how,
                width=room,
                column=column,
            )
        bottoms.append(down)
    scope = field_part(sheet, rng, "scope", data)
    label = label_of(rng, "scope", data)
    scope_row(
        sheet, width * 0.07, bottoms[0], label, scope, how, width=width * 0.43, column=column, bottom=height * 0.9
    )
    foot(sheet, rng, data, how, width * 0.78, max(bottoms[1] + how.size, height * rng.uniform(0.78, 0.82)))
    if maybe(rng, 0.7):
        sheet.text(width / 2, height * 0.955, note(rng), palette.song, max(10, round(how.size * 0.7)), anchor="m")
    return sheet


def upright_rows(rng: random.Random, data: Licence) -> list[str]:
    """The rows of an upright licence, in one of their orders."""
    rows = [
        "company",
        "company_type",
        "address",
        "legal_representative",
        "registered_capital",
        "established",
        "term",
        "scope",
    ]
    if maybe(rng, 0.3):
        rows.remove("address")
        rows.insert(4, "address")
    if maybe(rng, 0.2):
        rows.remove("scope")
        rows.insert(5, "scope")
    return [row for row in rows if row != "registered_capital" or data.capital is not None]


def upright(
    sheet: Sheet, rng: random.Random, palette: Palette, data: Licence, how: Style, y: float, bottom: float
) -> float:
    """Rows label by label down the page; returns the baseline after the last."""
    width = sheet.width
    x = width * rng.uniform(0.1, 0.15)
    room = width * 0.9 - x
    column = None if how.joined else 6.4 * how.label_size
    wide = maybe(rng, 0.6)
    rows = upright_rows(rng, data)
    for number, name in enumerate(rows):
        label = rng.choice(("营业期限", "经营期限")) if name == "term" else label_of(rng, name, data)
        label = spread(rng, label, 1.0 if wide else 0.0, 3)
        value = Part(term_text(rng, data)) if name == "term" else field_part(sheet, rng, name, data)
        if name == "scope":
            limit = bottom - (len(rows) - number - 1) * how.pitch * 1.5
            y = scope_row(
                sheet, x, y, label, value, how, width=room, column=column, bottom=max(limit, y + 3 * how.size)
            )
        else:
            y = beside(sheet, x, y, label, value, how, width=room, column=column)
    return y


@family("licence_upright", "business_license", weight=1.2)
def licence_upright(rng: random.Random, palette: Palette) -> Sheet:
    """The upright form: everything in one column."""
    width = rng.randint(950, 1350)
    sheet = paper(rng, width, round(width * rng.uniform(1.35, 1.45)))
    height = sheet.height
    data = licence(rng)
    how = manner(rng, palette, round(width * rng.uniform(0.02, 0.025)))
    how.leading = rng.uniform(1.7, 2.3)
    emblem(sheet, width / 2, height * 0.09, height * 0.04)
    last = title(sheet, rng, palette, height * rng.uniform(0.19, 0.22), round(width * rng.uniform(0.07, 0.09)))
    y = last + height * 0.05
    key = field_part(sheet, rng, "credit_code", data)
    label = label_of(rng, "credit_code", data)
    sheet.text(width / 2, y, (Part(label + rng.choice((" ", "：", "  "))), key), how.value_font, how.size, anchor="m")
    if maybe(rng, 0.5):
        sheet.text(width * 0.9, height * 0.05, serial(rng), palette.song, round(how.size * 0.8), anchor="r")
    y = upright(sheet, rng, palette, data, how, y + height * 0.06, height * 0.8)
    foot(sheet, rng, data, how, width * 0.7, max(y + how.size, height * rng.uniform(0.84, 0.87)))
    if maybe(rng, 0.6):
        sheet.text(width / 2, height * 0.965, note(rng), palette.song, max(10, round(how.size * 0.62)), anchor="m")
    return sheet


@family("licence_individual", "business_license", weight=0.8)
def licence_individual(rng: random.Random, palette: Palette) -> Sheet:
    """An individual's business: operator, form of organisation, place; the wide or the upright form."""
    wide = maybe(rng, 0.5)
    width = rng.randint(1200, 1700) if wide else rng.randint(900, 1300)
    sheet = paper(rng, width, round(width * (0.7 if wide else 1.4)))
    height = sheet.height
    data = licence(rng, "individual")
    how = manner(rng, palette, round(width * (0.016 if wide else 0.023)))
    last = title(
        sheet,
        rng,
        palette,
        height * (0.16 if wide else 0.14),
        round(width * (0.05 if wide else 0.075)),
        rng.choice(("营业执照", "个体工商户营业执照")),
    )
    y = code_head(sheet, rng, data, how, width * 0.1, last + height * 0.07, width * 0.8) + height * 0.07
    x, room = width * 0.12, width * 0.76
    column = None if how.joined else 6.2 * how.label_size
    rows = ["legal_representative", "company", "company_type", "form", "address", "established", "scope"]
    if maybe(rng, 0.5):
        rows[:2] = ["company", "legal_representative"]
    if maybe(rng, 0.4):
        rows.remove("form")
    for name in rows:
        label = "组成形式" if name == "form" else label_of(rng, name, data)
        value = Part("个人经营") if name == "form" else field_part(sheet, rng, name, data)
        if name == "scope":
            y = scope_row(sheet, x, y, label, value, how, width=room, column=column, bottom=height * 0.8)
        else:
            y = beside(sheet, x, y, spread(rng, label, 0.5, 3), value, how, width=room, column=column)
    foot(sheet, rng, data, how, width * 0.7, max(y + how.size, height * 0.85))
    return sheet


@family("licence_old", "business_license", weight=0.7)
def licence_old(rng: random.Random, palette: Palette) -> Sheet:
    """A licence from before 2015: a registration number and no credit code, paid-in capital beside the registered."""
    width = rng.randint(1000, 1600)
    sheet = paper(rng, width, round(width * rng.choice((0.72, 1.38))))
    height = sheet.height
    data = licence(rng, rng.choices(("company", "branch", "individual"), (7, 1, 1))[0])
    tall = height > width
    how = manner(rng, palette, round(width * (0.022 if tall else 0.016)), ("", "：", ":"))
    name = rng.choice(("企业法人营业执照", "企业法人营业执照", "营业执照"))
    last = title(sheet, rng, palette, height * (0.14 if tall else 0.17), round(width * (0.058 if tall else 0.04)), name)
    number = f"{rng.randint(11, 65)}0{rng.randint(10**11, 10**12 - 1)}"
    y = last + height * 0.06
    sheet.text(
        width * 0.9,
        y,
        f"{rng.choice(('注册号', '注 册 号', '注册号：', '执照注册号'))} {number}",
        how.value_font,
        how.size,
        anchor="r",
    )
    y += height * 0.07
    x, room = width * 0.12, width * 0.76
    column = None if how.joined else 6.4 * how.label_size
    rows = [
        "company",
        "address",
        "legal_representative",
        "registered_capital",
        "paid",
        "company_type",
        "scope",
        "term",
        "established",
    ]
    if maybe(rng, 0.4):
        rows.remove("established")
        rows.insert(4, "established")
    for row in rows:
        if row in ("registered_capital", "paid") and data.capital is None or row == "paid" and maybe(rng, 0.3):
            continue
        extra = {"paid": ("实收资本", data.capital_text), "term": ("营业期限", term_text(rng, data))}
        label = extra[row][0] if row in extra else label_of(rng, row, data)
        value = Part(extra[row][1]) if row in extra else field_part(sheet, rng, row, data)
        if row == "scope":
            y = scope_row(sheet, x, y, label, value, how, width=room, column=column, bottom=height * 0.72)
        else:
            y = beside(sheet, x, y, spread(rng, label, 0.6, 3), value, how, width=room, column=column)
    foot(sheet, rng, data, how, width * 0.7, max(y + how.size, height * 0.84))
    return sheet


@family("licence_copy", "business_license", weight=0.7)
def licence_copy(rng: random.Random, palette: Palette) -> Sheet:
    """A photocopy, smaller than its page, with a note that it agrees with the original."""
    width = rng.randint(1100, 1500)
    sheet = Sheet(width, round(width * 1.414))
    height = sheet.height
    data = licence(rng)
    how = manner(rng, palette, round(width * rng.uniform(0.016, 0.02)))
    sheet.frame(width * 0.07, height * 0.1, width * 0.93, height * 0.82, 2, (120, 120, 120))
    sheet.text(
        width * 0.5,
        height * 0.06,
        rng.choice(("营业执照复印件", "附件一：营业执照", "资质文件", "供应商营业执照副本", companies.company_zh(rng))),
        palette.hei,
        how.size + 4,
        anchor="m",
    )
    last = title(sheet, rng, palette, height * 0.17, round(width * 0.05))
    y = code_head(sheet, rng, data, how, width * 0.13, last + height * 0.05, width * 0.7) + height * 0.05
    y = upright(sheet, rng, palette, data, how, y, height * 0.68)
    foot(sheet, rng, data, how, width * 0.7, min(max(y, height * 0.73), height * 0.77))
    line = height * 0.87
    for text in rng.sample(
        (
            "与原件一致",
            "此复印件与原件核对无误",
            f"仅供投标使用 {day_text(rng, date(2024, 5, 6))}",
            f"经办人：{people.chinese_name(rng)}",
            f"联系电话：{identifiers.phone_zh(rng)}",
        ),
        rng.randint(1, 3),
    ):
        sheet.text(width * rng.uniform(0.12, 0.5), line, text, rng.choice((palette.kai, palette.song)), how.size)
        line += 2 * how.size
    return sheet


@family("licence_listing", "business_license", weight=0.8)
def licence_listing(rng: random.Random, palette: Palette) -> Sheet:
    """A printout of the register: a table or a list of the licence's fields with others between them."""
    width = rng.randint(1000, 1500)
    sheet = Sheet(width, 4000)
    data = licence(rng, rng.choice(("company", "company", "individual")))
    size = round(width * rng.uniform(0.015, 0.019))
    how = style(rng, palette, size, fonts=("song", "hei"), separators=("：", ":", ""))
    y = 4.0 * size
    sheet.text(
        width / 2,
        y,
        rng.choice(("营业执照信息", "企业基本信息", "企业信用信息公示报告", "基础信息", "登记信息")),
        palette.hei_bold,
        size + 8,
        anchor="m",
    )
    y += 3 * size
    rows: list[tuple[str, Part]] = []
    for name in (
        "credit_code",
        "company",
        "company_type",
        "legal_representative",
        "registered_capital",
        "established",
        "address",
        "scope",
    ):
        if name == "registered_capital" and data.capital is None:
            continue
        label = label_of(rng, name, data)
        label = {"名称": rng.choice(("企业名称", "名称", "公司名称"))}.get(label, label)
        rows.append((label, field_part(sheet, rng, name, data)))
    head, scope = rows[:-1], rows[-1]
    extra = (
        ("登记机关", data.authority),
        ("核准日期", day_text(rng, data.issued)),
        ("登记状态", rng.choice(("存续", "在营（开业）企业", "注销"))),
        ("营业期限自", day_text(rng, data.established)),
        ("营业期限", term_text(rng, data)),
    )
    for label, text in rng.sample(extra, rng.randint(1, 4)):
        head.insert(rng.randint(2, len(head)), (label, Part(text)))
    if maybe(rng, 0.5):
        _table(sheet, rng, palette, how, head, scope, y)
        return sheet
    column = None if how.joined else 9.5 * how.label_size
    for label, value in [*head, scope]:
        y = beside(sheet, width * 0.08, y, label, value, how, width=width * 0.84, column=column)
    if maybe(rng, 0.6):
        sheet.text(
            width * 0.08,
            y + size,
            f"打印时间：{dates.format_date(rng, data.issued, 'zh')}",
            how.value_font,
            max(10, size - 2),
        )
        y += 2 * size
    sheet.height = int(y + 2 * size)
    return sheet


def _table(
    sheet: Sheet,
    rng: random.Random,
    palette: Palette,
    how: Style,
    head: list[tuple[str, Part]],
    scope: tuple[str, Part],
    y: float,
) -> None:
    left, right = sheet.width * 0.06, sheet.width * 0.94
    span = right - left
    fill = rng.choice((None, (238, 242, 248), (240, 240, 240)))
    edges = [left, left + 0.17 * span, left + 0.5 * span, left + 0.67 * span, right]
    grid = Grid(sheet, edges, y, how.value_font, how.size, pad=0.6, least=rng.uniform(2.2, 3.2) * how.size)
    align = rng.choice(("l", "m", "r"))
    for start in range(0, len(head) - 1, 2):
        row = []
        for label, value in head[start : start + 2]:
            row += [cell(how.label(label), font=how.label_font, align=align, fill=fill), cell(value)]
        grid.row(row)
    if len(head) % 2:
        label, value = head[-1]
        grid.row([cell(how.label(label), font=how.label_font, align=align, fill=fill), cell(value, span=3)])
    grid.row([cell(how.label(scope[0]), font=how.label_font, align=align, fill=fill), cell(scope[1], span=3)])
    sheet.height = int(grid.y + 3 * how.size)
