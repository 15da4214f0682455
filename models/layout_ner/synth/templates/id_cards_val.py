"""Identity cards for validation: layouts that no training page has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates.id_facts import person, purpose, term_parts
from models.layout_ner.synth.templates.labels import lay, maybe
from models.layout_ner.synth.templates.marks import emblem, portrait
from models.layout_ner.synth.templates.tables import Grid, cell


@family("id_val_page", "id_card", split="val")
def id_val_page(rng: random.Random, palette: Palette) -> Sheet:
    """A wide page: the back at the left, the front at the right and lower, with a line across that limits its use."""
    holder = person(rng)
    width = rng.randint(1300, 1700)
    sheet = Sheet(width, round(width * rng.uniform(0.6, 0.72)))
    height = sheet.height
    size = round(width * rng.uniform(0.016, 0.019))
    x, y = width * 0.05, height * rng.uniform(0.1, 0.16)
    emblem(sheet, x + 2.5 * size, y + 2.5 * size, 2.2 * size)
    sheet.text(x + 6 * size, y + 2 * size, "中华人民共和国", palette.hei, round(size * 1.3))
    sheet.text(x + 6 * size, y + 4.4 * size, "居 民 身 份 证", palette.hei_bold, round(size * 1.7))
    line = y + 9.5 * size
    apart = maybe(rng, 0.5)
    authority = Part(holder.authority, sheet.entity("issuing_authority", holder.authority))
    if apart:
        sheet.text(x + 2 * size, line, "签发机关", palette.hei, size)
        sheet.text(x + 7.5 * size, line, authority, palette.song, size)
        sheet.text(x + 2 * size, line + 2.2 * size, "有效期限", palette.hei, size)
        sheet.text(x + 7.5 * size, line + 2.2 * size, term_parts(sheet, rng, holder), palette.song, size)
    else:
        sheet.text(x + 2 * size, line, (Part("签发机关 "), authority), palette.hei, size)
        sheet.text(
            x + 2 * size, line + 2.2 * size, (Part("有效期限 "), *term_parts(sheet, rng, holder)), palette.hei, size
        )
    x, y = width * 0.53, height * rng.uniform(0.24, 0.3)
    sheet.frame(x - size, y - 2 * size, width * 0.96, y + 15.5 * size, 1, (170, 180, 190))
    rows = (
        ("姓名", (Part(holder.name, sheet.entity("name", holder.name)),)),
        (
            "性别",
            (
                Part(holder.sex, sheet.entity("sex", holder.sex)),
                Part("    民族 "),
                Part(holder.ethnicity, sheet.entity("ethnicity", holder.ethnicity)),
            ),
        ),
        (
            "出生",
            (
                Part(
                    f"{holder.birth.year} 年 {holder.birth.month} 月 {holder.birth.day} 日",
                    sheet.entity("birth_date", holder.birth.isoformat()),
                ),
            ),
        ),
    )
    for label, parts in rows:
        if apart:
            sheet.text(x, y, label, palette.hei, size)
            sheet.text(x + 3.4 * size, y, parts, palette.song, size)
        else:
            sheet.text(x, y, (Part(label + " "), *parts), palette.hei, size)
        y += 2.3 * size
    address = Part(holder.address, sheet.entity("address", holder.address))
    sheet.text(x, y, "住址", palette.hei, size)
    y = lay(
        sheet,
        x + 3.4 * size,
        y,
        address,
        palette.hei if not apart else palette.song,
        size,
        width=11 * size,
        leading=1.25,
    )
    y += 2.6 * size
    number = Part(holder.number, sheet.entity("id_number", holder.number))
    sheet.text(x, y, (Part("公民身份号码 "), number), palette.hei, size)
    portrait(sheet, width * 0.96 - 7 * size, height * 0.24, 5.5 * size, 7 * size, rng)
    if maybe(rng, 0.7):
        sheet.text(width / 2, height * 0.94, purpose(rng), palette.kai, size, anchor="m")
    return sheet


@family("id_val_table", "id_card", split="val")
def id_val_table(rng: random.Random, palette: Palette) -> Sheet:
    """What a card says in a ruled table with the portrait at the side."""
    holder = person(rng)
    width = rng.randint(900, 1300)
    sheet = Sheet(width, 3000)
    size = round(width * rng.uniform(0.02, 0.025))
    y = 3.5 * size
    sheet.text(
        width / 2,
        y,
        rng.choice(("居民身份证登记信息", "人员身份信息", "身份证读卡信息")),
        palette.hei_bold,
        size + 6,
        anchor="m",
    )
    left, right = width * 0.08, width * 0.74
    grid = Grid(
        sheet,
        [left, left + 0.22 * (right - left), left + 0.5 * (right - left), left + 0.72 * (right - left), right],
        y + 1.5 * size,
        palette.song,
        size,
        least=2.4 * size,
    )
    align = rng.choice(("l", "m"))
    top = grid.y

    def value(name: str, text: str, typed: str, span: int = 1) -> object:
        return cell(Part(text, sheet.entity(name, typed)), span=span, align=align)

    def label(text: str) -> object:
        return cell(text, font=palette.hei, align="m")

    table: list[list[object]] = [
        [label("姓名"), value("name", holder.name, holder.name), label("性别"), value("sex", holder.sex, holder.sex)],
        [
            label("民族"),
            value("ethnicity", holder.ethnicity, holder.ethnicity),
            label("出生"),
            value(
                "birth_date",
                f"{holder.birth:%Y%m%d}" if maybe(rng, 0.3) else f"{holder.birth:%Y年%m月%d日}",
                holder.birth.isoformat(),
            ),
        ],
        [label("住址"), value("address", holder.address, holder.address, 3)],
        [label(rng.choice(("公民身份号码", "身份证号"))), value("id_number", holder.number, holder.number, 3)],
        [label("签发机关"), value("issuing_authority", holder.authority, holder.authority, 3)],
        [label("有效期限"), cell(term_parts(sheet, rng, holder), span=3, align=align)],
    ]
    for row in table:
        grid.row(row)  # type: ignore[arg-type]  # lists of texts and cells, which mypy wants named
    portrait(sheet, right + size, top, width * 0.2, min(grid.y - top, width * 0.26), rng)
    sheet.height = int(grid.y + rng.uniform(3, 12) * size)
    return sheet
