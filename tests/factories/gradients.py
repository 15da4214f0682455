"""Gradients without a network, for the processes of a team: they import what they are told to call from here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from models.layout_ner.training.parallel import Flat, Gradients
from models.layout_ner.training.stream import Batch

SIZE = 3


def gradients_of(weights: Flat, batch: Batch) -> tuple[Flat, float]:
    """The weights plus the batch's number, and that number as the loss."""
    number = float(batch["number"][0])
    return (weights + number).astype(np.float32), number


def make_gradients() -> tuple[Gradients, int]:
    """As :data:`models.layout_ner.training.parallel.MakeGradients`."""
    return gradients_of, SIZE


def make_stream(rank: int, count: int) -> Iterator[Batch]:
    """Process number ``rank`` of ``count`` has the numbers rank, rank + count and so on."""
    return ({"number": np.array([number])} for number in itertools.count(rank, count))


def failing_stream(rank: int, count: int) -> Iterator[Batch]:
    """The second process's fails at its second batch."""
    for number, batch in enumerate(make_stream(rank, count)):
        if rank and number:
            raise ValueError("no more pages")
        yield batch
