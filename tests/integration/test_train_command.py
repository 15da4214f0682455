"""``inklane train layout-ner`` from end to end, with a tiny network and a few steps."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from models.layout_ner.example import Example
from models.layout_ner.model_files import find_layout_ner
from pipeline.cli.app import app
from pipeline.training.recipe import load_recipe
from schemas.settings import load_settings
from stages.fields.calibration import Calibration
from tests.factories.training_pages import NETWORK, receipt, write_labels
from tests.unit.synth_pages import palette

paddle = pytest.importorskip("paddle", reason="training needs Paddle, from the extra train")
pytest.importorskip("paddle2onnx", reason="training needs paddle2onnx, from the extra train")

TINY: dict[str, Any] = {
    "name": "tiny", "seed": 3, "read": False, "network": NETWORK, "optimisation": {"steps": 2, "evaluate_every": 1},
    "processes": 1, "window": 6, "budget": 1024, "validation_pages": 1,
}  # fmt: skip


def shops(count: int = 30) -> list[Example]:
    """Receipts of companies that are not called alike."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [
        receipt(f"{at}.00", company=(letters[at % 26] * 3 + letters[7 * at % 26] * 4,)) for at in range(10, 10 + count)
    ]


def tiny(folder: Path, **changes: Any) -> Path:
    path = folder / "tiny.json"
    path.write_text(json.dumps(TINY | changes))
    return path


