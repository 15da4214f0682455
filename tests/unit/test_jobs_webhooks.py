"""Webhooks: where they may go, how they are signed, and that they are tried again."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.test_utils import TestServer

from pipeline.server.jobs.addresses import AddressRefused, CheckedResolver, SystemResolver, WebhookHosts
from pipeline.server.jobs.jobs import Jobs
from pipeline.server.jobs.signature import TOLERANCE_S, secret_of, sign, verify
from pipeline.server.jobs.webhooks import LONGEST_WAIT_S, WebhookPolicy
from schemas.errors import InvalidRequest
from schemas.requests import ReadOptions
from tests.factories.jobs import PATIENCE, FakeClock, FakeService, make_jobs, until_ended, upload

ROOT = Path(__file__).resolve().parent.parent.parent
MASTER = "the operator's secret"

# --- where to --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::1]/",
        "https://[::]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[ff02::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::127.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[2002:7f00:1::]/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "//example.com/",
        "example.com",
        "",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://example.com\\@127.0.0.1/",
        "https://example.com/a b",
        "https://example.com/#fragment",
        "https://example.com:0/",
        "https://example.com:99999/",
        "https://exämple.com/",
        "https://example.com/" + "x" * 2000,
    ],
)
def test_urls_that_are_refused(url: str) -> None:
    with pytest.raises(InvalidRequest, match="webhook:"):
        WebhookHosts.parse("*").check(url)


@pytest.mark.parametrize(
    "url",
    ["https://example.com", "https://example.com:8443/a?b=c", "https://8.8.8.8/", "https://[2606:4700::1111]/x"],
)
def test_urls_of_the_public_internet_are_allowed(url: str) -> None:
    WebhookHosts.parse("*").check(url)


def test_named_hosts_may_be_private_and_without_tls() -> None:
    hosts = WebhookHosts.parse(" Receiver.internal. , 10.0.0.7, ::1 ")
    for url in (
        "http://receiver.internal/x",
        "https://RECEIVER.internal.:8443/",
        "http://10.0.0.7:81/",
        "http://[::1]/",
    ):
        hosts.check(url)
    for url in ("https://example.com/", "http://receiver.internal.example.com/", "http://10.0.0.8/"):
        with pytest.raises(InvalidRequest, match="not among the hosts"):
            hosts.check(url)
    assert hosts.allows("receiver.internal", "10.9.9.9")
    assert not hosts.allows("example.com", "93.184.216.34")


def test_without_a_secret_or_hosts_there_are_none() -> None:
    for policy in (WebhookPolicy(hosts=WebhookHosts.parse("*")), WebhookPolicy(secret=MASTER)):
        with pytest.raises(InvalidRequest, match=r"server\.webhook_secret"):
            policy.check("https://example.com/")


class Names(AbstractResolver):
    """Answers from a list: one entry per question, the last one for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            ResolveResult(hostname=host, host=each, port=port, family=socket.AF_INET, proto=0, flags=0)
            for each in answer
        ]

    async def close(self) -> None:
        pass


async def test_only_public_ones_of_a_names_addresses_are_used() -> None:
    names = Names(["10.0.0.1", "8.8.8.8", "127.0.0.1"], ["169.254.169.254"])
    resolver = CheckedResolver(WebhookHosts.parse("*"), names)
    assert [entry["host"] for entry in await resolver.resolve("example.com", 443)] == ["8.8.8.8"]
    with pytest.raises(AddressRefused):
        await resolver.resolve("example.com", 443)


async def test_the_system_knows_this_computer_and_is_not_believed() -> None:
    resolver = CheckedResolver(WebhookHosts.parse("*"), SystemResolver())
    for name in ("localhost", "0x7f.1"):
        with pytest.raises(AddressRefused):
            await resolver.resolve(name, 443, socket.AF_UNSPEC)
    await resolver.close()


# --- signatures ------------------------------------------------------------------------------------------------


