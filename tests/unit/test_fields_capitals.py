"""Amounts in Chinese capitals."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.fields.capitals import parse_capitals, to_capitals


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("壹仟贰佰元整", "1200.00"),
        ("人民币壹万零叁佰元伍角整", "10300.50"),
        ("叁佰零伍元零柒分", "305.07"),
        ("拾贰元整", "12.00"),
        ("⊗壹佰圆整", "100.00"),
        ("(大写)人民币柒仟捌佰玖拾元壹角贰分", "7890.12"),
        ("（大写）：壹佰元正", "100.00"),
        ("伍角", "0.50"),
        ("贰分", "0.02"),
        ("零元整", "0.00"),
        ("负壹佰元整", "-100.00"),
        ("(负数)壹拾元整", "-10.00"),
        ("壹亿零贰拾万元", "100200000.00"),
        ("壹佰元零伍角", "100.50"),
        ("贰拾元陆角零分", "20.60"),
        ("肆仟元", "4000.00"),
        ("貳萬參仟圓整", "23000.00"),
        ("一千二百元", "1200.00"),
        ("壹 仟 贰 佰 元 整", "1200.00"),
    ],
)
def test_amount(text: str, amount: str) -> None:
    found = parse_capitals(text)
    assert found.fault is None
    assert str(found.amount) == amount


@pytest.mark.parametrize(
    "text", ["", "合计", "壹仟零佰元", "壹佰零拾元", "零佰元整", "元整", "整", "壹壹元", "12.50", "壹佰伍角"]
)
def test_no_amount(text: str) -> None:
    found = parse_capitals(text)
    assert found.amount is None
    assert found.fault


def test_lookalikes_are_named_and_not_taken() -> None:
    found = parse_capitals("壹任贰佰元整")
    assert found.amount is None
    assert "任 (may be 仟)" in (found.fault or "")


@given(st.integers(0, 10**18 - 1))
def test_capitals_and_back(cents: int) -> None:
    amount = Decimal(cents) / 100
    assert parse_capitals(to_capitals(amount)).amount == amount


@given(st.integers(1, 10**10))
def test_negative_amounts_and_back(cents: int) -> None:
    assert parse_capitals(to_capitals(-Decimal(cents) / 100)).amount == -Decimal(cents) / 100


@given(st.text(alphabet="零壹贰叁拾佰仟万亿元角分整负", max_size=12))
def test_any_numerals_are_survived(text: str) -> None:
    found = parse_capitals(text)
    assert (found.amount is None) == (found.fault is not None)


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "1e16"])
def test_amounts_without_capitals(amount: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        to_capitals(Decimal(amount))
