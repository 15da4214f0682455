"""Chinese forms: tables of cells, bank applications, forms of authorities, lists, declarations."""

from __future__ import annotations

import random
from datetime import date

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import form_blocks as blocks
from models.layout_ner.synth.templates import words_en, words_zh
from models.layout_ner.synth.templates.form_kit import Form, form
from models.layout_ner.synth.templates.labels import beside, maybe, shrink
from models.layout_ner.synth.templates.tables import Grid, cell
from models.layout_ner.synth.values import companies, dates, people

PRINTED = ("song", "song", "hei", "kai")
WRITTEN = ("kai", "kai", "song", "hei")


def top_pairs(page: Form) -> None:
    """One to three pairs on the line above the table: unit, day, number."""
    rng, how = page.rng, page.how
    names = rng.sample(
        (
            "编号",
            "填表日期",
            "填报单位",
            "申请日期",
            "序号",
            "受理编号",
            "单位（盖章）",
            "填表人",
            "日期",
            "备案号",
            "联系电话",
            "档案号",
            "金额单位",
        ),
        rng.randint(1, 3),
    )
    for number, name in enumerate(names):
        question = page.asks(name)
        answer = page.answers(question)
        text = how.label(name) + answer.text
        room = page.width / len(names) - page.size
        size = shrink(how.value_font, text, how.size, room)
        place = page.left + number * (room + page.size)
        if number == len(names) - 1 and number > 0:
            place = page.right - how.value_font.length(text, size)
        page.sheet.text(place, page.y, (Part(how.label(name), question.key), answer), how.value_font, size)
    page.y += 2.1 * page.size


def opinions(page: Form, count: int) -> None:
    """Cells for what authorities say: the question at the left or on top, the answer, place for stamp and day."""
    rng, how = page.rng, page.how
    grid = Grid(
        page.sheet,
        [page.left, page.left + 0.14 * page.width, page.right],
        page.y - 2.2 * how.size,
        how.value_font,
        how.size,
        pad=0.4,
    )
    for _ in range(count):
        question = page.asks(
            rng.choice(
                (
                    "单位意见",
                    "审批意见",
                    "审核意见",
                    "主管部门意见",
                    "推荐意见",
                    "学校意见",
                    "备注",
                    "承诺",
                    "领导批示",
                    "初审意见",
                    "受理意见",
                )
            )
        )
        text = rng.choice(("同意", "同意。", "情况属实，同意上报。", words_zh.sentence(rng), "无", "同意办理"))
        answer = page.answers(question, text=text if not maybe(rng, page.blank + 0.2) else "", blank=False)
        height = rng.uniform(4.5, 8) * how.size
        top = grid.y
        grid.row([cell(question, align="m", font=how.label_font), cell("")], height)
        x = page.left + 0.14 * page.width + how.size
        if answer.text:
            grid.sheet.text(
                x,
                top + 1.6 * how.size,
                answer,
                how.value_font,
                shrink(how.value_font, answer.text, how.size, 0.82 * page.width),
            )
        if maybe(rng, 0.7):
            foot = rng.choice(("（盖章）", "签字：", "负责人签字：          （公章）", "签名：", "（公章）"))
            page.sheet.text(page.left + 0.6 * page.width, grid.y - 2.2 * how.size, foot, how.label_font, how.size)
        day = (
            dates.format_date(rng, dates.date_between(rng, date(2005, 1, 1), date(2026, 1, 1)), "zh_long")
            if maybe(rng, 0.5)
            else "年    月    日"
        )
        page.sheet.text(page.right - how.size, grid.y - 0.7 * how.size, day, how.label_font, how.size, anchor="r")
    page.y = grid.y + 2.2 * how.size


@family("form_zh_cells", "form", weight=1.4)
def form_zh_cells(rng: random.Random, palette: Palette) -> Sheet:
    """A ruled table of questions and answers, opinions below, notes at the foot."""
    page = form(
        rng,
        palette,
        chinese=True,
        fonts=PRINTED,
        answers=WRITTEN,
        joined=0.0,
        separators=("", "", "", "："),
        size=(0.014, 0.018),
    )
    if maybe(rng, 0.25):
        page.aside(rng.choice(("附件1", "附件2：", "附表一：", "表1", f"No.{rng.randint(1000, 99999)}")), 0.0)
        page.y += 2 * page.size
    page.title()
    if maybe(rng, 0.6):
        top_pairs(page)
    blocks.cells(page, rng.randint(5, 18))
    if maybe(rng, 0.5):
        opinions(page, rng.randint(1, 3))
    if maybe(rng, 0.5):
        page.note(
            rng.choice(("注：", "说明：", "填表说明：", "备注：")) + words_zh.paragraph(rng, 1, 4),
            size=max(10, page.size - 2),
        )
    return page.finish()


