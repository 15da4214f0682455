"""The structure of a JPEG file: what its header says, and whether its data goes on to the end.

libjpeg paints what is missing grey and goes on, so a truncated file has to be told from a whole one here. Walking
the markers costs well under a millisecond; decoding twice would not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemas.errors import DamagedFile, UnsupportedFormat

MAX_SCANS = 100  # progressive files have about ten; each scan costs a pass over all coefficients

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # SOF0 to SOF15 without DHT, JPG, DAC (ITU-T T.81, B.1)
_SOS, _EOI, _APP1, _APP14 = 0xDA, 0xD9, 0xE1, 0xEE
_STANDALONE = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
# Inside a scan, FF is followed by 00 (a stuffed byte), a restart marker or a fill byte; anything else ends the scan.
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)


@dataclass(slots=True)
class JpegStructure:
    """``complete``: the end-of-image marker was reached. ``adobe``: there is an Adobe (APP14) segment."""

    width: int
    height: int
    components: int
    precision: int
    adobe: bool
    exif: bytes
    complete: bool


def read_jpeg_structure(data: bytes) -> JpegStructure:
    """Walk the markers of the first image in ``data``; what follows its end (a second picture, say) is ignored.

    Raises:
        DamagedFile: there is no frame header, or a marker stands where none can.
        UnsupportedFormat: so many scans that decoding would take minutes.
    """
    found: JpegStructure | None = None
    exif = b""
    adobe = False
    scans = 0
    at = 2
    while True:
        marker, at = _next_marker(data, at)
        if marker is None or marker == _EOI:
            break
        if marker in _STANDALONE:
            continue
        length = int.from_bytes(data[at : at + 2], "big")
        if at + 2 > len(data):
            break
        if length < 2:
            raise DamagedFile("a segment of the JPEG has no valid length; the file is broken, make it again")
        body = at + 2
        end = at + length
        if marker in _FRAMES and found is None and body + 6 <= len(data):
            found = JpegStructure(
                width=int.from_bytes(data[body + 3 : body + 5], "big"),
                height=int.from_bytes(data[body + 1 : body + 3], "big"),
                components=data[body + 5],
                precision=data[body],
                adobe=False,
                exif=b"",
                complete=False,
            )
        elif marker == _APP1 and not exif and data[body : body + 6] == b"Exif\0\0":
            exif = data[body:end]
        elif marker == _APP14 and data[body : body + 5] == b"Adobe":
            adobe = True
        elif marker == _SOS:
            scans += 1
            if scans > MAX_SCANS:
                raise UnsupportedFormat(f"the JPEG has more than {MAX_SCANS} scans; save it as a baseline JPEG")
            hit = _AFTER_SCAN.search(data, end)
            end = len(data) if hit is None else hit.start()
            if hit is not None and data[end + 1] < 0xC0:
                raise DamagedFile("the JPEG's picture data is broken in the middle; make the file again")
        at = end
    if found is None:
        raise DamagedFile("the JPEG ends before its header does; it seems truncated, send it again, complete")
    found.adobe = adobe
    found.exif = exif
    found.complete = marker == _EOI and scans > 0
    return found


def _next_marker(data: bytes, at: int) -> tuple[int | None, int]:
    """The marker at ``at`` and the position after it; None at the end of the data."""
    if at >= len(data):
        return None, at
    if data[at] != 0xFF:
        # Decoders skip a few stray bytes between segments, so this does too.
        at = data.find(b"\xff", at)
        if at < 0:
            return None, len(data)
    while at < len(data) and data[at] == 0xFF:
        at += 1
    if at >= len(data):
        return None, at
    return data[at], at + 1
