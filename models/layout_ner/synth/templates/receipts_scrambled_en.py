"""English receipts whose pieces stand in an order and in arrangements made up by chance."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import bill_words_en as words
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_en import Bill, bill
from models.layout_ner.synth.templates.labels import maybe
from models.layout_ner.synth.templates.receipt_style import TillStyle

_ORDERS = (
    "head details customer goods sums foot",
    "head details customer goods sums foot",
    "head title details goods sums foot",
    "title head details goods sums foot",
    "title details head goods sums foot",
    "details goods sums head foot",
    "details title head goods sums foot",
    "name details goods sums place foot",
    "name title goods sums details place foot",
    "title customer head details goods sums",
    "head goods sums details foot",
    "sums head details goods foot",
    "title sums details goods head foot",
    "head sums details",
    "name place sums details foot",
    "customer title details goods sums head",
    "place details name goods sums foot",
)


def divide(doc: Bill) -> None:
    """A dividing line of some kind, room, or nothing."""
    rng, area = doc.rng, doc.area
    kind = rng.random()
    if kind < 0.3:
        chance.rule(area)
    elif kind < 0.4:
        mark = rng.choice("-=*_.")
        count = int(area.width / area.how.value_font.length(mark, area.size))
        area.line(mark * count)
    elif kind < 0.6:
        area.skip(rng.uniform(0.3, 1.2))


def write(doc: Bill, piece: str) -> None:
    """Write one piece of a receipt."""
    rng, area = doc.rng, doc.area
    if piece == "head":
        beside = doc.say(words.TITLES) if maybe(rng, 0.25) and area.width > 22 * area.size else ""
        doc.seller(beside=beside)
    elif piece == "name":
        doc.seller(parts="nr")
    elif piece == "place":
        doc.seller(parts=rng.choice(("apt", "ap", "a", "ta")))
    elif piece == "title":
        doc.title()
    elif piece == "details":
        chance.scramble(area, doc.details())
    elif piece == "customer" and maybe(rng, 0.35):
        doc.customer()
    elif piece == "goods":
        doc.goods()
    elif piece == "sums":
        rows = doc.sums()
        if maybe(rng, 0.75):
            doc.write_sums(rows)
        else:
            chance.scramble(area, rows, halves=0.1)
    elif piece == "foot":
        doc.foot()


@family("till_scrambled", "receipt", weight=2.5)
def till_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt in no known layout, narrow or as wide as a page."""
    across = rng.choice(((17, 30), (17, 30), (26, 46), (46, 82)))
    style = TillStyle(count=(1, 9), price=rng.choice(((0.5, 60.0), (3.0, 900.0), (1.5, 40.0))), service=0.15)
    doc = bill(rng, palette, style, across=across)
    for piece in rng.choice(_ORDERS).split():
        write(doc, piece)
        divide(doc)
    return chance.close_page(doc.area, least=0.3, most=rng.choice((0.3, 1.4)))
