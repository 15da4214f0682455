"""More forms: ledgers, text and pairs in turn, columns of pairs, in Chinese and English."""

from __future__ import annotations

import random
from dataclasses import replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import form_blocks, words_en, words_zh
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.forms_more import draft, opening
from models.layout_ner.synth.templates.labels import maybe


def columned(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """Two to four columns of short pairs without colons, values at one place, at the right, or after dots."""
    doc = draft(rng, palette, chinese=chinese, joined=0.0, size=(0.0125, 0.0165))
    area = doc.area
    area.how.separator = rng.choice(("", "", "", "：" if chinese else ":"))
    opening(doc)
    mode = rng.choice(("tab", "right", "ends", "leaders", "beside"))
    for number in range(rng.randint(1, 4)):
        if number or maybe(rng, 0.6):
            doc.section(bar=maybe(rng, 0.4))
        columns = rng.choice((2, 2, 3, 3, 4))
        found = doc.entries(rng.randint(columns, 5 * columns), short=0.6 if columns > 2 else 0.3)
        room = area.width / columns - 3 * area.size
        short = [entry for entry in found if blocks.length(area, entry) < room]
        long = [entry for entry in found if blocks.length(area, entry) >= room]
        if short:
            blocks.rows(area, short, columns, mode)
        if long:
            blocks.rows(area, long, 1, "beside" if mode in ("ends", "leaders") else mode)
        if maybe(rng, 0.3):
            chance.rule(area)
        elif maybe(rng, 0.3):
            chance.prose_block(area)
    return doc.finish()


@family("form_zh_columns", "form")
def form_zh_columns(rng: random.Random, palette: Palette) -> Sheet:
    """Chinese: columns of pairs without colons."""
    return columned(rng, palette, chinese=True)


@family("form_en_columns", "form")
def form_en_columns(rng: random.Random, palette: Palette) -> Sheet:
    """English: columns of pairs without colons."""
    return columned(rng, palette, chinese=False)


def ledger(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """Tables with heads, sums below them as pairs, cells of pairs between, text at the foot."""
    doc = draft(rng, palette, chinese=chinese, joined=0.2, size=(0.0125, 0.017))
    area = doc.area
    opening(doc)
    if maybe(rng, 0.7):
        blocks.flow(area, doc.entries(rng.randint(2, 5), short=0.5))
    for _ in range(rng.randint(1, 3)):
        if maybe(rng, 0.5):
            doc.section(bar=maybe(rng, 0.4))
        framed, stub = maybe(rng, 0.7), maybe(rng, 0.35)
        columns, rows = rng.randint(3, 7), rng.randint(2, 9)
        doc.with_form(lambda form, a=columns, b=rows, c=framed, d=stub: form_blocks.table(form, a, b, framed=c, stub=d))  # type: ignore[misc]
        if maybe(rng, 0.5):
            place = replace(area, left=area.left + 0.55 * area.width, width=0.45 * area.width)
            blocks.rows(place, doc.entries(rng.randint(1, 3), short=0.8), 1, rng.choice(("ends", "tab", "right")))
            area.y = place.y
        if maybe(rng, 0.4):
            blocks.cells(area, doc.entries(rng.randint(2, 6), short=0.3), rng.choice((1, 2, 3)))
    if maybe(rng, 0.6):
        chance.prose_block(area)
    doc.sign()
    return doc.finish()


@family("form_zh_ledger", "form")
def form_zh_ledger(rng: random.Random, palette: Palette) -> Sheet:
    """Chinese: tables, sums, cells."""
    return ledger(rng, palette, chinese=True)


@family("form_en_ledger", "form")
def form_en_ledger(rng: random.Random, palette: Palette) -> Sheet:
    """English: tables, sums, cells."""
    return ledger(rng, palette, chinese=False)


def interleaved(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """Numbered parts of text, each followed by pairs in a manner of its own; boxes for offices at the side or below."""
    doc = draft(rng, palette, chinese=chinese)
    area = doc.area
    opening(doc)
    for number in range(1, rng.randint(3, 6)):
        text = words_zh.section(rng) if chinese else words_en.cased(rng, words_en.section(rng), doc.page.case)
        doc.head((f"{number}. " if maybe(rng, 0.6) else "") + text, 1.1, bar=maybe(rng, 0.25))
        if maybe(rng, 0.7):
            chance.prose_block(area, 1, 4)
        found = doc.entries(rng.randint(1, 6))
        if maybe(rng, 0.25) and area.width > 40 * area.size and len(found) > 2:
            chance.side_by_side(area, found[: len(found) // 2], found[len(found) // 2 :])
        else:
            chance.arrange(area, found)
        area.skip(0.4)
    if maybe(rng, 0.5):
        doc.head(
            rng.choice(
                ("经办部门填写", "审核栏", "以下由工作人员填写")
                if chinese
                else ("Office use only", "For official use", "INTERNAL USE")
            ),
            1.0,
            bar=True,
        )
        blocks.under(area, doc.entries(rng.randint(2, 4), short=0.6), rng.choice((2, 3, 4)), framed=True)
    return doc.finish(least=0.8)


@family("form_zh_interleaved", "form")
def form_zh_interleaved(rng: random.Random, palette: Palette) -> Sheet:
    """Chinese: text and pairs in turn."""
    return interleaved(rng, palette, chinese=True)


@family("form_en_interleaved", "form")
def form_en_interleaved(rng: random.Random, palette: Palette) -> Sheet:
    """English: text and pairs in turn."""
    return interleaved(rng, palette, chinese=False)
