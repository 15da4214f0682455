"""What the outputs of a token classifier mean: labels such as ``B-TOTAL``, in one of the common schemes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from models.layout_ner.tags import TagSet

Floats = npt.NDArray[np.float32]

NOTHING = frozenset({"O", "OTHER", "OTHERS", "IGNORE"})
"""Labels and classes that stand for no field."""

_LABEL = re.compile(r"([BIESLMU])[-_](.+)")
_FIRST = frozenset("BSU")
"""Prefixes of a field's first token: begin; single and unit (a field of one token)."""


def from_classes(classes: Sequence[str]) -> list[str]:
    """The labels that belong to a list of classes, as PaddleOCR numbers them: ``O``, then ``B-`` and ``I-`` of each."""
    kept = [name for name in classes if name.upper() not in NOTHING]
    return ["O", *(f"{prefix}-{name}" for name in kept for prefix in "BI")]


class LabelSet:
    """The labels of one model and the fields that they mean.

    Args:
        labels: one for each output, in order: ``O``, and a field's name with ``B-``, ``I-`` (or another prefix of
            BIOES, BILOU, BMES) or without any.
        doc_type: the document type whose fields they are.
        fields: names of fields by the label's name, where lower case is not enough. An empty name drops the label.

    Raises:
        ValueError: there is no label, or none means a field.
    """

    def __init__(self, labels: Sequence[str], doc_type: str, fields: Mapping[str, str] | None = None) -> None:
        if not labels:
            raise ValueError("no labels")
        wanted = {name.upper(): field for name, field in (fields or {}).items()}
        parsed = [_parse(label, wanted) for label in labels]
        names = tuple(dict.fromkeys(name for name, _ in parsed if name))
        if not names:
            raise ValueError(f"none of the labels {', '.join(labels)} means a field")
        self.tags = TagSet({doc_type: names})
        self._tag_of = np.array(
            [0 if not name else (self.tags.begin(doc_type, name) or 0) + (not first) for name, first in parsed]
        )

    def __len__(self) -> int:
        return len(self._tag_of)

    def to_tags(self, probabilities: Floats) -> Floats:
        """From probabilities over labels (N, K) to those over :attr:`tags` (N, T): labels of one tag are added up."""
        result = np.zeros((len(probabilities), len(self.tags)), np.float32)
        np.add.at(result.T, self._tag_of, probabilities.T)
        return result


def _parse(label: str, fields: Mapping[str, str]) -> tuple[str, bool]:
    """A label's field ("" for none) and whether it marks the first token."""
    if label.upper() in NOTHING:
        return "", False
    match = _LABEL.fullmatch(label)
    prefix, name = match.groups() if match else ("I", label)
    return fields.get(name.upper(), name.lower()), prefix in _FIRST
