"""The Python API around a reader that answers when the test says so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

from pipeline import api
from pipeline.api import Inklane
from schemas.document import Document
from schemas.errors import Cancelled, DamagedFile, DocumentError, InklaneError, SettingsError, WorkerFailed
from schemas.requests import ReadOptions, ReadRequest
from schemas.settings import Settings
from tests.factories.lanes import PATIENCE


class FakeReader:
    """Answers at once, or keeps the future for the test. What it answers is in the document's name."""

    def __init__(self) -> None:
        self.requests: list[ReadRequest] = []
        self.futures: list[Future[Document]] = []
        self.answers = True
        self.closed = 0
        self.room = threading.Event()
        self.room.set()
        self.waiting = threading.Event()
        self.changed = threading.Condition()

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.waiting.set()
        assert self.room.wait(PATIENCE)
        if "refused" in request.name:
            raise DamagedFile("refused at the door")
        if "dead" in request.name:
            raise WorkerFailed("the worker is gone")
        future: Future[Document] = Future()
        with self.changed:
            self.requests.append(request)
            self.futures.append(future)
            self.changed.notify_all()
        if self.answers:
            self.answer(len(self.futures) - 1)
        return future

    def answer(self, index: int) -> None:
        name = self.requests[index].name
        if "bad" in name:
            self.futures[index].set_exception(DamagedFile(f"{name} is broken"))
        elif "defect" in name:
            self.futures[index].set_exception(ZeroDivisionError("a defect"))
        elif "gone" in name:
            self.futures[index].cancel()
        else:
            self.futures[index].set_result(Document(name))

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.futures) >= count, PATIENCE)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    made = FakeReader()
    monkeypatch.setattr(api, "_open", lambda settings: made)
    return made


@pytest.fixture
def inklane(reader: FakeReader) -> Inklane:
    return Inklane(Settings(max_pages_in_flight=2, max_waiting_documents=100))


def names(outcomes: list[Any]) -> list[str]:
    return [outcome.file if isinstance(outcome, Document) else outcome.code for outcome in outcomes]


def read_sync(inklane: Inklane, sources: list[Any], options: ReadOptions | None = None) -> list[Any]:
    return inklane.read(sources, options)


def read_async(inklane: Inklane, sources: list[Any], options: ReadOptions | None = None) -> list[Any]:
    return asyncio.run(inklane.read_async(sources, options))


both = pytest.mark.parametrize("read", [read_sync, read_async], ids=["sync", "async"])
Read = Callable[..., list[Any]]


# --- reading many ---------------------------------------------------------------------------------------------


@both
def test_each_source_has_its_outcome_in_its_place(inklane: Inklane, read: Read) -> None:
    sources = ["a.jpg", Path("folder/b.pdf"), b"bytes", "bad.png", "refused.png", "c.jpg"]
    expected = ["a.jpg", "b.pdf", "document-3", "damaged_file", "damaged_file", "c.jpg"]
    assert names(read(inklane, sources)) == expected


@both
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 50])
def test_any_number_of_sources(inklane: Inklane, reader: FakeReader, read: Read, count: int) -> None:
    assert names(read(inklane, [f"{i}.jpg" for i in range(count)])) == [f"{i}.jpg" for i in range(count)]
    assert len(reader.requests) == count


@both
def test_options_go_to_every_document(inklane: Inklane, reader: FakeReader, read: Read) -> None:
    options = ReadOptions(pages=(2,), dpi=300, words=True, alternatives=True)
    read(inklane, ["a.pdf", b"b"], options)
    assert [request.options for request in reader.requests] == [options, options]
    read(inklane, ["a.pdf"])
    assert reader.requests[-1].options == ReadOptions()


@both
def test_paths_stay_paths_and_bytes_stay_bytes(inklane: Inklane, reader: FakeReader, read: Read) -> None:
    read(inklane, ["发票 1.jpg", b"xyz"])
    assert [request.source for request in reader.requests] == [Path("发票 1.jpg"), b"xyz"]
    assert reader.requests[0].name == "发票 1.jpg"


