"""What the shipped network and users' own ones learn from: labelled folders and synthetic pages."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy.typing as npt
from rapidfuzz import fuzz

from models.layout_ner.example import Example
from models.layout_ner.normalise import normalise
from models.layout_ner.synth.generate import generate
from models.layout_ner.synth.noise import disturb
from models.layout_ner.synth.values.companies import company_en
from models.layout_ner.synth.values.places import address_en
from models.layout_ner.tags import TagSet
from models.layout_ner.training.stream import Pool, Source, company_weights
from models.layout_ner.training.swap import Maker
from models.layout_ner.vocabulary import Vocabulary
from schemas.doctypes import DocType
from stages.assembly.reading_order import reading_order

HELD_OUT = 0.08
"""Share of the labelled pages that is kept for deciding when to stop and for calibration."""


def order(quads: npt.NDArray[Any], size: tuple[float, float]) -> list[int]:
    """The project's reading order."""
    return reading_order(quads, (max(1, round(size[0])), max(1, round(size[1]))))


def tag_set(doctypes: Mapping[str, DocType]) -> TagSet:
    """The tags of all document types that the network reads."""
    names: dict[str, list[str]] = {}
    for name, doctype in doctypes.items():
        if doctype.reader == "form":
            names[name] = ["header", "question", "answer"]
        elif doctype.reader == "network":
            names[name] = [path for path, kind in doctype.walk() if not kind.parts]
    return TagSet(names)


def synthetic(rng: random.Random, split: str = "train", types: Sequence[tuple[str, float]] = ()) -> Example:
    """One synthetic page; ``types`` are document types with how often they come."""
    names, weights = zip(*types, strict=True) if types else ((None,), (1.0,))
    return generate(rng, split, rng.choices(names, weights)[0])[1]


def held_out(
    groups: Sequence[list[Example]], seed: int, name: str = "company"
) -> tuple[list[list[Example]], list[list[Example]]]:
    """Split pages into training and held-out ones such that no company is on both sides, however it is spelt.

    Of few companies the one with the fewest pages is held out. If even that has more than a quarter of all pages, pages
    are held out whatever company they are of.
    """
    said = [next((group[0].text_of(e) for e in group[0].entities if e.name == name), "") for group in groups]
    texts = [normalise(text) for text in said]
    owner = _alike([text for text in texts if text])
    # A document that names none stands for itself: the names of files are alike whatever they hold.
    for at, (text, group) in enumerate(zip(texts, groups, strict=True)):
        if not text:
            texts[at] = owner_name = f"file {group[0].name.partition('#')[0]}"
            owner[owner_name] = owner_name
    owners = sorted(set(owner.values()))
    random.Random(seed).shuffle(owners)
    wanted, kept = round(HELD_OUT * len(groups)), set[str]()
    counts = Counter(owner[text] for text in texts)
    for one in owners:
        if counts[one] <= max(1, wanted - sum(counts[other] for other in kept)):
            kept.add(one)
        if sum(counts[other] for other in kept) >= wanted:
            break
    if wanted and not kept:
        fewest = min(owners, key=counts.__getitem__)
        if counts[fewest] > len(groups) / 4:
            return held_out(groups, seed, "")  # no field is called so: every page stands for itself
        kept.add(fewest)
    pairs = list(zip(groups, texts, strict=True))
    return (
        [group for group, text in pairs if owner[text] not in kept],
        [group for group, text in pairs if owner[text] in kept],
    )


def _alike(texts: Sequence[str]) -> dict[str, str]:
    """One name for all texts that are nearly equal or begin alike: a chain's branches, a word misread."""
    found: dict[str, str] = {}
    for text in sorted(set(texts), key=lambda text: (len(text), text)):
        near = (
            other
            for other in found
            if fuzz.ratio(text, other) >= 80 or fuzz.ratio(text[: len(other)], other[: len(text)]) >= 85
        )
        first = next(near, None)
        found[text] = text if first is None else found[first]
    return found


def source(
    real: Sequence[list[Example]],
    rendered: Sequence[list[Example]],
    tags: TagSet,
    vocabulary: Vocabulary,
    shares: tuple[float, float],
    types: Sequence[tuple[str, float]] = (),
) -> Source:
    """Everything a training stream needs.

    Args:
        real: labelled pages.
        rendered: synthetic pages that were drawn and read, so that their lines are what the engine makes of them.
        tags: the tags.
        vocabulary: the characters.
        shares: of all samples, of each of the two; the rest are synthetic pages that were never drawn.
        types: document types of the rest, with how often they come; all alike if empty.
    """
    pools = []
    if real:
        makers: dict[str, Maker] = {"company": company_en, "address": address_en}
        pools.append(Pool(list(real), company_weights([group[0] for group in real]), shares[0], makers))
    if rendered:
        pools.append(Pool(list(rendered), [1.0] * len(rendered), shares[1]))
    rest = sum(pool.share for pool in pools) < 1
    return Source(tags, vocabulary, order, pools, partial(synthetic, types=tuple(types)) if rest else None, disturb)
