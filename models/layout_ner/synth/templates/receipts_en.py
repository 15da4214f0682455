"""English till receipts for training: one builder, twelve families of shops that use it differently."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from models.layout_ner.synth.fonts import Font, Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import till_body, till_head
from models.layout_ner.synth.templates.parts import Roll, coded, maybe
from models.layout_ner.synth.templates.receipt_style import TillStyle
from models.layout_ner.synth.templates.sale import Sale, sale
from models.layout_ner.synth.values import dates, goods

RATES = {
    "MY": ("6", "6", "6", "8", "10", "0", "0"),
    "UK": ("20", "20", "5", "0"),
    "US": ("8.25", "7", "6.5", "8.875", "9.5", "0"),
}
FIRST, LAST = date(2009, 1, 1), date(2026, 6, 30)


def bold_of(palette: Palette, role: str) -> Font:
    """The font for headings that goes with a role."""
    return palette.mono if role == "mono" else palette.sans_bold


def invented(rng: random.Random, style: TillStyle, country: str) -> Sale:
    """A purchase as a shop of this style and country rings it up."""
    low, high = style.count
    bought = [
        (
            goods.goods_en(rng),
            coded(rng, rng.choice(("#############", "#######", "####", "@@##-##", "@##-####", "######"))),
        )
        for _ in range(rng.randint(low, high))
    ]
    return sale(
        rng,
        bought,
        rate=Decimal(rng.choice(RATES[country])),
        inclusive=country != "US" and maybe(rng, 0.65),
        low=style.price[0],
        high=style.price[1],
        service=style.service,
        round_to=Decimal("0.05") if country == "MY" and maybe(rng, 0.75) else Decimal("0.01"),
        cash=not maybe(rng, style.card),
    )


def till_receipt(rng: random.Random, palette: Palette, style: TillStyle) -> Sheet:
    """Lay out a receipt of a family."""
    country = rng.choice(style.countries)
    size = rng.randint(*style.size)
    width = min(rng.randint(*style.width), round(size * rng.uniform(22, 34)))
    page, left = width + rng.randint(10, 90), 0.0
    left = rng.uniform(6, page - width - 2)
    top = rng.uniform(8, 120)
    if maybe(rng, style.wide_page):
        page = round(width * rng.uniform(1.2, 2.4))
        left, top = rng.uniform(0.02, 0.95) * (page - width), rng.uniform(10, 500)
    sheet = Sheet(page, 100, paper=rng.choice(((255, 255, 255), (252, 252, 250), (246, 246, 244))))
    role = rng.choice(style.fonts)
    font: Font = getattr(palette, role)
    roll = Roll(
        sheet,
        rng,
        font,
        size,
        left,
        left + width,
        top,
        rng.uniform(*style.leading),
        "l",
        str.upper if maybe(rng, style.upper) else str,
    )
    till = till_head.Till(
        rng,
        roll,
        style,
        invented(rng, style, country),
        country,
        rng.choice(till_head.TAX_NAMES[country]),
        rng.choice(till_head.SIGNS[country]),
        bold_of(palette, role),
        rng.choice((":", ":", " :", "", ".:")),
        dates.date_between(rng, FIRST, LAST),
        dates.clock(rng),
        zero_rated=country == "MY" and maybe(rng, 0.6),
    )
    till_head.head(till)
    roll.skip(rng.choice((0, 0.5, 1, 2)))
    last = maybe(rng, style.meta_last)
    if not last:
        till.divide(0.4)
        till_head.details(till)
    if maybe(rng, style.customer):
        till_head.customer(till)
    till.divide()
    till_body.items(till)
    till.divide()
    till_body.sums(till)
    if maybe(rng, style.tax_table):
        roll.skip(rng.choice((0.3, 1)))
        till.divide(0.4)
        till_body.tax_table(till)
    if last:
        till.divide(0.5)
        till_head.details(till)
    roll.skip(rng.choice((0.5, 1, 2)))
    till_head.foot(till)
    roll.finish(rng.choice((10, 30, 80, 200)) if not maybe(rng, style.wide_page / 2) else rng.uniform(200, 700))
    return sheet


@family("till_mono", "receipt")
def till_mono(rng: random.Random, palette: Palette) -> Sheet:
    """A plain till with one fixed-width font."""
    return till_receipt(rng, palette, TillStyle())


@family("till_stationer", "receipt")
def till_stationer(rng: random.Random, palette: Palette) -> Sheet:
    """A shop's accounting program: proportional letters, columns, labels that end at one place, a tax table."""
    style = TillStyle(
        fonts=("sans",),
        countries=("MY",),
        meta=("tab", "two"),
        items=("columns",),
        totals=("stop",),
        tax_table=0.8,
        headings=0.95,
        separators=("rule", "dashes"),
        meta_last=0.1,
    )
    return till_receipt(rng, palette, style)


