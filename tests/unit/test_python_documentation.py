"""The examples of docs/python.md and README.md run as they stand, before a reader that needs no models."""

from __future__ import annotations

import re
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pipeline import api
from schemas.document import Document, Line, Page, Word
from schemas.errors import DamagedFile
from schemas.requests import ReadRequest

ROOT = Path(__file__).parents[2]
BOX = ((0.0, 0.0), (90.0, 0.0), (90.0, 20.0), (0.0, 20.0))
EXAMPLES = [
    pytest.param(block, id=f"{name}-{number}")
    for name in ("docs/python.md", "README.md")
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL), 1)
]


class FakeReader:
    """Reads every file but broken ones, at once."""

    def submit(self, request: ReadRequest) -> Future[Document]:
        future: Future[Document] = Future()
        if "broken" in request.name:
            future.set_exception(DamagedFile("the file ends early; send it again"))
            return future
        options = request.options
        words = [Word("Total", 0.9, BOX)] if options.words else None
        pages = [Page(n, 100, 50, lines=[Line("Total", 0.9, BOX, words)]) for n in options.pages or (1,)]
        future.set_result(Document(request.name, pages=pages))
        return future

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("block", EXAMPLES)
def test_the_example_runs(block: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setattr(api, "_open", lambda settings: FakeReader())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "receipt.jpg").write_bytes(b"stands for a picture")
    exec(compile(block, "example", "exec"), {"__name__": "example"})
    shown = capsys.readouterr().out
    assert shown or "break" in block
    if "bakend" in block:
        assert "did you mean backend?" in shown
    if "broken" in block:
        assert "damaged_file" in shown


def test_there_are_examples_of_everything_public() -> None:
    text = (ROOT / "docs/python.md").read_text()
    public = [name for name, value in vars(api.Inklane).items() if not name.startswith("_") and callable(value)]
    assert len(EXAMPLES) >= 7
    assert [name for name in public if name not in text] == []
