"""Results of jobs, in the shape that they would have had at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.model import Job, JobFile, State
from pipeline.server.jobs.threads import in_thread
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.errors import Conflict, NotFound, from_code
from schemas.serialise import failure_to_json, to_json

INLINE_BYTES = 4 * 2**20
"""Results together larger than this are not part of the job, but at their own address only."""

_JSON = "application/json"
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


async def document_result(upload: Upload, document: Document, output: str) -> tuple[bytes, str]:
    """The JSON of a document, whatever output was asked for."""
    return await in_thread(to_json, document), _JSON


async def inline_results(job: Job, files: JobFiles) -> list[Any] | None:
    """Results and errors of a job's files, in their order, to put into its JSON.

    Returns:
        None where they are no JSON, too large, or just being deleted.
    """
    done = [file for file in job.files if file.state is State.DONE]
    if any(file.content_type != _JSON for file in done):
        return None
    try:
        texts = await in_thread(_read_small, [files.result(job.id, file.position) for file in done])
    except FileNotFoundError:
        return None
    if texts is None:
        return None
    known = dict(zip((file.position for file in done), texts, strict=True))
    return [orjson.Fragment(known.get(file.position) or _failure(file)) for file in job.files]


async def result_response(job: Job, files: JobFiles, position: int | None) -> web.StreamResponse:
    """A job's result, or that of one of its files.

    Args:
        job: whose.
        files: where results are.
        position: the file; None: the only one, or all.

    Raises:
        Conflict: the job has not ended.
        NotFound: there is no result and never will be.
        InklaneError: why the file cannot be read.
    """
    if job.state is State.CANCELLED:
        raise NotFound("the job was cancelled and has no result")
    if position is None and len(job.files) == 1:
        position = 0
    if position is not None:
        return _single(job, job.files[position], files)
    _check_ended(job.state)
    if any(file.content_type not in (_JSON, None) for file in job.files):
        raise Conflict("this job has several results that are not JSON: ask for each with ?file=, counted from 0")
    body = await in_thread(_joined, job, files)
    return web.Response(body=body, content_type=_JSON, headers=_HEADERS)


def _single(job: Job, file: JobFile, files: JobFiles) -> web.StreamResponse:
    _check_ended(file.state)
    if file.code is not None:
        raise from_code(file.code, file.message or "")
    headers = _HEADERS | {"Content-Type": file.content_type or _JSON}
    return web.FileResponse(files.result(job.id, file.position), headers=headers)


def _check_ended(state: State) -> None:
    if not state.ended:
        raise Conflict("this is not read yet; ask for the job, or listen to its events")


def _joined(job: Job, files: JobFiles) -> bytes:
    parts = []
    for file in job.files:
        if file.state is State.DONE:
            try:
                parts.append(files.result(job.id, file.position).read_bytes())
            except FileNotFoundError:
                raise NotFound("there is no such job, or its time is over") from None
        else:
            parts.append(_failure(file))
    return b'{"documents":[' + b",".join(parts) + b"]}"


def _read_small(paths: list[Path]) -> list[bytes] | None:
    if sum(path.stat().st_size for path in paths) > INLINE_BYTES:
        return None
    return [path.read_bytes() for path in paths]


def _failure(file: JobFile) -> bytes:
    return failure_to_json(file.name, from_code(file.code or "", file.message or ""))
