"""The widths in which lines are recognised.

A line's crop is scaled to the network's height and padded on the right to the next width of a fixed series, so that
lines of one width share a batch and the runtime sees few shapes. The bucket depends on the line alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

GRAIN = 8
"""The network has one output column per eight input columns, so finer widths than this cost nothing less."""

MIN_WIDTH = 128
"""Shorter lines are read in an image of this width: the networks were trained on lines padded to 320 pixels, and read
a lone short word in a tight image worse. Wider still gains little (word F1 on forms and receipts at 96, 128, 160 and
224 pixels: 0.9523, 0.9530, 0.9534, 0.9543; pixels over all lines: 1.02, 1.06, 1.12 and 1.27 times the tight ones)."""

MAX_WIDTH = 4096
"""A longer line than this (85 times its height) is squeezed."""


def bucket_widths(max_padding: float) -> tuple[int, ...]:
    """Widths such that padding is at most ``max_padding`` of a bucket, as far as the grain of 8 allows.

    Args:
        max_padding: share of a bucket's width that may be padding, for lines of more than ``MIN_WIDTH`` pixels; 0 to 1.
    """
    widths, width = [MIN_WIDTH], MIN_WIDTH
    while width < MAX_WIDTH:
        # The shortest line in the next bucket is one pixel longer than this bucket.
        grown = int((width + 1) / (1 - max_padding)) // GRAIN * GRAIN
        width = min(max(grown, width + GRAIN), MAX_WIDTH)
        widths.append(width)
    return tuple(widths)


def bucket_of(width: int, widths: Sequence[int]) -> int:
    """The smallest width of the series that holds a line of ``width`` pixels; the largest for longer lines."""
    return widths[min(bisect_left(widths, width), len(widths) - 1)]
