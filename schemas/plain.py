"""Values as JSON can hold them: no NaN, no infinity, no NumPy type, no lone surrogate."""

from __future__ import annotations

import math
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any

from schemas.geometry import Point, Polygon

CONFIDENCE_DIGITS = 4
PIXEL_DIGITS = 2
MILLISECOND_DIGITS = 3


def text_of(text: str) -> str:
    """The same text without lone surrogates, which UTF-8 cannot hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str(text)


def number(value: float, digits: int) -> float:
    """Rounded to so many decimals; 0 if it is not finite."""
    plain = float(value)
    return round(plain, digits) if math.isfinite(plain) else 0.0


def confidence(value: float) -> float:
    """A probability, 0 to 1."""
    return min(1.0, max(0.0, number(value, CONFIDENCE_DIGITS)))


def milliseconds(value: float) -> float:
    """A duration, never negative."""
    return max(0.0, number(value, MILLISECOND_DIGITS))


def polygon_of(polygon: Polygon) -> Polygon:
    """Four points in plain numbers."""
    a, b, c, d = (_point(point) for point in polygon)
    return a, b, c, d


def _point(point: Point) -> Point:
    return number(point[0], PIXEL_DIGITS), number(point[1], PIXEL_DIGITS)


def value_of(value: Any, where: str) -> str | int | float | None:
    """A single value. NumPy's are known by their methods, so that it need not be imported here.

    A number that is not finite becomes None, an integer beyond 64 bits a text.

    Raises:
        TypeError: it is none that JSON can express; ``where`` is in the message.
    """
    if value is None:
        return None
    if isinstance(value, Enum):
        return value_of(value.value, where)
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value) if -(2**63) <= value < 2**64 else str(int(value))  # JSON writers stop at 64 bits
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value_of(value.item(), where)
    raise TypeError(f"{where}: a value of type {type(value).__name__} cannot be written as JSON")
