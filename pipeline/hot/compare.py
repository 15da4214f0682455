"""Whether two versions of a stage say the same of one item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stages.detection.box import Box
from stages.layout_ner.stage import PageTags
from stages.recognition.stage import Recognised

PIXELS = 3.0
"""Corners of boxes that lie no further apart are the same: a line is read the same in either."""


def same(stage: str, one: Any, other: Any) -> bool:
    """Whether two results of a stage agree, for all that a reader would notice."""
    compare = _COMPARED.get(stage)
    return bool(one == other) if compare is None else compare(one, other)


def _boxes(one: Sequence[Box], other: Sequence[Box]) -> bool:
    """As many boxes, and each where one of the others is."""
    if len(one) != len(other):
        return False
    if not one:
        return True
    quads, others = (np.stack([box.quad for box in boxes]) for boxes in (one, other))
    apart = np.abs(quads[:, None] - others[None]).max(axis=(2, 3))
    nearest = apart.argmin(axis=1)
    return bool(apart.min(axis=1).max() <= PIXELS) and len(set(nearest.tolist())) == len(one)


def _lines(one: Recognised, other: Recognised) -> bool:
    return one.decoded.text == other.decoded.text


def _tags(one: PageTags, other: PageTags) -> bool:
    """The same tag for every character, and the same type. Networks with other tags are never the same."""
    if one.tags.shape != other.tags.shape or one.types.shape != other.types.shape:
        return False
    same_tags = np.array_equal(one.tags.argmax(axis=1), other.tags.argmax(axis=1))
    return same_tags and int(one.types.argmax()) == int(other.types.argmax())


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {"detection": _boxes, "recognition": _lines, "layout_ner": _tags}
