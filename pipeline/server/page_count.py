"""How many pages a file is likely to have, told from its bytes without opening it.

Only admission uses it, and corrects it as soon as the worker has opened the file: a guess may be wrong either way.
"""

from __future__ import annotations

import re

from pipeline.server.uploads import Upload
from schemas.requests import ReadOptions

_LOOK_BYTES = 2**20
_COUNT = re.compile(rb"/Count\s+(\d{1,6})")


def likely_pages(upload: Upload, options: ReadOptions) -> int:
    """Pages that will be read, at least 1."""
    named = len(options.pages) if options.pages is not None and options.pages_from is None else None
    if named == 1:
        return 1
    head, tail = _ends(upload)
    if b"%PDF-" not in head[:1024]:
        return 1
    # The page tree's root counts all pages. It is out of sight where objects are compressed.
    counts = [int(count) for count in _COUNT.findall(head) + _COUNT.findall(tail)]
    pages = max(counts, default=1)
    return max(1, pages if named is None else min(named, pages) if counts else named)


def _ends(upload: Upload) -> tuple[bytes, bytes]:
    if upload.path is None:
        data = upload.data or b""
        return data[:_LOOK_BYTES], data[_LOOK_BYTES:][-_LOOK_BYTES:]
    with upload.path.open("rb") as file:
        head = file.read(_LOOK_BYTES)
        file.seek(max(len(head), upload.size - _LOOK_BYTES))
        return head, file.read(_LOOK_BYTES)
