"""Amounts, quantities and rates as printed, to decimal strings."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.fields.money import currency_of, parse_money, parse_number, parse_rate


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("12", "12.00", None),
        ("12.5", "12.50", None),
        ("12.345", "12.345", None),
        (".50", "0.50", None),
        ("1,234.50", "1234.50", None),
        ("1,234", "1234.00", None),
        ("12,50", "12.50", None),
        ("1.234,56", "1234.56", None),
        ("1 234,56", "1234.56", None),
        ("1.234.567", "1234567.00", None),
        ("5'000.00", "5000.00", None),
        ("12,345,678.90", "12345678.90", None),
        ("RM 1,234.50", "1234.50", "MYR"),
        ("RM12.00", "12.00", "MYR"),
        ("rm 12.00", "12.00", "MYR"),
        ("MYR 12.00", "12.00", "MYR"),
        ("¥12", "12.00", "CNY"),
        ("￥１２．５０", "12.50", "CNY"),
        ("¥ 1，234．50", "1234.50", "CNY"),
        ("12元", "12.00", "CNY"),
        ("人民币100元", "100.00", "CNY"),
        ("100万元", "1000000.00", "CNY"),
        ("1.5万元", "15000.00", "CNY"),
        ("500.000000万人民币", "5000000.00", "CNY"),
        ("3亿元", "300000000.00", "CNY"),
        ("100万美元", "1000000.00", "USD"),
        ("壹佰万元整", "1000000.00", "CNY"),
        ("人民币伍佰万元整", "5000000.00", "CNY"),
        ("$8.20", "8.20", "USD"),
        ("US$ 8.20", "8.20", "USD"),
        ("S$8.20", "8.20", "SGD"),
        ("£5", "5.00", "GBP"),
        ("5,00 €", "5.00", "EUR"),
        ("-12.50", "-12.50", None),
        ("−12.50", "-12.50", None),
        ("(12.50)", "-12.50", None),
        ("12.50-", "-12.50", None),
        ("RM -5.00", "-5.00", "MYR"),
        ("-RM5.00", "-5.00", "MYR"),
        ("A-12.00", "12.00", None),
        ("-0.00", "0.00", None),
        ("Total: RM 12.50", "12.50", "MYR"),
        ("3 items RM 12.50", "12.50", "MYR"),
        ("12.50 (INCL. GST)", "12.50", None),
        ("12.50 SR", "12.50", None),
    ],
)
def test_money(text: str, value: str, currency: str | None) -> None:
    found = parse_money(text)
    assert found is not None
    assert (found.value, found.currency, found.fault) == (value, currency, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12. 50", "12.50"),
        ("1,234,56", "1234.56"),
        ("12.50 3.00", "3.00"),
        ("RM 1O.50", "1.00"),
        ("12.5O", "12.50"),
        ("9.99%", "9.99"),
        ("5 100.00", "5100.00"),
    ],
)
def test_odd_amounts_are_read_and_reported(text: str, value: str) -> None:
    found = parse_money(text)
    assert found is not None
    assert found.value == value
    assert found.fault


@pytest.mark.parametrize("text", ["", "RM", "abc", "元", "1" * 60, "...", "---"])
def test_no_amount(text: str) -> None:
    assert parse_money(text) is None


@pytest.mark.parametrize(
    ("text", "hint", "currency"),
    [
        ("$8.20", "SGD", "SGD"),
        ("$8.20", "MYR", "MYR"),
        ("$8.20", "CNY", "USD"),
        ("¥820", "JPY", "JPY"),
        ("US$8.20", "SGD", "USD"),
        ("8.20", "SGD", None),
        ("PLEASE TRY 2", None, None),
        ("PEN 2.50", None, None),
    ],
)
def test_shared_signs_follow_the_document(text: str, hint: str | None, currency: str | None) -> None:
    assert currency_of(text, hint) == currency


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("２", 2),
        ("1,000", 1000),
        ("3台", 3),
        ("-1", -1),
        ("1.5", "1.5"),
        ("3.141592", "3.141592"),
        ("2.0", "2.0"),
    ],
)
def test_number(text: str, value: int | str) -> None:
    assert parse_number(text) == (value, None)


def test_no_number() -> None:
    assert parse_number("次") is None


@pytest.mark.parametrize(
    ("text", "rate"), [("13%", "13"), ("１３％", "13"), ("6.0 %", "6"), ("1.5%", "1.5"), ("0.13", "13"), ("3", "3")]
)
def test_rate(text: str, rate: str) -> None:
    assert parse_rate(text) == rate


@given(
    st.decimals("-99999999.99", "99999999.99", places=2), st.sampled_from(["{}", "RM {}", "¥{}", "{}元", "Total: {}"])
)
def test_every_amount_reads_back(amount: Decimal, form: str) -> None:
    found = parse_money(form.format(f"{amount:,}"))
    assert found is not None
    assert Decimal(found.value) == amount
    assert found.fault is None


@given(st.text(alphabet="0123456789.,' -()RM¥$元万%OlS壹佰整", max_size=40))
def test_any_text_is_survived(text: str) -> None:
    found = parse_money(text)
    if found is not None:
        number = Decimal(found.value)
        assert number.is_finite()
        exponent = number.as_tuple().exponent
        assert isinstance(exponent, int)
        assert exponent <= -2
    parse_number(text)
    parse_rate(text)
