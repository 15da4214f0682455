"""Where in a piece of text a value of some type stands: a date among other words, an amount behind its currency."""

from __future__ import annotations

import re

import regex

from schemas.doctypes import FieldType
from stages.fields.dates import parse_date, parse_datetime, parse_month
from stages.fields.normalise import compact

Place = tuple[int, int]

PATTERN_SECONDS = 0.2
"""How long a user's pattern may take on one line; one that runs away finds nothing instead of stopping the page."""

_MOST_WORDS = 12
"""Words that a number in groups is put together from."""

_SIGN = r"(?:[A-Z]{2,3}\$|[A-Z]{1,2}\$|RMB|CNY|EUR|USD|GBP|MYR|SGD|HKD|JPY|RM|人民币|[$¥€£₩₹฿])"
_NUMBER = r"\d+(?:[,.' ]\d{3})*(?:[.,]\d{1,4})?(?!\d)"
_MONEY = re.compile(
    rf"(?P<sign>{_SIGN} ?)?(?P<minus>-|\()? ?(?:{_SIGN} ?)?(?<![\d.,])(?P<number>{_NUMBER})\)?"
    rf"(?P<unit> ?(?:亿|千万|百万|万|萬|千)?(?:元|圆)?(?:人民币)?(?: ?(?:EUR|USD|GBP|RMB|CNY|€))?)",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(r" ?[%‰]")
_COUNT = re.compile(r" ?[^\W\d_]")
"""Behind a plain number: what is counted ("3 items", "5件")."""

_CAPITALS = re.compile(r"[零〇壹贰叁肆伍陆柒捌玖貳參陸拾佰仟萬万億亿一二三四五六七八九十百千两元圆圓角分整正]{2,}")
_RATE = re.compile(r"\d+(?:[.,]\d+)? ?[%‰]")
_DIGITS = re.compile(r"\d(?:[ -]?\d)*")
_SEX = re.compile(r"[男女]|\b(?:male|female|m|f)\b", re.IGNORECASE)
_CURRENCY = re.compile(rf"{_SIGN}|\b[A-Z]{{3}}\b|[^\W\d_]{{2,}}", re.IGNORECASE)
_WORD = re.compile(r"\S+")


def locate(field: FieldType, text: str, order: str = "DMY") -> Place | None:
    """Find the first value of a field's type.

    Args:
        field: what is looked for; its ``pattern`` narrows it.
        text: in the spelling of :func:`stages.fields.folded.fold`, without the key.
        order: the document type's ``date_order``.

    Returns:
        Start and end (exclusive) in the text; None where there is no such value.
    """
    if field.type in ("id", "digits"):
        return _identifier(field, text)
    start, end = 0, len(text)
    if field.pattern is not None:
        found = _search(field.pattern, text)
        if found is None:
            return None
        start, end = found
    place = _of_type(field.type, text[start:end], order)
    return None if place is None else (start + place[0], start + place[1])


def _of_type(kind: str, text: str, order: str) -> Place | None:
    match kind:
        case "date" | "month" | "datetime":
            return _date(kind, text, order)
        case "money":
            return _money(text)
        case "number":
            return _span(re.search(rf"-?{_NUMBER}", text))
        case "rate":
            return _span(_RATE.search(text))
        case "sex":
            return _span(_SEX.search(text))
        case "capitals":
            return _span(_CAPITALS.search(text))
        case "currency":
            return _span(_CURRENCY.search(text))
    words = _trimmed(text)
    return words if any(char.isalnum() for char in text) else None


def _date(kind: str, text: str, order: str) -> Place | None:
    if not any(char.isdigit() or char in "十一二长永" for char in text):
        return None
    if kind == "month":
        found = parse_month(text)
    elif kind == "datetime":
        found = parse_datetime(text, order)  # type: ignore[arg-type]  # a DateOrder, checked where it comes from
    else:
        found = parse_date(text, order)  # type: ignore[arg-type]  # the same
    if found is None:
        return None
    if kind == "datetime" or not found.start < found.end <= len(text):
        return _trimmed(text)  # the time of day may stand on either side of the date
    return found.start, found.end


def _money(text: str) -> Place | None:
    """Beside a sign before any other, then one with decimals, then the first; a percentage or a count is none."""
    found = [match for match in _MONEY.finditer(text) if not _NO_MONEY.match(text, match.end())]
    found = [match for match in found if _sure(match) or not _COUNT.match(text, match.end())]
    if not found:
        return _span(_CAPITALS.search(text))
    return _span(min(found, key=lambda match: (not _signed(match), not _sure(match), match.start())))


def is_sure(kind: str, text: str) -> bool:
    """Whether a located value can hardly be anything else: an amount with a sign or decimals, not a bare number."""
    if kind != "money":
        return True
    match = _MONEY.fullmatch(text)
    return match is None or _sure(match)


def _sure(match: re.Match[str]) -> bool:
    return _signed(match) or re.search(r"[.,]\d\d$", match["number"]) is not None


def _signed(match: re.Match[str]) -> bool:
    return bool(match["sign"]) or bool(match["unit"].strip()) or any(char in "$¥€£₩₹฿" for char in match[0])


def _identifier(field: FieldType, text: str) -> Place | None:
    """A number that may be printed in groups: the longest run of words that fits the pattern, the first of them."""
    words = [match.span() for match in _WORD.finditer(text)]
    if field.pattern is None:
        return _span(_DIGITS.search(text)) if field.type == "digits" else _with_digits(text, words)
    for first, (start, _) in enumerate(words):
        for last in range(min(len(words), first + _MOST_WORDS) - 1, first - 1, -1):
            place = _stripped(text, start, words[last][1])
            if place and _fits(field.pattern, text[slice(*place)]):
                return place
    return _search_upper(field.pattern, text)


def _with_digits(text: str, words: list[Place]) -> Place | None:
    """The first word with a digit, with what belongs to the same number: a prefix in capitals, more such words."""
    for index, (start, end) in enumerate(words):
        if not _has_digit(text[start:end]):
            continue
        before = text[slice(*words[index - 1])] if index else ""
        if 0 < len(before) <= 4 and before.isupper() and before.isalnum():
            start = words[index - 1][0]
        for following in words[index + 1 :]:
            if not re.fullmatch(r"[\d-]+", text[slice(*following)]):
                break
            end = following[1]
        return _stripped(text, start, end)
    return None


def _fits(pattern: str, text: str) -> bool:
    """Whether an identifier fits its pattern, as printed without spaces, or without anything between its groups."""
    upper = text.upper()
    return any(_full(pattern, one) for one in dict.fromkeys((upper, upper.replace(" ", ""), compact(text))))


def _full(pattern: str, text: str) -> bool:
    try:
        return regex.fullmatch(pattern, text, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        return False


def _search(pattern: str, text: str) -> Place | None:
    try:
        found = regex.search(pattern, text, timeout=PATTERN_SECONDS)
    except TimeoutError:
        return None
    return found.span() if found and found[0] else None


def _search_upper(pattern: str, text: str) -> Place | None:
    """The pattern within a word, with neither letter nor digit of a longer number beside it."""
    upper = text.upper()
    place = _search(rf"(?<![A-Z0-9])(?:{pattern})(?![A-Z0-9])", upper) if len(upper) == len(text) else None
    return place if place and any(char.isalnum() for char in text[slice(*place)]) else None


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _span(match: re.Match[str] | None) -> Place | None:
    if match is None:
        return None
    start, end = match.span()
    while end > start and match.string[end - 1] == " ":
        end -= 1
    while start < end and match.string[start] == " ":
        start += 1
    return start, end


def _stripped(text: str, start: int, end: int) -> Place | None:
    """Without punctuation at the ends that belongs to the sentence."""
    while start < end and text[start] in " .,:;#()[]'\"-=|":
        start += 1
    while end > start and text[end - 1] in " .,:;#([]'\"-=|)":
        end -= 1
    return (start, end) if start < end else None


def _trimmed(text: str) -> Place:
    start = len(text) - len(text.lstrip(" .,:;-=|·_"))
    end = len(text.rstrip(" ,:;=|·_"))
    return (start, end) if start < end else (0, len(text))
