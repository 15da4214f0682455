"""One SQLite connection on a thread of its own, for the event loop to use."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pipeline.server.jobs.schema import migrate
from schemas.errors import SettingsError

T = TypeVar("T")


class Database:
    """A database in WAL mode that keeps what was committed even when the power fails.

    Everything that touches it is one function, called with the connection on the one thread; so there is neither
    locking nor waiting for another writer.

    Args:
        path: the file, made (readable for this user only) if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jobs-database")
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Connect, and bring the tables up to date.

        Raises:
            SettingsError: the file cannot be used; why.
        """
        await self._submit(self._connect)

    async def close(self) -> None:
        """Finish what was begun, then disconnect. Idempotent."""
        if self._connection is not None:
            await self._submit(self._disconnect)
        self._thread.shutdown(wait=False)  # it is idle

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function that changes nothing."""
        return await self._submit(lambda: query(self._open_connection()))

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function in one transaction: when this returns, its changes are on the disk.

        A caller that is cancelled while it waits does not undo the change, nor can it prevent it.
        """
        return await self._submit(lambda: self._commit(change))

    async def _submit(self, function: Callable[[], T]) -> T:
        # shielded: a cancelled caller would otherwise take the function out of the queue, or leave it running unseen
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, function))

    def _commit(self, change: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._open_connection()
        with transaction(connection):
            return change(connection)

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RuntimeError("the jobs database is closed")
        return self._connection

    def _connect(self) -> None:
        try:
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            connection = sqlite3.connect(self._path, isolation_level=None)
            try:
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")  # NORMAL could lose commits with the power
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")  # deleted jobs leave no file names behind
                migrate(connection)
            except BaseException:
                connection.close()
                raise
        except OSError as error:
            raise SettingsError(
                f"the jobs database {self._path} cannot be opened ({error.strerror}): choose another server.data_dir"
            ) from error
        except sqlite3.DatabaseError as error:
            raise SettingsError(
                f"the jobs database {self._path} cannot be used ({error}): move it away, or choose another "
                "server.data_dir"
            ) from error
        self._connection = connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, on the disk when left."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK")
        raise
