"""Tables that are written row by row, each as high as what its cells hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet
from models.layout_ner.synth.templates.labels import Value, broken, parts_of, shrink, text_of


@dataclass(slots=True)
class Cell:
    """What a table's cell holds. ``span`` in the table's columns; ``align`` l, m or r."""

    content: tuple[Part, ...]
    span: int = 1
    font: Font | None = None
    size: int | None = None
    align: str = "l"
    colour: Colour | None = None
    fill: Colour | None = None


def cell(content: Value, **settings: object) -> Cell:
    """A cell with this content."""
    return replace(Cell(parts_of(content)), **settings)  # type: ignore[arg-type]  # the fields of Cell


@dataclass(slots=True)
class Grid:
    """A table that is written row by row, each as high as its content asks. ``edges``: x of the columns' borders."""

    sheet: Sheet
    edges: list[float]
    y: float
    font: Font
    size: int
    colour: Colour = INK
    line: int = 1
    pad: float = 0.5
    leading: float = 1.3
    least: float = 0.0
    frame: bool = True

    def row(self, cells: Sequence[Cell], height: float = 0.0) -> None:
        """Write a row, at least ``height`` pixels high."""
        contents: list[tuple[list[tuple[Part, ...]], int]] = []
        column, need = 0, max(height, self.least)
        for item in cells:
            font, size = item.font or self.font, item.size or self.size
            width = self.edges[column + item.span] - self.edges[column] - 2 * self.pad * self.size
            lines = broken(font, item.content, size, width)
            longest = max((text_of(line) for line in lines), key=lambda text: font.length(text, size))
            size = shrink(font, longest, size, width)  # a closing mark may hang over
            contents.append((lines, size))
            need = max(need, (len(lines) - 1) * self.leading * size + 1.2 * size + 1.2 * self.pad * self.size)
            column += item.span
        column = 0
        for item, (lines, size) in zip(cells, contents, strict=True):
            self._write(item, lines, size, self.edges[column], self.edges[column + item.span], need)
            column += item.span
        self.y += need

    def _write(
        self, item: Cell, lines: list[tuple[Part, ...]], size: int, left: float, right: float, height: float
    ) -> None:
        font = item.font or self.font
        if self.frame:
            self.sheet.frame(left, self.y, right, self.y + height, self.line, fill=item.fill)
        elif item.fill is not None:
            self.sheet.frame(left, self.y, right, self.y + height, 0, fill=item.fill)
        block = (len(lines) - 1) * self.leading * size
        middle = (font.ascent - font.descent) * size / 2
        baseline = self.y + height / 2 - block / 2 + middle
        pad = self.pad * self.size
        x = {"l": left + pad, "m": (left + right) / 2, "r": right - pad}[item.align]
        for parts in lines:
            if any(part.text.strip() for part in parts):
                self.sheet.text(x, baseline, parts, font, size, colour=item.colour or self.colour, anchor=item.align)
            baseline += self.leading * size
