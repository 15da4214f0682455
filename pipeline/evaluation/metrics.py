"""Counting what is right: multisets of words and characters, edits between lines, and micro-averages of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from rapidfuzz.distance import Levenshtein

Item = TypeVar("Item", bound=Hashable)

_WORD = re.compile("[A-Za-z0-9]+")
_SHORTEST_WORD = 2


@dataclass(slots=True, frozen=True)
class Counts:
    """How many items were read, how many there are in truth, and how many of them agree.

    Counts of several documents add up, which makes averages over documents micro-averages.
    """

    right: int = 0
    read: int = 0
    truth: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.read + other.read, self.truth + other.truth)

    @property
    def precision(self) -> float | None:
        """The part of what was read that is right; None where nothing was read."""
        return self.right / self.read if self.read else None

    @property
    def recall(self) -> float | None:
        """The part of the truth that was read; None where there is nothing to read."""
        return self.right / self.truth if self.truth else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 0 to 1; None where there is nothing to read and nothing read."""
        both = self.read + self.truth
        return 2 * self.right / both if both else None


@dataclass(slots=True, frozen=True)
class Edits:
    """Characters to insert, delete or replace to get from what was read to the truth of ``length`` characters."""

    edits: int = 0
    length: int = 0

    def __add__(self, other: Edits) -> Edits:
        return Edits(self.edits + other.edits, self.length + other.length)

    @property
    def rate(self) -> float | None:
        """The character error rate: edits for each character of truth, 0 and up; None without any truth."""
        return self.edits / self.length if self.length else None


def words(text: str) -> list[str]:
    """Runs of Latin letters and digits of two characters and more, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if len(word) >= _SHORTEST_WORD]


def characters(text: str) -> list[str]:
    """All characters but white space."""
    return [character for character in text if not character.isspace()]


def multiset(truth: Iterable[Item], read: Iterable[Item]) -> Counts:
    """Compare two multisets: an item that stands twice in truth must be read twice."""
    expected, found = Counter(truth), Counter(read)
    return Counts((expected & found).total(), found.total(), expected.total())


def line_edits(truth: str, read: str) -> Edits:
    """Levenshtein distance of two lines; runs of white space count as one space."""
    expected, found = " ".join(truth.split()), " ".join(read.split())
    return Edits(Levenshtein.distance(expected, found), len(expected))
