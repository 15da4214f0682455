"""Lines of a data set's images, read once and kept."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from models.layout_ner.read_page import load_read_pages
from pipeline.engine import Engine
from pipeline.training.read_lines import read_images
from schemas.document import Document, Line, Notice, Page
from schemas.errors import DamagedFile, DatasetError
from schemas.progress import Progress
from schemas.requests import ReadRequest
from schemas.settings import Settings


class FakeEngine(Engine):
    """Reads files that hold an angle: pages of 40 x 30 pixels with one line, seen upright."""

    asked: list[str] = []  # noqa: RUF012
    version = "first"

    def __init__(self, settings: Settings) -> None: ...

    @property
    def models(self) -> dict[str, str]:
        return {"recognition": self.version}

    def submit(
        self, request: ReadRequest, *, block: bool = True, on_progress: Callable[[Progress], None] | None = None
    ) -> Future[Document]:
        assert isinstance(request.source, Path)
        assert request.options.pages == (1,)
        self.asked.append(request.name)
        content = request.source.read_text()
        future: Future[Document] = Future()
        if content == "damaged":
            future.set_exception(DamagedFile("it is truncated"))
        elif content == "empty":
            future.set_result(Document(request.name, pages=[Page(1, 0, 0, error=Notice("x", "no page"))]))
        else:
            angle = int(content)
            width, height = (30, 40) if angle in (90, 270) else (40, 30)
            line = Line("text", 0.5, ((2.0, 3.0), (12.0, 3.0), (12.0, 7.0), (2.0, 7.0)))
            future.set_result(Document(request.name, pages=[Page(1, width, height, angle, [line])]))
        return future

    def close(self) -> None: ...


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> type[FakeEngine]:
    monkeypatch.setattr("pipeline.api._open", FakeEngine)
    monkeypatch.setattr(FakeEngine, "asked", [])
    return FakeEngine


def images(folder: Path, **contents: str) -> dict[str, Path]:
    for name, content in contents.items():
        (folder / name).write_text(content)
    return {f"images/{name}": folder / name for name in contents}


def test_each_image_is_read_once(engine: type[FakeEngine], tmp_path: Path) -> None:
    files, cache = images(tmp_path, a="0", b="0"), tmp_path / "new" / "cache.jsonl"
    first = read_images(files, cache, Settings())
    assert list(first) == ["images/a", "images/b"]
    assert read_images(files, cache, Settings()) == first == load_read_pages(cache)
    assert engine.asked == ["a", "b"]


def test_what_has_changed_is_read_again(
    engine: type[FakeEngine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, cache = images(tmp_path, a="0", b="0"), tmp_path / "cache.jsonl"
    read_images(files, cache, Settings())
    images(tmp_path, a="180")
    read_images(files, cache, Settings())
    assert engine.asked == ["a", "b", "a"]
    read_images(files, cache, Settings(recognition={"min_confidence": 0.1}))
    assert engine.asked == ["a", "b", "a", "a", "b"]
    monkeypatch.setattr(engine, "version", "second")
    read_images(files, cache, Settings(recognition={"min_confidence": 0.1}))
    assert engine.asked == ["a", "b", "a", "a", "b", "a", "b"]


def test_an_interrupted_run_goes_on(engine: type[FakeEngine], tmp_path: Path) -> None:
    files, cache = images(tmp_path, a="0", b="0", c="0"), tmp_path / "cache.jsonl"
    whole = read_images(files, cache, Settings())
    rows = cache.read_bytes().splitlines(keepends=True)
    cache.write_bytes(rows[2] + rows[0] + rows[1][:40])
    engine.asked.clear()
    done: list[tuple[int, int]] = []
    assert read_images(files, cache, Settings(), progress=lambda *counts: done.append(counts)) == whole
    assert engine.asked == ["b"]
    assert done == [(3, 3)]
    assert cache.read_bytes() == b"".join(rows)


@pytest.mark.parametrize(
    ("angle", "corner"), [(0, (2, 3)), (90, (3, 28)), (180, (38, 27)), (270, (37, 2))]
)  # the stored image is 40 x 30 pixels and was turned clockwise
def test_polygons_count_in_the_stored_image(
    engine: type[FakeEngine], tmp_path: Path, angle: int, corner: tuple[float, float]
) -> None:
    (page,) = read_images(images(tmp_path, a=str(angle)), tmp_path / "cache.jsonl", Settings()).values()
    assert (page.width, page.height, page.angle) == (40, 30, angle)
    assert page.lines[0].polygon[0] == corner
    assert page.confidences == [0.5]


def test_an_image_that_cannot_be_read_is_named_after_all_others_are_read(
    engine: type[FakeEngine], tmp_path: Path
) -> None:
    files, cache = images(tmp_path, a="damaged", b="0", c="empty"), tmp_path / "cache.jsonl"
    with pytest.raises(DatasetError, match=r"images/a: it is truncated \(and 1 more\)"):
        read_images(files, cache, Settings())
    assert list(load_read_pages(cache)) == ["images/b"]


def test_an_image_that_is_not_there(engine: type[FakeEngine], tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be opened"):
        read_images({"a": tmp_path / "a"}, tmp_path / "cache.jsonl", Settings())
