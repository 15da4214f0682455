"""Polygons as results give them: four points of Python floats, inside the page, two decimals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from schemas.document import Polygon


def to_polygon(quad: npt.NDArray[Any], page_size: tuple[int, int]) -> Polygon:
    """Clip a quad (4, 2) to the page (width, height in pixels) and round it.

    Raises:
        ValueError: it has another shape or is not finite.
    """
    points = np.asarray(quad, np.float64)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise ValueError(f"a polygon needs four finite points, not {points.tolist()}")
    clipped = np.clip(points, 0.0, np.asarray(page_size, np.float64))
    a, b, c, d = ((round(x, 2) + 0.0, round(y, 2) + 0.0) for x, y in clipped.tolist())  # no -0.0
    return a, b, c, d


def to_confidence(value: float) -> float:
    """A probability as results give it: 0 to 1, four decimals; NaN counts as 0."""
    return round(min(max(float(value), 0.0), 1.0), 4) if value == value else 0.0
