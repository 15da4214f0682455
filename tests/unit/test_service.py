from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from pipeline.server.service import ADMISSION, Service
from pipeline.server.uploads import Upload
from schemas.document import Document
from schemas.errors import Cancelled, DamagedFile, DeadlineExceeded, NotReady, QueueFull, ShuttingDown
from schemas.progress import Progress
from schemas.requests import ReadOptions
from schemas.settings import Settings, load_settings
from tests.factories.held_reader import Held, HeldReader, until_cancelled

SLOTS = 2  # documents with the reader at once


@pytest.fixture
def reader() -> HeldReader:
    return HeldReader()


def settings(**server: Any) -> Settings:
    return load_settings(max_pages_in_flight=1, server=server)


@pytest.fixture
def service(reader: HeldReader) -> Service:
    return Service(settings(max_pages_queued=10, lowest_priority_share=0.2), reader, time)


def start(service: Service, name: str, **options: Any) -> asyncio.Task[Document]:
    return asyncio.create_task(service.read(Upload.of(name, name.encode()), ReadOptions(), **options))


async def passed() -> None:
    """Let everything that is ready run."""
    for _ in range(5):
        await asyncio.sleep(0)


def check_empty(service: Service) -> None:
    assert (service.running, service.admission.pages, service.admission.waiting) == (0, 0, 0)
    assert not service._turns


async def test_a_document_is_read(service: Service, reader: HeldReader) -> None:
    task = start(service, "a", priority=0, deadline=time.monotonic() + 1000)
    (held,) = await reader.wait_for(1)
    assert held.request.name == "a"
    assert held.request.priority == 0
    assert held.request.deadline is not None
    held.finish()
    document = await task
    assert document.text == "a"
    assert next(iter(document.timings)) == ADMISSION
    check_empty(service)


async def test_no_more_are_with_the_reader_than_it_works_on(service: Service, reader: HeldReader) -> None:
    tasks = [start(service, name) for name in "abcd"]
    await passed()
    assert [held.request.name for held in reader.given] == ["a", "b"]
    reader.given[1].finish()
    given = await reader.wait_for(3)
    assert given[2].request.name == "c"
    reader.given[0].fail(DamagedFile("so it is"))
    await reader.wait_for(4)
    for held in reader.given[2:]:
        held.finish()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [isinstance(outcome, Document) for outcome in outcomes] == [False, True, True, True]
    check_empty(service)


async def test_no_room_is_told_at_once(service: Service) -> None:
    tasks = [start(service, str(number)) for number in range(6)]
    await passed()
    with pytest.raises(QueueFull) as caught:
        service.check(1)
    assert caught.value.retry_after_s == 1.0
    with pytest.raises(QueueFull):
        await start(service, "one too many")
    service.check(0)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    await passed()
    check_empty(service)


async def test_a_deadline_that_passes_in_the_queue_costs_no_inference(service: Service, reader: HeldReader) -> None:
    running = [start(service, name) for name in "ab"]
    late = start(service, "late", deadline=time.monotonic() + 0.01)
    with pytest.raises(DeadlineExceeded):
        await late
    for held in await reader.wait_for(2):
        held.finish()
    await asyncio.gather(*running)
    assert [held.request.name for held in reader.given] == ["a", "b"]
    check_empty(service)


async def test_a_deadline_that_has_passed_is_told_even_if_there_is_room(service: Service, reader: HeldReader) -> None:
    with pytest.raises(DeadlineExceeded):
        await start(service, "late", deadline=time.monotonic() - 1)
    assert reader.given == []
    check_empty(service)


async def test_a_caller_who_goes_away_while_waiting_is_never_read(service: Service, reader: HeldReader) -> None:
    running = [start(service, name) for name in "ab"]
    gone, next_one = start(service, "gone"), start(service, "next")
    await passed()
    gone.cancel()
    await passed()
    reader.given[0].finish()
    given = await reader.wait_for(3)
    assert given[2].request.name == "next"
    for held in reader.given[1:]:
        held.finish()
    await asyncio.gather(*running, next_one)
    check_empty(service)


async def test_a_caller_who_goes_away_while_being_read_frees_the_place(service: Service, reader: HeldReader) -> None:
    tasks = [start(service, name) for name in "abc"]
    given = await reader.wait_for(2)
    tasks[0].cancel()
    await until_cancelled(given[0])
    assert (await reader.wait_for(3))[2].request.name == "c"
    for held in reader.given[1:]:
        held.finish()
    await asyncio.gather(*tasks[1:])
    check_empty(service)


