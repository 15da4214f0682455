"""The ways in which one box may be read, and which reading is believed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stages.assembly.stage import RecognisedLine
from stages.detection.box import TALL, Box


def ways_to_read(box: Box) -> list[tuple[npt.NDArray[np.float32], bool]]:
    """The quadrangle to read, clockwise from the text's own top left, and whether to read it from the top down.

    A tall box is read as it stands, from the top down and from the bottom up: only the recogniser can tell a column
    of characters from a line that was turned, and neither from a tall glyph.
    """
    level = (box.quad, False)
    if box.height < TALL * box.width:
        return [level]
    # Text that runs upward has its own top left in the box's lower left corner.
    return [level, (box.quad, True), (np.roll(box.quad, 1, axis=0), False)]


def certainty(line: RecognisedLine, box: Box) -> float:
    """How sure a reading is of itself.

    One without text is less sure than any other. A single character says nothing about a line that runs up or down:
    a lone "I", turned, is an underscore beyond doubt.
    """
    text = line.decoded.text.strip()
    turned = line.vertical or line.quad is not box.quad
    if turned and len(text) < 2:
        return -2.0
    return line.decoded.confidence if text else -1.0
