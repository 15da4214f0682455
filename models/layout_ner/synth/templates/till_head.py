"""Head, details and foot of an English receipt: who sold, where, when, under which number."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date

from models.layout_ner.synth.fonts import Font
from models.layout_ner.synth.sheet import Part
from models.layout_ner.synth.templates import till_words as words
from models.layout_ner.synth.templates.parts import GAP, Roll, coded, fitting, maybe, pick, plain, shortened
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.sale import Sale
from models.layout_ner.synth.values import companies, dates, identifiers, people, places

TAX_NAMES = {"MY": ("GST", "GST", "SST"), "UK": ("VAT",), "US": ("TAX",)}
SIGNS = {"MY": ("RM", "RM", "RM", "MYR", "$"), "UK": ("£", "£", "GBP"), "US": ("$", "$", "USD", "US$")}


@dataclass(slots=True)
class Till:
    """One receipt while it is written."""

    rng: random.Random
    roll: Roll
    style: TillStyle
    sale: Sale
    country: str
    tax_name: str
    sign: str
    bold: Font
    colon: str
    day: date
    clock: str
    zero_rated: bool = False
    slug: str = ""

    @property
    def taxed(self) -> bool:
        """Whether tax is spoken of; where goods are rated at nothing, tills may still print a tax of 0.00."""
        return self.sale.rate > 0 or self.zero_rated

    def say(self, wordings: str) -> str:
        """One of several wordings, with tax name, rate and currency put in."""
        rate = f"{self.sale.rate:f}".rstrip("0").rstrip(".") if "." in f"{self.sale.rate:f}" else f"{self.sale.rate:f}"
        return pick(self.rng, wordings).format(
            t=self.tax_name,
            r=rate,
            c=self.sign,
            s=f"{self.sale.service_rate:f}",
            w=self.slug,
            W=self.slug.title(),
            n=self.rng.randint(1, 2400),
            y=self.rng.randint(1950, 2018),
        )

    def divide(self, chance: float = 0.7) -> None:
        """A dividing line or none."""
        kind = self.rng.choice(self.style.separators)
        if maybe(self.rng, chance):
            self.roll.separator(kind)


def head(till: Till) -> None:
    """Company, registration, address, telephone, tax number, title, in one of many orders."""
    rng, roll, style = till.rng, till.roll, till.style
    align = rng.choice(style.head_align)
    legal = maybe(rng, 0.8)
    name = company(rng, till.country) if legal else companies.shop_en(rng)
    till.slug = "".join(char for char in name.lower().split(" ")[0] if char.isalnum()) or "shop"
    place = rng.choice(style.title_place)
    if place == "top":
        title(till, align)
    if maybe(rng, 0.08):
        roll.row(
            people.english_name(rng) if maybe(rng, 0.6) else coded(rng, "#######"),
            align=rng.choice("lmr"),
            font=till.bold,
        )
        roll.skip(0.6)
    if legal and maybe(rng, style.brand):  # where both stand there, the company is the legal name
        roll.row(companies.shop_en(rng), align=align, font=till.bold, size=round(roll.size * rng.uniform(1.0, 1.7)))
        if maybe(rng, 0.2):
            roll.row(pick(rng, "Owned by :|Operated by|Dimiliki oleh|A division of|Franchisee:"), align=align)
    _company(till, name, align)
    address = places.address_en(rng, till.country)
    middle = [_phone, _tax_number] if maybe(rng, 0.7) else [_tax_number, _phone]
    if maybe(rng, 0.15):
        middle.pop(rng.randrange(len(middle)))(till, align)
    key = roll.sheet.entity("address", address)
    size = round(roll.size * rng.choice((1.0, 1.0, 0.9)))
    limit = roll.width * rng.uniform(0.62, 1.0)
    roll.block(shortened(rng, roll.font, roll.case(address), size, limit), key, align=align, size=size)
    if maybe(rng, 0.15):
        roll.row(f"({outlet(rng, till.country)})", align=align)
    for write in middle:
        if maybe(rng, 0.85):
            write(till, align)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        roll.row(till.say(words.EXTRA), align=align)
    if place == "after":
        roll.skip(rng.choice((0, 0.5, 1)))
        title(till, rng.choice((align, "m", "m", "l")))


def company(rng: random.Random, country: str) -> str:
    """A company's name with a legal form of its country."""
    name = companies.company_en(rng)
    if country == "MY":
        return name
    forms = "Ltd|Limited|Ltd.|PLC|" if country == "UK" else "Inc.|LLC|Inc|Corp.|Co.||"
    return re.sub(r"\b(Sdn\.? ?Bhd\.?|S/?B|Berhad|Bhd\.?)$", lambda _: pick(rng, forms), name).strip()


