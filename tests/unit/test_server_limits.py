"""Rates and quotas under a clock of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.server.security.keys import ApiKey, make_key
from pipeline.server.security.limits import RateLimits
from pipeline.server.security.quotas import Quotas
from schemas.errors import QuotaExceeded

NOON = 1_767_355_200.0  # 2026-01-02 12:00 UTC


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def key(*, rate: int | None = None, pages: int | None = None) -> ApiKey:
    return make_key("somebody", "2026-01-01", requests_per_minute=rate, pages_per_day=pages)[1]


def test_a_burst_passes_then_the_steady_rate() -> None:
    clock = Clock()
    limits, mine = RateLimits(clock), key(rate=60)
    taken = [limits.take(mine) for _ in range(11)]
    assert [rate.allowed for rate in taken if rate] == [True] * 10 + [False]
    assert taken[0] is not None
    assert taken[0].headers() == {"RateLimit-Limit": "60", "RateLimit-Remaining": "9", "RateLimit-Reset": "1"}
    refused = taken[-1]
    assert refused is not None
    assert refused.retry_s == pytest.approx(1.0)
    clock.now += refused.retry_s
    rate = limits.take(mine)
    assert rate is not None
    assert rate.allowed
    passed = 0
    for _ in range(480):  # eight requests a second for a minute
        clock.now += 0.125
        rate = limits.take(mine)
        passed += rate is not None and rate.allowed
    assert passed == 60


def test_a_slow_rate_lets_one_pass() -> None:
    clock = Clock()
    limits, mine = RateLimits(clock), key(rate=1)
    first, second = limits.take(mine), limits.take(mine)
    assert first is not None
    assert second is not None
    assert (first.allowed, second.allowed) == (True, False)
    assert second.retry_s == pytest.approx(60)


def test_keys_do_not_share_a_bucket_and_a_clock_that_goes_back_gives_nothing() -> None:
    clock = Clock()
    limits, one, two = RateLimits(clock), key(rate=1), key(rate=1)
    for other in (one, two):
        rate = limits.take(other)
        assert rate is not None
        assert rate.allowed
    clock.now -= 1000
    rate = limits.take(one)
    assert rate is not None
    assert not rate.allowed
    assert limits.take(key()) is None


def test_pages_are_counted_until_the_day_ends() -> None:
    clock = Clock()
    quotas, mine = Quotas(None, clock=clock), key(pages=5)
    quotas.begin(mine)
    quotas.end(mine, 3)
    quotas.check(mine)
    quotas.begin(mine)
    quotas.end(mine, 3)  # how many pages it has is known too late
    assert quotas.used(mine.id) == 6
    with pytest.raises(QuotaExceeded) as refused:
        quotas.begin(mine)
    assert refused.value.retry_after_s == pytest.approx(12 * 3600)
    clock.now += 12 * 3600
    quotas.check(mine)
    assert quotas.used(mine.id) == 0


def test_documents_under_way_count_as_a_page_each() -> None:
    quotas, mine = Quotas(None, clock=Clock()), key(pages=2)
    quotas.begin(mine)
    quotas.begin(mine)
    with pytest.raises(QuotaExceeded):
        quotas.begin(mine)
    quotas.end(mine, 0)  # it could not be read, which costs nothing
    quotas.begin(mine)
    assert quotas.used(mine.id) == 0


def test_keys_without_a_quota_are_not_counted() -> None:
    quotas, mine = Quotas(None, clock=Clock()), key()
    for _ in range(3):
        quotas.begin(mine)
        quotas.end(mine, 1000)
    assert quotas.used(mine.id) == 0


async def test_counts_outlive_a_restart_of_the_same_day(tmp_path: Path) -> None:
    path, clock, mine = tmp_path / "data" / "quotas.json", Clock(), key(pages=5)
    quotas = Quotas(path, clock=clock)
    await quotas.start()
    quotas.begin(mine)
    quotas.end(mine, 4)
    await quotas.stop()
    assert Quotas(path, clock=clock).used(mine.id) == 4
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["quotas.json"]
    clock.now += 24 * 3600
    assert Quotas(path, clock=clock).used(mine.id) == 0


async def test_a_file_that_cannot_be_used_is_told_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, mine = tmp_path / "quotas.json", key(pages=5)
    path.write_text("{")
    quotas = Quotas(path, clock=Clock())
    assert "cannot be read" in caplog.text
    quotas.begin(mine)
    quotas.end(mine, 1)
    path.unlink()
    path.mkdir()
    await quotas.save()
    assert "cannot be written" in caplog.text
    path.rmdir()
    await quotas.save()  # what could not be written before is
    assert Quotas(path, clock=Clock()).used(mine.id) == 1
