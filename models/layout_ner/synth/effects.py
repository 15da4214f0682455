"""What cameras, scanners and pockets do to a page: turns, perspective, folds, shadows, blur, noise, JPEG.

Strengths are chosen so that a person still reads every line: blur and noise grow with the size of the print.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from models.layout_ner.example import Example, TextLine
from schemas.document import Polygon

Pixels = npt.NDArray[np.uint8]  # RGB, (height, width, 3)
Homography = npt.NDArray[np.float64]  # (3, 3), from the page to the picture
_Light = npt.NDArray[np.float32]

_SMALLEST_PRINT = 17.0  # pixels: no line of median height gets smaller by scaling
_LARGEST_SIDE = 2600


def distort(pixels: Pixels, example: Example, rng: random.Random, strength: float = 1.0) -> tuple[Pixels, Example]:
    """Make a photograph, a scan or a screen picture of a clean page.

    Args:
        pixels: The page, RGB.
        example: Its truth.
        rng: Decides.
        strength: 0 leaves all but the JPEG noise out, 1 is usual.

    Returns:
        The picture and the truth, its polygons where the picture shows the lines.
    """
    kind = rng.choices(("photograph", "scan", "file"), (5, 3, 2))[0] if strength > 0 else "file"
    print_height = median([_height(line.polygon) for line in example.lines]) if example.lines else 30.0
    noise = np.random.default_rng(rng.getrandbits(64))
    if kind == "photograph":
        pixels = _folded(pixels, rng, strength)
        matrix, size = photograph_geometry(pixels.shape[1], pixels.shape[0], print_height, rng, strength)
        scale = _scale(matrix, pixels.shape[1], pixels.shape[0])
        pixels = _lit(_placed(pixels, matrix, size, _table(size, rng, noise)), rng, strength)
        pixels = _blurred(pixels, print_height * scale, rng, strength)
        pixels = _sensed(pixels, rng, noise, strength)
    elif kind == "scan":
        matrix, size = scan_geometry(pixels.shape[1], pixels.shape[0], print_height, rng, strength)
        scale = _scale(matrix, pixels.shape[1], pixels.shape[0])
        edge = rng.choice(((255, 255, 255), (250, 250, 248), (228, 228, 226), (18, 18, 18)))
        ground: Pixels = np.full((size[1], size[0], 3), edge, dtype=np.uint8)
        pixels = _placed(pixels, matrix, size, ground)
        pixels = _blurred(pixels, print_height * scale, rng, 0.6 * strength)
        pixels = _scanned(pixels, rng, noise, strength)
    else:
        matrix = np.eye(3)
        size = (pixels.shape[1], pixels.shape[0])
    return compressed(pixels, rng.randint(55, 95)), moved(example, matrix, size)


def moved(example: Example, matrix: Homography, size: tuple[int, int]) -> Example:
    """The truth with its polygons moved by a homography into a picture of a size (width, height)."""
    lines = [TextLine(line.text, project(line.polygon, matrix)) for line in example.lines]
    return replace(example, width=float(size[0]), height=float(size[1]), lines=lines)


def project(polygon: Polygon, matrix: Homography) -> Polygon:
    """A polygon moved by a homography."""
    points = np.asarray(polygon, dtype=np.float64).reshape(-1, 1, 2)
    a, b, c, d = cv2.perspectiveTransform(points, matrix).reshape(-1, 2).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def compressed(pixels: Pixels, quality: int) -> Pixels:
    """What is left after JPEG compression."""
    done, data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of shape {pixels.shape} cannot be written as JPEG")
    read = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(np.asarray(read, dtype=np.uint8)[:, :, ::-1])


# --- geometry ---------------------------------------------------------------------------------------------------


def photograph_geometry(
    width: int, height: int, print_height: float, rng: random.Random, strength: float
) -> tuple[Homography, tuple[int, int]]:
    """Where a camera sees the page: turned, tilted, on a table. Returns the homography and the picture's size."""
    angle = math.radians(max(-9.0, min(9.0, rng.gauss(0.0, 2.2 * strength))))
    reach = 0.05 * strength
    corners = []
    for x, y in ((0, 0), (width, 0), (width, height), (0, height)):
        u = x + rng.uniform(-reach, reach) * width - width / 2
        v = y + rng.uniform(-reach, reach) * height - height / 2
        corners.append((math.cos(angle) * u - math.sin(angle) * v, math.sin(angle) * u + math.cos(angle) * v))
    return _fitted(width, height, corners, print_height, rng, rng.uniform(0.01, 0.02 + 0.1 * strength))


