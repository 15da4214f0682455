"""The ledger: order, bounds, and who is blamed for a death."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker.ledger import Ledger, Ticket
from schemas.requests import ReadRequest


def ticket(number: int, priority: int = 1, deadline: float | None = None) -> Ticket:
    return Ticket(number, ReadRequest(b"", f"{number}", priority=priority, deadline=deadline), Future())


def fill(ledger: Ledger, count: int) -> list[Ticket]:
    tickets = [ticket(n) for n in range(count)]
    for t in tickets:
        ledger.add(t)
    return tickets


def send(ledger: Ledger) -> list[int]:
    sent = []
    while t := ledger.next():
        sent.append(t.id)
    return sent


def test_the_most_urgent_goes_first_then_the_oldest() -> None:
    ledger = Ledger(8)
    for number, priority in ((1, 2), (2, 1), (3, 0), (4, 1)):
        ledger.add(ticket(number, priority))
    assert send(ledger) == [3, 2, 4, 1]


def test_no_more_than_the_bound_are_in_flight() -> None:
    ledger = Ledger(3)
    fill(ledger, 5)
    assert send(ledger) == [0, 1, 2]
    assert ledger.finish(1) is not None
    assert ledger.finish(1) is None
    assert send(ledger) == [3]
    assert len(ledger) == 4


def test_suspects_are_tried_alone_and_before_the_others() -> None:
    ledger = Ledger(3)
    fill(ledger, 5)
    send(ledger)
    assert ledger.worker_died() == ([], [])
    for number in (0, 1, 2):
        assert send(ledger) == [number]
        ledger.finish(number)
    assert send(ledger) == [3, 4]


def test_a_suspect_waits_until_more_urgent_ones_have_left_the_worker() -> None:
    ledger = Ledger(4)
    fill(ledger, 2)
    send(ledger)
    ledger.worker_died()
    ledger.add(ticket(7, priority=0))
    assert send(ledger) == [7]
    ledger.finish(7)
    assert send(ledger) == [0]


def test_the_second_death_refuses_only_the_one_that_was_alone() -> None:
    ledger = Ledger(2)
    tickets = fill(ledger, 2)
    send(ledger)
    ledger.worker_died()
    assert send(ledger) == [0]
    assert ledger.worker_died() == ([tickets[0]], [])
    assert send(ledger) == [1]


def test_one_death_alone_is_not_enough() -> None:
    ledger = Ledger(2)
    fill(ledger, 1)
    send(ledger)
    assert ledger.worker_died() == ([], [])
    assert send(ledger) == [0]


def test_what_an_ending_worker_never_began_is_no_suspect() -> None:
    ledger = Ledger(2)
    tickets = fill(ledger, 3)
    send(ledger)
    ledger.drop(tickets[1])
    assert ledger.put_back() == [tickets[1]]
    assert send(ledger) == [0, 2]
    assert not any(t.suspect for t in tickets)


def test_dropped_documents_leave_when_the_worker_lets_go_of_them() -> None:
    ledger = Ledger(1)
    first, second = fill(ledger, 2)
    send(ledger)
    assert ledger.drop(second) is True
    assert ledger.drop(first) is False
    assert len(ledger) == 1
    assert ledger.worker_died() == ([], [first])
    assert len(ledger) == 0


def test_an_unsent_document_keeps_its_place() -> None:
    ledger = Ledger(1)
    fill(ledger, 2)
    t = ledger.next()
    assert t is not None
    ledger.unsend(t)
    assert send(ledger) == [0]


def test_deadlines_of_unwanted_documents_do_not_count() -> None:
    ledger = Ledger(1)
    early, late = ticket(1, deadline=5.0), ticket(2, deadline=9.0)
    ledger.add(early)
    ledger.add(late)
    ledger.add(ticket(3))
    send(ledger)
    assert ledger.next_deadline() == 5.0
    assert ledger.expired(5.0) == [early]
    ledger.drop(early)
    assert ledger.next_deadline() == 9.0
    assert ledger.expired(8.0) == []


@given(
    poison=st.lists(st.booleans(), min_size=1, max_size=24),
    bound=st.integers(1, 8),
    choices=st.randoms(use_true_random=False),
)
def test_exactly_the_killers_are_refused(poison: list[bool], bound: int, choices: object) -> None:
    """Whatever the order of results and deaths: each document leaves once, each killer costs two deaths at most."""
    random = choices
    ledger = Ledger(bound)
    fill(ledger, len(poison))
    finished: list[int] = []
    refused: list[int] = []
    deaths = 0
    while len(ledger):
        send(ledger)
        assert ledger.in_flight, "nothing can be sent although the worker is empty"
        assert len(ledger.in_flight) <= bound
        killers = [n for n in ledger.in_flight if poison[n]]
        innocents = [n for n in ledger.in_flight if not poison[n]]
        if killers and (not innocents or random.random() < 0.5):  # type: ignore[attr-defined]
            deaths += 1
            refused += [t.id for t in ledger.worker_died()[0]]
        else:
            number = random.choice(innocents)  # type: ignore[attr-defined]
            assert ledger.finish(number) is not None
            finished.append(number)
    assert sorted(refused) == [n for n, p in enumerate(poison) if p]
    assert sorted(finished) == [n for n, p in enumerate(poison) if not p]
    assert deaths <= 2 * sum(poison)


@pytest.mark.parametrize("bound", [1, 4])
def test_clear_takes_out_everything(bound: int) -> None:
    ledger = Ledger(bound)
    tickets = fill(ledger, 6)
    send(ledger)
    assert sorted(t.id for t in ledger.clear()) == [t.id for t in tickets]
    assert len(ledger) == 0
    assert ledger.next() is None
