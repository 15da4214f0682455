"""Receipts, VAT invoices, train tickets and pages of no type: what is written is what the labels say."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

import cn2an
import pytest

from models.layout_ner.example import Example
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import FAMILIES, Family
from models.layout_ner.synth.sheet import Run, Sheet
from models.layout_ner.synth.templates import (
    other,
    other_val,
    receipts_en,
    receipts_val,
    receipts_zh,
    train_tickets,
    train_tickets_val,
    vat_bill,
    vat_digital,
    vat_paper,
    vat_val,
)
from models.layout_ner.synth.templates.sale import sale

MODULES = (
    receipts_en,
    receipts_zh,
    receipts_val,
    vat_paper,
    vat_digital,
    vat_val,
    train_tickets,
    train_tickets_val,
    other,
    other_val,
)
NAMES = {module.__name__ for module in MODULES}
MINE = [family for family in FAMILIES if family.template.__module__ in NAMES]
SEEDS = range(20)
OFTEN = {
    "receipt": {"company", "date", "total"},
    "vat_invoice": {
        "invoice_number",
        "issue_date",
        "buyer_name",
        "seller_name",
        "seller_tax_id",
        "total",
        "total_in_words",
        "items.name",
        "items.amount",
    },
    "train_ticket": {"train", "origin", "destination", "departure", "seat", "price"},
    None: set(),
}
REPEATED = {"total", "tax", "currency"}  # a receipt may print these more than once

each = pytest.mark.parametrize("family", MINE, ids=lambda family: family.name)


def laid_out(family: Family, seed: int) -> Sheet:
    rng = random.Random(f"{family.name} {seed}")
    return family.template(rng, Palette(family.split, rng))


def example(family: Family, seed: int) -> Example:
    return laid_out(family, seed).example(family.name, family.doc_type)


def boxes(sheet: Sheet) -> list[tuple[float, float, float, float, Run]]:
    """Ink boxes of the runs, without the margin of the labels."""
    found = []
    for run in sheet.runs:
        if run.text.strip():
            length = run.font.length(run.text, run.size)
            found.append(
                (run.x, run.y - run.font.ascent * run.size, run.x + length, run.y + run.font.descent * run.size, run)
            )
    return found


def test_there_are_enough_families_of_every_type() -> None:
    for doc_type, train, val in (("receipt", 12, 3), ("vat_invoice", 5, 2), ("train_ticket", 5, 2), (None, 5, 2)):
        splits = [family.split for family in MINE if family.doc_type == doc_type]
        assert splits.count("train") >= train
        assert splits.count("val") >= val


@each
def test_no_run_leaves_the_page(family: Family) -> None:
    for seed in SEEDS:
        sheet = laid_out(family, seed)
        for left, top, right, bottom, run in boxes(sheet):
            assert left >= -1, (seed, run.text)
            assert top >= -1, (seed, run.text)
            assert right <= sheet.width + 1, (seed, run.text)
            assert bottom <= sheet.height + 1, (seed, run.text)


@each
def test_runs_do_not_cover_each_other(family: Family) -> None:
    for seed in SEEDS:
        found = sorted(boxes(laid_out(family, seed)), key=lambda box: box[1])
        for number, (left, top, right, bottom, run) in enumerate(found):
            for left2, top2, right2, bottom2, other_run in found[number + 1 :]:
                if top2 >= bottom:
                    break
                across, down = min(right, right2) - max(left, left2), min(bottom, bottom2) - top2
                if across > 0 and down > 0:
                    smaller = min((right - left) * (bottom - top), (right2 - left2) * (bottom2 - top2))
                    assert across * down <= 0.2 * smaller, (seed, run.text, other_run.text)


@each
def test_entities_say_what_stands_there(family: Family) -> None:
    numbers: Callable[[str], Decimal] = lambda text: Decimal(text.replace(",", "").replace("***", "0"))  # noqa: E731
    for seed in SEEDS:
        page = example(family, seed)
        names = {entity.name for entity in page.entities}
        assert names >= OFTEN[family.doc_type], (seed, OFTEN[family.doc_type] - names)
        for entity in page.entities:
            content = page.text_of(entity)
            assert content == content.strip() != ""
            assert entity.value is not None
            if entity.name in ("total", "tax", "price", "amount", "items.amount", "items.unit_price", "items.quantity"):
                assert numbers(content) == Decimal(entity.value), (seed, content)
            elif entity.name in ("date", "issue_date"):
                day = date.fromisoformat(entity.value)
                digits = "".join(char for char in content if char.isdigit())
                assert "〇" in content or str(day.year % 100).zfill(2) in digits, (seed, content)
            elif entity.name == "departure":
                moment = datetime.fromisoformat(entity.value)
                assert f"{moment:%H:%M}" in content
                assert str(moment.year) in content
            elif entity.name == "items.tax_rate":
                assert entity.value == content or Decimal(entity.value) * 100 == Decimal(content.rstrip("%"))
            else:
                squeezed: Callable[[str], str] = lambda text: "".join(text.split()).upper()  # noqa: E731
                assert squeezed(content) == squeezed(entity.value), (seed, entity.name, content)


@each
def test_a_field_that_stands_once_is_marked_once(family: Family) -> None:
    for seed in SEEDS:
        page = example(family, seed)
        for name, values in page.values.items():
            if name.startswith("items."):
                groups = [entity.group for entity in page.entities if entity.name == name]
                assert None not in groups
                assert len(set(groups)) == len(groups)
            elif name in REPEATED and family.doc_type == "receipt":
                assert len(set(values)) == 1, (seed, name, values)
            else:
                assert len(values) == 1, (seed, name, values)


@pytest.mark.parametrize(
    "family", [family for family in MINE if family.doc_type == "vat_invoice"], ids=lambda family: family.name
)
def test_invoices_add_up(family: Family) -> None:
    for seed in SEEDS:
        page = example(family, seed)
        value = {
            entity.name: Decimal(entity.value or 0)
            for entity in page.entities
            if entity.name in ("amount", "tax", "total")
        }
        rows = [Decimal(entity.value or 0) for entity in page.entities if entity.name == "items.amount"]
        if "amount" in value:
            assert sum(rows) == value["amount"], seed
            assert value["amount"] + value["tax"] == value["total"], seed
        words = page.values["total_in_words"][0].replace("圆", "元").replace("正", "整")
        assert round(Decimal(str(cn2an.cn2an(_plain(words), "smart"))), 2) == value["total"], (seed, words)


def _plain(words: str) -> str:
    """Capitals of money as a decimal number in Chinese numerals."""
    whole, _, rest = words.rstrip("整").partition("元")
    cents = {unit: rest[rest.index(unit) - 1] for unit in "角分" if unit in rest}
    return (whole or "零") + "点" + cents.get("角", "零") + cents.get("分", "零")


def test_sales_add_up() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        goods = [("thing", "1")] * rng.randint(1, 9)
        bought = sale(
            rng,
            goods,
            rate=Decimal(rng.choice((0, 6, 20))),
            inclusive=rng.random() < 0.5,
            service=0.5,
            round_to=Decimal(rng.choice(("0.01", "0.05"))),
        )
        assert sum(item.amount for item in bought.items) == bought.subtotal
        taxed = bought.subtotal - bought.discount + bought.service
        assert bought.net + bought.tax == bought.gross == (taxed if bought.inclusive else taxed + bought.tax)
        assert abs(bought.tax - bought.net * bought.rate / 100) <= Decimal("0.01")
        assert bought.gross + bought.rounding == bought.total
        assert abs(bought.rounding) <= Decimal("0.03")
        assert bought.paid - bought.total == bought.change >= 0


def test_invoice_rows_add_up() -> None:
    for seed in range(200):
        invoice = vat_bill.bill(random.Random(seed), most=8)
        assert len(invoice.rows) <= 8
        assert sum(row.amount for row in invoice.rows) == invoice.amount
        assert sum(row.tax for row in invoice.rows) == invoice.tax
        assert invoice.amount + invoice.tax == invoice.total > 0
        for row in invoice.rows:
            if row.unit_price and len(row.unit_price.partition(".")[2]) > 2:
                each_cost = Decimal(row.unit_price)
                wanted = Decimal(row.quantity) * each_cost
                step = Decimal(1).scaleb(each_cost.as_tuple().exponent)  # type: ignore[arg-type]
                assert abs(wanted - row.amount) <= Decimal(row.quantity) * step + Decimal("0.01")


def test_the_same_seed_gives_the_same_page_and_another_one_another() -> None:
    for family in MINE:
        one, same, different = example(family, 1), example(family, 1), example(family, 2)
        assert [line.text for line in one.lines] == [line.text for line in same.lines]
        assert [line.polygon for line in one.lines] == [line.polygon for line in same.lines]
        assert [line.text for line in one.lines] != [line.text for line in different.lines]
