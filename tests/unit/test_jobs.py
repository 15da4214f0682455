"""Jobs from their acceptance to their end."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from pipeline.server.jobs.jobs import Jobs
from pipeline.server.jobs.model import State
from pipeline.server.jobs.runner import AGING_S, MAX_ATTEMPTS
from pipeline.server.uploads import Upload
from schemas.errors import InvalidRequest, NotFound, QueueFull, ShuttingDown
from schemas.progress import Progress
from schemas.requests import ReadOptions
from tests.factories.jobs import FakeClock, FakeService, make_jobs, until_ended, upload

OPTIONS = ReadOptions()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def service() -> FakeService:
    return FakeService()


@pytest_asyncio.fixture
async def jobs(tmp_path: Path, service: FakeService, clock: FakeClock) -> AsyncIterator[Jobs]:
    made = make_jobs(tmp_path / "data", service, clock)
    await made.start()
    yield made
    await made.stop()


async def test_a_job_is_read_and_its_result_kept(jobs: Jobs, service: FakeService, clock: FakeClock) -> None:
    options = ReadOptions(pages=(1, 3), dpi=150, words=True, doc_type="receipt")
    deadline = clock.monotonic() + 60
    job = await jobs.accept(
        [upload("a.png", b"picture")], options, owner="k1", priority=2, deadline=deadline, output="json"
    )
    assert (job.state, job.owner, len(job.id)) == (State.QUEUED, "k1", 28)
    done = await until_ended(jobs, job.id)
    assert (done.state, done.files[0].state, done.files[0].pages) == (State.DONE, State.DONE, 1)
    assert service.seen["a.png"] == {
        "content": b"picture",
        "options": options,
        "priority": 2,
        "deadline": pytest.approx(deadline),
        "key": "k1",
    }
    assert json.loads(jobs.files.result(job.id, 0).read_bytes())["doc_type"] == "picture"
    assert (done.started, done.finished, done.expires) == (clock.now, clock.now, clock.now + 86_400)


async def test_the_upload_is_gone_once_it_is_read(jobs: Jobs, tmp_path: Path) -> None:
    spooled = tmp_path / "data" / "spooled"
    spooled.write_bytes(b"large")
    file = Upload("a.png", 5, "0" * 64, path=spooled)
    job = await jobs.accept([file], OPTIONS)
    file.discard()
    done = await until_ended(jobs, job.id)
    assert done.state is State.DONE
    await jobs.runner.cancel(job.id)  # waits for what follows the end
    assert [path.name for path in (tmp_path / "data/jobs" / job.id).iterdir()] == ["0.result"]


async def test_what_is_kept_is_for_this_user_alone(jobs: Jobs, tmp_path: Path, service: FakeService) -> None:
    job = await jobs.accept([upload("hang")], OPTIONS)
    await service.until_begun("hang")
    paths = [tmp_path / "data/jobs.sqlite3", *(tmp_path / "data/jobs").rglob("*")]
    assert tmp_path / "data/jobs" / job.id / "0.upload" in paths
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in paths)


async def test_files_succeed_and_fail_one_by_one(jobs: Jobs) -> None:
    job = await jobs.accept([upload("a"), upload("bad"), upload("odd")], OPTIONS)
    done = await until_ended(jobs, job.id)
    assert done.state is State.DONE
    assert [(file.state, file.code) for file in done.files] == [
        (State.DONE, None),
        (State.FAILED, "damaged_file"),
        (State.FAILED, "stage_failed"),
    ]


async def test_a_job_of_which_nothing_can_be_read_has_failed(jobs: Jobs) -> None:
    job = await jobs.accept([upload("bad1"), upload("bad2")], OPTIONS)
    assert (await until_ended(jobs, job.id)).state is State.FAILED


async def test_a_job_waits_where_other_requests_are_refused(jobs: Jobs, service: FakeService) -> None:
    job = await jobs.accept([upload("full")], OPTIONS)
    assert (await until_ended(jobs, job.id)).state is State.DONE


async def test_a_flood_at_a_jobs_priority_does_not_keep_it_out(jobs: Jobs, service: FakeService) -> None:
    made = [await jobs.accept([upload(f"crowded{n}")], OPTIONS, priority=n) for n in range(3)]
    for job in made:
        assert (await until_ended(jobs, job.id)).state is State.DONE
    assert {seen["priority"] for seen in service.seen.values()} == {2}


async def test_no_more_than_the_limit_are_read_at_once(jobs: Jobs, service: FakeService) -> None:
    names = [f"hang{number}" for number in range(9)]
    made = [await jobs.accept([upload(name)], OPTIONS) for name in names]
    for start in range(0, 9, 4):
        group = names[start : start + 4]
        await service.until_begun(*group)
        await service.release(*group)
    for job in made:
        await until_ended(jobs, job.id)
    assert service.most_inside == 4


async def test_owners_take_turns_and_priorities_count(tmp_path: Path, service: FakeService, clock: FakeClock) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, concurrency=2)
    await jobs.start()
    await jobs.accept([upload("hang-one"), upload("hang-two")], OPTIONS, owner="greedy")
    await service.until_begun("hang-one", "hang-two")
    await jobs.accept([upload("hang-three")], OPTIONS, owner="greedy", priority=0)
    late = [
        await jobs.accept([upload("low")], OPTIONS, owner="modest", priority=2),
        await jobs.accept([upload("high")], OPTIONS, owner="modest", priority=0),
    ]
    await service.release("hang-one")
    for job in late:
        await until_ended(jobs, job.id)
    # three comes last, urgent as it is: its owner has one being read already
    assert service.begun[:4] == ["hang-one", "hang-two", "high", "low"]
    await jobs.stop()


async def test_a_low_priority_does_not_wait_for_ever(tmp_path: Path, service: FakeService, clock: FakeClock) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, concurrency=1)
    await jobs.start()
    await jobs.accept([upload("hang")], OPTIONS)
    await service.until_begun("hang")
    made = [await jobs.accept([upload("low")], OPTIONS, priority=2)]
    clock.now += 2 * AGING_S + 1
    made.append(await jobs.accept([upload("high")], OPTIONS, priority=0))
    await service.release("hang")
    for job in made:
        await until_ended(jobs, job.id)
    assert service.begun == ["hang", "low", "high"]
    await jobs.stop()


async def test_a_deadline_that_passes_in_the_queue_costs_no_reading(
    tmp_path: Path, service: FakeService, clock: FakeClock
) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, concurrency=1)
    await jobs.start()
    await jobs.accept([upload("hang")], OPTIONS)
    await service.until_begun("hang")
    late = await jobs.accept([upload("late")], OPTIONS, deadline=clock.monotonic() + 5)
    clock.now += 6
    await service.release("hang")
    ended = await until_ended(jobs, late.id)
    assert (ended.state, ended.files[0].code) == (State.FAILED, "deadline_exceeded")
    assert service.begun == ["hang"]
    await jobs.stop()


# --- deleting --------------------------------------------------------------------------------------------------


async def test_deleting_a_job_gives_its_reading_up_and_removes_its_files(
    jobs: Jobs, service: FakeService, tmp_path: Path
) -> None:
    job = await jobs.accept([upload(f"hang{number}") for number in range(6)], OPTIONS)
    await service.until_begun(*(f"hang{number}" for number in range(4)))
    await jobs.delete(job.id)
    assert service.inside == jobs.runner.busy == 0
    assert sorted(service.given_up) == [f"hang{number}" for number in range(4)]
    assert list((tmp_path / "data/jobs").iterdir()) == []
    gone = await jobs.get(job.id)
    assert (gone.state, {file.state for file in gone.files}) == (State.CANCELLED, {State.CANCELLED})
    await jobs.delete(job.id)
    with pytest.raises(NotFound):
        await jobs.get(job.id)


async def test_what_is_freed_by_deleting_is_used(jobs: Jobs, service: FakeService) -> None:
    stuck = await jobs.accept([upload(f"hang{number}") for number in range(4)], OPTIONS)
    await service.until_begun("hang3")
    waiting = await jobs.accept([upload("next")], OPTIONS)
    await jobs.delete(stuck.id)
    assert (await until_ended(jobs, waiting.id)).state is State.DONE


async def test_deleting_a_job_that_has_ended_forgets_it(jobs: Jobs, tmp_path: Path) -> None:
    job = await jobs.accept([upload("a")], OPTIONS)
    await until_ended(jobs, job.id)
    await jobs.delete(job.id)
    with pytest.raises(NotFound):
        await jobs.get(job.id)
    assert list((tmp_path / "data/jobs").iterdir()) == []


async def test_a_job_is_its_owners_alone(jobs: Jobs) -> None:
    job = await jobs.accept([upload("a")], OPTIONS, owner="mine")
    await until_ended(jobs, job.id)
    for attempt in (jobs.get(job.id, "other"), jobs.delete(job.id, "other"), jobs.get(job.id, "")):
        with pytest.raises(NotFound):
            await attempt
    assert (await jobs.page("other"))[0] == []
    assert (await jobs.get(job.id, "mine")).state is State.DONE


async def test_pages_of_jobs(jobs: Jobs, service: FakeService) -> None:
    made = [(await jobs.accept([upload(f"hang{n}" if n == 3 else f"{n}")], OPTIONS)).id for n in range(5)]
    for job_id in made[:3] + made[4:]:
        await until_ended(jobs, job_id)
    newest = made[::-1]
    first, more = await jobs.page(limit=2)
    assert ([job.id for job in first], more) == (newest[:2], True)
    second, more = await jobs.page(limit=3, after=first[-1].id)
    assert ([job.id for job in second], more) == (newest[2:], False)
    assert [job.id for job in (await jobs.page(state=State.RUNNING))[0]] == [made[3]]
    assert await jobs.page(after="job_unknown") == ([], False)


# --- accepting -------------------------------------------------------------------------------------------------


async def test_the_same_key_gives_the_same_job(jobs: Jobs, service: FakeService) -> None:
    first = await jobs.accept([upload("a")], OPTIONS, owner="k", idempotency_key="once")
    again = await jobs.accept([upload("a")], OPTIONS, owner="k", idempotency_key="once")
    other = await jobs.accept([upload("a")], OPTIONS, owner="k2", idempotency_key="once")
    assert first.id == again.id != other.id
    for job in (first, other):
        await until_ended(jobs, job.id)
    assert service.begun == ["a", "a"]
    assert (await jobs.accept([upload("a")], OPTIONS, owner="k", idempotency_key="once")).state is State.DONE


async def test_the_same_key_at_the_same_moment_gives_one_job(jobs: Jobs, tmp_path: Path) -> None:
    made = await asyncio.gather(*(jobs.accept([upload("hang")], OPTIONS, idempotency_key="once") for _ in range(5)))
    assert len({job.id for job in made}) == 1
    assert [path.name for path in (tmp_path / "data/jobs").iterdir()] == [made[0].id]


@pytest.mark.parametrize(
    "change",
    [
        {"uploads": [upload("a", b"other")]},
        {"uploads": [upload("b")]},
        {"uploads": [upload("a"), upload("a")]},
        {"options": ReadOptions(dpi=100)},
        {"priority": 0},
        {"output": "text"},
        {"many": True},
    ],
)
async def test_the_same_key_for_another_request_is_refused(jobs: Jobs, change: dict[str, object]) -> None:
    asked = {"uploads": [upload("a")], "options": OPTIONS}
    await jobs.accept(**asked, idempotency_key="once")  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="Idempotency-Key"):
        await jobs.accept(**{**asked, **change}, idempotency_key="once")  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["", "two words", "é", "x" * 256])
async def test_keys_that_cannot_be(jobs: Jobs, key: str) -> None:
    with pytest.raises(InvalidRequest, match="Idempotency-Key"):
        await jobs.accept([upload("a")], OPTIONS, idempotency_key=key)


async def test_too_many_jobs_are_refused_and_leave_nothing(
    tmp_path: Path, service: FakeService, clock: FakeClock
) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, max_waiting=3)
    await jobs.start()
    results = await asyncio.gather(
        *(jobs.accept([upload(f"hang{n}")], OPTIONS) for n in range(8)), return_exceptions=True
    )
    made = [result for result in results if not isinstance(result, BaseException)]
    assert len(made) == 3
    assert sum(isinstance(result, QueueFull) for result in results) == 5
    assert len(list((tmp_path / "data/jobs").iterdir())) == 3
    await jobs.delete(made[0].id)
    await jobs.accept([upload("now")], OPTIONS)
    await jobs.stop()


async def test_a_caller_who_goes_away_while_his_job_is_accepted(jobs: Jobs, tmp_path: Path) -> None:
    accepting = asyncio.create_task(jobs.accept([upload("a")], OPTIONS))
    await asyncio.sleep(0)  # it has begun
    accepting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await accepting
    await jobs.accept([upload("b")], OPTIONS)
    found, _ = await jobs.page()
    assert sorted(job.files[0].name for job in found) == ["a", "b"]  # all of it or nothing: here, all


# --- stopping and starting -------------------------------------------------------------------------------------


async def test_a_stop_puts_back_what_is_not_done(tmp_path: Path, service: FakeService, clock: FakeClock) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, concurrency=1)
    await jobs.start()
    job = await jobs.accept([upload("a"), upload("hang"), upload("b")], OPTIONS)
    await service.until_begun("a", "hang")
    await jobs.stop()
    assert (service.inside, service.given_up) == (0, ["hang"])
    with pytest.raises(ShuttingDown):
        await jobs.accept([upload("c")], OPTIONS)

    service = FakeService()
    await service.release("hang")
    jobs = make_jobs(tmp_path / "data", service, clock)
    await jobs.start()
    done = await until_ended(jobs, job.id)
    assert done.state is State.DONE
    assert service.begun == ["hang", "b"]
    assert [file.attempts for file in done.files] == [1, 1, 1]  # a stop counts for nothing
    await jobs.stop()


async def test_a_file_at_which_the_front_end_dies_again_and_again_is_refused(
    tmp_path: Path, service: FakeService, clock: FakeClock
) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock)
    await jobs.start()
    job = await jobs.accept([upload("hang")], OPTIONS)
    await service.until_begun("hang")
    # as if it had been killed that often
    await jobs._database.write(
        lambda connection: connection.execute("UPDATE files SET attempts = ?", [MAX_ATTEMPTS + 1])
    )
    await jobs.stop()
    jobs = make_jobs(tmp_path / "data", service, clock)
    await jobs.start()
    ended = await until_ended(jobs, job.id)
    assert (ended.state, ended.files[0].code) == (State.FAILED, "stage_failed")
    assert service.begun == ["hang"]
    await jobs.stop()


async def test_results_expire_and_orphans_are_removed(tmp_path: Path, service: FakeService, clock: FakeClock) -> None:
    jobs = make_jobs(tmp_path / "data", service, clock, keep_s=100)
    await jobs.start()
    old = await jobs.accept([upload("old")], OPTIONS)
    await until_ended(jobs, old.id)
    clock.now += 50
    new = await jobs.accept([upload("new")], OPTIONS)
    await until_ended(jobs, new.id)
    running = await jobs.accept([upload("hang")], OPTIONS)
    clock.now += 50
    await jobs.cleanup.once()
    assert {job.id for job in (await jobs.page())[0]} == {new.id, running.id}
    assert {path.name for path in (tmp_path / "data/jobs").iterdir()} == {new.id, running.id}
    await jobs.stop()

    (tmp_path / "data/jobs/job_never-accepted").mkdir()
    (tmp_path / "data/jobs/job_never-accepted/0.upload").write_bytes(b"half")
    jobs = make_jobs(tmp_path / "data", service, clock)
    await jobs.start()
    assert {path.name for path in (tmp_path / "data/jobs").iterdir()} == {new.id, running.id}
    await jobs.stop()


async def test_progress_is_part_of_the_view_while_a_file_is_read(jobs: Jobs, service: FakeService) -> None:
    job = await jobs.accept([upload("hang.pdf"), upload("a")], OPTIONS)
    await service.until_begun("hang.pdf", "a")
    service.tell["hang.pdf"](Progress(None, 9, "opened", 0))
    service.tell["hang.pdf"](Progress(2, 9, "done", 1))
    view = jobs.view(await jobs.get(job.id))
    assert view["state"] == "running"
    first = view["files"][0]
    assert (first["pages"], first["pages_done"], first["page"], first["stage"]) == (9, 1, 2, "done")
    await service.release("hang.pdf")
    view = jobs.view(await until_ended(jobs, job.id))
    assert view["progress"] == {"files": 2, "files_done": 2, "pages": 2, "pages_done": 2}
