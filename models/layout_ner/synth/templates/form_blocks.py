"""Blocks that forms are put together from: lines of pairs, boxes, options, long answers, signatures, tables."""

from __future__ import annotations

from collections.abc import Sequence

from models.layout_ner.synth.sheet import Colour, Part
from models.layout_ner.synth.templates import words_en, words_zh
from models.layout_ner.synth.templates.form_kit import GREYS, Form
from models.layout_ner.synth.templates.labels import beneath, beside, lay, maybe, shrink
from models.layout_ner.synth.templates.tables import Cell, Grid, cell

_TICKS_ZH = (("□", "☑"), ("□", "■"), ("□", "√"), ("○", "●"), ("（ ）", "（√）"), ("□", "□√"))
_TICKS_EN = (("[ ]", "[X]"), ("☐", "☒"), ("☐", "☑"), ("( )", "(X)"), ("□", "■"), ("__", "_X_"))


def lines(form: Form, count: int, columns: int = 1, *, ruled: bool = False, aligned: bool | None = None) -> None:
    """Pairs side by side in columns, the answer right of its question; ``ruled``: on a line to write on."""
    rng, how = form.rng, form.how
    pairs = [form.pair() for _ in range(count)]
    gutter = 1.5 * form.size
    room = (form.width - gutter * (columns - 1)) / columns
    column = None
    if (maybe(rng, 0.55) if aligned is None else aligned) and not how.joined:
        longest = max(how.label_font.length(how.label(question.text), how.label_size) for question, _ in pairs)
        column = min(longest + how.size, 0.5 * room)
    for start in range(0, count, columns):
        lowest = form.y
        for number, (question, answer) in enumerate(pairs[start : start + columns]):
            x = form.left + number * (room + gutter)
            bottom = beside(form.sheet, x, form.y, question, answer, how, width=room, column=column)
            if ruled:
                begin = (
                    column
                    if column is not None
                    else how.label_font.length(how.label(question.text), how.label_size) + 0.7 * how.size
                )
                line = bottom - how.pitch + 0.28 * how.size
                if begin < room - 2 * how.size:
                    form.sheet.rule(x + begin, line, x + room, line, 1)
            lowest = max(lowest, bottom)
        form.y = lowest
    form.y += 0.4 * form.size


def flowing(form: Form, count: int, *, ruled: bool = True) -> None:
    """Pairs one after the other along the line, as many as fit; answers on lines to write on."""
    rng, how = form.rng, form.how
    x = form.left
    for _ in range(count):
        question, answer = form.pair(short=maybe(rng, 0.3))
        label = how.label(question.text)
        start = how.label_font.length(label, how.label_size) + 0.5 * how.size
        length = how.value_font.length(answer.text, how.size)
        need = start + max(length, rng.uniform(3, 8) * how.size) + 0.6 * how.size
        if need > form.width:
            if x > form.left:
                form.y += how.pitch
            form.y = beside(form.sheet, form.left, form.y, question, answer, how, width=form.width)
            x = form.left
            continue
        if x + need > form.right:
            x, form.y = form.left, form.y + how.pitch
        if how.joined:
            form.sheet.text(x, form.y, (Part(label, question.key), answer), how.value_font, how.size, colour=how.colour)
        else:
            form.sheet.text(
                x, form.y, Part(label, question.key), how.label_font, how.label_size, colour=how.label_colour
            )
            form.sheet.text(x + start, form.y, answer, how.value_font, how.size, colour=how.colour)
        if ruled:
            form.sheet.rule(
                x + start - 0.2 * how.size,
                form.y + 0.25 * how.size,
                x + need - 0.3 * how.size,
                form.y + 0.25 * how.size,
                1,
            )
        x += need + rng.uniform(0.8, 2.0) * how.size
    form.y += how.pitch + 0.4 * form.size


