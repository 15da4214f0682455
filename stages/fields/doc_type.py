"""Which type a document is, from what the network says of its pages and from titles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.layout_ner.normalise import normalise
from models.layout_ner.tags import OTHER
from schemas.doctypes import DocType
from schemas.document import Page

MIN_CONFIDENCE = 0.5
"""A document is of no known type unless one is at least so probable."""

TITLE_CONFIDENCE = 0.9
"""How sure a title makes of the type: printed as a line of its own, it is seldom anything else."""

_OTHER_WEIGHT = 0.05
_TITLE_LINES = 12


@dataclass(slots=True, frozen=True)
class Decision:
    """The type (None: none of the known ones) and the probability that this is right."""

    doc_type: str | None
    confidence: float


def by_title(pages: Sequence[Page], doctypes: Iterable[DocType]) -> Decision | None:
    """The type whose title stands as a line among the first ones of the document; the longest title counts."""
    lines = [line.text for page in pages for line in page.lines][:_TITLE_LINES]
    texts = {normalise(text) for text in lines}
    titles = [(normalise(title), doctype.name) for doctype in doctypes for title in doctype.titles]
    found = [(len(title), name) for title, name in titles if title and title in texts]
    return Decision(max(found)[1], TITLE_CONFIDENCE) if found else None


def by_network(pages: Sequence[npt.NDArray[np.float32]], types: Sequence[str]) -> Decision:
    """The most probable type over all pages.

    A policy is followed by pages of terms, and an invoice by a cover: so a page counts by how surely it is of a known
    type, and one that is of none counts a little.

    Args:
        pages: for each page that was looked at, (D,) probabilities of ``types``.
        types: their names; one of them is ``other``.
    """
    if not pages:
        return Decision(None, 0.0)
    other = list(types).index(OTHER)
    said = np.stack(pages).astype(np.float64)
    weights = _OTHER_WEIGHT + (1 - _OTHER_WEIGHT) * (1 - said[:, other])
    mean = np.average(said, axis=0, weights=weights)
    best = int(mean.argmax())
    confidence = float(np.clip(mean[best], 0.0, 1.0))
    if best != other and confidence >= MIN_CONFIDENCE:
        return Decision(types[best], confidence)
    # Below the threshold too it is said how probable it is that the document is of no known type.
    return Decision(None, float(np.clip(mean[other], 0.0, 1.0)))
