"""Amounts of money and other numbers as printed, to decimal strings. No float is used: none loses a cent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from stages.fields.normalise import has_ideograph, plain

CODES = frozenset({
    "AED", "AUD", "BRL", "CAD", "CHF", "CLP", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS",
    "INR", "JPY", "KRW", "KZT", "MXN", "MYR", "NGN", "NOK", "NZD", "PHP", "PKR", "PLN", "SAR", "SEK", "SGD", "THB",
    "TWD", "UAH", "USD", "VND", "ZAR",
})  # fmt: skip
"""ISO 4217 codes that are taken for a currency; those that are words as well (TRY, PEN, COP) are left out."""

SIGNS = {
    "人民币": "CNY", "RMB": "CNY", "CNH": "CNY", "美元": "USD", "美金": "USD", "港元": "HKD", "港币": "HKD",
    "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "円": "JPY", "韩元": "KRW", "新台币": "TWD", "新加坡元": "SGD",
    "US$": "USD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "NZ$": "NZD", "R$": "BRL", "RM": "MYR", "€": "EUR", "£": "GBP", "₩": "KRW", "₹": "INR", "฿": "THB",
    "₫": "VND", "₽": "RUB", "₺": "TRY", "₱": "PHP", "¥": "CNY", "元": "CNY", "圆": "CNY", "圓": "CNY", "$": "USD",
}  # fmt: skip
_DOLLARS = frozenset({"USD", "AUD", "CAD", "HKD", "SGD", "NZD", "TWD", "MXN", "BRL", "ARS", "CLP", "COP", "MYR"})
"""Currencies that a bare $ may stand for. On Malaysian receipts it stands for the ringgit."""
_YENS = frozenset({"CNY", "JPY"})
SHARED = {"$": _DOLLARS, "¥": _YENS, "元": frozenset({"CNY", "HKD", "TWD", "JPY", "SGD", "USD"})}
"""Signs shared by several currencies, and which."""

_SIGN = "|".join(re.escape(sign) for sign in sorted((*SIGNS, *CODES), key=len, reverse=True))
_CURRENCY = re.compile(rf"(?<![A-Z])(?:{_SIGN})(?![A-Z])", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d{1,3}(?: \d{3})+(?![\d])|\d+)(?:(?: ?[.,'’`] ?|[.,'’`] ?)\d+)*|(?<![\d.,])[.,]\d+")
_UNIT = re.compile(r" ?(亿|千万|百万|十万|万|萬|千)")
_UNITS = {"亿": 8, "千万": 7, "百万": 6, "十万": 5, "万": 4, "萬": 4, "千": 3}
_BEFORE = re.compile(rf"(?:-|\()? ?(?:{_SIGN})?[ :.*#]*(?:-|\()? ?$", re.IGNORECASE)
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+,\d{1,2}")
"""A space for the thousands, where a comma stands for the decimals: 1 234,50."""

_CAPITALS = re.compile(r"[壹贰叁肆伍陆柒捌玖貳參陸]|[一二三四五六七八九][十百千万亿拾佰仟]")
_TWO = re.compile(r"\d+(?:\.\d+)?")


@dataclass(slots=True, frozen=True)
class ParsedMoney:
    """An amount: ``value`` a decimal string with at least two decimals, more where more are printed.

    ``currency`` (ISO 4217) is None where the text names none. ``fault`` says what is odd about the text although an
    amount could be read.
    """

    value: str
    currency: str | None = None
    fault: str | None = None


def parse_money(text: str, currency: str | None = None) -> ParsedMoney | None:
    """Read an amount of money.

    Args:
        text: as printed: ``RM 1,234.50``, ``¥12``, ``100万元``, ``(12.50)``, 壹佰元整.
        currency: what the document is in (ISO 4217): it decides what a bare ``$`` or ``¥`` means.

    Returns:
        The amount; None where there is none. The currency is the text's own, not ``currency``.
    """
    return _parse(text, currency)


_MIXED = re.compile(r"\d[.,]?[OoQDIl|SBZ]+(?:[\d.,]|$)|(?:^|[\s$¥£])[OoQDIl|SBZ][.,]?\d")
"""Letters that stand where only digits may."""

_MOST_DIGITS = 24
"""Longer numbers are no amounts, and would not fit a decimal's precision."""


@lru_cache(4096)
def _parse(text: str, currency: str | None) -> ParsedMoney | None:
    text = plain(text)
    found = currency_of(text, currency)
    spots = [match for match in _NUMBER.finditer(text)]
    if not spots:
        if not _CAPITALS.search(text):
            return None
        from stages.fields.capitals import parse_capitals

        amount = parse_capitals(re.sub(r"(?:人民币|美元|港元|欧元)$", "", text)).amount
        return None if amount is None else ParsedMoney(f"{amount:f}", found or "CNY")
    match = _chosen(text, spots)
    number, fault = decimal_of(match[0])
    if number is None:
        return None
    if len(spots) > 1 and fault is None and match is not _beside_sign(text, spots):
        fault = f"there are {len(spots)} numbers in it"
    if _MIXED.search(text):
        fault = fault or "there are letters among its digits"
    if text.startswith("%", match.end()):
        fault = fault or "it is a percentage"
    unit = _UNIT.match(text, match.end())
    if unit:
        number = number.scaleb(_UNITS[unit[1]])
    if _negative(text, match):
        number = -number
    return ParsedMoney(_two_decimals(number), found, fault)


