"""Which type a document is, from what the network says of its pages and, for types added to its own, from titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.layout_ner.tags import OTHER

MIN_CONFIDENCE = 0.5
"""A document is of no known type unless one is at least so probable."""

TITLE_DECIDES = 0.7
"""From here on a title decides against the network, which has never seen a type that was added to its own."""

_OTHER_WEIGHT = 0.05


@dataclass(slots=True, frozen=True)
class Decision:
    """The type (None: none of the known ones) and the probability that this is right."""

    doc_type: str | None
    confidence: float


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


def settle(network: Decision, titled: tuple[str, float] | None) -> Decision:
    """Which of both to believe; ``titled`` is what the titles say (see :func:`stages.fields.titles.recognise`)."""
    if titled is None:
        return network
    name, confidence = titled
    if network.doc_type is None or confidence >= TITLE_DECIDES or confidence > network.confidence:
        return Decision(name, confidence)
    return network
