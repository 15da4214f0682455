"""docs/training.md: every option and key is there, none that there is not, and the examples work."""

from __future__ import annotations

import json
import re
from pathlib import Path

import typer

from models.layout_ner.datasets import load_examples
from pipeline.cli.train import app
from pipeline.training.recipe import TrainingRecipe, load_recipe

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/training.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json\n(.+?)^```", TEXT, re.DOTALL | re.MULTILINE)


def first_cells(section: str) -> set[str]:
    """All that is in code in the first column of a section's tables."""
    rows = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(.+?)`", row)}


def test_every_option_is_told() -> None:
    group = typer.main.get_command(app)
    command = group.commands["layout-ner"]  # type: ignore[attr-defined]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} - {"--help"}
    told = {cell.split()[0] for cell in first_cells(TEXT.split("## Labels")[0])}
    assert told <= known
    assert {option.opts[0] for option in command.params} - {"--help"} <= told | {"--synthetic", "--read"}


def test_every_key_of_a_recipe_is_told() -> None:
    table = TEXT.split("A recipe of your own")[1].split("## The shipped model")[0]
    assert first_cells(table) == set(TrainingRecipe.model_fields) - {"format", "made_with"}
    shares = TrainingRecipe().shares
    assert f"| `shares` | {shares.labelled:g}, {shares.rendered:g} |" in table


def test_the_examples_can_be_read(tmp_path: Path) -> None:
    labels, recipe = EXAMPLES
    (tmp_path / "labels.jsonl").write_text(labels, encoding="utf-8")
    (page,) = load_examples(tmp_path)
    assert [(entity.name, page.text_of(entity)) for entity in page.entities] == [("total", "12.50")]
    assert {"tax", "company"} <= page.unknown
    (tmp_path / "recipe.json").write_text(recipe, encoding="utf-8")
    assert load_recipe(tmp_path / "recipe.json").name == json.loads(recipe)["name"]
