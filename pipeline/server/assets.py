"""The files of the web pages, held in memory: each is sent compressed, and again only when it has changed."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources

from aiohttp import web

from schemas.errors import NotFound

_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
"""Nothing but our own files: what stands in a document can neither run nor be sent anywhere."""

SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(slots=True, frozen=True)
class Asset:
    """One file, plain and compressed."""

    content_type: str
    plain: bytes
    packed: bytes
    etag: str


class Assets:
    """The files of one package folder, read once.

    Args:
        package: where they are.
    """

    SUFFIXES = tuple(f".{suffix}" for suffix in _TYPES)

    def __init__(self, package: str = "pipeline.server.static") -> None:
        self._files: dict[str, Asset] = {}
        for entry in resources.files(package).iterdir():
            suffix = entry.name.rpartition(".")[2]
            if entry.is_file() and suffix in _TYPES:
                self._files[entry.name] = _asset(entry.read_bytes(), _TYPES[suffix])

    @property
    def names(self) -> list[str]:
        """All of them."""
        return sorted(self._files)

    def response(self, request: web.Request, name: str) -> web.Response:
        """A file as an answer; 304 where the browser has it.

        Raises:
            NotFound: there is no such file.
        """
        asset = self._files.get(name)
        if asset is None:
            raise NotFound(f"there is nothing at {request.path}")
        headers = {**SECURITY_HEADERS, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        headers["ETag"] = f'"{asset.etag}"'
        if any(tag.value in (asset.etag, "*") for tag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        body = asset.plain
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            body = asset.packed
            headers["Content-Encoding"] = "gzip"
        return web.Response(body=body, content_type=asset.content_type, charset="utf-8", headers=headers)


def _asset(plain: bytes, content_type: str) -> Asset:
    return Asset(content_type, plain, gzip.compress(plain, 9, mtime=0), hashlib.sha256(plain).hexdigest()[:20])