def currency_of(text: str, hint: str | None = None) -> str | None:
    """The currency (ISO 4217) that the text names, the first if several; ``hint`` settles what ``$`` means."""
    text = plain(text)
    for match in _CURRENCY.finditer(text):
        sign = match[0].upper()
        if sign in CODES:
            return sign
        shared = SHARED.get(sign)
        if shared is not None and hint in shared:
            return hint
        return SIGNS[sign]
    return None


def parse_number(text: str) -> tuple[int | str, str | None] | None:
    """Read a number that is no money: a quantity, a unit price.

    Returns:
        The number (an integer if printed without decimals, else a decimal string with the decimals printed) and what
        is odd about the text, if anything; None where there is no number.
    """
    text = plain(text)
    spots = list(_NUMBER.finditer(text))
    if not spots:
        return None
    number, fault = decimal_of(spots[0][0])
    if number is None:
        return None
    if len(spots) > 1:
        fault = fault or f"there are {len(spots)} numbers in it"
    if _negative(text, spots[0]):
        number = -number
    exponent = number.as_tuple().exponent
    return (int(number) if exponent == 0 else f"{number:f}"), fault


def parse_rate(text: str) -> str | None:
    """Read a percentage (``13%``, ``6.0 %``, ``0.13``) as a decimal string in per cent: ``13``.

    None where there is none: a tax-free row says so in words.
    """
    text = plain(text)
    match = _TWO.search(text.replace(",", "."))
    if match is None:
        return None
    number = Decimal(match[0])
    if "%" not in text and 0 < number < 1:
        number *= 100  # 0.13: a share
    return _shortest(number)


def decimal_of(digits: str) -> tuple[Decimal | None, str | None]:
    """Digits with separators to a number, and what is odd about them.

    A comma or dot with other than three digits behind it is the decimal separator, as is a lone dot; separators
    that come again, or stand before another kind, are those of thousands.
    """
    text = re.sub(r"[ '’`]+", "", digits)
    if not text.isascii() or len(text) > _MOST_DIGITS:
        return None, None
    fault = "there are spaces within the number" if " " in digits and not _SPACED.fullmatch(digits) else None
    marks = [c for c in text if c in ".,"]
    if not marks:
        return Decimal(text), fault
    last = marks[-1]
    whole, _, decimals = text.rpartition(last)
    if last in marks[:-1]:  # the same separator twice
        decimal = len(decimals) != 3
    elif len(marks) > 1:
        decimal = True
    else:
        decimal = last == "." or len(decimals) != 3
    groups = re.split(r"[.,]", whole if decimal else text)
    regular = all(len(group) == 3 for group in groups[1:]) and (len(groups) == 1 or 1 <= len(groups[0]) <= 3)
    if (not regular or (decimal and last in marks[:-1])) and fault is None:
        fault = f"the separators in {digits} do not stand at thousands"
    return Decimal("".join(groups) + ("." + decimals if decimal else "")), fault


def _chosen(text: str, spots: list[re.Match[str]]) -> re.Match[str]:
    """Of several numbers, the one beside a sign; else the last with two decimals; else the last."""
    beside = _beside_sign(text, spots)
    if beside is not None:
        return beside
    for match in reversed(spots):
        if re.search(r"[.,]\d\d$", match[0]):
            return match
    return spots[-1]


def _beside_sign(text: str, spots: list[re.Match[str]]) -> re.Match[str] | None:
    """The only number that a currency sign stands beside, or the only number; None where that tells nothing."""
    if len(spots) == 1:
        return spots[0]
    signs = [match.span() for match in _CURRENCY.finditer(text)]
    beside = [
        match
        for match in spots
        if any(not text[b : match.start()].strip(" :.*#-") and b <= match.start() for _, b in signs)
        or any(not text[match.end() : a].strip(" 万萬千百十亿") and match.end() <= a for a, _ in signs)
    ]
    return beside[0] if len(beside) == 1 else None


def _negative(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    lead = _BEFORE.search(before)
    mark = lead[0] if lead else ""
    if "-" in mark:
        at = match.start() - len(mark) + mark.index("-")
        return at == 0 or not text[at - 1].isalnum()  # a hyphen
    if "(" in mark and after.lstrip().startswith(")"):
        return True
    return bool(re.match(r"-(?![\d\w])|- ?(?:CR|DR)?$", after)) and not has_ideograph(after)


def _two_decimals(number: Decimal) -> str:
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and exponent > -2:
        number = number.quantize(Decimal("0.01"))
    text = f"{number:f}"
    return "0" + text if text.startswith(".") else text


def _shortest(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
