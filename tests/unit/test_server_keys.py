"""API keys: what the file holds, who gets in, what happens when it changes."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import orjson
import pytest

from pipeline.server.security.key_file import add_key, revoke_key
from pipeline.server.security.keys import ApiKey, KeyRing, make_key, parse_keys, read_keys
from schemas.errors import InvalidRequest, SettingsError

NOW = "2026-01-02T03:04:05+00:00"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def add(path: Path, name: str, **limits: int) -> tuple[str, ApiKey]:
    return add_key(path, lambda: make_key(name, NOW, requests_per_minute=limits.get("rate")))


def test_a_key_is_kept_as_its_hash_alone_and_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "keys.json"
    text, key = add(path, "scanner room")
    assert text.encode() not in path.read_bytes()
    assert text.rpartition("_")[2].encode() not in path.read_bytes()
    assert read_keys(path) == [key]
    assert key.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes().endswith(b"}\n")
    assert [entry.name for entry in path.parent.iterdir()] == ["keys.json"]


def test_keys_have_256_random_bits(tmp_path: Path) -> None:
    texts = [make_key("a", NOW)[0] for _ in range(20)]
    parts = [text.split("_") for text in texts]
    assert all(len(part) == 3 and len(part[2]) == 64 and int(part[2], 16) >= 0 for part in parts)
    assert len({part[2] for part in parts}) == 20


def test_the_right_key_is_found_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    one, first = add(path, "one")
    two, second = add(path, "two")
    ring = KeyRing(path)
    assert ring.find(one) == first
    assert ring.find(two) == second
    mixed = "_".join([*one.split("_")[:2], two.split("_")[2]])
    for wrong in (
        mixed,
        one[:-1],
        one + "0",
        one.upper(),
        "",
        "ink_",
        "ä" * 200,
        "\udcff",
        "x" * 100_000,
        first.sha256,
    ):
        assert ring.find(wrong) is None


def test_a_revoked_key_is_refused_and_stays_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    text, key = add(path, "one")
    revoke_key(path, "one", "2026-02-01T00:00:00+00:00")
    ring = KeyRing(path)
    assert ring.find(text) is None
    assert ring.get(key.id) is not None
    with pytest.raises(InvalidRequest, match="no key in force"):
        revoke_key(path, "one", NOW)
    again, _ = add(path, "one")  # the name is free again
    assert KeyRing(path).find(again) is not None


def test_two_keys_in_force_cannot_have_one_name(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    add(path, "one")
    with pytest.raises(InvalidRequest, match="another name"):
        add(path, "one")
    assert len(read_keys(path)) == 1


def test_the_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path, clock = tmp_path / "keys.json", Clock()
    one, _ = add(path, "one")
    ring = KeyRing(path, clock=clock)
    two, _ = add(path, "two")
    assert ring.find(two) is None  # it was looked at a moment ago
    clock.now += 2
    assert ring.find(two) is not None
    revoke_key(path, "one", NOW)
    clock.now += 2
    assert ring.find(one) is None


def test_a_damaged_file_leaves_the_keys_as_they_were(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, clock = tmp_path / "keys.json", Clock()
    one, _ = add(path, "one")
    ring = KeyRing(path, clock=clock)
    path.write_text("{")
    clock.now += 2
    assert ring.find(one) is not None
    assert "damaged" in caplog.text
    assert "stay in force" in caplog.text


@pytest.mark.parametrize("change", ["gone", "writable"])
def test_without_a_file_to_trust_nobody_gets_in(tmp_path: Path, change: str) -> None:
    path, clock = tmp_path / "keys.json", Clock()
    one, _ = add(path, "one")
    ring = KeyRing(path, clock=clock)
    if change == "gone":
        path.unlink()
    else:
        os.chmod(path, 0o666)
    clock.now += 2
    assert ring.find(one) is None
    with pytest.raises(SettingsError):
        KeyRing(path)


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b'{"version": 2, "keys": []}',
        b'{"version": 1, "keys": [1]}',
        b'{"version": 1, "keys": [{"id": "1"}]}',
        b"\xff",
    ],
)
def test_what_is_no_file_of_keys_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"must be|has not|invalid|unexpected|str is not"):
        parse_keys(content)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("id", "../etc"),
        ("sha256", "0" * 63),
        ("requests_per_minute", 0),
        ("requests_per_minute", True),
        ("pages_per_day", "9"),
        ("admin", "no"),
        ("name", 3),
    ],
)
def test_a_key_with_an_impossible_value_is_refused(tmp_path: Path, entry: str, value: object) -> None:
    path = tmp_path / "keys.json"
    add(path, "one")
    data = orjson.loads(path.read_bytes())
    parse_keys(orjson.dumps(data))
    data["keys"][0][entry] = value
    with pytest.raises(ValueError, match="key 1"):
        parse_keys(orjson.dumps(data))


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 81])
def test_names_that_would_spoil_a_list_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="name"):
        make_key(name, NOW)
