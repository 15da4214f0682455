"""What opens files that others made, done in a process of its own, which may die of them: no harm is done here.

The process gets its order on its standard input and answers on its standard output: a line of JSON, ``{"sizes": […]}``
and as many bytes of each result behind it, or an error's ``code`` and ``message``. It lives for one order.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson

from pipeline.outputs.kinds import kind_named
from schemas.document import Document
from schemas.errors import DeadlineExceeded, QueueFull, StageFailed, from_code
from schemas.settings import Limits

TIMEOUT_S = 120.0
"""So long may one order take."""

# As in the worker: modules are looked for where this process does, and -P keeps it from looking elsewhere before.
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pipeline.outputs.aside_main import main; main()"


def render_aside(
    document: Document,
    kind: str,
    source: Path | bytes | None = None,
    *,
    limits: Limits | None = None,
    timeout_s: float = TIMEOUT_S,
) -> tuple[bytes, str]:
    """Like :func:`pipeline.outputs.render`, in a process of its own. Blocks: call it in a thread.

    Raises:
        InvalidRequest: there is no such form, or the source is missing.
        DocumentError: the source cannot be read, or the process ended or took too long.
    """
    form = kind_named(kind)
    order = _order("render", document, form.name, source, limits=limits)
    with subprocess.Popen(
        _command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            answer, _ = process.communicate(order, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise _too_long(form.name, timeout_s) from None
        finally:
            process.kill()  # nothing, if it has ended
    return _results(answer, form.name)[0], form.content_type


class Aside:
    """The same for an event loop, and a bounded number at once. Cancelling ends the process.

    Args:
        at_once: processes, at most; further orders wait.
        timeout_s: seconds that one may take, without waiting.
        room: orders under way and waiting from which on :meth:`check` refuses more.
    """

    def __init__(self, at_once: int = 2, timeout_s: float = TIMEOUT_S, room: int = 32) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._timeout_s = timeout_s
        self._room = room
        self._inside = 0

    def check(self) -> None:
        """Refuse now what would wait long. Call it before the document is read, which is in vain otherwise.

        Raises:
            QueueFull: there is no room.
        """
        if self._inside >= self._room:
            raise QueueFull(f"{self._inside} outputs are being made, which is all there is room for; try again later")

    async def render(
        self, document: Document, kind: str, source: Path | bytes | None = None, *, limits: Limits | None = None
    ) -> tuple[bytes, str]:
        """See :func:`render_aside`."""
        form = kind_named(kind)
        results = await self._run(form.name, _order("render", document, form.name, source, limits=limits))
        return results[0], form.content_type

    async def page_pictures(
        self, document: Document, source: Path | bytes, *, limits: Limits, dpi: int
    ) -> list[tuple[bytes, bytes]]:
        """For each page that was read, two JPEGs: what was read drawn over it, and the page as it came.

        Both are empty where the page cannot be decoded any more.

        Raises:
            DocumentError: the source cannot be read, or the process ended or took too long.
        """
        results = await self._run("pictures", _order("page_pictures", document, source, limits=limits, dpi=dpi))
        return list(zip(results[::2], results[1::2], strict=True))

    async def _run(self, what: str, order: bytes) -> list[bytes]:
        self._inside += 1
        try:
            return await self._in_process(what, order)
        finally:
            self._inside -= 1

    async def _in_process(self, what: str, order: bytes) -> list[bytes]:
        async with self._places:
            process = await asyncio.create_subprocess_exec(
                *_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            try:
                async with asyncio.timeout(self._timeout_s):
                    answer, _ = await process.communicate(order)
            except TimeoutError:
                raise _too_long(what, self._timeout_s) from None
            finally:
                await _ended(process)
            return _results(answer, what)


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await process.wait()


def _command() -> list[str]:
    path = json.dumps([entry or os.getcwd() for entry in sys.path])
    return [sys.executable, "-P", "-c", _BOOT, path]


def _order(function: str, *arguments: Any, **named: Any) -> bytes:
    return pickle.dumps((function, arguments, named), pickle.HIGHEST_PROTOCOL)


def _results(answer: bytes, what: str) -> list[bytes]:
    """The results of an answer. It is taken apart with care: who opened a hostile file may say anything."""
    head, _, body = answer.partition(b"\n")
    try:
        told = orjson.loads(head)
    except orjson.JSONDecodeError:
        raise StageFailed(
            f"output {what} could not be made: the process that tried ended; make the file again, or ask for another"
        ) from None
    if "code" in told:
        raise from_code(str(told["code"]), str(told["message"]))
    results = []
    for size in told["sizes"]:
        results.append(body[:size])
        body = body[size:]
    return results


def _too_long(what: str, seconds: float) -> DeadlineExceeded:
    return DeadlineExceeded(f"making output {what} took over {seconds:g} s and was given up; send fewer pages at once")
