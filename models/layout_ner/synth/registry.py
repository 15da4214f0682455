"""All template families: who makes which kind of page, and which families are kept out of training."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from models.layout_ner.synth.fonts import Palette
from models.layout_ner.synth.sheet import Sheet

Template = Callable[[random.Random, Palette], Sheet]


@dataclass(slots=True, frozen=True)
class Family:
    """A template family. ``doc_type`` None: a page of no known type (``other``). ``split``: ``train`` or ``val``."""

    name: str
    doc_type: str | None
    split: str
    template: Template
    weight: float = 1.0


FAMILIES: list[Family] = []


def family(
    name: str, doc_type: str | None, *, split: str = "train", weight: float = 1.0
) -> Callable[[Template], Template]:
    """Register a template family."""

    def register(template: Template) -> Template:
        if split not in ("train", "val"):
            raise ValueError(f"split must be train or val, not {split!r}")
        if any(known.name == name for known in FAMILIES):
            raise ValueError(f"there is a template family {name!r} already; give this one another name")
        FAMILIES.append(Family(name, doc_type, split, template, weight))
        return template

    return register
