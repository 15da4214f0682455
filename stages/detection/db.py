"""From a text probability map to boxes: the post-processing of Differentiable Binarization (Liao et al., 2020)."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from schemas.settings import DetectionSettings
from stages.detection.box import Box, rectangles_to_quads

Floats = npt.NDArray[np.float32]

MIN_SIDE = 3.0
"""Shortest side, in map pixels, of a region that may be text; smaller ones are specks."""

MIN_PAGE_SIDE = 2.0
"""Shortest side, in page pixels, of a box worth reading."""


def find_boxes(probabilities: Floats, page: tuple[int, int], settings: DetectionSettings) -> list[Box]:
    """Find the text boxes in a probability map.

    Args:
        probabilities: (rows, columns), 0 to 1, covering exactly the page.
        page: height and width of the page in pixels.
        settings: thresholds and the unclip ratio.

    Returns:
        Boxes inside the page, from top to bottom by their highest region; the reading order is made later.
    """
    rectangles, scores = _regions(np.ascontiguousarray(probabilities, np.float32), settings)
    if not len(rectangles):
        return []
    # The network is trained on regions shrunk by area * (1 - r^2) / perimeter; growing by area * ratio / perimeter
    # undoes it. A rectangle's outline offset by d has as its smallest enclosing rectangle the same one, longer by 2d.
    width, height = rectangles[:, 2], rectangles[:, 3]
    grow = settings.unclip_ratio * width * height / (width + height)
    rectangles[:, 2] += grow
    rectangles[:, 3] += grow
    scale = np.array([page[1] / probabilities.shape[1], page[0] / probabilities.shape[0]], np.float32)
    quads = rectangles_to_quads(rectangles) * scale
    np.clip(quads[..., 0], 0, page[1], out=quads[..., 0])
    np.clip(quads[..., 1], 0, page[0], out=quads[..., 1])
    sides = np.linalg.norm(quads - np.roll(quads, -1, 1), axis=2).min(1)
    least = min(MIN_PAGE_SIDE, *page)
    return [Box(quad, float(score)) for quad, score, side in zip(quads, scores, sides, strict=True) if side >= least]


def _regions(probabilities: Floats, settings: DetectionSettings) -> tuple[Floats, Floats]:
    """Smallest enclosing rectangles (N, 5) of the regions over the threshold, in map pixels, and scores (N,)."""
    mask = (probabilities > settings.threshold).view(np.uint8)
    # Two levels: outlines of regions without a parent, holes below them. Holes are not text, text inside one is.
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if not len(contours):
        return np.empty((0, 5), np.float32), np.empty(0, np.float32)
    candidates = []
    for contour, parent in zip(contours, hierarchy.reshape(-1, 4)[:, 3].tolist(), strict=True):
        if parent < 0 and len(contour) > 2:
            _, _, columns, rows = cv2.boundingRect(contour)
            if min(columns, rows) > MIN_SIDE:
                candidates.append((columns * rows, contour))
    if len(candidates) > settings.max_candidates:
        candidates = sorted(candidates, key=lambda c: -c[0])[: settings.max_candidates]
    rectangles, scores = [], []
    for _, contour in candidates:
        (x, y), (w, h), angle = cv2.minAreaRect(contour)
        if min(w, h) < MIN_SIDE:
            continue
        score = _mean_inside(probabilities, x, y, w, h, angle)
        if score >= settings.box_threshold:
            # A pixel's centre is half a pixel in. The region itself is left as it is: the masks that the network
            # learnt from were drawn with their outline's pixels included.
            rectangles.append((x + 0.5, y + 0.5, w, h, angle))
            scores.append(score)
    return np.array(rectangles, np.float32).reshape(-1, 5), np.array(scores, np.float32)


def _mean_inside(probabilities: Floats, x: float, y: float, w: float, h: float, angle: float) -> float:
    """Mean of the map over the pixels of a rotated rectangle."""
    rows, columns = probabilities.shape
    if angle % 90 < 0.5 or angle % 90 > 89.5:
        if 45 < abs(angle) % 180 < 135:
            w, h = h, w
        x0, x1 = max(0, round(x - w / 2)), min(columns, round(x + w / 2) + 1)
        y0, y1 = max(0, round(y - h / 2)), min(rows, round(y + h / 2) + 1)
        return cv2.mean(probabilities[y0:y1, x0:x1])[0]
    corners = cv2.boxPoints(((x, y), (w, h), angle))
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int), 0).tolist()
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, (columns, rows)).tolist()
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners - (x0, y0)).astype(np.int32), 1)
    return cv2.mean(probabilities[y0:y1, x0:x1], mask)[0]
