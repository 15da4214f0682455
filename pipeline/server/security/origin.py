"""Whether a browser was led here by a page that is none of ours.

A service on the loopback address asks for no key, but every web page that its user visits may send requests to it. Two
things stop that: the ``Host`` header must name this computer (a page whose own name was pointed at 127.0.0.1 sends
that name), and what changes something must not come from a page of another origin.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

_SAFE = frozenset(["GET", "HEAD", "OPTIONS"])
_ELSEWHERE = frozenset(["cross-site", "same-site"])


def is_loopback(host: str) -> bool:
    """Whether an address to listen at, or a host name, is this computer's own."""
    name = host.strip().strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def host_name(header: str) -> str:
    """The name in a ``Host`` header, without its port; empty where it is none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def host_allowed(header: str | None, listens_at: str, allowed: frozenset[str]) -> bool:
    """Whether a request may carry this ``Host`` header.

    Args:
        header: what it says; None: there is none (HTTP/1.0).
        listens_at: the address that the service listens at.
        allowed: further names. Where there are some, they are needed at any address.

    An IP address is as good as a right name: only names can be pointed elsewhere.
    """
    if not allowed and not is_loopback(listens_at):
        return True
    name = host_name(header or "")
    return name in allowed or is_loopback(name) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def comes_from_elsewhere(method: str, headers: Mapping[str, str], allowed_origins: frozenset[str]) -> bool:
    """Whether a browser sends this for a page of another origin, and it is more than looking.

    ``Origin`` is what pages cannot forge; requests of programs have none. ``Sec-Fetch-Site`` helps where it is absent.
    """
    if method in _SAFE:
        return False
    origin = headers.get("Origin")
    if origin is None:
        return headers.get("Sec-Fetch-Site") in _ELSEWHERE
    if origin in allowed_origins:
        return False
    try:
        page = urlsplit(origin)
    except ValueError:
        return True
    # The scheme is not looked at: behind a proxy that ends TLS, ours is not the browser's.
    return not page.netloc or page.netloc.lower() != headers.get("Host", "").lower()
