"""Results of jobs, in the shape that they would have had at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.model import Job, JobFile, State
from pipeline.server.jobs.threads import in_thread
from pipeline.server.problems import problem, request_id
from schemas.errors import Conflict, InklaneError, NotFound, from_code

INLINE_BYTES = 4 * 2**20
"""Results together larger than this are not part of the job, but at their own address only."""

_JSON = "application/json"
_XML = "application/xml"
_HEADERS = {"Cache-Control": "no-store"}


async def inline_results(request: web.Request, job: Job, files: JobFiles) -> list[Any] | None:
    """Results and errors of a job's files, in their order, to put into its JSON.

    Returns:
        None where they are no text, too large, or just being deleted.
    """
    if not all(_is_text(file) for file in job.files):
        return None
    try:
        return await in_thread(_entries, request, job, files, INLINE_BYTES)
    except FileNotFoundError:
        return None


async def result_response(request: web.Request, job: Job, files: JobFiles, position: int | None) -> web.StreamResponse:
    """A job's result, or that of one of its files.

    Args:
        request: what is answered.
        job: whose.
        files: where results are.
        position: the file; None: all that was asked for.

    Raises:
        Conflict: it is not read yet.
        NotFound: there is no result and never will be.
        InklaneError: why the file could not be read.
    """
    if job.state is State.CANCELLED:
        raise NotFound("the job was cancelled and has no result")
    if position is not None or not job.many:
        return _single(job, job.files[position or 0], files)
    _check_ended(job.state)
    try:
        entries = await in_thread(_entries, request, job, files, None)
    except FileNotFoundError:
        raise NotFound("there is no such job, or its time is over") from None
    return web.Response(body=orjson.dumps({"results": entries}), content_type=_JSON, headers=_HEADERS)


def _single(job: Job, file: JobFile, files: JobFiles) -> web.StreamResponse:
    _check_ended(file.state)
    if file.code is not None:
        raise _error(file)
    headers = _HEADERS | {"Content-Type": file.content_type or _JSON}
    return web.FileResponse(files.result(job.id, file.position), headers=headers)


def _check_ended(state: State) -> None:
    if not state.ended:
        raise Conflict("this is not read yet: look at the job, or listen to its events")


def _entries(request: web.Request, job: Job, files: JobFiles, limit: int | None) -> list[Any] | None:
    """The files' entries, as the batch that would have been read at once has them; None: larger than the limit."""
    paths = {file.position: files.result(job.id, file.position) for file in job.files if file.state is State.DONE}
    if limit is not None and sum(path.stat().st_size for path in paths.values()) > limit:
        return None
    return [_entry(request, file, paths.get(file.position)) for file in job.files]


def _entry(request: web.Request, file: JobFile, path: Path | None) -> dict[str, Any]:
    if path is None:
        return {"file": file.name, "problem": problem(_error(file), request_id(request), request.path)}
    content = path.read_bytes()
    if file.content_type == _JSON:
        return {"file": file.name, "document": orjson.Fragment(content)}
    return {"file": file.name, "content_type": file.content_type, "content": content.decode()}


def _error(file: JobFile) -> InklaneError:
    return from_code(file.code or InklaneError.code, file.message or "")


def _is_text(file: JobFile) -> bool:
    return file.content_type is None or file.content_type == _JSON or file.content_type.startswith(("text/", _XML))
