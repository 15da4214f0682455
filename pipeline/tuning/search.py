"""Coordinate search: one knob after the other, and the better choice stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.tuning.agreement import agreement
from pipeline.tuning.knobs import Changes, Knob
from pipeline.tuning.trial import Rules, Subject, Trial, decide, run_pairs
from schemas.errors import InklaneError

Open = Callable[[Changes], Subject]


@dataclass(slots=True)
class Found:
    """What came of a search: the changes to make (none: what is in force is best), and every trial in order."""

    changes: dict[str, Any] = field(default_factory=dict)
    trials: list[Trial] = field(default_factory=list)


def search(
    knobs_for: Callable[[Changes], Sequence[Knob]],
    open_subject: Open,
    rules: Rules,
    *,
    sweeps: int = 1,
    on_trial: Callable[[Trial], None] = lambda trial: None,
) -> Found:
    """Try every choice of every knob beside the best settings so far.

    Of a knob's choices the fastest that wins stays, and the next knob is turned from there. A sweep that changes
    nothing ends the search. No combination is tried twice.

    Args:
        knobs_for: what to try, given the changes made so far (the best batch depends on the precision, say).
        open_subject: makes a reader with changes to the settings in force.
        rules: when a choice is better.
        sweeps: times that all knobs are turned, at most.
        on_trial: called after each trial, for progress.

    Raises:
        InklaneError: the settings in force cannot run.
    """
    searching = _Searching(knobs_for, open_subject, rules, on_trial)
    try:
        for _ in range(sweeps):
            before = dict(searching.found.changes)
            searching.sweep()
            if searching.found.changes == before:
                break
    finally:
        searching.incumbent.close()
    return searching.found


class _Searching:
    """A search under way. ``incumbent`` reads with the best settings so far; no other reader outlives its knob."""

    def __init__(
        self,
        knobs_for: Callable[[Changes], Sequence[Knob]],
        open_subject: Open,
        rules: Rules,
        on_trial: Callable[[Trial], None],
    ) -> None:
        self._knobs_for, self._open, self._rules, self._on_trial = knobs_for, open_subject, rules, on_trial
        self.found = Found()
        self.incumbent = open_subject({})
        self._reference = self.incumbent.texts
        self._tried: set[frozenset[tuple[str, Any]]] = {frozenset()}

    def sweep(self) -> None:
        """Turn every knob once. What a knob offers is asked when its turn comes."""
        done: set[str] = set()
        while knob := next((k for k in self._knobs_for(self.found.changes) if k.name not in done), None):
            done.add(knob.name)
            self._turn(knob)

    def _turn(self, knob: Knob) -> None:
        best: tuple[Trial, Subject, dict[str, Any]] | None = None
        try:
            for choice in knob.choices:
                changes = {**self.found.changes, **choice}
                key = frozenset(changes.items())
                if key in self._tried:
                    continue
                self._tried.add(key)
                trial, challenger = self._try(knob.name, choice, changes)
                self.found.trials.append(trial)
                if challenger is not None:
                    if trial.verdict == "taken" and (best is None or trial.speed > best[0].speed):
                        if best is not None:
                            best[0].verdict = "surpassed"
                            best[1].close()
                        best = trial, challenger, changes
                    else:
                        trial.verdict = "surpassed" if trial.verdict == "taken" else trial.verdict
                        challenger.close()
                self._on_trial(trial)
        except BaseException:
            if best is not None:
                best[1].close()
            raise
        if best is not None:
            self.incumbent.close()
            _, self.incumbent, self.found.changes = best

    def _try(self, knob: str, choice: Changes, changes: Changes) -> tuple[Trial, Subject | None]:
        trial = Trial(knob, choice)
        try:
            challenger = self._open(changes)
        except InklaneError as error:
            trial.reason = error.message
            return trial, None
        try:
            trial.agreement = agreement(self._reference, challenger.texts)
            trial.ratios = run_pairs(self.incumbent, challenger, self._rules)
            trial.verdict = decide(trial.ratios, trial.agreement, self._rules)
        except BaseException:
            challenger.close()
            raise
        return trial, challenger
