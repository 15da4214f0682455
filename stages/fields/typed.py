"""One field's text to its typed value, with what was checked on the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import regex

from schemas.doctypes import FieldType
from schemas.fields import Check
from stages.fields.capitals import parse_capitals
from stages.fields.context import Context
from stages.fields.dates import Order, ParsedDate, parse_date, parse_datetime, parse_month
from stages.fields.money import currency_of, parse_money, parse_number, parse_rate
from stages.fields.normalise import compact, comparable, normalise, plain
from stages.fields.validators import CHECK_DIGITS, validate

CORRECTION = "correction"
"""The check that says that a value was decoded again."""

_ENDS = frozenset({"valid_to", "end_date", "valid_until", "expiry_date"})
"""Of a period that was read as a whole (2010.05.06-2030.05.06), these are its end."""

_FIRST = {"DMY": "day", "MDY": "month", "YMD": "year or else the day"}

_EDGES = re.compile(r"^[\s:;,|]+|[\s:;,|]+$")
_FEMALE = re.compile(r"女|\b(?:f|female|woman)\b", re.IGNORECASE)
_MALE = re.compile(r"男|\b(?:m|male|man)\b", re.IGNORECASE)
_NOT_A_RATE = re.compile(r"免税|不征税|零税率|exempt|^[*\-—]+$", re.IGNORECASE)
_NOTHING = re.compile(r"[*×xX]{2,}|免税|不征税")
"""Where an amount of tax stands that is not due."""
_PATTERN_LIMIT_S = 0.05


@dataclass(slots=True)
class Typed:
    """A value with its checks; ``key`` is equal for two readings of one value."""

    value: str | int | None
    checks: list[Check] = field(default_factory=list)
    currency: str | None = None

    @property
    def passed(self) -> bool:
        """Whether it was understood and no check failed."""
        return (self.value is not None or bool(self.checks)) and all(check.passed for check in self.checks)

    @property
    def sure(self) -> bool:
        """Whether a check digit says that it is right, as it was read."""
        names = {check.name for check in self.checks}
        return self.passed and not names.isdisjoint(CHECK_DIGITS) and CORRECTION not in names


def typed(kind: FieldType, content: str, context: Context) -> Typed:
    """Read a field's text as its type, and validate it."""
    result = _PARSERS.get(kind.type, _text)(kind, content, context)
    if result.value is not None:
        text = str(result.value)
        if kind.pattern is not None and "*" not in text:
            _match_pattern(kind, kind.pattern, result)
        if kind.validator is not None:
            result.checks.append(validate(kind.validator, str(result.value)))
    return result


def key_of(result: Typed, content: str) -> str:
    """What two readings of one value have in common."""
    return comparable(content if result.value is None else str(result.value)) or content


def _match_pattern(kind: FieldType, pattern: str, result: Typed) -> None:
    text = str(result.value)
    compiled = _compiled(pattern)
    try:
        for form in (text, compact(text)):
            if compiled.fullmatch(form, timeout=_PATTERN_LIMIT_S) is not None:
                result.value = form if isinstance(result.value, str) else result.value
                result.checks.append(Check("pattern", True, "it has the form that is expected"))
                return
        # A word or a mark beside it was taken along (No.12345678).
        alone = {m.group() for m in _alone(pattern).finditer(text, timeout=_PATTERN_LIMIT_S)}
        if len(alone) == 1:
            result.value = alone.pop()
            result.checks.append(Check("pattern", True, "a part of it has the form that is expected"))
            return
    except TimeoutError:
        result.checks.append(Check("pattern", False, f"the pattern {pattern} takes too long to match"))
        return
    result.checks.append(Check("pattern", False, f"it does not have the form {pattern}"))


