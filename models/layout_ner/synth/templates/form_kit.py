"""A form under construction: its language, how questions and answers are written, how far down the page it has come."""

from __future__ import annotations

import random
from dataclasses import dataclass

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import Part, Sheet
from models.layout_ner.synth.templates import words_en, words_zh
from models.layout_ner.synth.templates.labels import Style, lay, maybe, shrink, style

GREYS = ((225, 228, 232), (238, 238, 238), (214, 224, 238), (244, 238, 224))


@dataclass(slots=True)
class Form:
    """A form being written. ``y`` is the baseline of what comes next; ``left`` and ``width`` bound the text, in pixels.

    ``blank`` is the chance that an answer is missing. A question's entity holds its separator, as people label forms.
    """

    sheet: Sheet
    rng: random.Random
    palette: Palette
    chinese: bool
    how: Style
    bold: Font
    y: float
    left: float
    width: float
    case: str = ""
    blank: float = 0.12
    numbered: bool = False

    @property
    def size(self) -> int:
        """The size of answers, in pixels."""
        return self.how.size

    @property
    def right(self) -> float:
        """The right end of lines."""
        return self.left + self.width

    def asks(self, text: str | None = None) -> Part:
        """A question, announced; without its separator, which the writers put behind it."""
        if text is None:
            text = words_zh.question(self.rng) if self.chinese else words_en.question(self.rng)
        if not self.chinese:
            text = words_en.cased(self.rng, text, self.case)
        return Part(text, self.sheet.entity("question"))

    def answers(self, question: Part, *, short: bool = False, text: str | None = None, blank: bool = True) -> Part:
        """An answer, announced and linked to its question; an empty one at times."""
        rng = self.rng
        if blank and text is None and maybe(rng, self.blank):
            return Part("")
        if text is None:
            words = words_zh if self.chinese else words_en
            text = words.short(rng) if short else words.answer(rng, question.text)
            if self.case == "upper" and maybe(rng, 0.3):
                text = text.upper()
        key = self.sheet.entity("answer")
        if question.key is not None:
            self.sheet.link(question.key, key)
        return Part(text, key)

    def pair(self, *, short: bool = False) -> tuple[Part, Part]:
        """A question and its answer."""
        question = self.asks()
        return question, self.answers(question, short=short)

    def header(self, text: str) -> Part:
        """A title or the head of a section, announced."""
        return Part(text, self.sheet.entity("header"))

    def title(self, text: str | None = None, *, size: int | None = None, align: str = "m") -> None:
        """The form's title, over as many lines as it needs, all of one header."""
        rng = self.rng
        if text is None:
            text = words_zh.title(rng) if self.chinese else words_en.title(rng)
            if not self.chinese and maybe(rng, 0.5):
                text = text.upper()
        size = size or round(self.size * rng.uniform(1.15, 1.9))
        part = self.header(" ".join(text) if self.chinese and len(text) < 9 and maybe(rng, 0.25) else text)
        font = self.bold if maybe(rng, 0.75) else self.how.label_font
        x = {"l": self.left, "m": self.left + self.width / 2, "r": self.right}[align]
        size = shrink(font, part.text, size, self.width * 1.6)
        for piece in font.broken(part.text, size, 0.92 * self.width, 0.92 * self.width):
            self.sheet.text(x, self.y, Part(piece, part.key), font, size, anchor=align)
            self.y += 1.35 * size
        self.y += rng.uniform(0.4, 1.2) * self.size

    def section(self, text: str | None = None, *, bar: bool = False) -> None:
        """The head of a part."""
        rng = self.rng
        text = text or (
            words_zh.section(rng) if self.chinese else words_en.cased(rng, words_en.section(rng), self.case)
        )
        size = round(self.size * rng.uniform(1.0, 1.2))
        font = self.bold if maybe(rng, 0.75) else self.how.label_font
        self.y += 0.6 * self.size
        middle = maybe(rng, 0.3)
        size = shrink(font, text, size, self.width * 0.9)
        if bar:
            top = self.y - 1.35 * size
            self.sheet.frame(self.left, top, self.right, top + 2 * size, 1, (120, 120, 120), fill=rng.choice(GREYS))
        x = self.left + self.width / 2 if middle else self.left + (0.6 * size if bar else 0)
        self.sheet.text(x, self.y, self.header(text), font, size, anchor="m" if middle else "l")
        self.y += 0.9 * size + 1.1 * self.size

    def note(
        self, text: str | None = None, *, font: Font | None = None, size: int | None = None, width: float | None = None
    ) -> None:
        """Running text that is neither question nor answer."""
        text = text or (words_zh.paragraph(self.rng) if self.chinese else words_en.paragraph(self.rng))
        size = size or max(10, self.size - self.rng.randint(0, 3))
        self.y = lay(self.sheet, self.left, self.y, text, font or self.how.label_font, size, width=width or self.width)
        self.y += 2.0 * self.size

    def aside(
        self, text: str, place: float, align: str = "l", *, font: Font | None = None, size: int | None = None
    ) -> None:
        """A word or two on the present line that mean nothing: page numbers, codes, departments."""
        font, size = font or self.how.label_font, size or self.size
        size = shrink(font, text, size, 0.8 * self.width)
        self.sheet.text(self.left + place * self.width, self.y, text, font, size, anchor=align)

    def finish(self, *, least: float = 0.5, most: float = 1.42) -> Sheet:
        """Cut the page below what is written, at times with a number at its foot."""
        rng, sheet = self.rng, self.sheet
        self.y += rng.uniform(0.5, 3) * self.size
        height = max(self.y + 2 * self.size, sheet.width * rng.uniform(least, most))
        if maybe(rng, 0.4):
            foot = rng.choice(
                (
                    f"{rng.randint(10**7, 10**9)}",
                    f"- {rng.randint(1, 12)} -",
                    f"{rng.randint(1, 3)}/{rng.randint(3, 5)}",
                    words_en.code(rng),
                )
            )
            place, align = rng.choice(((0.5, "m"), (1.0, "r"), (0.0, "l")))
            height = max(height, self.y + 4 * self.size)
            sheet.text(
                self.left + place * self.width,
                height - 1.6 * self.size,
                foot,
                rng.choice((self.palette.ocr, self.how.label_font)),
                self.size,
                anchor=align,
            )
        sheet.height = int(height)
        return sheet


