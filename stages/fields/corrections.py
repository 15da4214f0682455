"""Which fields are decoded again when a check fails, under which alphabet, and what must then pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from models.layout_ner.candidate import Candidate
from schemas.doctypes import FieldType
from schemas.document import Page
from schemas.fields import Check
from stages.fields.context import Context
from stages.fields.correct import decode_again
from stages.fields.typed import CORRECTION, Typed, typed
from stages.fields.validators import CHECK_DIGITS

_CREDIT = "0-9A-HJ-NPQRTUWXY"
_BY_VALIDATOR = {
    "resident_id": "0-9Xx", "credit_code": _CREDIT, "tax_number": "0-9A-Z", "bank_card": "0-9",
}  # fmt: skip
_CAPITALS = "零壹贰叁肆伍陆柒捌玖拾佰仟万亿元圆角分整正人民币负"


def corrected(
    kind: FieldType, candidate: Candidate, result: Typed, pages: Mapping[int, Page], context: Context
) -> Typed:
    """The result, or a corrected one that says so in a check of its own.

    Only a value on a single line, whose check failed, of a kind that a check or a form can settle is decoded again.
    """
    allowed = _alphabet(kind)
    if allowed is None or result.passed or len(candidate.spans) != 1:
        return result
    span, page = candidate.spans[0], pages.get(candidate.page)
    if page is None or not 0 <= span.line < len(page.lines):
        return result
    line = page.lines[span.line]
    read = line.text[span.start : span.end]
    value = decode_again(line, span, read, allowed, _passes(kind, context))
    if value is None:
        return result
    better = typed(kind, value, context)
    better.checks.append(Check(CORRECTION, True, f"read {read.strip()}, decoded again as {value}"))
    return better


def _alphabet(kind: FieldType) -> str | None:
    if kind.validator in CHECK_DIGITS:
        return _BY_VALIDATOR[kind.validator]
    if kind.type == "digits" and kind.pattern is not None:
        return "0-9"
    if kind.type == "capitals":
        return _CAPITALS
    return None


def _passes(kind: FieldType, context: Context) -> Callable[[str], bool]:
    return lambda value: typed(kind, value, context).passed
