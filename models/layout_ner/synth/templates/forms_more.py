"""More forms, Chinese and English: by chance, answers under questions, tick lists, ledgers, columns, text between."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import form_blocks, words_en, words_zh
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.form_heads import letterhead
from models.layout_ner.synth.templates.form_kit import GREYS, Form, form
from models.layout_ner.synth.templates.labels import maybe, shrink
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.tables import Cell, Grid, cell

ZH = {"fonts": ("song", "song", "hei", "kai"), "answers": ("kai", "song", "hei")}
EN = {"fonts": ("sans", "serif", "sans", "mono"), "answers": ("sans", "serif", "mono", "kai")}


_SIGNED_ZH = (
    "签字",
    "签名",
    "日期",
    "经办人",
    "负责人签字",
    "申请人签名",
    "审核人",
    "填表人",
    "领导签字",
    "家长签名",
    "本人签名",
    "日期",
)
_SIGNED_EN = (
    "Signature",
    "Date",
    "Approved By",
    "Title",
    "Signed",
    "Manager",
    "Reviewed By",
    "Print Name",
    "Witness",
    "Date Signed",
)


@dataclass(slots=True)
class Draft:
    """A form that is written with blocks of pairs: ``page`` announces, ``area`` arranges."""

    page: Form
    area: Area

    @property
    def rng(self) -> random.Random:
        """What decides."""
        return self.page.rng

    def entries(self, count: int, *, short: float = 0.1) -> list[Entry]:
        """Questions with their answers, some of them empty."""
        found = []
        for _ in range(count):
            question, answer = self.page.pair(short=maybe(self.rng, short))
            found.append(Entry(question, answer))
        return found

    def head(self, text: str, scale: float = 1.15, *, bar: bool = False, align: str = "l") -> None:
        """The head of a part: a header."""
        area = self.area
        size = shrink(area.bold, text, round(area.size * scale), 0.92 * area.width)
        if bar:
            top = area.y + 0.2 * size
            area.sheet.frame(
                area.left, top, area.right, top + 1.9 * size, 1, (120, 120, 120), fill=self.rng.choice(GREYS)
            )
            area.y = top + 0.3 * size
        area.line(
            self.page.header(text),
            align=align,
            font=area.bold if maybe(self.rng, 0.8) else area.how.label_font,
            size=size,
        )
        area.y += 0.5 * size if bar else 0.15 * size

    def section(self, *, bar: bool = False) -> None:
        """The head of a part with made-up words."""
        rng = self.rng
        text = (
            words_zh.section(rng) if self.page.chinese else words_en.cased(rng, words_en.section(rng), self.page.case)
        )
        self.head(text, rng.uniform(1.0, 1.25), bar=bar, align=rng.choice("lllm"))

    def with_form(self, write: Callable[[Form], None]) -> None:
        """Write a block of :mod:`form_blocks` at the present place."""
        page, area = self.page, self.area
        page.y, page.left, page.width = area.y + 1.4 * page.size, area.left, area.width
        write(page)
        area.y = page.y - page.size

    def interlude(self, _: Area) -> None:
        """What stands between blocks: a head, text, options, a rule."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.4:
            self.section(bar=maybe(rng, 0.3))
        elif kind < 0.6:
            chance.prose_block(self.area)
        elif kind < 0.75:
            self.with_form(lambda page: form_blocks.choices(page, rng.randint(1, 3)))
        elif kind < 0.85:
            chance.rule(self.area)
        elif self.area.width > 34 * self.area.size:
            self.with_form(lambda page: form_blocks.table(page, rng.randint(2, 5), rng.randint(1, 5)))

    def sign(self) -> None:
        """What is signed and dated at the foot, next to each other or one below the other."""
        rng, area = self.rng, self.area
        names = _SIGNED_ZH if self.page.chinese else _SIGNED_EN
        found = []
        for name in rng.sample(names, rng.randint(1, 3)):
            question = self.page.asks(name)
            dated = name.startswith(("日期", "Date"))
            text = (words_zh if self.page.chinese else words_en).answer(rng, name) if dated or maybe(rng, 0.6) else ""
            answer = self.page.answers(question, text=text, blank=False) if text else Part("")
            found.append(Entry(question, answer))
        area.skip(rng.uniform(0.2, 1.5))
        if maybe(rng, 0.5):
            blocks.flow(area, found)
        else:
            blocks.rows(area, found, len(found) if area.width > 45 * area.size else 1, rng.choice(("beside", "tab")))

    def finish(self, *, least: float = 0.5, most: float = 1.42) -> Sheet:
        """Cut the page off."""
        return chance.close_page(self.area, least=least, most=most)


def draft(
    rng: random.Random,
    palette: Palette,
    *,
    chinese: bool,
    joined: float = 0.3,
    size: tuple[float, float] = (0.014, 0.021),
) -> Draft:
    """An empty form."""
    kit = ZH if chinese else EN
    page = form(rng, palette, chinese=chinese, fonts=kit["fonts"], answers=kit["answers"], joined=joined, size=size)
    how = page.how
    if how.joined and not how.separator:
        how.separator = "：" if chinese else ": "
    area = Area(page.sheet, rng, palette, chinese, how, page.bold, page.left, page.width, page.y - page.size)
    return Draft(page, area)


def opening(doc: Draft) -> None:
    """Letterhead, title, a line of text: any of them may be missing."""
    rng, area = doc.rng, doc.area
    if not doc.page.chinese and maybe(rng, 0.35):
        doc.with_form(letterhead)
        area.skip(0.4)
    if maybe(rng, 0.25):
        chance.loose(area)
    if maybe(rng, 0.92):
        doc.with_form(lambda page: page.title(align=rng.choice("lmmr")))
        area.skip(0.5)
    if maybe(rng, 0.3):
        chance.prose_block(area, 1, 2)


