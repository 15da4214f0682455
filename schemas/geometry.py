"""Places on a page. Coordinates are pixels of the upright page, as floats; x grows to the right, y grows down."""

from __future__ import annotations

Point = tuple[float, float]

Polygon = tuple[Point, Point, Point, Point]
"""Four points, clockwise from the text's own top left."""
