"""What every response says to browsers, and the answers to their questions before a request (CORS)."""

from __future__ import annotations

from collections.abc import Mapping

from multidict import CIMultiDict

_PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For the playground and the documentation: what is in the package and nothing else, no inline script or style."""

_DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For everything else: should a browser ever show it as a page, it can do nothing."""

_METHODS = "GET, POST, DELETE"
_REQUEST_HEADERS = (
    "Authorization, Content-Type, Idempotency-Key, Inklane-Webhook, Last-Event-ID, Prefer, traceparent, X-API-Key, "
    "X-Request-Id"
)
_RESPONSE_HEADERS = (
    "Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Server-Timing, traceparent, "
    "X-Request-Id"
)
_PREFLIGHT_SECONDS = 600
_OPEN_TO_CACHES = ("/static/",)


def protect(headers: CIMultiDict[str], path: str, content_type: str) -> None:
    """Add what a response has to say; what it says already is kept.

    Args:
        headers: the response's.
        path: the request's.
        content_type: the response's, without parameters.
    """
    headers["Server"] = "inklane"  # and not which versions of what
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("X-Frame-Options", "DENY")
    headers.setdefault("Referrer-Policy", "no-referrer")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Content-Security-Policy", _PAGE if content_type == "text/html" else _DATA)
    if not path.startswith(_OPEN_TO_CACHES):
        headers.setdefault("Cache-Control", "no-store")


def allow_origin(headers: CIMultiDict[str], origin: str | None, allowed: frozenset[str]) -> None:
    """Let a page of an allowed origin read the response."""
    if not allowed:
        return
    headers.add("Vary", "Origin")
    if origin in allowed and origin is not None:
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Expose-Headers"] = _RESPONSE_HEADERS
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"


def preflight(method: str, headers: Mapping[str, str], allowed: frozenset[str]) -> dict[str, str] | None:
    """The answer to a browser that asks whether a page may send a request; None: that is not what it asks."""
    if method != "OPTIONS" or "Access-Control-Request-Method" not in headers or headers.get("Origin") not in allowed:
        return None
    return {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _REQUEST_HEADERS,
        "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
    }
