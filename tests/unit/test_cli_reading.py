from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from pipeline.cli.inputs import Input
from pipeline.cli.reading import read_in_order
from schemas.document import Document
from schemas.errors import DamagedFile, InklaneError, ModelError, QueueFull
from schemas.requests import ReadOptions, ReadRequest

FILES = [Input(Path(f"/in/{number}"), f"{number}", Path(f"{number}")) for number in range(10)]


class FakeReader:
    """Calls ``on_submit`` for each request, which may finish any future submitted so far."""

    def __init__(self, on_submit: Callable[[FakeReader], None] = lambda _: None) -> None:
        self.requests: list[ReadRequest] = []
        self.futures: list[Future[Document]] = []
        self._on_submit = on_submit

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.requests.append(request)
        self.futures.append(Future())
        self._on_submit(self)
        return self.futures[-1]

    def close(self) -> None:
        return

    def finish(self, number: int) -> None:
        if not self.futures[number].done():
            self.futures[number].set_result(Document(self.requests[number].name))


def finish_last(reader: FakeReader) -> None:
    reader.finish(len(reader.futures) - 1)


def test_results_come_in_the_order_of_the_inputs_whatever_ends_first() -> None:
    def finish_backwards(reader: FakeReader) -> None:
        if len(reader.futures) % 5 == 0:
            for number in reversed(range(len(reader.futures))):
                reader.finish(number)

    reader = FakeReader(finish_backwards)
    outcomes = list(read_in_order(reader, FILES, ReadOptions(dpi=99), in_flight=5))
    assert [(file.name, isinstance(got, Document) and got.file) for file, got in outcomes] == [
        (file.name, file.name) for file in FILES
    ]
    assert all(request.options.dpi == 99 for request in reader.requests)


@pytest.mark.parametrize("in_flight", [1, 3, 10, 50])
def test_no_more_are_submitted_than_allowed_and_inputs_are_taken_as_they_are_needed(in_flight: int) -> None:
    reader = FakeReader(finish_last)
    given = 0
    for _ in read_in_order(reader, iter(FILES), ReadOptions(), in_flight=in_flight):
        assert len(reader.futures) - given <= in_flight
        given += 1
    assert given == len(FILES)


def test_one_bad_document_costs_the_others_nothing() -> None:
    def fail_some(reader: FakeReader) -> None:
        number = len(reader.futures) - 1
        match number:
            case 2:
                reader.futures[number].set_exception(DamagedFile("cut short"))
            case 4:
                raise QueueFull("no room")
            case 6:
                reader.futures[number].set_exception(ZeroDivisionError("a defect"))
            case 8:
                reader.futures[number].cancel()
            case _:
                reader.finish(number)

    outcomes = [got for _, got in read_in_order(FakeReader(fail_some), FILES, ReadOptions(), in_flight=4)]
    codes = [got.code if isinstance(got, InklaneError) else "read" for got in outcomes]
    assert codes == [
        *("read", "read", "damaged_file", "read", "queue_full"),
        *("read", "internal_error", "read", "cancelled", "read"),
    ]
    assert "a defect" in str(outcomes[6])


def test_the_installations_fault_ends_it_and_cancels_the_rest() -> None:
    def fail_first(reader: FakeReader) -> None:
        if len(reader.futures) == 3:
            reader.futures[0].set_exception(ModelError("model missing"))

    reader = FakeReader(fail_first)
    with pytest.raises(ModelError):
        list(read_in_order(reader, FILES, ReadOptions(), in_flight=3))
    assert [future.cancelled() for future in reader.futures] == [False, True, True]


def test_ending_early_cancels_what_is_in_flight() -> None:
    reader = FakeReader(lambda reader: reader.finish(0))
    outcomes = read_in_order(reader, FILES, ReadOptions(), in_flight=4)
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    assert [future.cancelled() for future in reader.futures[1:]] == [True] * (len(reader.futures) - 1)


def test_each_document_is_told_once_when_it_ends() -> None:
    told: list[int] = []
    reader = FakeReader(finish_last)
    list(read_in_order(reader, FILES, ReadOptions(), in_flight=3, on_done=lambda: told.append(len(told))))
    assert len(told) == len(FILES)


def test_nothing_in_flight_is_refused() -> None:
    with pytest.raises(ValueError, match="in_flight"):
        next(read_in_order(FakeReader(), FILES, ReadOptions(), in_flight=0))