def boxes(form: Form, rows: int, *, framed: bool = True) -> None:
    """Rows of boxes, each with a small question in its top and the answer under it."""
    rng, how = form.rng, form.how
    small = max(9, round(how.size * rng.uniform(0.62, 0.95)))
    kept, how.label_size = how.label_size, small
    separator, how.separator = how.separator, rng.choice(("", "", how.separator))
    pad = 0.45 * how.size
    top = form.y - how.size
    for _ in range(rows):
        cuts = _cuts(form, rng.choice((1, 2, 2, 3, 3, 4)))
        lowest = top
        for left, right in cuts:
            question, answer = form.pair(short=right - left < 9 * how.size)
            question = Part(how.label(question.text), question.key)
            bottom = beneath(
                form.sheet, left + pad, top + 1.25 * small, question, answer, how, width=right - left - 2 * pad
            )
            lowest = max(lowest, bottom - how.pitch + 0.6 * how.size)
        if framed:
            for left, right in cuts:
                form.sheet.frame(left, top, right, lowest, 1)
        top = lowest if framed else lowest + 0.5 * how.size
    how.label_size, how.separator = kept, separator
    form.y = top + 2 * how.size


def _cuts(form: Form, count: int) -> list[tuple[float, float]]:
    """The width cut into ``count`` pieces of various widths."""
    shares = [form.rng.uniform(0.7, 1.5) for _ in range(count)]
    total, x, cuts = sum(shares), form.left, []
    for share in shares:
        cuts.append((x, x + form.width * share / total))
        x = cuts[-1][1]
    return cuts


def ticked(form: Form, options: Sequence[str]) -> list[str]:
    """Options with their boxes, one of them (or none) ticked."""
    rng = form.rng
    ticks = _TICKS_ZH if form.chinese else _TICKS_EN
    empty, full = rng.choice([pair for pair in ticks if form.how.value_font.covers("".join(pair))])
    chosen = rng.randrange(len(options)) if maybe(rng, 0.85) else -1
    after = maybe(rng, 0.2)
    space = "" if form.chinese else " "
    marks = [full if number == chosen else empty for number in range(len(options))]
    return [
        f"{option}{space}{mark}" if after else f"{mark}{space}{option}"
        for mark, option in zip(marks, options, strict=True)
    ]


def choices(form: Form, count: int) -> None:
    """Questions with options to tick, all of them one answer; in one run or each option in its own."""
    rng, how = form.rng, form.how
    words = words_zh if form.chinese else words_en
    for number in range(count):
        text = None
        if not form.chinese and maybe(rng, 0.4):
            text = words_en.long_question(rng)
            if form.numbered:
                text = f"{number + 1}. {text}"
        question = form.asks(text)
        shown = ticked(form, words.options(rng))
        answer = form.answers(question, text=(" " * rng.randint(1, 3)).join(shown), blank=False)
        if maybe(rng, 0.5):
            form.y = beside(form.sheet, form.left, form.y, question, answer, how, width=form.width)
            continue
        label = how.label(question.text)
        size = shrink(how.label_font, label, how.label_size, 0.6 * form.width)
        x = form.sheet.text(form.left, form.y, Part(label, question.key), how.label_font, size) + 1.2 * how.size
        for option in shown:
            length = how.value_font.length(option, how.size)
            if x + length > form.right:
                x, form.y = form.left + 3 * how.size, form.y + how.pitch
            x = (
                form.sheet.text(x, form.y, Part(option, answer.key), how.value_font, how.size)
                + rng.uniform(1.2, 3.0) * how.size
            )
        form.y += how.pitch
    form.y += 0.4 * form.size


