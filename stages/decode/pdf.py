"""PDF pages, rendered by PDFium."""

from __future__ import annotations

import contextlib
import math
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from schemas.document import Notice
from schemas.errors import Cancelled, DamagedFile, DocumentError, InvalidRequest, PasswordRequired, UnsupportedFormat
from schemas.settings import Limits
from stages.decode.limits import check_size
from stages.decode.opened import OpenDocument, select_pages
from stages.decode.sniff import Format
from stages.page_image import PageImage

POINTS_PER_INCH = 72
_TAIL_BYTES = 4096

# PDFium is not thread-safe, not even across documents, so every call in this process happens under this lock.
# Closing never waits for it: a document may be collected while its own thread is inside.
_PDFIUM = threading.Lock()
_to_close: deque[Any] = deque()  # documents done with while another thread was inside


@contextlib.contextmanager
def _pdfium() -> Iterator[None]:
    """Hold the lock; then close what was to be closed meanwhile."""
    with _PDFIUM:
        yield
    _close_pending()


def _close_pending() -> None:
    """Close documents, unless another thread is inside, which then does so as it leaves."""
    while _to_close and _PDFIUM.acquire(blocking=False):
        try:
            with contextlib.suppress(IndexError):  # another thread was quicker
                _to_close.popleft().close()
        finally:
            _PDFIUM.release()


class PdfDocument(OpenDocument):
    """A PDF. One page is rendered at a time in the whole process.

    A page's UserUnit is not applied: PDFium has no access to it. Such pages are rendered as if the unit were a point.
    """

    def __init__(self, data: bytes, limits: Limits, dpi: int, pages: tuple[int, ...] | None) -> None:
        """Open the document and, if one page is wanted, check its size.

        Raises:
            PasswordRequired: it needs its user password. An owner password alone forbids printing and the like, not
                reading.
            DocumentError: it is broken, a wanted page does not exist, or the limits forbid it.
        """
        self._pdf: Any = None
        self._limits = limits
        self._dpi = dpi
        with _pdfium():
            self._pdf = _load(data)
            try:
                count = len(self._pdf)
                if count < 1:
                    raise DamagedFile("no page can be found in the PDF; it seems truncated, send it again, complete")
                numbers = select_pages(pages, count, limits)
                if len(numbers) == 1:
                    self._pixel_size(*self._pdf.get_page_size(numbers[0] - 1))
            except pypdfium2.PdfiumError as error:
                self.close()
                raise _broken_page(numbers[0]) from error
            except DocumentError:
                self.close()
                raise
        warnings = []
        if b"%%EOF" not in data[-_TAIL_BYTES:]:
            warnings.append(
                Notice("repaired_file", "the end of the PDF is missing, and perhaps pages; send it again, complete")
            )
        super().__init__(Format.PDF, numbers, warnings)

    def decode(self, number: int) -> PageImage:
        """Render one page, with its annotations and form fields; see :meth:`OpenDocument.decode`."""
        try:
            with _pdfium():
                pdf = self._pdf
                if pdf is None:
                    raise Cancelled("the document was closed before this page was decoded")
                if not 1 <= number <= len(pdf):
                    raise InvalidRequest(f"page {number} does not exist: the PDF has {len(pdf)} pages")
                pixels = self._render(pdf, number)
        except pypdfium2.PdfiumError as error:
            raise _broken_page(number) from error
        return PageImage(pixels, number, dpi=float(self._dpi))

    def _render(self, pdf: Any, number: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        # Asked for the size first: loading a page parses it, and a page that is too large is not worth that.
        self._pixel_size(*pdf.get_page_size(number - 1))
        page = pdf[number - 1]
        try:
            self._pixel_size(*page.get_size())
            bitmap = page.render(scale=self._dpi / POINTS_PER_INCH, maybe_alpha=False, may_draw_forms=True)
            try:
                # The buffer is Python's and outlives the bitmap, so nothing needs to be copied.
                return np.asarray(bitmap.to_numpy(), np.uint8)
            finally:
                bitmap.close()
        finally:
            page.close()

    def _pixel_size(self, width: float, height: float) -> None:
        """Check the page's size (crop box within media box, in points, turned by /Rotate) at the resolution."""
        if not (math.isfinite(width) and math.isfinite(height)):
            raise DamagedFile("the PDF page has no finite size; make the file again")
        scale = self._dpi / POINTS_PER_INCH
        hint = f"lower the resolution ({self._dpi} dpi)"
        check_size(math.ceil(width * scale), math.ceil(height * scale), self._limits, hint=hint)

    def close(self) -> None:
        """Release the document: now, or once no page is being rendered, which may take long. Never waits for that."""
        pdf, self._pdf = self._pdf, None
        if pdf is not None:
            _to_close.append(pdf)
            _close_pending()

    def __del__(self) -> None:
        """Close under the lock, where pypdfium2's own finaliser would not take it."""
        if getattr(self, "_pdf", None) is not None:
            self.close()


def _load(data: bytes) -> Any:
    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise PasswordRequired(
                "the PDF is protected by a user password; save a copy without one and send that"
            ) from error
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise UnsupportedFormat(
                "the PDF is encrypted in a way that cannot be read; save a copy without encryption"
            ) from error
        raise DamagedFile(
            "the PDF is truncated or broken, and its pages cannot be found; send it again, complete, or make it anew"
        ) from error
    with contextlib.suppress(pypdfium2.PdfiumError):  # without it, only what was filled in is missing
        pdf.init_forms()
    return pdf


def _broken_page(number: int) -> DamagedFile:
    return DamagedFile(f"page {number} of the PDF is broken and cannot be rendered; make the file again")