@lru_cache(256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


@lru_cache(256)
def _alone(pattern: str) -> regex.Pattern[str]:
    """The pattern where it does not touch other letters or digits."""
    return regex.compile(rf"(?<![0-9A-Za-z*])(?:{pattern})(?![0-9A-Za-z*])")


def _text(kind: FieldType, content: str, context: Context) -> Typed:
    value = _EDGES.sub("", normalise(content))
    return Typed(value) if value else _unread("text", "there is no text")


def _date(kind: FieldType, content: str, context: Context) -> Typed:
    last = kind.name in _ENDS
    return _dated(lambda order: parse_date(content, order, last=last), context, "date")


def _datetime(kind: FieldType, content: str, context: Context) -> Typed:
    return _dated(lambda order: parse_datetime(content, order), context, "date")


def _month(kind: FieldType, content: str, context: Context) -> Typed:
    return _dated(lambda order: parse_month(content), context, "month")


def _dated(parse: Callable[[Order], ParsedDate | None], context: Context, name: str) -> Typed:
    """A date by the document's order; where two are possible, the other one is named and the choice explained."""
    found = parse(context.usual)
    if found is None:
        return _unread(name, f"no {name} can be read in it")
    if found.value is None:
        return _unread(name, found.fault or f"there is no such {name}")
    checks = [Check(name, True, f"there is such a {'month' if name == 'month' else 'day'}")]
    if found.other is not None:
        order, certain = context.order
        chosen = found if order == context.usual else parse(order) or found
        other = chosen.other or found.value if chosen.value != found.value else found.other
        if certain:
            checks.append(
                Check("ambiguous_date", True, f"other dates or the currency tell that the {_FIRST[order]} comes first")
            )
        else:
            reason = f"it may also be {other}; taken with the {_FIRST[order]} first"
            checks.append(Check("ambiguous_date", False, reason))
        return Typed(chosen.value, checks)
    return Typed(found.value, checks)


def _money(kind: FieldType, content: str, context: Context) -> Typed:
    found = parse_money(content)
    if found is None and _NOTHING.fullmatch(plain(content)):
        return Typed(None, [Check("amount", True, "it is marked as none")])
    if found is None:
        return _unread("amount", "no amount can be read in it")
    currency = found.currency
    if currency in (None, "USD", "CNY"):  # none, or a sign that several countries use
        page = kind.currency or context.currency
        found = parse_money(content, page) or found
        currency = found.currency or page
    checks = [Check("amount", False, found.fault)] if found.fault else []
    return Typed(found.value, checks, currency)


def _number(kind: FieldType, content: str, context: Context) -> Typed:
    found = parse_number(content)
    if found is None:
        return _unread("number", "no number can be read in it")
    return Typed(found[0], [Check("number", False, found[1])] if found[1] else [])


def _rate(kind: FieldType, content: str, context: Context) -> Typed:
    rate = parse_rate(content)
    if rate is not None:
        return Typed(rate)
    if _NOT_A_RATE.search(plain(content)):
        return Typed(normalise(content))
    return _unread("rate", "no rate can be read in it")


def _digits(kind: FieldType, content: str, context: Context) -> Typed:
    value = _EDGES.sub("", compact(content))
    if not value:
        return _unread("digits", "there are no digits in it")
    strange = "".join(dict.fromkeys(c for c in value if not (c.isascii() and c.isdigit()) and c != "*"))
    return Typed(value, [Check("digits", False, f"not a digit: {strange}")] if strange else [])


def _id(kind: FieldType, content: str, context: Context) -> Typed:
    value = _EDGES.sub("", plain(content)).upper()
    if kind.validator in CHECK_DIGITS:
        value = compact(value)
    return Typed(value) if value else _unread("id", "there is no number in it")


def _sex(kind: FieldType, content: str, context: Context) -> Typed:
    text = normalise(content)
    female, male = _FEMALE.search(text) is not None, _MALE.search(text) is not None
    if female == male:
        return _unread("sex", "it names both sexes" if female else "it names no sex")
    return Typed("F" if female else "M")


def _capitals(kind: FieldType, content: str, context: Context) -> Typed:
    found = parse_capitals(content)
    if found.amount is None:
        return _unread("amount", found.fault or "no amount can be read in it")
    return Typed(f"{found.amount:f}", currency="CNY")


def _currency(kind: FieldType, content: str, context: Context) -> Typed:
    currency = currency_of(content)
    return _unread("currency", "it names no currency that is known") if currency is None else Typed(currency)


def _unread(name: str, reason: str) -> Typed:
    return Typed(None, [Check(name, False, reason)])


_PARSERS: dict[str, Callable[[FieldType, str, Context], Typed]] = {
    "text": _text, "date": _date, "month": _month, "datetime": _datetime, "money": _money, "number": _number,
    "rate": _rate, "digits": _digits, "id": _id, "sex": _sex, "capitals": _capitals, "currency": _currency,
}  # fmt: skip
