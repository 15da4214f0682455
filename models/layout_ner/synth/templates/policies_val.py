"""Insurance policies for validation, Chinese and English: layouts that no training page has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.labels import beside, lay, maybe, parts_of, shrink, style, text_of
from models.layout_ner.synth.templates.policy_facts import LABELS_EN, policy
from models.layout_ner.synth.templates.policy_page_zh import TITLES
from models.layout_ner.synth.templates.policy_rows import (
    CURRENCIES,
    covers_table,
    date_group,
    field_rows,
    other_rows,
    total_premium,
)
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.templates.words_en import paragraph
from models.layout_ner.synth.templates.words_zh import paragraph as paragraph_zh
from models.layout_ner.synth.values import identifiers, places


@family("policy_val_zh_parts", "insurance_policy", split="val")
def policy_val_zh_parts(rng: random.Random, palette: Palette) -> Sheet:
    """Parts with headings: the contract, the people, the cover; each with a rule above, pairs in two columns."""
    data = policy(rng, chinese=True)
    width = rng.randint(1000, 1400)
    sheet = Sheet(width, 4000)
    size = round(width * rng.uniform(0.016, 0.019))
    left, room = width * 0.08, width * 0.84
    y = 3.5 * size
    sheet.text(width / 2, y, data.insurer, palette.song, size + 6, anchor="m")
    y += 2.6 * size
    sheet.text(width / 2, y, rng.choice(TITLES["other"].split("|")), palette.hei_bold, size + 10, anchor="m")
    y += 2.8 * size
    how = style(rng, palette, size, fonts=("hei", "song"))
    group = date_group(rng, True)
    fields = field_rows(sheet, rng, data, group, "")
    extra = other_rows(rng, data, group, 6)
    third = len(extra) // 3
    parts = (
        (rng.choice(("合同信息", "保单信息")), ("policy_number", "product", "period"), extra[:third]),
        (
            rng.choice(("客户信息", "投保人及被保险人")),
            ("policyholder", "insured", "id_number"),
            extra[third : 2 * third],
        ),
        (rng.choice(("保障信息", "承保内容")), ("sum_insured", "premium"), extra[2 * third :]),
    )
    for head, names, others in parts:
        sheet.rule(left, y - 1.4 * size, left + room, y - 1.4 * size, 2, (120, 130, 150))
        sheet.text(left, y, head, palette.hei_bold, size + 2)
        y += 2.2 * size
        rows = [row for name in names for row in fields.get(name, [])] + others
        for start in range(0, len(rows), 2):
            pair = rows[start : start + 2]
            halves = len(pair) == 2 and all(
                how.value_font.length(how.label(label) + text_of(value), size) < 0.42 * room for label, value in pair
            )
            lowest = y
            for number, (label, value) in enumerate(pair):
                if halves:
                    lowest = max(
                        lowest, beside(sheet, left + number * room / 2, y, label, value, how, width=0.46 * room)
                    )
                else:
                    lowest = y = beside(sheet, left, y, label, value, how, width=room)
            y = lowest
        y += 1.2 * size
    if maybe(rng, 0.6):
        y = lay(sheet, left, y, "温馨提示：" + paragraph_zh(rng, 1, 3), palette.song, size - 2, width=room)
    sheet.height = int(y + 3 * size)
    return sheet


@family("policy_val_zh_vehicle", "insurance_policy", split="val")
def policy_val_zh_vehicle(rng: random.Random, palette: Palette) -> Sheet:
    """A vehicle's policy: number above a ruled table of six columns, covers below, totals and period in whole rows."""
    data = policy(rng, chinese=True, line="motor")
    width = rng.randint(1100, 1500)
    sheet = Sheet(width, 4000)
    size = round(width * rng.uniform(0.0145, 0.017))
    left, right = width * 0.05, width * 0.95
    y = 3.2 * size
    sheet.text(
        width / 2,
        y,
        data.insurer + rng.choice(("", "机动车保险单")),
        palette.hei_bold,
        shrink(palette.hei_bold, data.insurer + "机动车保险单", size + 8, 0.85 * width),
        anchor="m",
    )
    y += 2.6 * size
    group = date_group(rng, True)
    fields = field_rows(sheet, rng, data, group, "", without=("premium",))
    label, value = fields.pop("policy_number")[0]
    sheet.text(left, y, (Part(label + "："), *parts_of(value)), palette.song, size)
    y += 1.2 * size
    font = rng.choice((palette.song, palette.hei))
    span = right - left
    edges = [left + cut * span for cut in (0.0, 0.12, 0.34, 0.46, 0.66, 0.78, 1.0)]
    grid = Grid(sheet, edges, y, font, size, pad=0.35, least=2.3 * size)
    rows = [
        row
        for name in ("policyholder", "insured", "id_number", "product", "sum_insured")
        for row in fields.get(name, [])
    ]
    rows += other_rows(rng, data, group, 8)
    short = [row for row in rows if font.length(text_of(row[1]), size) < 0.36 * span]
    for start in range(0, len(short) - 2, 3):
        grid.row(
            [item for name, content in short[start : start + 3] for item in (cell(name, align="m"), cell(content))]
        )
    rest = short[len(short) - len(short) % 3 :] + [row for row in rows if row not in short] + fields.get("period", [])
    for name, content in rest:
        grid.row([cell(name, align="m"), cell(content, span=5)])
    y = covers_table(sheet, rng, palette, data, left, right, grid.y, size, total=total_premium(sheet, rng, data, ""))
    y += 2.2 * size
    sheet.text(left, y, f"报案电话：{identifiers.phone_zh(rng)}", palette.song, size)
    sheet.height = int(y + 3 * size)
    return sheet


