"""Which addresses a webhook may go to.

Names are looked up when a connection is made, and only what was checked is used. So a name that points to a public
address while it is checked and to this network a moment later gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from schemas.errors import InvalidRequest

_LONGEST = 2000
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class AddressRefused(OSError):
    """A webhook's host is at an address that webhooks must not go to."""


@dataclass(slots=True, frozen=True)
class WebhookHosts:
    """Who may receive webhooks.

    ``named`` are hosts that the operator vouches for: by http or https, at whatever address. ``public`` allows all
    others by https, at addresses of the public internet.
    """

    named: frozenset[str] = frozenset()
    public: bool = False

    @classmethod
    def parse(cls, text: str) -> WebhookHosts:
        """From the setting: hosts with commas between; ``*`` stands for the public internet."""
        names = {part.strip().lower().strip("[]").rstrip(".") for part in text.split(",") if part.strip()}
        return cls(frozenset(names - {"*"}), "*" in names)

    def check(self, url: str) -> None:
        """Refuse a URL for what can be seen in it.

        Raises:
            InvalidRequest: it is none, or webhooks may not go there; says what may be.
        """
        parsed = _parse(url)
        host = _host(parsed)
        if host in self.named:
            return
        if not self.public:
            raise InvalidRequest(
                f"webhook: {host} is not among the hosts that webhooks may go to (server.webhook_hosts)"
            )
        if parsed.scheme != "https":
            raise InvalidRequest("webhook: the URL must begin with https://")
        address = _literal(host)
        if _is_number(host) and (address is None or not is_public(address)):
            raise InvalidRequest(f"webhook: {host} is not an address of the public internet")

    def allows(self, host: str, address: str) -> bool:
        """Whether a connection to a host may be made at this address."""
        host = host.lower().rstrip(".")
        if host in self.named:
            return True
        found = _literal(address)
        return self.public and found is not None and is_public(found)


class CheckedResolver(AbstractResolver):
    """Looks names up for connections that are made at once, and leaves out addresses that must not be used.

    Args:
        hosts: what may be.
        resolver: what looks up; None: the system.
    """

    def __init__(self, hosts: WebhookHosts, resolver: AbstractResolver | None = None) -> None:
        self._hosts = hosts
        self._resolver = resolver if resolver is not None else SystemResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The host's addresses that may be used.

        Raises:
            AddressRefused: there are none.
        """
        found = await self._resolver.resolve(host, port, family)
        allowed = [entry for entry in found if self._hosts.allows(host, entry["host"])]
        if not allowed:
            raise AddressRefused(f"{host} is not at an address of the public internet")
        return allowed

    async def close(self) -> None:
        """Release what looks up."""
        await self._resolver.close()


class SystemResolver(AbstractResolver):
    """The system's resolver, on threads of its own: names that take long hold up nothing but webhooks."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="webhook-names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """All of the host's addresses."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        """Leave the threads to what they are waiting for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: Address) -> bool:
    """Whether it is an address of the public internet, and so is every IPv4 address that it stands for."""
    return all(each.is_global and not each.is_multicast and not each.is_reserved for each in _meant(address))


def _meant(address: Address) -> Iterable[Address]:
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    if address in _NAT64:
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return
    yield address
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_number(host: str) -> bool:
    """Whether a connection is made to it without looking it up, as ``127.1`` is, too, which is 127.0.0.1."""
    return ":" in host or host.replace(".", "").isdigit()


def _parse(url: str) -> URL:
    """Taken apart by what will connect, too, so that both see the same host."""
    if not url or len(url) > _LONGEST or not url.isascii() or any(ord(c) <= 32 or c in '\\"<>\x7f' for c in url):
        raise InvalidRequest(f"webhook: give a URL of up to {_LONGEST} ASCII characters without spaces")
    try:
        parsed = URL(url)
        port = parsed.port
    except ValueError:
        raise InvalidRequest("webhook: this is not a URL") from None
    if parsed.scheme not in ("https", "http") or port == 0:
        raise InvalidRequest("webhook: the URL must begin with https://")
    if parsed.user is not None or parsed.password is not None:
        raise InvalidRequest("webhook: the URL must not hold a user name or password; the signature proves who sends")
    if parsed.fragment:
        raise InvalidRequest("webhook: the URL must not have a fragment (#...), which no server sees")
    return parsed


def _host(url: URL) -> str:
    host = (url.raw_host or "").lower().rstrip(".")
    if not host:
        raise InvalidRequest("webhook: the URL names no host")
    return host
