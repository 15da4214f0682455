"""Cut a page into network inputs, and put the probability maps of its tiles together again.

Tiles are joined as maps and not as boxes: a line that crosses a seam is then one region like any other, whatever its
length, and there are no duplicates or halves to be found and merged.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from stages.detection.scaling import PagePlan


def cut(pixels: npt.NDArray[np.uint8], plan: PagePlan) -> npt.NDArray[np.uint8]:
    """Resize a page (H, W, 3) as planned and cut it.

    Returns:
        The tiles (T, tile height, tile width, 3). Padding continues the page's last row and column, so that its edge
        does not look like the edge of a glyph.
    """
    rows, columns = plan.content
    height, width = plan.tile
    if pixels.shape[:2] != plan.content:
        # Linear interpolation skips pixels when it shrinks to less than half; otherwise it is as accurate and faster.
        method = cv2.INTER_AREA if 2 * rows < pixels.shape[0] else cv2.INTER_LINEAR
        pixels = cv2.resize(pixels, (columns, rows), interpolation=method)  # type: ignore[assignment]
    if rows < height or columns < width:
        below, right = max(0, height - rows), max(0, width - columns)
        pixels = cv2.copyMakeBorder(pixels, 0, below, 0, right, cv2.BORDER_REPLICATE)  # type: ignore[assignment]
    if len(plan.origins) == 1:
        return pixels[None]
    return np.stack([pixels[y : y + height, x : x + width] for y, x in plan.origins])


def join(maps: npt.NDArray[np.float32], plan: PagePlan) -> npt.NDArray[np.float32]:
    """Put the probability maps (T, tile height, tile width) of a page's tiles together.

    Where two tiles overlap, each counts up to the middle of the overlap: further from its own edge than the other
    tile's, hence seen with more of its surroundings.

    Returns:
        The map (content height, content width), without the padding.
    """
    rows, columns = plan.content
    if len(plan.origins) == 1:
        return maps[0, :rows, :columns]
    joined = np.empty((rows, columns), np.float32)
    tops = sorted({y for y, _ in plan.origins})
    lefts = sorted({x for _, x in plan.origins})
    vertical = _shares(tops, plan.tile[0], rows)
    horizontal = _shares(lefts, plan.tile[1], columns)
    for tile, (y, x) in zip(maps, plan.origins, strict=True):
        (y0, y1), (x0, x1) = vertical[y], horizontal[x]
        joined[y0:y1, x0:x1] = tile[y0 - y : y1 - y, x0 - x : x1 - x]
    return joined


def _shares(starts: list[int], length: int, end: int) -> dict[int, tuple[int, int]]:
    """For each tile start, the part of the side that this tile fills."""
    seams = [0, *((a + length + b) // 2 for a, b in zip(starts, starts[1:], strict=False)), end]
    return {start: (seams[i], seams[i + 1]) for i, start in enumerate(starts)}
