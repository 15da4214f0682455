"""What an opened document can do, whatever its format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from types import TracebackType

from schemas.document import Notice
from schemas.errors import InvalidRequest, TooManyPages
from schemas.settings import Limits
from stages.decode.sniff import Format
from stages.page_image import PageImage


class OpenDocument(ABC):
    """A document whose headers have been checked and whose pages are decoded one at a time, on demand.

    ``page_numbers`` are the selected pages, from 1, ascending. ``decode`` may be called from any thread, in any
    order and more than once. Nothing decoded is kept.
    """

    def __init__(self, kind: Format, page_numbers: tuple[int, ...], warnings: list[Notice]) -> None:
        """What the format's own class found out while opening."""
        self.format = kind
        self.page_numbers = page_numbers
        self.warnings = warnings

    @abstractmethod
    def decode(self, number: int) -> PageImage:
        """Decode page ``number`` (from 1), upright.

        Raises:
            DocumentError: this page cannot be had; the others are not affected.
        """

    def close(self) -> None:
        """Release the file. Idempotent; pages must not be decoded any more."""
        return

    def __enter__(self) -> OpenDocument:
        """The document itself; ``close`` is called on the way out."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the document."""
        self.close()


def select_pages(wanted: tuple[int, ...] | None, count: int, limits: Limits) -> tuple[int, ...]:
    """The pages to read of ``count``: those ``wanted`` that exist, ascending and each once, or all.

    Raises:
        InvalidRequest: none of the wanted pages exists, or one is below 1.
        TooManyPages: more than ``limits.max_pages``.
    """
    if wanted is None:
        selected: Sequence[int] = range(1, count + 1)
    else:
        if not wanted:
            raise InvalidRequest("no page was selected; leave the selection out to read all pages")
        if min(wanted) < 1:
            raise InvalidRequest(f"there is no page {min(wanted)}: pages are numbered from 1")
        selected = sorted({number for number in wanted if number <= count})
        if not selected:
            have = "there is 1 page" if count == 1 else f"there are {count} pages"
            raise InvalidRequest(f"{do_not_exist(wanted)}: {have}, numbered from 1")
    if len(selected) > limits.max_pages:
        raise TooManyPages(
            f"more than {limits.max_pages} pages to read; select fewer at a time, or raise limits.max_pages"
        )
    return tuple(selected)


def do_not_exist(numbers: Iterable[int]) -> str:
    """For pages behind the last: ``page 7 does not exist``, ``pages 7, 8 and 9 do not exist``; many from which on."""
    shown = list(map(str, sorted(set(numbers))))
    if len(shown) == 1:
        return f"page {shown[0]} does not exist"
    if len(shown) > 5:
        return f"pages from {shown[0]} on do not exist"
    return f"pages {', '.join(shown[:-1])} and {shown[-1]} do not exist"
