"""How well the words beside an amount say that it is the total of a receipt."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from models.layout_ner.example import Span, TextLine

_LOOKALIKES = str.maketrans("015", "OLS")  # as they are misread for one another
_PAYMENT = re.compile(
    r"CASH|CHANGE|TENDER|VISA|MASTER|CARD|CREDIT|DEPOSIT|DISC|SAVING|QTY|QUANTITY|ITEMS|POINT|现金|找零|优惠"
)
_TAX = re.compile(r"TAX|GST|VAT|税")
_INCLUDED = re.compile(r"INC|W/|WITH|AFTER|含|ROUND")
_EXCLUDED = re.compile(r"SUB|EXC|BEFORE|W/O|小计|不含")
_TOTAL = re.compile(r"TOTAL|TOTA|OTAL|合计|总计|总额|应付|实付|实收|价税合计")
_WEAK = re.compile(r"AMOUNT|AMT|NETT?|DUE|PAYABLE|金额")


def total_support(span: Span, lines: Sequence[TextLine]) -> int:
    """2: a word for the total stands before it; 1: one for a subtotal or an amount; 0: nothing; -1: a payment or tax.

    The nearest words decide: those in the line before the span, then the lines to the left on the same row.
    """
    for text in _before(span, lines):
        score = _score(text)
        if score is not None:
            return score
    return 0


def _score(text: str) -> int | None:
    """None: the text says nothing."""
    text = text.upper().translate(_LOOKALIKES)
    if _TOTAL.search(text):
        if _EXCLUDED.search(text):
            return 1
        if _TAX.search(text) and not _INCLUDED.search(text):
            return -1
        return -1 if _PAYMENT.search(text) else 2
    if _PAYMENT.search(text) or _TAX.search(text):
        return -1
    return 1 if _WEAK.search(text) else None


def _before(span: Span, lines: Sequence[TextLine]) -> Iterator[str]:
    """What stands left of a span, nearest first."""
    here = lines[span.line]
    yield here.text[: span.start]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = here.polygon
    length = math.hypot(bx - ax, by - ay) or 1.0
    along = ((bx - ax) / length, (by - ay) / length)
    height = math.hypot(dx - ax, dy - ay) or 1.0
    middle = ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)
    left: list[tuple[float, str]] = []
    for number, line in enumerate(lines):
        x = sum(point[0] for point in line.polygon) / 4 - middle[0]
        y = sum(point[1] for point in line.polygon) / 4 - middle[1]
        if number != span.line and abs(along[0] * y - along[1] * x) < 0.6 * height:
            distance = along[0] * x + along[1] * y
            if distance < 0:
                left.append((distance, line.text))
    for _, text in sorted(left, reverse=True):
        yield text
