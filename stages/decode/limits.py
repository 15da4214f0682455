"""Checks on sizes that a header claims, made before anything is decoded."""

from __future__ import annotations

from schemas.errors import DamagedFile, TooLarge
from schemas.settings import Limits


def check_bytes(count: int, limits: Limits) -> None:
    """Refuse a file of more than ``limits.max_file_bytes`` bytes.

    Raises:
        TooLarge: it has more.
    """
    if count > limits.max_file_bytes:
        raise TooLarge(
            f"the file has more than {limits.max_file_bytes} bytes; split it, scan at a lower resolution, "
            "or raise limits.max_file_bytes"
        )


def check_size(width: int, height: int, limits: Limits, *, hint: str = "scale it down") -> None:
    """Refuse a page of ``width`` by ``height`` pixels that is over the limits.

    Args:
        width: pixels.
        height: pixels.
        limits: ``max_side`` and ``max_pixels`` are checked.
        hint: what the user can do, beside raising the limit.

    Raises:
        DamagedFile: a side is zero or negative.
        TooLarge: a side or the area is over its limit.
    """
    if width <= 0 or height <= 0:
        raise DamagedFile(f"the header claims a page of {width} x {height} pixels; the file is broken, make it again")
    if max(width, height) > limits.max_side:
        raise TooLarge(
            f"a page of {width} x {height} pixels: a side may have at most {limits.max_side}; "
            f"{hint}, or raise limits.max_side"
        )
    if width * height > limits.max_pixels:
        raise TooLarge(
            f"a page of {width} x {height} pixels: a page may have at most {limits.max_pixels}; "
            f"{hint}, or raise limits.max_pixels"
        )
