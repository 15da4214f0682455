"""An English receipt, bill or slip in pieces that may stand in any order: seller, details, customer, goods, sums."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates import bill_words_en as words
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.labels import maybe, parts_of, shrink
from models.layout_ner.synth.templates.pair_blocks import Area, Entry
from models.layout_ner.synth.templates.parts import coded, pick, shortened, trimmed
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.receipts_en import FIRST, LAST, invented
from models.layout_ner.synth.templates.sale import Sale
from models.layout_ner.synth.templates.tables import Cell, Grid, cell
from models.layout_ner.synth.templates.till_head import SIGNS, TAX_NAMES, company
from models.layout_ner.synth.values import companies, dates, identifiers, people, places


@dataclass(slots=True)
class Bill:
    """A receipt under construction. ``case`` changes the letters of what is printed, not their number."""

    area: Area
    sale: Sale
    country: str
    tax_name: str
    sign: str
    day: date
    clock: str
    case: Callable[[str], str]
    comma: bool

    @property
    def rng(self) -> random.Random:
        """What decides."""
        return self.area.rng

    def say(self, wordings: str) -> str:
        """One of the wordings, with tax name, rate and currency put in."""
        rate = f"{self.sale.rate.normalize():f}"
        text = pick(self.rng, wordings).format(t=self.tax_name, r=rate, c=self.sign, s=f"{self.sale.service_rate:f}")
        return self.cased(text)

    def cased(self, text: str) -> str:
        """Text in the bill's letter case."""
        changed = self.case(text)
        return changed if len(changed) == len(text) else text

    def money(self, value: Decimal) -> str:
        """A figure with two places."""
        return f"{value:,.2f}" if self.comma else f"{value:.2f}"

    # --- who sells ------------------------------------------------------------------------------------------------

    def seller(self, *, align: str | None = None, beside: str = "", parts: str = "nrapt") -> None:
        """Name, registration, address, telephone, tax number: those of ``parts``; ``beside``: a title on the right."""
        rng, area = self.rng, self.area
        align = align or rng.choice("mmll")
        if "n" in parts:
            self.name("l" if beside else align, beside)
        small = round(area.size * rng.choice((1.0, 1.0, 0.85)))
        rest = [part for part in parts if part in "apt" and maybe(rng, {"a": 0.96, "p": 0.7, "t": 0.5}[part])]
        if maybe(rng, 0.25):
            rng.shuffle(rest)
        for part in rest:
            if part == "a":
                self.address(align, small)
            elif part == "p":
                label = pick(rng, "Tel|TEL|Phone|Tel No.|T|Call us|Telephone|Ph|Hotline|Contact|Tel/Fax")
                area.line(
                    self.cased(f"{label}{rng.choice((': ', ' ', '. '))}{identifiers.phone_en(rng)}"),
                    align=align,
                    size=small,
                )
            else:
                tax = self.tax_name if self.tax_name != "TAX" else "Tax"
                label = f"{tax} {pick(rng, 'No|Reg No|ID|Reg. No.|Number|Registration')}"
                area.line(
                    self.cased(f"{label}{rng.choice((': ', ' ', ' : '))}{identifiers.gst_number(rng)}"),
                    align=align,
                    size=small,
                )

    def name(self, align: str, beside: str = "") -> None:
        """The firm's name, perhaps with its number, a brand, or a title on the same line."""
        rng, area = self.rng, self.area
        legal = maybe(rng, 0.8)
        text = self.cased(company(rng, self.country) if legal else companies.shop_en(rng))
        if legal and maybe(rng, 0.12):
            area.line(self.cased(companies.shop_en(rng)), align=align, font=area.bold, size=round(area.size * 1.3))
        key = area.sheet.entity("company", text)
        font = rng.choice((area.bold, area.bold, area.how.value_font, area.palette.serif))
        size = round(area.size * rng.choice((1.0, 1.2, 1.4, 1.7)))
        top = area.y
        share = 1.0
        if beside:
            other = rng.choice((area.bold, area.how.value_font))
            room = max(0.3 * area.width, min(0.48 * area.width, other.length(beside, area.size) * 1.6))
            small = shrink(other, beside, round(area.size * rng.choice((1.0, 1.3, 1.6))), room)
            area.sheet.text(area.right, top + 1.02 * max(size, small), beside, other, small, anchor="r")
            share = 1 - (other.length(beside, small) + 1.5 * area.size) / area.width
        longest = max(text.split(" "), key=lambda word: font.length(word, size))
        size = shrink(font, longest, size, share * area.width - size)
        if not beside and font.length(text, size) > area.width and maybe(rng, 0.5):
            size = shrink(font, text, size, area.width, 10)
        lines = font.broken(text, size, share * area.width, share * area.width)
        if beside and len(lines) == 1:
            area.y += 1.02 * max(0, small - size)
        for line in lines:
            if line.strip():
                area.line(Part(line, key), align=align, font=font, size=size)
        if beside:
            area.y = max(area.y, top + 1.6 * small)
        if maybe(rng, 0.45 if self.country == "MY" else 0.1):
            area.line(self.cased(identifiers.company_registration_en(rng)), align=align, size=round(area.size * 0.9))

    def address(self, align: str, size: int | None = None) -> None:
        """The firm's address over one to five lines."""
        rng, area = self.rng, self.area
        size = size or area.size
        text = places.address_en(rng, self.country)
        key = area.sheet.entity("address", text)
        font = area.how.value_font
        label = self.cased(pick(rng, "Address: |Add: |")) if maybe(rng, 0.06) else ""
        limit = area.width * rng.uniform(0.55, 1.0) - font.length(label, size) - 2
        for number, line in enumerate(shortened(rng, font, self.cased(text), size, limit)):
            if line.strip():
                area.line(
                    [Part(label), Part(line, key)] if label and number == 0 else Part(line, key), align=align, size=size
                )

    def title(self, align: str | None = None, text: str = "") -> None:
        """What kind of paper it is."""
        rng, area = self.rng, self.area
        text = text or self.say(words.TITLES)
        chance.heading(area, text, rng.choice((1.0, 1.2, 1.5)), align or rng.choice("mmlr"))

    # --- details --------------------------------------------------------------------------------------------------

    def details(self, low: int = 0, high: int = 4, *, number: float = 0.88) -> list[Entry]:
        """Date, time, number, staff and more, mixed."""
        rng, sheet = self.rng, self.area.sheet
        group = "us" if self.country == "US" else "en"
        written = self.cased(dates.format_date(rng, self.day, group))
        moment: list[Part] = [Part(written, sheet.entity("date", self.day.isoformat()))]
        found: list[Entry] = []
        timed = maybe(rng, 0.5)
        if timed:
            moment.append(Part(rng.choice((" ", "  ", ", ", " - ", " at ")) + self.cased(self.clock)))
        found.append(Entry("" if maybe(rng, 0.12) else self.say(words.DATE), moment))
        if not timed and maybe(rng, 0.7):
            found.append(Entry("" if maybe(rng, 0.12) else self.say(words.TIME), self.cased(self.clock)))
        taken = ""
        if maybe(rng, number):
            text = identifiers.receipt_number(rng)
            weak = maybe(rng, 0.12)
            taken = self.say(words.WEAK_NUMBER if weak else words.NUMBER)
            if text.startswith("#") and taken.endswith("#"):
                text = text[1:]
            found.append(Entry(taken, Part(text, sheet.entity("receipt_number", text))))
        if maybe(rng, 0.6):
            who = (
                people.english_name(rng)
                if maybe(rng, 0.6)
                else pick(rng, "USER|ADMIN|POS1|001|TILL 3|CASHIER 2|Manager")
            )
            found.append(Entry(self.say(words.STAFF), self.cased(who)))
        near = [word for word in words.OTHERS.split("|") if word and "order" not in word.lower()]
        for _ in range(rng.randint(low, high)):
            code = coded(rng, rng.choice(("#", "##", "###", "#####", "@##", "########", "@@##", "0##", "######")))
            found.append(Entry(self.cased(rng.choice(near).format(c=self.sign)), code))
        if maybe(rng, 0.7):
            rng.shuffle(found)
        return found

    def customer(self) -> None:
        """Whom it was sold to: neither company nor address of the seller."""
        rng, area = self.rng, self.area
        if maybe(rng, 0.85):
            area.line(self.cased(pick(rng, words.BILL_TO)), font=rng.choice((area.bold, area.how.value_font)))
        name = company(rng, self.country) if maybe(rng, 0.6) else people.english_name(rng)
        area.line(self.cased(name))
        if maybe(rng, 0.8):
            for line in shortened(
                rng, area.how.value_font, self.cased(places.address_en(rng, self.country)), area.size, 0.8 * area.width
            ):
                area.line(line)

    # --- goods and sums -------------------------------------------------------------------------------------------

    def goods(self) -> None:
        """A table of what was bought, with or without lines and heads, its columns in one of several orders."""
        rng, area = self.rng, self.area
        wide = area.width / area.how.value_font.length("n", area.size)
        kinds = rng.choice(
            (("name", "amount"), ("quantity", "name", "amount"), ("name", "quantity", "price", "amount"))
            if wide < 44
            else (
                ("name", "quantity", "price", "amount"),
                ("number", "name", "quantity", "price", "amount"),
                ("quantity", "name", "price", "amount"),
                ("number", "name", "amount"),
                ("quantity", "name", "amount"),
            )
        )
        figures = {"number": 2.4, "quantity": 4.2, "price": 6.2, "amount": 6.6}
        em = area.size
        widths = [figures.get(kind, 0.0) * em for kind in kinds]
        rest = area.width - sum(widths)
        if rest < 6 * em:
            kinds, widths = ("name", "amount"), [0.0, figures["amount"] * em]
            rest = area.width - sum(widths)
        widths = [rest if kind == "name" else width for kind, width in zip(kinds, widths, strict=True)]
        edges = [area.left]
        for width in widths:
            edges.append(edges[-1] + width)
        grid = Grid(
            area.sheet,
            edges,
            area.y,
            area.how.value_font,
            area.size,
            colour=area.how.colour,
            pad=0.25,
            least=rng.uniform(1.4, 2.0) * area.size,
            frame=maybe(rng, 0.35),
        )
        align = {"name": "l", "number": "l", "quantity": rng.choice("lr"), "price": "r", "amount": "r"}
        if maybe(rng, 0.75):
            font = rng.choice((area.bold, area.how.value_font))
            head = [cell(self.say(words.HEADINGS[kind]), align=align[kind], font=font) for kind in kinds]
            grid.row(head)
            if not grid.frame and maybe(rng, 0.5):
                area.sheet.rule(area.left, grid.y, area.right, grid.y, 1)
        signed = maybe(rng, 0.15)
        for number, item in enumerate(self.sale.items, 1):
            name = self.cased(item.name if maybe(rng, 0.85) else f"{item.code} {item.name}")
            values = {
                "number": str(number),
                "name": name if maybe(rng, 0.5) else trimmed(area.how.value_font, name, area.size, rest - area.size),
                "quantity": f"{item.quantity:f}",
                "price": self.money(item.price),
                "amount": (self.sign if signed else "") + self.money(item.amount),
            }
            cells: list[Cell] = [cell(values[kind] or item.code, align=align[kind]) for kind in kinds]
            grid.row(cells)
        area.y = grid.y + 0.4 * area.size

    def figure(self, value: Decimal, name: str | None = None, *, signed: bool = False) -> list[Part]:
        """A figure as parts, marked as a field if ``name`` is given; with the currency before it if ``signed``."""
        sheet = self.area.sheet
        text = self.money(abs(value))
        parts = [Part(("-" if value < 0 else "") + text, sheet.entity(name, str(value)) if name else None)]
        if signed:
            key = sheet.entity("currency", self.sign) if name == "total" else None
            parts = [Part(self.sign, key), Part(self.rng.choice(("", " "))), *parts]
        return [part for part in parts if part.text]

    def named(self, wordings: str, *, mark: bool) -> Part | list[Part]:
        """A label; a currency in it is marked if ``mark`` (that of a total)."""
        text = self.say(wordings)
        sign = self.sign
        before, found, after = text.partition(f"({sign})")
        if not found or not mark:
            return Part(text)
        key = self.area.sheet.entity("currency", sign)
        return [part for part in (Part(before + "("), Part(sign, key), Part(")" + after)) if part.text]

    def sums(self, *, extra: bool = True) -> list[Entry]:
        """From the subtotal to the change; total and tax are marked wherever they stand."""
        rng, sale = self.rng, self.sale
        signed = maybe(rng, 0.3)
        rows: list[Entry] = []

        def add(wordings: str, value: Decimal, name: str | None = None) -> None:
            loud = signed or (name == "total" and maybe(rng, 0.3))
            label = self.say(wordings)
            if loud:
                label = label.replace(f" ({self.sign})", "").replace(f"({self.sign})", "").removesuffix(f" {self.sign}")
            rows.append(Entry(label or "Total", self.figure(value, name, signed=loud)))

        if sale.subtotal != sale.total or maybe(rng, 0.3):
            add(words.SUBTOTAL, sale.subtotal)
        if sale.discount:
            add(words.DISCOUNT, -sale.discount)
        if sale.service:
            add(words.SERVICE, sale.service)
        if sale.rate and (not sale.inclusive or maybe(rng, 0.6)):
            add(
                words.INSIDE[self.country] if sale.inclusive and maybe(rng, 0.5) else words.TAX[self.country],
                sale.tax,
                "tax",
            )
        if sale.rounding or (self.country == "MY" and maybe(rng, 0.2)):
            add(words.ROUNDING, sale.rounding)
        add(words.TOTAL, sale.total, "total")
        if extra and maybe(rng, 0.6):
            add(words.CASH if sale.change or maybe(rng, 0.4) else words.CARD, sale.paid)
            if sale.change or maybe(rng, 0.2):
                add(words.CHANGE, sale.change)
        if maybe(rng, 0.12):
            rng.shuffle(rows)
        return rows

    def write_sums(self, rows: list[Entry]) -> None:
        """The sums at the right, over the whole width, under one another or in cells; the total larger at times."""
        rng, area = self.rng, self.area
        share = rng.choice((1.0, 1.0, 0.7, 0.55)) if area.width > 34 * area.size else 1.0
        place = replace(area, left=area.right - share * area.width, width=share * area.width)
        place.how = replace(area.how, separator=rng.choice(("", ":", ": ", " :", "")), joined=maybe(rng, 0.2))
        if place.how.joined and not place.how.separator:
            place.how.separator = " "
        mode = rng.choice(("ends", "ends", "ends", "ends", "right", "tab", "beside", "leaders", "cells", "chain"))
        heavy = maybe(rng, 0.4)
        for entry in rows:
            big = heavy and any(self._is_total(part) for part in parts_of(entry.value))
            if big:
                chance.loud(place, entry, "ends" if mode not in ("right", "tab", "beside") else mode)
            elif mode == "cells":
                blocks.cells(place, [entry], 1)
                place.y -= 0.8 * area.size
            elif mode == "chain":
                blocks.chain(place, [entry])
            else:
                blocks.rows(place, [entry], 1, mode)
        area.y = place.y + (0.9 if mode == "cells" else 0.3) * area.size

    def _is_total(self, part: Part) -> bool:
        return part.key is not None and self.area.sheet.named[part.key].name == "total"

    def foot(self, low: int = 0, high: int = 3) -> None:
        """Thanks and rules."""
        align = self.rng.choice("mml")
        for _ in range(self.rng.randint(low, high)):
            self.area.block(self.cased(pick(self.rng, words.THANKS)), align=align)


def bill(
    rng: random.Random,
    palette: Palette,
    style: TillStyle,
    *,
    across: tuple[float, float] = (18, 34),
    countries: tuple[str, ...] = ("MY", "MY", "UK", "US"),
    fonts: tuple[str, ...] = ("mono", "sans", "serif"),
    upper: float = 0.45,
) -> Bill:
    """An empty bill on a page ``across`` characters of its text size wide, and what was sold."""
    country = rng.choice(countries)
    area = chance.open_page(rng, palette, chinese=False, across=across, fonts=fonts)
    role = rng.choice(fonts)
    area.how.value_font = getattr(palette, role)
    if maybe(rng, 0.8):
        area.how.label_font = area.how.value_font
    if role == "mono":
        area.bold = rng.choice((palette.mono, palette.sans_bold))
    return Bill(
        area,
        invented(rng, style, country),
        country,
        rng.choice(TAX_NAMES[country]),
        rng.choice(SIGNS[country]),
        dates.date_between(rng, FIRST, LAST),
        dates.clock(rng),
        str.upper if maybe(rng, upper) else str,
        maybe(rng, 0.7),
    )
