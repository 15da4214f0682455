"""A batch that never ends: nothing can stop the thread that runs it, so its process ends and another one takes over."""

from __future__ import annotations

import faulthandler
import os
from concurrent.futures import Future
from typing import Any, cast

import pytest

from pipeline.worker import main
from schemas.requests import Reader
from tests.factories.engines import MakeBench
from tests.factories.lanes import PATIENCE
from tests.factories.plant import STAGES


class _Ended(Exception):
    pass


class _Running:
    def __init__(self, seconds: float) -> None:
        self.running_for = seconds


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    statuses: list[int] = []

    def end(status: int) -> None:
        statuses.append(status)
        raise _Ended

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(faulthandler, "dump_traceback", lambda file: None)
    return statuses


@pytest.mark.parametrize("seconds", [0.0, main._STUCK_SECONDS])
def test_a_reader_that_gets_on_is_left_alone(ends: list[int], seconds: float) -> None:
    main._end_if_stuck(cast("Reader", _Running(seconds)))
    assert ends == []


def test_a_reader_that_does_not_tell_is_trusted(ends: list[int]) -> None:
    main._end_if_stuck(cast("Reader", object()))
    assert ends == []


def test_a_stuck_reader_ends_the_process_and_says_so(ends: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(_Ended):
        main._end_if_stuck(cast("Reader", _Running(main._STUCK_SECONDS + 1)))
    assert ends == [main._EX_SOFTWARE]
    assert "stuck" in capsys.readouterr().err


@pytest.mark.parametrize("stage", STAGES)
def test_the_engine_tells_how_long_a_batch_has_run_whatever_the_stage(benches: MakeBench, stage: str) -> None:
    bench = benches(fields=True)
    seen: list[float] = []
    engine: Any = bench.engine

    def look() -> Exception:
        seen.append(engine.running_for)
        return ZeroDivisionError("seen")

    assert engine.running_for == 0.0
    bench.probe.fail(stage, "doc", look)
    future: Future[Any] = bench.submit("doc", ["token"])
    future.exception(PATIENCE)
    assert seen
    assert all(seconds > 0 for seconds in seen)
    engine.close()
    assert engine.running_for == 0.0