def scrambled(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """A form of random blocks."""
    doc = draft(rng, palette, chinese=chinese, size=rng.choice(((0.013, 0.017), (0.016, 0.024), (0.022, 0.032))))
    opening(doc)
    for number in range(rng.randint(1, 4)):
        if number and maybe(rng, 0.7):
            doc.section(bar=maybe(rng, 0.3))
        chance.scramble(doc.area, doc.entries(rng.randint(3, 13)), interlude=doc.interlude, halves=0.25)
    if maybe(rng, 0.4):
        doc.sign()
    if maybe(rng, 0.3):
        chance.prose_block(doc.area)
    return doc.finish()


@family("form_zh_scrambled", "form", weight=2)
def form_zh_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A Chinese form in no known layout."""
    return scrambled(rng, palette, chinese=True)


@family("form_en_scrambled", "form", weight=2)
def form_en_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """An English form in no known layout."""
    return scrambled(rng, palette, chinese=False)


def stacked(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """Questions with their answers under them, one to four in a row, in boxes or on open paper."""
    doc = draft(rng, palette, chinese=chinese, joined=0.0)
    opening(doc)
    framed = maybe(rng, 0.4)
    small = round(doc.area.size * rng.uniform(0.72, 1.0))
    doc.area.how = replace(doc.area.how, label_size=max(10, small))
    for number in range(rng.randint(1, 4)):
        if number or maybe(rng, 0.5):
            doc.section(bar=maybe(rng, 0.4))
        for _ in range(rng.randint(2, 5)):
            columns = rng.choice((1, 2, 2, 3, 3, 4))
            blocks.under(doc.area, doc.entries(columns, short=0.4 if columns > 2 else 0.1), columns, framed=framed)
            if framed:
                doc.area.y -= 0.4 * doc.area.size
        if maybe(rng, 0.3):
            doc.area.skip(0.6)
            chance.prose_block(doc.area)
        doc.area.skip(0.5)
    if maybe(rng, 0.4):
        doc.sign()
    return doc.finish()


@family("form_zh_under", "form")
def form_zh_under(rng: random.Random, palette: Palette) -> Sheet:
    """Chinese: answers under questions."""
    return stacked(rng, palette, chinese=True)


@family("form_en_under", "form")
def form_en_under(rng: random.Random, palette: Palette) -> Sheet:
    """English: answers under questions."""
    return stacked(rng, palette, chinese=False)


def ticks(rng: random.Random, palette: Palette, *, chinese: bool) -> Sheet:
    """A list to tick: statements with a mark in one of two or three columns, or options in rows, with pairs above."""
    doc = draft(rng, palette, chinese=chinese, joined=0.3)
    area, page, how = doc.area, doc.page, doc.area.how
    opening(doc)
    blocks.rows(area, doc.entries(rng.randint(2, 6)), rng.choice((1, 2)), rng.choice(("beside", "tab")))
    if maybe(rng, 0.7):
        names = rng.choice(
            (("是", "否"), ("有", "无"), ("合格", "不合格"), ("是", "否", "不适用"))
            if chinese
            else (("Yes", "No"), ("OK", "N/A"), ("Yes", "No", "N/A"), ("Pass", "Fail"))
        )
        side = rng.uniform(0.08, 0.12)
        edges = [
            area.left,
            *(area.right - side * area.width * (len(names) - number) for number in range(len(names))),
            area.right,
        ]
        grid = Grid(
            area.sheet,
            edges,
            area.y,
            how.value_font,
            area.size,
            pad=0.4,
            least=rng.uniform(1.8, 2.4) * area.size,
            frame=maybe(rng, 0.7),
        )
        heads = [
            cell(
                page.asks(rng.choice(("项目", "检查内容", "评估项目") if chinese else ("Item", "Check", "Statement"))),
                font=how.label_font,
            )
        ]
        heads += [cell(page.asks(name), align="m", font=how.label_font) for name in names]
        grid.row(heads)
        mark = rng.choice(("√", "X", "✓", "●", "O"))
        if not how.value_font.covers(mark):
            mark = "X"
        for number in range(rng.randint(3, 12)):
            text = words_zh.sentence(rng)[:-1] if chinese else words_en.long_question(rng)
            question = page.asks((f"{number + 1}. " if maybe(rng, 0.5) else "") + text)
            chosen = rng.randrange(len(names))
            row: list[Cell] = [cell(question)]
            for column in range(len(names)):
                answer = (
                    page.answers(question, text=mark if column == chosen else "", blank=False)
                    if column == chosen
                    else Part("")
                )
                row.append(cell(answer, align="m"))
            grid.row(row)
        area.y = grid.y + area.size
    for _ in range(rng.randint(1, 3)):
        if maybe(rng, 0.6):
            doc.section(bar=maybe(rng, 0.4))
        doc.with_form(lambda form: form_blocks.choices(form, rng.randint(2, 5)))
    if maybe(rng, 0.5):
        chance.prose_block(area)
    doc.sign()
    return doc.finish()


@family("form_zh_ticks", "form")
def form_zh_ticks(rng: random.Random, palette: Palette) -> Sheet:
    """Chinese: a list to tick."""
    return ticks(rng, palette, chinese=True)


@family("form_en_ticks", "form")
def form_en_ticks(rng: random.Random, palette: Palette) -> Sheet:
    """English: a list to tick."""
    return ticks(rng, palette, chinese=False)
