from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.layout_ner.segment import change_prices, segment


def claims(text: str, sure: dict[int, tuple[str, float]], fields: int = 2) -> npt.NDArray[np.float32]:
    """``sure``: field to the characters' marks, ``x`` where it is claimed with that probability."""
    found = np.full((len(text), fields), 0.01, np.float32)
    for field, (marks, probability) in sure.items():
        for at, mark in enumerate(marks):
            if mark == "x":
                found[at, field] = probability
    return found


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        ("BEST SHOP", "xxxxxxxxx", "000000000"),
        ("BEST SHOP", "xxxx xx x", "000000000"),  # holes in a word
        ("BEST SHOP", "xxxx     ", "0000-----"),  # the end of a word
        ("泰瑞昊家居用品", "xx xxxx", "0000000"),
        ("名称泰瑞昊家居", "  xxxxx", "--00000"),
        ("AB123456", "  xxxxxx", "--000000"),
        ("12.50", "xx xx", "00000"),
        ("TOTAL: 12.50", "       xxxxx", "-------00000"),
        ("nothing here", "            ", "------------"),
    ],
)
def test_words_numbers_and_names_stay_whole(text: str, marks: str, expected: str) -> None:
    found = segment(claims(text, {0: (marks, 0.9)}), text)
    assert "".join("-" if field < 0 else str(field) for field in found) == expected


def test_two_fields_of_one_line_part_where_the_network_says_so() -> None:
    text = "2010.01.02-2030.01.02"
    found = segment(claims(text, {0: ("xxxxxxxxxx", 0.9), 1: ("           xxxxxxxxxx", 0.9)}), text)
    assert found[:10].tolist() == [0] * 10
    assert found[11:].tolist() == [1] * 10


def test_a_line_of_which_nothing_is_probable_belongs_to_none() -> None:
    assert segment(np.full((5, 3), 0.01, np.float32), "12345").tolist() == [-1] * 5
    assert segment(np.zeros((0, 3), np.float32), "").tolist() == []


@given(st.text(max_size=30), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_any_text_and_any_claims_give_a_field_or_none_for_each_character(text: str, fields: int, seed: int) -> None:
    raw = np.random.default_rng(seed).random((len(text), fields + 1)).astype(np.float32)
    given_claims = (raw / raw.sum(axis=1, keepdims=True))[:, :fields]
    found = segment(given_claims, text)
    assert found.shape == (len(text),)
    assert set(found.tolist()) <= set(range(-1, fields))
    assert len(change_prices(text)) == len(text)
