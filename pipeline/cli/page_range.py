"""``--pages 1-3,7-``: which pages to read."""

from __future__ import annotations

import re

MAX_PAGES = 100_000
"""As many page numbers may be named; more are a typing error rather than a wish."""

_PART = re.compile(r"\s*([0-9]{1,9})\s*(?:(-)\s*([0-9]{1,9})?\s*)?")


def parse_pages(text: str) -> tuple[tuple[int, ...], int | None]:
    """Page numbers from 1, ascending, each once; and the page that is read with all behind it, if there is one.

    Args:
        text: numbers and ranges, separated by commas: ``"2"``, ``"1-3"``, ``"1-3,7"``, ``"5-"``.

    Raises:
        ValueError: not such a list, page 0, a range that runs backwards, or absurdly many pages.
    """
    pages: set[int] = set()
    onward: int | None = None
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError(f"{text!r} is no list of pages; write for example 2, 1-3, 1-3,7 or 5-")
        first = int(match[1])
        last = int(match[3] or first)
        if first < 1:
            raise ValueError("pages are counted from 1")
        if match[2] and not match[3]:
            onward = first if onward is None else min(onward, first)
            continue
        if last < first:
            raise ValueError(f"the range {first}-{last} runs backwards")
        if last - first >= MAX_PAGES:
            raise ValueError(f"the range {first}-{last} has more than {MAX_PAGES} pages")
        pages.update(range(first, last + 1))
    return tuple(sorted(page for page in pages if onward is None or page < onward)), onward
