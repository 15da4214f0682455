"""Semi-global edit distance: where in the lines of a page a value stands, allowing for misread characters.

A value may run over several lines. Between two lines of it others may stand that do not belong (a registration number
between shop and address), and its first, last or middle lines may hold other text as well; each costs a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

EDIT = 2  # one character too many, too few, or another one; the other costs are relative to it
_SKIP = 3  # one line between two lines of the value
_PART = 5  # leaving a line before its end, or entering one after its start, in the middle of the value
_FAR = 1 << 20


@dataclass(slots=True, frozen=True)
class Occurrence:
    """A place where a value stands. ``cost`` in units of half an edit.

    ``pairs`` are (line, position in the line, position in the value) of characters put beside each other, in order.
    """

    cost: int
    pairs: tuple[tuple[int, int, int], ...]


def find(value: str, lines: Sequence[str]) -> list[Occurrence]:
    """Find a value in lines; both already normalised (see :mod:`models.layout_ner.normalise`).

    Returns:
        The places of least cost, in reading order, none overlapping; one of them if the value does not stand there
        exactly. Empty if the value or the page is.
    """
    if not value or not any(lines):
        return []
    table = _Table(value, lines)
    ends = table.cheapest_ends()
    found: list[Occurrence] = []
    for line, column, cost in ends:
        pairs = table.trace(line, column)
        if pairs and not (found and found[-1].pairs[-1][:2] >= pairs[0][:2]):
            found.append(Occurrence(cost, tuple(pairs)))
    return found if found and found[0].cost == 0 else found[:1]


class _Table:
    """``cost[line][column, i]``: least cost of the value's first i characters, ending at this column of this line."""

    def __init__(self, value: str, lines: Sequence[str]) -> None:
        self.value, self.lines = value, lines
        self.letters = np.array([ord(char) for char in value], np.int32)
        self.steps: Ints = np.arange(len(value) + 1, dtype=np.int32) * EDIT
        self.cost: list[Ints] = []
        self.carry: list[Ints] = []  # on arriving at a line from an earlier one
        self.source: list[tuple[Ints, Ints]] = []  # line and column where that earlier one was left
        carry = np.full(len(value) + 1, _FAR, np.int32)
        origin = (np.full(len(value) + 1, -1, np.int32), np.zeros(len(value) + 1, np.int32))
        for number, line in enumerate(lines):
            self.carry.append(carry)
            self.source.append(origin)
            table = self._fill(line, carry)
            self.cost.append(table)
            left = table.argmin(axis=0).astype(np.int32)
            early = table.min(axis=0) + _PART
            whole = table[-1] <= early
            leaving = np.where(whole, table[-1], early)
            column = np.where(whole, len(line), left)
            stay = carry + _SKIP <= leaving
            carry = np.where(stay, carry + _SKIP, leaving)
            origin = (np.where(stay, origin[0], number), np.where(stay, origin[1], column))

    def _fill(self, line: str, carry: Ints) -> Ints:
        table = np.empty((len(line) + 1, len(self.steps)), np.int32)
        table[0] = self._deleting(carry)
        for column, char in enumerate(line, 1):
            before, row = table[column - 1], table[column]
            np.minimum(before + EDIT, carry + _PART, out=row)
            np.minimum(row[1:], before[:-1] + EDIT * (self.letters != ord(char)), out=row[1:])
            table[column] = self._deleting(row)
        return table

    def _deleting(self, row: Ints) -> Ints:
        """Allow for characters of the value that are missing; before the first one the value may begin anywhere."""
        row = row.copy()
        row[0] = 0
        return np.minimum.accumulate(row - self.steps) + self.steps

    def cheapest_ends(self) -> list[tuple[int, int, int]]:
        """(line, column, cost) of the ends of least cost; of neighbours only the last."""
        last = [table[:, -1] for table in self.cost]
        best = min(int(column.min()) for column in last)
        ends: list[tuple[int, int, int]] = []
        for number, costs in enumerate(last):
            for column in np.flatnonzero(costs == best).tolist():
                if ends and ends[-1][:2] == (number, column - 1):
                    ends.pop()
                ends.append((number, column, best))
        return ends

    def trace(self, line: int, column: int) -> list[tuple[int, int, int]]:
        """The pairs of an alignment that ends here, from its start."""
        i, pairs = len(self.value), []
        while i > 0:
            table = self.cost[line]
            cost = int(table[column, i])
            if column > 0:
                other = EDIT * (self.lines[line][column - 1] != self.value[i - 1])
                if table[column - 1, i - 1] + other == cost:
                    column, i = column - 1, i - 1
                    pairs.append((line, column, i))
                    continue
                if table[column - 1, i] + EDIT == cost:
                    column -= 1
                    continue
            if table[column, i - 1] + EDIT == cost:
                i -= 1
                continue
            from_line, from_column = self.source[line]
            line, column = int(from_line[i]), int(from_column[i])
        pairs.reverse()
        return pairs
