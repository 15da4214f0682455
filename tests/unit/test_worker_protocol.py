"""Messages, exit descriptions and the socket's directory."""

from __future__ import annotations

import os
import pickle
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.worker import protocol
from pipeline.worker.process import _private_directory, describe_exit
from schemas.document import Document, Line, Page
from schemas.errors import InklaneError, ModelError, WorkerCrashed, WorkerFailed
from schemas.fields import Check, Field, Region
from schemas.requests import ReadOptions, ReadRequest
from schemas.settings import Settings

ANY_TEXT = st.text(st.characters())  # unpaired surrogates included, as in odd file names


@given(
    name=ANY_TEXT,
    content=st.binary(),
    pages=st.none() | st.lists(st.integers(1)).map(tuple),
    priority=st.integers(0, 9),
    deadline=st.none() | st.floats(0, 1e9),
)
def test_requests_with_bytes_cross(
    name: str, content: bytes, pages: tuple[int, ...] | None, priority: int, deadline: float | None
) -> None:
    request = ReadRequest(content, name, ReadOptions(pages=pages, dpi=300, words=True), priority, deadline)
    assert protocol.unpack_read(protocol.pack_read(7, request)) == (7, request)


@pytest.mark.parametrize("path", ["a.pdf", "/tmp/发票 é.png", os.fsdecode(b"/tmp/\xff\xfe.jpg")])
def test_requests_with_paths_cross(path: str) -> None:
    request = ReadRequest(Path(path), path)
    assert protocol.unpack_read(protocol.pack_read(1, request)) == (1, request)


def test_the_bytes_of_a_document_are_never_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (tmp_path / "sprung",)

    trap = pickle.dumps(Trap())
    _, request = protocol.unpack_read(protocol.pack_read(1, ReadRequest(trap, "trap")))
    assert request.source == trap
    assert not (tmp_path / "sprung").exists()
    pickle.loads(trap)
    assert (tmp_path / "sprung").exists(), "the trap must be able to spring"


@pytest.mark.parametrize("source", ["a.pdf", 3, None, bytearray(b"x")])
def test_other_sources_are_refused_when_packed(source: object) -> None:
    with pytest.raises(TypeError, match="Path or bytes"):
        protocol.pack_read(1, ReadRequest(source, "x"))  # type: ignore[arg-type]


def test_documents_cross_unchanged() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    total = Field("money", "1.50", "1.5", 0.9, [Region(1, square)], [Check("sum", True, "it is")], currency="EUR")
    row = Field("object", {"name": Field("text", "x", "x", 0.5)}, "x", 0.5, needs_review=True)
    lines = [Line("x\ud800", 0.5, square)]
    document = Document("a", "receipt", 0.9, {"total": total, "items": [row]}, [Page(1, 5, 5, lines=lines)])
    assert protocol.unpack_document(protocol.pack_document(3, document)) == document


def test_anything_but_a_document_is_an_error() -> None:
    with pytest.raises(TypeError, match="Document"):
        protocol.unpack_document([protocol.DONE, b"1", pickle.dumps("text")])


@pytest.mark.parametrize("error", [ModelError("no model"), WorkerCrashed("twice"), InklaneError("bare \udcff")])
def test_errors_cross_with_class_and_message(error: InklaneError) -> None:
    copy = protocol.unpack_error(protocol.pack_error(protocol.FAILED, error, 1))
    assert (type(copy), copy.message) == (type(error), error.message)


def test_settings_cross() -> None:
    settings = Settings(backend="onnxruntime", cores=3)
    factory, copy = protocol.unpack_start(protocol.pack_start("a.b:c", settings))
    assert (factory, copy) == ("a.b:c", settings)


def test_settings_that_cannot_be_pickled_are_named_so() -> None:
    with pytest.raises(TypeError, match="picklable"):
        protocol.pack_start("a:b", lambda: None)


@pytest.mark.parametrize(
    ("code", "text"),
    [(0, "exited with status 0"), (3, "exited with status 3"), (-9, "was killed by SIGKILL (out of memory?)"),
     (-11, "was killed by SIGSEGV"), (-99, "was killed by signal 99")],
)  # fmt: skip
def test_exits_are_described(code: int, text: str) -> None:
    assert describe_exit(code) == text


def test_the_directory_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    directory = _private_directory()
    assert directory.parent == tmp_path
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_long_temporary_path_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    directory = _private_directory()
    directory.rmdir()
    assert directory.parent == Path("/tmp")


def test_nowhere_to_put_the_socket_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> str:
        raise PermissionError("read-only")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(WorkerFailed, match="TMPDIR"):
        _private_directory()
