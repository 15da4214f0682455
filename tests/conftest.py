"""Fixtures for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real documents kept beside the checkout; tests that need them are skipped elsewhere."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs the real documents in ../shared/data")
    return path
