"""What is tried, and how the outcome is written."""

from __future__ import annotations

import errno
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.cli import tune
from pipeline.cli.app import app
from pipeline.profiles import cpu_profile
from pipeline.tuning.documents import find_documents, spaced
from pipeline.tuning.knobs import Changes, changed, knobs, spelled
from pipeline.tuning.machine import parse_cpuinfo, processor
from pipeline.tuning.search import Found
from pipeline.tuning.settings_file import to_toml, write_settings
from pipeline.tuning.trial import Trial
from schemas.errors import InklaneError, SettingsError
from schemas.settings import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No inklane.toml and no variables of the developer's."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith("INKLANE_"):
            monkeypatch.delenv(name)


# --- knobs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("cores", [1, 2, 16])
@pytest.mark.parametrize("quick", [True, False])
def test_every_choice_is_valid_and_differs_from_what_is_in_force(precision: str, cores: int, quick: bool) -> None:
    settings = Settings(cores=cores)
    found = knobs(settings, precision, quick=quick)
    profile = cpu_profile(precision)
    names = [knob.name for knob in found]
    assert len(set(names)) == len(names)
    assert ("detection lanes" in names) == (cores > 1)
    for knob in found:
        for choice in knob.choices:
            assert changed(settings, choice) != settings
            assert choice.get("precision") != precision
            assert choice.get("stages.recognition.max_batch_size") != profile.line_batch
            assert choice.get("recognition.max_padding") != profile.max_padding


def test_what_the_user_has_set_is_what_is_in_force() -> None:
    settings = changed(Settings(cores=8), {"stages.recognition.max_batch_size": 6, "stages.detection.instances": 3})
    choices = [choice for knob in knobs(settings, "f32") for choice in knob.choices]
    sizes = {c.get("stages.recognition.max_batch_size") for c in choices} - {None}
    lanes = {c.get("stages.detection.instances") for c in choices} - {None}
    assert 6 not in sizes
    assert 4 in sizes
    assert lanes == {1, 2, 4}


@pytest.mark.parametrize("backend", ["onnxruntime", "paddle"])
def test_precision_is_tried_only_where_it_can_be_chosen(backend: Any) -> None:
    assert "precision" not in {knob.name for knob in knobs(Settings(backend=backend), "f32")}


def test_a_larger_batch_gets_a_larger_budget() -> None:
    knob = next(k for k in knobs(Settings(), "f32") if k.name == "recognition batch")
    for choice in knob.choices:
        size = choice["stages.recognition.max_batch_size"]
        profile = cpu_profile("f32")
        assert choice["stages.recognition.max_batch_pixels"] * profile.line_batch == size * profile.line_pixels


def test_changes_leave_everything_else_alone() -> None:
    settings = Settings(dpi=150, model_dir=Path("/m"))
    other = changed(settings, {"stages.recognition.max_batch_size": 3, "recognition.max_padding": 0.1})
    assert (other.dpi, other.model_dir) == (150, Path("/m"))
    assert other.stages.recognition.max_batch_size == 3
    assert other.recognition.max_padding == 0.1
    assert settings.stages.recognition.max_batch_size == 0


def test_impossible_changes_are_settings_errors() -> None:
    with pytest.raises(SettingsError, match="max_padding"):
        changed(Settings(), {"recognition.max_padding": 3.0})
    with pytest.raises(KeyError, match="no_such"):
        changed(Settings(), {"recognition.no_such": 1})


# --- the settings file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"precision": "f32"},
        {"stages.recognition.max_batch_size": 6, "recognition.max_padding": 0.12, "allow_download": False},
        {"stages.recognition.max_batch_size": 8, "stages.recognition.preferred_batch_sizes": (2, 4)},
        {"model_dir": Path('/m/quo"te\\back\x7f ü\ttab')},
        {"recognition.charset": "01 2\n\"'äß漢"},
        {"detection.threshold": 1e-05, "limits.max_pages": 7},
    ],
)
def test_a_written_file_reads_back(changes: Changes) -> None:
    settings = changed(Settings(), changes)
    text = to_toml(settings, ["found\nsomewhere"], {name: "two\nlines" for name in changes})
    values = tomllib.loads(text)
    assert Settings(**values) == settings
    assert sum(_count(value) for value in values.values()) == len(changes), "only what differs from the defaults"
    comment_lines = [line for line in text.splitlines() if line.startswith("#")]
    assert comment_lines == ["# found somewhere"] + ["# two lines"] * len(changes)


def _count(value: Any) -> int:
    return sum(map(_count, value.values())) if isinstance(value, dict) else 1


def test_a_comment_stands_above_its_setting() -> None:
    settings = changed(Settings(), {"stages.recognition.max_batch_size": 6, "precision": "f32"})
    text = to_toml(settings, ["head"], {"stages.recognition.max_batch_size": "1.1 times as fast"})
    assert text == ('# head\n\nprecision = "f32"\n\n[stages.recognition]\n# 1.1 times as fast\nmax_batch_size = 6\n')


