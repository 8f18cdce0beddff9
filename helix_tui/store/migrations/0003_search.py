"""Texts that can be searched, and the index over them."""

from __future__ import annotations

from typing import Any

STATEMENTS = (
    # A key is the session's, times 2^20, plus a running number: a row of the index tells its
    # session by itself.
    "CREATE TABLE search_text (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE search_pending (key INTEGER PRIMARY KEY)",
    # Without content: the text lies compressed in search_text, and only there.
    """
    CREATE VIRTUAL TABLE search_index USING fts5(
        prompt, reply, command, error,
        content = '', tokenize = 'unicode61 remove_diacritics 2'
    )
    """,
    # Four times the default of words in memory: fewer runs that have to be merged later.
    "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 4194304)",
)


def up(migrator: Any, db: Any) -> None:
    """Adds search; sessions of before get their texts when they are analyzed again."""
    for statement in STATEMENTS:
        db.execute_sql(statement)
    db.execute_sql("PRAGMA user_version = 3")
