"""Backends that are extras: what is said where one is missing, and ``scripts/setup.sh`` on a made-up environment."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from models.extras import PACKAGES, how_to_install
from pipeline import build, build_models
from schemas.errors import BackendUnavailable, ModelError
from schemas.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("onnxruntime", "paddle", "train")
LOCKED = re.compile(r"^([a-z0-9-]+)==(\S+)(.*?) \\$", re.MULTILINE)


@pytest.mark.parametrize(("backend", "package"), [(b, p) for b, packages in PACKAGES.items() for p in packages])
def test_a_missing_backend_is_told_before_any_model_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, backend: str, package: str
) -> None:
    def resolve(*_: object) -> None:
        raise ModelError("the model is not here")

    monkeypatch.setattr(build_models, "resolve", resolve)
    for name in PACKAGES[backend]:
        monkeypatch.setitem(sys.modules, name, type(sys)(name))
        sys.modules[name].__spec__ = object()  # type: ignore[assignment]
    with pytest.raises(ModelError):
        build.build(load_settings(backend=backend))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BackendUnavailable) as caught:
        build.build(load_settings(backend=backend))
    assert f"(no {package}): {how_to_install(backend)}" in caught.value.message


@pytest.mark.parametrize("extra", EXTRAS)
def test_make_is_named_first_and_pip_second(extra: str) -> None:
    said = how_to_install(extra)
    assert 0 < said.index(f"make install EXTRAS={extra}") < said.index(f"pip install 'inklane[{extra}]'")


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extras_lock_is_the_users_lock_and_more_at_the_developers_versions(extra: str) -> None:
    def locked(name: str) -> set[tuple[str, ...]]:
        return set(LOCKED.findall((ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")))

    assert locked("run") < locked(extra)
    if extra != "train":  # paddle2onnx needs an older onnx than the tests have
        assert locked(extra) < locked("dev")
    assert {name for name, *_ in locked(extra) if name.startswith("opencv")} == {"opencv-python"}


class Machine:
    """A copy of the scripts with an environment whose Python only notes what it is asked."""

    def __init__(self, root: Path) -> None:
        self.root, self._log = root, root / "log"
        for folder in ("scripts", "requirements", ".venv/bin"):
            (root / folder).mkdir(parents=True)
        (root / "scripts/setup.sh").write_bytes((ROOT / "scripts/setup.sh").read_bytes())
        self._command("scripts/system_libraries.sh", "exit 0")
        self._command(".venv/bin/python", f'echo "$@" >> {self._log}')
        for name in ("run", "dev", *EXTRAS):
            (root / f"requirements/{name}.lock").write_text(name)
        (root / "pyproject.toml").touch()

    def _command(self, name: str, body: str) -> None:
        path = self.root / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def set_up(self, extras: str) -> tuple[list[str], int, str]:
        """The locks that were installed, the exit status, what was said."""
        self._log.write_text("")
        done = subprocess.run(
            ["sh", str(self.root / "scripts/setup.sh"), "run"],
            env={"PATH": "/usr/bin:/bin", "EXTRAS": extras},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        calls = [line for line in self._log.read_text().splitlines() if "--requirement" in line]
        assert all("--no-deps --require-hashes" in call for call in calls)
        return [call.rpartition("requirements/")[2] for call in calls], done.returncode, done.stderr


@pytest.mark.parametrize("both", ["onnxruntime paddle", "onnxruntime,paddle"])
def test_extras_are_installed_once_each(tmp_path: Path, both: str) -> None:
    machine = Machine(tmp_path)
    assert machine.set_up("")[:2] == (["run.lock"], 0)
    assert machine.set_up("paddle")[:2] == (["paddle.lock"], 0)
    assert machine.set_up(both)[:2] == (["onnxruntime.lock"], 0)
    assert machine.set_up(both)[:2] == ([], 0)
    (tmp_path / "requirements/paddle.lock").write_text("newer")
    assert machine.set_up(both)[:2] == (["paddle.lock"], 0)


def test_an_unknown_extra_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    installed, status, said = Machine(tmp_path).set_up("onnxruntime tensorflow")
    assert (installed, status) == ([], 2)
    assert "EXTRAS=tensorflow: there are onnxruntime, paddle and train" in said