def outlet(rng: random.Random, country: str) -> str:
    """A branch's name: a part of some address, without its figures."""
    piece = rng.choice(places.address_en(rng, country).split(",")[-3:])
    name = " ".join(word for word in piece.split(" ") if word.isalpha())
    return f"{name} {pick(rng, '|Mall|City|Plaza|Square|Branch|Outlet')}".strip() or "Main"


def _company(till: Till, name: str, align: str) -> None:
    rng, roll = till.rng, till.roll
    key = roll.sheet.entity("company", name)
    registration = identifiers.company_registration_en(rng)
    if registration[:1].isdigit() and maybe(rng, 0.3):
        registration = pick(rng, "({0} {1})|{0}: {1}|{0} {1}|({0} :{1})").format(
            pick(rng, words.REGISTRATION), registration
        )
    big = maybe(rng, till.style.big_name)
    font = till.bold if big or maybe(rng, 0.3) else roll.font
    size = round(roll.size * rng.uniform(1.1, 1.8)) if big else roll.size
    text = roll.case(name)
    longest = max(text.split(" "), key=lambda word: font.length(word, size))
    size = fitting(font, longest, size, roll.width)
    where = rng.choices(
        ("none", "same", "next"), (0.3, 0.25 if till.country == "MY" else 0.05, 0.45 if till.country != "US" else 0.05)
    )[0]
    if where == "same":
        roll.block([text], key, align=align, font=font, size=size, after=Part(f" {registration}"))
        return
    lines = [text]
    cut = text.split(" ")
    if big and len(cut) > 3 and maybe(rng, 0.35):
        half = rng.randint(1, len(cut) - 1)
        lines = [" ".join(cut[:half]), " ".join(cut[half:])]
    roll.block(lines, key, align=align, font=font, size=size)
    if where == "next":
        roll.row(registration, align=align)


def _phone(till: Till, align: str) -> None:
    rng = till.rng
    label = pick(rng, words.PHONE)
    text = (
        f"{label}{rng.choice((': ', ' : ', ':', ' ', '. '))}{identifiers.phone_en(rng)}"
        if label
        else identifiers.phone_en(rng)
    )
    fax = f"{pick(rng, words.FAX)}{rng.choice((': ', ' : ', ':', ' '))}{identifiers.phone_en(rng)}"
    choice = rng.random()
    if choice < 0.65:
        till.roll.row(text, align=align)
    elif choice < 0.85:
        till.roll.row(f"{text}  {fax}", align=align)
    else:
        till.roll.row(text, align=align)
        till.roll.row(fax, align=align)


def _tax_number(till: Till, align: str) -> None:
    rng = till.rng
    label = pick(rng, words.TAX_NUMBER[till.country])
    number = coded(
        rng,
        {
            "MY": rng.choice(("00##########", "00##########", "@##-####-########")),
            "UK": "### #### ##",
            "US": "##-#######",
        }[till.country],
    )
    text = f"{label}{rng.choice((': ', ' : ', ' :', ' ', ':'))}{number}"
    till.roll.row(f"({text})" if maybe(rng, 0.3) else text, align=align)


def title(till: Till, align: str) -> None:
    """What kind of paper this is."""
    rng, roll = till.rng, till.roll
    font = till.bold if maybe(rng, 0.5) else roll.font
    roll.row(pick(rng, words.TITLES), align=align, font=font, size=round(roll.size * rng.choice((1.0, 1.0, 1.2, 1.4))))


def details(till: Till) -> None:
    """Date, time, number, cashier and the like, arranged as one of the style's ways."""
    rng, roll = till.rng, till.roll
    way = rng.choice(till.style.meta)
    pairs = _pairs(till, bare=way == "strip")
    if way == "strip":
        _strip(
            roll,
            [
                [*value] if maybe(rng, 0.6) or not plain(label) else [*label, Part(" "), *value]
                for label, value in pairs
            ],
        )
    elif way == "grid":
        for start in range(0, len(pairs), 3):
            some = pairs[start : start + 3]
            places_at = [(index / max(1, len(some)), "l") for index in range(len(some))]
            roll.cells([(label or "No.", *place) for (label, _), place in zip(some, places_at, strict=True)])
            roll.cells([(value, *place) for (_, value), place in zip(some, places_at, strict=True)])
    elif way == "two":
        middle = rng.uniform(0.48, 0.62)
        anchor = rng.choice("lr")
        for start in range(0, len(pairs), 2):
            row: list[tuple[list[Part], float, str]] = []
            for index, (label, value) in enumerate(pairs[start : start + 2]):
                content = [*label, Part(" "), *value] if plain(label) else value
                row.append(
                    (content, 0.0 if index == 0 else (middle if anchor == "l" else 1.0), "l" if index == 0 else anchor)
                )
            roll.cells(row)
    else:
        at = rng.uniform(0.28, 0.45)
        for label, value in pairs:
            if way == "tab":
                lead = rng.choice((": ", ":", "")) if not till.colon else ""
                roll.pair(label, [Part(lead), *value] if lead else value, "tab", at=at)
            else:
                roll.pair(label, value, "inline")


