"""What scanners, cameras and printers do to a page. Polygons move along."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from scripts.samples.sheet import Label, Sheet

Matrix = npt.NDArray[np.float64]


def skew(sheet: Sheet, degrees: float, background: tuple[int, int, int] = (255, 255, 255)) -> None:
    """Lay the page crookedly on the scanner, clockwise; the frame keeps its size."""
    centre = (sheet.width / 2, sheet.height / 2)
    turned = cv2.getRotationMatrix2D(centre, -degrees, 1.0)
    warp(sheet, np.vstack([turned, [0, 0, 1]]), (sheet.width, sheet.height), background)


def photograph(
    sheet: Sheet, corners: tuple[tuple[float, float], ...], size: tuple[int, int], background: tuple[int, int, int]
) -> None:
    """Photograph the page lying on a table: its corners (clockwise from the top left) end up at ``corners``."""
    source = np.array([[0, 0], [sheet.width, 0], [sheet.width, sheet.height], [0, sheet.height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    warp(sheet, np.asarray(matrix, np.float64), size, background)


def warp(sheet: Sheet, matrix: Matrix, size: tuple[int, int], background: tuple[int, int, int]) -> None:
    """Apply a homography to the page and to its truth."""
    pixels = cv2.warpPerspective(
        np.asarray(sheet.image), matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT,
        borderValue=background,
    )  # fmt: skip
    sheet.image = Image.fromarray(pixels)
    sheet.labels = [Label(label.text, _moved(label.polygon, matrix)) for label in sheet.labels]


def _moved(polygon: tuple[tuple[float, float], ...], matrix: Matrix) -> tuple[tuple[float, float], ...]:
    points = cv2.perspectiveTransform(np.asarray([polygon], np.float64), matrix)[0]
    return tuple((float(x), float(y)) for x, y in points)


def noise(sheet: Sheet, seed: int, *, grain: float = 4.0, specks: int = 0) -> None:
    """Sensor noise with a standard deviation of ``grain`` grey levels, and dark specks of dust."""
    random = np.random.default_rng(seed)
    grains = random.normal(0, grain, (sheet.height, sheet.width))
    result = np.clip(np.asarray(sheet.image) + grains[..., None], 0, 255).astype(np.uint8)
    for _ in range(specks):
        x, y = int(random.integers(sheet.width)), int(random.integers(sheet.height))
        cv2.circle(result, (x, y), int(random.integers(1, 3)), (70, 70, 70), -1, cv2.LINE_AA)
    sheet.image = Image.fromarray(result)


def shade(sheet: Sheet, seed: int, *, depth: float = 0.25) -> None:
    """Uneven light: a smooth field that darkens the page by up to ``depth``."""
    random = np.random.default_rng(seed)
    field = cv2.resize(
        random.random((4, 3)).astype(np.float32), (sheet.width, sheet.height), interpolation=cv2.INTER_CUBIC
    )
    field = 1 - depth * np.clip(field, 0, 1)
    pixels = np.asarray(sheet.image, np.float32) * field[..., None]
    sheet.image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def blur(sheet: Sheet, sigma: float) -> None:
    """A lens that is not quite sharp."""
    sheet.image = Image.fromarray(cv2.GaussianBlur(np.asarray(sheet.image), (0, 0), sigma))


def fade(sheet: Sheet, paper: int, ink: int) -> None:
    """Thermal paper: the darkest ink becomes the grey level ``ink``, white becomes ``paper``."""
    pixels = np.asarray(sheet.image, np.float32) / 255
    sheet.image = Image.fromarray((ink + pixels * (paper - ink)).astype(np.uint8))
