"""Dates as people print them, in English and Chinese, to ISO 8601.

Own expressions come first, since a page waits for the answer; what they do not know goes to dateparser, but only
where the text has the look of a date with a month's name in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Literal

from stages.fields.normalise import plain

Order = Literal["DMY", "MDY", "YMD"]

PERMANENT = "permanent"
"""The value of an end that never comes (长期)."""

_PIVOT = 69
"""Two-digit years from here on are of the 20th century, as in POSIX ``strptime``."""

_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "mac": 3, "apr": 4, "may": 5, "mei": 5, "jun": 6, "jul": 7, "aug": 8, "ogo": 8,
    "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dis": 12,
}  # fmt: skip
"""By their first three letters, English and Malay."""

_NAME = (
    r"(?P<name>jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch)?|mac|apr(?:il)?|may|mei|june?|jun|july?|julai|"
    r"aug(?:ust)?|ogos|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|dec(?:ember)?|dis(?:ember)?)"
)
_YEAR = r"(?P<y>(?:1[89]|20|21)\d\d|'?\d\d)"
_FULL_YEAR = r"(?P<y>(?:1[89]|20|21)\d\d)"
_SEP = r" ?[-/., ] ?"
_END = r"(?!\d)"
_I = re.IGNORECASE

_YMD = re.compile(rf"(?<!\d){_FULL_YEAR} ?([-/.,年]| ) ?(?P<m>\d{{1,2}}) ?(?:\2|月) ?(?P<d>\d{{1,2}}){_END}")
_CHINESE = re.compile(rf"(?<!\d)(?P<y>\d{{4}}|\d\d) ?年 ?(?P<m>\d{{1,2}}) ?月 ?(?P<d>\d{{1,2}}) ?[日号]?{_END}")
_NUMERIC = re.compile(rf"(?<!\d)(?P<a>\d{{1,2}}) ?(?P<s>[-/.,]| ) ?(?P<b>\d{{1,2}}) ?(?P=s) ?{_YEAR}{_END}")
_SHORT_YMD = re.compile(rf"(?<!\d)(?P<y>\d\d)([-/.])(?P<m>\d{{1,2}})\2(?P<d>\d{{1,2}}){_END}")
_COMPACT = re.compile(rf"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01]){_END}")
_COMPACT_DAY_FIRST = re.compile(rf"(?<!\d)(?P<d>0[1-9]|[12]\d|3[01])(?P<m>0[1-9]|1[0-2])(?P<y>(?:19|20)\d\d){_END}")
_DAY_NAME = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}}) ?(?:st|nd|rd|th)?(?: of)?[-/., ]{{0,2}}{_NAME}\.?[-/., ]{{0,2}}{_YEAR}{_END}", _I
)
_NAME_DAY = re.compile(
    rf"(?<![a-z]){_NAME}\.?[-/., ]{{0,2}}(?P<d>\d{{1,2}}) ?(?:st|nd|rd|th)?[-/., ]{{1,2}}{_YEAR}{_END}", _I
)
_YEAR_NAME_DAY = re.compile(rf"(?<!\d){_FULL_YEAR}[-/., ]{{0,2}}{_NAME}\.?[-/., ]{{0,2}}(?P<d>\d{{1,2}}){_END}", _I)

_MONTH_CHINESE = re.compile(rf"(?<!\d)(?P<y>\d{{4}}|\d\d) ?年 ?(?P<m>\d{{1,2}}) ?月{_END}")
_MONTH_YEAR = re.compile(rf"(?<!\d)(?P<m>\d{{1,2}}){_SEP}{_YEAR}{_END}")
_YEAR_MONTH = re.compile(rf"(?<!\d){_FULL_YEAR}{_SEP}(?P<m>\d{{1,2}}){_END}")
_MONTH_NAME = re.compile(rf"(?<![a-z]){_NAME}\.?[-/., ]{{0,2}}{_YEAR}{_END}", _I)
_MONTH_COMPACT = re.compile(r"(?<!\d)(?P<m>0[1-9]|1[0-2])(?P<y>\d\d)(?!\d)")

_TIME = re.compile(
    r"(?<!\d)(?P<h>[01]?\d|2[0-4]) ?(?:[:时点]|(?<=\d)\.(?=\d\d ?[ap]\.?m)) ?(?P<min>[0-5]\d)? ?"
    r"(?:[:分] ?(?P<s>[0-5]\d)?)?(?:\.\d+)? ?(?P<half>[ap])?(?:\.?m\b)?",
    _I,
)
_CHINESE_DIGITS = str.maketrans("〇○零一二三四五六七八九", "000123456789")
_CHINESE_YEAR = re.compile(r"(?P<y>[〇○零O0一二三四五六七八九]{4}|[〇○零O0一二三四五六七八九]{2})(?=年)")
_CHINESE_NUMBER = re.compile(r"([一二三四五六七八九])?十([一二三四五六七八九])?|[廿卅]([一二三四五六七八九])?")
_PERMANENT = re.compile(
    r"长期|長期|永久|终身|終身|long[- ]?term|permanent|indefinite|no expiry|whole (?:of )?life|lifetime|for life", _I
)
_FOREIGN = re.compile(r"(?=.*(?<!\d)\d{1,2}(?!\d))(?=.*(?<!\d)(?:19|20)\d\d(?!\d)).*[^\W\d_]{3}", re.DOTALL)
_FOREIGN_MONTHS = frozenset({
    "jan", "gen", "ene", "fev", "fév", "feb", "mar", "mär", "mrt", "maa", "abr", "avr", "apr", "mai", "mag", "maj",
    "mei", "may", "jui", "giu", "jun", "jul", "lug", "aoû", "aou", "ago", "agu", "aug", "set", "sep", "oct", "okt",
    "ott", "out", "nov", "dec", "dic", "dez", "des", "déc", "dis",
})  # fmt: skip
"""How months begin in French, German, Spanish, Italian, Portuguese, Dutch and Indonesian."""


@dataclass(slots=True, frozen=True)
class ParsedDate:
    """A date that was read.

    ``value`` is ISO 8601 (``2024-03-05``, ``2024-03``, ``2024-03-05T14:30``) or :data:`PERMANENT`; None where it is
    written like a date but there is no such day, and ``fault`` says so. ``other`` is the second reading where day
    and month could be swapped and the date would be another one. ``start`` and ``end`` are where it stands in the
    normalised text.
    """

    value: str | None
    other: str | None = None
    fault: str | None = None
    start: int = 0
    end: int = 0


def parse_date(text: str, order: Order = "DMY", *, last: bool = False) -> ParsedDate | None:
    """Read a date.

    Args:
        text: as printed; other words may stand around the date.
        order: what 03/04/2024 means. A part over 12 settles it whatever the order.
        last: where several dates stand in the text (2010.05.06-2030.05.06), take the last instead of the first.

    Returns:
        The date; None where there is none.
    """
    text = plain(text)
    if not any(c.isdigit() or c in "十廿卅" for c in text):
        return ParsedDate(PERMANENT) if _PERMANENT.search(text) else None
    if last and _PERMANENT.search(text):
        return ParsedDate(PERMANENT)
    found = _scan(_chinese_digits(text), order)
    valid = [one for one in found if one.value] or found
    if valid:
        return valid[-1 if last else 0]
    if _PERMANENT.search(text):
        return ParsedDate(PERMANENT)
    return _foreign(text, order)


def parse_month(text: str) -> ParsedDate | None:
    """Read a month and year (``12/26``, ``Dec 2026``, ``2026年12月``) as ``2026-12``; a full date counts as well."""
    text = _chinese_digits(plain(text))
    if _PERMANENT.search(text):
        return ParsedDate(PERMANENT)
    for found in _scan(text, "DMY"):
        if found.value:
            return ParsedDate(found.value[:7])
    fault = None
    for expression in (_MONTH_CHINESE, _YEAR_MONTH, _MONTH_NAME, _MONTH_YEAR, _MONTH_COMPACT):
        for match in expression.finditer(text):
            parts = match.groupdict()
            year = _year(parts["y"])
            month = _MONTHS[parts["name"][:3].lower()] if parts.get("name") else int(parts["m"])
            if 1 <= month <= 12:
                return ParsedDate(f"{year:04}-{month:02}", None, None, *match.span())
            fault = fault or ParsedDate(None, None, f"there is no month {month}", *match.span())
    return fault


def parse_datetime(text: str, order: Order = "DMY") -> ParsedDate | None:
    """Read a date and, where there is one, the time of day: ``2024-03-05T14:30``, with seconds if printed."""
    found = parse_date(text, order)
    if found is None or found.value is None or found.value == PERMANENT:
        return found
    text = _chinese_digits(plain(text))
    clock = _clock(text[found.end :]) or _clock(text[: found.start])
    if clock is None:
        return found
    return ParsedDate(f"{found.value}T{clock}", found.other and f"{found.other}T{clock}", None, found.start, found.end)


def order_on_page(text: str, usual: Order = "DMY") -> Order | None:
    """What the other dates of a page say about the order of day and month: those with a part over 12.

    None where there are none, or they contradict each other. ``usual`` is the order in documents of the type.
    """
    seen = set()
    for match in _NUMERIC.finditer(text):
        short = len(match["y"].lstrip("'")) == 2
        if match["s"] == " " or (short and usual == "YMD"):
            continue  # three numbers in a row may be anything, and 24/03/05 may begin with its year
        a, b = int(match["a"]), int(match["b"])
        if a > 12 >= b > 0 and a <= 31:
            seen.add("DMY")
        elif b > 12 >= a > 0 and b <= 31:
            seen.add("MDY")
    if len(seen) != 1:
        return None
    return "DMY" if "DMY" in seen else "MDY"


def _scan(text: str, order: Order) -> list[ParsedDate]:
    """All dates of the text from left to right; the more telling formats take their characters first."""
    found: list[ParsedDate] = []
    named = any(c.isascii() and c.isalpha() for c in text)
    expressions: Iterable[re.Pattern[str]] = (_CHINESE, _YMD)
    if named:
        expressions = (*expressions, _DAY_NAME, _YEAR_NAME_DAY, _NAME_DAY)
    for expression in (*expressions, _NUMERIC, _SHORT_YMD, _COMPACT, _COMPACT_DAY_FIRST):
        for match in expression.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            one = _numeric(match, order) if expression is _NUMERIC else _certain(match)
            if one is not None:
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def _certain(match: re.Match[str]) -> ParsedDate:
    parts = match.groupdict()
    month = _MONTHS[parts["name"][:3].lower()] if parts.get("name") else int(parts["m"])
    return _dated(match, _year(parts["y"]), month, int(parts["d"]))


def _numeric(match: re.Match[str], order: Order) -> ParsedDate | None:
    """Two numbers and a year: day and month in the given order, unless only the other one is possible."""
    a, b = int(match["a"]), int(match["b"])
    short = len(match["y"].lstrip("'")) == 2
    if short and a > 31:  # 98/03/25: the year is in front
        return _dated(match, _year(match["a"]), b, int(match["y"].lstrip("'")))
    if short and order == "YMD" and match["s"] != " ":
        return _year_first(match)
    if match["s"] == " " and short:
        return None  # three numbers with spaces between them may be anything
    year = _year(match["y"])
    day, month = (b, a) if order == "MDY" else (a, b)
    if month > 12 >= day:
        day, month = month, day
    read = _dated(match, year, month, day)
    if read.value and day <= 12 and day != month:
        return ParsedDate(read.value, f"{year:04}-{day:02}-{month:02}", None, read.start, read.end)
    return read


def _year_first(match: re.Match[str]) -> ParsedDate:
    """24/03/05 with the year in front, or else day, month and year."""
    read = _dated(match, _year(match["a"].zfill(2)), int(match["b"]), int(match["y"].lstrip("'")))
    other = _numeric(match, "DMY")
    if read.value is None and other is not None and other.value is not None:
        return other
    return read if other is None or other.value == read.value else replace(read, other=other.value)


def _dated(match: re.Match[str], year: int, month: int, day: int) -> ParsedDate:
    value = f"{year:04}-{month:02}-{day:02}"
    try:
        date(year, month, day)
    except ValueError:
        return ParsedDate(None, None, f"there is no day {value}", *match.span())
    return ParsedDate(value, None, None, *match.span())


def _year(digits: str) -> int:
    year = int(digits.lstrip("'"))
    if len(digits.lstrip("'")) > 2:
        return year
    return year + (1900 if year >= _PIVOT else 2000)


def _clock(text: str) -> str | None:
    """The first time of day in the text, as HH:MM or HH:MM:SS."""
    for match in _TIME.finditer(text):
        if match["min"] is None and "时" not in match[0] and "点" not in match[0]:
            continue
        hour, half = int(match["h"]), (match["half"] or "").lower()
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour > 23:
            continue
        return f"{hour:02}:{match['min'] or '00'}" + (f":{match['s']}" if match["s"] else "")
    return None


def _chinese_digits(text: str) -> str:
    """二〇二四年三月二十五日 to 2024年3月25日; a text without Chinese numerals stays as it is."""
    if "年" not in text and "月" not in text:
        return text
    text = _CHINESE_YEAR.sub(lambda m: m[0].replace("O", "0").translate(_CHINESE_DIGITS), text)
    text = _CHINESE_NUMBER.sub(_tens, text)
    return text.translate(_CHINESE_DIGITS)


def _tens(match: re.Match[str]) -> str:
    tens, ones, after = match.groups()
    if match[0][0] in "廿卅":
        return ("2" if match[0][0] == "廿" else "3") + (after or "0").translate(_CHINESE_DIGITS)
    return ((tens or "一") + (ones or "〇")).translate(_CHINESE_DIGITS)


@lru_cache(1024)
def _foreign(text: str, order: Order) -> ParsedDate | None:
    """A date with a month's name in another language, by dateparser; loaded only when a text looks like one."""
    if len(text) > 60 or not _FOREIGN.match(text):
        return None
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if not any(word[:3] in _FOREIGN_MONTHS for word in words):
        return None
    import dateparser

    read = dateparser.parse(
        text,
        languages=["fr", "de", "es", "it", "pt", "nl", "id", "ms"],
        settings={"DATE_ORDER": order, "STRICT_PARSING": True, "REQUIRE_PARTS": ["day", "month", "year"]},
    )
    return None if read is None else ParsedDate(read.date().isoformat())
