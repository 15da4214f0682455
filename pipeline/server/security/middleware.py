"""What every request passes before its handler: host, origin, key, rate, quota."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from pipeline.server.keys import CALLER, CLOCK, SETTINGS
from pipeline.server.security.headers import allow_origin, preflight, protect
from pipeline.server.security.keys import ApiKey, KeyRing
from pipeline.server.security.limits import Rate, RateLimits
from pipeline.server.security.origin import comes_from_elsewhere, host_allowed, is_loopback
from pipeline.server.security.quotas import Quotas
from schemas.errors import CrossOrigin, Forbidden, RateLimited, SettingsError, Unauthorized, WrongHost
from schemas.server_settings import ServerSettings

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_KEY = web.RequestKey("api_key", ApiKey)
_RATE = web.RequestKey("rate", Rate)

_HEALTH = frozenset(["/health", "/v2/health/live", "/v2/health/ready"])
_METRICS = "/metrics"
_PAGES = frozenset(["/", "/docs", "/openapi.json", "/favicon.ico"])
_PAGE_FILES = "/static/"
_OPERATIONS = ("/v2/repository/models/", "/v1/models", "/v1/trace")
"""They change which models read, or show what the lanes do, with the names of documents."""

_INDEX = "/v2/repository/index"
"""A list, though it is asked for by POST."""


@dataclass(slots=True)
class Guard:
    """What decides over requests. Without ``ring`` no key is asked for."""

    settings: ServerSettings
    ring: KeyRing | None
    rates: RateLimits
    quotas: Quotas

    def identify(self, request: web.Request) -> ApiKey | None:
        """Whose request it is; None: keys are not asked for (here).

        Raises:
            Unauthorized: no key, or a wrong one.
        """
        if self.ring is None:
            return None
        given = _given_key(request.headers)
        if given is None:
            if self._is_open(request):
                return None
            raise Unauthorized("an API key is needed: send it as Authorization: Bearer KEY, or as X-API-Key: KEY")
        key = self.ring.find(given)
        if key is None:
            if self._is_open(request):
                return None
            raise Unauthorized("this API key is not known, or was revoked")
        return key

    def admit(self, request: web.Request, key: ApiKey) -> Rate | None:
        """Count a key's request.

        Raises:
            Forbidden: the key may not do this.
            RateLimited: too many.
            QuotaExceeded: it is about reading, and the key has had its pages.
        """
        rate = self.rates.take(key)
        if rate is not None:
            request[_RATE] = rate
            if not rate.allowed:
                error = RateLimited(f"this key may send {rate.limit} requests a minute; wait as Retry-After says")
                error.retry_after_s = rate.retry_s
                raise error
        if request.path.startswith(_OPERATIONS):
            if not key.admin:
                raise Forbidden("only keys made with --admin may watch and change which models read")
        elif request.method == "POST" and request.path != _INDEX:
            self.quotas.check(key)
        return rate

    def admit_unknown(self, request: web.Request) -> None:
        """Let a request pass that came without a key: where none is asked for, or nothing is at stake.

        Raises:
            Forbidden: it changes what others get, and they are on other computers.
        """
        if request.path.startswith(_OPERATIONS) and not is_loopback(self.settings.host):
            raise Forbidden(
                "without keys models are changed at 127.0.0.1 only: use --keys, and a key made with --admin"
            )

    def _is_open(self, request: web.Request) -> bool:
        """Whether an address can be asked without a key: it has nothing of anybody's documents."""
        if request.method not in ("GET", "HEAD"):
            return False
        path = request.path
        if path in _HEALTH:
            return self.settings.open_health
        if path == _METRICS:
            return self.settings.open_metrics
        return path in _PAGES or path.startswith(_PAGE_FILES)


GUARD = web.AppKey("guard", Guard)


def needs_keys(server: ServerSettings) -> bool:
    """Whether the address asks for API keys: any that other computers can reach."""
    return not is_loopback(server.host)


def setup(app: web.Application) -> None:
    """Make the guard out of the settings, and let responses carry its headers.

    Raises:
        SettingsError: the address needs keys and there are none, or the file of keys cannot be used.
    """
    server = app[SETTINGS].server
    clock = app[CLOCK]
    if server.keys_file is None and needs_keys(server) and not server.insecure:
        raise SettingsError(
            f"{server.host} can be reached from other computers: make a key (inklane keys add NAME) and name the file "
            "as server.keys_file, or listen at 127.0.0.1"
        )
    ring = None if server.keys_file is None else KeyRing(server.keys_file, clock=clock.monotonic)
    quotas = Quotas(server.data_folder / "quotas.json" if ring is not None else None, clock=clock.time)
    app[GUARD] = Guard(server, ring, RateLimits(clock.monotonic), quotas)
    app.on_startup.append(_start)
    app.on_cleanup.append(_stop)
    app.on_response_prepare.append(_add_headers)


@web.middleware
async def guard_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let a request pass, or refuse it before its body is read. Stands inside the one that tells errors."""
    guard = request.app[GUARD]
    if not host_allowed(request.headers.get("Host"), guard.settings.host, guard.settings.host_names):
        raise WrongHost("the Host header names another host; use the address that inklane serve printed")
    origins = guard.settings.origins
    if (answer := preflight(request.method, request.headers, origins)) is not None:
        return web.Response(status=204, headers=answer)
    if comes_from_elsewhere(request.method, request.headers, origins):
        raise CrossOrigin("a web page of another origin may not do this; the operator can allow it (cors_origins)")
    key = guard.identify(request)
    if key is not None:
        request[_KEY] = key
        request[CALLER] = key.id
        guard.admit(request, key)
    else:
        guard.admit_unknown(request)
    return await handler(request)


def _given_key(headers: Mapping[str, str]) -> str | None:
    """The key that a request carries, if any; ``Authorization`` goes first."""
    scheme, _, rest = headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip()
    return headers.get("X-API-Key")


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    protect(response.headers, request.path, response.content_type if "Content-Type" in response.headers else "")
    allow_origin(response.headers, request.headers.get("Origin"), request.config_dict[GUARD].settings.origins)
    rate = request.get(_RATE)
    if rate is not None:
        response.headers.update(rate.headers())


async def _start(app: web.Application) -> None:
    await app[GUARD].quotas.start()


async def _stop(app: web.Application) -> None:
    await app[GUARD].quotas.stop()
