"""Opening a document: from a path or bytes to pages that can be decoded."""

from __future__ import annotations

from pathlib import Path

from schemas.document import Notice
from schemas.errors import FileMissing
from schemas.settings import Limits
from stages.decode.limits import check_bytes
from stages.decode.opened import OpenDocument, do_not_exist
from stages.decode.pdf import PdfDocument
from stages.decode.sniff import Format, require_format
from stages.decode.still import StillDocument
from stages.decode.tiff import TiffDocument

__all__ = ["OpenDocument", "open_document"]


def open_document(
    source: Path | bytes,
    *,
    limits: Limits,
    dpi: int,
    pages: tuple[int, ...] | None = None,
    pages_from: int | None = None,
) -> OpenDocument:
    """Open a document and check it as far as its headers go; no pixel is decoded.

    The content decides the format. A document of which one page is wanted is refused as a whole where that page is
    too large; of several pages, only ``decode`` of the page in question fails.

    Args:
        source: a path, read into memory at once, or the file's bytes.
        limits: what to refuse.
        dpi: resolution at which PDF pages are rendered.
        pages: page numbers from 1; None for all. Of those that do not exist, a warning (``pages_missing``) tells, if
            others do.
        pages_from: this page and all behind it, besides ``pages``.

    Raises:
        FileMissing: there is no such file, or it may not be read.
        DocumentError: of the kind that says what is wrong (see :mod:`schemas.errors`).
    """
    data = _read(source, limits) if isinstance(source, Path) else source
    check_bytes(len(data), limits)
    kind = require_format(data)
    document = _open(data, kind, limits, dpi, _wanted(pages, pages_from, limits))
    missing = set(pages or ()).difference(document.page_numbers)
    if missing:
        document.warnings.append(Notice("pages_missing", f"{do_not_exist(missing)}; the others that were asked for do"))
    return document


def _open(data: bytes, kind: Format, limits: Limits, dpi: int, pages: tuple[int, ...] | None) -> OpenDocument:
    if kind is Format.PDF:
        return PdfDocument(data, limits, dpi, pages)
    if kind is Format.TIFF:
        return TiffDocument(data, limits, pages)
    return StillDocument(data, kind, limits, pages)


def _wanted(pages: tuple[int, ...] | None, pages_from: int | None, limits: Limits) -> tuple[int, ...] | None:
    if pages_from is None:
        return pages
    # One more than may be read, so that a document with too many pages is refused as such.
    return *(pages or ()), *range(pages_from, pages_from + limits.max_pages + 1)


def _read(path: Path, limits: Limits) -> bytes:
    try:
        if not path.is_file():  # reading a pipe or a device might never end
            raise FileMissing(f"{path} {'is not a file' if path.exists() else 'does not exist'}; check the path")
        check_bytes(path.stat().st_size, limits)
        with path.open("rb") as file:
            return file.read(limits.max_file_bytes + 1)  # it may have grown since
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileMissing(f"{path} cannot be read: {reason}") from error
