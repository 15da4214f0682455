"""Which input shapes are worth a compiled model of their own.

OpenVINO runs a network compiled for one fixed shape about 15 % faster than one compiled for any shape (detection,
736x960), in a third of the memory; but compiling takes half a second. Most archives hold pages of one or two sizes, so
a shape that keeps coming earns its own model, and keeps it while no other comes more often.
"""

from __future__ import annotations

from collections.abc import Hashable

EARNED = 8
"""Runs after which a shape has earned its model."""

_FADE = 256
"""After so many runs all counts are halved, so that what was hot long ago does not stay so."""


class HotShapes:
    """Counts shapes and says which ones to compile.

    Args:
        limit: how many shapes may have a model of their own; 0: none.
    """

    def __init__(self, limit: int) -> None:
        if limit < 0:
            raise ValueError(f"limit cannot be negative: {limit}")
        self._limit = limit
        self._counts: dict[Hashable, int] = {}
        self._runs = 0
        self.hot: set[Hashable] = set()

    def seen(self, shape: Hashable) -> tuple[bool, Hashable | None]:
        """Count a run of a shape.

        Returns:
            Whether the shape has just become hot (compile it now), and which one it replaces, if any.
        """
        if not self._limit:
            return False, None
        self._runs += 1
        self._counts[shape] = self._counts.get(shape, 0) + 1
        if self._runs % _FADE == 0:
            self._counts = {key: count // 2 for key, count in self._counts.items() if count > 1}
        if shape in self.hot or self._counts.get(shape, 0) < EARNED:
            return False, None
        if len(self.hot) < self._limit:
            self.hot.add(shape)
            return True, None
        coldest = min(self.hot, key=lambda key: self._counts.get(key, 0))
        # Twice as often, lest two shapes that come alike drive each other out.
        if self._counts[shape] < 2 * self._counts.get(coldest, 0) + EARNED:
            return False, None
        self.hot.remove(coldest)
        self.hot.add(shape)
        return True, coldest
