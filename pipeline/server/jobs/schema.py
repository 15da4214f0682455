"""The database's tables, and the way from each older version to the newest."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from schemas.errors import SettingsError

# One entry per version, each a list of statements. Entries are never changed once released, only added.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE jobs (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner TEXT NOT NULL,
            state TEXT NOT NULL,
            created REAL NOT NULL,
            started REAL,
            finished REAL,
            expires REAL,
            priority INTEGER NOT NULL,
            deadline REAL,
            options TEXT NOT NULL,
            output TEXT NOT NULL,
            many INTEGER NOT NULL,
            idempotency_key TEXT,
            fingerprint TEXT NOT NULL
        )""",
        "CREATE UNIQUE INDEX jobs_by_key ON jobs (owner, idempotency_key) WHERE idempotency_key IS NOT NULL",
        "CREATE INDEX jobs_by_owner ON jobs (owner, number)",
        "CREATE INDEX jobs_by_expiry ON jobs (expires) WHERE expires IS NOT NULL",
        "CREATE INDEX jobs_unfinished ON jobs (number) WHERE finished IS NULL",
        """CREATE TABLE files (
            job INTEGER NOT NULL REFERENCES jobs (number) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            name TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            pages INTEGER,
            code TEXT,
            message TEXT,
            content_type TEXT,
            PRIMARY KEY (job, position)
        ) WITHOUT ROWID""",
        """CREATE TABLE webhooks (
            job INTEGER PRIMARY KEY REFERENCES jobs (number) ON DELETE CASCADE,
            url TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'pending',
            tries INTEGER NOT NULL DEFAULT 0,
            due REAL,
            problem TEXT
        )""",
        "CREATE INDEX webhooks_by_due ON webhooks (due) WHERE due IS NOT NULL",
    ),
)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the database to the newest version, each step in one transaction.

    Args:
        connection: in autocommit mode.
        migrations: the statements of each version.

    Raises:
        SettingsError: a later version of Inklane has written it.
    """
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        version = int(cursor.fetchone()[0])
    if version > len(migrations):
        raise SettingsError(
            f"the jobs database was written by a later version of Inklane (format {version}, known up to "
            f"{len(migrations)}): use that version, or another server.data_dir"
        )
    for number, statements in enumerate(migrations[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")  # takes no parameter; ours, an int
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
