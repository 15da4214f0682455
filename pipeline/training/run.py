"""What a training run is fed with and judged by: the stream of batches, validation pages, scores."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import paddle

from models.layout_ner.example import Example
from models.layout_ner.network import LayoutNer
from models.layout_ner.synth.generate import OTHER, examples, families
from models.layout_ner.synth.noise import disturb
from models.layout_ner.training.stream import Batch, Source, batches, in_order
from pipeline.training.scoring import Predict, Scorer
from pipeline.training.sources import order


def stream(source: Source, seed: int, rank: int, count: int, *, window: int, budget: int) -> Iterator[Batch]:
    """The batches of one process."""
    return batches(source, seed, rank, count, size=window, budget=budget)


def validation(
    held: Sequence[list[Example]], types: Sequence[str], seed: int, pages_each: int
) -> dict[str, list[Example]]:
    """Pages to decide by when to stop: held-out companies, and template families and fonts kept out of training."""
    sets: dict[str, list[Example]] = {}
    if held:
        sets["real_true"] = [group[0] for group in held]
        sets["real_read"] = [group[-1] for group in held if len(group) > 1]
    for number, name in enumerate(name for name in types if name in families("val")):
        rng_seed = seed + 1000 + number
        pages = examples(rng_seed, pages_each, "val", [name])
        sets[name] = [in_order(disturbed(page, at), order) for at, page in enumerate(pages)]
    return {name: pages for name, pages in sets.items() if pages}


def disturbed(example: Example, number: int) -> Example:
    """A page as it might have been read; the truth stays that of the page."""
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