def form(
    rng: random.Random,
    palette: Palette,
    *,
    chinese: bool,
    fonts: tuple[str, ...],
    answers: tuple[str, ...] = (),
    joined: float = 0.3,
    separators: tuple[str, ...] | None = None,
    size: tuple[float, float] = (0.0145, 0.0185),
    wide: bool = False,
) -> Form:
    """An empty form. ``fonts`` for questions (and answers, unless ``answers`` names others); ``size`` of the width."""
    width = rng.randint(1400, 2000) if wide else rng.randint(900, 1500)
    pixels = max(13, round(width * rng.uniform(*size) * (0.72 if wide else 1.0)))
    if separators is None:
        separators = ("：", "：", ":", "", "") if chinese else (":", ":", ":", "", " :", ".")
    how = style(rng, palette, pixels, fonts=fonts, separators=separators, joined=joined)
    how.leading = rng.uniform(1.5, 2.2)
    if answers and not how.joined:
        how.value_font = getattr(palette, rng.choice(answers))
    left = width * rng.uniform(0.05, 0.1)
    bold = palette.hei_bold if chinese else how.label_font if how.label_font is palette.mono else palette.sans_bold
    return Form(
        Sheet(width, 8000),
        rng,
        palette,
        chinese,
        how,
        bold,
        rng.uniform(2.5, 5.0) * pixels,
        left,
        width - 2 * left,
        case=rng.choice(("", "", "upper", "upper", "lower")),
        blank=rng.choice((0.0, 0.08, 0.15, 0.3)),
    )
