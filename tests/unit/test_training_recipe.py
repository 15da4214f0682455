"""Recipes, what the command line makes of them, and what is refused before any work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.training import job as jobs
from pipeline.training.job import (
    RENDERED,
    Job,
    Places,
    check_free,
    load_job,
    make_job,
    require_packages,
)
from pipeline.training.recipe import Data, Rendered, TrainingRecipe, digest, load_recipe, save_recipe, with_folders
from schemas.errors import BackendUnavailable, DatasetError, SettingsError
from tests.factories.training_pages import receipt, write_labels

OPTIONS: dict[str, Any] = {
    "data": [], "evaluation": [], "doctypes": None, "doc_type": None, "recipe": None, "changes": {}, "rendered": None,
    "steps": None, "minutes": None,
}  # fmt: skip


def made(**options: Any) -> Job:
    return make_job(**{**OPTIONS, **options})[0]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_labels(tmp_path / "shop", [receipt()])


def saved(tmp_path: Path, **values: Any) -> Path:
    path = tmp_path / "recipe.json"
    save_recipe(TrainingRecipe(**values), path)
    return path


# --- the file -------------------------------------------------------------------------------------------------------


def test_a_recipe_is_read_as_it_was_written(tmp_path: Path) -> None:
    recipe = TrainingRecipe(
        name="mine",
        seed=7,
        data=(Data(name="shop", licence="CC BY 4.0"),),
        rendered=(Rendered(count=5, types=("receipt",)),),
        network={"width": 48},
        optimisation={"steps": 10, "learning_rate": 0.001},
        made_with={"Python": "3.11"},
    )
    save_recipe(recipe, tmp_path / "recipe.json")
    assert load_recipe(tmp_path / "recipe.json") == recipe
    assert str(tmp_path) not in (tmp_path / "recipe.json").read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "JSON"),
        ('{"format": 2}', "format"),
        ('{"stepps": 2}', "stepps"),
        ('{"processes": 0}', "processes"),
        ('{"shares": {"labelled": 0.8, "rendered": 0.4}}', "more than 1 together"),
        ('{"data": [{"name": "a"}, {"name": "a"}]}', "two folders have the same name"),
        ('{"read": false, "rendered": [{"count": 3}]}', "drawn pages are for reading them"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text)
    with pytest.raises(SettingsError, match=rf"recipe\.json has a fault: .*{reason}"):
        load_recipe(path)


def test_a_recipe_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.json cannot be read: No such file"):
        load_recipe(tmp_path / "none.json")


def test_a_recipes_folders_are_known_by_their_names(shop: Path) -> None:
    recipe = TrainingRecipe(data=(Data(name="shop", licence="CC BY 4.0", labels=digest(shop / "labels.jsonl")),))
    found, told = with_folders(recipe, [shop], None)
    assert (found, told) == (recipe, [])
    with pytest.raises(DatasetError, match="needs the labelled folder shop: give it as --data PATH/shop"):
        with_folders(recipe, [], None)


def test_other_data_than_the_recipes_is_told(shop: Path, tmp_path: Path) -> None:
    more = write_labels(tmp_path / "more", [receipt("9.00")])
    recipe = TrainingRecipe(data=(Data(name="shop", labels="0" * 64, doc_type="receipt"),))
    found, told = with_folders(recipe, [shop, more], "vat_invoice")
    assert [one.name for one in found.data] == ["shop", "more"]
    assert [one.doc_type for one in found.data] == ["vat_invoice"] * 2
    assert [one.labels for one in found.data] == [digest(folder / "labels.jsonl") for folder in (shop, more)]
    assert len(told) == 2
    assert told[0].startswith("the labels of shop are not those of the recipe")
    assert told[1].startswith("more is not in the recipe")


# --- options --------------------------------------------------------------------------------------------------------


def test_without_a_recipe_the_defaults_hold(shop: Path) -> None:
    job = made(data=[shop], changes={"name": "mine", "seed": 3, "synthetic": None})
    assert [(one.name, one.labels) for one in job.recipe.data] == [("shop", digest(shop / "labels.jsonl"))]
    assert job.data == (shop.resolve(),)
    assert (job.recipe.name, job.recipe.seed, job.recipe.synthetic) == ("mine", 3, True)
    assert [one.count for one in job.recipe.rendered] == [RENDERED]
    assert [one.count for one in job.recipe.validation_rendered] == [RENDERED // 4]
    assert job.recipe.rendered[0].seed != job.recipe.validation_rendered[0].seed


def test_options_go_before_the_recipe(tmp_path: Path) -> None:
    path = saved(
        tmp_path, seed=5, processes=4, rendered=(Rendered(count=8),), optimisation={"steps": 9, "learning_rate": 0.1}
    )
    kept = made(recipe=path).recipe
    assert (kept.seed, kept.processes, kept.optimisation["steps"]) == (5, 4, 9)
    assert [one.count for one in kept.rendered] == [8]
    changed = made(recipe=path, changes={"seed": 6, "processes": None}, rendered=2, steps=3).recipe
    assert (changed.seed, changed.processes) == (6, 4)
    assert changed.optimisation == {"steps": 3, "learning_rate": 0.1}
    assert [(one.count, one.seed) for one in changed.rendered] == [(2, 6)]


@pytest.mark.parametrize("changes", [{"synthetic": False}, {"read": False}])
def test_nothing_is_drawn_that_would_not_be_read(shop: Path, changes: dict[str, bool]) -> None:
    job = made(data=[shop], changes=changes)
    assert (job.recipe.rendered, job.recipe.validation_rendered) == ((), ())
    assert not made(data=[shop], changes=changes, rendered=0).recipe.rendered
    with pytest.raises(SettingsError, match="--rendered: drawn pages are for reading them"):
        made(data=[shop], changes=changes, rendered=5)


def test_no_drawn_pages_can_be_asked_for(shop: Path) -> None:
    recipe = made(data=[shop], rendered=0).recipe
    assert (recipe.rendered, recipe.validation_rendered) == ((), ())


def test_folders_and_types_are_checked(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match=r"empty: neither labels\.jsonl nor Label\.txt"):
        made(data=[tmp_path / "empty"])
    with pytest.raises(SettingsError, match="there is no document type 'lease'; there are bank_card"):
        made(data=[shop], doc_type="lease")
    with pytest.raises(SettingsError, match="nothing to train on"):
        made(changes={"synthetic": False})
    twin = write_labels(tmp_path / "b" / "shop", [receipt()])
    with pytest.raises(SettingsError, match="two folders have the same name"):
        made(data=[shop, twin])


def test_types_of_the_users_own_can_be_named(shop: Path, tmp_path: Path) -> None:
    own = tmp_path / "types"
    own.mkdir()
    (own / "lease.yaml").write_text("names: {en: Lease}\nreader: network\nfields:\n  company: {}\n")
    job = made(data=[shop], doctypes=own, doc_type="lease")
    assert job.doctypes == own.resolve()
    assert job.recipe.data[0].doc_type == "lease"


# --- the folder of a run --------------------------------------------------------------------------------------------


def test_a_job_is_read_as_it_was_written(shop: Path, tmp_path: Path) -> None:
    job, places = made(data=[shop], minutes=1.5), Places(tmp_path / "run")
    with pytest.raises(SettingsError, match=r"holds no training run: there is no .*job\.json"):
        load_job(places)
    places.training.mkdir(parents=True)
    places.job.write_text(job.model_dump_json())
    assert load_job(places) == job
    places.job.write_text("{")
    with pytest.raises(SettingsError, match=r"job\.json cannot be read"):
        load_job(places)


def test_what_took_long_is_not_lost(tmp_path: Path) -> None:
    places = Places(tmp_path)
    check_free(places, overwrite=False, export_only=False)
    places.training.mkdir()
    places.weights.write_bytes(b"weights")
    with pytest.raises(SettingsError, match="make a model of them with --export-only, or add --overwrite"):
        check_free(places, overwrite=False, export_only=False)
    check_free(places, overwrite=False, export_only=True)
    places.model.mkdir()
    (places.model / "layout_ner.yaml").touch()
    for export_only in (False, True):
        with pytest.raises(SettingsError, match="holds a model already; name another folder"):
            check_free(places, overwrite=False, export_only=export_only)
        check_free(places, overwrite=True, export_only=export_only)


@pytest.mark.parametrize("missing", [{"paddle"}, {"paddle2onnx"}, {"paddle", "paddle2onnx"}])
def test_a_missing_extra_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch, missing: set[str]) -> None:
    monkeypatch.setattr(jobs, "find_spec", lambda name: None if name in missing else object())
    names = " and ".join(f"no {name}" for name in sorted(missing))
    with pytest.raises(BackendUnavailable, match=rf"extra train \({names}\): run make install EXTRAS=train"):
        require_packages()
    monkeypatch.setattr(jobs, "find_spec", lambda name: object())
    require_packages()


def test_the_projects_own_recipe_can_be_followed() -> None:
    path = Path(__file__).parents[2] / "models/layout_ner/weights/recipe.json"
    if not path.is_file():
        pytest.skip("this checkout has no weights yet")
    recipe = load_recipe(path)
    assert recipe.optimisation["steps"] > 0
    assert all(one.source and one.licence and one.labels for one in recipe.data)
    with pytest.raises(DatasetError, match=f"give it as --data PATH/{recipe.data[0].name}"):
        made(recipe=path)
