"""Reading order on layouts whose order is known, however skewed, scaled, shifted, turned or shuffled."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.assembly.reading_order import reading_order

Floats = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]  # x, y, width, height

PAGE = (1000, 1400)
HEIGHT = 20.0
SEED = np.random.default_rng(7)


def quads_of(boxes: list[Box]) -> Floats:
    """Quads (N, 4, 2) of upright boxes."""
    return np.array([[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in boxes], float).reshape(-1, 4, 2)


def turned(quads: Floats, degrees: float, page: tuple[int, int] = PAGE) -> Floats:
    """Quads turned clockwise around the middle of the page."""
    a = np.deg2rad(degrees)
    middle = np.array(page) / 2
    rotation = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    result: Floats = (quads - middle) @ rotation + middle
    return result


def paragraph(
    x: float, y: float, lines: int, width: float = 300, pitch: float = 26, height: float = HEIGHT
) -> list[Box]:
    """Running text: full lines, the last one and every sixth shorter."""
    return [
        (x, y + i * pitch, width * (0.4 if i % 6 == 5 or i == lines - 1 else 0.97 + 0.03 * (i % 2)), height)
        for i in range(lines)
    ]


# Every layout lists its boxes in the order in which they are to be read.


def one_column() -> list[Box]:
    return paragraph(100, 100, 30, 700)


def dense_text() -> list[Box]:
    """Lines whose boxes overlap each other, as detectors draw them round closely set text."""
    return [box for i in range(40) for box in [(80, 100 + 17 * i, 380, 20), (480, 100 + 17 * i, 90 + 7 * (i % 9), 20)]]


def two_columns_on_one_grid() -> list[Box]:
    return paragraph(80, 200, 24) + paragraph(420, 200, 24)


def two_columns_off_the_grid() -> list[Box]:
    return paragraph(80, 200, 24) + paragraph(420, 211, 20, pitch=29)


def three_columns() -> list[Box]:
    return paragraph(60, 200, 20, 260) + paragraph(350, 200, 20, 260) + paragraph(640, 200, 20, 260)


def columns_between_title_and_table() -> list[Box]:
    title = [(150.0, 80.0, 600.0, 40.0)]
    table = [(80.0 + 160 * c, 900 + 30.0 * r, 90.0 + 8 * c, HEIGHT) for r in range(4) for c in range(4)]
    rule = [(80.0, 850.0, 640.0, HEIGHT)]
    return title + paragraph(80, 200, 20) + paragraph(420, 200, 14) + rule + table


def form_blocks_beside_each_other() -> list[Box]:
    """A form in two columns whose entries do not line up."""
    left = [(60.0, 200 + 37.0 * i, 120.0 + 40 * (i % 5), HEIGHT) for i in range(16)]
    right = [(520.0, 203 + 29.0 * i, 150.0 + 35 * (i % 6), HEIGHT) for i in range(20)]
    return left + right


def receipt() -> list[Box]:
    head = [(200.0, 60.0, 300.0, 30.0), (180.0, 100.0, 340.0, HEIGHT), (230.0, 128.0, 240.0, HEIGHT)]
    items: list[Box] = []
    for i in range(14):
        y = 200.0 + 25 * i
        items += [(60, y, 180 + 13 * (i % 5), 20), (520, y + 3 - i % 3, 70, 18)]
        if i % 3 == 0:
            items.insert(-1, (400, y + 1, 30, 19))
    total = [(60.0, 580.0, 140.0, 34.0), (480.0, 584.0, 140.0, 24.0)]
    return head + items + total


def key_value_form() -> list[Box]:
    rows: list[Box] = []
    for i in range(18):
        y = 150.0 + 34 * i
        rows += [(60, y, 90 + 17 * (i % 6), 20), (330, y - 3, 120 + 40 * (i % 4), 24)]
        if i % 2:
            rows += [(620, y, 80, 20), (760, y - 2, 60 + 20 * (i % 5), 24)]
    return rows


def table_with_holes() -> list[Box]:
    return [
        (60 + 130.0 * c + 5 * (r % 2), 120 + 31.0 * r, 50 + 9.0 * ((r + c) % 6), HEIGHT)
        for r in range(25)
        for c in range(7)
        if (r * 5 + c * 3) % 4
    ]


def two_boxes_on_a_line() -> list[Box]:
    return [(60, 100, 200, 24), (300, 94, 120, 24), (60, 140, 90, 20), (170, 148, 90, 20)]


def small_print_beside_a_logo() -> list[Box]:
    """A high box spans rows; it is read where its first line stands."""
    return [
        (60, 100, 180, 110),
        *[(300.0, 104.0 + 26 * i, 300.0, 20.0) for i in range(4)],
        (60, 240, 400, 20),
        (60, 270, 500, 20),
        (60, 300, 450, 20),
    ]


def dashes_and_dots() -> list[Box]:
    """Low boxes within rows."""
    rows: list[Box] = []
    for i in range(8):
        y = 100.0 + 30 * i
        rows += [(60, y, 150, 20), (230, y + 8, 15, 5), (260, y, 120, 20), (400, y + 6, 8, 8)]
    return rows


def vertical_columns() -> list[Box]:
    return [(850.0 - 40 * c, 120.0, 26.0, 600.0 - 30 * (c % 4)) for c in range(15)]


def vertical_columns_in_parts() -> list[Box]:
    """Two boxes in a column: the upper one first, then the next column to the left."""
    return [
        box for c in range(12) for box in [(850.0 - 40 * c, 120.0, 26.0, 300.0), (850.0 - 40 * c, 470.0, 26.0, 150.0)]
    ]


LAYOUTS: list[Callable[[], list[Box]]] = [
    one_column,
    dense_text,
    two_columns_on_one_grid,
    two_columns_off_the_grid,
    three_columns,
    columns_between_title_and_table,
    form_blocks_beside_each_other,
    receipt,
    key_value_form,
    table_with_holes,
    two_boxes_on_a_line,
    small_print_beside_a_logo,
    dashes_and_dots,
    vertical_columns,
    vertical_columns_in_parts,
]


def assert_order(quads: Floats, page: tuple[int, int]) -> None:
    """The quads are in reading order, and are found to be from a shuffled list too."""
    assert reading_order(quads, page) == list(range(len(quads)))
    shuffle = SEED.permutation(len(quads))
    found = [int(shuffle[i]) for i in reading_order(quads[shuffle], page)]
    assert found == list(range(len(quads)))


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("degrees", [-3, -1.5, 0, 2, 3])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
def test_order_survives_skew_at_both_sizes(layout: Callable[[], list[Box]], degrees: float, scale: int) -> None:
    quads = turned(quads_of(layout()), degrees) * scale
    assert_order(quads.astype(np.float32), (PAGE[0] * scale, PAGE[1] * scale))


@pytest.mark.parametrize("degrees", [90, 180, 270, 92])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
def test_order_follows_the_text_on_a_turned_page(layout: Callable[[], list[Box]], degrees: float) -> None:
    assert_order(turned(quads_of(layout()), degrees), PAGE)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
def test_order_survives_a_shift_and_uneven_boxes(layout: Callable[[], list[Box]]) -> None:
    quads = quads_of(layout())
    shift = np.array([-130.0, 512.5])
    noise = np.random.default_rng(3).uniform(-1, 1, quads.shape)
    assert_order(quads + shift + noise, PAGE)


def test_order_survives_a_bent_page() -> None:
    """Rows that sag in the middle by more than a line."""
    boxes = [(60 + 90.0 * c, 100 + 26.0 * r, 80.0, HEIGHT) for r in range(12) for c in range(9)]
    quads = quads_of(boxes)
    quads[..., 1] -= 40 * ((quads[..., 0] - 460) / 400) ** 2
    assert_order(quads, PAGE)


@pytest.mark.parametrize("quads", [np.zeros((0, 4, 2)), np.zeros((0,)), []])
def test_no_lines_have_an_empty_order(quads: Floats) -> None:
    assert reading_order(quads, PAGE) == []


@pytest.mark.parametrize("quads", [np.zeros((3, 2)), np.zeros((2, 5, 2)), np.full((2, 4, 2), np.nan)])
def test_quads_that_are_none_are_refused(quads: Floats) -> None:
    with pytest.raises(ValueError, match="quads must be"):
        reading_order(quads, PAGE)


@given(
    st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999), st.integers(0, 400), st.integers(0, 60)), max_size=40),
    st.floats(-180, 180),
)
@settings(max_examples=150, deadline=None)
def test_whatever_the_boxes_every_line_comes_once(boxes: list[Box], degrees: float) -> None:
    order = reading_order(turned(quads_of(boxes), degrees), PAGE)
    assert sorted(order) == list(range(len(boxes)))
    assert all(type(i) is int for i in order)


@given(st.data(), st.floats(-3, 3), st.sampled_from([0.25, 1.0, 3.0]))
@settings(max_examples=60, deadline=None)
def test_a_table_with_any_holes_is_read_by_rows(data: st.DataObject, degrees: float, scale: float) -> None:
    columns = data.draw(st.integers(1, 6))
    cells = data.draw(
        st.lists(st.tuples(st.integers(0, 14), st.integers(0, columns - 1)), min_size=1, max_size=60, unique=True)
    )
    boxes = []
    for row, column in sorted(cells):
        wobble = data.draw(st.integers(-2, 2))
        width = data.draw(st.integers(40, 110))
        boxes.append((50.0 + 140 * column, 100.0 + 32 * row + wobble, float(width), HEIGHT))
    quads = turned(quads_of(boxes), degrees) * scale
    assert reading_order(quads, (round(PAGE[0] * scale), round(PAGE[1] * scale))) == list(range(len(boxes)))


def pages(folder: Path) -> list[tuple[str, Floats, tuple[int, int]]]:
    """Name, quads and size of every page of a data set."""
    rows = map(json.loads, (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        (row["image"], np.array([line["polygon"] for line in row["lines"]], float), (row["width"], row["height"]))
        for row in rows
    ]


@pytest.mark.parametrize("name", ["sroie_val", "funsd_dev", "xfund_zh_dev"])
def test_real_pages_keep_their_order(shared_data: Path, name: str) -> None:
    for image, quads, (width, height) in pages(shared_data / name):
        order = reading_order(quads, (width, height))
        assert sorted(order) == list(range(len(quads)))
        shuffle = SEED.permutation(len(quads))
        assert [int(shuffle[i]) for i in reading_order(quads[shuffle], (width, height))] == order, image
        for degrees, scale in [(3, 1), (-3, 3)]:
            skewed = turned(quads, degrees, (width, height)) * scale
            assert reading_order(skewed, (width * scale, height * scale)) == order, (image, degrees, scale)


def test_neighbours_on_a_row_of_a_receipt_follow_each_other(shared_data: Path) -> None:
    """A price comes directly behind what stands beside it."""
    kept = total = 0
    for _, quads, size in pages(shared_data / "sroie_val"):
        place = {line: position for position, line in enumerate(reading_order(quads, size))}
        low, high = quads.min(axis=1), quads.max(axis=1)
        for a, b in itertools.permutations(range(len(quads)), 2):
            common = np.minimum(high[a], high[b]) - np.maximum(low[a], low[b])
            level = common[1] > 0.75 * max(high[a, 1] - low[a, 1], high[b, 1] - low[b, 1])
            if not level or high[a, 0] > low[b, 0]:
                continue
            between = (low[:, 0] > low[a, 0]) & (low[:, 0] < low[b, 0])
            between &= (high[:, 1] > low[a, 1]) & (low[:, 1] < high[a, 1])
            if not between.any():
                total += 1
                kept += place[b] == place[a] + 1
    assert total > 500
    assert kept >= 0.99 * total
