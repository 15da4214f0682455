"""Documents on demand: the n-th document of a seed is always the same, whatever was made before it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import numpy as np

from models.layout_ner.example import Example
from models.layout_ner.synth import templates
from models.layout_ner.synth.effects import Pixels, distort
from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.registry import FAMILIES, Family
from models.layout_ner.synth.sheet import Sheet
from schemas.errors import DatasetError

OTHER = "other"  # asks for a page of no known type


@cache
def families(split: str) -> dict[str, tuple[Family, ...]]:
    """All template families of a split by document type, ``other`` for none; the same order on every machine."""
    for module in sorted(module.name for module in iter_modules(templates.__path__)):
        import_module(f"{templates.__name__}.{module}")
    found: dict[str, list[Family]] = {}
    for family in sorted(FAMILIES, key=lambda family: family.name):
        if family.split == split:
            found.setdefault(family.doc_type or OTHER, []).append(family)
    return {name: tuple(found[name]) for name in sorted(found)}


def generate(rng: random.Random, split: str, doc_type: str | None = None) -> tuple[Sheet, Example]:
    """Lay out one document.

    Args:
        rng: Decides everything; the same state gives the same document.
        split: ``train`` or ``val``: which template families and fonts may be used.
        doc_type: A document type or ``other``; None chooses one, each as often as the others.

    Returns:
        The page, to be drawn by :func:`render`, and its truth.

    Raises:
        DatasetError: There is no template of that type in that split.
    """
    known = families(split)
    name = doc_type or rng.choice(list(known))
    if name not in known:
        raise DatasetError(f"no template of type {name!r} in split {split!r}; there are: {', '.join(known) or 'none'}")
    choice = known[name]
    family = rng.choices(choice, [family.weight for family in choice])[0]
    sheet = family.template(rng, Palette(split, rng))
    return sheet, sheet.example(family.name, family.doc_type)


def examples(
    seed: int, count: int | None, split: str, types: Sequence[str] | None = None, first: int = 0
) -> Iterator[Example]:
    """Documents ``first`` to ``first + count`` of a seed (endlessly for a count of None), without pixels.

    Document i depends on the seed and i alone (and on ``types``), so that several processes may share the work.
    """
    number = first
    while count is None or number < first + count:
        yield document(seed, number, split, types)[1]
        number += 1


def document(seed: int, number: int, split: str, types: Sequence[str] | None = None) -> tuple[Sheet, Example]:
    """Document ``number`` of a seed; ``types`` take turns."""
    rng = generator(seed, number)
    doc_type = types[number % len(types)] if types else None
    sheet, example = generate(rng, split, doc_type)
    example.name = f"{example.name}-{number}"
    return sheet, example


def generator(seed: int, number: int, purpose: str = "layout") -> random.Random:
    """The random generator of one document; text seeds give the same on every machine."""
    return random.Random(f"{purpose} {seed} {number}")


def render(sheet: Sheet, example: Example, rng: random.Random, effects: bool = True) -> tuple[Pixels, Example]:
    """Draw a document as it would arrive.

    Args:
        sheet: The page.
        example: Its truth.
        rng: Decides about the effects.
        effects: Whether a camera or scanner, folds and shadows do their work; otherwise the picture is clean.

    Returns:
        RGB, uint8, (height, width, 3), and the truth with polygons where the picture shows the lines.
    """
    pixels = np.asarray(sheet.draw(), dtype=np.uint8)
    if not effects:
        return pixels, example
    return distort(pixels, example, rng)
