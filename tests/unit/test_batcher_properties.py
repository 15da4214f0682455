"""The batcher against a naive model of its rules, and promises that hold for any load."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import hypothesis.strategies as st
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from stages.batcher import Batcher, BatchPolicy, DropReason, Item

# Quarters of a second are exact in floating point, so that the model may compare times for equality.
quarters = st.integers(0, 24).map(lambda count: count / 4)
buckets = st.sampled_from("abc")


@st.composite
def policies(draw: st.DrawFn) -> BatchPolicy:
    size = draw(st.integers(1, 6))
    return BatchPolicy(
        max_size=size,
        max_delay=draw(quarters),
        preferred_sizes=tuple(draw(st.lists(st.integers(1, size), max_size=2, unique=True))),
        max_cost=draw(st.none() | st.integers(1, 30)),
        aging=draw(quarters),
        overdue=draw(quarters),
    )


@dataclass
class Model:
    """All waiting items in one list, and every rule in the words of the batcher's documentation."""

    policy: BatchPolicy
    waiting: list[Item[int]] = field(default_factory=list)
    limits: dict[object, int] = field(default_factory=dict)

    def queue(self, bucket: object) -> list[Item[int]]:
        def virtual_arrival(item: Item[int]) -> tuple[float, int]:
            return item.arrived + item.priority * self.policy.aging, item.order

        return sorted((item for item in self.waiting if item.bucket == bucket), key=virtual_arrival)

    def limit(self, bucket: object) -> int:
        return self.limits.get(bucket, self.policy.max_size)

    def full(self, queue: list[Item[int]], now: float) -> bool:
        policy = self.policy
        reasons = [
            len(queue) >= self.limit(queue[0].bucket),
            any(len(queue) >= size for size in policy.preferred_sizes),
            policy.max_cost is not None and sum(i.cost for i in queue) + queue[-1].cost > policy.max_cost,
            min(i.arrived for i in queue) + policy.overdue <= now,
        ]
        return any(reasons)

    def due(self, queue: list[Item[int]], now: float) -> bool:
        return min(i.arrived for i in queue) + self.policy.max_delay <= now

    def choose(self, now: float, partial: bool) -> list[Item[int]]:
        queues = [self.queue(bucket) for bucket in {item.bucket for item in self.waiting}]
        ready = [q for q in queues if self.full(q, now)] or [q for q in queues if partial and self.due(q, now)]
        return min(ready, key=lambda q: (q[0].arrived + q[0].priority * self.policy.aging, q[0].order), default=[])

    def batch(self, queue: list[Item[int]]) -> list[Item[int]]:
        fitting = queue[: self.limit(queue[0].bucket)]
        if self.policy.max_cost is not None:
            while len(fitting) > 1 and sum(i.cost for i in fitting) > self.policy.max_cost:
                fitting = fitting[:-1]
        if len(fitting) < self.limit(queue[0].bucket):
            reached = [size for size in self.policy.preferred_sizes if size <= len(fitting)]
            fitting = fitting[: max(reached, default=len(fitting))]
        return fitting

    @staticmethod
    def reason(item: Item[int], now: float) -> DropReason | None:
        if not item.wanted():
            return "cancelled"
        return "deadline" if item.deadline is not None and item.deadline <= now else None

    def drop(self, items: list[Item[int]], now: float) -> list[tuple[int, DropReason]]:
        found = [(item, reason) for item in items if (reason := self.reason(item, now)) is not None]
        self.remove([item for item, _ in found])
        return [(item.payload, reason) for item, reason in found]

    def remove(self, items: list[Item[int]]) -> None:
        gone = {item.order for item in items}
        self.waiting = [item for item in self.waiting if item.order not in gone]

    def take(self, now: float, partial: bool) -> tuple[list[int], list[tuple[int, DropReason]]]:
        dropped: list[tuple[int, DropReason]] = []
        while queue := self.choose(now, partial):
            found = self.drop(queue, now)
            dropped += found
            if not found:
                batch = self.batch(queue)
                self.remove(batch)
                return [item.payload for item in batch], dropped
        return [], dropped


