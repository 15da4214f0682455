"""English office papers: fax covers, memos, laboratory sheets, requests."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import form_blocks as blocks
from models.layout_ner.synth.templates.form_heads import corner, letterhead, stamps
from models.layout_ner.synth.templates.form_kit import form
from models.layout_ner.synth.templates.labels import beside, lay, maybe
from models.layout_ner.synth.templates.words_en import (
    paragraph,
    title,
)
from models.layout_ner.synth.values import dates, identifiers, people


@family("form_en_fax", "form")
def form_en_fax(rng: random.Random, palette: Palette) -> Sheet:
    """A fax cover sheet."""
    page = form(
        rng,
        palette,
        chinese=False,
        fonts=("sans", "serif", "mono"),
        answers=("sans", "mono", "serif"),
        size=(0.016, 0.021),
    )
    if maybe(rng, 0.4):
        day = dates.format_date(rng, dates.date_between(rng, date(1988, 1, 1), date(2008, 1, 1)), "us")
        page.aside(
            f"{day} {dates.clock(rng)} FAX {identifiers.phone_en(rng)} P.{rng.randint(1, 9):02d}",
            0.0,
            font=palette.mono,
            size=page.size - 3,
        )
        page.y += 2 * page.size
    if maybe(rng, 0.8):
        letterhead(page)
    page.title(
        rng.choice(
            (
                "FAX",
                "FAX COVER SHEET",
                "Facsimile Transmittal",
                "FACSIMILE",
                "Fax Transmission",
                "TELECOPY COVER SHEET",
                "FAX MESSAGE",
                "Facsimile Cover Page",
            )
        ),
        align=rng.choice("lm"),
    )
    asked = [
        "To",
        "From",
        rng.choice(("Fax", "Fax No.", "Fax Number", "Telecopier No.")),
        "Date",
        rng.choice(("Pages", "No. of Pages", "Number of Pages (including cover)", "Total Pages")),
    ]
    asked += rng.sample(
        (
            "Phone",
            "Company",
            "Re",
            "Subject",
            "CC",
            "Time",
            "Department",
            "Charge Code",
            "Client No.",
            "Location",
            "Attention",
            "Operator",
        ),
        rng.randint(0, 5),
    )
    if maybe(rng, 0.4):
        rng.shuffle(asked)
    pairs = []
    for text in asked:
        question = page.asks(text.upper() if page.case == "upper" else text)
        pairs.append((question, page.answers(question)))
    columns = rng.choice((1, 2))
    room = page.width / columns - page.size
    column = (
        None
        if page.how.joined
        else max(
            page.how.label_font.length(page.how.label(question.text), page.how.label_size) for question, _ in pairs
        )
        + page.size
    )
    if column is not None:
        column = min(column, 0.5 * room)
    for start in range(0, len(pairs), columns):
        lowest = page.y
        for number, (question, answer) in enumerate(pairs[start : start + columns]):
            lowest = max(
                lowest,
                beside(
                    page.sheet,
                    page.left + number * (room + page.size),
                    page.y,
                    question,
                    answer,
                    page.how,
                    width=room,
                    column=column,
                ),
            )
        page.y = lowest
    page.y += page.size
    if maybe(rng, 0.4):
        blocks.choices(page, 1)
    if maybe(rng, 0.6):
        question = page.asks(rng.choice(("Message", "Comments", "Notes", "Remarks", "Special Instructions")))
        page.sheet.text(
            page.left,
            page.y,
            Part(page.how.label(question.text), question.key),
            page.how.label_font,
            page.how.label_size,
        )
        page.y += 1.8 * page.size
        answer = page.answers(question, text=paragraph(rng, 1, 5) if maybe(rng, 0.7) else "", blank=False)
        if answer.text:
            page.y = lay(page.sheet, page.left, page.y, answer, page.how.value_font, page.size, width=page.width)
        page.y += rng.uniform(2, 8) * page.size
    page.note(
        rng.choice(
            (
                "The information in this transmission is confidential and meant only for the person named above. ",
                "If any page is missing please call us at once. ",
                "This fax may hold privileged information; anybody else who reads it is asked to destroy it. ",
            )
        )
        + paragraph(rng, 0, 2)
        + f" Please call {identifiers.phone_en(rng)}.",
        size=max(10, page.size - 4),
    )
    return page.finish(least=0.8)


@family("form_en_memo", "form", weight=0.8)
def form_en_memo(rng: random.Random, palette: Palette) -> Sheet:
    """A memorandum: heading pairs, then running text that is part of no pair."""
    page = form(
        rng,
        palette,
        chinese=False,
        fonts=("mono", "mono", "serif", "sans"),
        separators=(":", ":", ".", ""),
        size=(0.0155, 0.019),
    )
    page.case = rng.choice(("upper", "upper", ""))
    if maybe(rng, 0.7):
        letterhead(page)
    page.title(
        rng.choice(
            (
                "MEMORANDUM",
                "Inter-Office Memorandum",
                "INTEROFFICE CORRESPONDENCE",
                "Memo",
                "INTERNAL MEMORANDUM",
                "OFFICE MEMO",
            )
        ),
        align=rng.choice("lmm"),
    )
    asked = ["To", "From", "Date", rng.choice(("Subject", "Re", "Subj.", "Regarding"))]
    if maybe(rng, 0.5):
        asked.insert(rng.randint(1, 3), rng.choice(("cc", "Copies", "Copies to", "Via", "Department", "File")))
    if maybe(rng, 0.4):
        rng.shuffle(asked)
    column = None if page.how.joined else 7 * page.size
    for text in asked:
        question = page.asks(text)
        answer = page.answers(question, text=title(rng) if text[:2] in ("Su", "Re") else None, blank=False)
        page.y = beside(page.sheet, page.left, page.y, question, answer, page.how, width=page.width, column=column)
    page.sheet.rule(page.left, page.y - 0.5 * page.size, page.right, page.y - 0.5 * page.size, 2)
    page.y += 1.5 * page.size
    for _ in range(rng.randint(1, 4)):
        page.note(("   " if maybe(rng, 0.3) else "") + paragraph(rng, 1, 5), size=page.size)
    if maybe(rng, 0.3):
        blocks.table(page, rng.randint(2, 4), rng.randint(2, 5), framed=maybe(rng, 0.3))
    if maybe(rng, 0.6):
        page.aside(people.english_name(rng), rng.uniform(0, 0.6))
        page.y += 1.8 * page.size
    if maybe(rng, 0.5):
        page.aside(
            f"{''.join(rng.sample('ABCDEFGHJKLMRST', 3))}/{''.join(rng.sample('abcdefghjkl', 2))}",
            0.0,
        )
    return page.finish(least=0.9)


@family("form_en_laboratory", "form", weight=1.2)
def form_en_laboratory(rng: random.Random, palette: Palette) -> Sheet:
    """An industry's data sheet from a typewriter: pairs in two columns, readings with units, tables of figures."""
    page = form(
        rng,
        palette,
        chinese=False,
        fonts=("mono", "mono", "sans"),
        separators=(":", ":", "", ""),
        size=(0.0155, 0.0195),
    )
    page.case = rng.choice(("", "upper", "lower"))
    if maybe(rng, 0.3):
        corner(page)
    stamps(page)
    if maybe(rng, 0.5):
        letterhead(page)
    page.title(align=rng.choice("lmmm"))
    blocks.lines(page, rng.randint(2, 10), rng.choice((1, 2, 2)), ruled=maybe(rng, 0.4))
    for _ in range(rng.randint(2, 5)):
        if maybe(rng, 0.7):
            page.section()
        kind = rng.random()
        if kind < 0.45:
            blocks.measures(page, rng.randint(3, 14))
        elif kind < 0.75:
            blocks.table(page, rng.randint(3, 7), rng.randint(2, 9), framed=maybe(rng, 0.25), stub=maybe(rng, 0.6))
        else:
            blocks.lines(page, rng.randint(2, 6), 2, ruled=maybe(rng, 0.4))
    if maybe(rng, 0.5):
        page.note()
    if maybe(rng, 0.5):
        blocks.signatures(page, rng.randint(1, 2))
    return page.finish(least=0.9)


@family("form_en_request", "form")
def form_en_request(rng: random.Random, palette: Palette) -> Sheet:
    """A business request from a typewriter: a few pairs, answers at length, approvals."""
    page = form(
        rng,
        palette,
        chinese=False,
        fonts=("mono", "sans", "mono", "serif"),
        separators=(":", ":", " :", ""),
        size=(0.0155, 0.019),
    )
    page.case = rng.choice(("upper", "upper", ""))
    stamps(page)
    if maybe(rng, 0.5):
        letterhead(page)
    page.title(align=rng.choice("lmm"))
    blocks.lines(page, rng.randint(3, 12), rng.choice((1, 1, 2)), ruled=maybe(rng, 0.5))
    blocks.essay(page, rng.randint(1, 4))
    if maybe(rng, 0.5):
        blocks.choices(page, rng.randint(1, 3))
    if maybe(rng, 0.4):
        blocks.flowing(page, rng.randint(2, 5))
    if maybe(rng, 0.5):
        page.section(rng.choice(("APPROVALS", "Approvals", "AUTHORIZATION", "For Office Use Only")))
    blocks.signatures(page, rng.randint(1, 3))
    if maybe(rng, 0.4):
        page.note(size=max(10, page.size - 3))
    return page.finish(least=0.9)
