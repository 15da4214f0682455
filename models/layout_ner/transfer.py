"""Carry the labels of a page over to other lines of the same page: from lines as written to lines as read.

Reading splits lines, joins neighbours, misses some and misreads characters. So lines that lie on one another are
brought together by their polygons, and within each such group the characters are aligned by edit distance.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from models.layout_ner.example import Entity, Example, Span, TextLine

_ACROSS = 0.5  # two lines lie on one another if they share as much of the lower one's height,
_ALONG = 0.3  # and as much of the shorter one's length
_LEAST = 0.5  # of an entity's characters have a counterpart, else it is not carried over
_ALIKE = 0.4  # of the characters of a group of several lines are equal, else its alignment means nothing
_MOST_AT_EDGE = 0.25  # characters read beyond an entity's end count as its own up to this share of its length

Floats = npt.NDArray[np.float64]

Place = tuple[int, int]
"""Line number and position in its text."""


@dataclass(slots=True)
class _Group:
    """Lines that lie on one another, and how their characters correspond.

    ``written`` and ``read`` are the places of the characters that count, in order; ``partner`` gives for a written
    character's index the read one's, ``equal`` whether they are the same character. ``sure``: the group is one line
    on either side, or much the same text.
    """

    written: list[Place]
    read: list[Place]
    partner: dict[int, int]
    equal: set[int]
    sure: bool


def transfer(example: Example, lines: Sequence[TextLine]) -> Example:
    """Label other lines of the same page.

    Args:
        example: the page with the lines that its labels belong to.
        lines: the lines to label, in the same frame of pixels and in reading order.

    Returns:
        The page with these lines. Entities of which too little was read are left out, with their links; if something
        was read where they stand, their fields become ``unknown``. ``values`` remain those of the true page.
    """
    groups, group_of = _groups(example.lines, lines)
    entities: list[Entity] = []
    numbers: dict[int, int] = {}
    unknown = set(example.unknown)
    for number, entity in enumerate(example.entities):
        spans, lost = _carried(entity, example.lines, groups, group_of)
        if spans:
            numbers[number] = len(entities)
            entities.append(replace(entity, spans=spans))
        if lost:
            unknown.add(entity.name)
    links = [(numbers[a], numbers[b]) for a, b in example.links if a in numbers and b in numbers]
    return replace(example, lines=list(lines), entities=entities, unknown=frozenset(unknown), links=links)


def _carried(
    entity: Entity, lines: Sequence[TextLine], groups: list[_Group], group_of: dict[int, int]
) -> tuple[tuple[Span, ...], bool]:
    """Where an entity stands in the lines as read, and whether a part of it was read but is not recognisable."""
    ends: dict[int, list[int]] = {}  # by read line, first and last position; in the order of the entity
    lost = False
    for key in dict.fromkeys(group_of[span.line] for span in entity.spans if span.line in group_of):
        group = groups[key]
        own = {
            (span.line, position)
            for span in entity.spans
            for position in range(span.start, span.end)
            if not lines[span.line].text[position : position + 1].isspace()
        }
        indices = [index for index, place in enumerate(group.written) if place in own]
        partners = [group.partner[index] for index in indices if index in group.partner]
        if not indices:
            continue
        few = len(partners) < _LEAST * len(indices)
        alike = sum(index in group.equal for index in indices) >= _LEAST * len(indices)
        if few or not (group.sure or alike):
            lost = True
            continue
        for index in _with_edges(indices, partners, group):
            line, position = group.read[index]
            first_last = ends.setdefault(line, [position, position])
            first_last[0], first_last[1] = min(first_last[0], position), max(first_last[1], position)
    return tuple(Span(line, first, last + 1) for line, (first, last) in ends.items()), lost


def _with_edges(indices: list[int], partners: list[int], group: _Group) -> list[int]:
    """Add what was read before the first or after the last character of the whole group, if it is little."""
    first, last = min(partners), max(partners)
    most = max(1, round(_MOST_AT_EDGE * len(indices)))
    if indices[0] == 0 and first <= most:
        first = 0
    if indices[-1] == len(group.written) - 1 and len(group.read) - 1 - last <= most:
        last = len(group.read) - 1
    return [*range(first, min(partners)), *partners, *range(max(partners) + 1, last + 1)]


# --- lines that lie on one another --------------------------------------------------------------------------------


def _groups(written: Sequence[TextLine], read: Sequence[TextLine]) -> tuple[list[_Group], dict[int, int]]:
    """The groups with lines on both sides, and the number of the group that a written line belongs to."""
    if not written or not read:
        return [], {}
    touching = _touching(_quads(written), _quads(read))
    groups: list[_Group] = []
    group_of: dict[int, int] = {}
    seen: set[int] = set()
    for start in range(len(written)):
        if start in seen or not touching[start].any():
            continue
        mine, theirs, waiting = {start}, set[int](), [start]
        while waiting:
            for there in np.flatnonzero(touching[waiting.pop()]).tolist():
                if there not in theirs:
                    theirs.add(there)
                    new = set(np.flatnonzero(touching[:, there]).tolist()) - mine
                    mine |= new
                    waiting += new
        seen |= mine
        group_of |= dict.fromkeys(mine, len(groups))
        groups.append(_aligned(sorted(mine), sorted(theirs), written, read))
    return groups, group_of


def _quads(lines: Sequence[TextLine]) -> Floats:
    return np.array([line.polygon for line in lines], np.float64).reshape(-1, 4, 2)


def _touching(written: Floats, read: Floats) -> npt.NDArray[np.bool_]:
    """(W, R): whether a read line lies on a written one, measured along and across the written line."""
    along, across, sizes = _frame(written)
    offset = read[None] - written[:, None, :1]
    shared, least = [], []
    for axis, size in zip((along, across), sizes, strict=True):
        place = np.einsum("wrpc,wc->wrp", offset, axis)
        low, high = place.min(axis=2), place.max(axis=2)
        shared.append(np.minimum(high, size[:, None]) - np.maximum(low, 0))
        least.append(np.maximum(np.minimum(high - low, size[:, None]), 1e-6))
    # for vertical writing the long side is the one across
    upright = (sizes[0] >= sizes[1])[:, None]
    need_along, need_across = np.where(upright, _ALONG, _ACROSS), np.where(upright, _ACROSS, _ALONG)
    touching: npt.NDArray[np.bool_] = (shared[0] >= need_along * least[0]) & (shared[1] >= need_across * least[1])
    return touching


def _frame(quads: Floats) -> tuple[Floats, Floats, list[Floats]]:
    """Unit vectors along and across each line, (N, 2) each, and its length and height in pixels."""
    top, side = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    length = np.hypot(top[:, 0], top[:, 1])
    along = np.where(length[:, None] > 0, top / np.maximum(length, 1e-6)[:, None], (1.0, 0.0))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    height = (side * across).sum(axis=1)
    across[height < 0] *= -1
    return along, across, [np.maximum(length, 1e-6), np.maximum(np.abs(height), 1e-6)]


def _in_order(members: list[int], lines: Sequence[TextLine], along: Floats) -> list[int]:
    """Rows downwards, each from left to right, in the frame of one line of the group."""
    centres = _quads([lines[number] for number in members]).mean(axis=1)
    x, y = centres @ along, centres @ np.array([-along[1], along[0]])
    heights = _frame(_quads([lines[number] for number in members]))[2][1]
    row, rows = 0, np.zeros(len(members), int)
    by_y = np.argsort(y, kind="stable")
    for before, after in zip(by_y[:-1], by_y[1:], strict=True):
        row += int(y[after] - y[before] > _ACROSS * min(heights[before], heights[after]))
        rows[after] = row
    return [members[index] for index in np.lexsort((x, rows))]


# --- characters ---------------------------------------------------------------------------------------------------


def _aligned(mine: list[int], theirs: list[int], written: Sequence[TextLine], read: Sequence[TextLine]) -> _Group:
    longest = max(mine, key=lambda number: len(written[number].text))
    along = _frame(_quads([written[longest]]))[0][0]
    text, places = _characters(_in_order(mine, written, along), written)
    read_text, read_places = _characters(_in_order(theirs, read, along), read)
    partner: dict[int, int] = {}
    equal: set[int] = set()
    for step in Levenshtein.opcodes(text, read_text):
        if step.tag in ("equal", "replace"):
            pairs = zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)
            partner |= dict(pairs)
            if step.tag == "equal":
                equal |= set(range(step.src_start, step.src_end))
    alike = len(equal) >= _ALIKE * max(len(text), len(read_text))
    return _Group(places, read_places, partner, equal, alike or len(mine) == len(theirs) == 1)


def _characters(numbers: list[int], lines: Sequence[TextLine]) -> tuple[str, list[Place]]:
    """All characters but spaces, upper case and of normal width, one for one."""
    places = [
        (number, position)
        for number in numbers
        for position, char in enumerate(lines[number].text)
        if not char.isspace()
    ]
    return "".join(_plain(lines[number].text[position]) for number, position in places), places


def _plain(char: str) -> str:
    return unicodedata.normalize("NFKC", char).upper()[:1] or char
