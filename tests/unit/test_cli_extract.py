from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import extract
from pipeline.cli.app import app
from schemas.document import Document, Line, Notice, Page
from schemas.errors import DamagedFile, ModelError
from schemas.requests import Reader, ReadRequest
from schemas.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


class FakeReader:
    """Reads from the name: ``bad`` fails, ``half`` has a page that failed, ``stop`` is Ctrl-C, ``no model`` ends it."""

    def __init__(self) -> None:
        self.requests: list[ReadRequest] = []
        self.settings: Settings | None = None
        self.opened = 0
        self.closed = 0

    @contextmanager
    def open(self, settings: Settings) -> Iterator[Reader]:
        self.settings = settings
        self.opened += 1
        try:
            yield self
        finally:
            self.closed += 1

    def close(self) -> None:
        return

    def submit(self, request: ReadRequest) -> Future[Document]:
        self.requests.append(request)
        future: Future[Document] = Future()
        name = request.name
        if "stop" in name:
            raise KeyboardInterrupt
        if "no model" in name:
            future.set_exception(ModelError("the model is missing; install it"))
        elif "bad" in name:
            future.set_exception(DamagedFile("it is cut short"))
        else:
            box = ((1.0, 1.0), (9.0, 1.0), (9.0, 5.0), (1.0, 5.0))
            pages = [Page(1, 32, 16, lines=[Line("总计 \x1b[31mTotal", 0.9, box)])]
            if "half" in name:
                pages.append(Page(2, 0, 0, error=Notice("too_large", "this page is too large", 2)))
            warnings = [Notice("animated", "only the first frame was read")] if "warned" in name else []
            future.set_result(Document(name, pages=pages, warnings=warnings))
        return future


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeReader:
    fake = FakeReader()
    monkeypatch.setattr(extract, "open_reader", fake.open)
    monkeypatch.chdir(tmp_path)
    return fake


def picture(name: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".png", np.full((16, 32, 3), 255, np.uint8))[1].tobytes())
    return path


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["extract", *map(str, arguments)])


def files(folder: str) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def test_json_is_one_document_a_line_in_the_order_of_the_input(reader: FakeReader) -> None:
    result = run(picture("b.png"), picture("a.png"), "--json")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [document["file"] for document in documents] == ["b.png", "a.png"]
    assert list(documents[0])[:4] == ["file", "doc_type", "doc_type_confidence", "fields"]
    assert documents[0]["pages"][0]["lines"][0]["text"].startswith("总计")
    assert result.exit_code == 0


def test_out_has_one_file_a_document_and_keeps_folders(reader: FakeReader) -> None:
    for name in ["in/a.png", "in/sub/a.png", "in/a.jpg"]:
        picture(name)
    result = run("in", "--out", "results")
    assert files("results") == ["a.json", "a.png.json", "sub/a.json"]
    assert json.loads(Path("results/a.json").read_bytes())["file"] == "in/a.jpg"
    assert result.exit_code == 0


def test_results_below_the_input_are_not_read_the_next_time(reader: FakeReader) -> None:
    picture("a.png")
    for _ in range(2):
        run(".", "--out", "results", "--visualize", "pictures")
    assert [request.name for request in reader.requests] == ["./a.png", "./a.png"]
    assert files("results") == ["a.json"]


def test_pictures_are_written_beside_each_other(reader: FakeReader) -> None:
    picture("in/a.png")
    picture("in/sub/a.png")
    picture("in/bad.png")
    run("in", "--visualize", "pictures")
    assert files("pictures") == ["a.jpg", "sub/a.jpg"]
    drawn = cv2.imread("pictures/a.jpg")
    assert drawn is not None
    assert drawn.min() < 200


def test_a_table_is_printed_at_the_end(reader: FakeReader) -> None:
    result = run(picture("receipt.png"), picture("bad.png"))
    assert "receipt.png" in result.stdout
    assert "总计" in result.stdout
    assert "damaged_file" in result.stdout
    assert "2 documents, 1 page, 1 line, 1 failed" in result.stdout


def test_control_characters_never_reach_the_terminal(reader: FakeReader) -> None:
    result = run(picture("a\x1b[2Jbad\x07.png"), picture("c.png"))
    assert "\x1b" not in result.stdout + result.stderr
    assert "\x07" not in result.stdout + result.stderr


