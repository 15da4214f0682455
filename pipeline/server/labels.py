"""Label values that cannot run away: a series of Prometheus lives as long as the process."""

from __future__ import annotations

OTHER = "other"


class BoundedLabels:
    """Lets the first so many different values through; all that come later are ``other``.

    Args:
        most: how many, at most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[tuple[str, ...]] = set()

    def __call__(self, *values: str) -> tuple[str, ...]:
        """The values to use, together one combination."""
        if values not in self._known:
            if len(self._known) >= self._most:
                return (OTHER,) * len(values)
            self._known.add(values)
        return values
