"""Jobs in the database. Every state a job goes through is one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import orjson

from pipeline.server.jobs.database import Database
from pipeline.server.jobs.model import Job, JobFile, State, Webhook, options_from_plain, options_to_plain
from schemas.errors import QueueFull

_FILE = ", ".join(field.name for field in fields(JobFile))
_UNFINISHED = (State.QUEUED, State.RUNNING)


class JobStore:
    """What is known of jobs. Times are seconds since 1970, given by the caller.

    Args:
        database: opened by the caller.
        keep_s: for how long the results of a job are kept once it has ended.
    """

    def __init__(self, database: Database, keep_s: float) -> None:
        self._database = database
        self._keep_s = keep_s

    async def create(
        self, job: Job, fingerprint: str, key: str | None = None, max_unfinished: int | None = None
    ) -> tuple[Job, str] | None:
        """Keep a new job.

        Args:
            job: what was accepted; its files are on the disk already.
            fingerprint: of all that was asked.
            key: the caller's idempotency key.
            max_unfinished: so many jobs that have not ended, at most.

        Returns:
            None; or, where the owner has used the key before, the job of then and its fingerprint. Then nothing is
            kept.

        Raises:
            QueueFull: there are so many already.
        """

        def change(connection: sqlite3.Connection) -> tuple[Job, str] | None:
            if key is not None and (known := _by_key(connection, job.owner, key)) is not None:
                return known
            if max_unfinished is not None:
                _check_room(connection, max_unfinished)
            _insert(connection, job, fingerprint, key)
            return None

        try:
            return await self._database.write(change)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                raise QueueFull("there is no space left for jobs; try again later") from error
            raise

    async def get(self, job_id: str, owner: str | None = None) -> Job | None:
        """One job; None if there is none, or if it belongs to another owner (None: anybody)."""

        def query(connection: sqlite3.Connection) -> Job | None:
            where, values = ("id = ?", [job_id]) if owner is None else ("id = ? AND owner = ?", [job_id, owner])
            return next(iter(_jobs(connection, where, values)), None)

        return await self._database.read(query)

    async def find(self, owner: str, key: str) -> tuple[Job, str] | None:
        """The job that the owner made with this idempotency key, and its fingerprint."""
        return await self._database.read(lambda connection: _by_key(connection, owner, key))

    async def count_by_state(self) -> dict[str, int]:
        """How many jobs there are in each state, of all owners."""

        def query(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT state, count(*) FROM jobs GROUP BY state")
            return {row[0]: row[1] for row in rows}

        return {state.value: 0 for state in State} | await self._database.read(query)

    async def page(
        self, owner: str, limit: int, after: str | None = None, state: State | None = None
    ) -> tuple[list[Job], bool]:
        """An owner's jobs, the newest first.

        Args:
            owner: whose.
            limit: so many at most.
            after: the id of a job; those that are older than it. An id that is gone gives none.
            state: only these.

        Returns:
            The jobs, and whether there are more.
        """
        where, values = "owner = ?", [owner]
        if after is not None:
            where += " AND number < (SELECT number FROM jobs WHERE id = ? AND owner = ?)"
            values += [after, owner]
        if state is not None:
            where += " AND state = ?"
            values.append(state.value)
        found = await self._database.read(
            lambda connection: _jobs(connection, where, values, f"number DESC LIMIT {int(limit) + 1}")
        )
        return found[:limit], len(found) > limit

    async def unfinished(self) -> list[str]:
        """Jobs that are not at their end, the oldest first."""
        query = "SELECT id FROM jobs WHERE finished IS NULL ORDER BY number"
        return await self._database.read(lambda connection: [row["id"] for row in connection.execute(query)])

    async def check_room(self, max_unfinished: int) -> None:
        """Refuse what :meth:`create` would refuse.

        Raises:
            QueueFull: so many jobs have not ended.
        """
        await self._database.read(lambda connection: _check_room(connection, max_unfinished))

    async def ids(self) -> set[str]:
        """Every job there is."""
        return await self._database.read(
            lambda connection: {row["id"] for row in connection.execute("SELECT id FROM jobs")}
        )

    async def begin(self, job_id: str, position: int, now: float) -> Job | None:
        """A file is about to be read: it and its job are running.

        Returns:
            The job as it is now, with this file only; None if the file is not to be read any more.
        """

        def change(connection: sqlite3.Connection) -> Job | None:
            changed = connection.execute(
                "UPDATE files SET state = 'running', attempts = attempts + 1 WHERE state IN (?, ?) AND position = ?"
                " AND job = (SELECT number FROM jobs WHERE id = ?)",
                [*_UNFINISHED, position, job_id],
            )
            if not changed.rowcount:
                return None
            connection.execute(
                "UPDATE jobs SET state = 'running', started = coalesce(started, ?) WHERE id = ?", [now, job_id]
            )
            return _one(connection, job_id, position)

        return await self._database.write(change)

    async def put_back(self, job_id: str, position: int) -> None:
        """The front end stops: a file that was being read is waiting again, as if it had never been begun."""

        def change(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE files SET state = 'queued', attempts = attempts - 1 WHERE state = 'running' AND position = ?"
                " AND job = (SELECT number FROM jobs WHERE id = ?)",
                [position, job_id],
            )

        await self._database.write(change)

    async def settle(self, job_id: str, file: JobFile, now: float) -> Job | None:
        """A file has been read, or cannot be. With its last file the job ends, and its webhook is due.

        Returns:
            The job as it is now, with this file only; None if the file was no longer to be read, whose result counts
            for nothing then.
        """

        def change(connection: sqlite3.Connection) -> Job | None:
            changed = connection.execute(
                "UPDATE files SET state = ?, pages = ?, code = ?, message = ?, content_type = ?"
                " WHERE state IN (?, ?) AND position = ? AND job = (SELECT number FROM jobs WHERE id = ?)",
                [file.state, file.pages, file.code, file.message, file.content_type]
                + [*_UNFINISHED, file.position, job_id],
            )
            if not changed.rowcount:
                return None
            query = "SELECT DISTINCT state FROM files WHERE job = (SELECT number FROM jobs WHERE id = ?)"
            states = {row["state"] for row in connection.execute(query, [job_id])}
            if states.isdisjoint(_UNFINISHED):
                self._end(connection, job_id, State.DONE if State.DONE in states else State.FAILED, now)
            return _one(connection, job_id, file.position)

        return await self._database.write(change)

    async def cancel(self, job_id: str, now: float) -> Job | None:
        """End a job that has not ended: what is not read will not be, and what is read counts for nothing.

        Returns:
            The job as it is now; None if it had ended, or if there is none.
        """

        def change(connection: sqlite3.Connection) -> Job | None:
            row = connection.execute("SELECT number FROM jobs WHERE id = ? AND finished IS NULL", [job_id]).fetchone()
            if row is None:
                return None
            connection.execute("UPDATE files SET state = 'cancelled', content_type = NULL WHERE job = ?", [row[0]])
            self._end(connection, job_id, State.CANCELLED, now)
            return _one(connection, job_id)

        return await self._database.write(change)

    async def delete(self, job_ids: Iterable[str]) -> None:
        """Forget jobs and all that belongs to them."""
        rows = [[job_id] for job_id in job_ids]
        await self._database.write(lambda connection: connection.executemany("DELETE FROM jobs WHERE id = ?", rows))

    async def expired(self, now: float, limit: int = 1000) -> list[str]:
        """Jobs whose time is over."""
        query = "SELECT id FROM jobs WHERE expires <= ? ORDER BY expires LIMIT ?"
        return await self._database.read(
            lambda connection: [row["id"] for row in connection.execute(query, [now, limit])]
        )

    def _end(self, connection: sqlite3.Connection, job_id: str, state: State, now: float) -> None:
        connection.execute(
            "UPDATE jobs SET state = ?, finished = ?, expires = ? WHERE id = ?",
            [state, now, now + self._keep_s, job_id],
        )
        connection.execute(
            "UPDATE webhooks SET due = ? WHERE job = (SELECT number FROM jobs WHERE id = ?)", [now, job_id]
        )


def _check_room(connection: sqlite3.Connection, limit: int) -> None:
    if connection.execute("SELECT count(*) FROM jobs WHERE finished IS NULL").fetchone()[0] >= limit:
        raise QueueFull(f"{limit} jobs are waiting or being read, which is all there is room for; try again later")


def _insert(connection: sqlite3.Connection, job: Job, fingerprint: str, key: str | None) -> None:
    cursor = connection.execute(
        "INSERT INTO jobs"
        " (id, owner, state, created, priority, deadline, options, output, many, idempotency_key, fingerprint)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [job.id, job.owner, job.state, job.created, job.priority, job.deadline]
        + [orjson.dumps(options_to_plain(job.options)).decode(), job.output, job.many, key, fingerprint],
    )
    number = cursor.lastrowid
    connection.executemany(
        "INSERT INTO files (job, position, name, size, sha256, state) VALUES (?, ?, ?, ?, ?, ?)",
        [[number, file.position, file.name, file.size, file.sha256, file.state] for file in job.files],
    )
    if job.webhook is not None:
        connection.execute("INSERT INTO webhooks (job, url) VALUES (?, ?)", [number, job.webhook.url])


def _by_key(connection: sqlite3.Connection, owner: str, key: str) -> tuple[Job, str] | None:
    query = "SELECT id, fingerprint FROM jobs WHERE owner = ? AND idempotency_key = ?"
    row = connection.execute(query, [owner, key]).fetchone()
    return None if row is None else (_one(connection, row["id"]), row["fingerprint"])


def _one(connection: sqlite3.Connection, job_id: str, position: int | None = None) -> Job:
    (job,) = _jobs(connection, "id = ?", [job_id], position=position)
    return job


def _jobs(
    connection: sqlite3.Connection,
    where: str,
    values: list[Any],
    order: str = "number",
    position: int | None = None,
) -> list[Job]:
    """Jobs with their files, or only the one at a position: jobs may have thousands."""
    jobs: dict[int, Job] = {}
    rows = connection.execute(f"SELECT * FROM jobs WHERE {where} ORDER BY {order}", values).fetchall()
    for row in rows:
        jobs[row["number"]] = Job(
            id=row["id"],
            owner=row["owner"],
            created=row["created"],
            state=State(row["state"]),
            started=row["started"],
            finished=row["finished"],
            expires=row["expires"],
            priority=row["priority"],
            deadline=row["deadline"],
            options=options_from_plain(orjson.loads(row["options"])),
            output=row["output"],
            many=bool(row["many"]),
        )
    query = (
        f"SELECT {_FILE} FROM files WHERE job = ?{'' if position is None else ' AND position = ?'} ORDER BY position"
    )
    some = [] if position is None else [position]
    for number, job in jobs.items():  # one primary-key range each, in the same process
        for row in connection.execute(query, [number, *some]):
            job.files.append(JobFile(**{**dict(row), "state": State(row["state"])}))
        hook = connection.execute("SELECT * FROM webhooks WHERE job = ?", [number]).fetchone()
        if hook is not None:
            job.webhook = Webhook(hook["url"], hook["state"], hook["tries"], hook["problem"])
    return list(jobs.values())
