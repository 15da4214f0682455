"""CASES 3 and 8: names mean nothing, and may hold anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from schemas.errors import FileMissing
from schemas.settings import Limits
from stages.decode.document import open_document
from stages.decode.sniff import Format
from tests.factories.images import encode, page_image
from tests.factories.pdfs import PdfPage, pdf

KINDS = {
    Format.JPEG: encode(page_image(), "JPEG"),
    Format.PNG: encode(page_image(), "PNG"),
    Format.TIFF: encode(page_image(), "TIFF"),
    Format.PDF: pdf([PdfPage()]),
}


@pytest.mark.parametrize(
    "name", ["发票 2024.jpg", "reçu été.png", "two  spaces .pdf", "no_extension", "a'\"&;$(x)#%41.tif"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_cases_3_and_8_the_content_decides_and_any_name_opens(tmp_path: Path, kind: Format, name: str) -> None:
    folder = tmp_path / "文件 夹 é"
    folder.mkdir()
    path = folder / name
    path.write_bytes(KINDS[kind])
    with open_document(path, limits=Limits(), dpi=72) as document:
        assert document.format is kind
        assert document.decode(1).pixels.size > 0


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xe9t\xe9.png"))
    path.write_bytes(KINDS[Format.PNG])
    open_document(path, limits=Limits(), dpi=72).close()


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, reason in (
        (tmp_path / "none.png", "does not exist"),
        (tmp_path, "is not a file"),
        (pipe, "is not a file"),
        (tmp_path / "nul\0byte", "does not exist|cannot be read"),
        (tmp_path / ("long" * 200), "does not exist|cannot be read"),
    ):
        with pytest.raises(FileMissing, match=reason):
            open_document(path, limits=Limits(), dpi=72)


def test_a_path_and_its_bytes_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_bytes(KINDS[Format.JPEG])
    with (
        open_document(path, limits=Limits(), dpi=72) as one,
        open_document(KINDS[Format.JPEG], limits=Limits(), dpi=72) as other,
    ):
        assert (one.decode(1).pixels == other.decode(1).pixels).all()
