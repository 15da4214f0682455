"""What templates share: chance helpers, fitting text into a width, and a roll of paper that is written row by row."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import INK, Colour, Part, Sheet

Content = str | Part | Sequence[Part]

GAP = 0.8  # of the size: texts nearer than this on one row would be found as one box


def maybe(rng: random.Random, chance: float) -> bool:
    """True with a probability."""
    return rng.random() < chance


def pick(rng: random.Random, text: str, separator: str = "|") -> str:
    """One of several wordings written as ``a|b|c``."""
    return rng.choice(text.split(separator))


def coded(rng: random.Random, pattern: str) -> str:
    """A random code: ``#`` becomes a digit, ``@`` a capital letter, ``%`` either."""
    pools = {"#": string.digits, "@": string.ascii_uppercase, "%": string.digits + string.ascii_uppercase}
    return "".join(rng.choice(pools[char]) if char in pools else char for char in pattern)


def parts_of(content: Content) -> list[Part]:
    """A row's content as parts."""
    if isinstance(content, str):
        return [Part(content)]
    return [content] if isinstance(content, Part) else list(content)


def plain(content: Content) -> str:
    """A row's characters."""
    return "".join(part.text for part in parts_of(content))


def fitting(font: Font, text: str, size: int, width: float, least: int = 8) -> int:
    """The largest size, not above ``size``, at which a text is no wider than ``width``; never below ``least``."""
    length = font.length(text, size)
    if length <= width:
        return size
    return max(least, int(size * width / length))


def trimmed(font: Font, text: str, size: int, width: float) -> str:
    """A text cut off where it would become wider than ``width``, as tills cut off names of goods."""
    while text and font.length(text, size) > width:
        text = text[: max(0, min(len(text) - 1, int(len(text) * width / font.length(text, size)) + 1))]
    return text.rstrip()


def shortened(rng: random.Random, font: Font, text: str, size: int, width: float) -> list[str]:
    """An address broken after commas into lines of about equal length, none wider than ``width`` if possible."""
    pieces = [piece.strip() for piece in text.split(",") if piece.strip()]
    limit = width * rng.uniform(0.5, 1.0)
    lines: list[str] = []
    for number, piece in enumerate(pieces):
        shown = piece + ("," if number < len(pieces) - 1 else "")
        if lines and font.length(f"{lines[-1]} {shown}", size) <= limit:
            lines[-1] += " " + shown
        else:
            lines.append(shown)
    return [part for line in lines for part in font.broken(line, size, width, width)]


def right_ends(
    rng: random.Random, font: Font, size: int, width: float, columns: Sequence[Sequence[str]], lead: float
) -> list[float]:
    """Where columns of figures end, as fractions of the width, so that none touches the next or the text before.

    ``lead`` is the width in pixels that the text before the columns wants; it gets less if the figures need the room.
    """
    widths = [max((font.length(text, size) for text in column), default=0.0) + 1.2 * size for column in columns]
    spare = max(0.0, width - lead - sum(widths)) / len(columns) * rng.uniform(0.1, 0.9)
    ends, end = [], width
    for column in reversed(widths):
        ends.append(end / width)
        end -= column + spare
    return ends[::-1]


