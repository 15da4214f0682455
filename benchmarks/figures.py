"""The few numbers that a series of measurements is reduced to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0 to 1) of the values do not exceed (nearest rank).

    Raises:
        ValueError: no values, or a share that is none.
    """
    if not values:
        raise ValueError("a percentile needs values")
    if not 0 <= share <= 1:
        raise ValueError(f"a share lies between 0 and 1, not {share}")
    ordered = sorted(values)
    # rounded first: 0.95 * 20 is 19.000000000000004 in some orders of multiplication, and would skip a rank
    rank = math.ceil(round(share * len(ordered), 9))
    return ordered[max(0, rank - 1)]


def pairwise_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios of rounds that ran side by side.

    Whatever slows the machine down for a while slows both members of a pair, so it cancels out here, while it would
    not in the ratio of two medians.

    Raises:
        ValueError: not the same number of rounds, or none, or a round of no speed.
    """
    if not ours or len(ours) != len(theirs):
        raise ValueError(f"ratios need pairs of rounds, not {len(ours)} and {len(theirs)}")
    if min(theirs) <= 0:
        raise ValueError("a ratio to a round of no speed has no value")
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and greatest of a series."""
    return {"median": median(values), "min": min(values), "max": max(values)}


def growth(values: Sequence[float]) -> float:
    """The slope of the least-squares line through evenly spaced values, per step; 0 for fewer than two."""
    count = len(values)
    if count < 2:
        return 0.0
    middle, mean = (count - 1) / 2, sum(values) / count
    above = sum((index - middle) * (value - mean) for index, value in enumerate(values))
    return above / sum((index - middle) ** 2 for index in range(count))


def rounded(value: object, digits: int = 4) -> object:
    """A JSON value with its floats rounded."""
    if isinstance(value, float):
        return round(value, digits)
    if isinstance(value, dict):
        return {key: rounded(item, digits) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item, digits) for item in value]
    return value
