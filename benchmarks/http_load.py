"""Clients that keep a service busy: so many at once (closed loop), or as they happen to come (open loop)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

Post = Callable[[int], Awaitable[tuple[int, str]]]
"""Sends the document of this number; gives the status, and the code of the problem if there was one.

Status 0: there was no answer, and the code says why.
"""


@dataclass(slots=True, frozen=True)
class Answer:
    """What became of a request. Times are seconds since the beginning; ``due`` is when it was to be sent."""

    document: int
    due: float
    sent: float
    ended: float
    status: int
    code: str = ""

    @property
    def latency(self) -> float:
        """From when it was due: a client that is late itself does not make the service look better."""
        return self.ended - self.due

    @property
    def response(self) -> float:
        """From when it was sent."""
        return self.ended - self.sent


def arrivals(rate: float, seconds: float, seed: int = 1) -> list[float]:
    """When requests come that know nothing of each other, ``rate`` a second; the same ones for a seed.

    Raises:
        ValueError: no such rate.
    """
    if rate <= 0:
        raise ValueError(f"requests must come at a rate of more than 0, not {rate}")
    rng = random.Random(seed)
    found: list[float] = []
    at = rng.expovariate(rate)
    while at < seconds:
        found.append(at)
        at += rng.expovariate(rate)
    return found


async def closed_loop(post: Post, documents: int, clients: int) -> list[Answer]:
    """Each client sends a document as soon as its last one is answered, until all have been sent; in their order."""
    started = time.perf_counter()
    todo = iter(range(documents))
    answers: list[Answer] = []

    async def client() -> None:
        for document in todo:
            sent = time.perf_counter() - started
            status, code = await post(document)
            answers.append(Answer(document, sent, sent, time.perf_counter() - started, status, code))

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(client())
    return sorted(answers, key=lambda answer: answer.document)


async def open_loop(post: Post, due: Sequence[float], documents: int) -> list[Answer]:
    """Documents, over and over, each sent when it is due, however many have not been answered; in that order."""
    started = time.perf_counter()

    async def send(document: int, at: float) -> Answer:
        sent = time.perf_counter() - started
        status, code = await post(document)
        return Answer(document, at, sent, time.perf_counter() - started, status, code)

    async with asyncio.TaskGroup() as group:
        tasks = []
        for number, at in enumerate(due):
            await asyncio.sleep(max(0.0, at - (time.perf_counter() - started)))
            tasks.append(group.create_task(send(number % documents, at)))
    return [task.result() for task in tasks]


async def probe(get: Callable[[], Awaitable[None]], every: float, done: asyncio.Event) -> list[float]:
    """Ask now and then, until it is done; the seconds that each answer took."""
    taken: list[float] = []
    while not done.is_set():
        before = time.perf_counter()
        await get()
        taken.append(time.perf_counter() - before)
        try:
            await asyncio.wait_for(done.wait(), every)
        except TimeoutError:
            continue
    return taken
