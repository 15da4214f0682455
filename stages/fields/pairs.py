"""Questions and answers of a form: which belongs to which, by where they stand.

An answer stands beside its question or under it. Between them may be more answers to the same question: the options of
a row, the cells of a column, the lines of a text. So an answer asks its neighbours to the left and above: a question
is its own, an answer passes on the question it has found itself, if it stands in the same row or column. The nearest
is taken. The cell of a table that has heads at its left and above has both questions.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.layout_ner.candidate import Candidate
from schemas.document import Page
from stages.fields.colons import ANSWER, QUESTION, colon_pairs
from stages.fields.places import Box, boxes_of_page, characters, overlap

_ROW_GAP, _COLUMN_GAP = 0.1, 0.8
"""Cost of a line height of empty space. Along a row there is more of it: tabs, columns, rules to write on."""

_STEP = 0.3
"""Cost of each answer in between."""

_UNDER = 0.5
"""Cost of standing under the question rather than beside it."""

_ANSWERED = 1.5
"""Cost of standing under a question that has an answer beside it."""

_ASIDE = 2.0
"""Cost of standing under the question's row and right of it, indented."""

_FARTHEST = 6.0
"""What costs more is no answer to the question."""

_NEXT_LINE = 1.2
"""A text goes on with the line below if no more line heights are between."""

_SHARED = 0.5
"""Boxes share a row if they have this part of the lower one's height in common."""


@dataclass(slots=True, frozen=True)
class FormEntity:
    """A question or an answer and where it stands, in a frame in which rows are level."""

    box: Box
    is_question: bool


@dataclass(slots=True, frozen=True)
class _Way:
    """From an answer to a question: along the row, or down the column; ``cost`` in line heights, roughly."""

    question: int
    cost: float
    along_row: bool


def link(entities: Sequence[FormEntity]) -> list[tuple[int, int]]:
    """Find each answer's question.

    Returns:
        Pairs of (question, answer), as numbers into ``entities``, in the order of the answers' rows. An answer that no
        question is near is in no pair; the cell of a table may be in two; a question in several or none.
    """
    answers = [number for number, one in enumerate(entities) if not one.is_question]
    if not answers or len(answers) == len(entities):
        return []
    unit = statistics.median(one.box.height for one in entities)
    left = {number: _left_neighbour(entities, number) for number in answers}
    above = {number: _upper_neighbour(entities, number) for number in answers}
    beside = set(left.values())
    best: dict[int, _Way] = {}
    second: dict[int, _Way] = {}
    for number in sorted(answers, key=lambda number: (entities[number].box.top, entities[number].box.left)):
        ways = [
            way
            for way in (
                _along_row(entities, number, left, unit),
                _down_column(entities, number, above[number], best, second, beside, unit),
            )
            if way is not None and way.cost <= _FARTHEST
        ]
        if not ways:
            ways = _aside(entities, number, unit)
        ways.sort(key=lambda way: way.cost)
        if ways:
            best[number] = ways[0]
        if len(ways) > 1 and _is_cell(ways, beside):
            second[number] = ways[1]
    pairs = [(way.question, number) for number, way in best.items()]
    pairs += [(way.question, number) for number, way in second.items()]
    return sorted(set(pairs), key=lambda one: (entities[one[1]].box.top, entities[one[1]].box.left, one))


def read_form(candidates: Sequence[Candidate], pages: Sequence[Page]) -> list[Candidate]:
    """The pairs of a form, and what else was found on it.

    Args:
        candidates: those named ``question`` and ``answer`` are paired, page by page; others are passed on. On a page
            without any, lines that read ``key: value`` are taken for pairs.
        pages: all pages.

    Returns:
        ``pairs.question`` and ``pairs.answer`` of equal ``group``, which numbers the pairs over all pages, in reading
        order of the questions; a question with several answers comes with each of them. A question without an answer
        (a form not filled in) and an answer without a question make a group alone. Then the other candidates.
    """
    result: list[Candidate] = []
    count = 0
    for page in pages:
        own = [one for one in candidates if one.page == page.page and one.spans and one.name in (QUESTION, ANSWER)]
        for together in _paired(own, page) if own else colon_pairs(page):
            result += [replace(one, name=f"pairs.{one.name}", group=count) for one in together]
            count += 1
    return result + [one for one in candidates if one.name not in (QUESTION, ANSWER)]


