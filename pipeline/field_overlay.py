"""Fields drawn over a page: their regions in a colour of their own, each with its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PIL import Image, ImageDraw

from pipeline import fonts
from schemas.document import Polygon
from schemas.fields import Field

COLOUR = (36, 84, 204)
"""RGB; none of the colours of confidence."""

_INK = (255, 255, 255)


@dataclass(slots=True, frozen=True)
class Mark:
    """A field's name and one of its regions, in pixels of the page."""

    name: str
    polygon: Polygon


def marks(fields: Mapping[str, Field | list[Field]], page: int) -> list[Mark]:
    """What to draw on one page. Rows of a group are named by their parts: ``items.amount``."""
    return [mark for name, field in fields.items() for mark in _marks(name, field, page)]


def draw_marks(picture: Image.Image, found: list[Mark], scale: tuple[float, float]) -> None:
    """Draw into the picture, whose pixels are ``scale`` (x, y) times as many as the page's."""
    layer = ImageDraw.Draw(picture, "RGBA")
    side = max(picture.size)
    width = max(2, round(side / 600))
    font = fonts.usual(max(9, round(side / 90)))
    shapes = [[(x * scale[0], y * scale[1]) for x, y in mark.polygon] for mark in found]
    for shape in shapes:
        layer.line([*shape, shape[0]], fill=COLOUR, width=width, joint="curve")
    for mark, shape in zip(found, shapes, strict=True):  # last, so that no outline hides them
        left, top, right, bottom = layer.textbbox((0, 0), mark.name, font=font)
        box_width, box_height = right - left + 4, bottom - top + 4
        # Under the value: its number as a line is at its left, and the line above is often as near as that below.
        x = min(max(0.0, min(p[0] for p in shape)), max(0.0, picture.width - box_width))
        y = min(max(0.0, max(p[1] for p in shape)), max(0.0, picture.height - box_height))
        layer.rectangle((x, y, x + box_width, y + box_height), fill=(*COLOUR, 215))
        layer.text((x + 2 - left, y + 2 - top), mark.name, font=font, fill=_INK)


def _marks(name: str, field: Field | list[Field], page: int) -> Iterator[Mark]:
    if isinstance(field, list):
        for one in field:
            yield from _marks(name, one, page)
    elif isinstance(field.value, dict):
        for part, inner in field.value.items():
            yield from _marks(f"{name}.{part}", inner, page)
    else:
        for region in field.regions:
            if region.page == page:
                yield Mark(name, region.polygon)