def scan_geometry(
    width: int, height: int, print_height: float, rng: random.Random, strength: float
) -> tuple[Homography, tuple[int, int]]:
    """Where a scanner sees the page: turned a little. Returns the homography and the picture's size."""
    angle = math.radians(max(-4.0, min(4.0, rng.gauss(0.0, 0.8 * strength))))
    corners = []
    for x, y in ((0, 0), (width, 0), (width, height), (0, height)):
        u, v = x - width / 2, y - height / 2
        corners.append((math.cos(angle) * u - math.sin(angle) * v, math.sin(angle) * u + math.cos(angle) * v))
    return _fitted(width, height, corners, print_height, rng, rng.uniform(0.0, 0.03))


def _fitted(
    width: int,
    height: int,
    corners: list[tuple[float, float]],
    print_height: float,
    rng: random.Random,
    margin: float,
) -> tuple[Homography, tuple[int, int]]:
    """The homography to these corners, scaled and shifted so that the page lies in the picture with a margin."""
    scale = max(rng.uniform(0.65, 1.05), _SMALLEST_PRINT / max(print_height, 1.0))
    scale = min(scale, 1.3, _LARGEST_SIDE / (max(width, height) * (1 + 2 * margin)))
    room = margin * max(width, height)
    target = np.asarray(corners, dtype=np.float64) * scale
    low = target.min(axis=0) - room * scale * np.asarray([rng.random(), rng.random()])
    high = target.max(axis=0) + room * scale * np.asarray([rng.random(), rng.random()])
    source = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(source, (target - low).astype(np.float32))
    size = (max(1, math.ceil(high[0] - low[0])), max(1, math.ceil(high[1] - low[1])))
    return np.asarray(matrix, dtype=np.float64), size


def _scale(matrix: Homography, width: int, height: int) -> float:
    """How much larger the middle of the page gets, in one direction."""
    corners = project(((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), matrix)
    area = abs(cv2.contourArea(np.asarray(corners, dtype=np.float32)))
    return math.sqrt(area / (width * height))


def _height(polygon: Polygon) -> float:
    return math.dist(polygon[0], polygon[3])


def _placed(pixels: Pixels, matrix: Homography, size: tuple[int, int], ground: Pixels) -> Pixels:
    """The page drawn into the picture of what it lies on."""
    if _scale(matrix, pixels.shape[1], pixels.shape[0]) < 0.8:  # thin strokes would break up otherwise
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.5), dtype=np.uint8)
    page = np.asarray(cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_LINEAR), dtype=np.float32)
    inside = np.full(pixels.shape[:2], 255, dtype=np.uint8)
    covered = cv2.warpPerspective(inside, matrix, size, flags=cv2.INTER_LINEAR)
    mask = np.asarray(covered, dtype=np.float32)[:, :, None] / 255
    return np.asarray(page * mask + ground * (1 - mask), dtype=np.uint8)


