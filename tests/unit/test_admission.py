from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.server.admission import Admission, Ticket
from schemas.errors import QueueFull


def admission(pages: int = 100, share: float = 0.1) -> Admission:
    return Admission(pages, share, 1.0)


def taken(made: Admission, count: int) -> list[int]:
    tickets = [made.take() for _ in range(count)]
    return [ticket.priority for ticket in tickets if ticket is not None]


def test_first_come_first_served_within_a_priority() -> None:
    made = admission()
    tickets = [made.enter(1, 1, 0.0) for _ in range(3)]
    assert [made.take() for _ in range(4)] == [*tickets, None]


def test_the_most_urgent_goes_first() -> None:
    made = admission()
    for priority in (2, 1, 0):
        made.enter(priority, 1, 0.0)
    assert taken(made, 3) == [0, 1, 2]


@pytest.mark.parametrize("pages", [1, 5])
def test_the_lowest_gets_its_share_of_turns_while_urgent_work_never_ends(pages: int) -> None:
    made = admission(10_000)
    for _ in range(500):
        made.enter(0, 1, 0.0)
    for _ in range(50):
        made.enter(2, pages, 0.0)
    order = [ticket for ticket in (made.take() for _ in range(220)) if ticket]
    low = sum(ticket.pages for ticket in order if ticket.priority == 2)
    high = sum(ticket.pages for ticket in order if ticket.priority == 0)
    assert low == pytest.approx(0.1 * high, rel=0.35)
    assert low


def test_without_a_share_the_lowest_waits_until_nothing_else_does() -> None:
    made = admission(10_000, share=0.0)
    for _ in range(100):
        made.enter(0, 1, 0.0)
    made.enter(2, 1, 0.0)
    assert taken(made, 101) == [0] * 100 + [2]


def test_a_flood_of_one_priority_leaves_room_for_the_others() -> None:
    made = admission(100)
    for priority, room in ((1, 80), (0, 10), (2, 10)):
        for _ in range(room):
            made.enter(priority, 1, 0.0)
        with pytest.raises(QueueFull):
            made.enter(priority, 1, 0.0)
    assert made.pages == 100


def test_a_document_larger_than_the_room_comes_in_when_its_priority_has_nothing_here() -> None:
    made = admission(10)
    made.enter(1, 500, 0.0)
    with pytest.raises(QueueFull):
        made.enter(1, 1, 0.0)
    made.enter(2, 500, 0.0)


def test_a_document_that_turns_out_longer_takes_more_room_and_gives_it_all_back() -> None:
    made = admission(10)
    ticket = made.enter(1, 1, 0.0)
    made.resize(ticket, 9)
    assert not made.has_room(1)
    made.leave(ticket, 1.0, read=True)
    made.leave(ticket, 1.0, read=True)
    made.resize(ticket, 50)
    assert made.pages == 0
    assert made.has_room(1)


def test_one_that_leaves_while_it_waits_has_no_turn() -> None:
    made = admission()
    first, second = made.enter(1, 1, 0.0), made.enter(1, 1, 0.0)
    made.leave(first, 0.0)
    assert made.waiting == 1
    assert made.take() is second


def refused_after(made: Admission) -> float:
    with pytest.raises(QueueFull) as caught:
        made.enter(1, 1000, 0.0)
    assert caught.value.retry_after_s is not None
    return caught.value.retry_after_s


def test_retry_after_goes_by_how_fast_pages_are_read() -> None:
    made = admission(1000)
    tickets = [made.enter(1, 1, 100.0) for _ in range(400)]
    assert refused_after(made) == 1.0  # nothing is known yet
    for number, ticket in enumerate(tickets[:100]):
        made.leave(ticket, 100.0 + 0.5 * (number + 1), read=True)  # two a second
    assert refused_after(made) == pytest.approx(300 / 20 / 2, rel=0.01)


def test_idle_time_does_not_make_the_rate_look_slow() -> None:
    made = admission(1000)
    made.leave(made.enter(1, 10, 0.0), 1.0, read=True)
    tickets = [made.enter(1, 1, 5000.0) for _ in range(400)]
    made.leave(tickets[0], 5000.1, read=True)
    assert refused_after(made) == pytest.approx(399 / 20 / 10, rel=0.1)


def test_retry_after_has_an_end() -> None:
    made = admission(10_000)
    tickets = [made.enter(1, 1, 0.0) for _ in range(7000)]
    made.leave(tickets[0], 100.0, read=True)
    assert math.isclose(refused_after_pages(made), 60.0)


def refused_after_pages(made: Admission) -> float:
    with pytest.raises(QueueFull) as caught:
        made.enter(1, 9_999, 0.0)
    return caught.value.retry_after_s or 0.0


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("enter"), st.integers(0, 2), st.integers(1, 30)),
            st.tuples(st.just("take"), st.just(0), st.just(0)),
            st.tuples(st.just("leave"), st.integers(0, 50), st.just(0)),
            st.tuples(st.just("resize"), st.integers(0, 50), st.integers(1, 30)),
        ),
        max_size=80,
    )
)
def test_nothing_is_lost_and_counts_agree(steps: list[tuple[str, int, int]]) -> None:
    made = admission(50)
    inside: list[Ticket] = []
    waiting: list[Ticket] = []
    for kind, a, b in steps:
        if kind == "enter":
            try:
                ticket = made.enter(a, b, 0.0)
            except QueueFull:
                assert any(other.priority == a for other in inside)
                continue
            inside.append(ticket)
            waiting.append(ticket)
        elif kind == "take":
            taken = made.take()
            assert (taken is None) == (not waiting)
            if taken is not None:
                waiting.remove(taken)
        elif inside and kind == "leave":
            ticket = inside.pop(a % len(inside))
            made.leave(ticket, 0.0)
            if ticket in waiting:
                waiting.remove(ticket)
        elif inside:
            made.resize(inside[a % len(inside)], b)
        assert made.pages == sum(ticket.pages for ticket in inside)
        assert made.waiting == len(waiting)
    left = [made.take() for _ in waiting]
    assert sorted(map(id, left)) == sorted(map(id, waiting))
    assert made.take() is None
