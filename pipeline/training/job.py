"""A training run from the command line's options to the finished model, and how it goes on after an interruption."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from models.extras import how_to_install
from models.layout_ner.model_files import DESCRIPTION
from pipeline.training.recipe import TrainingRecipe, load_recipe, recipe_of, with_folders
from pipeline.training.signals import use_own_stack
from schemas.doctypes import load_doctypes
from schemas.errors import BackendUnavailable, SettingsError
from schemas.settings import Settings

if TYPE_CHECKING:
    from pipeline.training.gather import Progress
    from pipeline.training.measure import Measured

Say = Callable[[str], None]

RENDERED = 600
"""Synthetic pages that are drawn and read where nothing else is said; a quarter as many again for measuring."""

_PACKAGES = ("paddle", "paddle2onnx")


class Job(BaseModel):
    """What is to be done, kept in the run's folder: unlike the recipe it knows where things are."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    recipe: TrainingRecipe
    data: tuple[Path, ...] = ()
    evaluation: tuple[Path, ...] = ()
    doctypes: Path | None = None
    minutes: float | None = None


class Places:
    """Where things lie in the folder of a run."""

    def __init__(self, out: Path) -> None:
        self.out, self.model, self.training = out, out / "model", out / "training"
        self.job, self.weights = self.training / "job.json", self.training / "best.pdparams"


def require_packages() -> None:
    """Look whether the extra is installed, before any work.

    Raises:
        BackendUnavailable: it is not.
    """
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise BackendUnavailable(
            f"training needs the extra train (no {' and no '.join(missing)}): {how_to_install('train')}"
        )


def make_job(
    *,
    data: Sequence[Path],
    evaluation: Sequence[Path],
    doctypes: Path | None,
    doc_type: str | None,
    recipe: Path | None,
    changes: dict[str, Any],
    rendered: int | None,
    steps: int | None,
    minutes: float | None,
) -> tuple[Job, list[str]]:
    """Put together what is to be done.

    Args:
        data: labelled folders.
        evaluation: further ones, for measuring alone.
        doctypes: a folder with document types of the user's own.
        doc_type: the type of pages whose labels do not tell it.
        recipe: a recipe's file, whose values hold where nothing else is said; None: the defaults.
        changes: of the recipe's values; those that are None are left as they are.
        rendered: how many synthetic pages are drawn and read; None: as the recipe says.
        steps: of training; None: as the recipe says.
        minutes: how long it may take; None: as long as the steps take.

    Returns:
        The job, and sentences on what will not come out as in the recipe.

    Raises:
        DatasetError: a folder that the recipe needs is missing, or one has no labels.
        SettingsError: options do not fit together.
    """
    base = load_recipe(recipe).model_dump() if recipe is not None else {}
    values = base | {name: value for name, value in changes.items() if value is not None}
    draws = bool(values.get("synthetic", True)) and bool(values.get("read", True))
    if rendered and not draws:
        raise SettingsError("--rendered: drawn pages are for reading them; leave out --no-synthetic and --no-read")
    if not draws:
        values |= {"rendered": (), "validation_rendered": ()}
    elif rendered is not None or recipe is None:
        count, seed = RENDERED if rendered is None else rendered, values.get("seed", 1)
        values["rendered"] = [{"count": count, "seed": seed}] if count else []
        values["validation_rendered"] = [{"count": max(1, count // 4), "seed": seed + 1}] if count else []
    if steps is not None:
        values["optimisation"] = {**values.get("optimisation", {}), "steps": steps}
    names = [{"name": folder.resolve().name} for folder in data]
    wanted = recipe_of(values if values.get("data") else values | {"data": names})
    wanted, told = with_folders(wanted, data, doc_type)
    if not wanted.synthetic and not wanted.data:
        raise SettingsError("there is nothing to train on: name folders with --data, or leave out --no-synthetic")
    types = load_doctypes(doctypes)
    for one in wanted.data:
        if one.doc_type is not None and one.doc_type not in types:
            raise SettingsError(f"there is no document type {one.doc_type!r}; there are {', '.join(types)}")
    job = Job(
        recipe=wanted,
        data=tuple(folder.resolve() for folder in data),
        evaluation=tuple(folder.resolve() for folder in evaluation),
        doctypes=None if doctypes is None else doctypes.resolve(),
        minutes=minutes,
    )
    return job, told


def load_job(places: Places) -> Job:
    """What a run in this folder was to do.

    Raises:
        SettingsError: there was none, or its file is damaged.
    """
    try:
        return Job.model_validate_json(places.job.read_bytes())
    except FileNotFoundError as error:
        raise SettingsError(f"{places.out} holds no training run: there is no {places.job}") from error
    except (OSError, ValidationError) as error:
        raise SettingsError(f"{places.job} cannot be read; start the training again with --overwrite") from error


def check_free(places: Places, *, overwrite: bool, export_only: bool) -> None:
    """Keep what took long from being lost.

    Raises:
        SettingsError: there is a model, or weights of an interrupted run, and ``overwrite`` is false.
    """
    if overwrite:
        return
    if (places.model / DESCRIPTION).exists():
        raise SettingsError(f"{places.model} holds a model already; name another folder with --out, or add --overwrite")
    if places.weights.exists() and not export_only:
        raise SettingsError(
            f"{places.training} holds weights of a run that was stopped; make a model of them with --export-only, or "
            "add --overwrite to start again"
        )


def execute(
    job: Job, places: Places, settings: Settings, say: Say, progress: Progress, *, export_only: bool = False
) -> Measured:
    """Do it: gather pages, train (unless that is done), and finish the model.

    Raises:
        InklaneError: something is missing or went wrong; the message says what to do.
        KeyboardInterrupt: what was read, and the best weights so far, are kept.
    """
    from pipeline.training.gather import gather  # the engine, and later Paddle, only once the options are right

    doctypes = load_doctypes(job.doctypes)
    places.training.mkdir(parents=True, exist_ok=True)
    if not export_only:
        places.weights.unlink(missing_ok=True)
        places.job.write_text(job.model_dump_json(indent=1) + "\n", encoding="utf-8")
    gathered = gather(job.recipe, job.data, job.evaluation, places.out, settings, progress)

    _quiet_paddle()
    from pipeline.training import session as training
    from pipeline.training.finish import finish

    use_own_stack()
    session = training.prepare(job.recipe, gathered, doctypes)
    say(_counts(session.recipe))
    if export_only:
        network = training.load_weights(session, places.training)
    else:
        if job.minutes is not None:
            session = training.planned(session, training.steps_within(session, job.minutes))
            say(f"{job.minutes:g} minutes are time for about {session.optimisation.steps} steps")
        network = training.run(session, places.training, say, job.minutes)
    return finish(session, network, places.training, places.model, settings, say)


def _quiet_paddle() -> None:
    """Keep Paddle's remarks on how it is built out of what the user reads; its errors are still shown."""
    os.environ.setdefault("GLOG_minloglevel", "2")
    os.environ.setdefault("PYTHONWARNINGS", "ignore:No ccache found:UserWarning")  # in the other processes
    warnings.filterwarnings("ignore", module=r"paddle\.")


def _counts(recipe: TrainingRecipe) -> str:
    parts = [f"{one.name}: {one.pages} pages, {one.held_out} of them held out" for one in recipe.data]
    drawn = sum(one.count for one in recipe.rendered)
    if recipe.synthetic:
        parts.append(f"synthetic pages, {drawn} of them drawn and read")
    return "; ".join(parts)
