"""Label and value pairs in many arrangements: beside, under, in cells, under the heads of a table, along the line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import (
    LATIN_FONTS,
    Style,
    Value,
    beneath,
    beside,
    lay,
    parts_of,
    shrink,
    style,
    text_of,
)
from models.layout_ner.synth.templates.tables import Cell, Grid, cell

FILLS: tuple[Colour | None, ...] = (None, None, None, (238, 242, 248), (240, 240, 240), (246, 240, 228))
SEPARATORS_ZH = ("：", "：", ":", ": ", "", " ", " ： ")
SEPARATORS_EN = (":", ":", ": ", "", " :", " -", "")
_BETWEEN = ("  ", "   ", "    ", " | ", " / ", "；", ", ")


@dataclass(slots=True)
class Entry:
    """A label and its value; an empty label is not printed."""

    label: str | Part
    value: Value


@dataclass(slots=True)
class Area:
    """A part of a page that is written from top to bottom; pixels. ``y``: where the free space begins."""

    sheet: Sheet
    rng: random.Random
    palette: Palette
    chinese: bool
    how: Style
    bold: Font
    left: float
    width: float
    y: float

    @property
    def size(self) -> int:
        """The size of values."""
        return self.how.size

    @property
    def right(self) -> float:
        """The right end."""
        return self.left + self.width

    def base(self) -> float:
        """The baseline of a line that begins at ``y``."""
        return self.y + 1.02 * max(self.how.size, self.how.label_size)

    def skip(self, rows: float) -> None:
        """Leave room, in sizes."""
        self.y += rows * self.how.size

    def line(
        self, content: Value, *, align: str = "l", font: Font | None = None, size: int | None = None, most: float = 1.0
    ) -> None:
        """Write one line, smaller where it would be longer than ``most`` of the width."""
        font, size = font or self.how.value_font, size or self.size
        size = shrink(font, text_of(content), size, most * self.width)
        x = {"l": self.left, "m": self.left + self.width / 2, "r": self.right}[align]
        self.sheet.text(x, self.y + 1.02 * size, parts_of(content), font, size, colour=self.how.colour, anchor=align)
        self.y += 1.5 * size

    def block(
        self, content: Value, *, align: str = "l", font: Font | None = None, size: int | None = None, share: float = 1.0
    ) -> None:
        """Write running text or a name over as many lines as it takes, ``share`` of the width wide."""
        font, size = font or self.how.value_font, size or self.size
        room = share * self.width - size
        part = parts_of(content)
        x = {"l": self.left, "m": self.left + self.width / 2, "r": self.right}[align]
        if len(part) == 1 and align != "l":
            for piece in font.broken(part[0].text, size, room, room):
                if piece.strip():
                    self.sheet.text(
                        x,
                        self.y + 1.02 * size,
                        replace(part[0], text=piece),
                        font,
                        size,
                        anchor=align,
                        colour=self.how.colour,
                    )
                    self.y += 1.4 * size
            self.y += 0.1 * size
            return
        last = lay(self.sheet, x, self.y + 1.02 * size, part, font, size, width=room, colour=self.how.colour)
        self.y = last + 0.5 * size


def manner(
    rng: random.Random, palette: Palette, size: int, *, chinese: bool, fonts: Sequence[str] = (), joined: float = 0.35
) -> Style:
    """A random manner of writing labels and values, in one language."""
    fonts = fonts or (("song", "hei", "kai", "hei_bold") if chinese else (*LATIN_FONTS, "sans", "sans_bold"))
    how = style(rng, palette, size, fonts=fonts, separators=SEPARATORS_ZH if chinese else SEPARATORS_EN, joined=joined)
    if how.joined and not how.separator:
        how.separator = rng.choice((" ", "  ", "：" if chinese else ": "))
    return how


def length(area: Area, entry: Entry) -> float:
    """How long label and value are on one line, in pixels."""
    how = area.how
    return how.label_font.length(how.label(text_of(entry.label)), how.label_size) + how.value_font.length(
        text_of(entry.value), how.size
    )


def _titled(area: Area, label: str | Part) -> Part:
    head = label if isinstance(label, Part) else Part(label)
    return replace(head, text=area.how.label(head.text))


def _figure(word: str) -> bool:
    """Whether it is a Latin word or a figure, with a sign or unit at most."""
    return word.strip("￥元万：；，").isascii()


def _unbroken(area: Area, entries: Sequence[Entry]) -> float:
    """The width that the longest figure or word among the values asks, in pixels; codes may be broken."""
    words = [word for entry in entries for word in text_of(entry.value).split() if len(word) < 17 and _figure(word)]
    return max((area.how.value_font.length(word, area.size) for word in words), default=0.0)


def rows(area: Area, entries: Sequence[Entry], columns: int = 1, mode: str = "beside") -> None:
    """Values right of their labels, in columns.

    ``mode``: ``beside`` (right after the label), ``tab`` (values at one place), ``right`` (labels end at one place),
    ``ends`` (values end at the column's right), ``leaders`` (so, with dots between).
    """
    how, gutter = area.how, 1.6 * area.size
    room = (area.width - gutter * (columns - 1)) / columns
    widest = max(how.label_font.length(how.label(text_of(entry.label)), how.label_size) for entry in entries)
    at = min(widest + how.gap * how.size, 0.45 * room)
    for start in range(0, len(entries), columns):
        lowest = area.y
        for number, entry in enumerate(entries[start : start + columns]):
            x = area.left + number * (room + gutter)
            lowest = max(lowest, _row(area, entry, x, room, mode, at))
        area.y = lowest
    area.y += 0.25 * how.size


def _row(area: Area, entry: Entry, x: float, room: float, mode: str, at: float) -> float:
    """Write one pair; returns where the free space under it begins."""
    how, sheet, y = area.how, area.sheet, area.base()
    if not text_of(entry.label):
        return lay(sheet, x, y, entry.value, how.value_font, how.size, width=room, colour=how.colour) + 0.5 * how.size
    fits = length(area, entry) + 2.2 * how.size < room
    after = max(0.9, 0.6 * how.gap) * how.size
    begin = at if mode == "tab" else at + after if mode == "right" else 0.0
    begin = max(begin, length(area, replace(entry, value="")) + how.gap * how.size)
    if begin + _unbroken(area, [entry]) > room - how.size and (not fits or mode in ("tab", "right")):  # put it below
        last = lay(sheet, x, y, _titled(area, entry.label), how.label_font, how.label_size, width=room - how.size)
        last += 1.3 * max(how.size, how.label_size)
        value, wide = parts_of(entry.value), room - how.size
        small = shrink(how.value_font, max(text_of(value).split(), key=len, default=""), how.size, wide)
        return lay(sheet, x + 0.9 * how.size, last, value, how.value_font, small, width=wide) + 0.5 * how.size
    if mode in ("ends", "leaders") and fits:
        head = _titled(area, entry.label)
        value = parts_of(entry.value)
        if mode == "leaders":
            mark = area.rng.choice((".", ".", "·", "_")) if area.chinese else "."
            spare = room - how.value_font.length(head.text + text_of(value), how.size)
            count = int(spare / how.value_font.length(mark, how.size)) - 3
            if count > 0:
                sheet.text(x, y, (head, Part(" " + mark * count + " "), *value), how.value_font, how.size)
                return y + (how.leading - 1.0) * how.size
        sheet.text(x, y, head, how.label_font, how.label_size, colour=how.label_colour)
        sheet.text(x + room, y, value, how.value_font, how.size, colour=how.colour, anchor="r")
        return y + (how.leading - 1.0) * how.size
    if mode == "right" and not how.joined:
        head = _titled(area, entry.label)
        small = shrink(how.label_font, head.text, how.label_size, at)
        sheet.text(x + at, y, head, how.label_font, small, colour=how.label_colour, anchor="r")
        begin = at + after
        last = lay(sheet, x + begin, y, entry.value, how.value_font, how.size, width=room - begin, colour=how.colour)
        return last + (how.leading - 1.0) * how.size
    column = at if mode == "tab" and not how.joined else None
    if not fits:
        room -= 0.9 * how.size  # closing marks may hang over
    last = beside(sheet, x, y, entry.label, entry.value, how, width=room, column=column)
    return last - max(how.size, how.label_size)


def under(area: Area, entries: Sequence[Entry], columns: int = 1, *, framed: bool = False) -> None:
    """Values under their labels, in columns, each pair in a box of its own if ``framed``."""
    how = area.how
    flat = replace(how, joined=False, separator=area.rng.choice(("", "", how.separator)))
    pad = 0.5 * how.size if framed else 0.0
    while columns > 1 and area.width / columns - 2 * pad - 1.2 * how.size < _unbroken(area, entries):
        columns -= 1
    room = area.width / columns
    fill = area.rng.choice(FILLS) if framed else None
    for start in range(0, len(entries), columns):
        here = entries[start : start + columns]
        top, lowest = area.y, area.y
        for number, entry in enumerate(here):
            x, wide = area.left + number * room + pad, room - 2 * pad - (0 if framed else 1.2 * how.size)
            y = top + pad + 1.02 * how.label_size
            head = _flat(flat, entry.label)
            last = beneath(area.sheet, x, y, head, entry.value, flat, width=wide) - flat.pitch
            lowest = max(lowest, last + 0.45 * how.size + pad)
        if framed:
            for number in range(len(here)):
                left = area.left + number * room
                area.sheet.frame(left, top, left + room, lowest, 1, fill=fill)
        area.y = lowest if framed else lowest + (how.leading - 1.1) * how.size
    area.y += 0.4 * how.size


def _flat(how: Style, label: str | Part) -> Part:
    head = label if isinstance(label, Part) else Part(label)
    return replace(head, text=how.label(head.text))


def cells(area: Area, entries: Sequence[Entry], pairs: int = 2, *, frame: bool = True) -> None:
    """A table with a cell for each label and each value; a long value takes the rest of its row."""
    rng, how = area.rng, area.how
    widest = max(how.label_font.length(how.label(text_of(entry.label)), how.label_size) for entry in entries)
    words = [word for entry in entries for word in how.label(text_of(entry.label)).split() if word.isascii()]
    longest = max((how.label_font.length(word, how.label_size) for word in words), default=0.0)
    need = max(widest / rng.choice((1, 1, 1, 2)), longest) + 1.6 * how.size
    hold = _unbroken(area, entries) + 2 * how.size
    while pairs > 1 and need + hold > area.width / pairs:
        pairs -= 1
    if hold + 4 * how.size > area.width:
        rows(area, entries)
        return
    need = min(need, area.width / pairs - hold)
    share = max(need, min(rng.uniform(0.2, 0.42) * area.width / pairs, area.width / pairs - hold)) * pairs / area.width
    edges = [area.left]
    for number in range(pairs):
        start = area.left + number * area.width / pairs
        edges += [start + share * area.width / pairs, start + area.width / pairs]
    grid = Grid(
        area.sheet,
        edges,
        area.y,
        how.value_font,
        how.size,
        colour=how.colour,
        pad=rng.uniform(0.3, 0.7),
        least=rng.uniform(1.7, 2.9) * how.size,
        frame=frame,
    )
    align, other, fill = rng.choice("lmr"), rng.choice("llm"), rng.choice(FILLS)
    room = (1 - share) * area.width / pairs
    waiting: list[Cell] = []

    def flush() -> None:
        if waiting:
            left = 2 * pairs - sum(item.span for item in waiting)
            grid.row([*waiting[:-1], replace(waiting[-1], span=waiting[-1].span + left)])
            waiting.clear()

    for entry in entries:
        head = _titled(area, entry.label)
        named = cell(head, align=align, font=how.label_font, size=how.label_size, colour=how.label_colour, fill=fill)
        if how.value_font.length(text_of(entry.value), how.size) > 1.6 * room:
            flush()
            grid.row([named, cell(entry.value, span=2 * pairs - 1)])
            continue
        waiting += [named, cell(entry.value, align=other)]
        if len(waiting) == 2 * pairs:
            flush()
    flush()
    area.y = grid.y + 0.8 * how.size


def heads(area: Area, entries: Sequence[Entry], *, frame: bool = True, extra: Sequence[Sequence[str]] = ()) -> None:
    """A table whose first row holds the labels and whose second one the values; ``extra`` are rows below."""
    rng, how = area.rng, area.how
    least = [max(_unbroken(area, [entry]), 3 * how.size) + 1.5 * how.size for entry in entries]
    if len(entries) > 1 and sum(least) > area.width:
        half = (len(entries) + 1) // 2
        for some in (entries[:half], entries[half:]):
            heads(area, some, frame=frame) if len(some) > 1 else rows(area, some)
        return
    wanted = [
        how.label_font.length(text_of(entry.label), how.label_size)
        + how.value_font.length(text_of(entry.value), how.size)
        for entry in entries
    ]
    spare = max(0.0, area.width - sum(least)) / sum(wanted)
    edges = [area.left]
    for base, want in zip(least, wanted, strict=True):
        edges.append(edges[-1] + base + spare * want)
    grid = Grid(
        area.sheet,
        edges,
        area.y,
        how.value_font,
        how.size,
        colour=how.colour,
        pad=0.4,
        least=rng.uniform(1.6, 2.6) * how.size,
        frame=frame,
    )
    align, fill = rng.choice("lmm"), rng.choice(FILLS)
    grid.row(
        [
            cell(entry.label, align=align, font=how.label_font, size=how.label_size, colour=how.label_colour, fill=fill)
            for entry in entries
        ]
    )
    grid.row([cell(entry.value, align=align) for entry in entries])
    for texts in extra:
        grid.row([cell(text, align=align) for text in texts])
    area.y = grid.y + 0.8 * how.size


def flow(area: Area, entries: Sequence[Entry]) -> None:
    """Pairs one after the other along the line, as many as fit, each in a run of its own."""
    rng, how, sheet = area.rng, area.how, area.sheet
    gap = rng.uniform(1.3, 4.0) * how.size
    x, y = area.left, area.base()
    for entry in entries:
        head, value = _titled(area, entry.label), parts_of(entry.value)
        start = how.label_font.length(head.text, how.label_size) + (0 if how.joined else 0.9 * how.size)
        need = start + how.value_font.length(text_of(value), how.size) + 0.6 * how.size
        if x > area.left and x + need > area.right:
            x, y = area.left, y + how.pitch
        if need > area.width:
            y = beside(sheet, x, y, entry.label, value, how, width=area.width)
            x = area.left
            continue
        if how.joined:
            sheet.text(x, y, (head, *value), how.value_font, how.size, colour=how.colour)
        else:
            sheet.text(x, y, head, how.label_font, how.label_size, colour=how.label_colour)
            sheet.text(x + start, y, value, how.value_font, how.size, colour=how.colour)
        x += need + gap
    if x == area.left:  # the last one took a line of its own
        y -= how.pitch
    area.y = y + (how.leading - 0.9) * how.size


def chain(area: Area, entries: Sequence[Entry]) -> None:
    """Several pairs in one run, with blanks or a mark between them; a new run where the line is full."""
    rng, how = area.rng, area.how
    between = rng.choice(_BETWEEN)
    joint = how.separator or " "
    waiting: list[Part] = []
    for entry in entries:
        head = entry.label if isinstance(entry.label, Part) else Part(entry.label)
        if head.text and head.text[-1] not in ":：?？":
            head = replace(head, text=head.text + (joint if joint[-1] in ": ：-" else joint + " "))
        pieces = [head, *parts_of(entry.value)]
        if waiting and how.value_font.length(text_of([*waiting, *pieces]) + between, how.size) > area.width:
            _run(area, waiting)
            waiting = []
        waiting = [*waiting, Part(between), *pieces] if waiting else pieces
    _run(area, waiting)
    area.y += 0.25 * how.size


def _run(area: Area, parts: list[Part]) -> None:
    if not parts:
        return
    how = area.how
    last = lay(area.sheet, area.left, area.base(), parts, how.value_font, how.size, width=area.width, colour=how.colour)
    area.y = last + (how.leading - 1.0) * how.size
