"""How well confidences tell how often values are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BINS = 10


@dataclass(slots=True, frozen=True)
class Bin:
    """Values of about the same confidence: how many, their mean confidence, and how many of them are right."""

    count: int
    confidence: float
    right: int

    @property
    def accuracy(self) -> float:
        """The part that is right, 0 to 1."""
        return self.right / self.count


def reliability(values: Iterable[tuple[float, bool]], bins: int = BINS) -> list[Bin]:
    """Gather values into bins of equal width over 0 to 1, the data of a reliability diagram. Empty bins are left out.

    Args:
        values: each a confidence (0 to 1) and whether the value is right.
        bins: how many.
    """
    gathered: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in values:
        gathered.setdefault(min(int(confidence * bins), bins - 1), []).append((confidence, right))
    return [
        Bin(len(group), sum(confidence for confidence, _ in group) / len(group), sum(right for _, right in group))
        for _, group in sorted(gathered.items())
    ]


def expected_calibration_error(bins: Iterable[Bin]) -> float | None:
    """The mean distance of confidence and accuracy, weighted by the bins' counts (Naeini et al. 2015); None: no value.

    0 is perfect; 0.1 means that confidences are off by ten points on average.
    """
    bins = list(bins)
    count = sum(group.count for group in bins)
    return sum(group.count * abs(group.confidence - group.accuracy) for group in bins) / count if count else None
