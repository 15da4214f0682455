"""``POST /ocr`` and ``POST /layout-parsing`` as PaddleX serves them, so that its clients work here unchanged.

Errors have PaddleX's shape, too: 422 for whatever is wrong with the request or its file, 500 for faults of ours, and
429, 503 or 504 where the same request may succeed later.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import web

from pipeline.outputs.aside import Aside
from pipeline.server.json_files import JsonFiles
from pipeline.server.keys import BODIES, CALLER, CLOCK, SERVICE, SETTINGS
from pipeline.server.options import collect, parse
from pipeline.server.paddlex_results import data_info, layout_result, ocr_result
from pipeline.server.problems import request_id, status_of
from pipeline.server.server_timing import HEADER, server_timing
from pipeline.server.spool import Spool
from pipeline.server.uploads import Upload
from schemas.document import Document, Page
from schemas.errors import InklaneError, InvalidRequest, MalformedBody
from schemas.plain import text_of
from schemas.requests import ReadOptions
from stages.decode.sniff import HEAD_BYTES, Format, sniff

ASIDE = web.AppKey("paddlex_aside", Aside)

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_MAX_NAMED = 40
_PASSED_ON = (401, 403, 408, 429, 503, 504, 507)
_OURS = 500

_HONOURED = {"file", "fileType", "logId", "returnWordBox", "textRecScoreThresh", "visualize"}
_DONE_ANYWAY = {"useDocOrientationClassify": True, "useTextlineOrientation": True, "useDocUnwarping": False}
"""What is always so here: asking for it is no more than agreeing; asking for the contrary is in vain."""

Results = Callable[["_Asked", Document, list[tuple[bytes, bytes]]], dict[str, Any]]


@dataclass(slots=True, frozen=True)
class _Asked:
    """What the body asks for. ``ignored`` are parameters that have no meaning here."""

    log_id: str
    words: bool = False
    threshold: float = 0.0
    pictures: bool = True
    ignored: tuple[str, ...] = ()


def add_routes(app: web.Application) -> None:
    """Both addresses."""
    app[ASIDE] = Aside()
    app.router.add_post("/ocr", _handler(_ocr))
    app.router.add_post("/layout-parsing", _handler(_layout))


def _handler(results: Results) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await _read(request, results)
        except InklaneError as error:
            return _failure(request, error)

    return handle


async def _read(request: web.Request, results: Results) -> web.Response:
    started = request.app[CLOCK].monotonic()
    query = parse(collect(request.query.items()))
    request.app[SERVICE].check(query.priority)
    async with request.app[BODIES].receive_json(request) as (value, files):
        upload, asked = await _understood(request, value, files)
        if asked.pictures:
            request.app[ASIDE].check()
        options = ReadOptions(
            pages=query.read.pages,
            pages_from=query.read.pages_from,
            dpi=query.read.dpi,
            words=asked.words,
            doc_type="none",
        )
        milliseconds = query.deadline_ms or request.app[SETTINGS].server.default_deadline_ms
        deadline = started + milliseconds / 1000 if milliseconds else None
        document = await request.app[SERVICE].read(
            upload, options, priority=query.priority, deadline=deadline, key=request.get(CALLER)
        )
        pictures = await _pictures(request, upload, document, options) if asked.pictures else []
        result = results(asked, document, pictures)
        result["dataInfo"] = data_info(document.pages, pdf=_is_pdf(upload))
    body = {"logId": asked.log_id, "result": result, "errorCode": 0, "errorMsg": "Success"}
    response = web.Response(body=orjson.dumps(body), content_type="application/json")
    if asked.ignored:
        response.headers["X-Ignored-Params"] = ", ".join(asked.ignored)
    response.headers[HEADER] = server_timing([document], request.app[CLOCK].monotonic() - started)
    return response


async def _understood(request: web.Request, value: Any, files: JsonFiles) -> tuple[Upload, _Asked]:
    """The file and the parameters of a body.

    Raises:
        InvalidRequest: a parameter has a value that cannot be, or the file is an address.
        InklaneError: what is wrong with the file.
    """
    if not isinstance(value, dict):
        raise MalformedBody('the JSON must be an object: {"file": "base64 of a file", "fileType": 1}')
    file = value.get("file")
    if isinstance(file, str) and _ADDRESS.match(file):
        raise InvalidRequest('URLs are not fetched; send the file itself, base64-encoded, as "file"')
    if not isinstance(file, str | Spool) or file == "":
        raise InvalidRequest('"file" must be the base64 of an image or a PDF')
    if value.get("fileType") not in (None, 0, 1) or isinstance(value.get("fileType"), bool):
        raise InvalidRequest('"fileType" must be 0 (PDF), 1 (image) or left out')
    threshold = value.get("textRecScoreThresh")
    if threshold is None:
        threshold = 0.0
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not math.isfinite(threshold):
        raise InvalidRequest('"textRecScoreThresh" must be a number from 0 to 1')
    pictures = _truth(value, "visualize")
    asked = _Asked(
        log_id=_log_id(request, value.get("logId")),
        words=_truth(value, "returnWordBox") is True,
        threshold=float(threshold),
        pictures=pictures is not False,  # clients that say nothing save them without looking, as PaddleX's own example
        ignored=_ignored(value),
    )
    return await files.upload(file, "document"), asked


def _truth(value: dict[str, Any], name: str) -> bool | None:
    found = value.get(name)
    if found is None or isinstance(found, bool):
        return found
    raise InvalidRequest(f'"{name}" must be true, false or left out')


def _log_id(request: web.Request, given: Any) -> str:
    return given if isinstance(given, str) and _NAME.fullmatch(given) else request_id(request)


def _ignored(value: dict[str, Any]) -> tuple[str, ...]:
    """The names of parameters that are set to something, which has no effect; only such as a header can hold."""
    names = []
    for name, given in value.items():
        if name in _HONOURED or given is None or (name in _DONE_ANYWAY and given is _DONE_ANYWAY[name]):
            continue
        if _NAME.fullmatch(name):
            names.append(name)
    return tuple(names[:_MAX_NAMED])


async def _pictures(
    request: web.Request, upload: Upload, document: Document, options: ReadOptions
) -> list[tuple[bytes, bytes]]:
    settings = request.app[SETTINGS]
    return await request.app[ASIDE].page_pictures(
        document, upload.source, limits=settings.limits, dpi=options.dpi or settings.dpi
    )


def _is_pdf(upload: Upload) -> bool:
    if upload.path is None:
        return sniff((upload.data or b"")[:HEAD_BYTES]) is Format.PDF
    with upload.path.open("rb") as file:  # a kilobyte
        return sniff(file.read(HEAD_BYTES)) is Format.PDF


def _ocr(asked: _Asked, document: Document, pictures: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    results = []
    drawn = iter(pictures)
    for page in document.pages:
        entry: dict[str, Any] = {"prunedResult": ocr_result(page, threshold=asked.threshold, words=asked.words)}
        drawing, original = _pair(page, drawn)
        if drawing:
            entry |= {"ocrImage": _base64(drawing), "inputImage": _base64(original)}
        results.append(entry)
    return {"ocrResults": results}


def _layout(asked: _Asked, document: Document, pictures: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    results = []
    drawn = iter(pictures)
    for page in document.pages:
        entry = layout_result(page, threshold=asked.threshold, words=asked.words)
        drawing, original = _pair(page, drawn)
        if drawing:
            entry |= {"outputImages": {"ocr_res_img": _base64(drawing)}, "inputImage": _base64(original)}
        results.append(entry)
    return {"layoutParsingResults": results}


def _pair(page: Page, drawn: Any) -> tuple[bytes, bytes]:
    """The pictures of a page; there are none of pages that could not be read."""
    pair: tuple[bytes, bytes] = (b"", b"") if page.error is not None else next(drawn, (b"", b""))
    return pair


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _failure(request: web.Request, error: InklaneError) -> web.Response:
    status = status_of(error)
    if status not in _PASSED_ON:
        status = 422 if status < _OURS else _OURS
    body = {"logId": request_id(request), "errorCode": status, "errorMsg": f"{text_of(error.message)} [{error.code}]"}
    response = web.Response(status=status, body=orjson.dumps(body), content_type="application/json")
    if status in (429, 503):
        seconds = error.retry_after_s or request.app[SETTINGS].server.retry_after_s
        response.headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response
