"""The endless stream of training pages, made anew each time, the same for the same seed.

Sample number i depends on the seed and on i alone, however many processes make samples.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models.layout_ner.encode import collate, encode
from models.layout_ner.example import Example
from models.layout_ner.tags import OTHER, TagSet
from models.layout_ner.training.mix import mix
from models.layout_ner.training.swap import Maker, swap
from models.layout_ner.training.targets import IGNORED, Sample, targets
from models.layout_ner.vocabulary import SPECIAL, UNKNOWN, Vocabulary

Order = Callable[[npt.NDArray[np.float32], tuple[float, float]], Sequence[int]]
"""Puts lines into reading order: quads (L, 4, 2) and the page's size to line numbers."""

MIXED, SWAPPED = 0.4, 0.8
"""Shares of real pages that are put together anew (see :func:`mix`), and that get invented texts (:func:`swap`)."""

Batch = dict[str, npt.NDArray[Any]]

MAX_CHARACTERS = 4096
"""A training page is cut after so many characters; memory and time grow with the longest page of a batch."""


@dataclass(slots=True)
class Pool:
    """Labelled pages, each in one or several versions of its lines (true, read); a page is drawn by ``weights``.

    ``share`` of all samples come from here. ``makers`` invent new texts for fields (see :func:`swap`); without any,
    pages stay as they are.
    """

    pages: list[list[Example]]
    weights: list[float]
    share: float
    makers: dict[str, Maker] = field(default_factory=dict)


@dataclass(slots=True)
class Source:
    """Where pages come from: pools of labelled ones, and for the rest ``synthetic``, which makes one (None: no rest).

    ``unknown_characters``: share of all characters that are made unknown.
    """

    tags: TagSet
    vocabulary: Vocabulary
    order: Order
    pools: list[Pool] = field(default_factory=list)
    synthetic: Callable[[random.Random], Example] | None = None
    disturb: Callable[[Example, random.Random, float], Example] | None = None
    unknown_characters: float = 0.03


def company_weights(examples: Sequence[Example], name: str = "company", power: float = -0.6) -> list[float]:
    """Weights by how often a field's text occurs, so that no company dominates: count to the power ``power``."""
    texts = [
        next((example.text_of(entity).upper() for entity in example.entities if entity.name == name), "")
        for example in examples
    ]
    counts = Counter(texts)
    return [counts[text] ** power for text in texts]


def make_sample(source: Source, seed: int, number: int) -> Sample:
    """Sample ``number`` of the stream."""
    rng = random.Random(f"{seed}:{number}")
    example = _drawn(source, rng)
    if source.disturb is not None:
        example = source.disturb(example, rng, rng.choice((0.0, 0.5, 1.0, 1.0)))
    example = in_order(example, source.order)
    asked = _asked(example.doc_type, source.tags, rng)
    page = encode(_cut(example).lines, source.vocabulary, source.tags.hint(asked))
    sample = targets(example, page, source.tags, asked)
    if asked is not None:
        sample.doc_type = IGNORED
    _forget(page.characters, source.unknown_characters, rng)
    return sample


def _drawn(source: Source, rng: random.Random) -> Example:
    chance = rng.random()
    if source.synthetic is None:
        chance *= sum(pool.share for pool in source.pools)
    for pool in source.pools:
        if chance < pool.share:
            return _from(pool, rng)
        chance -= pool.share
    if source.synthetic is None:
        raise ValueError("there is nothing to train on: no labelled pages, and no synthetic ones")
    return source.synthetic(rng)


def _from(pool: Pool, rng: random.Random) -> Example:
    example = rng.choice(rng.choices(pool.pages, pool.weights)[0])
    if not pool.makers:
        return example
    if rng.random() < MIXED:
        other = rng.choice(rng.choices(pool.pages, pool.weights)[0])
        if other.doc_type == example.doc_type:
            example = mix(example, other) or example
    return swap(example, rng, pool.makers) if rng.random() < SWAPPED else example


