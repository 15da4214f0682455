"""The search for better settings, with readers whose speed is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pipeline.tuning.agreement import agreement, tokens
from pipeline.tuning.knobs import Changes, Knob
from pipeline.tuning.search import Found, search
from pipeline.tuning.trial import Rules, Trial, decide, run_pairs
from schemas.errors import SettingsError


class Machine:
    """Readers with a given speed, on a machine that gets slower and faster; counts what is open."""

    def __init__(self, speed: Callable[[Mapping[str, Any]], float], texts: Callable[[Changes], str] | None = None):
        self._speed, self._texts = speed, texts or (lambda changes: "one two three")
        self._load = itertools.cycle([1.0, 1.0, 0.5, 0.5, 2.0, 2.0])
        self.opened: list[dict[str, Any]] = []
        self.open = 0
        self.most = 0
        self.rounds = 0

    def __call__(self, changes: Changes) -> FakeSubject:
        speed = self._speed(changes)
        self.opened.append(dict(changes))
        self.open += 1
        self.most = max(self.most, self.open)
        return FakeSubject(self, speed, [self._texts(changes)])

    def measure(self, speed: float) -> float:
        self.rounds += 1
        return speed * next(self._load)


class FakeSubject:
    def __init__(self, machine: Machine, speed: float, texts: list[str]) -> None:
        self._machine, self._speed, self.texts = machine, speed, texts
        self.closed = False

    def rate(self) -> float:
        assert not self.closed
        return self._machine.measure(self._speed)

    def close(self) -> None:
        assert not self.closed
        self.closed = True
        self._machine.open -= 1


SIZES = Knob("size", ({"size": 2}, {"size": 8}, {"size": 16}))
LANES = Knob("lanes", ({"lanes": 2},))


def fixed(*knobs: Knob) -> Callable[[Changes], tuple[Knob, ...]]:
    return lambda changes: knobs


def verdicts(found: Found) -> dict[str, str]:
    return {",".join(f"{k}={v}" for k, v in trial.changes.items()): trial.verdict for trial in found.trials}


def test_the_fastest_choice_of_each_knob_stays() -> None:
    speeds = {1: 1.0, 2: 1.10, 8: 1.30, 16: 1.20}
    machine = Machine(lambda c: speeds[c.get("size", 1)] * (1.2 if c.get("lanes") == 2 and c.get("size") == 8 else 1))
    found = search(fixed(SIZES, LANES), machine, Rules(rounds=3))
    assert found.changes == {"size": 8, "lanes": 2}
    assert verdicts(found) == {"size=2": "surpassed", "size=8": "taken", "size=16": "surpassed", "lanes=2": "taken"}


@pytest.mark.parametrize("gain", [0.5, 0.97, 1.0, 1.02, 1.03])
def test_nothing_changes_without_a_win_beyond_the_margin(gain: float) -> None:
    machine = Machine(lambda c: gain if c else 1.0)
    found = search(fixed(SIZES, LANES), machine, Rules(rounds=3, margin=0.03))
    assert found.changes == {}
    assert {trial.verdict for trial in found.trials} <= {"not faster", "too little"}


def test_what_is_faster_but_reads_differently_is_left_alone() -> None:
    machine = Machine(lambda c: 2.0 if c else 1.0, lambda c: "one two three" if not c else "one two 3")
    found = search(fixed(LANES), machine, Rules(rounds=3))
    assert found.changes == {}
    assert found.trials[0].verdict == "reads differently"
    assert found.trials[0].agreement == pytest.approx(2 / 3)


def test_what_cannot_run_is_noted_and_the_search_goes_on() -> None:
    def speed(changes: Changes) -> float:
        if changes.get("size") == 8:
            raise SettingsError("precision: this processor has no bf16")
        return 2.0 if changes.get("lanes") else 1.0

    found = search(fixed(SIZES, LANES), machine := Machine(speed), Rules(rounds=3))
    assert verdicts(found)["size=8"] == "cannot run"
    assert next(t for t in found.trials if t.changes == {"size": 8}).reason.startswith("precision")
    assert found.changes == {"lanes": 2}
    assert machine.open == 0


def test_settings_in_force_that_cannot_run_end_the_search() -> None:
    def speed(changes: Changes) -> float:
        raise SettingsError("broken")

    with pytest.raises(SettingsError, match="broken"):
        search(fixed(SIZES), Machine(speed), Rules())


def test_a_second_sweep_tries_only_what_is_new_and_stops_when_nothing_changes() -> None:
    # Large batches pay only with two lanes, which come later in the sweep.
    def speed(changes: Changes) -> float:
        lanes, size = changes.get("lanes", 1), changes.get("size", 4)
        return (1.2 if lanes == 2 else 1.0) * (1.3 if lanes == 2 and size == 8 else 1.0)

    machine = Machine(speed)
    found = search(fixed(SIZES, LANES), machine, Rules(rounds=3), sweeps=5)
    assert found.changes == {"size": 8, "lanes": 2}
    assert len({frozenset(changes.items()) for changes in machine.opened}) == len(machine.opened), "none tried twice"
    assert machine.open == 0
    one = search(fixed(SIZES, LANES), Machine(speed), Rules(rounds=3), sweeps=1)
    assert one.changes == {"lanes": 2}


def test_what_a_knob_offers_may_depend_on_what_was_changed() -> None:
    def knobs_for(changes: Changes) -> list[Knob]:
        sizes = ({"size": 16},) if changes.get("precision") == "bf16" else ({"size": 2},)
        return [Knob("precision", ({"precision": "bf16"},)), Knob("size", sizes)]

    machine = Machine(lambda c: 2.0 if c.get("precision") == "bf16" else 1.0)
    search(knobs_for, machine, Rules(rounds=3))
    assert machine.opened == [{}, {"precision": "bf16"}, {"precision": "bf16", "size": 16}]


def test_never_more_than_three_readers_are_open_and_none_at_the_end() -> None:
    machine = Machine(lambda c: 1.0 + 0.1 * c.get("size", 1))
    search(fixed(SIZES, LANES), machine, Rules(rounds=2), sweeps=2)
    assert machine.most <= 3
    assert machine.open == 0


def test_an_interrupted_search_closes_every_reader() -> None:
    trials: list[Trial] = []

    def tell(trial: Trial) -> None:
        trials.append(trial)
        if len(trials) == 2:
            raise KeyboardInterrupt

    machine = Machine(lambda c: 1.0 + 0.1 * c.get("size", 1))
    with pytest.raises(KeyboardInterrupt):
        search(fixed(SIZES), machine, Rules(rounds=2), on_trial=tell)
    assert machine.open == 0


def test_hopeless_choices_take_one_pair_and_slower_ones_two() -> None:
    machine = Machine(lambda c: {1: 1.0, 2: 0.5, 8: 0.95, 16: 1.01}[c.get("size", 1)])
    found = search(fixed(SIZES), machine, Rules(rounds=6))
    assert [len(trial.ratios) for trial in found.trials] == [1, 2, 6]


def test_the_order_within_a_pair_alternates() -> None:
    order: list[str] = []

    class Noting(FakeSubject):
        def __init__(self, name: str) -> None:
            self.name, self.texts = name, []

        def rate(self) -> float:
            order.append(self.name)
            return 2.0 if self.name == "new" else 1.0

    assert run_pairs(Noting("old"), Noting("new"), Rules(rounds=3)) == [2.0, 2.0, 2.0]
    assert order == ["old", "new", "new", "old", "old", "new"]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([1.10, 1.10, 1.10, 1.10], "taken"),
        ([1.10, 1.10, 1.10, 0.80], "taken"),
        ([1.20, 1.20, 1.20, 0.90, 0.90], "unsteady"),
        ([1.031], "taken"),
        ([1.03], "too little"),
        ([1.0], "not faster"),
        ([0.9, 1.5], "unsteady"),
        ([0.9, 0.95, 1.5], "not faster"),
    ],
)
def test_decisions(ratios: list[float], verdict: str) -> None:
    assert decide(ratios, 1.0, Rules(margin=0.03)) == verdict


@pytest.mark.parametrize(("rounds", "margin"), [(0, 0.03), (3, -0.1)])
def test_rules_that_cannot_work(rounds: int, margin: float) -> None:
    with pytest.raises(ValueError, match="round|margin"):
        Rules(rounds=rounds, margin=margin)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total: 12.50", ["Total", "12", "50"]),
        ("naïve café", ["naïve", "café"]),
        ("合計 100円", ["合", "計", "100", "円"]),
        ("ราคา", list("ราคา")),
        ("Straße 5a", ["Straße", "5a"]),
        ("--- ***", []),
    ],
)
def test_words_of_any_script(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_agreement_is_counted_document_by_document() -> None:
    assert agreement(["a b", "c d"], ["a b", "c d"]) == 1
    assert agreement(["a b", "c d"], ["c d", "a b"]) == 0
    assert agreement(["", ""], ["", ""]) == 1
    assert agreement(["a b c d"], ["a b c"]) == pytest.approx(6 / 7)
    with pytest.raises(ValueError, match="zip"):
        agreement(["a"], ["a", "b"])
