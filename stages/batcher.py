"""The batching policy of one stage: which waiting items form the next batch.

A pure object, driven by ``offer(item)`` and ``take(now)``: no threads, no clock. Four rules:

1. Only items of one bucket (one padded shape) share a batch, whatever documents they come from, so a result does not
   depend on what an item was batched with.
2. Items are served by their *virtual arrival*: when they arrived plus ``priority * aging``. An item of a lower
   priority is served as if it had come later, never "after all others", so nothing starves.
3. A bucket is *full* when it holds ``max_batch_size`` items, exhausts ``max_cost``, reaches a preferred size, or its
   oldest item is overdue. A full bucket may run whenever a lane is free. A bucket that is not full may run once its
   oldest item has waited ``max_delay``.
4. Items nobody wants any more, and items whose deadline has passed, are dropped while a batch forms.
"""

from __future__ import annotations

import itertools
import math
from bisect import insort
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

T = TypeVar("T")
DropReason = Literal["cancelled", "deadline"]

_order = itertools.count()


def _wanted() -> bool:
    return True


@dataclass(slots=True)
class Item(Generic[T]):
    """Something waiting for a stage. Times are seconds of the caller's clock.

    ``cost`` is in padded pixels. ``priority`` 0 is served first. ``wanted`` tells whether somebody still waits for
    the result. ``owner`` is whatever the caller groups items by (a document).
    """

    payload: T
    bucket: Hashable
    cost: int
    arrived: float
    priority: int = 1
    deadline: float | None = None
    wanted: Callable[[], bool] = _wanted
    owner: object = None
    order: int = field(default_factory=lambda: next(_order))


@dataclass(slots=True, frozen=True)
class BatchPolicy:
    """The knobs of one stage's batching, in seconds and padded pixels.

    Args:
        max_size: items in a batch at most.
        max_delay: how long the oldest item of a batch that is not full waits before it may run.
        preferred_sizes: sizes at which a batch closes early, because the network runs well at them.
        max_cost: padded pixels in a batch at most. An item that costs more than this runs alone.
        aging: an item of priority p is served as if it had arrived p times this later.
        overdue: an item that has waited this long makes its bucket count as full.
    """

    max_size: int = 1
    max_delay: float = 0.0
    preferred_sizes: tuple[int, ...] = ()
    max_cost: int | None = None
    aging: float = 2.0
    overdue: float = 1.0

    def __post_init__(self) -> None:
        if self.max_size < 1:
            raise ValueError(f"max_size must be at least 1, not {self.max_size}")
        if self.max_cost is not None and self.max_cost < 1:
            raise ValueError(f"max_cost must be at least 1, not {self.max_cost}")
        if min(self.max_delay, self.aging, self.overdue) < 0:
            raise ValueError("max_delay, aging and overdue cannot be negative")
        if any(not 1 <= size <= self.max_size for size in self.preferred_sizes):
            raise ValueError(f"preferred sizes {self.preferred_sizes} must lie between 1 and {self.max_size}")


@dataclass(slots=True)
class Taken(Generic[T]):
    """One answer of :meth:`Batcher.take`: a batch (perhaps empty) and what was dropped on the way."""

    batch: list[Item[T]]
    dropped: list[tuple[Item[T], DropReason]]


class _Bucket(Generic[T]):
    """Waiting items of one shape, sorted by virtual arrival."""

    __slots__ = ("cost", "entries", "key", "limit", "oldest")

    def __init__(self, key: Hashable, limit: int) -> None:
        self.key = key
        self.limit = limit
        self.entries: list[tuple[float, int, Item[T]]] = []
        self.cost = 0
        self.oldest = math.inf  # the earliest true arrival, which priorities can place anywhere in the list

    def add(self, entry: tuple[float, int, Item[T]]) -> None:
        insort(self.entries, entry)
        self.cost += entry[2].cost
        self.oldest = min(self.oldest, entry[2].arrived)

    def keep(self, entries: list[tuple[float, int, Item[T]]]) -> None:
        self.entries = entries
        self.cost = sum(item.cost for _, _, item in entries)
        self.oldest = min((item.arrived for _, _, item in entries), default=math.inf)