@family("till_mart", "receipt")
def till_mart(rng: random.Random, palette: Palette) -> Sheet:
    """A supermarket: names with amounts, many items, bare values in one row."""
    style = TillStyle(
        fonts=("mono", "sans"),
        meta=("strip", "rows"),
        items=("name-amount",),
        totals=("ends", "inline-r"),
        count=(2, 22),
        headings=0.25,
        meta_last=0.35,
        card=0.5,
    )
    return till_receipt(rng, palette, style)


@family("till_diy", "receipt")
def till_diy(rng: random.Random, palette: Palette) -> Sheet:
    """A chain store that prints date, time and number below the sums."""
    style = TillStyle(
        fonts=("sans", "mono"),
        countries=("MY", "MY", "UK"),
        meta=("strip",),
        meta_last=0.95,
        items=("two-row",),
        totals=("ends",),
        headings=0.15,
        tax_table=0.1,
        separators=("blank", "blank", "dashes"),
        upper=0.9,
    )
    return till_receipt(rng, palette, style)


@family("till_restaurant", "receipt")
def till_restaurant(rng: random.Random, palette: Palette) -> Sheet:
    """A restaurant: quantity before the dish, service charge, table and guests."""
    style = TillStyle(
        fonts=("sans", "serif", "mono"),
        meta=("rows", "two", "tab"),
        items=("quantity-name", "columns"),
        service=0.5,
        totals=("ends", "stop", "inline"),
        price=(1.5, 90.0),
        upper=0.4,
        brand=0.35,
        count=(1, 12),
    )
    return till_receipt(rng, palette, style)


@family("till_fast_food", "receipt")
def till_fast_food(rng: random.Random, palette: Palette) -> Sheet:
    """A small, densely printed receipt on a wide scan."""
    style = TillStyle(
        fonts=("mono", "sans"),
        meta=("rows", "strip"),
        items=("quantity-name",),
        totals=("ends",),
        size=(11, 15),
        width=(260, 420),
        leading=(1.15, 1.35),
        wide_page=0.8,
        brand=0.3,
        tax_table=0.2,
    )
    return till_receipt(rng, palette, style)


@family("till_bookshop", "receipt")
def till_bookshop(rng: random.Random, palette: Palette) -> Sheet:
    """A large name over several rows, two details a row."""
    style = TillStyle(
        fonts=("mono",),
        big_name=0.95,
        head_align=("m",),
        meta=("two", "strip"),
        items=("name-amount", "two-row"),
        totals=("ends",),
        leading=(1.4, 1.9),
        tax_table=0.6,
    )
    return till_receipt(rng, palette, style)


@family("till_delivery", "receipt")
def till_delivery(rng: random.Random, palette: Palette) -> Sheet:
    """A van's invoice: the customer's name and address stand below the seller's."""
    style = TillStyle(
        fonts=("serif", "sans"),
        countries=("MY", "MY", "UK"),
        customer=0.9,
        meta=("rows", "two"),
        items=("columns",),
        headings=0.95,
        totals=("stop", "inline-r"),
        tax_table=0.3,
        price=(1.0, 200.0),
        card=0.2,
    )
    return till_receipt(rng, palette, style)


@family("till_american", "receipt")
def till_american(rng: random.Random, palette: Palette) -> Sheet:
    """An American shop or diner: tax is added, cards are common."""
    style = TillStyle(
        fonts=("mono", "sans"),
        countries=("US",),
        meta=("strip", "two", "rows"),
        items=("name-amount", "quantity-name"),
        totals=("ends", "stop"),
        tax_table=0.05,
        card=0.7,
        head_align=("m", "m", "l"),
    )
    return till_receipt(rng, palette, style)


@family("till_british", "receipt")
def till_british(rng: random.Random, palette: Palette) -> Sheet:
    """A British shop or pub: pounds, VAT inside the prices."""
    style = TillStyle(
        fonts=("mono", "serif", "sans"),
        countries=("UK",),
        meta=("strip", "rows", "two"),
        items=("name-amount", "quantity-name", "two-row"),
        tax_table=0.4,
        card=0.6,
        upper=0.4,
    )
    return till_receipt(rng, palette, style)


@family("till_hardware", "receipt")
def till_hardware(rng: random.Random, palette: Palette) -> Sheet:
    """A trader's wide sales slip with greater sums, head at the left, labels above their values."""
    style = TillStyle(
        fonts=("serif", "sans"),
        head_align=("l", "m"),
        meta=("grid", "tab"),
        items=("columns",),
        headings=1.0,
        width=(700, 1000),
        price=(3.0, 900.0),
        customer=0.4,
        title_place=("after", "top"),
        tax_table=0.3,
        upper=0.5,
        wide_page=0.05,
    )
    return till_receipt(rng, palette, style)


@family("till_fuel", "receipt")
def till_fuel(rng: random.Random, palette: Palette) -> Sheet:
    """A filling station or car park: one or two items, few rows."""
    style = TillStyle(
        fonts=("mono", "ocr"),
        meta=("rows", "tab"),
        items=("name-amount", "two-row"),
        totals=("ends", "inline", "tab"),
        count=(1, 2),
        price=(2.0, 180.0),
        tax_table=0.35,
        headings=0.3,
        size=(18, 30),
    )
    return till_receipt(rng, palette, style)
