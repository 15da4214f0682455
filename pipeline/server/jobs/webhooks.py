"""Tells receivers that jobs have ended: signed, tried again with growing gaps, and never in the way of jobs."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson
from aiohttp.abc import AbstractResolver

from pipeline.server.jobs.addresses import AddressRefused, CheckedResolver, WebhookHosts
from pipeline.server.jobs.model import Job
from pipeline.server.jobs.outbox import Due, Outbox
from pipeline.server.jobs.runner import Clock
from pipeline.server.jobs.signature import secret_of, sign
from pipeline.server.jobs.store import JobStore
from schemas.errors import InvalidRequest

log = logging.getLogger("inklane.server.jobs")

AT_ONCE = 8
"""Webhooks being sent at the same time."""

LONGEST_WAIT_S = 3600.0
_AFTER_FAULT_S = 5.0


@dataclass(slots=True, frozen=True)
class WebhookPolicy:
    """To whom webhooks go, and how often it is tried. Without ``secret`` there are none."""

    secret: str | None = None
    hosts: WebhookHosts = field(default_factory=WebhookHosts)
    timeout_s: float = 10.0
    attempts: int = 6
    first_wait_s: float = 5.0

    def check(self, url: str) -> None:
        """Refuse what cannot be sent.

        Raises:
            InvalidRequest: says why.
        """
        if self.secret is None or not (self.hosts.named or self.hosts.public):
            raise InvalidRequest(
                "webhook: this service sends none; its operator can set server.webhook_secret and server.webhook_hosts"
            )
        self.hosts.check(url)

    def wait_s(self, tries: int, random_part: float) -> float | None:
        """Seconds until the next try after so many, of which a random half keeps receivers from being overrun.

        Args:
            tries: made so far.
            random_part: from 0 to 1.

        Returns:
            The seconds; None: no more tries.
        """
        if tries >= self.attempts:
            return None
        longest = min(LONGEST_WAIT_S, self.first_wait_s * 4 ** (tries - 1))
        return float(longest * (0.5 + random_part / 2))


class _Refused(Exception):
    """The receiver has not said yes. ``final``: and never will."""

    def __init__(self, problem: str, *, final: bool = False) -> None:
        super().__init__(problem)
        self.final = final


class Webhooks:
    """Sends what is due, from one task.

    Args:
        outbox: what is due.
        store: the jobs.
        policy: to whom, how often.
        describe: the body's description of a job.
        clock: the time.
        resolver: looks up hosts, before addresses are checked; None: the system.
        random_part: a random number from 0 to 1.
    """

    def __init__(
        self,
        outbox: Outbox,
        store: JobStore,
        policy: WebhookPolicy,
        describe: Callable[[Job], dict[str, Any]],
        clock: Clock,
        *,
        resolver: Callable[[], AbstractResolver] | None = None,
        random_part: Callable[[], float] = random.random,
        ssl: Any = True,
    ) -> None:
        self._outbox = outbox
        self._store = store
        self._policy = policy
        self._describe = describe
        self._clock = clock
        self._resolver = resolver
        self._random = random_part
        self._ssl = ssl
        self._wake = asyncio.Event()
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._session: aiohttp.ClientSession | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with what is due."""
        if self._policy.secret is not None and self._task is None:
            self._task = asyncio.create_task(self._run(), name="webhooks")

    async def stop(self) -> None:
        """Stop; what was being sent is sent again after the next start. Idempotent."""
        tasks = [*self._sending.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._session is not None:
            await self._session.close()

    def wake(self) -> None:
        """A job has ended."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                wait = await self._send_due()
            except Exception:
                log.exception("webhooks: the database does not answer")
                wait = _AFTER_FAULT_S
            try:
                async with asyncio.timeout(wait):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _send_due(self) -> float | None:
        """Start what is due as far as there is room; seconds until there is more, None: nothing is known of."""
        now = self._clock.time()
        for due in await self._outbox.due(now, AT_ONCE + len(self._sending)):
            if due.job_id in self._sending or len(self._sending) >= AT_ONCE:
                continue
            task = asyncio.create_task(self._send(due), name=f"webhook of {due.job_id}")
            self._sending[due.job_id] = task
            task.add_done_callback(lambda done, job_id=due.job_id: self._sent(job_id, done))  # type: ignore[misc]
        later = await self._outbox.next_due(now)
        return None if later is None else max(0.0, later - now)

    def _sent(self, job_id: str, task: asyncio.Task[None]) -> None:
        del self._sending[job_id]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:  # the database: what was sent will be sent again
            log.error("webhook of job %s: its outcome was not noted", job_id, exc_info=error)
            asyncio.get_running_loop().call_later(_AFTER_FAULT_S, self._wake.set)
        else:
            self._wake.set()

    async def _send(self, due: Due) -> None:
        job = await self._store.get(due.job_id)
        if job is None:
            return
        try:
            await self._post(due, orjson.dumps(self._describe(job)))
        except (_Refused, OSError, aiohttp.ClientError, InvalidRequest, ValueError) as error:
            final = isinstance(error, _Refused) and error.final
            wait = None if final else self._policy.wait_s(due.tries + 1, self._random())
            problem = _in_words(error)
            log.info("webhook of job %s, try %d: %s", due.job_id, due.tries + 1, problem)
            await self._outbox.failed(due.job_id, problem, None if wait is None else self._clock.time() + wait)
        else:
            await self._outbox.delivered(due.job_id)

    async def _post(self, due: Due, body: bytes) -> None:
        self._policy.check(due.url)  # once more: settings may have changed, and addresses are not resolved otherwise
        headers = sign(secret_of(self._policy.secret or "", due.owner), due.job_id, int(self._clock.time()), body)
        headers |= {"Content-Type": "application/json", "User-Agent": "inklane-webhook"}
        if self._session is None:
            self._session = self._make_session()
        posting = self._session.post(due.url, data=body, headers=headers, allow_redirects=False, ssl=self._ssl)
        async with posting as response:
            if response.status == 410:
                raise _Refused("the receiver is gone (410)", final=True)
            if not 200 <= response.status < 300:
                raise _Refused(f"the receiver answered {response.status}")

    def _make_session(self) -> aiohttp.ClientSession:
        resolver = CheckedResolver(self._policy.hosts, self._resolver() if self._resolver else None)
        # Every try looks the host up and connects anew: a connection kept open was checked for another moment.
        connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False, force_close=True, limit=AT_ONCE)
        return aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=self._policy.timeout_s),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
        )


def _in_words(error: BaseException) -> str:
    """What is told to the job's owner: nothing of where a name led inside this network."""
    if isinstance(error, AddressRefused) or isinstance(error.__cause__, AddressRefused):
        return "the host is not at an address that webhooks may go to"
    if isinstance(error, _Refused | InvalidRequest):
        return str(error)
    if isinstance(error, TimeoutError):
        return "the receiver did not answer in time"
    return f"the receiver could not be reached ({type(error).__name__})"
