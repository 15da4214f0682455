"""``multipart/form-data`` (RFC 7578) taken apart as it arrives, with bounds on everything but the parts' content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from urllib.parse import unquote

from aiohttp import content_disposition_filename, parse_content_disposition

from schemas.errors import MalformedBody, TooLarge

_MAX_PREAMBLE = 16 * 2**10
_MAX_HEADERS = 16 * 2**10
_MAX_BOUNDARY = 200
_CRLF = b"\r\n"
_PADDING = re.compile(rb"[ \t]{0,80}")
_PADDING_SO_FAR = re.compile(rb"-?|[ \t]{0,80}\r?")
_ENCODED = re.compile("%[0-9A-Fa-f]{2}")


@dataclass(slots=True, frozen=True)
class PartStart:
    """A part begins. ``filename`` is None where it is no file; ``base64`` where its bytes are encoded so."""

    name: str
    filename: str | None
    base64: bool


@dataclass(slots=True, frozen=True)
class PartEnd:
    """The part that began last is complete."""


Event = PartStart | bytes | PartEnd


class _State(Enum):
    PREAMBLE = auto()
    DELIMITER = auto()
    HEADERS = auto()
    DATA = auto()
    EPILOGUE = auto()


class MultipartParser:
    """Turns pieces of a body into events: a ``PartStart``, the part's bytes in any number of pieces, a ``PartEnd``.

    Args:
        boundary: from the Content-Type.
        max_parts: parts, at most.

    Raises:
        MalformedBody: there is no usable boundary.
    """

    def __init__(self, boundary: str | None, max_parts: int) -> None:
        if not boundary or len(boundary) > _MAX_BOUNDARY or not boundary.isascii():
            raise MalformedBody("the Content-Type names no usable boundary; let the HTTP library set this header")
        self._delimiter = b"\r\n--" + boundary.encode()
        self._max_parts = max_parts
        self._parts = 0
        self._state = _State.PREAMBLE
        # The first delimiter need not follow a line's end; with one put before it, it looks like all others.
        self._buffer = bytearray(_CRLF)
        self._passed = 0

    def feed(self, piece: bytes) -> Iterator[Event]:
        """Take a piece of the body. Exhaust the result before the next piece.

        Raises:
            MalformedBody: it is not built as it should be.
            TooLarge: what comes before the first part, a part's headers, or the number of parts.
        """
        self._buffer += piece
        while True:
            state = self._state
            if state is _State.PREAMBLE:
                more = self._preamble()
            elif state is _State.DELIMITER:
                more = self._after_delimiter()
            elif state is _State.HEADERS:
                start = self._headers()
                more = start is not None
                if start is not None:
                    yield start
            elif state is _State.DATA:
                data, more = self._data()
                if data:
                    yield data
                if more:
                    yield PartEnd()
            else:
                self._buffer.clear()  # what stands behind the end is of no interest
                return
            if not more:
                return

    def close(self) -> None:
        """The body has ended.

        Raises:
            MalformedBody: too early.
        """
        if self._state is not _State.EPILOGUE:
            raise MalformedBody("the multipart body ends before its closing boundary; was the upload interrupted?")

    def _preamble(self) -> bool:
        found = self._buffer.find(self._delimiter)
        passed = found if found >= 0 else max(0, len(self._buffer) - len(self._delimiter) + 1)
        self._passed += passed
        if self._passed > _MAX_PREAMBLE:
            raise TooLarge("no boundary at the beginning of the multipart body; does the Content-Type name another?")
        del self._buffer[:passed]
        if found < 0:
            return False
        del self._buffer[: len(self._delimiter)]
        self._state = _State.DELIMITER
        return True

    def _after_delimiter(self) -> bool:
        if self._buffer.startswith(b"--"):
            self._state = _State.EPILOGUE
            return True
        end = self._buffer.find(_CRLF)
        line = bytes(self._buffer if end < 0 else self._buffer[:end])
        if not (_PADDING if end >= 0 else _PADDING_SO_FAR).fullmatch(line):
            raise MalformedBody("a boundary of the multipart body is followed by something on its line")
        if end < 0:
            return False
        del self._buffer[: end + len(_CRLF)]
        self._parts += 1
        if self._parts > self._max_parts:
            raise TooLarge(f"more than {self._max_parts} parts in one body (server.max_files); send fewer at once")
        self._state = _State.HEADERS
        return True

    def _headers(self) -> PartStart | None:
        if self._buffer.startswith(_CRLF):
            end, skip = 0, len(_CRLF)
        else:
            end, skip = self._buffer.find(_CRLF * 2), 2 * len(_CRLF)
        if max(end, len(self._buffer) if end < 0 else 0) > _MAX_HEADERS:
            raise TooLarge("the headers of a part of the multipart body are too long")
        if end < 0:
            return None
        start = _part_start(bytes(self._buffer[:end]))
        del self._buffer[: end + skip]
        self._state = _State.DATA
        return start

    def _data(self) -> tuple[bytes, bool]:
        found = self._buffer.find(self._delimiter)
        if found >= 0:
            data = bytes(self._buffer[:found])
            del self._buffer[: found + len(self._delimiter)]
            self._state = _State.DELIMITER
            return data, True
        # A delimiter may have begun at the end.
        keep = self._buffer.find(b"\r", max(0, len(self._buffer) - len(self._delimiter) + 1))
        end = keep if keep >= 0 else len(self._buffer)
        data = bytes(self._buffer[:end])
        del self._buffer[:end]
        return data, False


def _part_start(block: bytes) -> PartStart:
    headers = {}
    for line in block.decode("utf-8", "surrogateescape").split("\r\n"):
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    _, parameters = parse_content_disposition(headers.get("content-disposition"))
    name = content_disposition_filename(parameters, "name") or ""
    filename = content_disposition_filename(parameters, "filename")
    encoding = headers.get("content-transfer-encoding", "").lower()
    if encoding not in ("", "binary", "8bit", "7bit", "base64"):
        raise MalformedBody(f"a part of the multipart body is encoded as {encoding[:40]!r}; send plain bytes")
    return PartStart(name, None if filename is None else file_name(filename), encoding == "base64")


def file_name(text: str) -> str:
    """A file's name as people wrote it: some clients percent-encode what is not ASCII, and leave no sign of it."""
    if text.isascii() and _ENCODED.search(text):
        decoded = unquote(text, errors="surrogateescape")
        plain = not any("\udc80" <= character <= "\udcff" for character in decoded)
        if plain and (not decoded.isascii() or '"' in decoded):
            return decoded
    return text
