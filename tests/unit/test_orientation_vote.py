"""When votes turn a page."""

from __future__ import annotations

import pytest

from stages.orientation.vote import LOOKS, decide, is_settled, is_vertical_text


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("votes", [[], [0.5], [0.5] * 9, [0.9, 0.1] * 9, [0.7] * 3, [0.6] * 18, [0.3] * 9])
def test_doubt_turns_nothing(tall: bool, votes: list[float]) -> None:
    assert decide(tall, votes, lines=9) == 0


@pytest.mark.parametrize("count", [2, 3, 9, 18])
def test_agreement_turns(count: int) -> None:
    down, up = [0.99] * count, [0.01] * count
    assert decide(False, down, count) == 180
    assert decide(False, up, count) == 0
    assert decide(True, down, 3) == 90
    assert decide(True, up, 3) == 270


@pytest.mark.parametrize("vote", [0.0, 1.0])
def test_a_single_piece_and_a_single_column_turn_nothing(vote: float) -> None:
    assert decide(False, [vote], 1) == 0
    assert decide(True, [vote] * 18, 1) == 0
    assert decide(True, [vote] * 18, 2) == 0


def test_many_votes_may_disagree_more_than_few() -> None:
    assert decide(False, [1.0] * 2 + [0.0], 3) == 0
    assert decide(False, [1.0] * 14 + [0.0] * 4, 18) == 180
    assert decide(False, [1.0] * 11 + [0.0] * 7, 18) == 0


def test_an_upright_page_is_settled_after_the_first_look_and_a_turned_one_is_not() -> None:
    first = LOOKS[0]
    assert is_settled(False, [0.02] * first)
    assert not is_settled(False, [0.98] * first)
    assert not is_settled(False, [0.02] * (first - 1) + [0.97])
    assert not is_settled(True, [0.02] * first)
    assert is_settled(False, [0.98] * LOOKS[1])
    assert is_settled(True, [0.98] * LOOKS[1])
    assert not is_settled(False, [])


def test_columns_of_upright_characters_are_vertical_text() -> None:
    assert is_vertical_text([0.02, 0.1, 0.2])
    assert not is_vertical_text([0.02, 0.6, 0.5])
    assert not is_vertical_text([])
