"""What was sold: a purchase whose sums agree, whatever the receipt shows of it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def cents(value: Decimal) -> Decimal:
    """Rounded to two places, halves up."""
    return value.quantize(CENT, ROUND_HALF_UP)


@dataclass(slots=True, frozen=True)
class Item:
    """One row: ``amount`` is ``quantity`` times ``price``."""

    name: str
    code: str
    quantity: Decimal
    price: Decimal
    amount: Decimal


@dataclass(slots=True, frozen=True)
class Sale:
    """A purchase.

    ``gross`` = ``net`` + ``tax``; ``total`` = ``gross`` + ``rounding``; ``change`` = ``paid`` - ``total``.

    ``subtotal`` is the sum of the items; ``net`` is what is taxed (after discount and service charge). Where prices
    contain the tax (``inclusive``), the subtotal does too.
    """

    items: tuple[Item, ...]
    subtotal: Decimal
    discount: Decimal
    service: Decimal
    service_rate: Decimal
    net: Decimal
    rate: Decimal
    tax: Decimal
    inclusive: bool
    gross: Decimal
    rounding: Decimal
    total: Decimal
    paid: Decimal
    change: Decimal


def sale(
    rng: random.Random,
    goods: list[tuple[str, str]],
    *,
    rate: Decimal,
    inclusive: bool,
    low: float = 0.5,
    high: float = 60.0,
    service: float = 0.0,
    discount: float = 0.1,
    round_to: Decimal = CENT,
    cash: bool = True,
    whole: float = 0.1,
    weighed: float = 0.05,
) -> Sale:
    """Invent a purchase of goods (name, code).

    Args:
        rng: Decides.
        goods: Names and codes.
        rate: Tax rate in percent; 0 for none.
        inclusive: Whether the prices contain the tax.
        low: Least price.
        high: Greatest price.
        service: Chance of a service charge.
        discount: Chance of a discount.
        round_to: What the total is rounded to (0.05 where there are no smaller coins).
        cash: Whether it is paid in cash, with change.
        whole: Chance that prices are whole numbers.
        weighed: Chance that an item is sold by weight.
    """
    ending = rng.choice((1, 1, 5, 10, 50)) if rng.random() >= whole else 100
    items = []
    for name, code in goods:
        price = Decimal(max(1, round(low * (high / low) ** rng.random() * 100 / ending)) * ending) / 100
        quantity = Decimal(rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 10, 12)))
        if rng.random() < weighed:
            quantity = Decimal(rng.randint(80, 4500)) / 1000
        items.append(Item(name, code, quantity, cents(price), cents(price * quantity)))
    subtotal = sum((item.amount for item in items), Decimal(0))
    less = Decimal(0)
    if rng.random() < discount:
        less = cents(subtotal * rng.choice((5, 10, 15, 20, 30)) / 100)
    service_rate = Decimal(rng.choice((10, 10, 5, 6, 12))) if rng.random() < service else Decimal(0)
    charge = cents((subtotal - less) * service_rate / 100)
    base = subtotal - less + charge
    if inclusive:
        net = cents(base / (1 + rate / 100))
        tax, gross = base - net, base
    else:
        tax = cents(base * rate / 100)
        net, gross = base, base + tax
    total = cents((gross / round_to).quantize(Decimal(1), ROUND_HALF_UP) * round_to)
    paid = tendered(rng, total) if cash else total
    return Sale(
        tuple(items),
        subtotal,
        less,
        charge,
        service_rate,
        net,
        rate,
        tax,
        inclusive,
        gross,
        total - gross,
        total,
        paid,
        paid - total,
    )


def tendered(rng: random.Random, total: Decimal) -> Decimal:
    """What somebody would hand over for a total: the exact sum, or the next round one."""
    if rng.random() < 0.25:
        return total
    step = Decimal(rng.choice((1, 5, 10, 50, 100)))
    return cents((total / step).to_integral_value("ROUND_CEILING") * step)
