"""Sessions, events, frames, cursors, usage, problems and sweeps."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    """
    CREATE TABLE session (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        flavor TEXT NOT NULL,
        native_id TEXT NOT NULL,
        parent TEXT,
        repo TEXT,
        cwd TEXT,
        cwd_ts INTEGER,
        branch TEXT,
        branch_ts INTEGER,
        model TEXT,
        model_ts INTEGER,
        first_ts INTEGER,
        last_ts INTEGER,
        events INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        prompts INTEGER NOT NULL,
        tool_calls INTEGER NOT NULL,
        tool_errors INTEGER NOT NULL,
        compactions INTEGER NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        reasoning INTEGER NOT NULL,
        pack_bytes INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE event (
        session INTEGER NOT NULL,
        fingerprint INTEGER NOT NULL,
        part INTEGER NOT NULL,
        position INTEGER NOT NULL,
        ts INTEGER,
        kind INTEGER NOT NULL,
        is_error INTEGER NOT NULL,
        frame INTEGER NOT NULL,
        slot INTEGER NOT NULL,
        PRIMARY KEY (session, fingerprint)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE frame (
        session INTEGER NOT NULL,
        "offset" INTEGER NOT NULL,
        length INTEGER NOT NULL,
        size INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (session, "offset")
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE part (
        key INTEGER PRIMARY KEY,
        flavor TEXT NOT NULL,
        unit TEXT NOT NULL,
        name TEXT NOT NULL,
        path TEXT NOT NULL,
        device INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        "offset" INTEGER NOT NULL,
        head_length INTEGER NOT NULL,
        head_hash INTEGER NOT NULL,
        tail_hash INTEGER NOT NULL,
        UNIQUE (flavor, unit, name)
    )
    """,
    """
    CREATE TABLE folder (
        flavor TEXT NOT NULL,
        path TEXT NOT NULL,
        digest INTEGER NOT NULL,
        own_units INTEGER NOT NULL,
        shared_units BLOB NOT NULL,
        PRIMARY KEY (flavor, path)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE unit_state (
        flavor TEXT NOT NULL,
        unit TEXT NOT NULL,
        state BLOB NOT NULL,
        PRIMARY KEY (flavor, unit)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE usage (
        key TEXT PRIMARY KEY,
        session INTEGER NOT NULL,
        ts INTEGER,
        model TEXT,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        reasoning INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE usage_holder (
        key TEXT NOT NULL,
        session INTEGER NOT NULL,
        PRIMARY KEY (key, session)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX usage_holder_session ON usage_holder (session)",
    """
    CREATE TABLE problem (
        path TEXT NOT NULL,
        "offset" INTEGER NOT NULL,
        reason TEXT NOT NULL,
        first_ts INTEGER NOT NULL,
        is_stale INTEGER NOT NULL,
        PRIMARY KEY (path, "offset", reason)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE sweep (
        key INTEGER PRIMARY KEY,
        started_ts INTEGER NOT NULL,
        seconds REAL NOT NULL,
        discovered INTEGER NOT NULL,
        ingested INTEGER NOT NULL,
        skipped_unchanged INTEGER NOT NULL,
        bytes_read INTEGER NOT NULL,
        new_problems INTEGER NOT NULL,
        is_complete INTEGER NOT NULL
    )
    """,
    "CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


def up(migrator: Any, db: Any) -> None:
    """Creates every table of the first version."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 1")
