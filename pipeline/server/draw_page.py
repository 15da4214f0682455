"""The process that draws one page: an order on its standard input, a JPEG on its standard output.

The order is a line of JSON, with the file behind it unless it names a path. The answer is a line of JSON, too, ``{}``
or an error, and then the picture.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from typing import Any

import cv2
import orjson

from schemas.errors import InklaneError, StageFailed
from schemas.settings import Limits
from stages.decode.document import open_document

_LONGEST = 2600  # pixels: enough to read small print on a screen, and half a megabyte
_QUALITY = 86
_CPU_S = 60


def draw(source: Path | bytes, page: int, *, limits: Limits, dpi: int) -> bytes:
    """A page as a JPEG, no larger than a screen needs.

    Raises:
        DocumentError: it cannot be opened or decoded.
    """
    with open_document(source, limits=limits, dpi=dpi, pages=(page,)) as document:
        pixels: Any = document.decode(page).pixels
    scale = _LONGEST / max(pixels.shape[:2])
    if scale < 1:
        height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    drawn, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not drawn:
        raise StageFailed(f"page {page} cannot be written as a picture")
    return bytes(encoded)


def main() -> None:
    """Draw what is ordered."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    cv2.setNumThreads(1)  # the cores are for reading
    line, _, data = sys.stdin.buffer.read().partition(b"\n")
    order = orjson.loads(line)
    source = data if order["path"] is None else Path(order["path"])
    out = sys.stdout.buffer
    try:
        picture = draw(source, order["page"], limits=Limits(**order["limits"]), dpi=order["dpi"])
    except InklaneError as error:
        out.write(orjson.dumps({"code": error.code, "message": error.message}) + b"\n")
    else:
        out.write(b"{}\n" + picture)
    out.flush()


if __name__ == "__main__":
    main()
