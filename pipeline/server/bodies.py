"""The files of a request, whichever way they were sent: raw bytes, ``multipart/form-data``, or JSON with base64."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from aiohttp import content_disposition_filename, parse_content_disposition, web
from aiohttp.helpers import parse_mimetype

from pipeline.server.body_parts import UNNAMED, Body, FormParts, take_json
from pipeline.server.body_stream import BodyLimits, body_stream
from pipeline.server.data_folder import DataFolder
from pipeline.server.json_files import JsonFiles
from pipeline.server.multipart import MultipartParser, PartEnd, PartStart, file_name
from pipeline.server.spool import Spool
from schemas.errors import MalformedBody, QueueFull
from schemas.settings import Settings

_JSON_START = b' \t\r\n{["-0123456789tfn'
_FEW = 16
"""Parts of a form beside the files: options."""


class Bodies:
    """Receives bodies, not too many at once.

    Args:
        settings: limits.
        folder: where large files are kept.
    """

    def __init__(self, settings: Settings, folder: DataFolder) -> None:
        self._server = settings.server
        self._limits = BodyLimits.of(settings.server)
        self._max_file_bytes = settings.limits.max_file_bytes
        self._folder = folder
        self.receiving = 0
        """Bodies on their way in."""

    def check(self, request: web.Request) -> None:
        """Refuse what would be refused before any of it is read.

        Raises:
            TooLarge: the body is, as it says itself.
            QueueFull: too many are being received.
        """
        self._limits.check_length(request)
        if self.receiving >= self._server.max_uploads:
            error = QueueFull(f"{self.receiving} uploads are being received, which is all there is room for; try again")
            error.retry_after_s = self._server.retry_after_s
            raise error

    @asynccontextmanager
    async def receive(self, request: web.Request) -> AsyncIterator[Body]:
        """The files of a request, which are gone when the context ends.

        Raises:
            InklaneError: the body is too large, too slow or malformed. A fault of one file is told in its place.
        """
        body = Body()
        try:
            with self._place(request):
                if request.content_type.startswith("multipart/"):
                    await self._form(request, body)
                else:
                    await self._json_or_raw(request, body)
            yield body
        finally:
            body.discard()

    @asynccontextmanager
    async def receive_json(self, request: web.Request) -> AsyncIterator[tuple[Any, JsonFiles]]:
        """A JSON body, and its files, which are gone when the context ends.

        In the place of every string long enough to be a file stands its :class:`Spool`; for either,
        ``await files.upload(value, name)`` gives the file.

        Raises:
            InklaneError: the body is too large, too slow, or no JSON.
        """
        files = self._json_files()
        try:
            with self._place(request):
                async for piece in body_stream(request, self._limits):
                    await files.feed(piece)
                value = files.finish()
            yield value, files
        finally:
            files.discard()

    @contextmanager
    def _place(self, request: web.Request) -> Iterator[None]:
        self.check(request)
        self.receiving += 1
        try:
            yield
        finally:
            self.receiving -= 1

    def _new_spool(self) -> Spool:
        return Spool(self._folder, self._server.spool_bytes, self._max_file_bytes)

    def _json_files(self) -> JsonFiles:
        return JsonFiles(self._new_spool, self._server.max_files)

    async def _json_or_raw(self, request: web.Request, body: Body) -> None:
        """JSON where it is called so, unless its first byte says that it is a picture all the same."""
        json = request.content_type == "application/json" or request.content_type.endswith("+json")
        stream = body_stream(request, self._limits)
        first = await anext(stream, b"")
        if json and first[:1] in _JSON_START:
            await self._json(first, stream, body)
        else:
            await self._raw(first, stream, body, _name_of(request))

    async def _json(self, first: bytes, stream: AsyncIterator[bytes], body: Body) -> None:
        if not first:
            raise MalformedBody('the body is empty; send {"file": "base64 of a file"}, or the file itself')
        files = self._json_files()
        try:
            await files.feed(first)
            async for piece in stream:
                await files.feed(piece)
            await take_json(files.finish(), files, body)
        finally:
            files.discard()

    async def _raw(self, first: bytes, stream: AsyncIterator[bytes], body: Body, name: str) -> None:
        spool = self._new_spool()
        try:
            await spool.write(first)
            async for piece in stream:
                await spool.write(piece)
                if spool.error is not None:  # the rest need not be waited for
                    break
            await body.add(spool, name)
        finally:
            spool.discard()

    async def _form(self, request: web.Request, body: Body) -> None:
        boundary = parse_mimetype(request.headers["Content-Type"]).parameters.get("boundary")
        parser = MultipartParser(boundary, self._server.max_files + _FEW)
        parts = FormParts(body, self._new_spool, self._server.max_files)
        try:
            async for piece in body_stream(request, self._limits):
                for event in parser.feed(piece):
                    if isinstance(event, PartStart):
                        parts.start(event)
                    elif isinstance(event, PartEnd):
                        await parts.end()
                    else:
                        await parts.write(event)
            parser.close()
            parts.finish()
        finally:
            parts.discard()


def _name_of(request: web.Request) -> str:
    """What the file is called whose bytes are the body."""
    _, parameters = parse_content_disposition(request.headers.get("Content-Disposition"))
    name = content_disposition_filename(parameters, "filename")
    return UNNAMED if not name else file_name(name)
