"""The right tag of every character of a labelled page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.layout_ner.encode import Encoded
from models.layout_ner.example import Example
from models.layout_ner.tags import OUTSIDE, TagSet

IGNORED = -1


@dataclass(slots=True)
class Sample:
    """An encoded page with what the network should say.

    ``tags``: (T,) int64, ``IGNORED`` where nothing is known. ``open``: (K,) bool, tags that are as good as ``O``
    where ``O`` is the target, because the truth says nothing about their fields; always true for ``O`` itself.
    ``doc_type``: the type's number, or ``IGNORED``.
    """

    page: Encoded
    tags: npt.NDArray[np.int64]
    open: npt.NDArray[np.bool_]
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
            for span in entity.spans:
                start = starts[span.line] + min(span.start, lengths[span.line])
                end = starts[span.line] + min(span.end, lengths[span.line])
                if start < end:
                    wanted[start:end] = begin + 1
                    if first:
                        wanted[start] = begin
                    first = False
        for name in example.unknown:
            begin = tags.begin(example.doc_type or "", name)
            if begin is not None:
                open_tags[begin : begin + 2] = True
    return Sample(page, wanted, open_tags, tags.type_number(example.doc_type))
