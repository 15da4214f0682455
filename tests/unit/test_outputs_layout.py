from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.outputs.layout import Block, Paragraph, Table, blocks_of, rows_of
from pipeline.outputs.lines import words_of
from schemas.document import Line, Page
from tests.factories.read_pages import line, page, receipt, rectangle


def texts(block: Block) -> object:
    if isinstance(block, Table):
        return [[" ".join(one.text for one in cell) for cell in row] for row in block.rows]
    return [one.text for one in block.lines]


def turned(shown: Page, degrees: float) -> Page:
    """The page's lines turned about its middle."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def turn(x: float, y: float) -> tuple[float, float]:
        return 500 + cos * (x - 500) - sin * (y - 400), 400 + sin * (x - 500) + cos * (y - 400)

    lines = []
    for one in shown.lines:
        a, b, c, d = (turn(x, y) for x, y in one.polygon)
        lines.append(Line(one.text, one.confidence, (a, b, c, d)))
    return page(*lines)


RECEIPT = [
    ["Harbour Bean Coffee"],
    [["Item", "Qty", "Amount"], ["Flat white", "2", "7.00"], ["Bagel", "", "14.07"]],
    ["The quick brown fox jumps over the lazy dog, and then", "goes home."],
]


def test_heading_table_and_paragraph() -> None:
    assert [texts(block) for block in blocks_of(receipt())] == RECEIPT


def test_a_slant_changes_nothing() -> None:
    for degrees in (-4, 3, 7):
        assert [texts(block) for block in blocks_of(turned(receipt(), degrees))] == RECEIPT


def test_blank_page() -> None:
    assert blocks_of(page()) == []


def test_lines_that_end_early_are_paragraphs_of_their_own() -> None:
    shown = page(line("12 Quay Street", 60, 100, 200), line("Port Town", 60, 135, 120), line("Long line", 60, 170, 800))
    assert [texts(block) for block in blocks_of(shown)] == [["12 Quay Street"], ["Port Town"], ["Long line"]]


def test_an_indented_line_begins_a_paragraph() -> None:
    shown = page(line("runs to the margin", 60, 100, 800), line("indented", 130, 135, 730), line("on", 60, 170, 60))
    assert [texts(block) for block in blocks_of(shown)] == [["runs to the margin"], ["indented", "on"]]


def test_the_second_column_of_text_begins_a_paragraph() -> None:
    shown = page(
        line("left one", 60, 100, 400), line("left two", 60, 135, 400),
        line("right one", 520, 100, 400), line("right two", 520, 135, 400),
    )  # fmt: skip
    assert [texts(block) for block in blocks_of(shown)] == [["left one", "left two"], ["right one", "right two"]]


def test_two_rows_that_share_no_columns_are_no_table() -> None:
    shown = page(
        line("a", 60, 100, 40), line("b", 300, 100, 40),
        line("c", 150, 140, 40), line("d", 600, 140, 40),
    )  # fmt: skip
    assert all(isinstance(block, Paragraph) for block in blocks_of(shown))


def test_a_line_across_the_columns_ends_the_table() -> None:
    shown = page(
        line("a", 60, 100, 40), line("1", 700, 100, 40),
        line("b", 60, 140, 40), line("2", 700, 140, 40),
        line("a sentence across both columns", 60, 180, 680),
        line("c", 60, 220, 40), line("3", 700, 220, 40),
        line("d", 60, 260, 40), line("4", 700, 260, 40),
    )  # fmt: skip
    assert [texts(block) for block in blocks_of(shown)] == [
        [["a", "1"], ["b", "2"]],
        ["a sentence across both columns"],
        [["c", "3"], ["d", "4"]],
    ]


def test_a_cell_alone_belongs_to_the_table_only_between_its_rows() -> None:
    shown = page(
        line("name", 60, 100, 100), line("Jane Doe", 500, 100, 200),
        line("of Port Town", 500, 140, 200),
        line("sex", 60, 180, 60), line("female", 500, 180, 100),
        line("below", 60, 220, 80),
    )  # fmt: skip
    assert [texts(block) for block in blocks_of(shown)] == [
        [["name", "Jane Doe"], ["", "of Port Town"], ["sex", "female"]],
        ["below"],
    ]


def test_vertical_lines_stand_alone() -> None:
    shown = page(line("竖排文字", 700, 100, 40, 300), line("第二行", 640, 100, 40, 300))
    assert [texts(block) for block in blocks_of(shown)] == [["竖排文字"], ["第二行"]]


boxes = st.builds(
    lambda x, y, w, h: Line(f"{x} {y}", 0.9, rectangle(x, y, w, h)),
    st.floats(0, 900), st.floats(0, 700), st.floats(0, 500), st.floats(0, 200),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(boxes, max_size=25))
def test_no_line_is_lost_or_given_twice(lines: list[Line]) -> None:
    shown = page(*lines)
    found = []
    for block in blocks_of(shown):
        if isinstance(block, Table):
            assert len({len(row) for row in block.rows}) == 1
            found += [one for row in block.rows for cell in row for one in cell]
        else:
            found += block.lines
    assert sorted(map(id, found)) == sorted(map(id, lines))
    assert sum(map(len, rows_of(shown))) == len(lines)


def test_words_of_a_line_read_without_are_placed_by_the_width_of_characters() -> None:
    total, amount = words_of(line("合计 12", 100, 0, 350, 40))
    assert (total.text, amount.text) == ("合计", "12")
    assert total.polygon[1][0] == 300  # two wide characters of 100 px, then a space and two digits of 50 px each
    assert amount.polygon[0][0] == 350
    assert amount.polygon[2] == (450, 40)