class BatcherMachine(RuleBasedStateMachine):
    """Offers, takes, cancellations, deadlines, limits and time in any order."""

    @initialize(policy=policies())
    def start(self, policy: BatchPolicy) -> None:
        self.now = 0.0
        self.batcher: Batcher[int] = Batcher(policy)
        self.model = Model(policy)
        self.unwanted: set[int] = set()
        self.offered = 0
        self.left: list[int] = []  # whatever left the batcher, by whichever way

    @rule(
        bucket=buckets,
        cost=st.integers(1, 12),
        priority=st.integers(0, 3),
        deadline=st.none() | quarters,
        age=st.integers(0, 4),
        owner=st.sampled_from("xy"),
        count=st.integers(1, 4),
    )
    def offer(
        self, bucket: str, cost: int, priority: int, deadline: float | None, age: int, owner: str, count: int
    ) -> None:
        for _ in range(count):
            number = self.offered
            item = Item(
                number,
                bucket,
                cost,
                self.now - age / 4,  # it may have been made a little earlier than it is offered
                priority,
                None if deadline is None else self.now + deadline,
                lambda n=number: n not in self.unwanted,  # type: ignore[misc]
                owner,
            )
            self.offered += 1
            self.batcher.offer(item)
            self.model.waiting.append(item)

    @rule(partial=st.booleans())
    def take(self, partial: bool) -> None:
        has_full = self.batcher.has_full(self.now)
        answer = self.batcher.take(self.now, partial=partial)
        batch = [item.payload for item in answer.batch]
        dropped = [(item.payload, reason) for item, reason in answer.dropped]
        assert (batch, dropped) == self.model.take(self.now, partial)
        assert has_full or partial or not batch
        self.check_bounds(answer.batch)
        self.left += batch + [number for number, _ in dropped]

    def check_bounds(self, batch: list[Item[int]]) -> None:
        policy = self.batcher.policy
        assert len({item.bucket for item in batch}) <= 1
        assert len(batch) <= policy.max_size
        if len(batch) > 1 and policy.max_cost is not None:
            assert sum(item.cost for item in batch) <= policy.max_cost
        for item in batch:
            assert item.wanted()
            assert item.deadline is None or item.deadline > self.now

    @rule(quarter=st.integers(1, 8))
    def time_passes(self, quarter: int) -> None:
        self.now += quarter / 4

    @precondition(lambda self: self.offered)
    @rule(data=st.data())
    def nobody_wants_one(self, data: st.DataObject) -> None:
        self.unwanted.add(data.draw(st.integers(0, self.offered - 1)))

    @rule(bucket=buckets, size=st.integers(-1, 8))
    def run_out_of_memory(self, bucket: str, size: int) -> None:
        self.batcher.limit_bucket(bucket, size)
        self.model.limits[bucket] = max(1, min(size, self.model.limit(bucket)))

    @rule(owner=st.sampled_from("xy"))
    def discard(self, owner: str) -> None:
        removed = self.batcher.discard(owner)
        mine = [item for item in self.model.waiting if item.owner == owner]
        assert {item.order for item in removed} == {item.order for item in mine}
        self.model.remove(mine)
        self.left += [item.payload for item in removed]

    @rule()
    def expire(self) -> None:
        dropped = [(item.payload, reason) for item, reason in self.batcher.expire(self.now)]
        assert sorted(dropped) == sorted(self.model.drop(list(self.model.waiting), self.now))
        self.left += [number for number, _ in dropped]

    @rule()
    def everything_due_leaves_at_the_time_that_next_due_names(self) -> None:
        """Whoever sleeps until ``next_due`` and then takes misses nothing."""
        policy = self.model.policy
        delay = min(policy.max_delay, policy.overdue)
        changes = [min(i.arrived for i in self.model.queue(b)) + delay for b in {i.bucket for i in self.model.waiting}]
        changes += [item.deadline for item in self.model.waiting if item.deadline is not None]
        assert self.batcher.next_due() == min(changes, default=None)
        assert self.batcher.next_due(self.now) == min((t for t in changes if t > self.now), default=None)

    @invariant()
    def nothing_is_lost_and_nothing_comes_twice(self) -> None:
        if not hasattr(self, "batcher"):
            return
        assert len(self.batcher) == len(self.model.waiting)
        assert len(self.left) == len(set(self.left))
        assert sorted(self.left + [item.payload for item in self.model.waiting]) == list(range(self.offered))

    def teardown(self) -> None:
        """Whatever has happened, all that waits comes out in the end."""
        if not hasattr(self, "batcher"):
            return
        while len(self.batcher):
            before = len(self.batcher)
            answer = self.batcher.take(math.inf)
            self.left += [item.payload for item in answer.batch] + [item.payload for item, _ in answer.dropped]
            assert len(self.batcher) < before
        assert sorted(self.left) == list(range(self.offered))


TestBatcherMachine = BatcherMachine.TestCase
TestBatcherMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)

arrivals = st.lists(
    st.lists(st.tuples(buckets, st.integers(0, 2), st.integers(1, 12)), max_size=5), min_size=1, max_size=60
)


@given(policy=policies(), load=arrivals, bucket=buckets, priority=st.integers(0, 4))
@settings(max_examples=150, deadline=None)
def test_nothing_starves_under_any_load(
    policy: BatchPolicy, load: list[list[tuple[str, int, int]]], bucket: str, priority: int
) -> None:
    """From when it is overdue, an item waits for no more batches than there are items of earlier virtual arrival."""
    batcher: Batcher[int] = Batcher(policy)
    target = Item(-1, bucket, 1, 0.0, priority)
    batcher.offer(target)
    rank = (target.arrived + priority * policy.aging, target.order)
    earlier = taken_since = 0
    for tick, offers in enumerate(load):
        now = tick / 4
        for other, its_priority, cost in offers:
            item = Item(tick, other, cost, now, its_priority)
            earlier += (item.arrived + its_priority * policy.aging, item.order) < rank
            batcher.offer(item)
        batch = batcher.take(now, partial=False).batch
        if any(item is target for item in batch):
            return
        if now >= policy.overdue:
            assert batch, "an overdue item waits, so there is always something to run"
            taken_since += 1
            assert taken_since <= earlier
