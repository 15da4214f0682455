"""Numbers with a form and mostly a check digit. Each function says what is wrong, or None where nothing is.

The arithmetic of the check digits is python-stdnum's, loaded when first needed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from stages.fields.normalise import compact

_PROVINCES = frozenset({
    "11", "12", "13", "14", "15", "21", "22", "23", "31", "32", "33", "34", "35", "36", "37", "41", "42", "43",
    "44", "45", "46", "50", "51", "52", "53", "54", "61", "62", "63", "64", "65", "71", "81", "82", "83", "91",
})  # fmt: skip
"""The first two digits of GB/T 2260 regions; 81 to 83 are residents of Hong Kong, Macao and Taiwan (GB 11643 cards),
91 foreign permanent residents."""

_RESIDENT = re.compile(r"\d{17}[\dX]")
_RESIDENT_OLD = re.compile(r"\d{15}")
_MASKED = re.compile(r"(?=.*\*)[\d*]{14,17}[\dX*]")
_CREDIT_CODE = re.compile(r"[1-9A-HJ-NPQRTUWXY][0-9A-HJ-NPQRTUWXY]\d{6}[0-9A-HJ-NPQRTUWXY]{10}")


@dataclass(slots=True, frozen=True)
class Resident:
    """What a resident identity number tells about its holder."""

    birth_date: date
    male: bool


def resident(number: str) -> Resident | None:
    """What the number (18 digits, or 15 as issued until 1999) tells; None where it is not well-formed.

    The check digit is not looked at.
    """
    number = compact(number)
    if _RESIDENT.fullmatch(number):
        born, order = number[6:14], number[16]
    elif _RESIDENT_OLD.fullmatch(number):
        born, order = "19" + number[6:12], number[14]
    else:
        return None
    try:
        return Resident(date(int(born[:4]), int(born[4:6]), int(born[6:])), int(order) % 2 == 1)
    except ValueError:
        return None


def is_masked(number: str) -> bool:
    """Whether part of a resident identity number is hidden by asterisks, as on train tickets."""
    return _MASKED.fullmatch(compact(number)) is not None


def resident_id_fault(number: str) -> str | None:
    """What is wrong with a resident identity number (GB 11643): its form, region, birth date or check digit."""
    number = compact(number)
    if is_masked(number):
        return None if len(number) in (15, 18) else f"it has {len(number)} characters; it should have 18"
    if not (_RESIDENT.fullmatch(number) or _RESIDENT_OLD.fullmatch(number)):
        return _form_fault(number, "17 digits and a digit or X", (18,))
    if number[:2] not in _PROVINCES:
        return f"no region's number begins with {number[:2]}"
    if resident(number) is None:
        return f"it holds no date of birth: there is no day {number[6:14] if len(number) == 18 else number[6:12]}"
    if len(number) == 18:
        from stdnum.cn import ric

        digit = ric.calc_check_digit(number)
        if digit != number[-1]:
            return f"the check digit is {number[-1]}; it should be {digit}"
    return None


def credit_code_fault(number: str) -> str | None:
    """What is wrong with a unified social credit code (GB 32100): its form or check digit."""
    number = compact(number)
    if not _CREDIT_CODE.fullmatch(number):
        return _form_fault(number, "digits and capital letters other than I, O, S, V and Z", (18,))
    from stdnum.cn import uscc

    digit = uscc.calc_check_digit(number)
    return None if digit == number[-1] else f"the check digit is {number[-1]}; it should be {digit}"


def tax_number_fault(number: str) -> str | None:
    """What is wrong with a Chinese taxpayer's number.

    18 characters: a unified social credit code, or a person's identity number. 15: registered before 2015; 17 and 20:
    a person's identity number (15 or 18 digits) and two more.
    """
    number = compact(number)
    if len(number) == 18:
        fault = credit_code_fault(number)
        return None if fault is None or resident_id_fault(number) is None else fault
    if len(number) == 20 and _RESIDENT.match(number):
        return resident_id_fault(number[:18])
    if len(number) == 17 and _RESIDENT_OLD.match(number):
        return resident_id_fault(number[:15])
    if len(number) not in (15, 17, 20) or not re.fullmatch(r"[0-9A-Z]+", number):
        return _form_fault(number, "digits and capital letters", (15, 17, 18, 20))
    return None


def bank_card_fault(number: str) -> str | None:
    """What is wrong with a payment card's number (ISO/IEC 7812): its length or its check digit by Luhn."""
    number = compact(number)
    if not (number.isascii() and number.isdigit()) or not 13 <= len(number) <= 19:
        return _form_fault(number, "digits", tuple(range(13, 20)))
    from stdnum import luhn

    digit = luhn.calc_check_digit(number[:-1])
    return None if digit == number[-1] else f"the check digit is {number[-1]}; it should be {digit}"


def invoice_code_fault(number: str) -> str | None:
    """What is wrong with an invoice code (发票代码): 10 or 12 digits."""
    number = compact(number)
    return None if re.fullmatch(r"[0-9]{10}(?:[0-9]{2})?", number) else _form_fault(number, "digits", (10, 12))


def invoice_number_fault(number: str) -> str | None:
    """What is wrong with an invoice number (发票号码): 8 digits on paper, 20 on fully digital invoices."""
    number = compact(number)
    return None if re.fullmatch(r"[0-9]{8}(?:[0-9]{12})?", number) else _form_fault(number, "digits", (8, 20))


def _form_fault(number: str, kinds: str, lengths: tuple[int, ...]) -> str:
    if len(number) in lengths:
        return f"its characters should be {kinds}"
    span = f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 4 else " or ".join(map(str, lengths))
    return f"it has {len(number)} characters; it should have {span}"
