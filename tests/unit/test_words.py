"""Word boxes from the columns of the characters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon as Shape

from models.ctc import DecodedText
from schemas.document import Word
from stages.assembly.words import words_of

PAGE = (1000, 800)
LEVEL = np.array([[100, 50], [300, 50], [300, 80], [100, 80]], np.float32)
TILTED = np.array([[120.5, 300.25], [618.0, 352.5], [613.5, 391.0], [117.0, 341.75]], np.float32)
UPSIDE_DOWN = TILTED[[2, 3, 0, 1]]
COLUMN = np.array([[500, 100], [530, 102], [526, 600], [497, 598]], np.float32)


def spread(text: str, width: int) -> DecodedText:
    """A line whose characters stand at even distances."""
    columns = tuple(int((i + 0.5) * width / len(text)) for i in range(len(text)))
    return DecodedText(text, 0.9, columns, (0.9,) * len(text), width)


def centre(word: Word) -> npt.NDArray[np.float64]:
    """The middle of a word's polygon."""
    middle: npt.NDArray[np.float64] = np.array(word.polygon, np.float64).mean(axis=0)
    return middle


def test_words_of_a_level_line_get_their_share_of_it() -> None:
    words = words_of(spread("ab cd", 50), LEVEL, False, PAGE)
    assert [w.text for w in words] == ["ab", "cd"]
    # Characters peak at columns 5, 15, 25, 35, 45 of 50, four pixels each: the space's neighbours end at 20.5 and 30.5.
    assert words[0].polygon == ((100.0, 50.0), (182.0, 50.0), (182.0, 80.0), (100.0, 80.0))
    assert words[1].polygon == ((222.0, 50.0), (300.0, 50.0), (300.0, 80.0), (222.0, 80.0))


def test_a_words_confidence_is_the_mean_of_its_characters() -> None:
    decoded = DecodedText("ab c", 0.5, (1, 3, 5, 7), (0.5, 1.0, 0.125, 0.25), 10)
    assert [w.confidence for w in words_of(decoded, LEVEL, False, PAGE)] == [0.75, 0.25]


def test_vertical_text_is_split_from_the_top_down() -> None:
    words = words_of(spread("甲乙 丙丁", 50), COLUMN, True, PAGE)
    assert [w.text for w in words] == ["甲乙", "丙丁"]
    assert words[0].polygon[:2] == ((500.0, 100.0), (530.0, 102.0))
    assert words[1].polygon[2:] == ((526.0, 600.0), (497.0, 598.0))
    assert centre(words[0])[1] < 350 < centre(words[1])[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("   ", []),
        ("one", ["one"]),
        (" lead  double trail ", ["lead", "double", "trail"]),
        ("增值税发票", ["增值税发票"]),
        ("姓名 Jane Doe", ["姓名", "Jane", "Doe"]),
        ("全角\u3000空格", ["全角", "空格"]),
        ("R&D: 12.50", ["R&D:", "12.50"]),
    ],
)
def test_lines_are_split_at_white_space_only(text: str, expected: list[str]) -> None:
    line = spread(text, 64) if text else DecodedText("", 0.0, (), (), 0)
    assert [w.text for w in words_of(line, LEVEL, False, PAGE)] == expected


@st.composite
def decoded_lines(draw: st.DrawFn) -> DecodedText:
    """A line with characters at any increasing columns."""
    text = draw(st.text("ab中 ", min_size=1, max_size=12))
    width = draw(st.integers(len(text), 80))
    columns = draw(st.lists(st.integers(0, width - 1), min_size=len(text), max_size=len(text), unique=True))
    scores = draw(st.lists(st.floats(0, 1), min_size=len(text), max_size=len(text)))
    return DecodedText(text, 0.5, tuple(sorted(columns)), tuple(scores), width)


@pytest.mark.parametrize(("quad", "vertical"), [(LEVEL, False), (TILTED, False), (UPSIDE_DOWN, False), (COLUMN, True)])
@given(decoded=decoded_lines())
def test_words_lie_in_the_line_one_behind_the_other(
    quad: npt.NDArray[np.float32], vertical: bool, decoded: DecodedText
) -> None:
    words = words_of(decoded, quad, vertical, PAGE)
    assert " ".join(w.text for w in words) == " ".join(decoded.text.split())
    line = Shape(quad).buffer(0.02)
    along = (quad[3] - quad[0] if vertical else quad[1] - quad[0]).astype(float)
    shapes = [Shape(w.polygon) for w in words]
    for word, shape in zip(words, shapes, strict=True):
        assert line.covers(shape)
        assert shape.area > 0
        assert 0 <= word.confidence <= 1
        assert type(word.confidence) is float
        assert {type(v) for point in word.polygon for v in point} == {float}
    places = [centre(w) @ along for w in words]
    assert places == sorted(places)
    for one, other in zip(shapes, shapes[1:], strict=False):
        assert one.intersection(other).area < 0.02 * min(one.area, other.area) + 1


def test_words_stay_in_the_page() -> None:
    quad = np.array([[-20, -5], [200, -5], [200, 30], [-20, 30]], np.float32)
    for word in words_of(spread("ab cd", 40), quad, False, (150, 25)):
        assert all(0 <= x <= 150 and 0 <= y <= 25 for x, y in word.polygon)