def in_order(example: Example, order: Order) -> Example:
    """The same page with its lines in reading order; lines without text are left out."""
    kept = [number for number, line in enumerate(example.lines) if line.text.strip()]
    if not kept:
        return replace(example, lines=[], entities=[], links=[])
    quads = np.array([example.lines[number].polygon for number in kept], np.float32).reshape(-1, 4, 2)
    sequence = [kept[number] for number in order(quads, (example.width, example.height))]
    place = {number: at for at, number in enumerate(sequence)}
    entities = [
        replace(
            entity,
            spans=tuple(
                sorted(
                    (replace(span, line=place[span.line]) for span in entity.spans if span.line in place),
                    key=lambda span: (span.line, span.start),
                )
            ),
        )
        for entity in example.entities
    ]
    return replace(example, lines=[example.lines[number] for number in sequence], entities=entities)


def _cut(example: Example) -> Example:
    total = 0
    for number, line in enumerate(example.lines):
        total += len(line.text) + 1
        if total > MAX_CHARACTERS and number:
            example.lines = example.lines[:number]
            example.entities = [
                replace(entity, spans=tuple(span for span in entity.spans if span.line < number))
                for entity in example.entities
            ]
            break
    return example


def _asked(doc_type: str | None, tags: TagSet, rng: random.Random) -> str | None:
    """What the caller asks for: nothing, the right type, now and then a wrong one, under which nothing is found."""
    chance = rng.random()
    if chance < 0.5:
        return None
    others = [name for name in tags.types if name not in (doc_type, OTHER)]
    return doc_type if doc_type is not None and (chance < 0.88 or not others) else rng.choice(others)


def _forget(characters: npt.NDArray[np.int64], share: float, rng: random.Random) -> None:
    """Make some characters unknown, so that the network can live with characters it never saw; in place."""
    if share:
        chosen = np.random.default_rng(rng.getrandbits(32)).random(len(characters)) < share
        characters[chosen & (characters >= SPECIAL)] = UNKNOWN


# --- batches --------------------------------------------------------------------------------------------------------


def stack(samples: Sequence[Sample]) -> Batch:
    """One batch: the network's inputs with ``tags`` and ``weights`` (N, T), ``open`` (N, K) and ``types`` (N,)."""
    length = -(-max(sample.page.length for sample in samples) // 32) * 32
    lines = -(-max(len(sample.page.geometry) for sample in samples) // 8) * 8
    arrays = collate([sample.page for sample in samples], length, lines)
    names = ("characters", "kinds", "line_of", "places", "geometry", "hint")
    batch: Batch = dict(zip(names, arrays, strict=True))
    wanted = np.full((len(samples), length), IGNORED, np.int64)
    for row, sample in enumerate(samples):
        wanted[row, : len(sample.tags)] = sample.tags
    weights = np.zeros((len(samples), length), np.float32)
    for row, sample in enumerate(samples):
        weights[row, : len(sample.weights)] = sample.weights
    batch["tags"], batch["weights"] = wanted, weights
    batch["open"] = np.stack([sample.open for sample in samples]).astype(np.float32)
    batch["types"] = np.array([sample.doc_type for sample in samples], np.int64)
    return batch


def window(source: Source, seed: int, number: int, size: int, budget: int) -> list[Batch]:
    """Samples ``number * size`` onward, sorted by length into batches of at most ``budget`` padded characters."""
    samples = [make_sample(source, seed, number * size + at) for at in range(size)]
    samples = sorted((sample for sample in samples if sample.page.length), key=lambda sample: sample.page.length)
    groups: list[list[Sample]] = []
    for sample in samples:
        if not groups or sample.page.length * (len(groups[-1]) + 1) > budget or len(groups[-1]) >= 32:
            groups.append([])
        groups[-1].append(sample)
    random.Random(f"{seed}/{number}").shuffle(groups)
    return [stack(group) for group in groups]


def batches(
    source: Source, seed: int, rank: int = 0, count: int = 1, *, size: int = 96, budget: int = 8192
) -> Iterator[Batch]:
    """Batches without end: every ``count``-th window from number ``rank`` on.

    Args:
        source: where pages come from.
        seed: of the stream.
        rank: which of several streams that share the windows.
        count: how many they are.
        size: samples of a window, within which batches are sorted by length.
        budget: padded characters of a batch.
    """
    number = rank
    while True:
        yield from window(source, seed, number, size, budget)
        number += count
