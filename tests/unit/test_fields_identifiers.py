"""Numbers with a form and a check digit, and the validators that look at them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn
from stdnum.cn import ric, uscc

from stages.fields.identifiers import (
    bank_card_fault,
    credit_code_fault,
    is_masked,
    resident,
    resident_id_fault,
    tax_number_fault,
)
from stages.fields.validators import VALIDATORS, validate

_CODE = "0123456789ABCDEFGHJKLMNPQRTUWXY"


@st.composite
def resident_ids(draw: st.DrawFn) -> str:
    born = draw(st.dates(date(1930, 1, 1), date(2020, 12, 31)))
    body = f"{draw(st.sampled_from(['11', '31', '44', '65']))}{draw(st.integers(101, 9999)):04}{born:%Y%m%d}"
    body += f"{draw(st.integers(0, 999)):03}"
    return body + str(ric.calc_check_digit(body + "0"))


@st.composite
def credit_codes(draw: st.DrawFn) -> str:
    body = draw(st.sampled_from(["91", "92", "12", "N2"])) + f"{draw(st.integers(110000, 659999)):06}"
    body += draw(st.text(_CODE, min_size=9, max_size=9))
    return body + str(uscc.calc_check_digit(body))


@given(resident_ids(), st.integers(0, 17), st.sampled_from("0123456789X"))
def test_resident_id_with_one_character_changed_fails(number: str, place: int, char: str) -> None:
    assert resident_id_fault(number) is None
    changed = number[:place] + char + number[place + 1 :]
    assert (resident_id_fault(changed) is None) == (changed == number)


@given(credit_codes(), st.integers(0, 17), st.sampled_from(_CODE + "IOSVZ"))
def test_credit_code_with_one_character_changed_fails(number: str, place: int, char: str) -> None:
    assert credit_code_fault(number) is None
    changed = number[:place] + char + number[place + 1 :]
    assert (credit_code_fault(changed) is None) == (changed == number)


@given(st.text("0123456789", min_size=12, max_size=18), st.data())
def test_bank_card_with_one_digit_changed_fails(body: str, data: st.DataObject) -> None:
    number = body + luhn.calc_check_digit(body)
    assert bank_card_fault(number) is None
    place, digit = data.draw(st.integers(0, len(number) - 1)), data.draw(st.sampled_from("0123456789"))
    changed = number[:place] + digit + number[place + 1 :]
    assert (bank_card_fault(changed) is None) == (changed == number)


@pytest.mark.parametrize(
    ("name", "number", "passed"),
    [
        ("resident_id", "11010519491231002X", True),
        ("resident_id", "11010519491231002x", True),
        ("resident_id", "110105 19491231 002X", True),
        ("resident_id", "１１０１０５１９４９１２３１００２Ｘ", True),
        ("resident_id", "110105194912310021", False),
        ("resident_id", "1101051949123100", False),
        ("resident_id", "110105194902310029", False),
        ("resident_id", "000105194912310020", False),
        ("resident_id", "130503670401001", True),
        ("resident_id", "1101011990****1234", True),
        ("resident_id", "11010119****1234", False),
        ("resident_id", "", False),
        ("credit_code", "91110000600037341L", True),
        ("credit_code", "9111000060003734IL", False),
        ("credit_code", "91110000600037341", False),
        ("tax_number", "91110000600037341L", True),
        ("tax_number", "91110000600037341M", False),
        ("tax_number", "11010519491231002X", True),
        ("tax_number", "110105710006667", True),
        ("tax_number", "11010519491231002X01", True),
        ("tax_number", "11010519491231003X01", False),
        ("tax_number", "1101057100066671", False),
        ("bank_card", "4111 1111 1111 1111", True),
        ("bank_card", "4111111111111112", False),
        ("bank_card", "411111111111", False),
        ("bank_card", "41111111111111l1", False),
        ("invoice_code", "044001900111", True),
        ("invoice_code", "04400190011", False),
        ("invoice_number", "12345678", True),
        ("invoice_number", "24952000000123456789", True),
        ("invoice_number", "1234567", False),
        ("phone", "13812345678", True),
        ("phone", "电话:010-12345678", True),
        ("phone", "+60 3-7956 7700", True),
        ("phone", "12345", False),
        ("phone", "abc", False),
    ],
)
def test_validator(name: str, number: str, passed: bool) -> None:
    check = validate(name, number)
    assert check == VALIDATORS[name](number)
    assert (check.name, check.passed) == (name, passed)
    assert check.reason


def test_reason_names_the_right_digit() -> None:
    assert validate("resident_id", "110105194912310021").reason == "the check digit is 1; it should be X"


def test_hidden_numbers_say_what_was_not_checked() -> None:
    assert is_masked("1101011990****1234")
    assert "hidden" in validate("resident_id", "1101011990****1234").reason


def test_holder() -> None:
    holder = resident("11010519491231002X")
    assert holder is not None
    assert (holder.birth_date, holder.male) == (date(1949, 12, 31), False)
    old = resident("130503670401001")
    assert old is not None
    assert (old.birth_date, old.male) == (date(1967, 4, 1), True)
    assert resident("110105194913310021") is None
    assert resident("12") is None


@given(st.text(max_size=24))
def test_any_text_is_survived(text: str) -> None:
    for fault in (resident_id_fault, credit_code_fault, tax_number_fault, bank_card_fault):
        fault(text)
    resident(text)
