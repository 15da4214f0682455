"""The right tag of every character of a labelled page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.layout_ner.encode import Encoded
from models.layout_ner.example import Example
from models.layout_ner.tags import OUTSIDE, TagSet

IGNORED = -1

FIELD_WEIGHT = 2.0
"""What a character of a field counts against one of no field."""

LEAST_CHARACTERS = 6
"""A shorter field counts as much as one of so many characters: a sex is one character, an address thirty."""


@dataclass(slots=True)
class Sample:
    """An encoded page with what the network should say.

    ``tags``: (T,) int64, ``IGNORED`` where nothing is known. ``open``: (K,) bool, tags that are as good as ``O``
    where ``O`` is the target, because the truth says nothing about their fields; always true for ``O`` itself.
    ``weights``: (T,) float32, what each character counts.
    ``doc_type``: the type's number, or ``IGNORED``.
    """

    page: Encoded
    tags: npt.NDArray[np.int64]
    open: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float32]
    doc_type: int


def targets(example: Example, page: Encoded, tags: TagSet, asked: str | None) -> Sample:
    """Label an encoded page.

    Args:
        example: the labelled page that ``page`` was encoded from, with the same lines.
        page: the encoding.
        tags: the tags.
        asked: the document type that is asked for. A wrong one means that there is nothing to find.
    """
    wanted = np.full(page.length, OUTSIDE, np.int64)
    weights = np.ones(page.length, np.float32)
    open_tags = np.zeros(len(tags), bool)
    open_tags[OUTSIDE] = True
    if asked is None or asked == example.doc_type:
        starts = np.flatnonzero(np.diff(page.line_of, prepend=-1))
        lengths = np.diff(np.append(starts, page.length)) - 1  # without the break
        for entity in example.entities:
            begin = tags.begin(example.doc_type or "", entity.name)
            if begin is None:
                continue
            first = True
            size = max(1, sum(span.end - span.start for span in entity.spans))
            for span in entity.spans:
                start = starts[span.line] + min(span.start, lengths[span.line])
                end = starts[span.line] + min(span.end, lengths[span.line])
                if start < end:
                    wanted[start:end] = begin + 1
                    weights[start:end] = FIELD_WEIGHT * max(1.0, LEAST_CHARACTERS / size)
                    if first:
                        wanted[start] = begin
                    first = False
        for name in example.unknown:
            begin = tags.begin(example.doc_type or "", name)
            if begin is not None:
                open_tags[begin : begin + 2] = True
    return Sample(page, wanted, open_tags, weights, tags.type_number(example.doc_type))
