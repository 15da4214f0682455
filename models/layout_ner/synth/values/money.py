"""Amounts of money, in figures and in Chinese capitals."""

from __future__ import annotations

import math
import random
from decimal import ROUND_HALF_UP, Decimal

import cn2an

CENT = Decimal("0.01")


def amount(rng: random.Random, low: float, high: float) -> Decimal:
    """An amount with two decimals from ``low`` to ``high`` (above 0), small ones more often, round ones quite often."""
    value = Decimal(math.exp(rng.uniform(math.log(low), math.log(high))))
    kind = rng.random()
    if kind < 0.25 and value > 2:
        value = value.quantize(Decimal(1))
    elif kind < 0.5:
        value = value.quantize(Decimal("0.1"))
    value = value.quantize(CENT, ROUND_HALF_UP)
    return min(max(value, Decimal(str(low)).quantize(CENT)), Decimal(str(high)).quantize(CENT))


def rounded(value: Decimal, places: int = 2) -> Decimal:
    """Round half up to a number of decimals."""
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def grouped(value: Decimal, *, comma: bool = True, places: int = 2) -> str:
    """Print an amount with a fixed number of decimals, with or without commas between thousands."""
    value = rounded(value, places)
    return f"{value:,}" if comma else f"{value}"


def capitals(value: Decimal, *, yuan: str = "元", whole: str = "整") -> str:
    """An amount in Chinese capitals (壹仟贰佰元整); ``yuan`` may be 圆, ``whole`` 正."""
    text = str(cn2an.an2cn(str(rounded(value)), "rmb"))
    return text.replace("元", yuan).replace("整", whole)
