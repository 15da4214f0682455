"""The validators that a document type can name: each looks at a single value and gives a :class:`Check`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from schemas.fields import Check
from stages.fields import identifiers
from stages.fields.phones import parse_phone

Validator = Callable[[str], Check]

_FAULTS: dict[str, tuple[Callable[[str], str | None], str]] = {
    "resident_id": (identifiers.resident_id_fault, "form, region, date of birth and check digit are right (GB 11643)"),
    "credit_code": (identifiers.credit_code_fault, "form and check digit are right (GB 32100)"),
    "tax_number": (identifiers.tax_number_fault, "length and, where it has one, check digit are right"),
    "bank_card": (identifiers.bank_card_fault, "length and check digit are right (Luhn)"),
    "invoice_code": (identifiers.invoice_code_fault, "it has 10 or 12 digits"),
    "invoice_number": (identifiers.invoice_number_fault, "it has 8 or 20 digits"),
    "phone": (lambda value: parse_phone(value)[1], "it is a number that can be dialled"),
}

CHECK_DIGITS = frozenset({"resident_id", "credit_code", "tax_number", "bank_card"})
"""Validators so telling that of two readings of a smudged number they tell the right one."""


def validate(name: str, value: str) -> Check:
    """Check a normalised value with the validator of that name.

    Raises:
        KeyError: there is no such validator; document types are checked for it when they are loaded.
    """
    fault_of, right = _FAULTS[name]
    fault = fault_of(value)
    if fault is None and name == "resident_id" and "*" in value:
        return Check(name, True, "part of it is hidden; only its form could be checked")
    return Check(name, fault is None, fault or right)


VALIDATORS: Mapping[str, Validator] = {
    name: lambda value, name=name: validate(name, value)  # type: ignore[misc]
    for name in _FAULTS
}
