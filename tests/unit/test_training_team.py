"""The processes that share a training step's work."""

from __future__ import annotations

from multiprocessing import active_children

import numpy as np
import pytest

from models.layout_ner.training.parallel import Flat, Team
from tests.factories.gradients import SIZE, failing_stream, gradients_of, make_gradients, make_stream


def test_gradients_and_losses_are_averaged_over_all_processes() -> None:
    team = Team(3, SIZE, make_gradients, make_stream)
    try:
        own = make_stream(0, 3)
        for step in range(3):
            weights: Flat = np.arange(SIZE, dtype=np.float32) + step
            batch = next(own)
            total, loss = team.gradients(weights, lambda w=weights, b=batch: gradients_of(w, b))  # type: ignore[misc]
            middle = 3 * step + 1  # of the numbers that the three processes have in this step
            assert total.tolist() == (weights + middle).tolist()
            assert loss == middle
    finally:
        team.close()
    assert not active_children()


def test_one_process_alone_needs_no_other() -> None:
    team = Team(1, SIZE, make_gradients, make_stream)
    weights: Flat = np.ones(SIZE, np.float32)
    try:
        assert not active_children()
        total, loss = team.gradients(weights, lambda: (weights * 2, 5.0))
    finally:
        team.close()
    assert (total.tolist(), loss) == ([2.0] * SIZE, 5.0)


def test_a_process_that_fails_ends_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    team = Team(2, SIZE, make_gradients, failing_stream)
    weights: Flat = np.zeros(SIZE, np.float32)

    def steps() -> None:
        for _ in range(2):
            team.gradients(weights, lambda: (weights, 0.0))

    try:
        with pytest.raises(RuntimeError, match="a training process has stopped"):
            steps()
    finally:
        team.close()
    assert "no more pages" in capfd.readouterr().err


def test_there_is_at_least_one_process() -> None:
    with pytest.raises(ValueError, match="at least one process"):
        Team(0, SIZE, make_gradients, make_stream)
