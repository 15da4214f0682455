"""Loading ahead what is loaded when first needed, so that no document waits for it."""

from __future__ import annotations

from decimal import Decimal


def warm_up() -> None:
    """Load the packages behind check digits, capitals and telephone numbers: a few tenths of a second.

    Not dateparser, which is only for months named in languages other than English, Malay and Chinese.
    """
    from stages.fields.capitals import parse_capitals, to_capitals
    from stages.fields.validators import VALIDATORS

    parse_capitals(to_capitals(Decimal("1234.56")))
    for name, number in _NUMBERS.items():
        VALIDATORS[name](number)


_NUMBERS = {
    "resident_id": "11010519491231002X",  # the example in GB 11643
    "credit_code": "91110000600037341L",
    "bank_card": "4111111111111111",
    "phone": "+8610 12345678",
}
"""Numbers that get as far as the check digit."""
