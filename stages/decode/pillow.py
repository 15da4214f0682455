"""Pillow, for what OpenCV cannot decode properly; its faults as errors that users understand.

Picture classes are called directly instead of ``Image.open``: no format but the sniffed one is tried, and the size
is checked against this project's limits rather than Pillow's process-wide ``MAX_IMAGE_PIXELS``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import BmpImagePlugin, GifImagePlugin, Image, JpegImagePlugin, PngImagePlugin, WebPImagePlugin
from PIL.ImageFile import ImageFile

from schemas.errors import DamagedFile, DocumentError, TooLarge, UnsupportedFormat
from stages.decode.sniff import Format

_CLASSES: dict[Format, type[ImageFile]] = {
    Format.JPEG: JpegImagePlugin.JpegImageFile,
    Format.PNG: PngImagePlugin.PngImageFile,
    Format.WEBP: WebPImagePlugin.WebPImageFile,
    Format.BMP: BmpImagePlugin.BmpImageFile,
    Format.GIF: GifImagePlugin.GifImageFile,
}
# What Pillow says of sound files that it cannot decode.
_UNSUPPORTED = ("unsupported", "not supported", "not available", "unknown pixel mode", "unknown data organization")


@contextmanager
def pillow_errors(kind: Format) -> Iterator[None]:
    """Turn whatever Pillow raises on a hostile or broken file into a ``DocumentError``.

    Its parsers raise nearly everything (OSError, SyntaxError, struct.error, KeyError, ...), hence the broad net.
    """
    name = kind.upper()
    try:
        yield
    except DocumentError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError) as error:
        raise TooLarge(f"the {name} would take too much memory to decode; scale it down") from error
    except Exception as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        missing = isinstance(error, KeyError) or isinstance(error.__cause__, KeyError)
        if missing:  # a code that one of its tables lacks: a compression, say
            reason = f"code {reason} in its header"
        if missing or isinstance(error, NotImplementedError) or any(word in reason.lower() for word in _UNSUPPORTED):
            raise UnsupportedFormat(
                f"this kind of {name} cannot be read ({reason}); save it as an ordinary PNG or JPEG"
            ) from error
        raise DamagedFile(
            f"the {name} is truncated or broken ({reason}); send it again, complete, or make it anew"
        ) from error


def open_still(data: bytes, kind: Format) -> ImageFile:
    """Parse the header of a JPEG, PNG, WebP, BMP or GIF; pixels are decoded by ``load``."""
    return _CLASSES[kind](io.BytesIO(data))