@pytest.mark.parametrize("links", [True, False])
def test_an_existing_file_is_replaced_only_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:

        def refuse(source: Path, target: Path) -> None:
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "sub" / "inklane.toml"
    write_settings(path, "a = 1\n", replace=False)
    with pytest.raises(SettingsError, match="--force"):
        write_settings(path, "a = 2\n", replace=False)
    assert path.read_text() == "a = 1\n"
    write_settings(path, "a = 3\n", replace=True)
    assert path.read_text() == "a = 3\n"
    assert os.listdir(path.parent) == ["inklane.toml"], "no temporary files stay"


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for replace in (True, False):
        with pytest.raises(InklaneError, match="cannot write"):
            write_settings(tmp_path / "file" / "inklane.toml", "", replace=replace)


# --- documents and machine --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("total", "count"), [(3, 5), (5, 5), (10, 3), (1000, 24), (7, 1)])
def test_documents_are_evenly_spaced(total: int, count: int) -> None:
    paths = [Path(str(n)) for n in range(total)]
    chosen = spaced(paths, count)
    assert len(chosen) == min(total, count)
    numbers = [int(path.name) for path in chosen]
    assert numbers[0] == 0
    gaps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    assert not gaps or max(gaps) - min(gaps) <= 1


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("nothing to read")
    with pytest.raises(InklaneError, match="[Nn]o documents"):
        find_documents(tmp_path, 3)


def test_the_samples_are_the_default() -> None:
    assert find_documents(None, 3)


def test_processors_of_both_kinds() -> None:
    x86 = parse_cpuinfo("processor\t: 0\nmodel name\t: Some CPU @ 2:1\nflags\t\t: sse avx2\n\nprocessor\t: 1\n")
    assert (x86.name, x86.features) == ("Some CPU @ 2:1", frozenset(["sse", "avx2"]))
    arm = parse_cpuinfo("processor\t: 0\nFeatures\t: fp bf16\n")
    assert (arm.name, arm.features) == ("", frozenset(["fp", "bf16"]))
    assert parse_cpuinfo("") == type(arm)("", frozenset())
    assert processor().name


# --- the command ------------------------------------------------------------------------------------------------


class FakeSubject:
    """In place of a worker process: a batch of six lines is a fifth faster than anything else."""

    opened = 0

    def __init__(self, settings: Settings, paths: list[Path], least: int) -> None:
        type(self).opened += 1
        self._rate = 1.2 if settings.stages.recognition.max_batch_size == 6 else 1.0
        self.texts = ["some words"] * len(paths)
        self.failed: dict[Path, str] = {}
        self.models, self.precision = {"backend": "openvino f32"}, "f32"

    def rate(self) -> float:
        return self._rate

    def close(self) -> None:
        pass


@pytest.fixture
def fake_readers(monkeypatch: pytest.MonkeyPatch) -> type[FakeSubject]:
    monkeypatch.setattr(FakeSubject, "opened", 0)
    monkeypatch.setattr(tune, "LiveSubject", FakeSubject)
    return FakeSubject


def test_tune_writes_what_won_and_keeps_what_the_user_had_set(
    fake_readers: type[FakeSubject], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INKLANE_DPI", "150")
    result = CliRunner().invoke(app, ["tune", "--out", "found.toml"])
    assert result.exit_code == 0, result.output
    text = (tmp_path / "found.toml").read_text()
    assert tomllib.loads(text) == {
        "dpi": 150,
        "stages": {"recognition": {"max_batch_size": 6, "max_batch_pixels": 6 * 48 * 320}},
    }
    assert "# 1.200 times as fast as before; 100.00% of the words read alike" in text
    assert "taken" in result.output


def test_tune_writes_nothing_when_nothing_wins(fake_readers: type[FakeSubject], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["tune", "--quick"])  # quick does not try six
    assert result.exit_code == 0, result.output
    assert "best here" in result.output
    assert not list(tmp_path.iterdir())


def test_tune_refuses_before_measuring_to_replace_a_file(fake_readers: type[FakeSubject], tmp_path: Path) -> None:
    (tmp_path / "inklane.toml").write_text("dpi = 150\n")
    result = CliRunner().invoke(app, ["tune"])
    assert result.exit_code == 2
    assert fake_readers.opened == 0
    assert (tmp_path / "inklane.toml").read_text() == "dpi = 150\n"
    forced = CliRunner().invoke(app, ["tune", "--force"])
    assert forced.exit_code == 0, forced.output
    values = tomllib.loads((tmp_path / "inklane.toml").read_text())
    assert values["dpi"] == 150
    assert values["stages"]["recognition"]["max_batch_size"] == 6


def test_only_the_last_winner_of_a_setting_is_commented() -> None:
    first = Trial("batch", {"stages.recognition.max_batch_size": 8}, "taken", [1.1], 1.0)
    second = Trial("batch", {"stages.recognition.max_batch_size": 6}, "taken", [1.2], 0.99)
    lost = Trial("padding", {"recognition.max_padding": 0.1}, "surpassed", [1.1], 1.0)
    found = Found({"stages.recognition.max_batch_size": 6}, [first, second, lost])
    assert tune.comments(found) == {
        "stages.recognition.max_batch_size": "1.200 times as fast as before; 99.00% of the words read alike"
    }
    assert spelled(second.changes) == "max_batch_size 6"
