"""English forms: applications, boxes, questionnaires, order sheets."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import form_blocks as blocks
from models.layout_ner.synth.templates.form_heads import PRINTED, corner, letterhead
from models.layout_ner.synth.templates.form_kit import form
from models.layout_ner.synth.templates.labels import lay, maybe
from models.layout_ner.synth.templates.words_en import (
    cased,
    coined,
    long_question,
    options,
    phrase,
    sentence,
    title,
)


@family("form_en_lines", "form", weight=1.2)
def form_en_lines(rng: random.Random, palette: Palette) -> Sheet:
    """Sections of pairs in one to three columns, on lines to write on, with options and signatures."""
    page = form(rng, palette, chinese=False, fonts=PRINTED, answers=("sans", "serif", "mono", "kai"))
    if maybe(rng, 0.6):
        letterhead(page)
    page.title(align=rng.choice("lmm"))
    ruled = maybe(rng, 0.6)
    bar = maybe(rng, 0.3)
    for _ in range(rng.randint(2, 5)):
        if maybe(rng, 0.6):
            page.section(bar=bar)
        kind = rng.random()
        if kind < 0.55:
            blocks.lines(page, rng.randint(3, 14), rng.choice((1, 2, 2, 3)), ruled=ruled)
        elif kind < 0.8:
            blocks.flowing(page, rng.randint(4, 14), ruled=ruled)
        else:
            blocks.choices(page, rng.randint(1, 4))
    if maybe(rng, 0.5):
        blocks.choices(page, rng.randint(1, 3))
    if maybe(rng, 0.4):
        blocks.essay(page)
    if maybe(rng, 0.5):
        page.note()
    if maybe(rng, 0.6):
        blocks.signatures(page, rng.randint(1, 3))
    return page.finish()


@family("form_en_boxes", "form")
def form_en_boxes(rng: random.Random, palette: Palette) -> Sheet:
    """Boxes with small questions and answers under them, under bars with headings."""
    page = form(rng, palette, chinese=False, fonts=PRINTED, answers=("sans", "mono", "serif"), joined=0.0)
    if maybe(rng, 0.4):
        corner(page)
    page.title(align=rng.choice("lmm"))
    framed = maybe(rng, 0.85)
    for _ in range(rng.randint(1, 4)):
        if maybe(rng, 0.6):
            page.section(bar=maybe(rng, 0.6))
        blocks.boxes(page, rng.randint(2, 7), framed=framed)
    if maybe(rng, 0.4):
        blocks.essay(page, boxed=True)
    if maybe(rng, 0.4):
        blocks.table(page, rng.randint(2, 5), rng.randint(1, 5))
    if maybe(rng, 0.5):
        page.note(size=max(10, page.size - 4))
    if maybe(rng, 0.5):
        blocks.signatures(page, rng.randint(1, 3))
    return page.finish()


@family("form_en_survey", "form", weight=0.8)
def form_en_survey(rng: random.Random, palette: Palette) -> Sheet:
    """A questionnaire: numbered sentences that ask, with options to tick or lines to write on."""
    page = form(rng, palette, chinese=False, fonts=PRINTED + ("mono",), answers=("sans", "mono", "serif"), joined=0.15)
    page.case = ""
    page.numbered = True
    page.title()
    if maybe(rng, 0.5):
        page.note()
    blocks.lines(page, rng.randint(2, 4), rng.choice((1, 2)), ruled=maybe(rng, 0.5))
    numbering = rng.choice(("{}. ", "{}) ", "Q{}. ", "({}) ", ""))
    for number in range(1, rng.randint(6, 18)):
        text = numbering.format(number) + long_question(rng)
        question = page.asks(text)
        kind = rng.random()
        if kind < 0.45:
            shown = blocks.ticked(page, options(rng))
            answer = page.answers(question, text=(" " * rng.randint(2, 4)).join(shown), blank=False)
        else:
            answer = page.answers(
                question,
                text=rng.choice((phrase(rng), sentence(rng), "Yes", "No", str(rng.randint(1, 60))))
                if not maybe(rng, page.blank)
                else "",
                blank=False,
            )
        page.y = lay(
            page.sheet,
            page.left,
            page.y,
            Part(text, question.key),
            page.how.label_font,
            page.how.label_size,
            width=page.width,
        )
        page.y += 1.6 * page.size
        if answer.text:
            page.y = lay(
                page.sheet,
                page.left + 2.5 * page.size,
                page.y,
                answer,
                page.how.value_font,
                page.size,
                width=page.width - 3 * page.size,
            )
        page.sheet.rule(page.left + 2.5 * page.size, page.y + 0.3 * page.size, page.right, page.y + 0.3 * page.size, 1)
        page.y += page.how.pitch + 0.3 * page.size
    return page.finish()


@family("form_en_order", "form")
def form_en_order(rng: random.Random, palette: Palette) -> Sheet:
    """Pairs above, a table with heads in the middle, sums and signatures below."""
    page = form(rng, palette, chinese=False, fonts=("sans", "serif", "mono"), answers=("sans", "mono"))
    if maybe(rng, 0.7):
        letterhead(page)
    page.title(align=rng.choice("lmr"))
    if maybe(rng, 0.5):
        corner(page)
    blocks.lines(page, rng.randint(2, 8), rng.choice((1, 2, 2, 3)), ruled=maybe(rng, 0.3))
    blocks.table(
        page,
        rng.randint(2, 7),
        rng.randint(2, 14),
        framed=maybe(rng, 0.7),
        label=cased(rng, f"{coined(rng)} {title(rng)}", page.case) if maybe(rng, 0.15) else None,
    )
    if maybe(rng, 0.5):
        blocks.lines(page, rng.randint(1, 4), 1)
    if maybe(rng, 0.4):
        page.note(size=max(10, page.size - 3))
    blocks.signatures(page, rng.randint(1, 3))
    return page.finish()
