from __future__ import annotations

import os
from pathlib import Path

import pytest

from schemas.errors import SettingsError
from schemas.settings import Settings, StagesSettings, load_settings
from schemas.settings_fields import walk
from schemas.settings_reference import markdown

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("INKLANE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def refusal(**values: object) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(**values)
    message = caught.value.message
    assert "pydantic" not in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({"backend": "openvno"}, ["backend", "'openvno'", "openvino, onnxruntime or paddle", "mean openvino?"]),
        ({"dpi": 9}, ["dpi", "a whole number from 36 to 1200", "not 9"]),
        ({"dpi": "many"}, ["dpi", "a whole number", "'many'"]),
        ({"in_process": "perhaps"}, ["in_process", "true or false", "'perhaps'"]),
        ({"detection": {"threshold": 1.5}}, ["detection.threshold", "a number above 0 and below 1", "1.5"]),
        ({"detection": 7}, ["detection", "a table of settings", "7"]),
        ({"model_dir": 7}, ["model_dir", "a path", "7"]),
        ({"bakend": "paddle"}, ["bakend", "no such setting", "mean backend?"]),
        ({"limits": {"max_page": 7}}, ["limits.max_page", "mean limits.max_pages?"]),
        ({"min_confidence": 0.5}, ["mean recognition.min_confidence or fields.min_confidence?"]),
        ({"max_batch_size": 4}, ["max_batch_size", "mean stages.open.max_batch_size?"]),
        ({"fields": {"min_confidence": 2}}, ["fields.min_confidence", "a number from 0 to 1", "not 2"]),
        ({"stages": {"recogniton": {}}}, ["stages.recogniton", "mean stages.recognition?"]),
        ({"stages": {"decode": {"preferred_batch_sizes": ["x"]}}}, ["preferred_batch_sizes.0", "'x'"]),
        ({"stages": {"decode": {"preferred_batch_sizes": [0]}}}, ["stages.decode", "preferred_batch_sizes", "0"]),
        ({"zzz": 1}, ["zzz", "no such setting"]),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_allowed(values: dict[str, object], parts: list[str]) -> None:
    message = refusal(**values)
    assert all(part in message for part in [*parts, "an argument"]), message


@pytest.mark.parametrize(
    ("name", "value", "parts"),
    [
        ("INKLANE_DPI", "x", ["dpi (INKLANE_DPI)", "'x'", "from 36 to 1200"]),
        ("inklane_dpi", "x", ["dpi (inklane_dpi)"]),
        ("INKLANE_BAKEND", "paddle", ["INKLANE_BAKEND", "mean INKLANE_BACKEND?"]),
        ("INKLANE_STAGES_RECOGNITION_MAX_BATCH_SIZE", "4", ["mean INKLANE_STAGES__RECOGNITION__MAX_BATCH_SIZE?"]),
        ("INKLANE_LIMITS__MAX_PAGE", "4", ["limits.max_page (INKLANE_LIMITS__MAX_PAGE)", "mean limits.max_pages?"]),
        ("INKLANE_CONFG", "a.toml", ["mean INKLANE_CONFIG?"]),
        ("INKLANE_STAGES", "{", ["INKLANE_STAGES"]),
        ("INKLANE_LIMITS", '{"max_pages": 0}', ["limits.max_pages (INKLANE_LIMITS)", "at least 1"]),
        ("INKLANE_STAGES__DECODE__PREFERRED_BATCH_SIZES", "4,8", ["INKLANE_STAGES"]),
        ("INKLANE_", "1", ["INKLANE_"]),
    ],
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, parts: list[str]) -> None:
    monkeypatch.setenv(name, value)
    message = refusal()
    assert all(part in message for part in parts), message
    assert "argument" not in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("dpi = 9", ["dpi (inklane.toml)", "from 36 to 1200"]),
        ("[limit]\nmax_pages = 1", ["limit (inklane.toml)", "mean limits?"]),
        ("[limits\n", ["inklane.toml", "cannot be read"]),
    ],
)
def test_a_wrong_line_of_the_file_is_named(text: str, parts: list[str]) -> None:
    Path("inklane.toml").write_text(text)
    message = refusal()
    assert all(part in message for part in parts), message


def test_the_source_that_won_is_the_one_named(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("inklane.toml").write_text("dpi = 9")
    assert load_settings(dpi=100).dpi == 100
    monkeypatch.setenv("INKLANE_DPI", "8")
    assert "INKLANE_DPI" in refusal()
    assert "an argument" in refusal(dpi=7)


def test_what_exists_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[limits]\nmax_pages = 5")
    monkeypatch.setenv("INKLANE_CONFIG", "own.toml")
    monkeypatch.setenv("INKLANE_STAGES__DECODE__PREFERRED_BATCH_SIZES", "[2, 4]")
    settings = load_settings(backend="paddle")
    assert (settings.limits.max_pages, settings.backend) == (5, "paddle")
    assert settings.stages.decode.preferred_batch_sizes == (2, 4)


def test_every_setting_is_described_and_can_be_set_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in walk(Settings):
        assert setting.description, setting.key
        if isinstance(setting.default, int | float):
            monkeypatch.setenv(setting.variable, str(setting.default))
    assert load_settings() == Settings.model_construct()


def test_the_reference_is_current_and_complete() -> None:
    text = markdown()
    for setting in walk(Settings):
        stage = setting.key.split(".")[1] if setting.key.startswith("stages.") else None
        assert stage is None or stage in StagesSettings.model_fields
        variable = setting.variable if stage is None else setting.variable.replace(f"__{stage.upper()}__", "__NAME__")
        assert f"| `{variable}` |" in text
    assert (ROOT / "docs/settings.md").read_text() == text, "python -m schemas.settings_reference > docs/settings.md"
