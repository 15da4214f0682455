from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from stdnum import luhn
from stdnum.cn import ric, uscc

from models.layout_ner.synth.values import companies, dates, goods, identifiers, money, people, places


def test_resident_ids_hold_region_birth_sex_and_check_digit() -> None:
    rng = random.Random(1)
    for _ in range(200):
        birth = dates.date_between(rng, date(1940, 1, 1), date(2015, 12, 31))
        male = rng.random() < 0.5
        number = identifiers.resident_id(rng, birth, male, places.region(rng))
        assert ric.is_valid(number)
        assert ric.get_birth_date(number) == birth
        assert int(number[16]) % 2 == male


def test_resident_id_keeps_the_region_where_its_code_is_old_enough() -> None:
    rng = random.Random(2)
    region = next(region for region in places.regions() if region.since == 0)
    assert identifiers.resident_id(rng, date(1990, 5, 1), True, region).startswith(region.code + "19900501")


def test_credit_codes_have_both_check_digits() -> None:
    rng = random.Random(3)
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for _ in range(200):
        code = identifiers.credit_code(rng)
        assert uscc.is_valid(code)
        weighted = sum(w * alphabet.index(c) for w, c in zip((3, 7, 9, 10, 5, 8, 4, 2), code[8:16], strict=True))
        assert (weighted + (10 if code[16] == "X" else int(code[16]))) % 11 == 0


def test_bank_cards_pass_luhn() -> None:
    rng = random.Random(4)
    numbers = [identifiers.bank_card_number(rng) for _ in range(200)]
    assert all(luhn.is_valid(number) for number in numbers)
    assert {len(number) for number in numbers} >= {16, 19}


def test_invoice_numbers_have_their_lengths() -> None:
    rng = random.Random(5)
    for _ in range(50):
        assert len(identifiers.invoice_code(rng)) in (10, 12)
        assert len(identifiers.invoice_number(rng)) == 8
        assert len(identifiers.invoice_number(rng, digital=True)) == 20


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1200", "壹仟贰佰元整"),
        ("100.05", "壹佰元零伍分"),
        ("10005.1", "壹万零伍元壹角"),
        ("20003000.5", "贰仟万叁仟元伍角"),
    ],
)
def test_capitals(value: str, words: str) -> None:
    assert money.capitals(Decimal(value)) == words
    assert money.capitals(Decimal(value), yuan="圆") == words.replace("元", "圆")


def test_amounts_stay_in_range_with_two_decimals() -> None:
    rng = random.Random(6)
    amounts = [money.amount(rng, 0.5, 1000) for _ in range(500)]
    assert all(Decimal("0.5") <= value <= 1000 and value.as_tuple().exponent == -2 for value in amounts)
    assert money.grouped(Decimal("1234567.5")) == "1,234,567.50"
    assert money.grouped(Decimal("1234.565"), comma=False) == "1234.57"


@pytest.mark.parametrize("group", sorted(dates.STYLES))
def test_printed_dates_hold_year_and_month(group: str) -> None:
    rng = random.Random(7)
    printed = {dates.format_date(rng, date(2023, 11, 8), group) for _ in range(200)}
    assert all("23" in text or "二〇二三" in text for text in printed)
    assert all("11" in text or "NOV" in text.upper() or "十一" in text for text in printed)
    assert len(printed) >= min(3, len(dates.STYLES[group]))


def test_chinese_numerals_in_dates() -> None:
    day = date(2020, 10, 31)
    printed = {dates.format_date(random.Random(seed), day, "zh") for seed in range(600)}
    assert "二〇二〇年十月三十一日" in printed


def test_regions_are_complete_and_named() -> None:
    regions = places.regions()
    assert len(regions) > 2500
    assert len({region.code for region in regions}) == len(regions)
    assert all(len(region.code) == 6 and "[" not in region.name and region.province for region in regions)


@pytest.mark.parametrize(
    "make",
    [
        people.chinese_name,
        people.english_name,
        places.address_zh,
        places.address_en,
        places.police_authority,
        companies.company_zh,
        companies.company_en,
        companies.business_scope,
    ],
)
def test_names_seldom_repeat(make: Callable[[random.Random], str]) -> None:
    rng = random.Random(8)
    made = [make(rng) for _ in range(1000)]
    assert len(set(made)) > 700
    assert all(text and text == text.strip() and "  " not in text for text in made)


@pytest.mark.parametrize(
    "make", [companies.bank_zh, companies.shop_en, goods.goods_en, goods.goods_zh, goods.taxed_goods_zh, places.city_zh]
)
def test_same_seed_same_value(make: Callable[[random.Random], str]) -> None:
    assert [make(random.Random(seed)) for seed in range(30)] == [make(random.Random(seed)) for seed in range(30)]
    assert len({make(random.Random(seed)) for seed in range(30)}) > 10