@pytest.mark.parametrize("where", [["--json"], ["--out", "results"], []])
def test_a_bad_file_is_reported_and_the_rest_go_on(reader: FakeReader, where: list[str]) -> None:
    result = run(picture("a.png"), picture("bad.png"), "missing.png", picture("c.png"), *where)
    assert "bad.png: it is cut short [damaged_file]" in result.stderr
    assert "missing.png: does not exist; check the path [file_missing]" in result.stderr
    assert [request.name for request in reader.requests] == ["a.png", "bad.png", "c.png"]
    assert result.exit_code == 1
    if where == ["--json"]:
        values = [json.loads(line) for line in result.stdout.splitlines()]
        assert [value["file"] for value in values] == ["a.png", "bad.png", "missing.png", "c.png"]
        assert values[1] == {"file": "bad.png", "error": {"code": "damaged_file", "message": "it is cut short"}}
        assert values[2]["error"] == {"code": "file_missing", "message": "does not exist; check the path"}
        assert ["error" in value for value in values] == [False, True, True, False]
    if where[:1] == ["--out"]:
        assert files("results") == ["a.json", "c.json"]
    assert result.stderr.count("missing.png") == 1


def test_a_page_that_failed_is_reported_and_the_document_kept(reader: FakeReader) -> None:
    result = run(picture("half.png"), "--out", "results", "--visualize", "pictures")
    assert "half.png, page 2: this page is too large [too_large]" in result.stderr
    assert files("results") == ["half.json"]
    assert result.exit_code == 1


def test_a_warning_is_told_and_is_no_failure(reader: FakeReader) -> None:
    result = run(picture("warned.png"))
    assert "only the first frame was read [animated]" in result.stderr
    assert result.exit_code == 0


def test_the_installations_fault_is_one_sentence(reader: FakeReader) -> None:
    result = run(picture("a.png"), picture("no model.png"), picture("c.png"))
    assert "inklane: the model is missing; install it" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.exit_code == 1
    assert reader.closed == 1


def test_nothing_to_read_loads_nothing(reader: FakeReader) -> None:
    Path("empty").mkdir()
    result = run("empty", "missing.png", "--out", "results")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert not Path("results").exists()
    assert reader.opened == 0
    assert "empty: no documents in this folder" in result.stderr


def test_nothing_to_read_is_json_too(reader: FakeReader) -> None:
    result = run("missing.png", "https://example.org/a.png", "--json")
    values = [json.loads(line) for line in result.stdout.splitlines()]
    assert [value["file"] for value in values] == ["missing.png", "https://example.org/a.png"]
    assert [value["error"]["code"] for value in values] == ["file_missing"] * 2
    assert (result.exit_code, reader.opened) == (1, 0)


@pytest.mark.parametrize(("option", "named"), [([], False), (["-v"], True)])
def test_skipped_files_are_told(reader: FakeReader, option: list[str], named: bool) -> None:
    picture("in/a.png")
    for number in range(9):
        Path(f"in/{number}.txt").write_text("text")
    result = run("in", *option)
    assert ("in/7.txt" in result.stderr) == named
    assert "skipped" in result.stderr
    assert result.exit_code == 0


@pytest.mark.parametrize("name", ["stop.png", "bad.png"])
def test_no_results_are_claimed_where_nothing_was_written(reader: FakeReader, name: str) -> None:
    result = run(picture(name), "--out", "results", "--visualize", "pictures")
    assert "results in" not in result.stdout + result.stderr
    assert "results in results" in run(picture("a.png"), "--out", "results").stdout


def test_options_reach_the_reader(reader: FakeReader) -> None:
    run(picture("a.png"), "--pages", "1-3,7-", "--dpi", "150", "--words")
    options = reader.requests[0].options
    assert (options.pages, options.pages_from, options.dpi, options.words) == ((1, 2, 3), 7, 150, True)
    run(picture("a.png"))
    options = reader.requests[1].options
    assert (options.pages, options.pages_from, options.dpi, options.words) == (None, None, None, False)


