"""Windows over more tokens than a model takes, and their votes joined."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def windows(count: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Cut ``count`` tokens into windows of at most ``size`` that overlap by ``overlap`` or a little more.

    The last window ends with the last token, so that it sees as much as the others.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"the overlap must be from 0 to {size - 1}, not {overlap}")
    if count <= size:
        return [(0, count)] if count else []
    starts = [*range(0, count - size, size - overlap), count - size]
    return [(start, start + size) for start in starts]


def joined(parts: Iterable[tuple[int, Floats]], count: int, labels: int) -> Floats:
    """The mean vote on each token, (count, labels): windows that see more on both sides of a token weigh more.

    Args:
        parts: each window's first token and its probabilities (tokens, labels).
        count: how many tokens there are; each is in a window.
        labels: how many labels.
    """
    votes = np.zeros((count, labels), np.float64)
    weights = np.zeros((count, 1), np.float64)
    for start, part in parts:
        seen = np.arange(len(part))
        weight = np.minimum(seen, seen[::-1])[:, None] + 1.0
        votes[start : start + len(part)] += weight * part
        weights[start : start + len(part)] += weight
    result: Floats = (votes / weights).astype(np.float32)
    return result
