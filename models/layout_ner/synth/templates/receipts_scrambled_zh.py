"""Chinese receipts whose pieces stand in an order and in arrangements made up by chance."""

from __future__ import annotations

import random

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import family
from models.layout_ner.synth.sheet import Sheet
from models.layout_ner.synth.templates import pair_blocks as blocks
from models.layout_ner.synth.templates import scramble as chance
from models.layout_ner.synth.templates.bill_kit_zh import Bill, bill
from models.layout_ner.synth.templates.labels import maybe

_ORDERS = (
    "head details goods sums foot",
    "head details goods sums foot",
    "head title details goods sums foot",
    "title head details goods sums foot",
    "title details goods sums head foot",
    "name title details goods sums place foot",
    "name goods sums details place foot",
    "title details head goods sums",
    "head goods sums details foot",
    "head sums details foot",
    "title customer details goods sums head",
    "sums head details goods",
    "name title customer goods sums details foot",
    "head title details sums foot",
)


def divide(doc: Bill) -> None:
    """A dividing line of some kind, room, or nothing."""
    rng, area = doc.rng, doc.area
    kind = rng.random()
    if kind < 0.3:
        chance.rule(area)
    elif kind < 0.42:
        mark = rng.choice("-=*_·")
        area.line(mark * int(area.width / area.how.value_font.length(mark, area.size)))
    elif kind < 0.6:
        area.skip(rng.uniform(0.3, 1.2))


def write(doc: Bill, piece: str) -> None:
    """Write one piece of a receipt."""
    rng, area = doc.rng, doc.area
    if piece == "head":
        doc.seller(parts=rng.choice(("nap", "nap", "n", "na", "np")))
    elif piece == "name":
        doc.seller(parts="n")
    elif piece == "place":
        doc.seller(parts=rng.choice(("ap", "a", "pa", "ap")))
    elif piece == "title":
        doc.title()
    elif piece == "details":
        chance.scramble(area, doc.details())
    elif piece == "customer":
        blocks.rows(area, [doc.customer()])
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


@family("zh_scrambled", "receipt", weight=2.5)
def zh_scrambled(rng: random.Random, palette: Palette) -> Sheet:
    """A receipt in no known layout, narrow or as wide as a page."""
    doc = bill(rng, palette, across=rng.choice(((14, 24), (14, 24), (22, 36), (36, 62))))
    for piece in rng.choice(_ORDERS).split():
        write(doc, piece)
        divide(doc)
    return chance.close_page(doc.area, least=0.3, most=rng.choice((0.3, 1.3)))
