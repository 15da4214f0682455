from __future__ import annotations

import pytest

from pipeline.cli.page_range import MAX_PAGES, parse_pages


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("2", (2,)),
        ("1-3", (1, 2, 3)),
        ("1-3,7", (1, 2, 3, 7)),
        (" 4 , 2 - 3 ", (2, 3, 4)),
        ("3,1-3,3", (1, 2, 3)),
        ("9-9", (9,)),
    ],
)
def test_lists_and_ranges_become_ascending_numbers_each_once(text: str, pages: tuple[int, ...]) -> None:
    assert parse_pages(text) == (pages, None)


@pytest.mark.parametrize(
    ("text", "pages", "onward"),
    [("2-", (), 2), (" 2 - ", (), 2), ("1,4-", (1,), 4), ("9-,4-,1-2,6", (1, 2), 4), ("1-3,2-", (1,), 2)],
)
def test_a_range_without_an_end(text: str, pages: tuple[int, ...], onward: int) -> None:
    assert parse_pages(text) == (pages, onward)


@pytest.mark.parametrize(
    "text", ["", "a", "-", "0-", "1--", "-3", "1,,2", "1.5", "1-2-3", "0", "0-4", "3-1", "²", "1_0", "１"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"pages|backwards"):
        parse_pages(text)


@pytest.mark.parametrize("text", [f"1-{MAX_PAGES + 1}", "1-999999999", "5-999999999999999999999"])
def test_a_range_that_would_fill_the_memory_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="pages"):
        parse_pages(text)
