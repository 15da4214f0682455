"""The server's life: bound, started, ready, told to stop, ended."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from pipeline.server.app import make_app
from pipeline.server.hot import OPERATIONS
from pipeline.server.keys import SERVICE, SETTINGS
from pipeline.server.service import ServiceReader
from schemas.errors import InklaneError, SettingsError
from schemas.settings import Settings

log = logging.getLogger("inklane.server")

_BACKLOG = 1024
_LINGER_S = 2.0
"""Seconds that the rest of a refused body is listened to, so that its sender gets to read the answer."""
_CLOSE_READER_S = 10.0
_CANCEL_S = 2.0
_WATCH_S = 1.0


@dataclass(slots=True, frozen=True)
class OpenedReader:
    """A warm reader, and how to end it within so many seconds."""

    reader: ServiceReader
    close: Callable[[float], None]


def serve(
    settings: Settings,
    open_reader: Callable[[], OpenedReader],
    announce: Callable[[str, float], None],
    model_names: Callable[[], Mapping[str, str | None]] = dict,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish what is running within ``server.shutdown_s``.

    A second signal ends it at once. SIGHUP loads the models anew while reading goes on; where it says that the
    terminal is gone in which this was started, it is like SIGTERM.

    Args:
        settings: all settings.
        open_reader: makes the reader, which may take a while; called in a thread.
        announce: called with the address and the seconds it took, once documents are taken.
        model_names: tells at SIGHUP which models are wanted now, by stage; called in a thread.

    Raises:
        InklaneError: the address cannot be used, or the reader cannot be started or kept running.
    """
    app = make_app(settings, None)  # which refuses an address that needs keys and has none, before it is listened at
    listener = listen(settings.server.host, settings.server.port)
    with contextlib.closing(listener), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(app, listener, open_reader, announce, model_names))


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at the address.

    Raises:
        SettingsError: it cannot; why.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except socket.gaierror as error:
        raise SettingsError(f"server.host: {host!r} is no address of this computer: {error.strerror}") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"port {port} of {host} is in use; end the other program, or choose another port (--port)"
        elif error.errno == errno.EACCES:
            reason = f"port {port} is not for ordinary users; choose one from 1024 (--port)"
        elif error.errno == errno.EADDRNOTAVAIL:
            reason = f"{host} is no address of this computer"
        else:
            reason = f"cannot listen at {host}, port {port}: {error.strerror}"
        raise SettingsError(f"server: {reason}") from error


def url_of(listener: socket.socket) -> str:
    """The address to call."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _serve(
    app: web.Application,
    listener: socket.socket,
    open_reader: Callable[[], OpenedReader],
    announce: Callable[[str, float], None],
    model_names: Callable[[], Mapping[str, str | None]],
) -> None:
    started = time.monotonic()
    signals = _Signals()
    shutdown_s = app[SETTINGS].server.shutdown_s
    runner = web.AppRunner(
        app,
        handler_cancellation=True,  # a client that goes away takes its documents along
        access_log=None,
        lingering_time=_LINGER_S,
        shutdown_timeout=shutdown_s,
    )
    opening = _Opening(open_reader)
    opened: OpenedReader | None = None
    try:
        await runner.setup()
        await web.SockSite(runner, listener).start()
        opening.start()
        if await _first(opening.done, signals.stop):
            opened = opening.done.result()
            app[SERVICE].attach(opened.reader)
            signals.on_reload = lambda: app[OPERATIONS].reload(model_names)
            announce(url_of(listener), time.monotonic() - started)
            await _watch(opened.reader, signals.stop)
            log.info("stopping: finishing what is running within %g s", shutdown_s)
    finally:
        app[SERVICE].stop()
        await _end(runner, signals)
        opened = opened or opening.result()
        if opened is not None:
            limit = 0.0 if signals.at_once.is_set() else _CLOSE_READER_S
            await asyncio.to_thread(opened.close, limit)
        signals.close()


async def _end(runner: web.AppRunner, signals: _Signals) -> None:
    """Take no more connections, finish what is running; at a second signal only clean up."""
    ending = asyncio.create_task(runner.cleanup())
    await _first(ending, signals.at_once)
    if not ending.done():
        ending.cancel()
        await asyncio.wait([ending], timeout=_CANCEL_S)
    if ending.done() and not ending.cancelled() and (error := ending.exception()) is not None:
        log.error("the server did not end in order", exc_info=error)


async def _first(work: asyncio.Future[Any], event: asyncio.Event) -> bool:
    """Wait for the work or the event; whether the work is done."""
    waiting = asyncio.ensure_future(event.wait())
    either: list[asyncio.Future[Any]] = [work, waiting]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    return work.done()


async def _watch(reader: ServiceReader, stop: asyncio.Event) -> None:
    """Wait for the signal.

    Raises:
        InklaneError: before it the reader has failed for good; whoever started this process may start it again.
    """
    while not stop.is_set():
        failure = getattr(reader, "failure", None)
        if isinstance(failure, InklaneError):
            raise failure
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _WATCH_S)


class _Signals:
    """The first signal asks to stop, the second one to stop at once; SIGHUP asks for ``on_reload``."""

    _NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.at_once = asyncio.Event()
        self.on_reload = _nothing_to_reload
        self._terminals = [number for number in range(3) if os.isatty(number)]
        self._loop = asyncio.get_running_loop()
        for number in self._NUMBERS:
            self._loop.add_signal_handler(number, self._on_hangup if number == signal.SIGHUP else self._on_signal)

    def _on_signal(self) -> None:
        (self.at_once if self.stop.is_set() else self.stop).set()

    def _on_hangup(self) -> None:
        if self._terminals and not any(map(os.isatty, self._terminals)):
            self._on_signal()  # it was closed, and nobody would find this process again
        elif not self.stop.is_set():
            self.on_reload()

    def close(self) -> None:
        for number in self._NUMBERS:
            self._loop.remove_signal_handler(number)


def _nothing_to_reload() -> None:
    log.info("the models are being loaded already")


class _Opening:
    """Makes the reader in a thread that does not keep the process from ending."""

    def __init__(self, open_reader: Callable[[], OpenedReader]) -> None:
        self._open_reader = open_reader
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[OpenedReader] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="open-reader", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def result(self) -> OpenedReader | None:
        """The reader, if it was made."""
        if self.done.done() and not self.done.cancelled() and self.done.exception() is None:
            return self.done.result()
        return None

    def _run(self) -> None:
        try:
            opened = self._open_reader()
        except BaseException as error:
            self._tell(error)
        else:
            self._tell(opened)

    def _tell(self, outcome: OpenedReader | BaseException) -> None:
        def settle() -> None:
            if isinstance(outcome, BaseException):
                self.done.set_exception(outcome)
            else:
                self.done.set_result(outcome)

        try:
            self._loop.call_soon_threadsafe(settle)
        except RuntimeError:  # the loop is closed: it was told to stop while it started
            if isinstance(outcome, OpenedReader):
                outcome.close(0.0)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster one, where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
