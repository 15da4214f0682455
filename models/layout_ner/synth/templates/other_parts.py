"""Blocks of pages that are of no known type: paragraphs, lists, tables, headings, in English or Chinese."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import prose
from models.layout_ner.synth.templates.parts import Roll, coded, fitting, maybe, trimmed
from models.layout_ner.synth.values import companies, dates, goods, identifiers, money, people, places


@dataclass(slots=True)
class Page:
    """A page of no known type while it is written."""

    rng: random.Random
    roll: Roll
    bold: Font
    chinese: bool
    bottom: float

    def full(self) -> bool:
        """Whether the page's foot is reached."""
        return self.roll.y + self.roll.size * self.roll.leading > self.bottom

    def words(self, low: int = 1, high: int = 6) -> str:
        """A few words of the page's language."""
        return prose.characters(self.rng, 2 * low, 2 * high) if self.chinese else prose.title_en(self.rng, low, high)

    def text(self, low: int = 2, high: int = 6) -> str:
        """A paragraph of the page's language, now and then with a name, date, place, sum or number in it."""
        text = prose.paragraph_zh(self.rng, low, high) if self.chinese else prose.paragraph_en(self.rng, low, high)
        if maybe(self.rng, 0.3):
            extra = self.value()
            cut = self.rng.randint(0, len(text))
            while not self.chinese and 0 < cut < len(text) and text[cut] != " ":
                cut -= 1
            text = (
                f"{text[:cut]}{extra}{text[cut:]}"
                if self.chinese
                else f"{text[:cut]} {extra} {text[cut:].lstrip()}".strip()
            )
        return text

    def value(self) -> str:
        """Something that is a field on other pages."""
        rng = self.rng
        day = dates.date_between(rng, date(1980, 1, 1), date(2026, 6, 30))
        if self.chinese:
            return rng.choice(
                (
                    people.chinese_name(rng),
                    dates.format_date(rng, day, "zh"),
                    places.address_zh(rng),
                    companies.company_zh(rng),
                    identifiers.phone_zh(rng),
                    f"{money.amount(rng, 1, 90000)}元",
                    goods.goods_zh(rng),
                    identifiers.credit_code(rng),
                    companies.bank_zh(rng),
                    f"{rng.randint(1, 99)}%",
                )
            )
        return rng.choice(
            (
                people.english_name(rng),
                dates.format_date(rng, day, "en"),
                places.address_en(rng),
                companies.company_en(rng),
                identifiers.phone_en(rng),
                f"{rng.choice(('$', '£', 'RM ', '€'))}{money.amount(rng, 1, 90000)}",
                goods.goods_en(rng),
                coded(rng, "@@-#####"),
                f"{rng.randint(1, 99)}%",
            )
        )

    def person(self) -> str:
        """A person's name."""
        return people.chinese_name(self.rng) if self.chinese else people.english_name(self.rng)

    def company(self) -> str:
        """A company's name."""
        return companies.company_zh(self.rng) if self.chinese else companies.company_en(self.rng)

    def address(self) -> str:
        """An address."""
        return places.address_zh(self.rng) if self.chinese else places.address_en(self.rng)

    def day(self) -> str:
        """A date."""
        day = dates.date_between(self.rng, date(1990, 1, 1), date(2026, 6, 30))
        return dates.format_date(self.rng, day, "zh" if self.chinese else "en")

    def heading(self, text: str, scale: float = 1.3, align: str | None = None) -> None:
        """A heading; it is written smaller where it would be too wide."""
        self.roll.row(text, font=self.bold, size=round(self.roll.size * scale), align=align)
        self.roll.skip(0.3)

    def paragraph(self, text: str, indent: bool = False) -> None:
        """Running text, cut off at the page's foot."""
        roll = self.roll
        shown = ("　　" if self.chinese else "    ") + text if indent else text
        for line in roll.font.broken(shown, roll.size, roll.width, roll.width):
            if self.full():
                return
            if line.strip():
                roll.row(line)

    def table(self, columns: int, rows: int, *, heading: bool = True, ruled: bool = True) -> None:
        """A table of words and figures."""
        rng, roll = self.rng, self.roll
        kinds = [rng.choice(("words", "number", "value", "words")) for _ in range(columns)]
        kinds[0] = "words"
        width, step = roll.width / columns, roll.size * 1.7
        top = roll.y
        pad = 0.3 * roll.size
        for row in range(rows + heading):
            if roll.y + 2 * step > self.bottom:
                break
            if ruled:
                roll.sheet.rule(roll.left, roll.y, roll.right, roll.y, 1)
            baseline = roll.y + step / 2 + 0.34 * roll.size
            for column, kind in enumerate(kinds):
                text = (
                    self.words(1, 2)
                    if kind == "words" or (heading and row == 0)
                    else self.value()
                    if kind == "value"
                    else f"{money.amount(rng, 1, 9000)}"
                )
                if kind == "number" and maybe(rng, 0.4) and not (heading and row == 0):
                    text = str(rng.randint(0, 999))
                font = self.bold if heading and row == 0 else roll.font
                size = fitting(font, text, roll.size, width - 2 * pad - 0.8 * roll.size, max(8, round(roll.size * 0.7)))
                text = trimmed(font, text, size, width - 2 * pad - 0.8 * roll.size)
                x = roll.left + column * width + pad
                roll.sheet.text(x, baseline, text, font, size)
            roll.y += step
        if ruled:
            roll.sheet.rule(roll.left, roll.y, roll.right, roll.y, 1)
            for column in range(columns + 1):
                x = roll.left + column * width
                roll.sheet.rule(x, top, x, roll.y, 1)
        roll.skip(0.8)


def page(
    rng: random.Random,
    palette: Palette,
    *,
    chinese: bool | None = None,
    shape: float = 1.414,
    roles: tuple[str, ...] = ("serif", "sans"),
) -> Page:
    """An empty page; ``shape`` is height by width."""
    chinese = maybe(rng, 0.5) if chinese is None else chinese
    width = rng.randint(800, 1500)
    height = round(width * shape * rng.uniform(0.92, 1.06))
    size = max(12, round(width * rng.uniform(0.014, 0.024)))
    font: Font = getattr(palette, rng.choice(("song", "hei", "kai") if chinese else roles))
    margin = width * rng.uniform(0.06, 0.13)
    sheet = Sheet(width, height, paper=rng.choice(((255, 255, 255), (253, 252, 247), (250, 250, 250))))
    roll = Roll(sheet, rng, font, size, margin, width - margin, margin * rng.uniform(0.6, 1.2), rng.uniform(1.4, 1.85))
    return Page(rng, roll, palette.hei_bold if chinese else palette.sans_bold, chinese, height - margin * 0.7)
