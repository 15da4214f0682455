"""From the network's own confidence to the share of values that are right at it, by a monotone table."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas.errors import ModelError

DEFAULT = "default"


@dataclass(slots=True, frozen=True)
class Calibration:
    """Tables by field name, each a series of (raw, calibrated) points that never falls; straight lines in between.

    A field without a table of its own uses ``default``; without one, its confidence stays as it is.
    """

    tables: Mapping[str, tuple[tuple[float, float], ...]]

    @classmethod
    def from_mapping(cls, value: Mapping[str, Any]) -> Calibration:
        """Take the tables from a model's description: ``{default: [[0.0, 0.0], [0.5, 0.31], [1.0, 0.97]]}``.

        Raises:
            ModelError: a table is not a list of pairs, its values are not within 0 to 1, or it falls somewhere.
        """
        return cls({str(name): _table(str(name), points) for name, points in value.items()})

    def __call__(self, confidence: float, *names: str) -> float:
        """The calibrated confidence, 0 to 1, by the first of the names that has a table; NaN counts as 0."""
        raw = min(max(float(confidence), 0.0), 1.0) if confidence == confidence else 0.0
        for name in (*names, DEFAULT):
            table = self.tables.get(name)
            if table is not None:
                return _interpolate(table, raw)
        return raw


IDENTITY = Calibration({})


def fit(confidences: Sequence[float], correct: Sequence[bool], points: int = 20) -> tuple[tuple[float, float], ...]:
    """A table from measured values, by isotonic regression (pool adjacent violators; Barlow et al., 1972).

    Args:
        confidences: raw ones, 0 to 1.
        correct: whether the value was right.
        points: values are first gathered into this many groups of about equal size.

    Returns:
        Points for :class:`Calibration`, from raw 0 to raw 1. Empty input gives the identity.
    """
    pairs = sorted(zip(confidences, correct, strict=True))
    if not pairs:
        return (0.0, 0.0), (1.0, 1.0)
    size = max(len(pairs) // max(points, 1), 1)
    pools: list[list[float]] = []  # each: count, sum of confidences, number right
    at = 0
    while at < len(pairs):
        stop = min(at + size, len(pairs))
        while stop < len(pairs) and pairs[stop][0] == pairs[stop - 1][0]:
            stop += 1  # equal confidences stay together: sorted apart into wrong and right ones they would say too much
        group, at = pairs[at:stop], stop
        pools.append([len(group), sum(c for c, _ in group), sum(ok for _, ok in group)])
        while len(pools) > 1 and pools[-2][2] * pools[-1][0] >= pools[-1][2] * pools[-2][0]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    # One imagined right and one wrong value in each pool (Laplace): no pool is ever quite sure.
    table = [(round(total / count, 4), round((right + 1) / (count + 2), 4)) for count, total, right in pools]
    for k in range(1, len(table)):
        table[k] = (table[k][0], max(table[k][1], table[k - 1][1]))
    start = [] if table[0][0] == 0 else [(0.0, 0.0)]
    end = [] if table[-1][0] == 1 else [(1.0, table[-1][1])]
    return tuple([*start, *table, *end])


def _table(name: str, points: Any) -> tuple[tuple[float, float], ...]:
    where = f"the calibration of {name!r} in the model's description"
    try:
        table = tuple((float(raw), float(calibrated)) for raw, calibrated in points)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where} must be a list of [raw, calibrated] pairs") from error
    if not table or not all(math.isfinite(x) and 0 <= x <= 1 for point in table for x in point):
        raise ModelError(f"{where} must hold pairs of numbers from 0 to 1")
    if any(a[0] > b[0] or a[1] > b[1] for a, b in zip(table, table[1:], strict=False)):
        raise ModelError(f"{where} must not fall: sort it, and let no calibrated value be below one before it")
    return table


def _interpolate(table: tuple[tuple[float, float], ...], raw: float) -> float:
    at = bisect_right(table, (raw, 2.0))
    if at == 0:
        return table[0][1]
    if at == len(table):
        return table[-1][1]
    (x0, y0), (x1, y1) = table[at - 1], table[at]
    return y0 + (y1 - y0) * (raw - x0) / (x1 - x0) if x1 > x0 else y1
