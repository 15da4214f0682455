"""``inklane train``: options, what is said, and how it ends; training itself is stood in for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import train as command
from pipeline.cli.app import app
from pipeline.training.job import Job, Places
from pipeline.training.measure import Measured, Score
from tests.factories.training_pages import receipt, write_labels


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_labels(tmp_path / "shop", [receipt()])


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Job, bool]]:
    """Jobs that were executed, each with whether it was for the export alone."""
    seen: list[tuple[Job, bool]] = []

    def execute(job: Job, places: Places, *_: Any, export_only: bool) -> Measured:
        seen.append((job, export_only))
        return Measured([Score("held-out pages", "read", 12, 0.875, 1.0), Score("other", "true", 3, None, None)])

    monkeypatch.setattr(command, "execute", execute)
    monkeypatch.setattr(command, "require_packages", lambda: None)
    return seen


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["train", "layout-ner", *map(str, arguments)])


def test_it_tells_scores_and_how_to_use_the_model(shop: Path, tmp_path: Path, done: list[tuple[Job, bool]]) -> None:
    out = tmp_path / "run"
    result = run("--data", shop, "--out", out, "--name", "mine", "--seed", 4, "--rendered", 0, "--processes", 3)
    assert result.exit_code == 0, result.output
    assert "held-out pages, 12 pages, read lines: field F1 0.875" in result.stdout
    assert "other, 3 pages, true lines: field F1 -" in result.stdout
    assert f"export INKLANE_MODELS__LAYOUT_NER={out / 'model'}\n" in result.stdout
    assert "DOCTYPES" not in result.stdout
    (job, export_only), recipe = done[0], done[0][0].recipe
    assert (recipe.name, recipe.seed, recipe.processes, recipe.rendered, export_only) == ("mine", 4, 3, (), False)
    assert job.data == (shop,)


def test_document_types_of_the_users_own_are_named_too(
    shop: Path, tmp_path: Path, done: list[tuple[Job, bool]]
) -> None:
    own = tmp_path / "types"
    own.mkdir()
    (own / "lease.yaml").write_text("names: {en: Lease}\nreader: network\nfields:\n  company: {}\n")
    result = run("--data", shop, "--out", tmp_path / "run", "--doctypes", own)
    assert result.exit_code == 0, result.output
    assert f"export INKLANE_FIELDS__DOCTYPES_DIR={own}\n" in result.stdout


def test_all_cores_work_unless_a_recipe_or_the_user_says_otherwise(
    shop: Path, tmp_path: Path, done: list[tuple[Job, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INKLANE_CORES", "7")
    recipe = tmp_path / "recipe.json"
    recipe.write_text('{"processes": 3}')
    for arguments, expected in (([], 7), (["--recipe", recipe], 3), (["--recipe", recipe, "--processes", 2], 2)):
        assert run("--data", shop, "--out", tmp_path / "run", *arguments).exit_code == 0
        assert done[-1][0].recipe.processes == expected


def test_what_will_not_come_out_as_in_the_recipe_is_told(
    shop: Path, tmp_path: Path, done: list[tuple[Job, bool]]
) -> None:
    recipe = tmp_path / "recipe.json"
    recipe.write_text('{"data": [{"name": "shop", "labels": "0"}]}')
    result = run("--data", shop, "--out", tmp_path / "run", "--recipe", recipe)
    assert "the labels of shop are not those of the recipe" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--steps", "3", "--minutes", "2"], "exclude each other"),
        (["--steps", "0"], "--steps"),
        (["--data", "nowhere"], "nowhere"),
        (["--no-synthetic"], "nothing to train on"),
        (["--export-only"], "holds no training run"),
        (["--export-only", "--steps", "3"], "only --overwrite goes with it"),
        (["--recipe", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_options_are_status_two(
    tmp_path: Path, done: list[tuple[Job, bool]], arguments: list[str], message: str
) -> None:
    result = run("--out", tmp_path / "run", *arguments)
    assert (result.exit_code, done) == (2, [])
    assert message in result.stderr


def test_a_model_is_only_replaced_when_asked(shop: Path, tmp_path: Path, done: list[tuple[Job, bool]]) -> None:
    model = tmp_path / "run" / "model"
    model.mkdir(parents=True)
    (model / "layout_ner.yaml").touch()
    result = run("--data", shop, "--out", tmp_path / "run")
    assert (result.exit_code, done) == (2, [])
    assert "--overwrite" in result.stderr
    assert run("--data", shop, "--out", tmp_path / "run", "--overwrite").exit_code == 0


def test_ctrl_c_says_what_is_kept(
    shop: Path, tmp_path: Path, done: list[tuple[Job, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "execute", stopped)
    out = tmp_path / "run"
    result = run("--data", shop, "--out", out)
    assert result.exit_code == 130
    assert "the same command goes on from there" in result.stderr
    assert "--export-only" not in result.stderr
    places = Places(out)
    places.training.mkdir(parents=True)
    places.weights.write_bytes(b"weights")
    result = run("--data", shop, "--out", out, "--overwrite")
    assert result.exit_code == 130
    assert f"inklane train layout-ner --out {out} --export-only" in result.stderr


def test_the_export_alone_takes_everything_from_the_run(
    shop: Path, tmp_path: Path, done: list[tuple[Job, bool]]
) -> None:
    out = tmp_path / "run"
    run("--data", shop, "--out", out, "--name", "mine")
    places = Places(out)
    places.training.mkdir(parents=True)
    places.job.write_text(done[0][0].model_dump_json())
    places.weights.write_bytes(b"weights")
    assert run("--data", shop, "--out", out).exit_code == 2
    result = run("--out", out, "--export-only")
    assert result.exit_code == 0, result.output
    assert done[-1] == (done[0][0], True)


def test_a_missing_extra_is_told(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.training.job.find_spec", lambda name: None)
    result = run("--data", shop, "--out", tmp_path / "run")
    assert result.exit_code == 1
    assert "pip install 'inklane[train]'" in result.stderr
