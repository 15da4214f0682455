"""The columns of a table, found while its rows are taken in one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from schemas.document import Line

_COMMON = 2  # a row joins when so many of its cells (or all it has) stand in columns that are there already


class Cell(Protocol):
    """A line and how far it reaches across the page, in pixels."""

    @property
    def line(self) -> Line:
        """The line."""
        ...

    @property
    def left(self) -> float:
        """Where it begins."""
        ...

    @property
    def right(self) -> float:
        """Where it ends."""
        ...


class Columns:
    """Stretches across the page that do not overlap, from left to right, and no two cells of a row in one of them."""

    def __init__(self, row: Sequence[Cell]) -> None:
        self._spans: list[tuple[float, float]] = []
        for cell in row:
            self._spans = _merged(self._spans, cell)

    def __len__(self) -> int:
        return len(self._spans)

    def with_row(self, row: Sequence[Cell]) -> Columns | None:
        """The columns once this row is one of theirs, or None: it does not stand in these columns."""
        known = sum(any(_meets(span, cell) for span in self._spans) for cell in row)
        if known < min(_COMMON, len(row)):
            return None
        wider = Columns(())
        wider._spans = self._spans
        for cell in row:
            if sum(_meets(span, cell) for span in wider._spans) > 1:
                return None  # it reaches over a gap that the rows before have left free
            wider._spans = _merged(wider._spans, cell)
        if len(row) > 1 and len({wider._place(cell) for cell in row}) < len(row):
            return None
        return wider

    def cells(self, row: Sequence[Cell]) -> list[list[Line]]:
        """The row's lines, column by column."""
        found: list[list[Line]] = [[] for _ in self._spans]
        for cell in row:
            found[self._place(cell)].append(cell.line)
        return found

    def _place(self, cell: Cell) -> int:
        centre = (cell.left + cell.right) / 2
        return min(range(len(self._spans)), key=lambda i: _distance(self._spans[i], centre))


def _merged(spans: list[tuple[float, float]], cell: Cell) -> list[tuple[float, float]]:
    apart = [span for span in spans if not _meets(span, cell)]
    joined = [span for span in spans if _meets(span, cell)]
    left = min([cell.left, *(span[0] for span in joined)])
    right = max([cell.right, *(span[1] for span in joined)])
    return sorted([*apart, (left, right)])


def _meets(span: tuple[float, float], cell: Cell) -> bool:
    return span[0] < cell.right and cell.left < span[1]


def _distance(span: tuple[float, float], at: float) -> float:
    return max(span[0] - at, at - span[1], 0.0)
