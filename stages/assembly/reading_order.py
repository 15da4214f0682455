"""The order in which a person would read the lines of a page."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stages.assembly.columns import find_columns
from stages.assembly.frame import text_frame
from stages.assembly.rows import rows_in_order


def reading_order(quads: npt.NDArray[Any], page_size: tuple[int, int]) -> list[int]:
    """Order lines: rows from the top down, each from left to right; columns of running text one after the other.

    Skew is taken out first, and every threshold is relative to the line height, so that neither a few degrees nor the
    resolution change the order. Where most text is vertical, columns are read from right to left.

    Args:
        quads: (N, 4, 2) page pixels, clockwise from each text's own top left.
        page_size: width and height in pixels.

    Returns:
        A permutation of 0 to N - 1: the index of the line to read first, second, and so on.

    Raises:
        ValueError: ``quads`` has another shape or is not finite.
    """
    quads = np.asarray(quads)
    if quads.size == 0:
        return []
    if quads.ndim != 3 or quads.shape[1:] != (4, 2):
        raise ValueError(f"quads must be (N, 4, 2), not {quads.shape}")
    if not np.isfinite(quads).all():
        raise ValueError("quads must be finite")
    boxes = text_frame(quads, page_size)
    line_height = float(np.median(boxes.height))
    order: list[int] = []
    waiting = [np.arange(len(quads))]
    while waiting:
        members = waiting.pop()
        if members.size == 0:
            continue
        split = find_columns(boxes, members, line_height)
        if split is not None:
            waiting.extend(reversed(split))
            continue
        for row in rows_in_order(boxes, members, line_height):
            order.extend(row)
    return order
