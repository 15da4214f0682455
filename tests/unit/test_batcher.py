"""What each rule of the batcher says, one by one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import pytest

from stages.batcher import Batcher, BatchPolicy, DropReason, Item


def item(name: str, at: float = 0.0, *, bucket: Hashable = "a", cost: int = 1, **rest: Any) -> Item[str]:
    return Item(name, bucket, cost, at, **rest)


def batcher(*items: Item[str], **policy: Any) -> Batcher[str]:
    made: Batcher[str] = Batcher(BatchPolicy(**policy))
    for one in items:
        made.offer(one)
    return made


def names(items: list[Item[str]]) -> list[str]:
    return [one.payload for one in items]


def taken(source: Batcher[str], now: float = 0.0, *, partial: bool = True) -> list[str]:
    return names(source.take(now, partial=partial).batch)


def dropped(drops: list[tuple[Item[str], DropReason]]) -> list[tuple[str, str]]:
    return [(one.payload, reason) for one, reason in drops]


def many(count: int, at: float = 0.0, **rest: Any) -> list[Item[str]]:
    return [item(f"{rest.get('bucket', 'a')}{i}", at, **rest) for i in range(count)]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"max_size": 0}, "max_size"),
        ({"max_cost": 0}, "max_cost"),
        ({"max_delay": -0.1}, "max_delay"),
        ({"aging": -1}, "aging"),
        ({"overdue": -1}, "overdue"),
        ({"max_size": 4, "preferred_sizes": (5,)}, "preferred sizes"),
        ({"max_size": 4, "preferred_sizes": (0,)}, "preferred sizes"),
    ],
)
def test_a_policy_that_cannot_work_is_refused_by_name(values: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        BatchPolicy(**values)


def test_an_empty_batcher_has_nothing_due_and_nothing_to_take() -> None:
    empty = batcher()
    assert len(empty) == 0
    assert empty.next_due() is None
    assert empty.next_due(5.0) is None
    assert not empty.has_full(1e9)
    assert taken(empty, 1e9) == []


@pytest.mark.parametrize("count", [1, 3, 4, 5, 9])
def test_a_batch_holds_at_most_max_size_in_the_order_of_arrival(count: int) -> None:
    source = batcher(*many(count), max_size=4, max_delay=0.0)
    batches = [taken(source) for _ in range(-(-count // 4))]
    assert [len(batch) for batch in batches] == [min(4, count - start) for start in range(0, count, 4)]
    assert sum(batches, []) == [f"a{i}" for i in range(count)]
    assert len(source) == 0


def test_a_batch_that_is_not_full_waits_exactly_max_delay() -> None:
    source = batcher(*many(3, at=10.0), max_size=4, max_delay=0.5, overdue=9.0)
    assert source.next_due() == 10.5
    assert taken(source, 10.25) == []
    assert taken(source, 10.5, partial=False) == []
    assert taken(source, 10.5) == ["a0", "a1", "a2"]


def test_a_full_batch_does_not_wait() -> None:
    source = batcher(*many(4, at=10.0), max_size=4, max_delay=0.5)
    assert source.has_full(10.0)
    assert taken(source, 10.0, partial=False) == ["a0", "a1", "a2", "a3"]


def test_the_delay_counts_from_the_oldest_item_whatever_its_priority() -> None:
    old = item("old", 0.0, priority=3)
    source = batcher(old, item("new", 0.4), max_size=4, max_delay=0.5, overdue=9.0)
    assert source.next_due() == 0.5
    assert taken(source, 0.45) == []
    assert taken(source, 0.5) == ["new", "old"]


def test_an_overdue_item_makes_its_bucket_count_as_full() -> None:
    source = batcher(item("old", 0.0), max_size=4, max_delay=0.5, overdue=1.0)
    assert not source.has_full(0.75)
    assert taken(source, 0.75, partial=False) == []
    assert source.has_full(1.0)
    assert taken(source, 1.0, partial=False) == ["old"]


def test_an_overdue_shorter_than_the_delay_is_due_by_itself() -> None:
    source = batcher(item("old", 0.0), max_size=4, max_delay=5.0, overdue=1.0)
    assert source.next_due() == 1.0
    assert taken(source, 1.0) == ["old"]


def test_only_one_bucket_shares_a_batch() -> None:
    source = batcher(*many(2), *many(2, bucket="b"), *many(2), max_size=4)
    assert taken(source) == ["a0", "a1", "a0", "a1"]
    assert taken(source) == ["b0", "b1"]


def test_of_two_full_buckets_the_earlier_is_served_first() -> None:
    source = batcher(*many(2, 2.0, bucket="b"), *many(2, 1.0), max_size=2)
    assert taken(source, 2.0) == ["a0", "a1"]
    assert taken(source, 2.0) == ["b0", "b1"]


def test_a_full_bucket_goes_before_an_earlier_one_that_is_not() -> None:
    source = batcher(item("lone", 0.0, bucket="b"), *many(2, 0.5), max_size=2, max_delay=0.1, overdue=9.0)
    assert taken(source, 0.5) == ["a0", "a1"]
    assert taken(source, 0.5) == ["lone"]


def test_a_lower_priority_is_served_as_if_it_had_come_later_not_last() -> None:
    source = batcher(
        item("low", 0.0, priority=2),
        item("before", 3.9, priority=0),
        item("after", 4.1, priority=0),
        aging=2.0,
    )
    assert [taken(source, 5.0) for _ in range(3)] == [["before"], ["low"], ["after"]]


def test_equal_virtual_arrivals_keep_the_order_in_which_items_were_made() -> None:
    first, second = item("first", 0.0, priority=1), item("second", 2.0, priority=0)
    assert [taken(batcher(second, first, max_size=2, aging=2.0), 9.0)] == [["first", "second"]]


@pytest.mark.parametrize(("waiting", "size"), [(2, 2), (3, 2), (4, 4), (5, 4), (8, 8), (9, 8)])
def test_a_batch_closes_at_the_largest_preferred_size_that_it_reaches(waiting: int, size: int) -> None:
    source = batcher(*many(waiting), max_size=8, preferred_sizes=(2, 4), max_delay=9.0, overdue=9.0)
    assert source.has_full(0.0)
    assert len(taken(source, 0.0, partial=False)) == size


def test_fewer_items_than_any_preferred_size_run_together_when_due() -> None:
    source = batcher(*many(3), max_size=8, preferred_sizes=(4, 8), max_delay=1.0, overdue=9.0)
    assert taken(source, 0.5) == []
    assert taken(source, 1.0) == ["a0", "a1", "a2"]


def test_the_budget_in_pixels_closes_a_batch() -> None:
    source = batcher(*many(5, cost=100), max_size=8, max_cost=250, max_delay=9.0, overdue=9.0)
    assert [len(taken(source)) for _ in range(2)] == [2, 2]
    assert taken(source) == []  # one item alone leaves room for another


def test_a_bucket_is_full_when_one_more_like_the_last_would_not_fit() -> None:
    source = batcher(*many(2, cost=100), max_size=8, max_cost=299, max_delay=9.0, overdue=9.0)
    assert source.has_full(0.0)
    roomy = batcher(*many(2, cost=100), max_size=8, max_cost=300, max_delay=9.0, overdue=9.0)
    assert not roomy.has_full(0.0)


def test_an_item_over_the_budget_runs_alone() -> None:
    source = batcher(item("huge", cost=1000), *many(2, cost=10), max_size=8, max_cost=250)
    assert taken(source) == ["huge"]
    assert taken(source) == ["a0", "a1"]


def test_what_nobody_wants_is_dropped_once_and_told() -> None:
    wanted = {"a0": True, "a1": False, "a2": True}
    source = batcher(*[item(name, wanted=lambda n=name: wanted[n]) for name in wanted], max_size=2)
    first = source.take(0.0)
    assert dropped(first.dropped) == [("a1", "cancelled")]
    assert names(first.batch) == ["a0", "a2"]
    assert source.take(9.0).dropped == []


def test_what_is_past_its_deadline_is_dropped_once_and_told() -> None:
    source = batcher(item("late", deadline=1.0), item("fine", deadline=1.5), max_size=2)
    answer = source.take(1.0)
    assert dropped(answer.dropped) == [("late", "deadline")]
    assert names(answer.batch) == ["fine"]
    assert len(source) == 0


def test_a_bucket_left_short_by_drops_is_not_taken_as_full() -> None:
    gone = item("gone", 0.0, wanted=lambda: False)
    source = batcher(gone, item("kept", 0.0), max_size=2, max_delay=1.0, overdue=9.0)
    answer = source.take(0.5)
    assert dropped(answer.dropped) == [("gone", "cancelled")]
    assert answer.batch == []
    assert taken(source, 1.0) == ["kept"]


def test_when_all_of_the_best_bucket_is_dropped_the_next_is_served() -> None:
    source = batcher(*many(2, wanted=lambda: False), *many(2, 1.0, bucket="b"), max_size=2)
    answer = source.take(1.0)
    assert dropped(answer.dropped) == [("a0", "cancelled"), ("a1", "cancelled")]
    assert names(answer.batch) == ["b0", "b1"]


def test_expire_drops_from_every_bucket_and_leaves_the_rest() -> None:
    source = batcher(
        item("late", deadline=1.0), item("unwanted", bucket="b", wanted=lambda: False), item("fine", deadline=3.0)
    )
    assert sorted(dropped(source.expire(2.0))) == [("late", "deadline"), ("unwanted", "cancelled")]
    assert source.expire(2.0) == []
    assert taken(source, 2.0) == ["fine"]


def test_discard_removes_the_items_of_one_owner_by_identity() -> None:
    mine, other = [1], [1]  # equal, but not the same
    source = batcher(item("m1", owner=mine), item("o", owner=other), item("m2", bucket="b", owner=mine), max_size=4)
    assert sorted(names(source.discard(mine))) == ["m1", "m2"]
    assert source.discard(mine) == []
    assert len(source) == 1
    assert taken(source, 9.0) == ["o"]


def test_a_limited_bucket_never_again_exceeds_its_limit_and_others_are_not_touched() -> None:
    source = batcher(*many(6), max_size=4)
    source.limit_bucket("a", 2)
    assert len(taken(source)) == 2
    source.limit_bucket("a", 3)  # a limit is never raised
    assert len(taken(source)) == 2
    source.discard(None)
    for one in [*many(4), *many(4, bucket="b")]:  # the limit outlives the bucket's items
        source.offer(one)
    assert sorted([len(taken(source)), len(taken(source)), len(taken(source))]) == [2, 2, 4]


@pytest.mark.parametrize(("asked", "size"), [(0, 1), (-3, 1), (1, 1), (100, 4)])
def test_a_limit_stays_between_one_and_max_size(asked: int, size: int) -> None:
    source = batcher(*many(8), max_size=4)
    source.limit_bucket("a", asked)
    assert len(taken(source)) == size


def test_a_limited_bucket_is_full_at_its_limit_even_below_the_preferred_sizes() -> None:
    source = batcher(*many(2), max_size=8, preferred_sizes=(4,), max_delay=9.0, overdue=9.0)
    source.limit_bucket("a", 2)
    assert taken(source, 0.0, partial=False) == ["a0", "a1"]


def next_due_cases() -> list[tuple[str, list[Item[str]], float, float | None]]:
    early, late = item("early", 0.0), item("late", 4.0, bucket="b")
    ends = item("ends", 0.0, deadline=3.0)
    return [
        ("the oldest of all buckets", [late, early], -1.0, 1.0),
        ("a bucket already due hides no other", [early, late], 1.0, 5.0),
        ("nothing later", [early, late], 5.0, None),
        ("a deadline after the delay", [ends], 1.0, 3.0),
        ("a deadline before the delay", [item("ends", 0.0, deadline=0.5)], 0.0, 0.5),
        ("a deadline that has passed", [ends], 3.0, None),
    ]


@pytest.mark.parametrize(("items", "after", "expected"), [case[1:] for case in next_due_cases()])
def test_next_due_is_the_next_moment_at_which_something_can_change(
    items: list[Item[str]], after: float, expected: float | None
) -> None:
    source = batcher(*items, max_size=4, max_delay=1.0, overdue=9.0)
    assert source.next_due(after) == expected


def test_next_due_forgets_what_was_taken_dropped_or_discarded() -> None:
    for remove in (
        lambda source: source.take(9.0),
        lambda source: source.expire(2.0),
        lambda source: source.discard("owner"),
    ):
        check: Callable[[Batcher[str]], object] = remove
        source = batcher(item("gone", deadline=2.0, owner="owner"), max_size=4, max_delay=1.0)
        assert source.next_due() == 1.0
        check(source)
        assert source.next_due() is None
        assert len(source) == 0