def _paired(found: Sequence[Candidate], page: Page) -> list[tuple[Candidate, ...]]:
    boxes = boxes_of_page(page)
    pairs = link([FormEntity(_box(one, page, boxes), one.name == QUESTION) for one in found])
    linked = {number for pair in pairs for number in pair}
    groups = [*pairs, *((number,) for number in range(len(found)) if number not in linked)]

    def place(group: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(found[number].spans[0].line, found[number].spans[0].start) for number in group]

    return [tuple(found[number] for number in group) for group in sorted(groups, key=place)]


def _box(candidate: Candidate, page: Page, boxes: Sequence[Box]) -> Box:
    parts = [characters(page.lines[span.line], boxes[span.line], span.start, span.end) for span in candidate.spans]
    return Box(
        min(part.left for part in parts),
        min(part.top for part in parts),
        max(part.right for part in parts),
        max(part.bottom for part in parts),
    )


def _along_row(entities: Sequence[FormEntity], start: int, left: dict[int, int | None], unit: float) -> _Way | None:
    """To the left, over answers, as far as the row's question."""
    cost, here = 0.0, start
    while (there := left[here]) is not None:
        cost += max(0.0, entities[here].box.left - entities[there].box.right) / unit * _ROW_GAP
        if entities[there].is_question:
            return _Way(there, cost, True)
        cost, here = cost + _STEP, there
    return None


def _down_column(
    entities: Sequence[FormEntity],
    number: int,
    above: int | None,
    best: dict[int, _Way],
    second: dict[int, _Way],
    beside: set[int | None],
    unit: float,
) -> _Way | None:
    """Up, to a question, or to an answer that has found one: in the same column, or as the line before this one."""
    if above is None:
        return None
    box, upper = entities[number].box, entities[above].box
    gap = max(0.0, box.top - upper.bottom) / unit
    cost = gap * _COLUMN_GAP
    if entities[above].is_question:
        return _Way(above, cost + _UNDER + (_ANSWERED if above in beside else 0.0), False)
    way = next((way for way in (best.get(above), second.get(above)) if way is not None and not way.along_row), None)
    if way is not None:
        return _Way(way.question, way.cost + cost + _STEP, False)
    way = best.get(above)
    if way is not None and gap <= _NEXT_LINE and abs(box.left - upper.left) <= 2 * unit:
        return _Way(way.question, way.cost + cost + _STEP, True)
    return None


def _aside(entities: Sequence[FormEntity], number: int, unit: float) -> list[_Way]:
    """The last question that begins above and left of an answer: of a list that is indented."""
    box = entities[number].box
    ways = [
        _Way(
            index,
            _ASIDE
            + max(0.0, box.top - one.box.bottom) / unit * _COLUMN_GAP
            + max(0.0, box.left - one.box.right) / unit * _ROW_GAP,
            False,
        )  # fmt: skip
        for index, one in enumerate(entities)
        if one.is_question and one.box.top < box.top and one.box.left <= box.left
    ]
    nearest = min(ways, key=lambda way: way.cost, default=None)
    return [nearest] if nearest is not None and nearest.cost <= _FARTHEST else []


def _is_cell(ways: Sequence[_Way], beside: set[int | None]) -> bool:
    """Whether an answer may be the cell of a table: one question at its left, one above that nothing is beside."""
    heads = [way.question for way in ways if not way.along_row]
    return len(heads) == 1 and heads[0] not in beside


def _left_neighbour(entities: Sequence[FormEntity], number: int) -> int | None:
    """The nearest one to the left on the same row."""
    box = entities[number].box
    found = [
        index
        for index, other in enumerate(entities)
        if index != number
        and _shared_height(box, other.box) >= _SHARED * min(box.height, other.box.height)
        and other.box.left < box.left
        and other.box.right < box.right
    ]
    return max(found, key=lambda index: entities[index].box.right, default=None)


def _upper_neighbour(entities: Sequence[FormEntity], number: int) -> int | None:
    """The nearest one above in the same column; of several side by side the one with most in common."""
    box = entities[number].box
    found = [
        index
        for index, other in enumerate(entities)
        if index != number
        and overlap(box, other.box) > 0
        and other.box.middle < box.middle
        and _shared_height(box, other.box) < _SHARED * min(box.height, other.box.height)
    ]
    if not found:
        return None
    lowest = max(entities[index].box.bottom for index in found)
    level = [index for index in found if entities[index].box.bottom > lowest - 0.5 * box.height]
    return max(level, key=lambda index: overlap(box, entities[index].box))


def _shared_height(a: Box, b: Box) -> float:
    return min(a.bottom, b.bottom) - max(a.top, b.top)
