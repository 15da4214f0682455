"""What a training run is made of, as a file: with it, the same data and the same software a run can be repeated.

The file holds no paths: labelled folders are known by their names, and which folders are meant is said anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from models.layout_ner.kie_labels import LABEL_FILE
from schemas.errors import DatasetError, SettingsError
from schemas.truth import LABELS

FILE = "recipe.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Data(_Strict):
    """A labelled folder.

    ``name`` is the folder's own. ``doc_type`` is what its pages are where the labels do not say. ``labels`` is the
    SHA-256 of the file of labels, ``pages`` how many could be used, ``held_out`` how many of these were kept for
    validation. ``source`` and ``licence`` are for the model card.
    """

    name: str = Field(min_length=1)
    doc_type: str | None = None
    labels: str | None = None
    pages: int | None = None
    held_out: int | None = None
    source: str | None = None
    licence: str | None = None


class Rendered(_Strict):
    """Synthetic pages that are drawn and then read by the engine; ``types`` take turns (none: all by chance)."""

    count: int = Field(ge=1)
    seed: int = 0
    types: tuple[str, ...] = ()


class Shares(_Strict):
    """Of all samples, how many come from labelled folders and from drawn pages; synthetic ones make up the rest."""

    labelled: float = Field(0.3, ge=0, le=1)
    rendered: float = Field(0.25, ge=0, le=1)

    @model_validator(mode="after")
    def _together(self) -> Shares:
        if self.labelled + self.rendered > 1:
            raise ValueError("labelled and rendered are more than 1 together")
        return self


class TrainingRecipe(_Strict):
    """All that decides what comes out, but for the data itself and the software.

    ``synthetic``: whether synthetic pages are trained on at all. ``read``: whether labelled images are read by the
    engine, to train on what it makes of them. ``weak_labels``: whether fields that the labels of a page say nothing
    about are labelled where rules find them with hardly a doubt. ``validation_rendered`` are drawn from templates and
    fonts kept out of training, for measuring how far confidences can be trusted. ``types`` weigh the types of
    synthetic pages.
    ``network`` and ``optimisation`` name what differs from the defaults of
    :class:`models.layout_ner.network.NetworkSize` and :class:`models.layout_ner.training.trainer.Recipe`.
    ``processes`` counts the batches of a step, so it decides the result, too. ``made_with`` says with which versions
    a model was made; it is not read.
    """

    format: Literal[1] = 1
    name: str = Field("layout-ner", min_length=1)
    seed: int = 1
    data: tuple[Data, ...] = ()
    synthetic: bool = True
    read: bool = True
    weak_labels: bool = True
    rendered: tuple[Rendered, ...] = ()
    validation_rendered: tuple[Rendered, ...] = ()
    shares: Shares = Shares()
    types: dict[str, float] = Field(default_factory=dict)
    network: dict[str, Any] = Field(default_factory=dict)
    optimisation: dict[str, int | float] = Field(default_factory=dict)
    processes: int = Field(1, ge=1, le=256)
    window: int = Field(96, ge=1)
    budget: int = Field(8192, ge=64)
    validation_pages: int = Field(16, ge=1)
    made_with: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> TrainingRecipe:
        names = [one.name for one in self.data]
        if len(set(names)) < len(names):
            raise ValueError("data: two folders have the same name; rename one")
        if self.rendered and not (self.synthetic and self.read):
            raise ValueError("rendered: drawn pages are for reading them; synthetic and read must be true")
        return self


def load_recipe(path: Path) -> TrainingRecipe:
    """Read a recipe.

    Raises:
        SettingsError: it cannot be read, or does not fit; the message names the file and the key.
    """
    try:
        return TrainingRecipe.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"the recipe {path} cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise SettingsError(f"the recipe {path} has a fault: {_first(error)}") from error


def recipe_of(values: dict[str, Any]) -> TrainingRecipe:
    """A recipe of these values.

    Raises:
        SettingsError: they do not fit together.
    """
    try:
        return TrainingRecipe.model_validate(values)
    except ValidationError as error:
        raise SettingsError(_first(error)) from error


def save_recipe(recipe: TrainingRecipe, path: Path) -> None:
    """Write a recipe; what is as it is by default is written, too, so that it stays the same."""
    text = json.dumps(recipe.model_dump(mode="json"), ensure_ascii=False, indent=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")


def labels_file(folder: Path) -> Path:
    """The file of labels in a folder.

    Raises:
        DatasetError: there is none.
    """
    for name in (LABELS, LABEL_FILE):
        if (folder / name).is_file():
            return folder / name
    raise DatasetError(f"{folder}: neither {LABELS} nor {LABEL_FILE} is there; docs/training.md tells their formats")


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def with_folders(
    recipe: TrainingRecipe, folders: Sequence[Path], doc_type: str | None
) -> tuple[TrainingRecipe, list[str]]:
    """The recipe with the folders that are given for its data; those that it does not name are added.

    Args:
        recipe: whose ``data`` may name folders.
        folders: where they are.
        doc_type: the type of pages whose labels do not tell it; None: as the recipe says.

    Returns:
        The recipe, its ``data`` in the order of ``folders``, and sentences on what will not come out the same.

    Raises:
        DatasetError: a folder that the recipe names is not given, or one has no labels.
        SettingsError: two folders have the same name.
    """
    named = {one.name: one for one in recipe.data}
    given = {folder.resolve().name: folder for folder in folders}
    missing = [name for name in named if name not in given]
    if missing:
        raise DatasetError(
            f"the recipe needs the labelled {'folders' if len(missing) > 1 else 'folder'} {', '.join(missing)}: give "
            f"{'each' if len(missing) > 1 else 'it'} as --data PATH/{missing[0]}"
        )
    data, told = [], []
    for folder in folders:
        name = folder.resolve().name
        known = named.get(name, Data(name=name))
        if named and name not in named:
            told.append(f"{name} is not in the recipe: the result will be another one")
        found = digest(labels_file(folder))
        if known.labels is not None and known.labels != found:
            told.append(f"the labels of {name} are not those of the recipe: the result will be another one")
        data.append(known.model_copy(update={"labels": found, "doc_type": doc_type or known.doc_type}))
    return recipe_of({**recipe.model_dump(), "data": [one.model_dump() for one in data]}), told


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(map(str, first["loc"]))
    return f"{key + ': ' if key else ''}{first['msg'].removeprefix('Value error, ')}"
