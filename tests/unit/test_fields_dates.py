"""Dates, months and times as printed, to ISO 8601."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.fields.dates import PERMANENT, order_on_page, parse_date, parse_datetime, parse_month


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2018-03-25", "2018-03-25"),
        ("2018/3/5", "2018-03-05"),
        ("2018.03.25", "2018-03-25"),
        ("20180325", "2018-03-25"),
        ("25032018", "2018-03-25"),
        ("25/03/2018", "2018-03-25"),
        ("25-03-2018", "2018-03-25"),
        ("25.3.2018", "2018-03-25"),
        ("25 / 03 / 2018", "2018-03-25"),
        ("03/25/2018", "2018-03-25"),
        ("25/03/18", "2018-03-25"),
        ("25/03/69", "1969-03-25"),
        ("25/03/68", "2068-03-25"),
        ("98/03/25", "1998-03-25"),
        ("25 Mar 2018", "2018-03-25"),
        ("25-MAR-18", "2018-03-25"),
        ("25MAR2018", "2018-03-25"),
        ("25 Mar'18", "2018-03-25"),
        ("25th March, 2018", "2018-03-25"),
        ("1st of June 2018", "2018-06-01"),
        ("Mar 25, 2018", "2018-03-25"),
        ("September 3rd 2018", "2018-09-03"),
        ("2018-Mar-25", "2018-03-25"),
        ("12 Ogos 2018", "2018-08-12"),
        ("Date: 25/03/2018 18:24:11 (SUN)", "2018-03-25"),
        ("2018年3月25日", "2018-03-25"),
        ("2018 年 03 月 25 日", "2018-03-25"),
        ("18年3月25号", "2018-03-25"),
        ("２０１８年０３月２５日", "2018-03-25"),
        ("２５／０３／２０１８", "2018-03-25"),
        ("二〇二四年十二月三十一日", "2024-12-31"),
        ("二零二四年三月十日", "2024-03-10"),
        ("二○二四年一月廿五日", "2024-01-25"),
        ("二O二四年十月二十日", "2024-10-20"),
        ("2010.05.06-2030.05.06", "2010-05-06"),
        ("29/02/2024", "2024-02-29"),
        ("15 de marzo de 2018", "2018-03-15"),
        ("长期", PERMANENT),
        ("Long-term", PERMANENT),
        ("终身", PERMANENT),
        ("Whole of life", PERMANENT),
    ],
)
def test_date(text: str, value: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.value == value
    assert found.fault is None


@pytest.mark.parametrize("text", ["", "hello", "Tel 12 34 56", "RM 12.50", "十月", "3 items 2018 12", "a" * 5000])
def test_no_date(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize("text", ["31/02/2018", "29.02.2023", "2018年13月1日", "32 Mar 2018", "2018-00-10"])
def test_no_such_day(text: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.value is None
    assert "there is no day" in (found.fault or "")


def test_two_readings() -> None:
    found = parse_date("03/04/2024")
    assert found is not None
    assert (found.value, found.other) == ("2024-04-03", "2024-03-04")
    swapped = parse_date("03/04/2024", "MDY")
    assert swapped is not None
    assert (swapped.value, swapped.other) == ("2024-03-04", "2024-04-03")


@pytest.mark.parametrize("text", ["04/04/2024", "13/04/2024", "04/13/2024", "2024-03-04", "3 Apr 2024"])
def test_one_reading(text: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.other is None


def test_year_first_with_two_digits() -> None:
    found = parse_date("18/03/25", "YMD")
    assert found is not None
    assert (found.value, found.other) == ("2018-03-25", "2025-03-18")
    impossible = parse_date("18/13/25", "YMD")
    assert impossible is not None
    assert impossible.value is None
    last = parse_date("25/12/98", "YMD")
    assert last is not None
    assert (last.value, last.other) == ("1998-12-25", None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2010.05.06-2030.05.06", "2030-05-06"),
        ("2010.05.06-长期", PERMANENT),
        ("2030.05.06", "2030-05-06"),
        ("自2024年1月1日零时起至2024年12月31日二十四时止", "2024-12-31"),
    ],
)
def test_end_of_a_period(text: str, value: str) -> None:
    found = parse_date(text, last=True)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12/26", "2026-12"),
        ("05 / 28", "2028-05"),
        ("VALID THRU 12/26", "2026-12"),
        ("12/2026", "2026-12"),
        ("2026-12", "2026-12"),
        ("Dec 2026", "2026-12"),
        ("2026年12月", "2026-12"),
        ("二〇二六年十二月", "2026-12"),
        ("0526", "2026-05"),
        ("31/12/2026", "2026-12"),
        ("长期", PERMANENT),
    ],
)
def test_month(text: str, value: str) -> None:
    found = parse_month(text)
    assert found is not None
    assert found.value == value


def test_no_such_month() -> None:
    found = parse_month("13/26")
    assert found is not None
    assert found.value is None
    assert parse_month("MONTH/YEAR") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024年03月25日 08:15开", "2024-03-25T08:15"),
        ("2024年3月25日8时05分", "2024-03-25T08:05"),
        ("25/03/2018 6:24:11 PM", "2018-03-25T18:24:11"),
        ("25/03/2018 12:05 AM", "2018-03-25T00:05"),
        ("18:24 25/03/2018", "2018-03-25T18:24"),
        ("25/03/2018", "2018-03-25"),
        ("25/03/2018 25:61", "2018-03-25"),
    ],
)
def test_datetime(text: str, value: str) -> None:
    found = parse_datetime(text)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Date 03/04/2024\nDue 25/04/2024", "DMY"),
        ("Date 03/04/2024\nDue 04/25/2024", "MDY"),
        ("25/04/2024 and 04/25/2024", None),
        ("03/04/2024", None),
        ("call 25 10 2024", None),
    ],
)
def test_order_told_by_other_dates(text: str, order: str | None) -> None:
    assert order_on_page(text) == order


@given(st.dates(date(1970, 1, 1), date(2068, 12, 31)), st.data())
def test_every_format_reads_back(day: date, data: st.DataObject) -> None:
    written = data.draw(
        st.sampled_from(
            [
                day.isoformat(),
                f"{day:%d/%m/%Y}",
                f"{day:%d.%m.%y}",
                f"{day:%d %b %Y}",
                f"{day:%B %d, %Y}",
                f"{day.year}年{day.month}月{day.day}日",
                f"Date:{day:%d-%m-%Y}",
            ]
        )
    )
    found = parse_date(written)
    assert found is not None
    assert found.value == day.isoformat()


@given(st.text(alphabet="0123456789/-. 年月日JanMarO:零一二十廿", max_size=30))
def test_any_text_is_survived(text: str) -> None:
    for found in (parse_date(text), parse_date(text, last=True), parse_month(text), parse_datetime(text, "MDY")):
        if found is not None and found.value not in (None, PERMANENT):
            date.fromisoformat((found.value + "-01")[:10])
