"""Forms for validation, English and Chinese: arrangements that no training page has."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import form_blocks as blocks
from models.layout_ner.synth.templates import words_en, words_zh
from models.layout_ner.synth.templates.form_kit import Form, form
from models.layout_ner.synth.templates.labels import beside, maybe
from models.layout_ner.synth.templates.tables import Grid, cell


def _halves(page: Form, left: int, right: int) -> None:
    """Two independent columns of pairs with rows of their own, each under a heading."""
    top, start, width = page.y, page.left, page.width
    lowest = top
    for number, count in enumerate((left, right)):
        page.y = top
        page.left, page.width = start + number * 0.52 * width, 0.47 * width
        page.section()
        blocks.lines(page, count, 1)
        lowest = max(lowest, page.y)
    page.y, page.left, page.width = lowest + page.size, start, width


@family("form_val_en_halves", "form", split="val")
def form_val_en_halves(rng: random.Random, palette: Palette) -> Sheet:
    """Two columns of unlike height, then boxes, a long answer and signatures."""
    page = form(rng, palette, chinese=False, fonts=("sans", "serif", "mono"))
    page.title()
    _halves(page, rng.randint(3, 9), rng.randint(3, 9))
    blocks.boxes(page, rng.randint(1, 3))
    blocks.essay(page)
    blocks.signatures(page, 2)
    return page.finish()


@family("form_val_en_office", "form", split="val")
def form_val_en_office(rng: random.Random, palette: Palette) -> Sheet:
    """An office's slip from a typewriter: heading pairs set apart, readings, options, a note at the foot."""
    page = form(rng, palette, chinese=False, fonts=("mono", "sans"), separators=(":", "", ":"), size=(0.0155, 0.019))
    page.aside(words_en.code(rng), 1.0, "r")
    page.y += 2.4 * page.size
    page.title(align="l")
    blocks.lines(page, rng.randint(3, 6), 1, ruled=True)
    page.note()
    blocks.measures(page, rng.randint(3, 10))
    blocks.choices(page, rng.randint(1, 4))
    blocks.table(page, rng.randint(3, 5), rng.randint(2, 6), framed=maybe(rng, 0.4), stub=True)
    page.note()
    return page.finish()


@family("form_val_zh_mixed", "form", split="val")
def form_val_zh_mixed(rng: random.Random, palette: Palette) -> Sheet:
    """Pairs on lines above a table of cells, options, a list, signatures."""
    page = form(rng, palette, chinese=True, fonts=("song", "hei"), answers=("kai", "song"), joined=0.2)
    page.title()
    blocks.flowing(page, rng.randint(3, 6))
    page.section(bar=True)
    blocks.cells(page, rng.randint(3, 9))
    blocks.choices(page, rng.randint(1, 3))
    page.section()
    blocks.table(page, rng.randint(3, 5), rng.randint(2, 6))
    page.note(words_zh.paragraph(rng, 1, 3))
    blocks.signatures(page, 2)
    return page.finish()


@family("form_val_zh_thirds", "form", split="val")
def form_val_zh_thirds(rng: random.Random, palette: Palette) -> Sheet:
    """A table of three pairs a row with the answers centred, then questions answered under them in one cell each."""
    page = form(
        rng,
        palette,
        chinese=True,
        fonts=("song", "hei"),
        answers=("kai", "song"),
        joined=0.0,
        separators=("", "："),
        size=(0.0135, 0.0165),
    )
    page.title()
    how = page.how
    question, answer = page.pair()
    page.y = beside(page.sheet, page.left, page.y, question, answer, how, width=page.width)
    cuts = (0.0, 0.13, 0.33, 0.46, 0.66, 0.79, 1.0)
    grid = Grid(
        page.sheet,
        [page.left + cut * page.width for cut in cuts],
        page.y - how.size,
        how.value_font,
        how.size,
        pad=0.3,
        least=2.6 * how.size,
    )
    for _ in range(rng.randint(4, 10)):
        row = []
        for _ in range(3):
            question = page.asks()
            row += [
                cell(question, align="m", font=how.label_font),
                cell(page.answers(question, short=maybe(rng, 0.5)), align="m"),
            ]
        grid.row(row)
    for _ in range(rng.randint(1, 4)):
        question = page.asks()
        answer = page.answers(question, text=words_zh.paragraph(rng, 1, 2))
        top = grid.y
        grid.row([cell(Part(how.label(question.text), question.key), span=6)])
        grid.row([cell(answer, span=6)])
        assert grid.y > top
    page.y = grid.y + 2.2 * how.size
    page.note(words_zh.paragraph(rng, 1, 2))
    return page.finish()
