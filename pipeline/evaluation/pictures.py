"""The pages of a document as pictures, for the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pipeline.evaluation.html import LoadPages
from schemas.settings import Settings
from stages.decode.document import open_document


def page_loader(settings: Settings) -> LoadPages:
    """A function that decodes pages as the flow does: same limits, same resolution, EXIF applied."""

    def load(path: Path, numbers: Sequence[int]) -> dict[int, npt.NDArray[np.uint8]]:
        with open_document(path, limits=settings.limits, dpi=settings.dpi, pages=tuple(numbers)) as document:
            return {number: document.decode(number).pixels for number in document.page_numbers}

    return load