async def test_a_caller_who_goes_away_at_the_moment_of_the_turn_gives_the_place_back(
    service: Service, reader: HeldReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = [start(service, name) for name in "ab"]
    gone, next_one = start(service, "gone"), start(service, "next")
    await passed()
    turn = next(iter(service._turns.values()))
    give = service._give_turns

    def give_and_cancel() -> None:
        give()
        if turn.done():  # it has come, and the task has not run yet
            gone.cancel()

    monkeypatch.setattr(service, "_give_turns", give_and_cancel)
    reader.given[0].finish()
    given = await reader.wait_for(3)
    assert given[2].request.name == "next"
    assert gone.cancelled()
    for held in reader.given[1:]:
        held.finish()
    await asyncio.gather(*running, next_one)
    check_empty(service)


async def test_a_document_that_the_reader_gives_up_is_an_error(service: Service, reader: HeldReader) -> None:
    task = start(service, "a")
    (held,) = await reader.wait_for(1)
    held.future.cancel()
    with pytest.raises(Cancelled):
        await task
    check_empty(service)


async def test_progress_is_told_on_the_loop_and_corrects_the_room(service: Service, reader: HeldReader) -> None:
    told: list[Progress] = []
    seen = asyncio.Event()

    def listen(progress: Progress) -> None:
        assert asyncio.get_running_loop()
        told.append(progress)
        seen.set()
        raise ValueError("a listener's fault is its own")

    task = start(service, "a", on_progress=listen)
    (held,) = await reader.wait_for(1)
    await asyncio.to_thread(held.tell, Progress(None, 8, "opened", 0))
    await seen.wait()
    assert told == [Progress(None, 8, "opened", 0)]
    assert service.admission.pages == 8
    held.finish()
    await task
    await asyncio.to_thread(held.tell, Progress(1, 8, "done", 1))  # too late for anybody
    await passed()
    check_empty(service)


async def test_before_the_reader_is_warm_nothing_is_taken(reader: HeldReader) -> None:
    service = Service(settings(), None, time)
    assert not service.ready
    with pytest.raises(NotReady):
        service.check(1)
    with pytest.raises(NotReady):
        await start(service, "a")
    service.attach(reader)
    states = [service.ready]
    reader.ready = False  # the worker is being started again: documents wait for it, others are sent elsewhere
    states.append(service.ready)
    assert states == [True, False]
    service.check(1)


async def test_when_told_to_stop_it_takes_nothing_new_and_finishes_the_rest(
    service: Service, reader: HeldReader
) -> None:
    task = start(service, "a")
    (held,) = await reader.wait_for(1)
    service.stop()
    assert not service.ready
    with pytest.raises(ShuttingDown):
        service.check(1)
    late = start(service, "its body came before")
    drained = asyncio.create_task(service.drained())
    (_, other) = await reader.wait_for(2)
    for each in (held, other):
        assert not drained.done()
        each.finish()
    await asyncio.gather(task, late, drained)


async def test_nobody_gets_anothers_document(service: Service, reader: HeldReader) -> None:
    service = Service(load_settings(server={"max_pages_queued": 200}), reader, time)
    reader.at_once = True
    names = [f"token {number}" for number in range(64)]
    documents = await asyncio.gather(*(start(service, name) for name in names))
    assert [(document.file, document.text) for document in documents] == [(name, name) for name in names]


def held_names(held: list[Held]) -> list[str]:
    return [each.request.name for each in held]


async def test_the_urgent_go_first_and_the_lowest_get_their_share(reader: HeldReader) -> None:
    service = Service(settings(max_pages_queued=1000, lowest_priority_share=0.25), reader, time)
    tasks = [start(service, f"first {number}") for number in range(SLOTS)]
    await passed()
    tasks += [start(service, f"low {number}", priority=2) for number in range(3)]
    tasks += [start(service, f"high {number}", priority=0) for number in range(12)]
    await passed()
    for number in range(len(tasks)):
        (await reader.wait_for(number + 1))[number].finish()
        await passed()
    await asyncio.gather(*tasks)
    order = held_names(reader.given)[SLOTS:]
    assert order[0].startswith("high")
    assert [name.startswith("low") for name in order].index(True) <= 5
    assert sum(name.startswith("low") for name in order[:12]) == 2
