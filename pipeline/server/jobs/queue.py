"""Which file of which job is read next. No tasks, no clock."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Unit:
    """One file of a job. ``arrival`` is when it is taken to have come: priorities are differences in time."""

    arrival: float
    job_id: str
    position: int
    owner: str


class JobQueue:
    """Files that wait: the owner who has the least being read goes next, with the one that came first."""

    def __init__(self) -> None:
        self._heaps: dict[str, list[tuple[float, int, Unit]]] = {}  # the number settles who came first at one time
        self._numbers = itertools.count()
        self._jobs: dict[str, set[Unit]] = {}  # what is in a heap and not here has been dropped

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def has(self, job_id: str) -> bool:
        """Whether anything of a job waits."""
        return job_id in self._jobs

    def add(self, unit: Unit) -> None:
        """A file waits. Once is enough."""
        units = self._jobs.setdefault(unit.job_id, set())
        if unit not in units:
            units.add(unit)
            heapq.heappush(self._heaps.setdefault(unit.owner, []), (unit.arrival, next(self._numbers), unit))

    def take(self, reading: Mapping[str, int]) -> Unit | None:
        """Take the next one.

        Args:
            reading: how many files of each owner are being read.
        """
        fronts = [heap[0] for owner in list(self._heaps) if (heap := self._tidied(owner))]
        if not fronts:
            return None
        _, _, unit = min(fronts, key=lambda front: (reading.get(front[2].owner, 0), front))
        heapq.heappop(self._heaps[unit.owner])
        self._forget(unit)
        return unit

    def drop(self, job_id: str) -> None:
        """Nothing of a job waits any more."""
        self._jobs.pop(job_id, None)

    def clear(self) -> None:
        """Nothing waits any more."""
        self._heaps.clear()
        self._jobs.clear()

    def _tidied(self, owner: str) -> list[tuple[float, int, Unit]]:
        """The owner's heap, with one that waits in front."""
        heap = self._heaps[owner]
        while heap and heap[0][2] not in self._jobs.get(heap[0][2].job_id, ()):
            heapq.heappop(heap)
        if not heap:
            del self._heaps[owner]
        return heap

    def _forget(self, unit: Unit) -> None:
        units = self._jobs[unit.job_id]
        units.remove(unit)
        if not units:
            del self._jobs[unit.job_id]