@both
def test_what_is_nobodys_fault_but_the_readers_is_raised(inklane: Inklane, read: Read) -> None:
    with pytest.raises(WorkerFailed):
        read(inklane, ["a.jpg", "dead.jpg", "b.jpg"])
    with pytest.raises(ZeroDivisionError):
        read(inklane, ["a.jpg", "defect.jpg"])


@both
def test_when_reading_stops_early_what_is_left_is_cancelled(inklane: Inklane, reader: FakeReader, read: Read) -> None:
    reader.answers = False

    def sources() -> Iterator[str]:
        yield from ("a.jpg", "b.jpg")
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk"):
        read(inklane, sources())
    assert [future.cancelled() for future in reader.futures] == [True, True]


@both
def test_a_cancelled_document_is_an_outcome_like_others(inklane: Inklane, read: Read) -> None:
    first, second = read(inklane, ["gone.jpg", "a.jpg"])
    assert isinstance(first, Cancelled)
    assert isinstance(second, Document)


@both
@pytest.mark.parametrize("source", ["a.jpg", b"bytes", Path("a.jpg")])
def test_a_single_source_where_several_are_meant_is_refused(
    inklane: Inklane, reader: FakeReader, read: Read, source: Any
) -> None:
    with pytest.raises(TypeError, match="read_one"):
        read(inklane, source)
    assert reader.requests == []


# --- one result at a time -------------------------------------------------------------------------------------


def test_stream_takes_sources_only_as_far_as_there_is_room(inklane: Inklane, reader: FakeReader) -> None:
    taken: list[int] = []

    def sources() -> Iterator[str]:
        for i in range(20):
            taken.append(i)
            yield f"{i}.jpg"

    stream = inklane.stream(sources())
    assert taken == []
    for i in range(3):
        outcome = next(stream)
        assert isinstance(outcome, Document)
        assert outcome.file == f"{i}.jpg"
        assert len(taken) <= i + 1 + 2 * 2, "two documents ahead for each page slot"
    stream.close()  # type: ignore[attr-defined]
    assert len(taken) < 20
    assert reader.futures[-1].cancelled() or reader.futures[-1].done()


def test_a_stream_that_is_dropped_cancels_what_it_had_asked_for(inklane: Inklane, reader: FakeReader) -> None:
    reader.answers = False
    stream = inklane.stream([f"{i}.jpg" for i in range(10)])
    thread = threading.Thread(target=lambda: next(stream, None))
    thread.start()
    reader.wait_for(4)
    reader.answer(0)
    thread.join(PATIENCE)
    stream.close()  # type: ignore[attr-defined]
    assert [future.cancelled() for future in reader.futures] == [False, True, True, True]


def test_no_more_is_handed_over_than_may_wait(reader: FakeReader) -> None:
    reader.answers = False
    inklane = Inklane(Settings(max_pages_in_flight=100, max_waiting_documents=3))
    thread = threading.Thread(target=lambda: inklane.read([f"{i}.jpg" for i in range(5)]))
    thread.start()
    for i in range(5):
        reader.wait_for(min(3 + i, 5))
        assert len(reader.futures) <= 3 + i
        reader.answer(i)
    thread.join(PATIENCE)
    assert not thread.is_alive()


async def test_an_asynchronous_stream_that_is_closed_cancels_too(inklane: Inklane, reader: FakeReader) -> None:
    reader.answers = False
    stream = inklane.stream_async([f"{i}.jpg" for i in range(10)])
    first = asyncio.ensure_future(anext(stream))
    await asyncio.to_thread(reader.wait_for, 4)
    reader.answer(0)
    outcome = await first
    assert isinstance(outcome, Document)
    await stream.aclose()  # type: ignore[attr-defined]
    assert [future.cancelled() for future in reader.futures] == [False, True, True, True]


# --- one document ---------------------------------------------------------------------------------------------


def test_read_one_gives_the_document_or_raises_its_error(inklane: Inklane) -> None:
    assert inklane.read_one("a.jpg").file == "a.jpg"
    for name, kind in (("bad.jpg", DocumentError), ("refused.jpg", DocumentError), ("dead.jpg", WorkerFailed)):
        with pytest.raises(kind):
            inklane.read_one(name)


