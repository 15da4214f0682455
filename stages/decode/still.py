"""Documents of one picture: JPEG, PNG, WebP, BMP, GIF."""

from __future__ import annotations

import cv2
import numpy as np

from schemas.document import Notice
from schemas.errors import Cancelled, InvalidRequest
from schemas.settings import Limits
from stages.decode.headers import Header, read_header
from stages.decode.limits import check_size
from stages.decode.opened import OpenDocument, select_pages
from stages.decode.pillow import open_still, pillow_errors
from stages.decode.pixels import Pixels, to_bgr, turn_upright
from stages.decode.sniff import Format
from stages.page_image import PageImage

# EXIF is applied here, once and for every format alike, so OpenCV must not.
_READ = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION


class StillDocument(OpenDocument):
    """One picture; of an animation the first frame."""

    def __init__(self, data: bytes, kind: Format, limits: Limits, pages: tuple[int, ...] | None) -> None:
        """Check the header.

        Raises:
            DocumentError: the picture is broken, too large, or lacks the wanted page.
        """
        header = read_header(data, kind)
        check_size(header.width, header.height, limits)
        animated = header.animated
        if kind in (Format.GIF, Format.BMP):
            # The first frame of a GIF may be larger than the screen it declares, so Pillow has its say too.
            with pillow_errors(kind), open_still(data, kind) as image:
                check_size(*image.size, limits)
                animated = kind is Format.GIF and _is_animated(image)
        warnings = []
        if animated:
            warnings.append(Notice("animated_image", "the picture is animated; only its first frame was read"))
        super().__init__(kind, select_pages(pages, 1, limits), warnings)
        self._data: bytes | None = data
        self._header: Header = header
        self._limits = limits

    def decode(self, number: int) -> PageImage:
        """Decode the picture; see :meth:`OpenDocument.decode`."""
        if number != 1:
            raise InvalidRequest(f"page {number} does not exist: there is 1 page, numbered from 1")
        data = self._data
        if data is None:
            raise Cancelled("the document was closed before this page was decoded")
        pixels = _decode_plain(data) if self._header.plain and self._header.complete else None
        if pixels is None or pixels.shape[:2] != (self._header.height, self._header.width):
            # Whatever OpenCV refuses gets a second, stricter look, which also says what is wrong.
            pixels = self._decode_with_pillow(data)
        return PageImage(turn_upright(pixels, self._header.orientation), number)

    def _decode_with_pillow(self, data: bytes) -> Pixels:
        with pillow_errors(self.format), open_still(data, self.format) as image:
            check_size(*image.size, self._limits)
            image.load()
            if self.format is Format.BMP and image.mode == "RGBA":
                # Most 32-bit BMPs carry zeros, not transparency, in the fourth byte.
                return to_bgr(image.convert("RGB"))
            return to_bgr(image, adobe=self._header.adobe)

    def close(self) -> None:
        """Let go of the file's bytes."""
        self._data = None


def _decode_plain(data: bytes) -> Pixels | None:
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), _READ)
    except cv2.error:
        return None
    return None if decoded is None else np.asarray(decoded, np.uint8)


def _is_animated(image: object) -> bool:
    try:
        return bool(getattr(image, "is_animated", False))
    except Exception:  # a broken second frame does not matter, as it is not read
        return False
