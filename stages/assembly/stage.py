"""The last stage: recognised lines become a page in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from models.ctc import Alternatives, DecodedText
from schemas.document import Line, Page
from stages.assembly.polygons import to_confidence, to_polygon
from stages.assembly.reading_order import reading_order
from stages.assembly.words import words_of
from stages.stage import LaneContext, Stage


@dataclass(slots=True)
class RecognisedLine:
    """One line as detection and recognition leave it.

    ``quad`` (4, 2) float32, page pixels, clockwise from the text's own top left; ``score`` is the detector's.
    ``vertical``: the text was read from the top down.
    """

    quad: npt.NDArray[np.float32]
    score: float
    decoded: DecodedText
    vertical: bool = False
    alternatives: Alternatives | None = None


@dataclass(slots=True)
class AssemblyItem:
    """One page with all of its lines; sizes in pixels of the upright page, ``angle`` as in ``Page``."""

    number: int
    width: int
    height: int
    angle: int = 0
    lines: list[RecognisedLine] = field(default_factory=list)
    words: bool = False
    alternatives: bool = False
    min_confidence: float = 0.0


class AssemblyStage(Stage[AssemblyItem, Page]):
    """Drops lines without text or certainty, orders the rest, and gives them the form of results."""

    name = "assembly"

    def prepare(self, item: AssemblyItem, lane: LaneContext) -> Page:
        """Build the page.

        Raises:
            ValueError: a quad is not (4, 2) or not finite.
        """
        return assemble(item)

    def split(self, outputs: Any, items: Sequence[AssemblyItem], lane: LaneContext) -> list[Page]:
        """The pages, one per item."""
        return list(outputs)


def assemble(item: AssemblyItem) -> Page:
    """Build one page; see :class:`AssemblyStage`. A page without lines is a page with an empty list."""
    size = (item.width, item.height)
    kept = [line for line in item.lines if line.decoded.text.strip() and line.decoded.confidence >= item.min_confidence]
    page = Page(page=item.number, width=item.width, height=item.height, angle=item.angle)
    if not kept:
        return page
    for index in reading_order(np.stack([line.quad for line in kept]), size):
        line = kept[index]
        page.lines.append(
            Line(
                text=line.decoded.text.strip(),
                confidence=to_confidence(line.decoded.confidence),
                polygon=to_polygon(line.quad, size),
                words=words_of(line.decoded, line.quad, line.vertical, size) if item.words else None,
                alternatives=line.alternatives if item.alternatives else None,
            )
        )
    return page