def _strip(roll: Roll, values: list[list[Part]]) -> None:
    """Values side by side, as many to a row as fit, spread from margin to margin."""
    gap = (GAP + 0.4) * roll.size
    row: list[list[Part]] = []
    used = 0.0
    for value in [*values, None]:
        length = roll.font.length(plain(roll.cased(value)), roll.size) if value is not None else 0.0
        if value is None or (row and used + gap + length > roll.width):
            count = max(1, len(row) - 1)
            spare = max(0.0, (roll.width - used) / count)
            x = roll.left
            for cell in row:
                cell = roll.cased(cell)
                size = fitting(roll.font, plain(cell), roll.size, roll.width)
                end = roll.sheet.text(x, roll.baseline(roll.font, roll.size), cell, roll.font, size, colour=roll.colour)
                x = end + gap + spare * 0.98
            if row:
                roll.step(roll.size)
            row, used = [], 0.0
        if value is not None:
            used += length + (gap if row else 0.0)
            row.append(value)


def _pairs(till: Till, *, bare: bool) -> list[tuple[list[Part], list[Part]]]:
    rng, sheet = till.rng, till.roll.sheet
    written = dates.format_date(rng, till.day, "us" if till.country == "US" else "en")
    key = sheet.entity("date", till.day.isoformat())
    pairs: list[tuple[list[Part], list[Part]]] = []

    def add(label: str, value: list[Part]) -> None:
        shown = f"{label}{till.colon}" if label else ""
        pairs.append(([Part(shown)] if shown else [], value))

    label = "" if bare or maybe(rng, 0.3) else pick(rng, words.DATE)
    time_with = maybe(rng, 0.55)
    moment: list[Part] = [Part(written, key)]
    if time_with:
        moment.append(Part(rng.choice((" ", " ", "  ", " - ", ", ")) + till.clock))
        if maybe(rng, 0.05):
            moment.insert(0, Part(coded(rng, rng.choice(("ORD ## -REG ##- ", "#####/@## ", "POS# ")))))
        elif maybe(rng, 0.08):
            moment.insert(0, Part(rng.choice(("Mon ", "TUE ", "Sat, ", "(FRI) "))))
        if maybe(rng, 0.15):
            moment.append(Part(" " + coded(rng, rng.choice(("SH##", "#####", "T#", "POS#")))))
    add(label, moment)
    if not time_with and maybe(rng, 0.7):
        add("" if bare or maybe(rng, 0.3) else pick(rng, words.TIME), [Part(till.clock)])
    if maybe(rng, 0.85):
        number = identifiers.receipt_number(rng)
        number_key = sheet.entity("receipt_number", number)
        add(pick(rng, words.NUMBER), [Part(number, number_key)])
        if bare:  # without its label nothing would tell the number from others
            shown, value = pairs.pop()
            pairs.append(([], [*shown, Part(" "), *value]))
    if maybe(rng, 0.65):
        name = pick(rng, words.CASHIERS) if maybe(rng, 0.5) else people.english_name(rng)
        add(pick(rng, words.CASHIER), [Part(name)])
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        add(
            pick(rng, words.OTHERS),
            [
                Part(coded(rng, rng.choice(("#", "##", "###", "#####", "@##", "##########", "@@##", "0##"))))
                if maybe(rng, 0.9)
                else Part("-")
            ],
        )
    rng.shuffle(pairs)
    return pairs


def customer(till: Till) -> None:
    """Whom it was sold to: another company and another address, which are not the seller's."""
    rng, roll = till.rng, till.roll
    if maybe(rng, 0.6):
        roll.row(pick(rng, "BILL TO:|Sold to:|Customer:|TO :|Deliver To|Attn:|M/S"), align="l")
    roll.row(company(rng, till.country), align="l")
    roll.block(shortened(rng, roll.font, places.address_en(rng, till.country), roll.size, roll.width * 0.8), align="l")


def foot(till: Till) -> None:
    """Thanks, rules and addresses of pages; a second date now and then."""
    rng, roll = till.rng, till.roll
    low, high = till.style.footers
    align = rng.choice("mmml")
    for _ in range(rng.randint(low, high)):
        text = till.say(words.EXTRA) if maybe(rng, 0.2) else pick(rng, words.FOOTERS)
        roll.paragraph(text, align=align)
    if maybe(rng, 0.06):
        later = dates.date_between(rng, till.day, date(till.day.year + 1, 12, 28))
        label = pick(rng, "Valid until|Exchange before|Expiry|Collect by")
        roll.row(f"{label}: {dates.format_date(rng, later, 'en')}", align=align)
