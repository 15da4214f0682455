"""JSON with files in it, taken apart as it arrives: a long string is a file in base64, and goes to disk.

The rest, with a short stand-in for each long string, is an ordinary JSON text of bounded size.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import orjson

from pipeline.server.base64_spool import Base64Spool
from pipeline.server.spool import Spool
from pipeline.server.uploads import Upload
from schemas.errors import MalformedBody, TooLarge

INLINE_BYTES = 2048
"""Longer strings are files."""

_DEPTH = 4
"""Files are looked for in lists and objects inside each other, so many deep."""

_MAX_REST = 2 * 2**20
_STRING_END = re.compile(rb'["\\]')


class JsonFiles:
    """Takes a body piece by piece. Call :meth:`finish` or :meth:`discard` in the end.

    Args:
        new_spool: makes the place of one more file.
        max_files: files, at most.
    """

    def __init__(self, new_spool: Callable[[], Spool], max_files: int) -> None:
        self._new_spool = new_spool
        self._max_files = max_files
        self._mark = secrets.token_hex(16)  # nobody can write a stand-in on their own
        self._rest = bytearray()
        self._in_string = False
        self._after_backslash = False
        self._string_at = 0
        self._file: Base64Spool | None = None
        self._files: dict[str, Spool] = {}
        self._uploads: list[Upload] = []

    async def feed(self, piece: bytes) -> None:
        """Add a piece.

        Raises:
            TooLarge: too much of something that is no file, or too many files.
        """
        at = 0
        while at < len(piece):
            if not self._in_string:
                quote = piece.find(b'"', at)
                end = quote + 1 if quote >= 0 else len(piece)
                self._rest += piece[at:end]
                self._in_string = quote >= 0
                self._string_at = len(self._rest)
                at = end
            else:
                at = await self._string(piece, at)
            if len(self._rest) > _MAX_REST:
                raise TooLarge("the JSON holds too much that is no file")

    def finish(self) -> Any:
        """The value. In the place of each long string stands its :class:`Spool`.

        Raises:
            MalformedBody: it is not JSON.
        """
        try:
            value = orjson.loads(self._rest)
        except orjson.JSONDecodeError as error:
            raise MalformedBody(f"the body is not JSON: {error.msg}") from None
        return self._with_files(value, _DEPTH)

    def new_file(self) -> Spool:
        """The place of one more file.

        Raises:
            TooLarge: there are too many.
        """
        if len(self._files) >= self._max_files:
            raise TooLarge(f"more than {self._max_files} files in one body (server.max_files); send fewer at once")
        spool = self._new_spool()
        self._files[f"{self._mark}{len(self._files)}"] = spool
        return spool

    async def spool(self, value: str | Spool) -> Spool:
        """The place of the file that a value stands for: a short string is decoded now.

        Raises:
            TooLarge: there are too many files.
        """
        if isinstance(value, Spool):
            return value
        short = Base64Spool(self.new_file(), escaped=False)
        await short.write(value.encode("utf-8", "replace"))
        await short.close()
        return short.spool

    async def upload(self, value: str | Spool, name: str) -> Upload:
        """The file that a value stands for.

        Raises:
            InklaneError: what is wrong with it.
        """
        upload = await (await self.spool(value)).finish(name)
        self._uploads.append(upload)
        return upload

    def discard(self) -> None:
        """Let go of all files, those of :meth:`upload` included. Idempotent."""
        for spool in self._files.values():
            spool.discard()
        for upload in self._uploads:
            upload.discard()

    async def _string(self, piece: bytes, at: int) -> int:
        """Take what belongs to the string; returns where it or the piece ends."""
        end, ended = at, False
        while end < len(piece):
            if self._after_backslash:
                self._after_backslash = False
                end += 1
                continue
            found = _STRING_END.search(piece, end)
            end = found.end() if found else len(piece)
            if found and found[0] == b'"':
                ended = True
                break
            self._after_backslash = found is not None
        content = piece[at : end - 1 if ended else end]
        if self._file is None and len(self._rest) - self._string_at + len(content) > INLINE_BYTES:
            self._file = Base64Spool(self.new_file(), escaped=True)
            content = bytes(self._rest[self._string_at :]) + content
            del self._rest[self._string_at :]
            self._rest += f"{self._mark}{len(self._files) - 1}".encode()
        if self._file is not None:
            await self._file.write(content)
        else:
            self._rest += content
        if ended:
            if self._file is not None:
                await self._file.close()
                self._file = None
            self._rest += b'"'
            self._in_string = False
        return end

    def _with_files(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self._files.get(value, value)
        if depth and isinstance(value, dict):
            return {name: self._with_files(item, depth - 1) for name, item in value.items()}
        if depth and isinstance(value, list):
            return [self._with_files(item, depth - 1) for item in value]
        return value
