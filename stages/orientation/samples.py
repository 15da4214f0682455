"""The pieces of text lines that are shown to the direction classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from stages.detection.box import TALL, Box

HEIGHT, WIDTH = 48, 192
"""What the classifier (PaddleOCR's text line orientation model) takes."""

MAX_ASPECT = 6.0
"""Longer lines show only their middle: squeezed to the classifier's width they mislead it. On lines of receipts and
forms, English and Chinese, the middle was judged right 97 to 99 times in a hundred, the squeezed whole 94 to 98."""

MIN_ASPECT = 2.0
"""Shorter boxes hold too few characters to tell; many look the same upside down."""

MIN_TALL_ASPECT = 3.0
"""The same for tall boxes, which a lone "1" or "I" fills as well."""

MIN_SIDE = 6.0
"""Lines lower than this, in page pixels, are too blurred to tell."""

FILL = 127
"""Padding: grey, which normalises to zero, as the classifier was trained with."""


@dataclass(slots=True)
class Samples:
    """What a page shows the classifier.

    ``tall`` says that its lines run up or down; then the pieces are seen turned a quarter counterclockwise (text that
    runs down stands upright). ``quads`` (N, 4, 2) are the pieces, best first, each starting at the corner that is its
    top left as seen, cut from ``lines`` lines. ``pixels`` is the page.
    """

    tall: bool
    lines: int
    quads: list[npt.NDArray[np.float32]]
    pixels: npt.NDArray[np.uint8]


def choose(pixels: npt.NDArray[np.uint8], boxes: Sequence[Box], limit: int, min_tall_share: float) -> Samples:
    """Choose up to ``limit`` pieces of text to look at.

    The page counts as tall when boxes taller than wide make up ``min_tall_share`` of the total length of its lines.
    The best lines are long and high; when there are fewer lines than ``limit``, long ones give several pieces.
    """
    sizes = np.array([(box.width, box.height) for box in boxes], np.float32).reshape(-1, 2)
    width, height = sizes[:, 0], sizes[:, 1]
    along_x, along_y = width > TALL * height, height > TALL * width
    length_x, length_y = float(width[along_x].sum()), float(height[along_y].sum())
    tall = length_y > 0 and length_y >= min_tall_share * (length_x + length_y)
    long, short = (height, width) if tall else (width, height)
    aspect = long / np.maximum(short, 1e-6)
    usable = (aspect >= (MIN_TALL_ASPECT if tall else MIN_ASPECT)) & (short >= MIN_SIDE)
    scores = np.array([box.score for box in boxes], np.float32)
    order = np.argsort(-np.minimum(aspect, MAX_ASPECT) * np.sqrt(short) * scores, kind="stable")
    chosen = [int(i) for i in order if usable[i]][:limit]
    quads = [np.roll(boxes[i].quad, -1, axis=0) if tall else boxes[i].quad for i in chosen]
    pieces = [int(min(max(1, limit // max(1, len(chosen))), aspect[i] // MIN_TALL_ASPECT)) or 1 for i in chosen]
    cuts = [_pieces(quad, float(aspect[i]), n) for quad, i, n in zip(quads, chosen, pieces, strict=True)]
    # First one piece of each line, then the second ones, and so on.
    rounds = [cut[k] for k in range(max(pieces, default=0)) for cut in cuts if k < len(cut)]
    return Samples(tall, len(chosen), rounds[:limit], pixels)


def _pieces(quad: npt.NDArray[np.float32], aspect: float, count: int) -> list[npt.NDArray[np.float32]]:
    """Cut a line into ``count`` parts and keep of each its middle, at most ``MAX_ASPECT`` wide."""
    top, bottom = quad[1] - quad[0], quad[2] - quad[3]
    half = min(1 / count, MAX_ASPECT / aspect) / 2
    result = []
    for k in range(count):
        middle = (k + 0.5) / count
        a, b = middle - half, middle + half
        corners = [quad[0] + a * top, quad[0] + b * top, quad[3] + b * bottom, quad[3] + a * bottom]
        result.append(np.array(corners, np.float32))
    return result


def crop(pixels: npt.NDArray[np.uint8], quad: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Cut out one piece, upright as seen, and fit it into (48, 192, 3)."""
    width = max(1, round(float(np.hypot(*(quad[1] - quad[0])))))
    height = max(1, round(float(np.hypot(*(quad[3] - quad[0])))))
    target = np.array([[0, 0], [width, 0], [width, height]], np.float32)
    transform = cv2.getAffineTransform(quad[:3].astype(np.float32), target)
    piece = cv2.warpAffine(pixels, transform, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    columns = min(WIDTH, max(1, round(HEIGHT * width / height)))
    result = np.full((HEIGHT, WIDTH, 3), FILL, np.uint8)
    result[:, :columns] = cv2.resize(piece, (columns, HEIGHT), interpolation=cv2.INTER_LINEAR)
    return result


def upright_characters(pixels: npt.NDArray[np.uint8], quad: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Write the first characters of a tall piece side by side as they stand on the page, in (48, 192, 3).

    Args:
        pixels: the page.
        quad: a piece of :class:`Samples` that is ``tall``, seen turned counterclockwise.

    Vertical Chinese and Japanese text and a page turned clockwise both show columns that run down. The former's
    characters stand upright in this picture, the latter's lie on their side. Characters are about square there; what
    is cut in other scripts is not upright text, and that is all it is asked for.
    """
    length = float(np.hypot(*(quad[1] - quad[0])))
    width = float(np.hypot(*(quad[3] - quad[0])))
    count = min(WIDTH // HEIGHT, max(1, int(length / max(width, 1e-6))))
    share = min(1.0, count * width / max(length, 1e-6))
    start = np.array(
        [quad[0], quad[0] + share * (quad[1] - quad[0]), quad[3] + share * (quad[2] - quad[3]), quad[3]], np.float32
    )
    line = crop(pixels, start)
    result = np.full((HEIGHT, WIDTH, 3), FILL, np.uint8)
    for k in range(count):
        cell = slice(k * HEIGHT, (k + 1) * HEIGHT)
        result[:, cell] = cv2.rotate(np.ascontiguousarray(line[:, cell]), cv2.ROTATE_90_CLOCKWISE)
    return result
