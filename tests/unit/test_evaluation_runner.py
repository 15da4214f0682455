from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from pipeline.evaluation.runner import evaluate
from schemas.document import Document, Line, Page, Polygon
from schemas.errors import DamagedFile, ModelError, QueueFull
from schemas.requests import ReadRequest
from schemas.truth import TruthDocument, TruthLine, TruthPage

BOX: Polygon = ((0, 0), (40, 0), (40, 10), (0, 10))


def truths(count: int) -> list[TruthDocument]:
    return [
        TruthDocument(f"{n}.png", Path(f"{n}.png"), [TruthPage(1, 50, 50, (TruthLine(f"token {n:02}", BOX),))])
        for n in range(count)
    ]


def document(name: str, text: str) -> Document:
    return Document(name, pages=[Page(1, 50, 50, lines=[Line(text, 1.0, BOX)])], models={"recognition": "fake"})


class FakeReader:
    """Answers what ``answer`` says: a document, or an error to raise; from a thread if it may not block."""

    def __init__(self, answer: Callable[[ReadRequest], Document | Exception], at_once: bool = True) -> None:
        self.answer = answer
        self.at_once = at_once
        self.requests: list[ReadRequest] = []
        self.waiting: list[tuple[Future[Document], ReadRequest]] = []
        self.most = 0

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.requests.append(request)
        future: Future[Document] = Future()
        self.waiting.append((future, request))
        self.most = max(self.most, len(self.waiting))
        if self.at_once:
            self.finish()
        elif len(self.waiting) == 4:  # the last come first
            threading.Thread(target=self.finish).start()
        return future

    def finish(self) -> None:
        for future, request in reversed(self.waiting):
            answer = self.answer(request)
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self.waiting.clear()

    def close(self) -> None:
        raise AssertionError("the reader is its owner's to close")


def right(request: ReadRequest) -> Document:
    return document(request.name, f"token {int(Path(request.name).stem):02}")


def test_every_document_gets_its_own_score_whatever_the_order() -> None:
    reader = FakeReader(right, at_once=False)
    done: list[str] = []
    result = evaluate(reader, truths(12), in_flight=4, on_done=lambda score: done.append(score.truth.name))
    assert [score.truth.name for score in result.documents] == [f"{n}.png" for n in range(12)]
    assert result.scores.words.f1 == result.scores.lines.f1 == 1
    assert reader.most == 4
    assert sorted(done) == sorted(score.truth.name for score in result.documents)
    assert result.models == {"recognition": "fake"}


def test_only_labelled_pages_are_asked_for() -> None:
    truth = truths(1)[0]
    truth.pages = [TruthPage(2, 50, 50, ()), TruthPage(5, 50, 50, ())]
    reader = FakeReader(right)
    evaluate(reader, [truth])
    assert reader.requests[0].options.pages == (2, 5)
    assert (reader.requests[0].source, reader.requests[0].name) == (truth.path, truth.name)


@pytest.mark.parametrize("when", ["submitting", "reading"])
def test_a_document_that_fails_is_listed_and_the_rest_go_on(when: str) -> None:
    class Refusing(FakeReader):
        def submit(self, request: ReadRequest) -> Future[Document]:
            if when == "submitting" and request.name == "1.png":
                raise QueueFull("no room")
            return super().submit(request)

    reader = Refusing(lambda request: DamagedFile("cut off") if request.name == "1.png" else right(request))
    result = evaluate(reader, truths(4))
    assert [score.truth.name for score in result.failed] == ["1.png"]
    error = result.failed[0].error
    assert error is not None
    assert error.code == {"submitting": "queue_full", "reading": "damaged_file"}[when]
    assert result.scores.words.read == 6
    assert result.scores.words.truth == 8
    assert result.worst_first[0].truth.name == "1.png"


def test_an_unexpected_error_costs_one_document() -> None:
    reader = FakeReader(lambda request: ZeroDivisionError("oops") if request.name == "0.png" else right(request))
    result = evaluate(reader, truths(3))
    assert [(s.error.code, s.error.message) for s in result.failed if s.error is not None] == [
        ("internal_error", "unexpected ZeroDivisionError: oops")
    ]


def test_a_cancelled_document_is_listed() -> None:
    class Cancelling(FakeReader):
        def submit(self, request: ReadRequest) -> Future[Document]:
            future: Future[Document] = Future()
            future.cancel()
            return future

    result = evaluate(Cancelling(right), truths(2))
    assert [s.error.code for s in result.documents if s.error is not None] == ["cancelled", "cancelled"]


def test_a_fault_of_the_installation_ends_it_and_cancels_the_rest() -> None:
    class Broken(FakeReader):
        def submit(self, request: ReadRequest) -> Future[Document]:
            future: Future[Document] = Future()
            if request.name == "2.png":
                future.set_exception(ModelError("no such model"))
            futures.append(future)
            return future

    futures: list[Future[Document]] = []
    with pytest.raises(ModelError, match="no such model"):
        evaluate(Broken(right), truths(9), in_flight=3)
    assert len(futures) == 3
    assert [future.cancelled() for future in futures] == [True, True, False]


def test_in_flight_must_be_positive() -> None:
    with pytest.raises(ValueError, match="in_flight must be at least 1, not 0"):
        evaluate(FakeReader(right), truths(1), in_flight=0)