def test_a_signature_is_that_of_the_specification() -> None:
    # The example that the Standard Webhooks specification's libraries test themselves with.
    headers = sign(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_only_what_was_signed_is_genuine() -> None:
    secret = secret_of(MASTER, "k1")
    headers = sign(secret, "job_1", 1000, b"body")
    assert verify(secret, headers, b"body", 1000 + TOLERANCE_S)
    assert verify(secret, headers | {"webhook-signature": f"v1,AAAA {headers['webhook-signature']}"}, b"body", 1000)
    assert not verify(secret, headers, b"body", 1001 + TOLERANCE_S)
    assert not verify(secret, headers, b"body", 999 - TOLERANCE_S)
    assert not verify(secret, headers, b"other", 1000)
    assert not verify(secret, headers | {"webhook-id": "job_2"}, b"body", 1000)
    assert not verify(secret, headers | {"webhook-timestamp": "1001"}, b"body", 1000)
    assert not verify(secret, headers | {"webhook-timestamp": "²"}, b"body", 1000)
    assert not verify(secret_of(MASTER, "k2"), headers, b"body", 1000)
    assert not verify(secret_of("another", "k1"), headers, b"body", 1000)
    assert not verify(secret, {}, b"body", 1000)


def test_the_documented_receiver_believes_us_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs/jobs.md").read_text()
    code = text[text.index("```python\n") + len("```python\n") :].split("```")[0]
    known: dict[str, Any] = {}
    exec(compile(code, "docs/jobs.md", "exec"), known)
    secret = secret_of(MASTER, "k1")
    monkeypatch.setattr(time, "time", lambda: 1100.0)
    headers = sign(secret, "job_1", 1000, b"body")
    assert known["is_genuine"](secret, headers, b"body")
    assert not known["is_genuine"](secret, headers, b"other")
    assert not known["is_genuine"](secret_of(MASTER, "k2"), headers, b"body")
    assert not known["is_genuine"](secret, sign(secret, "job_1", 700, b"body"), b"body")


def test_waits_grow_up_to_an_hour_and_end() -> None:
    policy = WebhookPolicy(attempts=8)
    assert [policy.wait_s(tries, 1.0) for tries in range(1, 9)] == [5, 20, 80, 320, 1280, *[LONGEST_WAIT_S] * 2, None]
    assert policy.wait_s(3, 0.0) == 40


# --- delivery --------------------------------------------------------------------------------------------------


@dataclass
class Receiver:
    """Answers each webhook as the test says; ``answers`` are statuses, the last one for ever."""

    answers: list[int] = field(default_factory=lambda: [200])
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0
    came: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        status = self.answers[min(len(self.got), len(self.answers) - 1)]
        async with self.came:
            self.got.append(({name.lower(): value for name, value in request.headers.items()}, body))
            self.came.notify_all()
        return web.Response(status=status, headers={"Location": f"http://127.0.0.1:{self.port}/hook"})

    async def until(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE), self.came:
            await self.came.wait_for(lambda: len(self.got) >= count)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()
    app = web.Application()
    app.router.add_post("/hook", made.handle)
    server = TestServer(app)
    await server.start_server()
    assert server.port is not None
    made.port = server.port
    yield made
    await server.close()


Start = Callable[..., Awaitable[Jobs]]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest_asyncio.fixture
async def start(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Start]:
    made: list[Jobs] = []

    async def make(**options: Any) -> Jobs:
        policy = WebhookPolicy(**{"secret": MASTER, "hosts": WebhookHosts.parse("127.0.0.1"), **options})
        made.append(make_jobs(tmp_path / "data", FakeService(), clock, webhooks=policy))
        await made[-1].start()
        return made[-1]

    yield make
    for jobs in made:
        await jobs.stop()


async def until_webhook(jobs: Jobs, job_id: str, state: str, tries: int) -> str | None:
    """Wait until a webhook is noted so; what the problem was."""
    async with asyncio.timeout(PATIENCE):
        while True:
            hook = (await jobs.find(job_id)).webhook
            assert hook is not None
            if (hook.state, hook.tries) == (state, tries):
                return hook.problem
            await asyncio.sleep(0)


async def test_the_end_of_a_job_is_told(start: Start, receiver: Receiver, clock: FakeClock) -> None:
    jobs = await start()
    job = await jobs.accept([upload("a")], ReadOptions(), owner="k1", webhook=receiver.url)
    await until_webhook(jobs, job.id, "delivered", 1)
    ((headers, body),) = receiver.got
    assert verify(secret_of(MASTER, "k1"), headers, body, clock.now)
    assert headers["webhook-id"] == job.id
    told = orjson.loads(body)
    assert (told["id"], told["state"], told["result"]) == (job.id, "done", f"/v1/jobs/{job.id}/result")
    assert "results" not in told


async def test_a_cancelled_job_is_told_too(start: Start, receiver: Receiver) -> None:
    jobs = await start()
    job = await jobs.accept([upload("hang")], ReadOptions(), webhook=receiver.url)
    await jobs.delete(job.id)
    await receiver.until(1)
    assert orjson.loads(receiver.got[0][1])["state"] == "cancelled"


async def test_it_is_tried_again_later_and_then_given_up(start: Start, receiver: Receiver, clock: FakeClock) -> None:
    receiver.answers = [500, 302, 503]
    jobs = await start(attempts=3)
    job = await jobs.accept([upload("a")], ReadOptions(), webhook=receiver.url)
    assert await until_webhook(jobs, job.id, "pending", 1) == "the receiver answered 500"
    jobs.webhooks.wake()  # nothing is due yet
    for tries, state, problem in ((2, "pending", "answered 302"), (3, "given_up", "answered 503")):
        clock.now += 2000
        jobs.webhooks.wake()
        assert problem in str(await until_webhook(jobs, job.id, state, tries))
    clock.now += 20_000
    jobs.webhooks.wake()
    assert await jobs.webhooks._outbox.due(clock.now, 10) == []
    assert len(receiver.got) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


async def test_it_is_sent_after_a_restart(start: Start, receiver: Receiver, clock: FakeClock) -> None:
    receiver.answers = [500, 200]
    jobs = await start()
    job = await jobs.accept([upload("a")], ReadOptions(), webhook=receiver.url)
    await until_webhook(jobs, job.id, "pending", 1)
    await jobs.stop()
    clock.now += 10
    jobs = await start()
    await until_webhook(jobs, job.id, "delivered", 2)


async def test_a_receiver_that_is_gone_is_asked_once(start: Start, receiver: Receiver) -> None:
    receiver.answers = [410]
    jobs = await start()
    job = await jobs.accept([upload("a")], ReadOptions(), webhook=receiver.url)
    assert "410" in str(await until_webhook(jobs, job.id, "given_up", 1))


async def test_a_receiver_that_does_not_listen(start: Start, receiver: Receiver) -> None:
    jobs = await start(attempts=1)
    with socket.socket() as taken:  # bound, and nobody accepts
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/hook"
        job = await jobs.accept([upload("a")], ReadOptions(), webhook=url)
        problem = str(await until_webhook(jobs, job.id, "given_up", 1))
    assert "could not be reached" in problem
    assert "127.0.0.1" not in problem


async def test_a_name_that_turns_to_this_network_reaches_nobody(
    start: Start, receiver: Receiver, clock: FakeClock
) -> None:
    jobs = await start(hosts=WebhookHosts.parse("*"), attempts=1)
    names = Names(["127.0.0.1"])
    jobs.webhooks._resolver = lambda: names
    url = f"https://example.com:{receiver.port}/hook"
    job = await jobs.accept([upload("a")], ReadOptions(), webhook=url)
    problem = await until_webhook(jobs, job.id, "given_up", 1)
    assert problem == "the host is not at an address that webhooks may go to"
    assert (names.asked, receiver.got) == (1, [])


async def test_settings_that_have_become_stricter_hold_for_what_was_accepted(start: Start, receiver: Receiver) -> None:
    receiver.answers = [500]
    jobs = await start()
    job = await jobs.accept([upload("a")], ReadOptions(), webhook=receiver.url)
    await until_webhook(jobs, job.id, "pending", 1)
    await jobs._database.write(lambda connection: connection.execute("UPDATE webhooks SET due = 0"))
    await jobs.stop()
    jobs = await start(hosts=WebhookHosts.parse("elsewhere.example"), attempts=2)
    assert "not among the hosts" in str(await until_webhook(jobs, job.id, "given_up", 2))
    assert len(receiver.got) == 1


async def test_slow_receivers_hold_up_no_job(start: Start, receiver: Receiver) -> None:
    release = asyncio.Event()
    answer = receiver.handle

    async def slow(request: web.Request) -> web.Response:
        response = await answer(request)
        await release.wait()
        return response

    app = web.Application()
    app.router.add_post("/hook", slow)
    server = TestServer(app)
    await server.start_server()
    jobs = await start(timeout_s=600)
    url = f"http://127.0.0.1:{server.port}/hook"
    made = [await jobs.accept([upload(f"{n}")], ReadOptions(), webhook=url) for n in range(20)]
    for job in made:
        await until_ended(jobs, job.id)
    await receiver.until(8)
    assert len(receiver.got) == 8  # the others wait for these
    release.set()
    for job in made:
        await until_webhook(jobs, job.id, "delivered", 1)
    await server.close()
