"""One spelling for what is printed in many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.fields.normalise import compact, comparable, normalise, plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("１２３．４５", "123.45"),
        ("ＡＢＣ（中国）", "ABC(中国)"),
        ("￥１２", "¥12"),
        ("  two   words\n next ", "two words next"),
        ("张　 三", "张三"),
        ("北京 market 上海", "北京 market 上海"),
        ("a\u200bb\ufeff", "ab"),
        ("\u3000", ""),
        ("A\tB\x00C", "A BC"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("2024–03—04", "2024-03-04"), ("−5", "-5")])
def test_dashes(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_comparable_and_compact() -> None:
    assert comparable("Acme Sdn. Bhd.") == comparable("ＡＣＭＥ  SDN BHD")
    assert compact("6222 0212-3456") == "622202123456"
    assert compact("11010519491231002x") == "11010519491231002X"


@given(st.text(max_size=40))
def test_a_second_time_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