async def test_read_one_async_gives_the_document_or_raises_its_error(inklane: Inklane) -> None:
    assert (await inklane.read_one_async("a.jpg")).file == "a.jpg"
    for name, kind in (("bad.jpg", DocumentError), ("refused.jpg", DocumentError), ("dead.jpg", WorkerFailed)):
        with pytest.raises(kind):
            await inklane.read_one_async(name)


async def test_cancelling_the_task_cancels_the_reading(inklane: Inklane, reader: FakeReader) -> None:
    reader.answers = False
    task = asyncio.ensure_future(inklane.read_one_async("a.jpg"))
    await asyncio.to_thread(reader.wait_for, 1)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(CancelledError):
        reader.futures[0].result(PATIENCE)


@pytest.mark.parametrize("ends", ["submitted", "refused"])
async def test_a_task_cancelled_while_the_reader_has_no_room_leaves_nothing_to_be_read(
    inklane: Inklane, reader: FakeReader, ends: str
) -> None:
    """CASES 22: the document must not be read for nobody once there is room."""
    reader.answers = False
    reader.room.clear()
    task = asyncio.ensure_future(inklane.read_one_async("a.jpg" if ends == "submitted" else "refused.jpg"))
    await asyncio.to_thread(reader.waiting.wait, PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    reader.room.set()
    if ends == "submitted":
        await asyncio.to_thread(reader.wait_for, 1)
        cancelled = asyncio.wrap_future(reader.futures[0])
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(cancelled, PATIENCE)
    else:
        assert reader.futures == []


async def test_the_loop_goes_on_while_the_reader_has_no_room(inklane: Inklane, reader: FakeReader) -> None:
    reader.room.clear()
    reading = asyncio.ensure_future(inklane.read_async(["a.jpg"]))
    await asyncio.to_thread(reader.waiting.wait, PATIENCE)
    # This line is reached, so the loop is not blocked.
    assert not reading.done()
    reader.room.set()
    assert names(await reading) == ["a.jpg"]


# --- settings and end -----------------------------------------------------------------------------------------


def test_it_closes_the_reader_on_the_way_out(reader: FakeReader) -> None:
    with Inklane(Settings()) as inklane:
        assert isinstance(inklane, Inklane)
        assert reader.closed == 0
    assert reader.closed == 1
    with pytest.raises(ZeroDivisionError), Inklane(Settings()):
        raise ZeroDivisionError
    assert reader.closed == 2


def test_single_settings_or_all_of_them_but_not_both(reader: FakeReader) -> None:
    assert Inklane(dpi=300).settings.dpi == 300
    assert Inklane(Settings(dpi=400)).settings.dpi == 400
    with pytest.raises(SettingsError, match="dpi"):
        Inklane(Settings(), dpi=300)


@pytest.mark.parametrize(("values", "said"), [({"dpi": 1}, "dpi"), ({"bakend": "openvino"}, "bakend")])
def test_a_setting_that_cannot_work_is_named(reader: FakeReader, values: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        Inklane(**values)


@pytest.mark.parametrize("in_process", [True, False])
def test_the_engine_runs_in_this_process_or_in_a_worker(monkeypatch: pytest.MonkeyPatch, in_process: bool) -> None:
    made: list[tuple[str, Any]] = []
    monkeypatch.setattr("pipeline.engine.Engine", lambda settings: made.append(("engine", settings)))
    monkeypatch.setattr(
        "pipeline.worker.client.WorkerClient", lambda place, settings, **_: made.append((place, settings))
    )
    inklane = Inklane(in_process=in_process)
    assert made == [("engine" if in_process else "pipeline.engine:Engine", inklane.settings)]


def test_errors_are_values_that_can_be_told_apart(inklane: Inklane) -> None:
    outcomes = inklane.read(["a.jpg", "bad.jpg"])
    assert [isinstance(outcome, InklaneError) for outcome in outcomes] == [False, True]
