from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.server.page_count import likely_pages
from pipeline.server.uploads import Upload
from schemas.requests import ReadOptions

PDF = b"%PDF-1.7\n<< /Type /Pages /Count 12 >> << /Type /Pages /Count 7 >> << /Count 5 >>"
TREE_AT_THE_END = b"%PDF-1.7\n" + bytes(3 * 2**20) + b"/Count 40 %%EOF"


@pytest.mark.parametrize(
    ("content", "options", "pages"),
    [
        (b"\x89PNG /Count 9", ReadOptions(), 1),
        (PDF, ReadOptions(), 12),
        (PDF, ReadOptions(pages=(3,)), 1),
        (PDF, ReadOptions(pages=(3, 4)), 2),
        (PDF, ReadOptions(pages=tuple(range(1, 50))), 12),
        (PDF, ReadOptions(pages=(1,), pages_from=3), 12),
        (b"%PDF-1.7 objects are compressed", ReadOptions(), 1),
        (b"%PDF-1.7 objects are compressed", ReadOptions(pages=(1, 2, 3)), 3),
        (b"%PDF-1.7 /Count 0", ReadOptions(), 1),
        (TREE_AT_THE_END, ReadOptions(), 40),
        (b"", ReadOptions(), 1),
    ],
)
def test_pages_are_guessed_from_the_bytes(tmp_path: Path, content: bytes, options: ReadOptions, pages: int) -> None:
    assert likely_pages(Upload.of("a", content), options) == pages
    path = tmp_path / "file"
    path.write_bytes(content)
    assert likely_pages(Upload("a", len(content), "", path=path), options) == pages
