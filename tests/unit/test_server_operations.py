"""Changes of models come one after the other, and end whatever becomes of those who asked."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from pipeline.server.operations import Operations
from pipeline.server.service import Service
from schemas.errors import (
    ModelError,
    NotFound,
    QueueFull,
    SettingsError,
    ShuttingDown,
    WorkerFailed,
)
from schemas.settings import load_settings
from tests.factories.commanded_reader import CommandedReader
from tests.factories.held_reader import HeldReader


@pytest.fixture
def reader() -> CommandedReader:
    return CommandedReader()


@pytest.fixture
def service(reader: CommandedReader) -> Service:
    return Service(load_settings(), reader, time)


@pytest.fixture
async def operations(service: Service) -> AsyncIterator[Operations]:
    made = Operations(service)
    yield made
    await made.close()


def start(operations: Operations, name: str) -> asyncio.Task[Any]:
    return asyncio.create_task(operations.load("recognition", name))


async def turns() -> None:
    """Let every task that can go on do so."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_one_after_the_other(operations: Operations, reader: CommandedReader) -> None:
    first, second = start(operations, "one"), start(operations, "two")
    given = await reader.wait_for(1)
    assert given.arguments == {"stage": "recognition", "name": "one", "share": 1.0}
    await turns()
    assert len(reader.given) == 1
    given.answer.set_exception(ModelError("no"))
    with pytest.raises(ModelError):
        await first
    given = await reader.wait_for(2)
    assert given.arguments["name"] == "two"
    given.answer.set_result({})
    assert set((await second)["models"]) == {"detection", "recognition"}


async def test_what_has_begun_ends_though_nobody_waits_and_what_has_not_never_begins(
    operations: Operations, reader: CommandedReader
) -> None:
    first, second, third = (start(operations, name) for name in ("one", "two", "three"))
    begun = await reader.wait_for(1)
    for task in (first, second):
        task.cancel()
    await asyncio.wait([first, second])
    assert not begun.answer.cancelled()
    assert len(reader.given) == 1, "the first is not done"
    begun.answer.set_result({})
    following = await reader.wait_for(2)
    assert following.arguments["name"] == "three"
    following.answer.set_result({})
    await third


async def test_a_failure_that_nobody_waits_for_is_logged(
    operations: Operations, reader: CommandedReader, caplog: pytest.LogCaptureFixture
) -> None:
    for error in (ModelError("it reads nothing"), ZeroDivisionError("a defect")):
        task = start(operations, "one")
        given = await reader.wait_for(len(reader.given) + 1)
        task.cancel()
        await asyncio.wait([task])
        given.answer.set_exception(error)
        await turns()
    assert "it reads nothing" in caplog.text
    assert "a defect" in caplog.text


async def test_only_so_many_wait(operations: Operations, reader: CommandedReader) -> None:
    tasks = [start(operations, f"m{i}") for i in range(17)]
    await reader.wait_for(1)
    await turns()
    with pytest.raises(QueueFull):
        await operations.load("recognition", "one too many")
    for number in range(1, 18):
        (await reader.wait_for(number)).answer.set_result({})
    await asyncio.gather(*tasks)


async def test_a_reader_that_is_closed_meanwhile(operations: Operations, reader: CommandedReader) -> None:
    task = start(operations, "one")
    (await reader.wait_for(1)).answer.cancel()
    with pytest.raises(WorkerFailed, match="closed"):
        await task


async def test_closing_waits_for_nobody(operations: Operations, reader: CommandedReader) -> None:
    task = start(operations, "one")
    given = await reader.wait_for(1)
    await operations.close()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert given.answer.cancelled()


async def test_nothing_new_once_the_service_stops(operations: Operations, service: Service) -> None:
    service.stop()
    with pytest.raises(ShuttingDown):
        await operations.load("recognition")


async def test_a_reader_without_commands() -> None:
    operations = Operations(Service(load_settings(), HeldReader(), time))
    with pytest.raises(NotFound, match="no commands"):
        await operations.models()


# --- all at once --------------------------------------------------------------------------------------------------


async def test_reloading_loads_every_stage_with_the_names_wanted_now(
    operations: Operations, reader: CommandedReader, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    operations.reload(lambda: {"recognition": "other", "layout_ner": "not a stage here"})
    first = await reader.wait_for(1)
    assert (first.name, first.arguments["stage"], first.arguments["name"]) == ("load_model", "detection", None)
    first.answer.set_exception(ModelError("it is damaged"))
    second = await reader.wait_for(2)
    assert second.arguments == {"stage": "recognition", "name": "other", "share": 1.0}
    second.answer.set_result({})
    await operations.reloaded()
    assert "it is damaged" in caplog.text
    assert "detection: the model in use stays" in caplog.text
    assert "recognition: recognition@0 reads" in caplog.text


async def test_wishes_that_come_meanwhile_are_granted_once(operations: Operations, reader: CommandedReader) -> None:
    asked: list[int] = []

    def names() -> Mapping[str, str | None]:
        asked.append(1)
        return {}

    operations.reload(names)
    await reader.wait_for(1)
    for _ in range(5):
        operations.reload(names)
    for number in range(1, 5):
        (await reader.wait_for(number)).answer.set_result({})
    await operations.reloaded()
    assert (len(asked), len(reader.given)) == (2, 4)


@pytest.mark.parametrize("error", [SettingsError("cores: no number"), ZeroDivisionError("a defect")])
async def test_settings_that_cannot_be_leave_everything(
    operations: Operations, reader: CommandedReader, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def names() -> Mapping[str, str | None]:
        raise error

    operations.reload(names)
    await operations.reloaded()
    assert str(error) in caplog.text
    assert reader.given == []
    operations.reload(dict)
    await reader.wait_for(1)


async def test_reloading_takes_its_turn(operations: Operations, reader: CommandedReader) -> None:
    task = start(operations, "one")
    await reader.wait_for(1)
    operations.reload(dict)
    await turns()
    assert len(reader.given) == 1
    reader.given[0].answer.set_result({})
    await task
    assert (await reader.wait_for(2)).arguments["stage"] == "detection"


async def test_a_reader_that_cannot_tell_its_models(caplog: pytest.LogCaptureFixture) -> None:
    operations = Operations(Service(load_settings(), None, time))
    operations.reload(dict)
    await operations.reloaded()
    assert "being loaded" in caplog.text
