"""More VAT invoices: by chance, narrow, in boxes, as lists, with seller first, and as results of a query."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe, parts_of, text_of
from models.layout_ner.synth.templates.pair_blocks import Entry
from models.layout_ner.synth.templates.parts import pick
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.templates.vat_kit import Invoice, code_line, invoice, stray
from models.layout_ner.synth.templates.vat_words import ROLES
from models.layout_ner.synth.values import companies

_ORDERS = (
    "title head parties goods sums foot",
    "title head parties goods sums foot",
    "head title parties goods sums foot",
    "number title rest parties goods sums foot",
    "title number rest parties goods sums foot",
    "title head goods sums parties foot",
    "title parties head goods sums foot",
    "head parties goods sums foot",
    "title buyer head goods sums seller foot",
    "title seller head goods sums buyer foot",
    "title head sums parties goods foot",
)


def divide(doc: Invoice) -> None:
    """A rule, room or nothing."""
    if maybe(doc.rng, 0.25):
        chance.rule(doc.area)
    elif maybe(doc.rng, 0.5):
        doc.area.skip(doc.rng.uniform(0.2, 1.2))


def write(doc: Invoice, order: str) -> None:
    """Write the pieces of an invoice in an order."""
    rng, area = doc.rng, doc.area
    with_sums, waiting = False, order.split()
    for piece in waiting:
        if piece == "title":
            doc.title()
        elif piece in ("head", "rest"):
            entries = doc.head()
            if piece == "rest":  # the number stands elsewhere
                kept = [entry for entry in entries if not _is(doc, entry, "invoice_number")]
                entries = kept
            chance.scramble(area, entries, halves=0.3)
        elif piece == "number":
            doc.bare_number()
        elif piece == "parties":
            doc.parties()
        elif piece in ("buyer", "seller"):
            doc.party_block(area, piece, rng.choice(("labelled", "beside", "head")))
        elif piece == "goods":
            if area.width > 30 * area.size:
                with_sums = doc.goods()
            else:
                doc.goods_list()
        elif piece == "sums":
            early = "goods" in waiting[waiting.index("sums") :]
            doc.write_sums(doc.sums(split=not with_sums and not early and maybe(rng, 0.8)))
        else:
            doc.foot()
        divide(doc)


def _is(doc: Invoice, entry: Entry, name: str) -> bool:
    return any(part.key is not None and doc.area.sheet.named[part.key].name == name for part in parts_of(entry.value))


@family("vat_scrambled", "vat_invoice", weight=2.5)
def vat_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """An invoice whose pieces stand in an order and in arrangements made up by chance."""
    doc = invoice(rng, palette, across=rng.choice(((52, 92), (52, 92), (34, 52))))
    write(doc, rng.choice(_ORDERS))
    for _ in range(rng.randint(0, 1)):
        chance.prose_block(doc.area)
    return chance.close_page(doc.area, least=0.4, most=rng.choice((0.6, 1.4)))


@family("vat_narrow", "vat_invoice")
def vat_narrow(rng: random.Random, palette: Palette) -> Sheet:
    """A narrow invoice: a roll's, or one on a telephone; everything below one another."""
    doc = invoice(rng, palette, across=(17, 28), most=3)
    order = rng.choice(
        (
            "title head seller buyer goods sums foot",
            "title head buyer seller goods sums foot",
            "title head parties goods sums foot",
            "seller title head buyer goods sums",
            "title sums head parties goods",
        )
    )
    write(doc, order)
    return chance.close_page(doc.area, least=0.8, most=1.6)


@family("vat_list", "vat_invoice")
def vat_list(rng: random.Random, palette: Palette) -> Sheet:
    """The result of a query or an accounting program's page: pairs that say whose they are, goods."""
    doc = invoice(rng, palette, across=(44, 84))
    area = doc.area
    chance.titled(
        area,
        (
            "发票查验结果",
            "发票信息",
            "发票详情",
            "增值税发票查验明细",
            "进项发票",
            "发票识别结果",
            "开票信息",
            "报销发票明细",
        ),
    )
    entries = doc.head()
    for role in ("buyer", "seller"):
        entries += doc.party(role, labelled=True)
    kinds = ("发票类型|票种|发票种类", "查验次数|查验时间", "申请人|报销人|归集部门")
    values = (
        pick(rng, "增值税专用发票|电子普通发票|数电票（普通发票）"),
        str(rng.randint(1, 9)),
        companies.company_zh(rng)[:4],
    )
    others = [Entry(pick(rng, names), value) for names, value in zip(kinds, values, strict=True) if maybe(rng, 0.4)]
    sums = maybe(rng, 0.5)
    late = [] if sums else doc.sums(split=True)
    entries = chance.mixed(rng, entries, others) + late
    way = rng.choice(("cells", "tab", "scramble", "boxes"))
    if way == "cells":
        blocks.cells(area, entries, rng.choice((1, 2)))
    elif way == "tab":
        blocks.rows(area, entries, 1, rng.choice(("tab", "right", "beside")))
    elif way == "boxes":
        blocks.under(area, entries, 2, framed=True)
    else:
        chance.scramble(area, entries)
    doc.goods(sums=sums)
    if sums:
        doc.write_sums(doc.sums(split=False))
    return chance.close_page(area, least=0.5, most=1.3)


