"""The chain of image file directories in a TIFF (TIFF 6.0, section 2): how many pages there are, parsing none."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_SUBFILE_TYPE = 254
_REDUCED = 1


@dataclass(slots=True)
class TiffDirectory:
    """``frames``: for each page the index of its directory in the file.

    ``broken``: the chain points outside the file, so there were more pages once.
    """

    frames: list[int]
    broken: bool = False


def read_tiff_directory(data: bytes, stop: int) -> TiffDirectory:
    """Follow the chain up to ``stop`` pages. Reduced copies of a page (thumbnails, pyramids) are no pages.

    A chain that comes back to an earlier directory ends there.
    """
    order = "<" if data[:2] == b"II" else ">"
    big = data[2:4] in (b"+\0", b"\0+")
    count_format, entry_bytes, offset_format = (order + "Q", 20, order + "Q") if big else (order + "H", 12, order + "I")
    count_bytes = struct.calcsize(count_format)
    found = TiffDirectory([])
    seen: set[int] = set()
    index = 0
    try:
        (at,) = struct.unpack_from(offset_format, data, 8 if big else 4)
        while at and at not in seen and len(found.frames) < stop:
            seen.add(at)
            (entries,) = struct.unpack_from(count_format, data, at)
            first_tag, first_value = 0, 0
            if entries:
                # Tags are sorted, and none in use is smaller than 254: it is the first entry or absent.
                first_tag, kind = struct.unpack_from(order + "HH", data, at + count_bytes)
                value_format = order + ("H" if kind == 3 else "I")
                (first_value,) = struct.unpack_from(value_format, data, at + count_bytes + (12 if big else 8))
            (following,) = struct.unpack_from(offset_format, data, at + count_bytes + entries * entry_bytes)
            if not (found.frames and first_tag == _SUBFILE_TYPE and first_value & _REDUCED):
                found.frames.append(index)
            index += 1
            at = following
    except (struct.error, OverflowError):
        found.broken = True
    return found
