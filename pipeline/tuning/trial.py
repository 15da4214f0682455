"""Comparing one choice with what is in force, round by round, and deciding.

Rounds alternate between the two, so that whatever slows the machine down for a while slows both; the ratio of each
pair is what counts, never a rate on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal, Protocol

from pipeline.tuning.knobs import Changes

Verdict = Literal["taken", "surpassed", "not faster", "too little", "unsteady", "reads differently", "cannot run"]


class Subject(Protocol):
    """A reader under certain settings, warm, that reads the same documents whenever asked."""

    texts: list[str]

    def rate(self) -> float:
        """Read all documents once; documents per second."""
        ...

    def close(self) -> None:
        """Free it."""
        ...


@dataclass(slots=True, frozen=True)
class Rules:
    """When a choice is better.

    Args:
        rounds: pairs of rounds at most.
        margin: the share by which the median of the ratios must exceed 1.
        hopeless: after the first pair, a ratio below this ends the trial.
        min_agreement: the share of words that must be read as before.
    """

    rounds: int = 5
    margin: float = 0.03
    hopeless: float = 0.9
    min_agreement: float = 0.97

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"at least one round is needed, not {self.rounds}")
        if self.margin < 0:
            raise ValueError(f"the margin cannot be negative ({self.margin})")


@dataclass(slots=True)
class Trial:
    """What came of trying one choice. ``ratios``: its speed over that of what was in force, by pair of rounds.

    ``agreement`` is the share of words (0 to 1) that it reads as the settings at the start did. ``reason`` says why
    it cannot run, where it cannot.
    """

    knob: str
    changes: Changes
    verdict: Verdict = "cannot run"
    ratios: list[float] = field(default_factory=list)
    agreement: float | None = None
    reason: str = ""

    @property
    def speed(self) -> float:
        """The median of the ratios; 0 without any."""
        return median(self.ratios) if self.ratios else 0.0


def run_pairs(incumbent: Subject, challenger: Subject, rules: Rules) -> list[float]:
    """The challenger's speed over the incumbent's, for as many pairs of rounds as it takes to know.

    The order within a pair changes from pair to pair, so that a machine that gets slower favours neither.
    """
    ratios: list[float] = []
    for number in range(rules.rounds):
        if number % 2:
            theirs = challenger.rate()
            ours = incumbent.rate()
        else:
            ours = incumbent.rate()
            theirs = challenger.rate()
        ratios.append(theirs / ours)
        if ratios[0] < rules.hopeless or (number >= 1 and max(ratios) <= 1):
            break
    return ratios


def decide(ratios: Sequence[float], agreement: float, rules: Rules) -> Verdict:
    """Whether a choice is better.

    It must win by the margin in the median, win at all in three pairs of four, and read the same words.
    """
    if agreement < rules.min_agreement:
        return "reads differently"
    middle = median(ratios)
    if middle <= 1:
        return "not faster"
    if middle <= 1 + rules.margin:
        return "too little"
    wins = sum(ratio > 1 for ratio in ratios)
    return "taken" if 4 * wins >= 3 * len(ratios) else "unsteady"
