"""Pages of printed text whose words and places are known."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

WORDS = [
    "river", "window", "garden", "purple", "station", "market", "silver", "thunder", "branch", "copper",
    "lantern", "meadow", "puzzle", "rocket", "saddle", "timber", "violin", "walnut", "yellow", "zebra",
    "anchor", "basket", "candle", "dragon", "engine", "forest", "guitar", "hammer", "island", "jacket",
]  # fmt: skip


def sentence(number: int, words: int = 3) -> str:
    """Words that differ from line to line, and the number, so that each line is told from the others."""
    return " ".join([*(WORDS[(number * 7 + i * 11) % len(WORDS)] for i in range(words)), str(100 + number)])


@dataclass
class TextPage:
    """A page in the making; ``boxes`` are the lines' corners (4, 2), clockwise from the top left, in page pixels."""

    pixels: Pixels
    texts: list[str] = field(default_factory=list)
    boxes: list[Floats] = field(default_factory=list)

    @classmethod
    def blank(cls, width: int, height: int, paper: int = 255) -> TextPage:
        return cls(np.full((height, width, 3), paper, np.uint8))

    def write(self, text: str, left: float, top: float, size: int = 24) -> TextPage:
        """Write a line whose ink starts at this place. It may reach over the page's edge."""
        image = Image.fromarray(self.pixels)
        font = ImageFont.load_default(size)
        ink = ImageDraw.Draw(image).textbbox((0, 0), text, font=font)
        ImageDraw.Draw(image).text((left - ink[0], top - ink[1]), text, fill=(20, 20, 20), font=font)
        self.pixels = np.asarray(image).copy()
        # From the top of the highest letter of the font to the bottom of the lowest, as people draw such boxes.
        ascent, descent = font.getmetrics() if isinstance(font, ImageFont.FreeTypeFont) else (ink[3], 0)
        right, above, below = left + ink[2] - ink[0], top - ink[1], top - ink[1] + ascent + descent
        self.texts.append(text)
        self.boxes.append(np.array([[left, above], [right, above], [right, below], [left, below]], np.float64))
        return self

    def rotated(self, degrees: float) -> TextPage:
        """Turned counter-clockwise on a page that holds all of it."""
        height, width = self.pixels.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
        size = (round(height * sin + width * cos), round(height * cos + width * sin))
        turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
        pixels = cv2.warpAffine(self.pixels, turn, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
        boxes = [box @ turn[:, :2].T + turn[:, 2] for box in self.boxes]
        return TextPage(pixels.astype(np.uint8), list(self.texts), boxes)

    def scaled(self, factor: float) -> TextPage:
        pixels = cv2.resize(self.pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        return TextPage(pixels.astype(np.uint8), list(self.texts), [box * factor for box in self.boxes])

    def quarter_turned(self, degrees: int) -> TextPage:
        """The page as it lies when it must be turned clockwise by this much to be upright."""
        return TextPage(np.ascontiguousarray(np.rot90(self.pixels, degrees // 90)), list(self.texts))

    def png(self) -> bytes:
        done, data = cv2.imencode(".png", self.pixels)
        assert done
        return data.tobytes()


def letter(lines: int = 12, width: int = 900, height: int = 700, size: int = 24) -> TextPage:
    """A page of some lines, one below the other."""
    page = TextPage.blank(width, height)
    for i in range(lines):
        page.write(sentence(i), 60, 50 + i * (height - 100) / lines, size)
    return page


def overlap(first: Floats, second: Floats) -> float:
    """Intersection over union of two convex quadrangles."""
    common, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in (first, second)]
    return float(common / (sum(areas) - common))
