"""Pages for the tests of the synthetic documents."""

from __future__ import annotations

import random

import pytest

from models.layout_ner.example import Example
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Part, Sheet
from schemas.errors import DatasetError


def palette(split: str = "train", seed: int = 0) -> Palette:
    """A palette; the test is skipped where no fonts are installed."""
    try:
        return Palette(split, random.Random(seed))
    except DatasetError as error:
        pytest.skip(error.message)


def bill(seed: int = 0) -> tuple[Sheet, Example]:
    """A small page with an address over two lines, amounts in a row of a group, and a linked pair."""
    fonts = palette(seed=seed)
    sheet = Sheet(700, 500)
    company, address = sheet.entity("company", "Golden Lotus Trading"), sheet.entity("address")
    name, amount = sheet.entity("items.name", group=0), sheet.entity("items.amount", "12.50", group=0)
    question, answer = sheet.entity("question"), sheet.entity("answer")
    sheet.link(question, answer)
    sheet.text(350, 60, Part("GOLDEN LOTUS TRADING", company), fonts.sans, 30, anchor="m")
    sheet.text(40, 110, Part("湖北省武汉市江岸区", address), fonts.song, 28)
    sheet.text(40, 150, Part("解放大道1200号3栋", address), fonts.song, 28)
    sheet.text(40, 220, Part("Roasted Chicken Rice", name), fonts.mono, 24)
    sheet.text(500, 220, [Part("RM "), Part("12.50", amount)], fonts.mono, 24)
    sheet.text(40, 300, [Part("联系电话: ", question), Part("027-82345678", answer)], fonts.hei, 26)
    return sheet, sheet.example("bill", "receipt")
