"""``inklane keys``, as it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli.app import app
from pipeline.server.security.keys import KeyRing, read_keys


def run(*arguments: str, status: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(app, ["keys", *arguments])
    assert result.exit_code == status, result.output
    return result.stdout, result.stderr


def test_a_key_is_printed_once_and_works(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    out, told = run("add", "scanner", "--file", str(file), "--requests-per-minute", "60", "--pages-per-day", "9")
    text = out.strip()
    assert out == f"{text}\n"
    assert text not in told
    key = KeyRing(file).find(text)
    assert key is not None
    assert (key.name, key.requests_per_minute, key.pages_per_day, key.admin) == ("scanner", 60, 9, False)
    listed, _ = run("list", "--file", str(file))
    assert key.id in listed
    assert text not in listed
    assert key.sha256 not in listed


def test_a_key_is_revoked_by_its_name_or_its_id(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    for name in ("one", "two"):
        run("add", name, "--file", str(file))
    run("revoke", "one", "--file", str(file))
    run("revoke", read_keys(file)[1].id, "--file", str(file))
    assert all(key.revoked for key in read_keys(file))
    _, told = run("revoke", "one", "--file", str(file), status=1)
    assert "no key in force" in told


def test_the_settings_say_which_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INKLANE_SERVER__KEYS_FILE", str(tmp_path / "elsewhere" / "k.json"))
    run("add", "root", "--admin")
    assert read_keys(tmp_path / "elsewhere" / "k.json")[0].admin
    monkeypatch.delenv("INKLANE_SERVER__KEYS_FILE")
    _, told = run("list", status=2)
    assert "keys.json is not there" in told
    run("add", "here")
    assert (tmp_path / "keys.json").is_file()
