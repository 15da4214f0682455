"""From trained weights to a model's folder: measured, calibrated, exported, compared, described."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import paddle

from models.backends import get_backend
from models.layout_ner.encode import collate, encode
from models.layout_ner.model_files import find_layout_ner
from models.layout_ner.network import LayoutNer
from models.layout_ner.training.export import export
from models.probe import load_options
from pipeline.training.card import model_card
from pipeline.training.measure import Measured, measure
from pipeline.training.recipe import FILE, TrainingRecipe, save_recipe
from pipeline.training.run import predictor
from pipeline.training.session import Session
from schemas.errors import ModelError
from schemas.settings import Settings

LOG, CARD = "log.jsonl", "README.md"

Array = npt.NDArray[Any]
Arrays = list[Array]

_ALIKE = 1e-3
"""By which a probability may differ between the trained network and what is computed from its export."""


def finish(
    session: Session, network: LayoutNer, training: Path, folder: Path, settings: Settings, say: Callable[[str], None]
) -> Measured:
    """Make a model of trained weights.

    Args:
        session: what they were trained on.
        network: with the weights.
        training: the folder of the run, with its log.
        folder: where the model goes; what is there is replaced, all at once at the end.
        settings: of the backends.
        say: told how it goes.

    Returns:
        What the model is worth.

    Raises:
        ModelError: it cannot be exported, or a runtime computes something else from the export.
    """
    say("measuring")
    predict = predictor(network)
    measured = measure(session, predict)
    expected = [(arrays, predict(arrays)) for arrays in _batches(session)]
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    say("exporting")
    tables = {name: [list(point) for point in table] for name, table in measured.calibration.items()}
    export(network, session.tags, session.vocabulary, part, session.recipe.name, tables)
    for backend in ("openvino", "paddle"):
        compare(expected, part, backend, settings)
    recipe = session.written_out(made_with())
    save_recipe(recipe, part / FILE)
    (part / CARD).write_text(_card(recipe, session, network, measured), encoding="utf-8")
    if (training / LOG).is_file():
        shutil.copyfile(training / LOG, part / LOG)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(part, folder)
    return measured


def compare(expected: Sequence[tuple[Arrays, Sequence[Array]]], folder: Path, backend: str, settings: Settings) -> None:
    """Let a backend compute batches from the export, and compare with what the network said itself.

    Args:
        expected: the network's inputs and its outputs.
        folder: the model's.
        backend: its name.
        settings: of the backend.

    Raises:
        ModelError: the results differ, or the backend cannot load the model.
    """
    models = settings.models.model_copy(update={"layout_ner": str(folder)})
    files = find_layout_ner(settings.model_copy(update={"models": models}), backend).files
    loaded = get_backend(backend).load(files, load_options(files, "f32"))
    try:
        for arrays, outputs in expected:
            found = loaded.predictor(0).run(arrays)
            if not all(_alike(wanted, got, arrays[2] >= 0) for wanted, got in zip(outputs, found, strict=True)):
                raise ModelError(
                    f"{backend} computes something else from the export than Paddle from the trained network; the "
                    "export is not to be used: report it with the versions of paddlepaddle and paddle2onnx"
                )
    finally:
        loaded.close()


def _alike(wanted: Array, got: Array, real: Array) -> bool:
    """Whether outputs agree where they count: tags (N, T, K) not on padding, types (N, D) everywhere."""
    if wanted.shape != got.shape:
        return False
    difference = np.abs(wanted - got)
    return bool((difference[real] if wanted.ndim > real.ndim else difference).max(initial=0.0) <= _ALIKE)


def made_with() -> dict[str, str]:
    """The software that decides what comes out."""
    try:
        version = metadata.version("inklane")
    except metadata.PackageNotFoundError:
        version = "(not installed)"
    return {"inklane": version, "paddlepaddle": paddle.__version__, "Python": platform.python_version()}


def parameters(network: LayoutNer) -> int:
    """How many weights a network has."""
    return sum(int(np.prod(parameter.shape)) for parameter in network.parameters())


def _card(recipe: TrainingRecipe, session: Session, network: LayoutNer, measured: Measured) -> str:
    return model_card(recipe, parameters(network), dict(session.tags.fields), measured)


def _batches(session: Session) -> list[Arrays]:
    """One page alone, and some more together."""
    pages = [group[0] for group in (*session.held, *session.drawn)]
    pages += [page for pages in session.checks.values() for page in pages]
    pages += [page for pool in session.source.pools for group in pool.pages for page in group[:1]]
    usable = [encode(page.lines, session.vocabulary) for page in pages if page.lines][:4]
    return [collate(part) for part in (usable[:1], usable[1:]) if part]