@family("vat_boxed", "vat_invoice")
def vat_boxed(rng: random.Random, palette: Palette) -> Sheet:
    """All in ruled boxes: head in a row of boxes, parties in a table whose first column names them."""
    doc = invoice(rng, palette, across=(62, 94))
    area, how = doc.area, doc.area.how
    doc.title()
    head = doc.head()
    if maybe(rng, 0.5):
        for start in range(0, len(head), 5):
            some = head[start : start + 5]
            blocks.heads(area, some) if len(some) > 1 else blocks.rows(area, some)
        area.y -= 0.8 * area.size
    else:
        blocks.under(area, head, min(len(head), rng.choice((2, 3, 4))), framed=True)
        area.y -= 0.4 * area.size
    cut = rng.uniform(0.08, 0.14)
    share = rng.uniform(0.2, 0.3)
    grid = Grid(
        area.sheet,
        [area.left, area.left + cut * area.width, area.left + (cut + share) * area.width, area.right],
        area.y + 0.5 * area.size,
        how.value_font,
        area.size,
        pad=0.4,
        least=rng.uniform(1.6, 2.4) * area.size,
    )
    for role in ("buyer", "seller") if maybe(rng, 0.65) else ("seller", "buyer"):
        title = pick(rng, ROLES[role][0])
        for number, entry in enumerate(doc.party(role, labelled=False)):
            first = cell(title if number == 0 else "", align="m", font=area.bold)
            grid.row([first, cell(how.label(text_of(entry.label)), font=how.label_font), cell(entry.value)])
    area.y = grid.y + rng.choice((0.0, 0.6)) * area.size
    with_sums = doc.goods()
    blocks.cells(area, doc.sums(split=not with_sums and maybe(rng, 0.7)), rng.choice((1, 2)))
    doc.foot()
    return chance.close_page(area, least=0.5, most=0.9)


@family("vat_reversed", "vat_invoice")
def vat_reversed(rng: random.Random, palette: Palette) -> Sheet:
    """The seller at the top like a letterhead, the number anywhere, the buyer below, sums at the right, no frames."""
    doc = invoice(rng, palette, across=(56, 92), digital=maybe(rng, 0.7))
    area = doc.area
    doc.party_block(area, "seller", rng.choice(("head", "labelled", "beside")))
    divide(doc)
    above = maybe(rng, 0.4)
    if above:
        doc.bare_number()
    doc.title(rng.choice("lmr"))
    entries = doc.head()
    if above:
        entries = [entry for entry in entries if not _is(doc, entry, "invoice_number")]
    cut = rng.uniform(0.45, 0.6) * area.width
    sides = [replace(area, width=cut - area.size), replace(area, left=area.left + cut, width=area.width - cut)]
    if maybe(rng, 0.5):
        sides.reverse()
    doc.party_block(sides[0], "buyer", rng.choice(("head", "labelled")))
    blocks.rows(sides[1], entries, 1, rng.choice(("beside", "tab", "right", "ends")))
    area.y = max(side.y for side in sides)
    with_sums = doc.goods()
    right = replace(doc, area=replace(area, left=area.left + 0.4 * area.width, width=0.6 * area.width))
    right.area.y = area.y
    blocks.rows(right.area, right.sums(split=not with_sums), 1, rng.choice(("ends", "right", "beside")))
    area.y = right.area.y
    doc.foot()
    return chance.close_page(area, least=0.5, most=1.4)


@family("vat_password", "vat_invoice", weight=0.8)
def vat_password(rng: random.Random, palette: Palette) -> Sheet:
    """A paper invoice with code and number large beside the title, and lines of a password area beside the buyer."""
    doc = invoice(rng, palette, across=(66, 96), digital=False)
    area, sheet = doc.area, doc.area.sheet
    big = rng.choice((palette.song, palette.sans, palette.serif))
    size = round(area.size * rng.uniform(1.3, 1.8))
    y = area.base() + size
    sheet.text(area.left, y, doc.part("invoice_code", doc.bill.code), big, size)
    lead = pick(rng, "No|№|No.|")
    number = doc.part("invoice_number", doc.bill.number)
    if lead and maybe(rng, 0.5):
        end = area.right - big.length(doc.bill.number, size) - size
        sheet.text(end, y, lead, big, size, anchor="r")
        sheet.text(area.right, y, number, big, size, anchor="r")
    else:
        sheet.text(area.right, y, [part for part in (Part(lead), number) if part.text], big, size, anchor="r")
    middle = replace(area, left=area.left + 0.26 * area.width, width=0.48 * area.width)
    replace(doc, area=middle).title("m")
    area.y = max(middle.y, y + area.size)
    entries = [
        entry for entry in doc.head() if not (_is(doc, entry, "invoice_number") or _is(doc, entry, "invoice_code"))
    ]
    blocks.rows(area, entries, min(2, len(entries)), rng.choice(("beside", "ends")))
    cut = rng.uniform(0.55, 0.64) * area.width
    left = replace(area, width=cut)
    right = replace(area, left=area.left + cut + area.size, width=area.width - cut - area.size)
    doc.party_block(left, "buyer", rng.choice(("head", "beside")))
    for _ in range(rng.randint(3, 4)):
        right.line(code_line(rng), font=palette.mono)
    area.y = max(left.y, right.y)
    with_sums = doc.goods(sums=maybe(rng, 0.9))
    doc.write_sums(doc.sums(split=not with_sums))
    doc.party_block(area, "seller", rng.choice(("head", "beside")))
    if maybe(rng, 0.3):
        area.line(stray(rng), align="r", size=max(10, area.size - 3))
    doc.foot()
    return chance.close_page(area, least=0.5, most=0.8)
