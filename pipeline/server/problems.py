"""Errors as HTTP tells them: ``application/problem+json`` (RFC 9457) with our ``code`` and the request's id."""

from __future__ import annotations

import http
import logging
import math
import re
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from aiohttp import web

from pipeline.server.keys import REQUEST_ID, SETTINGS
from schemas.errors import InklaneError, InvalidRequest, MethodNotAllowed, NotFound, TooLarge
from schemas.plain import text_of

log = logging.getLogger("inklane.server")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

CONTENT_TYPE = "application/problem+json"
REQUEST_ID_HEADER = "X-Request-Id"

STATUS: dict[str, int] = {
    "malformed_body": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "cross_origin": 403,
    "not_found": 404,
    "file_missing": 404,
    "method_not_allowed": 405,
    "body_timeout": 408,
    "conflict": 409,
    "too_large": 413,
    "unsupported_format": 415,
    "wrong_host": 421,
    "invalid_request": 422,
    "damaged_file": 422,
    "password_required": 422,
    "too_many_pages": 422,
    "document_error": 422,
    "queue_full": 429,
    "rate_limited": 429,
    "quota_exceeded": 429,
    "cancelled": 503,
    "shutting_down": 503,
    "not_ready": 503,
    "worker_failed": 503,
    "model_error": 503,
    "backend_unavailable": 503,
    "deadline_exceeded": 504,
    "storage_full": 507,
}
"""HTTP status by error code; 500 for every other."""

_RETRY = (429, 503)
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def status_of(error: InklaneError) -> int:
    """The HTTP status of an error."""
    return STATUS.get(error.code, 500)


def problem(
    error: InklaneError, request_id: str, instance: str | None = None, *, status: int | None = None
) -> dict[str, Any]:
    """The problem document of an error: alone as a response, or among the results of several files.

    ``status`` is the HTTP status where it is not the one that the code usually has.
    """
    return {
        "type": f"urn:inklane:error:{error.code}",
        "title": title(error.code),
        "status": status_of(error) if status is None else status,
        "detail": text_of(error.message),
        "code": error.code,
        "instance": instance,
        "request_id": request_id,
    }


def title(code: str) -> str:
    """The code in words."""
    return code.replace("_", " ").capitalize()


def problem_response(error: InklaneError, request: web.Request, *, status: int | None = None) -> web.Response:
    """The response that tells an error; ``status`` as for :func:`problem`."""
    body = problem(error, request_id(request), request.path, status=status)
    response = web.Response(status=body["status"], body=orjson.dumps(body), content_type=CONTENT_TYPE)
    if body["status"] in _RETRY:
        seconds = error.retry_after_s or request.config_dict[SETTINGS].server.retry_after_s
        response.headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    if body["status"] == http.HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def request_id(request: web.Request) -> str:
    """The request's id: the client's own where it sent a usable one, else a new one."""
    known = request.get(REQUEST_ID)
    if known is None:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        known = given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        request[REQUEST_ID] = known
    return known


@web.middleware
async def problems_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn every error into a problem document. The outermost middleware."""
    request_id(request)
    try:
        return await handler(request)
    except InklaneError as error:
        if status_of(error) >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            log.warning("request %s: %s: %s", request_id(request), error.code, error.message)
        return problem_response(error, request)
    except web.HTTPException as error:
        if error.status < http.HTTPStatus.BAD_REQUEST:
            raise
        return _of_http(error, request)
    except ConnectionError:
        raise  # the client has gone; there is nobody to tell
    except Exception as error:
        log.exception("request %s failed", request_id(request))
        told = InklaneError(f"an unexpected {type(error).__name__}; report it with the request's id")
        return problem_response(told, request)


def _of_http(error: web.HTTPException, request: web.Request) -> web.Response:
    """An error that aiohttp raised itself."""
    if isinstance(error, web.HTTPMethodNotAllowed):
        allowed = ", ".join(sorted(error.allowed_methods))
        told: InklaneError = MethodNotAllowed(f"{error.method} is not possible here; {allowed} is")
        response = problem_response(told, request)
        response.headers["Allow"] = allowed
        return response
    if isinstance(error, web.HTTPNotFound):
        told = NotFound(f"there is nothing at {request.path}")
    elif isinstance(error, web.HTTPRequestEntityTooLarge):
        told = TooLarge("the body is larger than this address takes")
    else:
        told = InvalidRequest(error.reason)
    response = problem_response(told, request)
    if not isinstance(error, web.HTTPNotFound | web.HTTPRequestEntityTooLarge):
        response.set_status(error.status)
    return response


async def name_response(request: web.Request, response: web.StreamResponse) -> None:
    """Put the request's id on every response, streamed ones included (``on_response_prepare``)."""
    response.headers[REQUEST_ID_HEADER] = request_id(request)
