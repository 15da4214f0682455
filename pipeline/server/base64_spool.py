"""Base64 inside a JSON string, decoded piece by piece into a file."""

from __future__ import annotations

import binascii
import re

from pipeline.server.spool import Spool
from schemas.errors import MalformedBody

_DATA_URL = re.compile(rb"data:[^,]{0,200};base64,", re.IGNORECASE)
_DATA_URL_BYTES = 256
_ESCAPE = re.compile(rb"\\(?:u00([0-9A-Fa-f]{2})|([\"\\/bfnrt]))")
_ESCAPED = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_LONGEST_ESCAPE = 6
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_SPACE = b" \t\r\n"
_QUARTET = 4


class Base64Spool:
    """Takes the raw content of a JSON string. What is not base64 is a fault of this file alone.

    Both alphabets are taken, padding may be missing, a ``data:`` prefix and line ends are passed over, and characters
    may be escaped: some JSON libraries write ``+`` and ``/`` so.

    Args:
        spool: where the bytes go.
        escaped: whether it is the raw content of a JSON string; else plain base64.
    """

    def __init__(self, spool: Spool, *, escaped: bool) -> None:
        self.spool = spool
        self._escaped = escaped
        self._raw = b""  # an escape may be cut in two
        self._rest = b""  # a quartet, too
        self._started = False
        self._ended = False

    async def write(self, piece: bytes) -> None:
        """Add a piece."""
        if self.spool.error is None:
            await self._decode(self._unescape(piece, last=False), last=False)

    async def close(self) -> None:
        """The string has ended."""
        if self.spool.error is None:
            await self._decode(self._unescape(b"", last=True), last=True)

    def _unescape(self, piece: bytes, *, last: bool) -> bytes:
        piece = self._raw + piece
        self._raw = b""
        if not self._escaped:
            return piece
        cut = piece.rfind(b"\\", max(0, len(piece) - _LONGEST_ESCAPE + 1))
        if cut >= 0 and not last and not _ESCAPE.match(piece, cut):
            piece, self._raw = piece[:cut], piece[cut:]
        if b"\\" not in piece:
            return piece
        return _ESCAPE.sub(lambda m: bytes.fromhex(m[1].decode()) if m[1] else _ESCAPED.get(m[2], m[2]), piece)

    async def _decode(self, text: bytes, *, last: bool) -> None:
        text = self._rest + text
        if not self._started:
            if len(text) < _DATA_URL_BYTES and not last:
                self._rest = text
                return
            self._started = True
            if prefix := _DATA_URL.match(text):
                text = text[prefix.end() :]
        text = text.translate(_URL_SAFE, _SPACE)
        whole = len(text) if last else len(text) - len(text) % _QUARTET
        text, self._rest = text[:whole], text[whole:]
        if not text:
            return
        if last and b"=" not in text[-2:]:
            text += b"=" * (-len(text) % _QUARTET)
        try:
            if self._ended:
                raise binascii.Error("data after the padding")
            self._ended = text.endswith(b"=")
            await self.spool.write(binascii.a2b_base64(text, strict_mode=True))
        except binascii.Error as error:
            self.spool.fail(MalformedBody(f"the file is not base64: {str(error).lower()}"))
