"""A layout-NER network without weights for the fake plant, and fields made of whatever it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from models.backends.base import Array, Inputs
from models.layout_ner.candidate import Candidate
from models.layout_ner.tags import TagSet
from models.layout_ner.vocabulary import Vocabulary
from schemas.doctypes import DocType
from schemas.document import Page
from schemas.fields import Field
from stages.fields.stage import Fields

CHARACTERS = tuple("0123456789abcdefghijklmnopqrstuvwxyz-")
TAGS = TagSet({"receipt": ("company", "total")})
VOCABULARY = Vocabulary(CHARACTERS)


class TagPredictor:
    """A layout-NER network: digits are the total of a receipt, and a page whose first character is "r" is one."""

    def run(self, inputs: Inputs, *, cores: int = 1) -> list[Array]:
        assert not isinstance(inputs, np.ndarray)
        characters, _, line_of, _, _, hint = inputs
        first = np.where(hint > 0, 0, characters[:, 0])
        receipt = first == VOCABULARY.number("r")
        tags = np.zeros((*characters.shape, len(TAGS)), np.float32)
        digits = (characters >= VOCABULARY.number("0")) & (characters <= VOCABULARY.number("9"))
        begin = TAGS.begin("receipt", "total")
        assert begin is not None
        tags[..., begin] = digits & ~np.roll(digits, 1, axis=1)
        tags[..., begin + 1] = digits & np.roll(digits, 1, axis=1)
        tags[..., 0] = ~digits
        assert not digits[line_of < 0].any()
        return [tags, np.stack([~receipt, receipt], axis=1).astype(np.float32)]


@dataclass
class TagModel:
    """Any number of such networks."""

    precision: str = "f32"
    closed: int = 0

    def predictor(self, lane: int, stream: Any = None) -> TagPredictor:
        return TagPredictor()

    def close(self) -> None:
        self.closed += 1


def build_fields(doctype: DocType, candidates: list[Candidate], pages: list[Page]) -> Fields:
    """Candidates as they are, by page and name; that the lines kept their alternatives is checked."""
    assert all(line.alternatives is not None for page in pages for line in page.lines)
    return {f"{c.name}.{c.page}": Field("text", c.content, c.content, c.confidence) for c in candidates}
