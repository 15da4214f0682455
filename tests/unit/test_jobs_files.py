"""Jobs' files and tables: what is promised is on the disk, and older databases are brought up to date."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from pipeline.server.jobs.files import JobFiles
from pipeline.server.jobs.schema import MIGRATIONS, migrate
from pipeline.server.uploads import Upload
from schemas.errors import QueueFull, SettingsError


class Synced:
    """Notes what was synced, and how large it was then."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int]] = []

    def __call__(self, descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        self.seen.append((Path(path).name, 0 if Path(path).is_dir() else os.fstat(descriptor).st_size))


@pytest.fixture
def synced() -> Synced:
    return Synced()


@pytest.fixture
def files(tmp_path: Path, synced: Synced) -> JobFiles:
    made = JobFiles(tmp_path / "jobs", sync=synced)
    made.open()
    return made


@pytest.fixture
def spooled(tmp_path: Path) -> Upload:
    (tmp_path / "spooled").write_bytes(b"large one")
    return Upload("b", 9, "", path=tmp_path / "spooled")


def test_uploads_are_on_the_disk_when_kept(files: JobFiles, synced: Synced, spooled: Upload) -> None:
    files.keep("job_1", [Upload.of("a", b"small"), spooled])
    assert synced.seen == [("0.upload", 5), ("1.upload", 9), ("job_1", 0), ("jobs", 0)]
    spooled.discard()
    assert files.upload("job_1", 0).read_bytes() == b"small"
    assert files.upload("job_1", 1).read_bytes() == b"large one"


def test_uploads_on_another_file_system_are_copied(
    files: JobFiles, synced: Synced, spooled: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _raiser(errno.EXDEV))
    files.keep("job_1", [spooled])
    assert files.upload("job_1", 0).read_bytes() == b"large one"
    assert synced.seen[0] == ("0.upload", 9)


def test_a_full_disk_is_no_room_and_leaves_nothing(
    files: JobFiles, tmp_path: Path, spooled: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", _raiser(errno.ENOSPC))
    with pytest.raises(QueueFull, match="no space left"):
        files.keep("job_1", [Upload.of("a", b"small"), spooled])
    assert list((tmp_path / "jobs").iterdir()) == []


def test_other_errors_leave_nothing_either(files: JobFiles, tmp_path: Path, spooled: Upload) -> None:
    spooled.discard()
    with pytest.raises(FileNotFoundError):
        files.keep("job_1", [Upload.of("a", b"small"), spooled])
    assert list((tmp_path / "jobs").iterdir()) == []


def test_a_result_is_whole_or_not_there(files: JobFiles, synced: Synced) -> None:
    files.keep("job_1", [Upload.of("a", b"small")])
    synced.seen.clear()
    files.write_result("job_1", 0, b"result")
    assert synced.seen == [("0.partial", 6), ("job_1", 0)]
    files.write_result("job_1", 0, b"again")
    assert files.result("job_1", 0).read_bytes() == b"again"


def test_orphans(files: JobFiles, tmp_path: Path) -> None:
    for name in ("job_1", "job_2", "job_3"):
        files.keep(name, [])
    (tmp_path / "jobs/a-file").touch()
    assert set(files.orphans({"job_2"})) == {"job_1", "job_3"}
    files.remove("job_1")
    files.remove("job_1")
    assert set(files.orphans([])) == {"job_2", "job_3"}


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc"])
def test_ids_that_lead_elsewhere(files: JobFiles, name: str) -> None:
    with pytest.raises(ValueError, match="not the id of a job"):
        files.upload(name, 0)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"server\.data_dir"):
        JobFiles(tmp_path / "file" / "jobs").open()


# --- the schema ------------------------------------------------------------------------------------------------


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        yield made


def test_a_database_is_brought_up_to_date_step_by_step(connection: sqlite3.Connection) -> None:
    migrate(connection)
    connection.execute(
        "INSERT INTO jobs (id, owner, state, created, priority, options, output, many, fingerprint)"
        " VALUES ('job_1', '', 'queued', 0, 1, '{}', 'json', 0, '')"
    )
    later = (*MIGRATIONS, ("ALTER TABLE jobs ADD COLUMN colour TEXT", "UPDATE jobs SET colour = 'red'"))
    migrate(connection, later)
    migrate(connection, later)
    assert connection.execute("SELECT id, colour FROM jobs").fetchall() == [("job_1", "red")]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(later),)


def test_a_step_that_fails_changes_nothing(connection: sqlite3.Connection) -> None:
    migrate(connection)
    later = (*MIGRATIONS, ("ALTER TABLE jobs ADD COLUMN colour TEXT", "nonsense"))
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, later)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert "colour" not in [row[1] for row in connection.execute("PRAGMA table_info(jobs)")]


def _raiser(number: int) -> object:
    def fail(*arguments: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail
