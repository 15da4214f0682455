"""Rows of a repeated group from single cells: which of the values that the network found stand side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.layout_ner.candidate import Candidate
from schemas.doctypes import DocType
from schemas.document import Page
from stages.fields.places import Box, boxes_of_page, characters

SURE = 0.3
"""A cell makes a row only if it is at least so sure; one less sure may join a row that is there."""

SHARED = 0.4
"""A cell is in the row with which it shares this part of the lower one's height."""


def grouped(doctype: DocType, candidates: Sequence[Candidate], page: Page) -> list[Candidate]:
    """Number the rows of every repeated group on one page, from 0.

    A row begins with a cell of the part that has the most of them, which one could count the rows by; a cell of another
    part is in the row that it shares the most height with. An item's name may run over two lines, its price does not.

    Args:
        doctype: says which fields are groups.
        candidates: those of one page. What has a group already keeps it, what is no part of a group is passed on.
        page: where they stand.
    """
    result = list(candidates)
    boxes: list[Box] | None = None
    for group in doctype.fields:
        if not group.parts or not group.repeated:
            continue
        names = {f"{group.name}.{part.name}" for part in group.parts}
        own = [n for n, one in enumerate(result) if one.name in names and one.group is None and one.spans]
        if not own:
            continue
        boxes = boxes_of_page(page) if boxes is None else boxes
        places = {number: _box(result[number], page, boxes) for number in own}
        rows: list[list[int]] = []
        for number in _in_order(own, result, places):
            row = max(rows, key=lambda row: _shared(row, places, number), default=None)
            if row is not None and _shared(row, places, number) >= SHARED:
                row.append(number)
            elif result[number].confidence >= SURE:
                rows.append([number])
        rows.sort(key=lambda row: places[row[0]].middle)
        for count, row in enumerate(rows):
            for number in row:
                result[number] = replace(result[number], group=count)
        alone = set(own) - {number for row in rows for number in row}
        result = [one for number, one in enumerate(result) if number not in alone]
    return result


def _in_order(own: Sequence[int], candidates: Sequence[Candidate], places: dict[int, Box]) -> list[int]:
    """Sure cells first, those of the most frequent part before others, from top to bottom."""
    sure = [candidates[number].name for number in own if candidates[number].confidence >= SURE]

    def key(number: int) -> tuple[bool, int, str, float]:
        one = candidates[number]
        return one.confidence < SURE, -sure.count(one.name), one.name, places[number].middle

    return sorted(own, key=key)


def _shared(row: Sequence[int], places: dict[int, Box], number: int) -> float:
    """How much of the lower box's height a cell and the row's first cell share, 0 to 1."""
    first, box = places[row[0]], places[number]
    shared = min(first.bottom, box.bottom) - max(first.top, box.top)
    return max(0.0, shared) / max(1e-6, min(first.height, box.height))


def _box(candidate: Candidate, page: Page, boxes: Sequence[Box]) -> Box:
    parts = [characters(page.lines[span.line], boxes[span.line], span.start, span.end) for span in candidate.spans]
    return Box(
        min(part.left for part in parts),
        min(part.top for part in parts),
        max(part.right for part in parts),
        max(part.bottom for part in parts),
    )