def _table(size: tuple[int, int], rng: random.Random, noise: np.random.Generator) -> Pixels:
    """What the page lies on: wood, cloth or plastic of some colour, with a grain."""
    tone = rng.randint(25, 215)
    colour = [max(0, min(255, tone + rng.randint(-35, 35))) for _ in range(3)]
    width, height = size
    across, down = rng.choice(((4, 160), (160, 4), (24, 24), (90, 90)))  # how fine the grain is
    small = noise.normal(0, 1, (max(2, height // down + 2), max(2, width // across + 2))).astype(np.float32)
    grain = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)[:, :, None] * rng.uniform(2, 14)
    return np.clip(np.asarray(colour, dtype=np.float32) + grain, 0, 255).astype(np.uint8)


# --- light ------------------------------------------------------------------------------------------------------


def _folded(pixels: Pixels, rng: random.Random, strength: float) -> Pixels:
    """Creases: on one side of each the paper is a little darker, and the crease itself a thin line."""
    if rng.random() > 0.45 * strength:
        return pixels
    height, width = pixels.shape[:2]
    light: _Light = np.ones((height, width), dtype=np.float32)
    for _ in range(rng.randint(1, 3)):
        upright = rng.random() < 0.5
        length = width if upright else height
        place = rng.choice((1 / 3, 1 / 2, 2 / 3, rng.uniform(0.1, 0.9))) * length
        slope = rng.gauss(0.0, 0.02)
        along = np.arange(height if upright else width, dtype=np.float32)
        across = np.arange(length, dtype=np.float32)
        distance = across[None, :] - (place + slope * along)[:, None]
        reach = rng.uniform(0.03, 0.12) * length
        side = np.where(distance > 0, np.exp(-np.abs(distance) / reach), 0.0) * rng.uniform(0.04, 0.13)
        crease = np.exp(-((distance / rng.uniform(0.8, 1.8)) ** 2)) * rng.uniform(-0.1, 0.16)
        shade = (1.0 - side - crease).astype(np.float32)
        light *= shade if upright else shade.T
    return np.asarray(np.clip(pixels * light[:, :, None], 0, 255), dtype=np.uint8)


def _lit(pixels: Pixels, rng: random.Random, strength: float) -> Pixels:
    """Uneven light, its colour, and sometimes the shadow of a hand or a telephone."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:1:64j, 0:1:64j].astype(np.float32)  # coarse: light changes slowly
    direction = rng.uniform(0, 2 * math.pi)
    slope = rng.uniform(0.0, 0.3) * strength
    light = 1.0 - slope * (math.cos(direction) * (x - 0.5) + math.sin(direction) * (y - 0.5) + 0.5)
    if rng.random() < 0.35 * strength:
        edge = rng.uniform(0, 2 * math.pi)
        place = rng.uniform(-0.3, 0.3)
        distance = math.cos(edge) * (x - 0.5) + math.sin(edge) * (y - 0.5) - place
        light *= 1.0 - rng.uniform(0.12, 0.42) / (1.0 + np.exp(-distance / rng.uniform(0.01, 0.06)))
    fine: _Light = np.asarray(cv2.resize(light.astype(np.float32), (width, height)), dtype=np.float32)
    warmth = rng.gauss(0.0, 0.035 * strength)
    colour = np.asarray([1 + warmth, 1.0, 1 - warmth], dtype=np.float32) * rng.uniform(0.88, 1.06)
    return np.clip(pixels * fine[:, :, None] * colour, 0, 255).astype(np.uint8)


def _blurred(pixels: Pixels, print_height: float, rng: random.Random, strength: float) -> Pixels:
    """Out of focus, or shaken; at most so much that print of this height stays readable."""
    kind = rng.random()
    if kind < 0.5:
        sigma = min(rng.uniform(0.0, 0.04) * strength * print_height, 1.8)
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), dtype=np.uint8) if sigma > 0.25 else pixels
    if kind < 0.7:
        length = min(rng.uniform(0.03, 0.13) * strength * print_height, 6.0)
        size = 2 * math.ceil(length / 2) + 1
        kernel = np.zeros((size, size), dtype=np.float32)
        angle, middle = rng.uniform(0, math.pi), size // 2
        for step in np.linspace(-length / 2, length / 2, 4 * size):
            kernel[round(middle + step * math.sin(angle)), round(middle + step * math.cos(angle))] += 1
        return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum()), dtype=np.uint8)
    return pixels


def _sensed(pixels: Pixels, rng: random.Random, noise: np.random.Generator, strength: float) -> Pixels:
    """A sensor's noise, and the telephone's own sharpening."""
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(pixels, (0, 0), 1.2)
        pixels = np.asarray(cv2.addWeighted(pixels, 1.5, soft, -0.5, 0), dtype=np.uint8)
    sigma = rng.uniform(0.0, 7.0) * strength
    grain = noise.standard_normal(pixels.shape[:2], dtype=np.float32)[:, :, None] * sigma
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)


def _scanned(pixels: Pixels, rng: random.Random, noise: np.random.Generator, strength: float) -> Pixels:
    """A scanner's contrast, specks, and sometimes grey instead of colour."""
    if rng.random() < 0.4:
        pixels = np.asarray(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), dtype=np.uint8)
    contrast, lift = rng.uniform(0.85, 1.15), rng.uniform(-12, 12)
    pixels = np.clip((pixels.astype(np.float32) - 128) * contrast + 128 + lift, 0, 255).astype(np.uint8)
    for _ in range(int(rng.expovariate(1 / 25) * strength)):
        x, y = rng.randrange(pixels.shape[1]), rng.randrange(pixels.shape[0])
        cv2.circle(pixels, (x, y), rng.choice((0, 0, 1)), (rng.randint(40, 150),) * 3, -1)
    grain = noise.standard_normal(pixels.shape[:2], dtype=np.float32)[:, :, None] * rng.uniform(0, 4) * strength
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)
