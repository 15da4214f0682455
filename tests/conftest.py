"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.training.signals import use_own_stack

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real documents kept beside the checkout; tests that need them are skipped elsewhere."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs the real documents in ../shared/data")
    return path


@pytest.fixture(autouse=True)
def usual_signal_stack() -> None:
    """Tests send signals to this process, in which some have loaded both Paddle and OpenVINO."""
    use_own_stack()
