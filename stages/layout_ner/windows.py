"""Padded shapes for pages of any length, and windows for very long ones.

A page's shape depends on its own lines alone. One too long for one run of the network is cut between lines into windows
that overlap, so that no line stands at an edge without its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_CHARACTERS = 4096
"""Characters and line breaks of one window: more than a densely printed A4 page holds."""

MAX_LINES = 512
"""Lines of one window: the network's attention grows with their square."""

CONTEXT = 8
"""Lines that a window looks at on either side of those that it answers for."""

_LEAST_CHARACTERS, _LEAST_LINES = 128, 16


@dataclass(slots=True, frozen=True)
class Window:
    """Lines ``first`` to ``last`` (exclusive) are seen, ``start`` to ``end`` of them are answered for."""

    first: int
    last: int
    start: int
    end: int


def cut(
    lengths: Sequence[int],
    max_characters: int = MAX_CHARACTERS,
    max_lines: int = MAX_LINES,
    context: int = CONTEXT,
) -> list[Window]:
    """Cut a page into windows: one if it fits, else as many as it takes. Together they answer for each line once.

    Args:
        lengths: of each line, in the network's tokens.
        max_characters: tokens of one window. A line of more is a window of its own.
        max_lines: lines of one window; at least one more than twice the context.
        context: lines seen on either side, as far as there is room.
    """
    windows: list[Window] = []
    start, count = 0, len(lengths)
    while start < count:
        first = start
        used = lengths[start]
        # Half of the room at most is for what comes before: the window must get on.
        while first > max(0, start - context) and used + lengths[first - 1] <= max_characters // 2:
            first -= 1
            used += lengths[first]
        last = start + 1
        while last < count and last - first < max_lines and used + lengths[last] <= max_characters:
            used += lengths[last]
            last += 1
        end = last if last == count else max(start + 1, last - context)
        windows.append(Window(first, last, start, end))
        start = end
    return windows


def padded_shape(lengths: Sequence[int], windows: Sequence[Window]) -> tuple[int, int]:
    """The padded number of characters and of lines that all windows of a page are computed in.

    Steps are coarse, those of lines more so since they cost less: a shape that a runtime has not seen takes as long as
    two or three pages.
    """
    characters = max(sum(lengths[window.first : window.last]) for window in windows)
    lines = max(window.last - window.first for window in windows)
    return _padded(characters, _LEAST_CHARACTERS, halves=True), _padded(lines, _LEAST_LINES, halves=False)


def _padded(size: int, least: int, *, halves: bool) -> int:
    """The next of ``least`` times 1, 2, 4, 8 …, with ``halves`` also times 1.5, 3, 6 …."""
    step = least
    while size > step:
        if halves and size <= step + step // 2:
            return step + step // 2
        step *= 2
    return step
