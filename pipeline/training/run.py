"""One training run from labelled folders and synthetic pages to a folder with the finished model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import paddle

from models.layout_ner.example import Example
from models.layout_ner.network import LayoutNer, NetworkSize
from models.layout_ner.synth.generate import OTHER, examples, families
from models.layout_ner.synth.noise import disturb
from models.layout_ner.training.stream import Batch, Source, batches, in_order
from models.layout_ner.training.trainer import Recipe, train
from models.layout_ner.vocabulary import standard_vocabulary
from pipeline.training.scoring import Predict, Scorer
from pipeline.training.sources import held_out, labelled, order, source, tag_set
from schemas.doctypes import load_doctypes

log = logging.getLogger(__name__)


@dataclass(slots=True, frozen=True)
class Folder:
    """A labelled folder, with the file of lines that the engine read from its images."""

    labels: Path
    read_lines: Path | None = None


@dataclass(slots=True)
class Plan:
    """What to train on and how.

    ``shares`` of all samples come from the labelled ``folders`` and from ``rendered`` synthetic ones; the others are
    synthetic pages without pixels. ``types`` weigh these; none: all types alike.
    """

    folders: list[Folder] = field(default_factory=list)
    rendered: list[Folder] = field(default_factory=list)
    shares: tuple[float, float] = (0.4, 0.2)
    types: dict[str, float] = field(default_factory=dict)
    recipe: Recipe = field(default_factory=Recipe)
    processes: int = 2
    window: int = 96
    budget: int = 8192
    validation_pages: int = 16


def run(plan: Plan, out: Path, say: Callable[[str], None] = print) -> LayoutNer:
    """Train; see :func:`models.layout_ner.training.trainer.train` for what is written to ``out``."""
    doctypes = load_doctypes()
    tags, vocabulary = tag_set(doctypes), standard_vocabulary()
    groups = [group for folder in plan.folders for group in labelled(folder.labels, folder.read_lines, doctypes)]
    train_groups, held = held_out(groups, plan.recipe.seed)
    say(f"{len(train_groups)} labelled pages to train on, {len(held)} held out")
    rendered = [group for folder in plan.rendered for group in labelled(folder.labels, folder.read_lines, doctypes)]
    say(f"{len(rendered)} rendered synthetic pages")
    train_source = source(train_groups, rendered, tags, vocabulary, plan.shares, tuple(plan.types.items()))
    size = NetworkSize(len(vocabulary), len(tags), len(tags.types))
    scorer = Scorer(tags, vocabulary, doctypes)
    checks = validation(held, tuple(plan.types) or (*tags.fields, OTHER), plan)
    return train(
        size,
        partial(stream, train_source, plan.recipe.seed, window=plan.window, budget=plan.budget),
        plan.recipe,
        out,
        partial(evaluate, scorer, checks),
        say,
        plan.processes,
    )


def stream(source: Source, seed: int, rank: int, count: int, *, window: int, budget: int) -> Iterator[Batch]:
    """The batches of one process."""
    return batches(source, seed, rank, count, size=window, budget=budget)


def validation(held: Sequence[list[Example]], types: Sequence[str], plan: Plan) -> dict[str, list[Example]]:
    """Pages to decide by when to stop: held-out companies, and template families and fonts kept out of training."""
    sets: dict[str, list[Example]] = {}
    if held:
        sets["real_true"] = [group[0] for group in held]
        sets["real_read"] = [group[-1] for group in held if len(group) > 1]
    for number, name in enumerate(name for name in types if name in families("val")):
        rng_seed = plan.recipe.seed + 1000 + number
        pages = examples(rng_seed, plan.validation_pages, "val", [name])
        sets[name] = [in_order(disturbed(page, at), order) for at, page in enumerate(pages)]
    return {name: pages for name, pages in sets.items() if pages}


def disturbed(example: Example, number: int) -> Example:
    """A page as it might have been read; the truth stays that of the page."""
    import random

    return disturb(example, random.Random(f"validation {number}"), 0.7)


def evaluate(scorer: Scorer, sets: dict[str, list[Example]], network: LayoutNer) -> dict[str, float]:
    """Field F1 of each set, and ``score``, their mean; ``types``: share of document types recognised."""
    predict = predictor(network)
    scores: dict[str, float] = {}
    right = said = 0
    for name, pages in sets.items():
        blind = scorer.score(predict, pages, asked=False)
        right, said = right + blind.types.right, said + blind.types.said
        if name != OTHER:
            scores[name] = round(scorer.score(predict, pages, asked=True).f1(), 4)
    scores["types"] = round(right / max(1, said), 4)
    return {"score": sum(scores.values()) / max(1, len(scores)), **scores}


def predictor(network: LayoutNer) -> Predict:
    """The network as the scorer calls it."""
    network.eval()
    network.probabilities = True

    def predict(arrays: list[npt.NDArray[Any]]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        with paddle.no_grad():
            tags, types = network(*[paddle.to_tensor(array) for array in arrays])
        return tags.numpy(), types.numpy()

    return predict
