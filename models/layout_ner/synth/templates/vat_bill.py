"""What a VAT invoice says: parties, rows and sums that agree, in figures and in capitals."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from models.layout_ner.synth.templates.parts import coded, maybe
from models.layout_ner.synth.templates.sale import cents
from models.layout_ner.synth.values import companies, dates, goods, identifiers, money, people, places


@dataclass(slots=True, frozen=True)
class Party:
    """Buyer or seller; ``tax_id`` is empty for a person."""

    name: str
    tax_id: str
    address: str
    account: str


@dataclass(slots=True, frozen=True)
class Row:
    """One row of goods; ``quantity`` and ``unit_price`` are empty for most services. ``rate`` is printed as it is."""

    name: str
    specification: str
    unit: str
    quantity: str
    unit_price: str
    amount: Decimal
    rate: str
    rate_value: str
    tax: Decimal


@dataclass(slots=True, frozen=True)
class Bill:
    """An invoice. ``total`` = ``amount`` + ``tax``, the sums over ``rows``; ``words`` is the total in capitals."""

    code: str
    number: str
    check: str
    machine: str
    day: date
    buyer: Party
    seller: Party
    rows: tuple[Row, ...]
    amount: Decimal
    tax: Decimal
    total: Decimal
    words: str
    remark: str
    people: tuple[str, str, str]


def bill(rng: random.Random, *, digital: bool = False, most: int = 6, person: float = 0.1, simple: float = 0.3) -> Bill:
    """Invent an invoice with up to ``most`` rows; ``simple`` is the chance of a lone row without quantity."""
    rate = rng.choice(("13", "13", "13", "6", "6", "9", "3", "1", "17", "16", "0"))
    rows: list[Row] = []
    if maybe(rng, simple):
        rows.append(_row(rng, rate, counted=False))
    else:
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 5, 6, 8)) if most >= 8 else rng.randint(1, most)):
            rows.append(_row(rng, rate if maybe(rng, 0.85) else rng.choice(("13", "6", "9")), counted=maybe(rng, 0.85)))
    if len(rows) < most and maybe(rng, 0.08):  # a discount stands on a row of its own, below what it lessens
        last = rows[-1]
        less = cents(-last.amount * rng.choice((5, 10, 20)) / 100)
        rows.append(Row(last.name, "", "", "", "", less, last.rate, last.rate_value, _tax(less, last.rate_value)))
    amount = sum((row.amount for row in rows), Decimal(0))
    tax = sum((row.tax for row in rows), Decimal(0))
    total = amount + tax
    private = maybe(rng, person)
    seller = _party(rng)
    buyer = (
        Party(rng.choice(("个人", people.chinese_name(rng), people.chinese_name(rng))), "", "", "")
        if private
        else _party(rng)
    )
    remark = rng.choice(
        (
            "",
            "",
            "",
            f"订单号{coded(rng, '############')}",
            f"合同号：{coded(rng, '@@-####-##')}",
            f"{places.city_zh(rng)}项目部",
            "电子支付标识",
        )
    )
    return Bill(
        identifiers.invoice_code(rng),
        identifiers.invoice_number(rng, digital),
        coded(rng, "#" * 20),
        coded(rng, "#" * 12),
        dates.date_between(rng, date(2012, 1, 1) if not digital else date(2021, 12, 1), date(2026, 6, 30)),
        buyer,
        seller,
        tuple(rows),
        amount,
        tax,
        total,
        money.capitals(total, yuan=rng.choice("元圆圆"), whole=rng.choice("整整正")),
        remark,
        (people.chinese_name(rng), people.chinese_name(rng), rng.choice((people.chinese_name(rng), "管理员"))),
    )


def _party(rng: random.Random) -> Party:
    return Party(
        companies.company_zh(rng),
        identifiers.tax_number(rng),
        f"{places.address_zh(rng)}{rng.choice(('', ' ', '、'))}{identifiers.phone_zh(rng)}",
        f"{companies.bank_branch_zh(rng)}{rng.choice(('', ' '))}{coded(rng, '#' * rng.choice((12, 16, 19)))}",
    )


def _tax(amount: Decimal, rate: str) -> Decimal:
    return cents(amount * Decimal(rate)) if rate else Decimal("0.00")


def _row(rng: random.Random, rate: str, *, counted: bool) -> Row:
    amount = money.amount(rng, 2, 200000 if maybe(rng, 0.3) else 6000)
    value = f"{Decimal(rate) / 100:.2f}"
    shown = f"{rate}%"
    if rate == "0":
        shown, value = rng.choice((("免税", ""), ("***", ""), ("0%", "0.00"), ("不征税", "")))
    name = goods.taxed_goods_zh(rng) if maybe(rng, 0.85) else goods.goods_zh(rng)
    quantity = price = unit = specification = ""
    if counted:
        count = Decimal(rng.choice((1, 1, 1, 2, 3, 4, 5, 8, 10, 12, 20, 50, 100, rng.randint(1, 5000))))
        if maybe(rng, 0.12):
            count = Decimal(rng.randint(1, 99999)) / 100
        if count > 4 * amount:  # hardly anything costs a few cents
            count = Decimal(rng.randint(1, 3))
        places_shown = rng.choice((2, 2, 4, 6, 8, 10, 13))
        each = (amount / count).quantize(Decimal(1).scaleb(-places_shown), ROUND_HALF_UP)
        if places_shown == 2:  # a price of two decimals is exact, and the amount follows from it
            each = max(each, Decimal("0.01"))
            amount = cents(each * count)
        quantity, price = f"{count:f}", f"{each:f}".rstrip("0").rstrip(".") if maybe(rng, 0.6) else f"{each:f}"
        unit = goods.unit_zh(rng) if maybe(rng, 0.9) else ""
    if maybe(rng, 0.45):
        specification = goods.specification(rng)
    return Row(name, specification, unit, quantity, price, amount, shown, value, _tax(amount, value))
