"""A sheet of paper that remembers where each line of text was put."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Polygon = tuple[tuple[float, float], ...]

INK: Colour = (32, 34, 38)
GREY: Colour = (110, 114, 120)
BLUE: Colour = (28, 52, 130)
MARGIN = 0.08  # of the font's size, between the text and its polygon, as people leave who label by hand

_FONTS = {
    "sans": "liberation/LiberationSans-Regular.ttf",
    "sans-bold": "liberation/LiberationSans-Bold.ttf",
    "serif": "liberation/LiberationSerif-Regular.ttf",
    "serif-bold": "liberation/LiberationSerif-Bold.ttf",
    "serif-italic": "liberation/LiberationSerif-Italic.ttf",
    "mono": "liberation/LiberationMono-Regular.ttf",
    "mono-bold": "liberation/LiberationMono-Bold.ttf",
    "narrow": "liberation/LiberationSansNarrow-Regular.ttf",
    "chinese": "wqy/wqy-zenhei.ttc",
}


@dataclass(slots=True, frozen=True)
class Label:
    """One line of text and its four corners, clockwise from its own top left."""

    text: str
    polygon: Polygon


@lru_cache(maxsize=128)
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font by its short name.

    Raises:
        SystemExit: it is not installed.
    """
    path = Path("/usr/share/fonts/truetype") / _FONTS[name]
    if not path.is_file():
        raise SystemExit(f"{path} is missing: apt-get install fonts-liberation fonts-wqy-zenhei")
    return ImageFont.truetype(str(path), size)


class Sheet:
    """A page being drawn, with the truth of what stands on it."""

    def __init__(self, width: int, height: int, paper: Colour = (255, 255, 255)) -> None:
        self.image = Image.new("RGB", (width, height), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.labels: list[Label] = []

    @property
    def width(self) -> int:
        """In pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """In pixels."""
        return self.image.height

    def text(
        self,
        x: float,
        y: float,
        text: str,
        name: str = "sans",
        size: int = 24,
        *,
        fill: Colour = INK,
        anchor: str = "ls",
        label: bool = True,
    ) -> None:
        """Draw one line with its baseline at ``y``; ``anchor`` is Pillow's (ls: left, ms: middle, rs: right)."""
        face = font(name, size)
        self.draw.text((x, y), text, font=face, fill=fill, anchor=anchor)
        if label:
            left, _, right, _ = self.draw.textbbox((x, y), text, font=face, anchor=anchor)
            _, top, _, bottom = self.draw.textbbox((x, y), "Hg", font=face, anchor=anchor)  # a line's whole height
            margin = MARGIN * size
            self.label(text, left - margin, top - margin, right + margin, bottom + margin)

    def label(self, text: str, left: float, top: float, right: float, bottom: float) -> None:
        """Add a line to the truth, its box kept inside the page."""
        left, right = max(0.0, left), min(float(self.width), right)
        top, bottom = max(0.0, top), min(float(self.height), bottom)
        self.labels.append(Label(text, ((left, top), (right, top), (right, bottom), (left, bottom))))

    def paragraph(self, x: float, y: float, lines: list[str], name: str, size: int, leading: float) -> float:
        """Draw lines below each other; returns the baseline after the last."""
        for line in lines:
            if line:
                self.text(x, y, line, name, size)
            y += leading
        return y

    def rule(self, x0: float, y0: float, x1: float, y1: float, width: int = 2, fill: Colour = INK) -> None:
        """A straight line."""
        self.draw.line((x0, y0, x1, y1), fill=fill, width=width)

    def dashes(self, x0: float, x1: float, y: float, width: int = 2) -> None:
        """A dashed line, as receipts have them."""
        x = x0
        while x < x1:
            self.draw.line((x, y, min(x + 9, x1), y), fill=INK, width=width)
            x += 15

    def frame(self, x0: float, y0: float, x1: float, y1: float, width: int = 2, fill: Colour | None = None) -> None:
        """A rectangle."""
        self.draw.rectangle((x0, y0, x1, y1), outline=INK, width=width, fill=fill)