def essay(form: Form, count: int = 1, *, boxed: bool | None = None) -> None:
    """Questions that are answered at length under them: in a box, on ruled lines, or indented."""
    rng, how = form.rng, form.how
    for _ in range(count):
        boxed_here = maybe(rng, 0.4) if boxed is None else boxed
        question = form.asks()
        text = words_zh.paragraph(rng) if form.chinese else words_en.paragraph(rng, 1, 4)
        answer = form.answers(question, text=text if not maybe(rng, form.blank) else "", blank=False)
        indent = rng.uniform(0, 3) * how.size
        top = form.y - 1.3 * how.size
        inset = 0.6 * how.size if boxed_here else 0.0
        form.sheet.text(
            form.left + inset,
            form.y,
            Part(how.label(question.text), question.key),
            how.label_font,
            shrink(how.label_font, how.label(question.text), how.label_size, form.width - 2 * inset),
            colour=how.label_colour,
        )
        form.y += 1.6 * max(how.size, how.label_size)
        leading = rng.choice((1.35, 1.6, 2.0))
        if answer.text:
            first = form.y
            form.y = lay(
                form.sheet,
                form.left + inset + indent,
                form.y,
                answer,
                how.value_font,
                how.size,
                width=form.width - indent - 2 * inset,
                leading=leading,
                colour=how.colour,
            )
            if not boxed_here and maybe(rng, 0.3):
                line = first
                while line <= form.y + 1:
                    form.sheet.rule(form.left, line + 0.3 * how.size, form.right, line + 0.3 * how.size, 1)
                    line += leading * how.size
        else:
            form.y += rng.uniform(0, 3) * how.size
        if boxed_here:
            form.y += rng.uniform(0.7, 2.5) * how.size
            form.sheet.frame(form.left, top, form.right, form.y, 1)
        form.y += 2.2 * how.size


def signatures(form: Form, count: int) -> None:
    """Lines to sign on, with what they ask under them or before them."""
    rng, how = form.rng, form.how
    under = maybe(rng, 0.45) and not form.chinese
    form.y += 1.2 * how.size
    room = form.width / count
    for number in range(count):
        x = form.left + number * room
        names = (
            ("签字", "签名", "盖章", "日期", "经办人", "负责人签字", "申请人签名", "审核人", "法定代表人（签字）")
            if form.chinese
            else (
                "Signature",
                "Date",
                "Approved By",
                "Title",
                "Authorized Signature",
                "Signed",
                "Manager",
                "Reviewed By",
                "Print Name",
            )
        )
        question = form.asks(rng.choice(names))
        answer = form.answers(question)
        end = room - 1.5 * how.size
        size = shrink(how.value_font, answer.text, how.size, 0.9 * end) if answer.text else how.size
        if under:
            form.sheet.text(x + 0.3 * how.size, form.y, answer, how.value_font, size)
            form.sheet.rule(x, form.y + 0.35 * how.size, x + end, form.y + 0.35 * how.size, 1)
            form.sheet.text(
                x + 0.3 * how.size,
                form.y + 1.6 * how.size,
                Part(question.text, question.key),
                how.label_font,
                how.label_size,
            )
            continue
        label = shrink(how.label_font, how.label(question.text), how.label_size, 0.5 * end)
        right = (
            form.sheet.text(x, form.y, Part(how.label(question.text), question.key), how.label_font, label)
            + 0.6 * how.size
        )
        size = shrink(how.value_font, answer.text, how.size, x + end - right) if answer.text else how.size
        form.sheet.text(right, form.y, answer, how.value_font, size)
        form.sheet.rule(right, form.y + 0.3 * how.size, x + end, form.y + 0.3 * how.size, 1)
    form.y += (3.4 if under else 2.2) * how.size


def table(
    form: Form, columns: int, rows: int, *, framed: bool = True, stub: bool = False, label: str | None = None
) -> None:
    """A table: heads are questions, cells their answers; with ``stub``, the first column asks, too."""
    rng, how = form.rng, form.how
    shares = [rng.uniform(0.7, 1.4) for _ in range(columns)]
    if stub:
        shares[0] *= 1.4
    total = sum(shares)
    edges = [form.left]
    for share in shares:
        edges.append(edges[-1] + form.width * share / total)
    size = max(10, how.size - rng.randint(0, 2))
    grid = Grid(
        form.sheet,
        edges,
        form.y - how.size,
        how.value_font,
        size,
        pad=0.4,
        frame=framed,
        least=rng.uniform(1.8, 2.8) * size,
    )
    align = rng.choice(("l", "m", "m"))
    fill: Colour | None = rng.choice(GREYS) if maybe(rng, 0.3) else None
    if label is not None:
        grid.row([cell(form.header(label), span=columns, align="m", font=form.bold, fill=fill)])
    heads: list[Part] = []
    cells: list[Cell] = []
    for number in range(columns):
        if stub and number == 0:
            heads.append(Part(""))
        else:
            heads.append(form.asks())
        cells.append(cell(heads[-1], align=align, font=how.label_font, fill=fill))
    grid.row(cells)
    for _ in range(rows):
        side = form.asks() if stub else None
        cells = [cell(side, font=how.label_font)] if side is not None else []
        for head in heads[1 if stub else 0 :]:
            answer = form.answers(head, short=True)
            if side is not None and side.key is not None and answer.key is not None:
                form.sheet.link(side.key, answer.key)
            cells.append(cell(answer, align=align))
        grid.row(cells)
    form.y = grid.y + 2.2 * how.size


