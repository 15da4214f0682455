"""What must hold between the fields of a document: sums, orders, and numbers that repeat what stands elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, Decimal, InvalidOperation

from schemas.doctypes import BirthDateCheck, CapitalsCheck, DocType, DocumentCheck, OrderCheck, SexCheck, SumCheck
from schemas.fields import Check, Field
from stages.fields.dates import PERMANENT
from stages.fields.identifiers import resident

Fields = Mapping[str, Field | list[Field]]

_CENT = Decimal("0.01")


def check_document(doctype: DocType, fields: Fields) -> None:
    """Add the document type's checks to the fields that they concern, in place.

    A check whose fields are not all there and understood says nothing. One that fails leaves every value as it is and
    marks the single fields it concerns for review.
    """
    for rule in doctype.checks:
        check = _result(rule, fields)
        if check is None:
            continue
        for name in _concerned(rule):
            field = fields.get(name)
            if isinstance(field, Field):
                field.checks.append(check)
                field.needs_review = field.needs_review or not check.passed


def _result(rule: DocumentCheck, fields: Fields) -> Check | None:
    if isinstance(rule, SumCheck):
        return _sum(rule, fields)
    if isinstance(rule, OrderCheck):
        return _order(rule, fields)
    if isinstance(rule, CapitalsCheck):
        return _capitals(rule, fields)
    if isinstance(rule, BirthDateCheck):
        return _birth_date(rule, fields)
    return _sex(rule, fields)


def _concerned(rule: DocumentCheck) -> tuple[str, ...]:
    if isinstance(rule, SumCheck):
        return rule.total, *rule.of
    if isinstance(rule, OrderCheck):
        return rule.first, rule.last
    if isinstance(rule, CapitalsCheck):
        return rule.words, rule.figures
    return rule.id_number, (rule.birth_date if isinstance(rule, BirthDateCheck) else rule.sex)


def _sum(rule: SumCheck, fields: Fields) -> Check | None:
    total = _number(fields.get(rule.total))
    terms: list[Decimal] = []
    for name in rule.of:
        amounts = list(_amounts(name, fields))
        if not amounts or None in amounts:
            return None
        terms += [amount for amount in amounts if amount is not None]
    if total is None:
        return None
    added = sum(terms, Decimal(0))
    # Each figure may have been rounded by half a cent before it was printed.
    allowed = (_CENT / 2 * (len(terms) + 1)).quantize(_CENT, ROUND_CEILING) if len(terms) > 2 else _CENT
    difference = abs(total - added)
    what = " + ".join(f"{amount:f}" for amount in terms) if len(terms) <= 4 else f"the sum of {len(terms)} amounts"
    if difference > allowed:
        return Check("sum", False, f"{what} is {added:f}, not {total:f}")
    near = "" if not difference else f" but for rounding ({difference:f})"
    return Check("sum", True, f"{what} is {total:f}{near}")


def _amounts(name: str, fields: Fields) -> Iterator[Decimal | None]:
    """The numbers of a field, or of a part over all rows; None for one that is there but not understood."""
    whole, _, part = name.partition(".")
    found = fields.get(whole)
    for field in found if isinstance(found, list) else [found] if found else []:
        if part:
            parts = field.value if isinstance(field.value, dict) else {}
            yield _number(parts.get(part))
        else:
            yield _number(field)


def _order(rule: OrderCheck, fields: Fields) -> Check | None:
    first, last = _text(fields.get(rule.first)), _text(fields.get(rule.last))
    if not first or not last or first == PERMANENT:
        return None
    size = min(len(first), len(last))  # a month against a day: as far as both are known
    right = last == PERMANENT or first[:size] <= last[:size]
    relation = "is not after" if right else "is after"
    return Check("order", right, f"{_label(rule.first)} {first} {relation} {_label(rule.last)} {last}")


def _capitals(rule: CapitalsCheck, fields: Fields) -> Check | None:
    words, figures = _number(fields.get(rule.words)), _number(fields.get(rule.figures))
    if words is None or figures is None:
        return None
    if words == figures:
        return Check("capitals", True, f"words and figures agree: {figures:f}")
    return Check("capitals", False, f"the words say {words:f}, the figures {figures:f}")


def _birth_date(rule: BirthDateCheck, fields: Fields) -> Check | None:
    number, born = _text(fields.get(rule.id_number)), _text(fields.get(rule.birth_date))
    holder = resident(number) if number else None
    if holder is None or not born:
        return None
    told = holder.birth_date.isoformat()
    if told == born:
        return Check("birth_date", True, f"number and date of birth agree: {born}")
    return Check("birth_date", False, f"the number says {told}, the date of birth {born}")


def _sex(rule: SexCheck, fields: Fields) -> Check | None:
    number, sex = _text(fields.get(rule.id_number)), _text(fields.get(rule.sex))
    holder = resident(number) if number else None
    if holder is None or sex not in ("M", "F"):
        return None
    told = "M" if holder.male else "F"
    if told == sex:
        return Check("sex", True, f"number and sex agree: {sex}")
    return Check("sex", False, f"the number says {told}, the field {sex}")


def _number(field: Field | list[Field] | None) -> Decimal | None:
    if not isinstance(field, Field) or field.value is None or isinstance(field.value, dict):
        return None
    try:
        number = Decimal(str(field.value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _text(field: Field | list[Field] | None) -> str | None:
    return field.value if isinstance(field, Field) and isinstance(field.value, str) else None


def _label(name: str) -> str:
    return name.replace("_", " ")