@dataclass(slots=True)
class Roll:
    """A strip of paper that is written from top to bottom. ``y`` is the top of the next row, in pixels.

    ``case`` changes the letters of what is printed (upper case on many tills) without changing their number.
    """

    sheet: Sheet
    rng: random.Random
    font: Font
    size: int
    left: float
    right: float
    y: float
    leading: float = 1.4
    align: str = "l"
    case: Callable[[str], str] = str
    colour: Colour = INK

    @property
    def width(self) -> float:
        """The width that may be written on."""
        return self.right - self.left

    def cased(self, content: Content) -> list[Part]:
        """Content as parts in the roll's letter case (a letter without a one-letter upper case stays)."""
        return [replace(part, text=self._same_length(part.text)) for part in parts_of(content)]

    def _same_length(self, text: str) -> str:
        changed = self.case(text)
        return changed if len(changed) == len(text) else text

    def skip(self, rows: float) -> None:
        """Leave room."""
        self.y += rows * self.size * self.leading

    def baseline(self, font: Font, size: int) -> float:
        """The baseline of a row that begins at ``y``."""
        return self.y + max(font.ascent, 0.72) * size

    def step(self, size: int) -> None:
        """Go to the next row."""
        self.y += max(self.leading, 1.12) * size

    def row(
        self, content: Content, *, align: str | None = None, font: Font | None = None, size: int | None = None
    ) -> None:
        """Write a row; one that is too wide is written smaller, and then cut off."""
        font, align = font or self.font, align or self.align
        parts = self.cased(content)
        size = fitting(font, plain(parts), size or self.size, self.width, max(8, round((size or self.size) * 0.62)))
        while len(parts) > 1 and font.length(plain(parts), size) > self.width and parts[-1].key is None:
            parts.pop()
        if font.length(plain(parts), size) > self.width and parts[-1].key is None:
            rest = self.width - font.length(plain(parts[:-1]), size)
            parts[-1] = replace(parts[-1], text=trimmed(font, parts[-1].text, size, rest))
        x = {"l": self.left, "m": (self.left + self.right) / 2, "r": self.right}[align]
        self.sheet.text(x, self.baseline(font, size), parts, font, size, colour=self.colour, anchor=align)
        self.step(size)

    def block(
        self,
        lines: Sequence[str],
        key: int | None = None,
        *,
        align: str | None = None,
        font: Font | None = None,
        size: int | None = None,
        after: Content = (),
    ) -> None:
        """Write a text that takes several rows, breaking those that are too wide; ``after`` follows on the last."""
        font, size = font or self.font, size or self.size
        broken = [part for line in lines for part in font.broken(self._same_length(line), size, self.width, self.width)]
        broken = [line for line in broken if line.strip()]
        tail = parts_of(after)
        if broken and tail and font.length(broken[-1] + plain(tail), size) > self.width:
            trailing: list[Part] = tail
            tail = []
        else:
            trailing = []
        for number, line in enumerate(broken):
            extra = tail if number == len(broken) - 1 else []
            self.row([Part(line, key), *extra], align=align, font=font, size=size)
        if trailing:
            text = trailing[0].text.lstrip()
            self.row([replace(trailing[0], text=text), *trailing[1:]], align=align, font=font, size=size)

    def paragraph(
        self, text: str, *, align: str | None = None, font: Font | None = None, size: int | None = None
    ) -> None:
        """Write running text over as many rows as it needs."""
        self.block([text], align=align, font=font, size=size)

    def cells(
        self, cells: Sequence[tuple[Content, float, str]], *, font: Font | None = None, size: int | None = None
    ) -> None:
        """Write texts side by side: each with its place as a fraction of the width, and its anchor.

        Texts that would touch are written as one row's parts with a space between; ones that would overlap go to the
        next row.
        """
        font, size = font or self.font, size or self.size
        placed: list[tuple[float, float, list[Part]]] = []
        later: list[tuple[float, float, list[Part]]] = []
        for content, place, anchor in cells:
            parts = self.cased(content)
            if not plain(parts).strip():
                continue
            length = font.length(plain(parts), size)
            x = self.left + place * self.width - {"l": 0.0, "m": length / 2, "r": length}[anchor]
            x = min(max(x, self.left), max(self.left, self.right - length))
            free = all(x >= end + GAP * size or x + length + GAP * size <= start for start, end, _ in placed)
            (placed if free else later).append((x, x + length, parts))
        for group in (placed, later):
            if not group:
                continue
            self._separate(group, font, size)
            self.step(size)

    def _separate(self, group: list[tuple[float, float, list[Part]]], font: Font, size: int) -> None:
        end = -1.0
        for x, right, parts in sorted(group, key=lambda item: item[0]):
            if end >= 0 and x < end + GAP * size:
                self.step(size)
            length = right - x
            small = fitting(font, plain(parts), size, self.width)
            self.sheet.text(x, self.baseline(font, size), parts, font, small, colour=self.colour)
            end = x + length

    def pair(
        self,
        label: Content,
        value: Content,
        mode: str,
        *,
        font: Font | None = None,
        size: int | None = None,
        at: float = 0.6,
    ) -> None:
        """Write a label with its value.

        ``mode``: ``ends`` (label left, value right), ``stop`` (label ending at ``at`` of the width, value right),
        ``tab`` (value beginning at ``at``), ``inline`` (one run), ``inline-r`` (one run, right), ``below``.
        """
        font, size = font or self.font, size or self.size
        label, value = self.cased(label), self.cased(value)
        if mode in ("inline", "inline-r"):
            space = [] if plain(label).endswith((" ", "：")) or not plain(label) else [Part(" ")]
            content = [*label, *space, *value]
            if font.length(plain(content), size) <= self.width:
                align = "r" if mode == "inline-r" else None
                self.row(content, align=align, font=font, size=size)
                return
            mode = "ends"
        if mode == "below":
            self.row(label, align="l", font=font, size=size)
            self.row(value, align="l", font=font, size=size)
            return
        start = {"ends": (0.0, "l"), "stop": (at, "r"), "tab": (0.0, "l")}[mode]
        end = (at, "l") if mode == "tab" else (1.0, "r")
        self.cells([(label, *start), (value, *end)], font=font, size=size)

    def separator(self, kind: str) -> None:
        """Draw a dividing line: ``rule``, ``double``, ``dashes``, ``blank``, or a character to repeat."""
        if kind == "blank":
            self.skip(0.6)
        elif kind in ("rule", "double"):
            y = self.y + 0.25 * self.size
            self.sheet.rule(self.left, y, self.right, y, 1 if self.size < 18 else 2)
            if kind == "double":
                self.sheet.rule(self.left, y + 4, self.right, y + 4, 1 if self.size < 18 else 2)
            self.skip(0.55)
        elif kind == "dashes":  # drawn, so that no text is found
            y, dash = self.y + 0.3 * self.size, 0.35 * self.size
            x = self.left
            while x < self.right:
                self.sheet.rule(x, y, min(x + dash, self.right), y, 1 if self.size < 18 else 2)
                x += 2 * dash
            self.skip(0.6)
        else:
            count = int(self.width / self.font.length(kind, self.size))
            self.sheet.text(self.left, self.baseline(self.font, self.size), kind * count, self.font, self.size)
            self.step(self.size)

    def finish(self, margin: float) -> None:
        """Cut the paper off below what is written."""
        self.sheet.height = int(self.y + margin)
