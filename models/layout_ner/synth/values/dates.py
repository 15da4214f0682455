"""Dates in the manners that documents print them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

_CHINESE_DIGITS = "〇一二三四五六七八九"

_Style = tuple[Callable[[date], str], float]  # how to print, and how often


def _numeral(number: int) -> str:
    """A number below 100 in Chinese numerals."""
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else _CHINESE_DIGITS[tens] + "十"
    return head + (_CHINESE_DIGITS[ones] if ones else "")


def _chinese(day: date) -> str:
    year = "".join(_CHINESE_DIGITS[int(digit)] for digit in str(day.year))
    return f"{year}年{_numeral(day.month)}月{_numeral(day.day)}日"


def _styles(*formats: tuple[str, float]) -> tuple[_Style, ...]:
    def printer(pattern: str) -> Callable[[date], str]:
        return lambda day: day.strftime(pattern)

    return tuple((printer(pattern), weight) for pattern, weight in formats)


STYLES: dict[str, tuple[_Style, ...]] = {
    # Day first: Malaysia, Britain.
    "en": (
        *_styles(("%d/%m/%Y", 8), ("%d-%m-%Y", 3), ("%d.%m.%Y", 1), ("%d/%m/%y", 3), ("%d-%m-%y", 1), ("%d %b %Y", 2)),
        *_styles(("%d-%b-%Y", 1), ("%d %B %Y", 1), ("%Y-%m-%d", 1), ("%Y/%m/%d", 0.5), ("%d %b %y", 0.7)),
        *_styles(("%d-%b-%y", 0.7), ("%d%b%Y", 0.3), ("%d/%b/%Y", 0.3), ("%b %d, %Y", 0.5), ("%d/ %m/ %Y", 0.2)),
        (lambda day: f"{day.day}/{day.month}/{day.year}", 1.5),
        (lambda day: f"{day:%d %b} {day.year}".upper(), 0.8),
    ),
    # Month first: America.
    "us": (
        *_styles(
            ("%m/%d/%Y", 6), ("%m-%d-%Y", 1), ("%m/%d/%y", 3), ("%b %d, %Y", 2), ("%B %d, %Y", 1), ("%b %d %Y", 1)
        ),
        (lambda day: f"{day.month}/{day.day}/{day.year}", 2),
    ),
    "iso": _styles(("%Y-%m-%d", 1)),
    # Chinese, all manners.
    "zh": (
        *_styles(("%Y年%m月%d日", 5), ("%Y-%m-%d", 4), ("%Y/%m/%d", 2), ("%Y.%m.%d", 2), ("%Y 年 %m 月 %d 日", 1)),
        (lambda day: f"{day.year}年{day.month}月{day.day}日", 2),
        (lambda day: f"{day.year} 年 {day.month} 月 {day.day} 日", 0.7),
        (lambda day: f"{day.year}/{day.month}/{day.day}", 0.5),
        (lambda day: f"{day:%Y%m%d}", 0.2),
        (_chinese, 0.3),
    ),
    # Chinese with 年, 月 and 日 only: invoices, licences.
    "zh_long": (
        *_styles(("%Y年%m月%d日", 5), ("%Y 年 %m 月 %d 日", 1)),
        (lambda day: f"{day.year}年{day.month}月{day.day}日", 2),
        (lambda day: f"{day.year} 年 {day.month} 月 {day.day} 日", 1),
    ),
    # With dots: the back of an identity card.
    "zh_dots": _styles(("%Y.%m.%d", 1)),
    # Month and year of a bank card.
    "card": _styles(("%m/%y", 9), ("%m/%Y", 1)),
}


def date_between(rng: random.Random, first: date, last: date) -> date:
    """A day from ``first`` to ``last``, both included."""
    return first + timedelta(days=rng.randint(0, (last - first).days))


def format_date(rng: random.Random, day: date, style_group: str) -> str:
    """Print a date in one of the manners of a group of :data:`STYLES`."""
    styles = STYLES[style_group]
    printer = rng.choices([style for style, _ in styles], [weight for _, weight in styles])[0]
    return printer(day)


def clock(rng: random.Random) -> str:
    """A time of day as receipts print it."""
    hour, minute, second = rng.randint(7, 22), rng.randint(0, 59), rng.randint(0, 59)
    half = "PM" if hour >= 12 else "AM"
    twelve = (hour - 1) % 12 + 1
    return rng.choice(
        (
            f"{hour:02}:{minute:02}",
            f"{hour:02}:{minute:02}:{second:02}",
            f"{hour:02}:{minute:02}:{second:02}",
            f"{twelve}:{minute:02} {half}",
            f"{twelve:02}:{minute:02}:{second:02} {half}",
            f"{twelve:02}:{minute:02}{half}",
        )
    )
