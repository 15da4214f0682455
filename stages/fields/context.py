"""What the rest of a document says about a value that could be read in two ways: 03/04/2024, $12."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from schemas.document import Page
from stages.fields.dates import Order, order_on_page
from stages.fields.money import CODES, SHARED, SIGNS
from stages.fields.normalise import has_ideograph, plain

_WORDS = "|".join(re.escape(sign) for sign in sorted((*CODES, *SIGNS), key=len, reverse=True) if sign[0].isalpha())
_MARKS = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True) if not sign[0].isalpha())
_CURRENCY = re.compile(rf"(?<![A-Za-z])(?:{_WORDS})(?![A-Za-z])|(?:{_MARKS})|(?<=\d)[元圆]")

_MONTH_FIRST = frozenset({"USD", "PHP"})
"""Where people write the month first."""
_DAY_FIRST = frozenset(
    {"MYR", "SGD", "GBP", "EUR", "AUD", "NZD", "INR", "IDR", "THB", "HKD", "BRL", "ZAR", "VND", "CHF"}
)
"""Where people write the day first."""


class Context:
    """The pages of a document, asked only when it matters, since the answer takes reading all their lines.

    Args:
        pages: all of them.
        order: what 03/04/2024 means in documents of this type.
    """

    def __init__(self, pages: Sequence[Page], order: Order = "DMY") -> None:
        self._pages = pages
        self._order = order

    @property
    def usual(self) -> Order:
        """The order in documents of this type, whatever the pages say."""
        return self._order

    @cached_property
    def _text(self) -> str:
        return "\n".join(plain(line.text) for page in self._pages for line in page.lines)

    @cached_property
    def order(self) -> tuple[Order, bool]:
        """The order of day and month, and whether the pages tell: by another date, or by a country's currency."""
        seen = order_on_page(self._text, self._order)
        if seen is not None:
            return seen, True
        if self._named in _MONTH_FIRST:
            return "MDY", True
        if self._named in _DAY_FIRST:
            return "DMY", True
        if self._order == "YMD" and not has_ideograph(self._text):
            return "DMY", False  # where Chinese is not written, no year of two digits stands in front
        return self._order, False

    @property
    def currency(self) -> str | None:
        """The currency (ISO 4217) that the pages name most often; None where they name none, or two alike."""
        named, shared = self._counts
        return _most(named) or (_most(shared) if not named else None)

    @property
    def _named(self) -> str | None:
        """As ``currency``, without signs that several countries share."""
        return _most(self._counts[0])

    @cached_property
    def _counts(self) -> tuple[Counter[str], Counter[str]]:
        named: Counter[str] = Counter()
        shared: Counter[str] = Counter()
        for sign, count in Counter(_CURRENCY.findall(self._text)).items():
            (shared if sign in SHARED else named)[SIGNS.get(sign, sign)] += count
        return named, shared


def _most(counts: Counter[str]) -> str | None:
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
