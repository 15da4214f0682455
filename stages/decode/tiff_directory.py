"""The image file directories of a TIFF (TIFF 6.0, section 2; BigTIFF): how many pages there are, parsing none."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SUBFILE_TYPE, _REDUCED = 254, 1
_TYPE_BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
# What pixels depend on: sizes, depth, compression, where the strips or tiles are, palette, JPEG tables and so on.
_NEEDED = frozenset({*range(256, 267), *range(273, 294), *range(317, 326), *range(332, 348), *range(512, 533)})


@dataclass(slots=True)
class TiffPage:
    """``index``: which directory of the chain it is, from 0. ``offset``: where it stands in the file."""

    index: int
    offset: int


@dataclass(slots=True)
class TiffDirectory:
    """The pages, and whether the chain points outside the file (``broken``), so that there were more once."""

    pages: list[TiffPage]
    broken: bool = False


@dataclass(slots=True)
class _Layout:
    """How numbers are written in this file."""

    order: str
    big: bool

    @property
    def offset(self) -> str:
        return self.order + ("Q" if self.big else "I")

    def entries(self, data: bytes, at: int) -> Iterator[tuple[int, int, int, int]]:
        """Tag, type, count and the position of the value field of each entry of the directory at ``at``."""
        (count,) = struct.unpack_from(self.order + ("Q" if self.big else "H"), data, at)
        at += 8 if self.big else 2
        for _ in range(count):
            tag, kind, values = struct.unpack_from(self.order + ("HHQ" if self.big else "HHI"), data, at)
            yield tag, kind, values, at + (12 if self.big else 8)
            at += 20 if self.big else 12

    def following(self, data: bytes, at: int) -> int:
        """The offset of the next directory, 0 after the last."""
        (count,) = struct.unpack_from(self.order + ("Q" if self.big else "H"), data, at)
        (found,) = struct.unpack_from(self.offset, data, at + (8 + 20 * count if self.big else 2 + 12 * count))
        return int(found)


def _layout(data: bytes) -> _Layout:
    return _Layout("<" if data[:2] == b"II" else ">", data[2:4] in (b"+\0", b"\0+"))


def read_tiff_directory(data: bytes, stop: int) -> TiffDirectory:
    """Follow the chain up to ``stop`` pages. Reduced copies of a page (thumbnails, pyramids) are no pages.

    A chain that comes back to an earlier directory ends there.
    """
    layout = _layout(data)
    found = TiffDirectory([])
    seen: set[int] = set()
    try:
        (at,) = struct.unpack_from(layout.offset, data, 8 if layout.big else 4)
        while at and at not in seen and len(found.pages) < stop:
            following = layout.following(data, at)
            if not (found.pages and _is_reduced(data, at, layout)):
                found.pages.append(TiffPage(len(seen), at))
            seen.add(at)
            at = following
    except (struct.error, OverflowError):
        found.broken = True
    return found


def _is_reduced(data: bytes, at: int, layout: _Layout) -> bool:
    # Tags are sorted, and none in use is smaller than this one: it is the first entry or absent.
    for tag, kind, _, field in layout.entries(data, at):
        value_format = layout.order + ("H" if kind == 3 else "I")
        return tag == _SUBFILE_TYPE and bool(struct.unpack_from(value_format, data, field)[0] & _REDUCED)
    return False


def lacks_tags(data: bytes, page: TiffPage) -> bool:
    """Whether values that the page's pixels depend on lie outside the file.

    Libraries read on without them, and then show something else than the page.
    """
    layout = _layout(data)
    try:
        for tag, kind, count, field in layout.entries(data, page.offset):
            size = _TYPE_BYTES.get(kind, 0) * count
            if tag in _NEEDED and size > (8 if layout.big else 4):
                (start,) = struct.unpack_from(layout.offset, data, field)
                if start + size > len(data):
                    return True
    except (struct.error, OverflowError):
        return True
    return False