def run(*arguments: Any) -> Result:
    result = CliRunner().invoke(app, ["train", "layout-ner", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_synthetic_pages_alone_make_a_model_that_can_be_repeated(tmp_path: Path) -> None:
    palette()
    out = tmp_path / "run"
    result = run("--recipe", tiny(tmp_path), "--out", out)
    assert result.exit_code == 0, result.output
    model = out / "model"
    assert f"export INKLANE_MODELS__LAYOUT_NER={model}" in result.stdout
    assert sorted(path.name for path in model.iterdir()) == [
        "README.md", "layout_ner.yaml", "log.jsonl", "model.json", "model.onnx", "model.pdiparams", "recipe.json",
        "vocabulary.txt",
    ]  # fmt: skip
    for backend in ("openvino", "paddle"):
        found = find_layout_ner(load_settings(models={"layout_ner": str(model)}), backend)
        assert found.description.name == "tiny"
        assert {"receipt", "form", "vat_invoice"} <= set(found.tags.fields)
        Calibration.from_mapping(found.description.calibration)
    steps = [json.loads(row) for row in (model / "log.jsonl").read_text().splitlines()]
    assert [row.get("step") for row in steps] == [None, 1, 2]
    recipe = load_recipe(model / "recipe.json")
    assert recipe.optimisation["learning_rate"] > 0
    assert recipe.made_with["paddlepaddle"]

    again = tmp_path / "again"
    assert run("--recipe", model / "recipe.json", "--out", again).exit_code == 0
    assert load_recipe(again / "model" / "recipe.json") == recipe
    first, second = (paddle.load(str(folder / "training" / "best.pdparams")) for folder in (out, again))
    assert list(first) == list(second)
    assert all(np.array_equal(value.numpy(), second[name].numpy()) for name, value in first.items())


def test_own_documents_of_an_own_type_make_a_model_that_reads_them(tmp_path: Path) -> None:
    types = tmp_path / "types"
    types.mkdir()
    (types / "slip.yaml").write_text(
        "names: {en: Slip}\nreader: network\nfields:\n  company: {}\n  total: {type: money}\n"
    )
    shop = write_labels(tmp_path / "shop", shops(), doc_type=None)
    out = tmp_path / "run"
    options = ("--data", shop, "--type", "slip", "--doctypes", types, "--no-synthetic", "--out", out)
    result = run("--recipe", tiny(tmp_path), "--eval", shop, *options)
    assert result.exit_code == 1
    assert "doc_type is missing" in result.stderr  # --type is for the data; what is measured on must say itself
    result = run("--recipe", tiny(tmp_path), *options)
    assert result.exit_code == 0, result.output
    found = find_layout_ner(load_settings(models={"layout_ner": str(out / "model")}), "openvino")
    assert found.tags.fields == {"slip": ("company", "total")}
    (data,) = load_recipe(out / "model" / "recipe.json").data
    assert (data.name, data.doc_type, data.pages, data.held_out) == ("shop", "slip", 30, 2)
    card = (out / "model" / "README.md").read_text()
    assert "| held-out pages | true | 2 |" in card
    assert str(tmp_path) not in card + (out / "model" / "recipe.json").read_text()


def test_a_recipe_for_another_network_is_refused(tmp_path: Path) -> None:
    shop = write_labels(tmp_path / "shop", [receipt()])
    for changes, reason in (
        ({"network": {"widht": 8}}, "network has no 'widht'"),
        ({"network": {"width": 18}}, "width must be a multiple of 4"),
        ({"network": {"width": "96"}}, "network.width must be like 96"),
        ({"optimisation": {"step": 8}}, "optimisation has no 'step'"),
        ({"optimisation": {"warm_up": 2.5}}, "warm_up must be a whole number"),
    ):
        recipe = tiny(tmp_path, synthetic=False, **changes)
        result = run("--recipe", recipe, "--data", shop, "--out", tmp_path / "run", "--overwrite")
        assert (result.exit_code, reason in result.stderr) == (2, True), result.stderr


def test_ctrl_c_keeps_the_best_weights_and_the_export_takes_them(tmp_path: Path) -> None:
    shop = write_labels(tmp_path / "shop", shops())
    recipe = tiny(
        tmp_path, synthetic=False, processes=2, optimisation={"steps": 10**6, "evaluate_every": 5, "patience": 10**6}
    )
    out = tmp_path / "run"
    command = [sys.executable, "-m", "pipeline", "train", "layout-ner"]
    options = ["--recipe", str(recipe), "--data", str(shop), "--out", str(out)]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [*command, *options],
        cwd=root,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    assert process.stderr is not None
    try:
        for row in process.stderr:
            if row.startswith("step 10:"):
                break
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(60) == 130, said
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert f"inklane train layout-ner --out {out} --export-only" in said
    assert "Traceback" not in said
    assert not (out / "model").exists()
    result = run("--out", out, "--export-only")
    assert result.exit_code == 0, result.output
    assert (out / "model" / "model.onnx").is_file()


def test_minutes_are_kept_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.training import session

    planned: list[int] = []

    def too_many(*given: Any) -> int:
        planned.append(steps_within(*given))
        return 10**7  # as on a machine that gets slower

    steps_within = session.steps_within
    monkeypatch.setattr(session, "steps_within", too_many)
    shop = write_labels(tmp_path / "shop", shops())
    recipe = tiny(tmp_path, synthetic=False, optimisation={"evaluate_every": 10, "patience": 10**6})
    began = time.monotonic()
    result = run("--recipe", recipe, "--data", shop, "--out", tmp_path / "run", "--minutes", "0.1")
    assert result.exit_code == 0, result.output
    assert time.monotonic() - began < 300  # to the last step it would take a week
    assert "0.1 minutes are over: the best weights so far are taken" in result.stderr
    assert planned[0] > 5
    assert (tmp_path / "run/model/model.onnx").is_file()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RuntimeError("a process has stopped"), "training failed: a process has stopped\n"),
        (
            FloatingPointError("the loss is nan"),
            "training failed: the loss is nan (in the recipe, optimisation.learning",
        ),
    ],
)
def test_a_run_that_breaks_off_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, expected: str
) -> None:
    from pipeline.training import session

    def train(*_: Any) -> None:
        raise error

    monkeypatch.setattr(session, "train", train)
    shop = write_labels(tmp_path / "shop", shops())
    result = run("--recipe", tiny(tmp_path, synthetic=False), "--data", shop, "--out", tmp_path / "run")
    assert (result.exit_code, expected in result.stderr) == (1, True), result.stderr
    error.__context__ = KeyboardInterrupt()
    result = run("--recipe", tiny(tmp_path, synthetic=False), "--data", shop, "--out", tmp_path / "run")
    assert result.exit_code == (130 if isinstance(error, RuntimeError) else 1)