@family("policy_val_en_declarations", "insurance_policy", split="val")
def policy_val_en_declarations(rng: random.Random, palette: Palette) -> Sheet:
    """A declarations page: labels set right against a centre line, values left of it."""
    data = policy(rng, chinese=False)
    width = rng.randint(1000, 1500)
    sheet = Sheet(width, 4000)
    size = round(width * rng.uniform(0.0155, 0.018))
    y = 3.5 * size
    sheet.text(
        width * 0.93,
        y,
        data.insurer,
        palette.serif,
        shrink(palette.serif, data.insurer, size + 6, 0.8 * width),
        anchor="r",
    )
    y += 1.6 * size
    for line in palette.sans.broken(places.address_en(rng).replace("\n", ", "), size - 3, 0.5 * width, 0.5 * width):
        sheet.text(width * 0.93, y, line, palette.sans, size - 3, anchor="r")
        y += 1.4 * size
    y += 1.6 * size
    sheet.text(
        width * 0.5,
        y,
        rng.choice(("Insurance Declarations", "Your Policy Schedule", "Evidence of Cover")),
        palette.sans_bold,
        size + 8,
        anchor="m",
    )
    y += 3 * size
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    fields = field_rows(sheet, rng, data, group, currency)
    rows = [row for name in fields for row in fields[name]]
    for row in other_rows(rng, data, group, 6):
        rows.insert(rng.randint(1, len(rows)), row)
    font, middle = rng.choice((palette.sans, palette.serif)), width * rng.uniform(0.38, 0.44)
    mark = rng.choice((":", "", ""))
    for label, value in rows:
        sheet.text(
            middle,
            y,
            label + mark,
            palette.sans_bold,
            shrink(palette.sans_bold, label + mark, size, middle - width * 0.06),
            anchor="r",
        )
        y = lay(sheet, middle + 1.4 * size, y, value, font, size, width=width * 0.92 - middle - size) + 1.9 * size
    y = lay(sheet, width * 0.08, y + size, paragraph(rng), palette.sans, size - 3, width=0.84 * width)
    sheet.height = int(y + 3 * size)
    return sheet


@family("policy_val_en_columns", "insurance_policy", split="val")
def policy_val_en_columns(rng: random.Random, palette: Palette) -> Sheet:
    """A certificate in two blocks: people and numbers at the left, days and sums at the right, covers below."""
    data = policy(rng, chinese=False)
    width = rng.randint(1200, 1600)
    sheet = Sheet(width, 4000)
    size = round(width * rng.uniform(0.0135, 0.016))
    y = 3.5 * size
    sheet.text(
        width * 0.06,
        y,
        rng.choice(("Certificate of Cover", "Insurance Policy Certificate", "Summary of Insurance")),
        palette.sans_bold,
        size + 10,
    )
    y += 2 * size
    sheet.text(width * 0.06, y, f"Issued by {data.insurer}", palette.sans, size)
    y += 3 * size
    group, currency = date_group(rng, False), rng.choice(CURRENCIES)
    fields = field_rows(sheet, rng, data, group, currency)
    how = style(rng, palette, size, fonts=("sans", "serif"), separators=(":", "", ":"))
    assert set(fields) <= {*LABELS_EN, "period"}
    extra = other_rows(rng, data, group, 6)
    blocks = (
        [row for name in ("policy_number", "insured", "policyholder", "id_number") for row in fields.get(name, [])]
        + extra[::2],
        [row for name in ("period", "product", "sum_insured", "premium") for row in fields.get(name, [])] + extra[1::2],
    )
    lowest = y
    for number, rows in enumerate(blocks):
        down = y
        x = width * (0.06 + 0.46 * number)
        column = None if how.joined else 0.17 * width
        for label, value in rows:
            down = beside(sheet, x, down, label, value, how, width=0.42 * width, column=column)
        lowest = max(lowest, down)
    y = covers_table(sheet, rng, palette, data, width * 0.06, width * 0.94, lowest + size, size) + 2 * size
    sheet.height = int(y + rng.uniform(2, 10) * size)
    return sheet
