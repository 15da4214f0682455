"""The benchmark of one recognition lane beside two: its way of running one stage alone, and what it reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks import paddle_lanes
from pipeline.build import Plant, StagePlan
from schemas.settings import Settings
from stages.batcher import BatchPolicy
from stages.devices.cpu import CpuDevice
from tests.factories.lanes import FakeStage
from tests.factories.plant import TokenModel


def plan(lanes: int, stage: FakeStage) -> StagePlan:
    return StagePlan(stage, BatchPolicy(max_size=3, max_delay=0.001), lanes, None, 1, model=TokenModel())


@pytest.mark.parametrize("count", [1, 3, 50])
@pytest.mark.parametrize("lanes", [1, 2])
def test_all_items_are_answered_in_order_as_often_as_asked(lanes: int, count: int) -> None:
    side = paddle_lanes.Lanes(plan(lanes, FakeStage("recognition")), CpuDevice(2))
    try:
        for _ in range(3):
            seconds, results = side.read(range(count))
            assert results == [f"recognition({n})" for n in range(count)]
            assert seconds > 0
    finally:
        side.close()


def test_a_failure_is_raised_and_the_next_round_runs() -> None:
    broken = [True]

    def prepare(value: Any, _: Any) -> None:
        if broken[0] and value == 4:
            raise ValueError("this one")

    side = paddle_lanes.Lanes(plan(2, FakeStage("recognition", prepare)), CpuDevice(2))
    try:
        with pytest.raises(ValueError, match="this one"):
            side.read(range(10))
        broken[0] = False
        assert len(side.read(range(10))[1]) == 10
    finally:
        side.close()


@dataclass
class Text:
    """What a recognised line looks like to the benchmark."""

    text: str

    @property
    def decoded(self) -> Text:
        return self


class Reading(FakeStage):
    """Two lanes read ``other``, if that is given."""

    def __init__(self, lanes: int, other: str | None) -> None:
        super().__init__("recognition")
        self._text = other if lanes > 1 else None

    def split(self, outputs: Any, items: Sequence[Any], lane: Any) -> list[Any]:
        return [Text(self._text or str(item)) for item in items]


@pytest.fixture
def plants(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Settings that plants were built with, and what two lanes read."""
    seen: dict[str, Any] = {"built": [], "other": None, "lines": list(range(20))}

    def build(settings: Settings) -> Plant:
        lanes = settings.stages.recognition.instances
        seen["built"].append((settings.backend, settings.core_count, lanes))
        return Plant(CpuDevice(2), [plan(lanes, Reading(lanes, seen["other"]))], {"backend": "paddle f32"})

    monkeypatch.setattr(paddle_lanes, "build", build)
    monkeypatch.setattr(paddle_lanes, "find_lines", lambda *_: seen["lines"])
    return seen


def test_the_report_holds_both_sides_and_their_ratio(
    plants: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.json"
    assert paddle_lanes.main(["--rounds", "3", "--json", str(target)]) == 0
    assert plants["built"] == [("paddle", 2, 1), ("paddle", 2, 2)]
    report = json.loads(target.read_text())
    assert (report["lines"], report["rounds"]) == (20, 3)
    assert set(report["lines_per_second"]) == {"1", "2"}
    assert f"ratio {report['ratio']:.2f}" in capsys.readouterr().out
    assert paddle_lanes.main(["--rounds", "1", "--fail-under", "1000"]) == 1


@pytest.mark.parametrize(
    ("change", "said"), [({"other": "?"}, "other texts"), ({"lines": []}, "no lines")], ids=["other", "none"]
)
def test_a_comparison_that_means_nothing_is_refused(
    plants: dict[str, Any], capsys: pytest.CaptureFixture[str], change: dict[str, Any], said: str
) -> None:
    plants.update(change)
    assert paddle_lanes.main(["--rounds", "1"]) == 1
    assert said in capsys.readouterr().err
