"""Make what was committed outlast a power cut, and give disk space back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from helix_tui.store.database import Database


@contextmanager
def durably(database: Database) -> Iterator[None]:
    """A transaction that is on disk when it ends, before packs are unlinked.

    A checkpoint would make it durable as well, but it waits for readers.
    """
    database.execute_sql("PRAGMA synchronous = FULL")
    try:
        with database.atomic("IMMEDIATE"):
            yield
    finally:
        database.execute_sql("PRAGMA synchronous = NORMAL")


def make_durable(database: Database) -> None:
    """Sync everything that was committed: the log is synced as a whole."""
    with durably(database):
        database.execute_sql("UPDATE note SET value = value")


def give_back_space(database: Database) -> None:
    """Return free pages to the file system, and with them what was written on them."""
    # As a script: a single statement is stepped only once, and so frees only one page.
    connection: sqlite3.Connection = database.connection()
    connection.executescript("PRAGMA incremental_vacuum")
    checkpoint(database)


def checkpoint(database: Database) -> None:
    """Empty the log into the database, as far as no reader needs it."""
    database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
