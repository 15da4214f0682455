"""Pixels of every colour mode to (H, W, 3) uint8 BGR, upright."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from schemas.errors import UnsupportedFormat

Pixels = npt.NDArray[np.uint8]

_BLOCK = 1 << 22  # pixels handled at once where intermediate results are wider than a byte
_DEPTHS = (8, 10, 12, 14, 15, 16, 24, 31, 32)  # 15 and 31: signed numbers
_NUMERIC = frozenset({"I;16", "I;16B", "I;16L", "I;16N", "I", "F"})
_ALPHA = frozenset({"LA", "La", "PA", "RGBA", "RGBa"})


def turn_upright(pixels: Pixels, orientation: int) -> Pixels:
    """Apply EXIF's ``orientation`` (1 to 8; EXIF 2.32, section 4.6.4) to (H, W, 3) or (H, W) pixels as stored."""
    match orientation:
        case 2:
            turned = cv2.flip(pixels, 1)
        case 3:
            turned = cv2.rotate(pixels, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(pixels, 0)
        case 5:
            turned = cv2.transpose(pixels)
        case 6:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE)
        case 7:
            turned = cv2.flip(cv2.transpose(pixels), -1)
        case 8:
            turned = cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE)
        case _:
            return pixels
    return np.asarray(turned, np.uint8)


def to_bgr(image: Image.Image, *, white_is_zero: bool = False, adobe: bool = True) -> Pixels:
    """The pixels of a loaded picture, over white where it is transparent.

    Args:
        image: of any mode that Pillow reads.
        white_is_zero: numbers count ink, not light (TIFF); only heeded for 16 and 32 bits, as Pillow does the rest.
        adobe: for CMYK read from JPEG, whether Adobe's marker vouches for its inverted values.

    Raises:
        UnsupportedFormat: nobody can tell which numbers are white, or Pillow cannot convert the mode.
    """
    mode = image.mode
    if mode in _NUMERIC:
        return _from_numbers(np.asarray(image), white_is_zero)
    if mode in _ALPHA or "transparency" in image.info:
        return _over_white(image)
    if mode in ("1", "L"):
        return _bgr(np.asarray(image.convert("L")), cv2.COLOR_GRAY2BGR)
    if mode == "CMYK" and not adobe:
        image = _lighter_cmyk(image)
    try:
        rgb = image if mode == "RGB" else image.convert("RGB")
    except ValueError as error:
        raise UnsupportedFormat(f"pictures of colour mode {mode} cannot be read; save it as RGB or grey") from error
    return _bgr(np.asarray(rgb), cv2.COLOR_RGB2BGR)


def _bgr(pixels: npt.NDArray[np.uint8], code: int) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, code), np.uint8)


def _blocks(height: int, width: int) -> list[slice]:
    rows = max(1, _BLOCK // max(1, width))
    return [slice(top, min(top + rows, height)) for top in range(0, height, rows)]


def _over_white(image: Image.Image) -> Pixels:
    if image.mode in ("La", "RGBa"):  # premultiplied; Pillow converts them to their plain modes only
        image = image.convert("LA" if image.mode == "La" else "RGBA")
    rgba = np.asarray(image.convert("RGBA"))
    height, width = rgba.shape[:2]
    out = np.empty((height, width, 3), np.uint8)
    for rows in _blocks(height, width):
        alpha = rgba[rows, :, 3:].astype(np.uint32)
        colour = rgba[rows, :, 2::-1]
        out[rows] = (colour * alpha + 255 * (255 - alpha) + 127) // 255
    return out


def _from_numbers(values: npt.NDArray[np.generic], white_is_zero: bool) -> Pixels:
    """Grey values of more than 8 bits.

    Integers are scaled by the smallest usual depth that holds them all, since scanners put 12-bit values into
    16-bit files; floats are taken as 0 to 1, 0 to 255 or 0 to 65535.
    """
    low, high = float(values.min()), float(values.max())
    if not (np.isfinite(low) and np.isfinite(high)) or low < 0:
        raise UnsupportedFormat("the grey values are negative or not numbers; save the picture with 8 or 16 bits")
    if np.issubdtype(values.dtype, np.floating):
        white = next((top for top in (1.0, 255.0, 65535.0) if high <= top), None)
        if white is None:
            raise UnsupportedFormat("the grey values go beyond 65535; save the picture with 8 or 16 bits")
    else:
        white = float(2 ** next(depth for depth in _DEPTHS if high < 2**depth) - 1)
    grey = np.empty(values.shape, np.uint8)
    for rows in _blocks(*values.shape[:2]):
        scaled = values[rows].astype(np.float32) * np.float32(255.0 / white)
        grey[rows] = np.clip(np.rint(255 - scaled if white_is_zero else scaled), 0, 255)
    return _bgr(grey, cv2.COLOR_GRAY2BGR)


def _lighter_cmyk(image: Image.Image) -> Image.Image:
    """CMYK from a JPEG without Adobe's marker: inverted or not, the file does not say.

    Pillow takes it as inverted. Both kinds are about, and a document is mostly paper, so the lighter of the two wins.
    """
    sample = image.resize((min(image.width, 256), min(image.height, 256)), Image.Resampling.NEAREST)
    light = np.asarray(sample.convert("RGB")).mean()
    negative = sample.point(lambda value: 255 - value)
    if np.asarray(negative.convert("RGB")).mean() > light:
        return image.point(lambda value: 255 - value)
    return image
