"""Webhooks in the database: which are due, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.server.jobs.database import Database


@dataclass(slots=True, frozen=True)
class Due:
    """A webhook to be sent now. ``tries`` counts those before."""

    job_id: str
    owner: str
    url: str
    tries: int


class Outbox:
    """The webhooks of jobs that have ended and whose receiver has not said yes.

    Args:
        database: opened by the caller.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, now: float, limit: int) -> list[Due]:
        """What is due, the longest overdue first."""
        query = (
            "SELECT id, owner, url, tries FROM webhooks JOIN jobs ON number = job WHERE due <= ? ORDER BY due LIMIT ?"
        )
        return await self._database.read(
            lambda connection: [Due(*row) for row in connection.execute(query, [now, limit])]
        )

    async def next_due(self, now: float) -> float | None:
        """When the next one is due that is not yet; None if there is none."""
        query = "SELECT min(due) FROM webhooks WHERE due > ?"
        due: float | None = await self._database.read(lambda connection: connection.execute(query, [now]).fetchone()[0])
        return due

    async def delivered(self, job_id: str) -> None:
        """The receiver has said yes."""
        await self._update(job_id, "delivered", None, None)

    async def failed(self, job_id: str, problem: str, due: float | None) -> None:
        """It has not: try again at ``due``, or (None) never."""
        await self._update(job_id, "given_up" if due is None else "pending", due, problem)

    async def _update(self, job_id: str, state: str, due: float | None, problem: str | None) -> None:
        query = (
            "UPDATE webhooks SET state = ?, tries = tries + 1, due = ?, problem = ?"
            " WHERE job = (SELECT number FROM jobs WHERE id = ?)"
        )
        await self._database.write(lambda connection: connection.execute(query, [state, due, problem, job_id]))
