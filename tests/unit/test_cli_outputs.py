from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.cli.inputs import Input
from pipeline.cli.outputs import make_folder, output_names, write_atomically
from schemas.errors import InklaneError


def inputs(*names: str) -> list[Input]:
    return [Input(Path(f"/{number}/{name}"), name, Path(name)) for number, name in enumerate(names)]


def outputs(*names: str) -> list[str]:
    return [str(name) for name in output_names(inputs(*names))]


def test_names_lose_their_suffix_only_and_keep_their_folder() -> None:
    assert outputs("a.jpg", "sub/v1.2.pdf", "none", ".hidden") == ["a", "sub/v1.2", "none", ".hidden"]


def test_names_that_clash_keep_their_suffix_and_then_are_numbered() -> None:
    assert outputs("a.jpg", "a.png", "a.png", "a.png", "a-2.png") == ["a", "a.png", "a-2", "a-3", "a-2.png"]


@pytest.mark.parametrize(("one", "two"), [("Scan.png", "scan.png"), ("é.png", "e\N{COMBINING ACUTE ACCENT}.png")])
def test_names_that_a_file_system_may_take_for_the_same_clash(one: str, two: str) -> None:
    assert outputs(one, two)[1] == two


@given(st.lists(st.sampled_from(["a", "a.b", "A.b", "a.b.c", "a-2", "a-2.b", "a.b-2"]), max_size=12))
def test_no_two_names_are_alike(names: list[str]) -> None:
    assert len({name.casefold() for name in outputs(*names)}) == len(names)


def test_a_name_as_long_as_a_file_system_takes_still_has_room_for_suffixes(tmp_path: Path) -> None:
    longest = "文" * 83 + ".png"  # 253 bytes
    other = "文" * 82 + "字" + ".png"
    one, two = outputs(longest, other)
    assert one != two
    for name in (one, two):
        write_atomically(tmp_path / f"{name}.json", b"{}")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_is_replaced_as_a_whole_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    write_atomically(path, b"old")
    before = os.stat(path).st_ino
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.stat(path).st_ino != before
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def full(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InklaneError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, file / "below"):
        with pytest.raises(InklaneError, match="cannot make the folder"):
            make_folder(path)
