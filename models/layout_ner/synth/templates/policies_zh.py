"""Chinese insurance policies: rows, tables, electronic ones, vehicles, and certificates in prose."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import beneath, beside, lay, maybe, style
from models.layout_ner.synth.templates.marks import squares
from models.layout_ner.synth.templates.policy_facts import label_of, period_parts, policy, value_part
from models.layout_ner.synth.templates.policy_page_zh import begin, columns, finish, shorter
from models.layout_ner.synth.templates.policy_rows import (
    Row,
    covers_table,
    date_group,
    field_rows,
    ordered,
    other_rows,
    total_premium,
)
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.templates.words_zh import paragraph


@family("policy_zh_rows", "insurance_policy", weight=1.2)
def policy_zh_rows(rng: random.Random, palette: Palette) -> Sheet:
    """Labels and values in one or two columns, then the covers in a table."""
    data = policy(rng, chinese=True)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=("song", "hei", "kai"))
    group = date_group(rng, True)
    table = maybe(rng, 0.5)
    in_table = table and maybe(rng, 0.5)
    fields = field_rows(
        sheet, rng, data, group, "", bilingual=maybe(rng, 0.12), without=("premium",) if in_table else ()
    )
    if maybe(rng, 0.4):
        label, value = fields.pop("policy_number")[0]
        sheet.text(
            sheet.width * 0.93,
            y,
            (Part(how.label(label)), *([value] if isinstance(value, Part) else [])),
            how.value_font,
            size,
            anchor="r",
        )
        y += 2.2 * size
    y = columns(sheet, rng, how, ordered(rng, fields, other_rows(rng, data, group)), y, count=rng.choice((1, 2, 2)))
    if table:
        total = total_premium(sheet, rng, data, "") if in_table else None
        y = (
            covers_table(sheet, rng, palette, data, sheet.width * 0.07, sheet.width * 0.93, y, size, total=total)
            + 2 * size
        )
    return finish(sheet, rng, palette, data, size, y)


@family("policy_zh_grid", "insurance_policy")
def policy_zh_grid(rng: random.Random, palette: Palette) -> Sheet:
    """Everything in a ruled table: label cells and value cells."""
    data = policy(rng, chinese=True)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=("song", "hei"), separators=("", "", "："), joined=0.0)
    group = date_group(rng, True)
    table = maybe(rng, 0.5)
    fields = field_rows(sheet, rng, data, group, "", without=("premium",) if table else ())
    if maybe(rng, 0.5):
        label, value = fields.pop("policy_number")[0]
        end = sheet.text(
            sheet.width * rng.choice((0.07, 0.55)),
            y,
            (Part(label + "："), *([value] if isinstance(value, Part) else [])),
            how.value_font,
            size,
        )
        assert end < sheet.width
        y += 1.5 * size
    rows = ordered(rng, fields, other_rows(rng, data, group, 10))
    left, span = sheet.width * 0.06, sheet.width * 0.88
    cut = rng.uniform(0.13, 0.18)
    grid = Grid(
        sheet,
        [left, left + cut * span, left + span / 2, left + (0.5 + cut) * span, left + span],
        y,
        how.value_font,
        size,
        pad=0.4,
        least=rng.uniform(2.0, 3.0) * size,
    )
    align, fill = rng.choice(("l", "m")), rng.choice((None, None, (240, 240, 240)))
    waiting: Row | None = None
    for row in rows:
        wide = len("".join(part.text for part in cell(row[1]).content)) > 24
        if wide or waiting is not None:
            pair = [waiting] if waiting is not None and wide else [waiting, row] if waiting is not None else []
            for content in [pair] if pair else []:
                grid.row(
                    [
                        item
                        for entry in content
                        if entry
                        for item in (
                            cell(how.label(entry[0]), font=how.label_font, align=align, fill=fill),
                            cell(entry[1], span=3 if len(content) == 1 else 1),
                        )
                    ]
                )
            waiting = None
            if wide:
                grid.row([cell(how.label(row[0]), font=how.label_font, align=align, fill=fill), cell(row[1], span=3)])
        else:
            waiting = row
    if waiting is not None:
        grid.row([cell(how.label(waiting[0]), font=how.label_font, align=align, fill=fill), cell(waiting[1], span=3)])
    y = grid.y
    if table:
        y = covers_table(
            sheet, rng, palette, data, left, left + span, y, size, total=total_premium(sheet, rng, data, "")
        )
    return finish(sheet, rng, palette, data, size, y + 2 * size)


@family("policy_zh_electronic", "insurance_policy")
def policy_zh_electronic(rng: random.Random, palette: Palette) -> Sheet:
    """An electronic policy as a telephone shows it: label left and value right, or value under label."""
    data = policy(rng, chinese=True)
    sheet, size, y = begin(rng, data, palette, narrow=True)
    how = style(rng, palette, size, fonts=("hei",), separators=("", "：", ""), joined=0.0)
    group = date_group(rng, True)
    rows = ordered(rng, field_rows(sheet, rng, data, group, ""), other_rows(rng, data, group))
    left, width = sheet.width * 0.07, sheet.width * 0.86
    under = maybe(rng, 0.35)
    flush = maybe(rng, 0.5)
    for label, value in rows:
        length = how.value_font.length("".join(part.text for part in cell(value).content), size)
        if under:
            y = beneath(sheet, left, y, how.label(label), value, how, width=width)
        elif flush and length < 0.55 * width:
            sheet.text(
                left, y, shorter(how, label, 0.38 * width), how.label_font, how.label_size, colour=how.label_colour
            )
            sheet.text(left + width, y, cell(value).content, how.value_font, size, colour=how.colour, anchor="r")
            y += how.pitch
        else:
            y = beside(sheet, left, y, label, value, how, width=width, column=0.4 * width)
        if maybe(rng, 0.3):
            sheet.rule(left, y - 0.9 * how.pitch, left + width, y - 0.9 * how.pitch, 1, (225, 225, 225))
    if maybe(rng, 0.4):
        squares(sheet, sheet.width / 2 - 3 * size, y, 6 * size, rng)
        y += 8 * size
    return finish(sheet, rng, palette, data, size, y)


@family("policy_zh_product_table", "insurance_policy")
def policy_zh_product_table(rng: random.Random, palette: Palette) -> Sheet:
    """People in rows; product, sum, term and premium under the heads of a table."""
    data = policy(rng, chinese=True, line=rng.choice(("life", "health", "accident")))
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size, fonts=("song", "hei"))
    group = date_group(rng, True)
    fields = field_rows(sheet, rng, data, group, "", without=("product", "sum_insured", "premium"))
    y = columns(sheet, rng, how, ordered(rng, fields, other_rows(rng, data, group, 6)), y, count=2)
    left, span = sheet.width * 0.07, sheet.width * 0.86
    cuts = [0.0, 0.36, 0.54, 0.68, 0.82, 1.0]
    grid = Grid(
        sheet,
        [left + cut * span for cut in cuts],
        y,
        how.value_font,
        size,
        pad=0.4,
        least=2.2 * size,
        frame=maybe(rng, 0.7),
    )
    align = rng.choice(("l", "m"))
    heads = (
        label_of(rng, "product", True),
        rng.choice(("保险金额", "基本保险金额", "保额", "保险金额（元）")),
        rng.choice(("保险期间", "保障期限")),
        rng.choice(("交费期间", "交费方式", "交费年限")),
        rng.choice(("保险费", "年交保险费", "保险费（元）", "保费")),
    )
    grid.row([cell(head, align=align, font=how.label_font) for head in heads])
    term = rng.choice(("终身", "1年", "20年", "至70周岁", "30年"))
    riders = rng.randint(0, 2)
    first = [
        cell(value_part(sheet, rng, "product", data, "")),
        cell(value_part(sheet, rng, "sum_insured", data, ""), align=align),
        cell(term, align=align),
        cell(rng.choice(("年交", "10年", "趸交", "月交")), align=align),
    ]
    alone = riders == 0
    grid.row(
        [
            *first,
            cell(value_part(sheet, rng, "premium", data, "") if alone else f"{data.covers[0][2]:.2f}", align=align),
        ]
    )
    for name, limit, share in data.covers[:riders]:
        grid.row(
            [
                cell("附加" + name),
                cell(f"{int(limit)}", align=align),
                cell(term, align=align),
                cell("年交", align=align),
                cell(f"{share:.2f}", align=align),
            ]
        )
    y = grid.y + 2 * size
    if not alone:
        label = rng.choice(("首期保险费合计", "保险费合计", "每期保险费合计", "合计保费"))
        sheet.text(
            left,
            y,
            (Part(label + rng.choice(("：", ": ", " "))), *total_premium(sheet, rng, data, "")),
            how.value_font,
            size,
        )
        y += 2 * size
    return finish(sheet, rng, palette, data, size, y)


@family("policy_zh_prose", "insurance_policy", weight=0.6)
def policy_zh_prose(rng: random.Random, palette: Palette) -> Sheet:
    """A certificate that says everything in sentences."""
    data = policy(rng, chinese=True)
    sheet, size, y = begin(rng, data, palette)
    how = style(rng, palette, size + 1, fonts=("song", "kai", "hei"))
    group = rng.choice(("zh_long", "zh_long", "zh"))
    left, width = sheet.width * 0.09, sheet.width * 0.82

    def value(name: str) -> Part:
        return value_part(sheet, rng, name, data, "")

    first = rng.choice(
        (
            [
                Part("  兹证明投保人"),
                value("policyholder"),
                Part("已向本公司投保"),
                value("product"),
                Part("，保险单号为"),
                value("policy_number"),
                Part("，被保险人为"),
                value("insured"),
                Part("。"),
            ],
            [
                Part("  鉴于"),
                value("policyholder"),
                Part("（投保人）已向本公司投保"),
                value("product"),
                Part("并交纳保险费"),
                value("premium"),
                Part("，本公司同意承保被保险人"),
                value("insured"),
                Part("，保险单号："),
                value("policy_number"),
                Part("。"),
            ],
            [
                Part("  我公司已承保"),
                value("policyholder"),
                Part("投保的"),
                value("product"),
                Part("（保单号："),
                value("policy_number"),
                Part("），被保险人"),
                value("insured"),
                Part("，证件号码"),
                value("id_number"),
                Part("。"),
            ],
        )
    )
    used = {sheet.named[part.key].name for part in first if part.key is not None}
    y = lay(sheet, left, y + size, first, how.value_font, size + 1, width=width, leading=1.7) + 2.2 * size
    y = (
        lay(
            sheet,
            left,
            y,
            [Part(rng.choice(("  保险期间", "  保险期限为"))), *period_parts(sheet, rng, data, group), Part("。")],
            how.value_font,
            size + 1,
            width=width,
            leading=1.7,
        )
        + 2.2 * size
    )
    if maybe(rng, 0.8):
        tail = [Part(rng.choice(("  保险金额为", "  总保险金额：", "  累计责任限额"))), value("sum_insured")]
        if "premium" not in used:
            tail += [Part("，保险费"), value("premium")]
        y = lay(sheet, left, y, [*tail, Part("。")], how.value_font, size + 1, width=width, leading=1.7) + 2.2 * size
    y = (
        lay(sheet, left, y, "  " + paragraph(rng, 1, 3), how.value_font, size + 1, width=width, leading=1.7)
        + 2.2 * size
    )
    return finish(sheet, rng, palette, data, size, y)