def measures(form: Form, count: int) -> None:
    """Readings in typewriter columns: question, figure, unit; the unit belongs to the answer."""
    rng, how = form.rng, form.how
    size = how.size
    at = rng.uniform(0.4, 0.6) * form.width
    dots = maybe(rng, 0.25)
    for _ in range(count):
        question = form.asks()
        label = how.label(question.text)
        label_size = shrink(how.label_font, label, how.label_size, at - size)
        end = form.sheet.text(form.left, form.y, Part(label, question.key), how.label_font, label_size)
        if dots and end < form.left + at - 4 * size:
            form.sheet.rule(end + size, form.y, form.left + at - size, form.y, 1)
        unit = rng.choice(("mm", "cm", "g", "kg", "%", "ml", "sec", "°C", "ppm", "mg/g", "in.", "", ""))
        figure = rng.choice(
            (
                f"{rng.uniform(0, 100):.1f}",
                f"{rng.randint(0, 2000)}",
                f"{rng.uniform(0, 5):.3f}",
                f"{rng.uniform(0, 50):.2f}",
            )
        )
        answer = form.answers(question, text=figure + (f" {unit}" if unit and not maybe(rng, 0.5) else ""), blank=False)
        right = form.sheet.text(form.left + at, form.y, answer, how.value_font, size)
        if unit and answer.text == figure and maybe(rng, 0.7):
            form.sheet.text(
                max(right + 1.2 * size, form.left + at + 6 * size), form.y, Part(unit, answer.key), how.value_font, size
            )
        form.y += how.pitch
    form.y += 0.6 * size


def cells(form: Form, rows: int, units: int = 8) -> None:
    """A ruled table of question cells and answer cells, one to four pairs a row; long answers take a row."""
    rng, how = form.rng, form.how
    unit = form.width / units
    edges = [form.left + number * unit for number in range(units + 1)]
    grid = Grid(
        form.sheet, edges, form.y - how.size, how.value_font, how.size, pad=0.3, least=rng.uniform(2.0, 3.4) * how.size
    )
    align = rng.choice(("m", "m", "l"))
    other = rng.choice(("m", "l", align))
    fill: Colour | None = rng.choice(GREYS) if maybe(rng, 0.15) else None
    words = words_zh if form.chinese else words_en
    for _ in range(rows):
        pattern = rng.choice(
            (
                (1, 1, 1, 1, 1, 1, 1, 1),
                (1, 3, 1, 3),
                (1, 3, 1, 3),
                (1, 7),
                (1, 2, 1, 1, 1, 2),
                (2, 2, 2, 2),
                (1, 2, 2, 3),
                (2, 6),
                (1, 1, 1, 2, 1, 2),
            )
        )
        row: list[Cell] = []
        for number in range(0, len(pattern), 2):
            question = form.asks()
            span = pattern[number + 1]
            if maybe(rng, 0.1) and span >= 3:
                answer = form.answers(
                    question, text=("" if form.chinese else " ").join(ticked(form, words.options(rng))), blank=False
                )
            elif span >= 5 and maybe(rng, 0.3):
                answer = form.answers(question, text=words.paragraph(rng))
            else:
                answer = form.answers(question, short=span == 1)
                if how.value_font.length(answer.text, how.size) > 2.6 * span * unit:
                    answer = Part(words.short(rng), answer.key)
            row += [
                cell(
                    Part(how.label(question.text), question.key),
                    span=pattern[number],
                    align=align,
                    font=how.label_font,
                    size=how.label_size,
                    fill=fill,
                ),
                cell(answer, span=span, align=other),
            ]
        grid.row(row)
    form.y = grid.y + 2.2 * how.size