def test_settings_come_from_the_file_and_options_win(reader: FakeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INKLANE_CONFIG", raising=False)
    Path("mine.toml").write_text('backend = "onnxruntime"\nprecision = "f32"\n[recognition]\nmin_confidence = 0.25\n')
    run(picture("a.png"), "--config", "mine.toml", "--backend", "paddle", "--charset", "latin")
    settings = reader.settings
    assert settings is not None
    assert (settings.backend, settings.precision) == ("paddle", "f32")
    assert (settings.recognition.charset, settings.recognition.min_confidence) == ("latin", 0.25)
    assert "INKLANE_CONFIG" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["a.png", "--pages", "3-1"], "backwards"),
        (["a.png", "--pages", "x"], "pages"),
        (["a.png", "--dpi", "5"], "dpi"),
        (["a.png", "--backend", "tesseract"], "backend"),
        (["a.png", "--precision", "f8"], "precision"),
        (["a.png", "--config", "missing.toml"], "missing.toml"),
        (["a.png", "--config", "wrong.toml"], "min_confidence"),
        (["a.png", "--config", "unknown.toml"], "colour"),
        (["a.png", "--config", "broken.toml"], "broken.toml"),
        (["a.png", "--config", "binary.toml"], "binary.toml"),
        (["a.png", "--no-such-option"], "no-such-option"),
        ([], "PATH"),
    ],
)
def test_wrong_usage_is_status_2_and_names_the_fault(reader: FakeReader, arguments: list[str], named: str) -> None:
    picture("a.png")
    Path("wrong.toml").write_text("[recognition]\nmin_confidence = 7\n")
    Path("unknown.toml").write_text("colour = true\n")
    Path("broken.toml").write_text("a = [")
    Path("binary.toml").write_bytes(bytes(range(256)))
    result = run(*arguments)
    assert result.exit_code == 2
    assert named in result.stderr
    assert "Traceback" not in result.stderr
    assert reader.opened == 0


@pytest.mark.parametrize(
    ("variable", "value"),
    [("INKLANE_CONFIG", "missing.toml"), ("INKLANE_STAGES", "{"), ("INKLANE_BACKEND", "tesseract")],
)
def test_a_wrong_variable_is_status_2_and_one_sentence(
    reader: FakeReader, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    result = run(picture("a.png"))
    assert result.exit_code == 2
    assert result.stderr.startswith("inklane: ")
    assert "Traceback" not in result.stderr


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_read(reader: FakeReader) -> None:
    Path("taken").touch()
    result = run(picture("a.png"), "--out", "taken")
    assert result.exit_code == 1
    assert "cannot make the folder taken" in result.stderr
    assert reader.opened == 0


def test_ctrl_c_keeps_what_was_read_and_says_what_was_not(reader: FakeReader) -> None:
    many = [picture(f"{number}.png") for number in range(40)]
    result = run(*many, picture("stop.png"), picture("never.png"), "--json")
    assert result.exit_code == 130
    lines = result.stdout.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [path.name for path in many[: len(lines)]]
    assert f"{42 - len(lines)} documents were not read" in result.stderr
    assert (reader.opened, reader.closed) == (1, 1)


def script(body: str) -> list[str]:
    """The command in a process of its own, with the fake reader: ``body`` runs before it."""
    lines = [
        "import sys",
        f"sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]",
        "from pipeline.cli import app, extract",
        "import test_cli_extract as here",
        "reader = here.FakeReader()",
        "extract.open_reader = reader.open",
        body,
        "app.main()",
    ]
    return [sys.executable, "-c", "\n".join(lines)]


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.ISO-8859-1"])
@pytest.mark.parametrize("option", [["--json"], []])
def test_output_is_utf8_under_any_locale(reader: FakeReader, locale: str, option: list[str]) -> None:
    picture("发票.png")
    # Without Python's own rescue of the C locale, which not every locale has.
    environment = os.environ | {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [*script(""), "extract", ".", *option]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert "总计" in done.stdout.decode("utf-8")
    assert "发票.png" in done.stdout.decode("utf-8")
    assert done.returncode == 0, done.stderr


def test_a_real_ctrl_c_ends_with_130_and_no_traceback(reader: FakeReader) -> None:
    picture("a.png")
    hang = "\n".join(
        [
            "import signal",
            "from concurrent.futures import Future",
            # the tests may run in the background of a shell, which makes its children ignore it
            "signal.signal(signal.SIGINT, signal.default_int_handler)",
            "def submit(request):",
            "    print('waiting', flush=True)",
            "    return Future()",
            "reader.submit = submit",
        ]
    )
    command = [*script(hang), "extract", "a.png"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"waiting\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()  # leaving the block waits for it, however long
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert b"1 document was not read" in errors


def test_a_reader_of_our_output_that_goes_away_is_no_crash(reader: FakeReader) -> None:
    for number in range(200):
        picture(f"{number}.png")
    command = [*script(""), "extract", ".", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode == 1
    assert b"Traceback" not in errors


def test_the_version_is_the_distributions() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout.startswith("inklane ")
