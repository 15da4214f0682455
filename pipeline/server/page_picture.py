"""A page of a document as a JPEG, for people to look at. Drawn in a process of its own.

The front end opens no documents: a hostile one may end or hold up the process that does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys

import orjson

from pipeline.server.uploads import Upload
from schemas.errors import DamagedFile, DeadlineExceeded, QueueFull, from_code
from schemas.settings import Settings

# As in the worker: modules are looked for where this process does, and -P keeps it from looking elsewhere before.
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pipeline.server.draw_page import main; main()"

_JPEG = b"\xff\xd8"


class PagePictures:
    """Draws pages, a few at a time.

    Args:
        settings: of these, the limits and the resolution.
        at_once: processes, at most.
        waiting: requests that wait for one, at most.
        timeout_s: after which a page is given up.
    """

    def __init__(self, settings: Settings, *, at_once: int = 2, waiting: int = 16, timeout_s: float = 30.0) -> None:
        self._settings = settings
        self._slots = asyncio.Semaphore(at_once)
        self._room = at_once + waiting
        self._inside = 0
        self._timeout_s = timeout_s

    async def draw(self, upload: Upload, page: int) -> bytes:
        """A page as it stands in the file, EXIF orientation and a PDF's rotation applied.

        Args:
            upload: the file.
            page: its number, from 1.

        Raises:
            QueueFull: too many pages are being drawn.
            DocumentError: the page cannot be drawn.
        """
        if self._inside >= self._room:
            raise QueueFull(f"{self._inside} pages are being drawn, which is all there is room for; try again")
        self._inside += 1
        try:
            async with self._slots:
                return await self._run(upload, page)
        finally:
            self._inside -= 1

    async def _run(self, upload: Upload, page: int) -> bytes:
        order = {
            "limits": self._settings.limits.model_dump(mode="json"),
            "dpi": self._settings.dpi,
            "page": page,
            "path": None if upload.path is None else str(upload.path),
            "name": upload.name,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-c",
            _BOOT,
            json.dumps([entry or os.getcwd() for entry in sys.path]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                out, _ = await process.communicate(orjson.dumps(order) + b"\n" + (upload.data or b""))
        except TimeoutError:
            raise DeadlineExceeded(f"drawing page {page} took over {self._timeout_s:g} s and was given up") from None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return _picture(out, page)


def _picture(answer: bytes, page: int) -> bytes:
    """The picture of an answer, taken apart with care: who opened a hostile file may say anything."""
    head, _, picture = answer.partition(b"\n")
    try:
        told = orjson.loads(head)
    except orjson.JSONDecodeError:
        told = None
    if isinstance(told, dict) and "code" in told:
        raise from_code(str(told["code"]), str(told.get("message", "")))
    if told is None or not picture.startswith(_JPEG):
        raise DamagedFile(f"page {page} cannot be drawn: the process that tried ended; make the file again")
    return picture