@family("form_zh_lines", "form")
def form_zh_lines(rng: random.Random, palette: Palette) -> Sheet:
    """Questions and answers on lines, with a text before them and a signature below."""
    page = form(rng, palette, chinese=True, fonts=PRINTED, answers=WRITTEN, joined=0.35)
    page.title()
    if maybe(rng, 0.5):
        page.note(words_zh.paragraph(rng, 1, 3))
    for _ in range(rng.randint(2, 5)):
        if maybe(rng, 0.6):
            page.section()
        kind = rng.random()
        if kind < 0.45:
            blocks.flowing(page, rng.randint(4, 16), ruled=maybe(rng, 0.8))
        elif kind < 0.8:
            blocks.lines(page, rng.randint(3, 14), rng.choice((1, 2, 2)), ruled=maybe(rng, 0.5))
        else:
            blocks.choices(page, rng.randint(1, 4))
    if maybe(rng, 0.5):
        page.note(words_zh.paragraph(rng, 1, 4))
    blocks.signatures(page, rng.randint(1, 3))
    return page.finish()


@family("form_zh_bank", "form")
def form_zh_bank(rng: random.Random, palette: Palette) -> Sheet:
    """A bank's application: questions in both languages, sections in bars, options to tick, small print."""
    page = form(
        rng,
        palette,
        chinese=True,
        fonts=("hei", "song"),
        answers=("kai", "hei", "song"),
        joined=0.1,
        size=(0.0125, 0.016),
    )
    bank = companies.bank_zh(rng)
    page.sheet.text(page.left, page.y, bank, page.bold, page.size + 8)
    page.y += 2.6 * page.size
    page.title(rng.choice(("个人", "单位", "企业", "机构", "")) + words_zh.title(rng)[-8:], align=rng.choice("lmr"))
    both = maybe(rng, 0.4)
    if maybe(rng, 0.5):
        top_pairs(page)
    for _ in range(rng.randint(3, 6)):
        page.section(bar=maybe(rng, 0.8))
        kind = rng.random()
        if both and kind < 0.5:
            _bilingual(page, rng.randint(2, 6))
        elif kind < 0.35:
            blocks.cells(page, rng.randint(2, 7))
        elif kind < 0.65:
            blocks.flowing(page, rng.randint(3, 12))
        elif kind < 0.8:
            blocks.boxes(page, rng.randint(1, 3))
        else:
            blocks.choices(page, rng.randint(1, 4))
    if maybe(rng, 0.7):
        page.section("声明", bar=maybe(rng, 0.5))
        page.note(words_zh.paragraph(rng, 2, 6), size=max(10, page.size - 2))
    blocks.signatures(page, rng.randint(2, 3))
    return page.finish()


def _bilingual(page: Form, rows: int) -> None:
    """Cells whose questions stand in Chinese with English under them."""
    rng, how = page.rng, page.how
    grid = Grid(
        page.sheet,
        [page.left + cut * page.width for cut in (0.0, 0.17, 0.5, 0.67, 1.0)],
        page.y - how.size,
        how.value_font,
        how.size,
        pad=0.3,
        least=3.2 * how.size,
    )
    small = max(9, how.size - 4)
    for _ in range(rows):
        row, tops = [], []
        for number in range(2):
            question = page.asks()
            answer = page.answers(question)
            row += [cell(""), cell(answer)]
            tops.append((grid.edges[2 * number], question))
        grid.row(row)
        for x, question in tops:
            width = grid.edges[1] - grid.edges[0] - 0.6 * how.size
            middle = x + width / 2 + 0.3 * how.size
            first = shrink(how.label_font, question.text, how.size, width)
            page.sheet.text(middle, grid.y - 1.75 * how.size, question, how.label_font, first, anchor="m")
            english = words_en.question(rng)
            second = shrink(how.label_font, english, small, width)
            page.sheet.text(
                middle, grid.y - 0.5 * how.size, Part(english, question.key), how.label_font, second, anchor="m"
            )
    page.y = grid.y + 2.2 * how.size


