"""TIFF: any number of pages, decoded one at a time by Pillow and libtiff."""

from __future__ import annotations

import io
import threading

from PIL.TiffImagePlugin import TiffImageFile

from schemas.errors import Cancelled, DamagedFile, InvalidRequest
from schemas.settings import Limits
from stages.decode.limits import check_size
from stages.decode.opened import OpenDocument, select_pages
from stages.decode.pillow import pillow_errors
from stages.decode.pixels import to_bgr
from stages.decode.sniff import Format
from stages.decode.tiff_directory import lacks_tags, read_tiff_directory
from stages.page_image import PageImage

_PHOTOMETRIC, _WHITE_IS_ZERO = 262, 0
_KEEP_PIXELS = 16_000_000  # a reader keeps the pixels of its last page; larger pages are not worth it


class TiffDocument(OpenDocument):
    """A TIFF. Its pages are decoded one after the other, as one reader follows the chain of directories."""

    def __init__(self, data: bytes, limits: Limits, pages: tuple[int, ...] | None) -> None:
        """Count the pages and, if one page is wanted, check its size.

        Raises:
            DocumentError: the first page cannot be found, a wanted page does not exist, or the limits forbid it.
        """
        stop = limits.max_pages + 1 if pages is None else max((1, *pages))
        directory = read_tiff_directory(data, stop)
        self._pages = directory.pages
        count = len(self._pages)
        if not count:
            raise DamagedFile("the TIFF holds no page; it seems truncated, send it again, complete")
        # A page that is known to be lost still counts, so that its error is reported.
        self._lost = count + 1 if directory.broken else None
        super().__init__(Format.TIFF, select_pages(pages, count + directory.broken, limits), [])
        self._data: bytes | None = data
        self._limits = limits
        self._reader: TiffImageFile | None = None
        self._lock = threading.Lock()
        if len(self.page_numbers) == 1:
            with self._lock:
                self._seek(data, self.page_numbers[0])

    def decode(self, number: int) -> PageImage:
        """Decode one page; see :meth:`OpenDocument.decode`. Pillow applies the orientation tag while loading."""
        with self._lock:
            if self._data is None:
                raise Cancelled("the document was closed before this page was decoded")
            image = self._seek(self._data, number)
            with pillow_errors(Format.TIFF):
                white_is_zero = image.tag_v2.get(_PHOTOMETRIC) == _WHITE_IS_ZERO
                image.load()
                pixels = to_bgr(image, white_is_zero=white_is_zero)
            if image.width * image.height > _KEEP_PIXELS or self._data is None:
                self._reader = None
        return PageImage(pixels, number)

    def _seek(self, data: bytes, number: int) -> TiffImageFile:
        if number == self._lost:
            raise DamagedFile(
                f"the TIFF breaks off before page {number}; the pages from there on are lost, send it again, complete"
            )
        if not 1 <= number <= len(self._pages):
            raise InvalidRequest(f"page {number} does not exist: the TIFF has {len(self._pages)} pages")
        page = self._pages[number - 1]
        if lacks_tags(data, page):
            raise DamagedFile(f"page {number} of the TIFF is truncated or broken; send it again, complete")
        with pillow_errors(Format.TIFF):
            if self._reader is None:
                self._reader = TiffImageFile(io.BytesIO(data))
            image = self._reader
            try:
                image.seek(page.index)
            except Exception:
                self._reader = None  # half-way through a broken directory, the reader is good for nothing
                raise
            check_size(*image.size, self._limits)
            return image

    def close(self) -> None:
        """Let go of the file's bytes: now, or when the page that is being decoded is done. Never waits for that."""
        self._data = None
        if self._lock.acquire(blocking=False):
            self._reader = None
            self._lock.release()
