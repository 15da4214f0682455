"""What a body holds, told from its form: files by form fields, or by keys of a JSON object; the rest are options."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeline.server.base64_spool import Base64Spool
from pipeline.server.json_files import JsonFiles
from pipeline.server.multipart import PartStart
from pipeline.server.spool import Spool
from pipeline.server.uploads import Upload
from schemas.errors import InklaneError, MalformedBody, TooLarge

UNNAMED = "document"
"""What a file is called that came without a name."""

_FILE_FIELDS = frozenset(["file", "files", "file[]", "files[]"])
_MAX_NAME = 255
_MAX_OPTION_BYTES = 4096
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(slots=True)
class Received:
    """One file of a request: an upload, or what is wrong with it."""

    name: str
    upload: Upload | None = None
    error: InklaneError | None = None


@dataclass(slots=True)
class Body:
    """What a request brought. ``many``: it was sent as several files, and wants a list back."""

    files: list[Received] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    many: bool = False

    async def add(self, spool: Spool, name: str) -> None:
        """A file is complete."""
        name = plain_name(name)
        try:
            self.files.append(Received(name, upload=await spool.finish(name)))
        except InklaneError as error:
            self.files.append(Received(name, error=error))

    def discard(self) -> None:
        """Forget the files. Idempotent."""
        for file in self.files:
            if file.upload is not None:
                file.upload.discard()


class FormParts:
    """Takes a form's parts as they come.

    Args:
        body: where they belong.
        new_spool: makes the place of a file.
        max_files: files, at most.
    """

    def __init__(self, body: Body, new_spool: Callable[[], Spool], max_files: int) -> None:
        self._body = body
        self._new_spool = new_spool
        self._max_files = max_files
        self._start: PartStart | None = None
        self._spool: Spool | None = None
        self._base64: Base64Spool | None = None
        self._option = bytearray()

    def start(self, start: PartStart) -> None:
        """A part begins.

        Raises:
            TooLarge: one file too many.
        """
        self._start = start
        self._option.clear()
        if start.filename is None and start.name not in _FILE_FIELDS:
            return
        if len(self._body.files) >= self._max_files:
            raise too_many_files(self._max_files)
        self._spool = self._new_spool()
        self._base64 = Base64Spool(self._spool, escaped=False) if start.base64 else None

    async def write(self, piece: bytes) -> None:
        """Some of the part's content.

        Raises:
            TooLarge: an option's.
        """
        if self._base64 is not None:
            await self._base64.write(piece)
        elif self._spool is not None:
            await self._spool.write(piece)
        else:
            self._option += piece
            if len(self._option) > _MAX_OPTION_BYTES:
                raise TooLarge('a field of the form is too long for an option; files go into fields called "file"')

    async def end(self) -> None:
        """The part is complete."""
        assert self._start is not None
        if self._base64 is not None:
            await self._base64.close()
        if self._spool is not None:
            await self._body.add(self._spool, self._start.filename or UNNAMED)
        else:
            self._body.options[self._start.name] = self._option.decode("utf-8", "replace")
        self._spool = self._base64 = None

    def finish(self) -> None:
        """The form is complete.

        Raises:
            MalformedBody: there is no file in it.
        """
        if not self._body.files:
            raise MalformedBody('there is no file in the form; send it in a field called "file"')
        self._body.many = len(self._body.files) > 1

    def discard(self) -> None:
        """Let go of the part that has begun, if any. Idempotent."""
        if self._spool is not None:
            self._spool.discard()


async def take_json(value: Any, files: JsonFiles, body: Body) -> None:
    """Take files and options out of ``{"file": …, "name": …}`` or ``{"files": [{"file": …, "name": …}, …]}``.

    Raises:
        MalformedBody: it is neither.
        TooLarge: too many files.
    """
    if not isinstance(value, dict) or ("file" in value) == ("files" in value):
        raise MalformedBody('the JSON must be {"file": "base64 of a file"} or {"files": [{"file": …, "name": …}]}')
    if "files" in value:
        entries = value.pop("files")
        if not isinstance(entries, list) or not entries:
            raise MalformedBody('"files" must be a list of {"file": "base64 of a file", "name": …}')
        body.many = True
    else:
        entries = [{name: value.pop(name) for name in ("file", "name") if name in value}]
    for entry in entries:
        entry = {"file": entry} if isinstance(entry, str | Spool) else entry
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str | Spool) or entry.keys() - _ENTRY:
            raise MalformedBody('each file must be {"file": "base64 of a file", "name": …}')
        name = entry.get("name", UNNAMED)
        if not isinstance(name, str):
            raise MalformedBody('"name" must be a short text')
        await body.add(await files.spool(entry["file"]), name)
    for name, option in value.items():
        body.options[name] = _option_text(name, option)


_ENTRY = {"file", "name"}


def too_many_files(max_files: int) -> TooLarge:
    """The error of a request with too many files."""
    return TooLarge(f"more than {max_files} files in one request (server.max_files); send fewer at once")


def plain_name(name: str) -> str:
    """A file's name as it is told: without control characters, and not endless."""
    return _CONTROL.sub("", name)[:_MAX_NAME] or UNNAMED


def _option_text(name: str, option: Any) -> str:
    """An option as a query would write it."""
    if isinstance(option, bool):
        return str(option).lower()
    if isinstance(option, int | float | str):
        return str(option)
    raise MalformedBody(f"{name[:80]!r} must be a text, a number, true or false")