@family("form_zh_authority", "form")
def form_zh_authority(rng: random.Random, palette: Palette) -> Sheet:
    """A form of an authority: sections within one table, a table of rows, opinions, an explanation."""
    page = form(
        rng,
        palette,
        chinese=True,
        fonts=("song", "hei", "song"),
        answers=WRITTEN,
        joined=0.0,
        separators=("", "", "："),
        size=(0.014, 0.0175),
        wide=maybe(rng, 0.15),
    )
    page.title()
    if maybe(rng, 0.4):
        page.aside(f"（{words_zh.organ(rng)}制）", 0.5, "m")
        page.y += 2 * page.size
    if maybe(rng, 0.6):
        top_pairs(page)
    for number in range(rng.randint(2, 4)):
        if number or maybe(rng, 0.4):
            page.section(bar=maybe(rng, 0.7))
        if maybe(rng, 0.65):
            blocks.cells(page, rng.randint(2, 8))
        else:
            blocks.table(page, rng.randint(3, 6), rng.randint(2, 6))
    if maybe(rng, 0.6):
        opinions(page, rng.randint(1, 2))
    if maybe(rng, 0.5):
        for number in range(1, rng.randint(2, 5)):
            page.note(f"{number}.{words_zh.paragraph(rng, 1, 2)}", size=max(10, page.size - 2))
            page.y -= 0.5 * page.size
    return page.finish()


@family("form_zh_side", "form", weight=0.8)
def form_zh_side(rng: random.Random, palette: Palette) -> Sheet:
    """A table whose left column names the parts: the part's head stands beside its rows of pairs."""
    page = form(
        rng, palette, chinese=True, fonts=PRINTED, answers=WRITTEN, joined=0.0, separators=("",), size=(0.014, 0.0175)
    )
    page.title()
    if maybe(rng, 0.5):
        top_pairs(page)
    how = page.how
    side = page.left + 0.08 * page.width
    edges = [side + cut * (page.right - side) for cut in (0.0, 0.16, 0.5, 0.66, 1.0)]
    grid = Grid(
        page.sheet, edges, page.y - how.size, how.value_font, how.size, pad=0.3, least=rng.uniform(2.2, 3.2) * how.size
    )
    for _ in range(rng.randint(2, 5)):
        top = grid.y
        for _ in range(rng.randint(2, 6)):
            first, second = page.asks(), page.asks()
            if maybe(rng, 0.25):
                grid.row([cell(first, align="m", font=how.label_font), cell(page.answers(first), span=3)])
                continue
            grid.row(
                [
                    cell(first, align="m", font=how.label_font),
                    cell(page.answers(first)),
                    cell(second, align="m", font=how.label_font),
                    cell(page.answers(second)),
                ]
            )
        page.sheet.frame(page.left, top, side, grid.y, 1)
        head = words_zh.section(rng)[-4:]
        part = page.header(head)
        pieces = [head[:2], head[2:]]
        line = (top + grid.y) / 2 - 0.2 * how.size
        for piece in pieces:
            size = shrink(how.label_font, piece, how.size, 0.07 * page.width)
            page.sheet.text((page.left + side) / 2, line, Part(piece, part.key), how.label_font, size, anchor="m")
            line += 1.4 * how.size
    page.y = grid.y + 2.2 * how.size
    if maybe(rng, 0.5):
        page.note(words_zh.paragraph(rng, 1, 3), size=max(10, page.size - 2))
    if maybe(rng, 0.5):
        blocks.signatures(page, 2)
    return page.finish()


@family("form_zh_letter", "form", weight=0.6)
def form_zh_letter(rng: random.Random, palette: Palette) -> Sheet:
    """An authorisation or declaration: running text, then pairs of signer, number and day at the right."""
    page = form(
        rng, palette, chinese=True, fonts=("song", "kai", "hei"), answers=WRITTEN, joined=0.5, size=(0.017, 0.021)
    )
    page.title(rng.choice(("授权委托书", "承诺书", "声明书", "证明", "介绍信", "申请书", "告知书", "确认函", "委托书")))
    if maybe(rng, 0.7):
        page.aside(f"{words_zh.organ(rng)}：", 0.0)
        page.y += 2.2 * page.size
    for _ in range(rng.randint(1, 3)):
        page.note("    " + words_zh.paragraph(rng, 2, 4), size=page.size)
    if maybe(rng, 0.4):
        page.aside(f"兹有{people.chinese_name(rng)}前往办理，请予接洽。", 0.05)
        page.y += 2.5 * page.size
    place = rng.uniform(0.4, 0.55) * page.width
    for _ in range(rng.randint(2, 6)):
        question, answer = page.pair()
        page.y = beside(page.sheet, page.left + place, page.y, question, answer, page.how, width=page.width - place)
    return page.finish(least=0.8)
