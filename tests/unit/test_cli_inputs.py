from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.cli.inputs import find_inputs, natural_key

PNG = b"\x89PNG\r\n\x1a\n rest"
HEADS = {
    "jpeg": b"\xff\xd8\xff\xe0",
    "png": PNG,
    "gif": b"GIF89a",
    "tiff": b"II*\x00",
    "webp": b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    "bmp": b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00" + bytes(30),
    "pdf": b"%PDF-1.7",
    "pdf after junk": b"\r\n\x00junk%PDF-1.4",
}


def put(path: Path, data: bytes = PNG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(*paths: Path, leave_out: tuple[Path, ...] = ()) -> list[str]:
    return [str(file.relative) for file in find_inputs(paths, leave_out).files]


def test_folders_are_walked_in_natural_order(tmp_path: Path) -> None:
    for name in ["p10.png", "p2.png", "P1.png", "b/p3.png", "a10/x.png", "a9/x.png"]:
        put(tmp_path / name)
    assert names(tmp_path) == ["P1.png", "p2.png", "p10.png", "a9/x.png", "a10/x.png", "b/p3.png"]


@pytest.mark.parametrize("head", HEADS.values(), ids=list(HEADS))
def test_in_a_folder_the_content_makes_a_document(tmp_path: Path, head: bytes) -> None:
    put(tmp_path / "no suffix", head)
    put(tmp_path / "misnamed.txt", head)
    assert names(tmp_path) == ["misnamed.txt", "no suffix"]


@pytest.mark.parametrize("data", [b"", b"BM is how this text begins, and it goes on", b'{"a": 1}', bytes(50)])
def test_other_files_of_a_folder_are_skipped_but_not_what_is_called_like_a_document(
    tmp_path: Path, data: bytes
) -> None:
    skipped = put(tmp_path / "notes.md", data)
    put(tmp_path / "broken.JPG", data)
    put(tmp_path / "broken.pdf", data)
    found = find_inputs([tmp_path])
    assert [str(file.relative) for file in found.files] == ["broken.JPG", "broken.pdf"]
    assert found.skipped == [skipped]


def test_a_file_that_was_named_is_always_read(tmp_path: Path) -> None:
    path = put(tmp_path / ".hidden.txt", b"text")
    assert [(file.path, file.name) for file in find_inputs([path]).files] == [(path, str(path))]


def test_hidden_files_results_and_linked_folders_are_not_walked(tmp_path: Path) -> None:
    put(tmp_path / "a.png")
    put(tmp_path / ".b.png")
    put(tmp_path / ".git" / "c.png")
    put(tmp_path / "out" / "pictures" / "d.png")
    os.symlink(tmp_path, tmp_path / "loop")
    assert names(tmp_path, leave_out=(tmp_path / "out",)) == ["a.png"]


@pytest.mark.parametrize("name", ["发票 一.png", "reçu été.png", "a b  c.png", "-rf.png", "x\n.png"])
def test_any_file_name_is_found(tmp_path: Path, name: str) -> None:
    put(tmp_path / name)
    assert names(tmp_path) == [name]


def test_names_that_are_no_utf8_become_readable_and_are_still_found(tmp_path: Path) -> None:
    paths = [put(tmp_path / os.fsdecode(name)) for name in (b"a\xff.png", b"b\xfe.png")]
    found = find_inputs([tmp_path])
    assert [file.path for file in found.files] == paths
    assert [Path(file.name).name for file in found.files] == ["a\ufffd.png", "b\ufffd.png"]


def test_what_cannot_be_read_is_a_problem_with_its_name_and_the_rest_go_on(tmp_path: Path) -> None:
    good = put(tmp_path / "a.png")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    empty = tmp_path / "empty"
    empty.mkdir()
    missing, long, null = tmp_path / "missing.png", tmp_path / ("x" * 300), Path(f"{tmp_path}/a\0b")
    found = find_inputs([missing, good, fifo, empty, long, null])
    assert [entry.path for entry in found.entries] == [missing, good, fifo, empty, long, null]
    assert [file.path for file in found.files] == [good]
    assert [name for name, _ in found.problems] == [str(path) for path in (missing, fifo, empty, long, null)]
    assert all(error.code == "file_missing" and error.message for _, error in found.problems)


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = put(tmp_path / "a.png")
    put(tmp_path / "b.png")
    assert names(path, tmp_path, tmp_path / ".." / tmp_path.name / "a.png") == ["a.png", "b.png"]


@pytest.mark.parametrize(
    ("given", "got"),
    [
        (["in/a.png"], ["in/a.png"]),
        (["./in/a.png"], ["./in/a.png"]),
        (["in/sub/../a.png", "in/sub/b.png"], ["in/sub/../a.png", "in/sub/b.png"]),
        (["in"], ["in/a.png", "in/sub/b.png"]),
        (["in/"], ["in/a.png", "in/sub/b.png"]),
        (["."], ["./in/a.png", "./in/sub/b.png"]),
        (["in/sub", "in"], ["in/sub/b.png", "in/a.png"]),
    ],
)
def test_a_file_is_called_by_the_path_as_given_whatever_is_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], got: list[str]
) -> None:
    put(tmp_path / "in" / "a.png")
    put(tmp_path / "in" / "sub" / "b.png")
    monkeypatch.chdir(tmp_path)
    assert [file.name for file in find_inputs(given).files] == got


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("missing.png", "does not exist; check the path"),
        ("", "does not exist; check the path"),
        ("here/x.png", "does not exist; check the path"),  # below a file
        ("a\0b", "does not exist; check the path"),
        ("-", "URLs and standard input are not read"),
        ("https://example.org/a.png", "URLs and standard input are not read"),
        ("S3://bucket/a", "URLs and standard input are not read"),
        ("fifo", "neither a file nor a folder"),
    ],
)
def test_why_a_path_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, said: str) -> None:
    put(tmp_path / "here")
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.chdir(tmp_path)
    [(name, error)] = find_inputs([given]).problems
    assert name == given
    assert said in error.message


def test_a_file_called_like_a_url_or_a_dash_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "-")
    put(tmp_path / "http:" / "a.png")
    monkeypatch.chdir(tmp_path)
    assert [file.name for file in find_inputs(["-", "http://a.png"]).files] == ["-", "http://a.png"]


def test_natural_order_survives_very_long_numbers_and_other_digits() -> None:
    texts = ["a" + "9" * 5000, "a٣", "a²", "a10", "a009"]
    assert sorted(texts, key=natural_key)[:3] == ["a009", "a10", "a" + "9" * 5000]