class Batcher(Generic[T]):
    """Forms batches for one stage. Not thread-safe: its owner holds a lock."""

    def __init__(self, policy: BatchPolicy) -> None:
        self.policy = policy
        self._buckets: dict[Hashable, _Bucket[T]] = {}
        self._limits: dict[Hashable, int] = {}
        self._size = 0
        self._deadlines = 0

    def __len__(self) -> int:
        return self._size

    def offer(self, item: Item[T]) -> None:
        """Add a waiting item."""
        bucket = self._buckets.get(item.bucket)
        if bucket is None:
            limit = self._limits.get(item.bucket, self.policy.max_size)
            bucket = self._buckets[item.bucket] = _Bucket(item.bucket, limit)
        bucket.add((item.arrived + item.priority * self.policy.aging, item.order, item))
        self._size += 1
        self._deadlines += item.deadline is not None

    def limit_bucket(self, bucket: Hashable, size: int) -> None:
        """Never again form a batch of more than ``size`` items of this bucket (the device ran out of memory)."""
        size = max(1, min(size, self._limits.get(bucket, self.policy.max_size)))
        self._limits[bucket] = size
        if bucket in self._buckets:
            self._buckets[bucket].limit = size

    def take(self, now: float, *, partial: bool = True) -> Taken[T]:
        """Form the next batch.

        Args:
            now: the time.
            partial: also take a bucket that is not full, once its oldest item has waited ``max_delay``.

        Returns:
            The batch (empty if there is none) and the items dropped. A bucket left short of full by drops is not
            taken as full.
        """
        dropped: list[tuple[Item[T], DropReason]] = []
        while True:
            bucket = self._choose(now, full=True)
            if bucket is None and partial:
                bucket = self._choose(now, full=False)
            if bucket is None:
                return Taken([], dropped)
            found = self._drop_unwanted(bucket, now)
            dropped.extend(found)
            if not found:
                return Taken(self._cut(bucket), dropped)

    def has_full(self, now: float) -> bool:
        """Whether some bucket is full."""
        return self._choose(now, full=True) is not None

    def next_due(self, after: float = -math.inf) -> float | None:
        """The next moment, later than ``after``, at which a bucket not full may run or a deadline passes; or None."""
        delay = min(self.policy.max_delay, self.policy.overdue)
        times = [due for bucket in self._buckets.values() if (due := bucket.oldest + delay) > after]
        if self._deadlines:
            waiting = (item for bucket in self._buckets.values() for _, _, item in bucket.entries)
            times.extend(i.deadline for i in waiting if i.deadline is not None and i.deadline > after)
        return min(times, default=None)

    def expire(self, now: float) -> list[tuple[Item[T], DropReason]]:
        """Drop every item that is unwanted or past its deadline, wherever it waits."""
        return [drop for bucket in list(self._buckets.values()) for drop in self._drop_unwanted(bucket, now)]

    def discard(self, owner: object) -> list[Item[T]]:
        """Remove and return every item of an owner."""
        removed: list[Item[T]] = []
        for bucket in list(self._buckets.values()):
            mine = [item for _, _, item in bucket.entries if item.owner is owner]
            if mine:
                self._keep(bucket, [entry for entry in bucket.entries if entry[2].owner is not owner])
                removed.extend(mine)
        return removed

    # --- choosing -----------------------------------------------------------------------------------------------

    def _choose(self, now: float, *, full: bool) -> _Bucket[T] | None:
        """The bucket to serve next: of those ready, the one whose first item has the earliest virtual arrival."""
        ready = self._is_full if full else self._is_due
        return min(
            (bucket for bucket in self._buckets.values() if ready(bucket, now)),
            key=lambda bucket: bucket.entries[0][:2],
            default=None,
        )

    def _is_due(self, bucket: _Bucket[T], now: float) -> bool:
        return bucket.oldest + self.policy.max_delay <= now

    def _is_full(self, bucket: _Bucket[T], now: float) -> bool:
        policy, count = self.policy, len(bucket.entries)
        if count >= bucket.limit or any(count >= size for size in policy.preferred_sizes):
            return True
        # Full also when one more item like the last would not fit the budget.
        if policy.max_cost is not None and bucket.cost + bucket.entries[-1][2].cost > policy.max_cost:
            return True
        return bucket.oldest + policy.overdue <= now

    def _cut(self, bucket: _Bucket[T]) -> list[Item[T]]:
        """Remove the next batch from a bucket: as many as fit the limit, the budget and a preferred size."""
        policy = self.policy
        fit, cost = 0, 0
        for _, _, item in bucket.entries[: bucket.limit]:
            cost += item.cost
            if fit and policy.max_cost is not None and cost > policy.max_cost:
                break
            fit += 1
        preferred = [size for size in policy.preferred_sizes if size <= fit]
        if preferred and fit < bucket.limit:
            fit = max(preferred)
        batch = [item for _, _, item in bucket.entries[:fit]]
        self._keep(bucket, bucket.entries[fit:])
        return batch

    def _drop_unwanted(self, bucket: _Bucket[T], now: float) -> list[tuple[Item[T], DropReason]]:
        kept: list[tuple[float, int, Item[T]]] = []
        dropped: list[tuple[Item[T], DropReason]] = []
        for entry in bucket.entries:
            item = entry[2]
            if not item.wanted():
                dropped.append((item, "cancelled"))
            elif item.deadline is not None and item.deadline <= now:
                dropped.append((item, "deadline"))
            else:
                kept.append(entry)
        if dropped:
            self._keep(bucket, kept)
        return dropped

    def _keep(self, bucket: _Bucket[T], entries: list[tuple[float, int, Item[T]]]) -> None:
        self._size -= len(bucket.entries) - len(entries)
        self._deadlines -= sum(i.deadline is not None for _, _, i in bucket.entries)
        self._deadlines += sum(i.deadline is not None for _, _, i in entries)
        bucket.keep(entries)
        if not entries:
            del self._buckets[bucket.key]
