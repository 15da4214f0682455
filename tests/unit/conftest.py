"""Fixtures of the unit tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.factories.engines import Bench, MakeBench


@pytest.fixture
def benches(monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeBench]:
    """Makes engines without weights, and checks after the test that nothing is left over."""
    from tests.factories.engines import Bench  # here, so that other tests do not import the engine

    made: list[Bench] = []

    def make(**options: Any) -> Bench:
        made.append(Bench(monkeypatch, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.check()


@pytest.fixture
def bench(benches: MakeBench) -> Bench:
    """One such engine with the usual sizes."""
    return benches()
