"""Databases that cannot be used: refused with what to do, and never changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.errors import SettingsError
from tests.factories.jobs import FakeClock, FakeService, make_jobs


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def service() -> FakeService:
    return FakeService()


async def test_a_database_of_a_later_version_is_left_alone(
    tmp_path: Path, service: FakeService, clock: FakeClock
) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock)
    await jobs.start()
    await jobs._database.write(lambda connection: connection.execute("PRAGMA user_version = 99"))
    await jobs.stop()
    with pytest.raises(SettingsError, match="later version"):
        await make_jobs(tmp_path / "data", service, clock).start()


async def test_a_damaged_database_says_what_to_do(tmp_path: Path, service: FakeService, clock: FakeClock) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/jobs.sqlite3").write_bytes(b"not a database at all, but long enough to be looked at" * 100)
    with pytest.raises(SettingsError, match=r"jobs\.sqlite3 cannot be used .* move it away"):
        await make_jobs(tmp_path / "data", service, clock).start()
