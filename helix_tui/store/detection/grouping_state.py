"""The state of grouping that every sweep asks for: is all grouped, and which ids were replaced."""

from __future__ import annotations

import sqlite3

import msgspec

from helix_tui.store.facts import note, set_note

# Of which replaced ids candidates hold smaller parts.
PARTS_NOTE = "parts"
_NUMBER = "grouping_number"

# How much of a model's labels is in the signals; none where none ever was.
LABELS_NOTE = "labels"
# What lists may show: all from the floor on, and from a lower one on what was stored with a brief.
LISTED = "sessions >= min(?1, ?2) AND (sessions >= ?1 OR brief IS NOT NULL)"


def is_grouped(connection: sqlite3.Connection, version: str, settings: str) -> bool:
    """Whether nothing changed since all was grouped, by this version and with these settings."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM changed_session) OR EXISTS (SELECT 1 FROM changed_bucket), "
        "(SELECT value FROM note WHERE name = 'signals'), "
        "(SELECT value FROM note WHERE name = 'grouped')"
    ).fetchone()
    return bool(row == (0, version, settings))


def begin_signals(connection: sqlite3.Connection, version: str) -> None:
    """Record for an empty store that all its signals are of this version."""
    is_empty = connection.execute("SELECT 1 FROM session LIMIT 1").fetchone() is None
    if is_empty and note(connection, "signals") is None:
        set_note(connection, "signals", version)


def note_grouped(connection: sqlite3.Connection, settings: str) -> None:
    """Record that everything is grouped, and with which settings."""
    connection.execute("DELETE FROM changed_bucket")
    connection.execute("DELETE FROM changed_session")
    set_note(connection, "grouped", settings)
    set_note(connection, _NUMBER, str(grouping_number(connection) + 1))


def grouping_number(connection: sqlite3.Connection) -> int:
    """How often candidates were grouped: it is another one when they may be others."""
    return int(note(connection, _NUMBER) or 0)


def grouped_with(connection: sqlite3.Connection) -> str | None:
    """The settings with which everything was last grouped."""
    return note(connection, "grouped")


def count_candidates(connection: sqlite3.Connection, min_sessions: int, least: int) -> int:
    """How many candidates have so many sessions, or are stored for lists from `least` on."""
    (count,) = connection.execute(
        f"SELECT count(*) FROM candidate WHERE {LISTED}", (min_sessions, least)
    ).fetchone()
    return int(count)


def renamed_ids(connection: sqlite3.Connection) -> dict[str, str]:
    """Every replaced id with the one that replaced it."""
    rows = connection.execute("SELECT old, new FROM regrouped ORDER BY old").fetchall()
    return {str(old): str(new) for old, new in rows}


def note_parts(connection: sqlite3.Connection, parts: dict[str, str]) -> None:
    """Remember of which replaced id a candidate holds a smaller part."""
    if parts:
        known = former_wholes(connection) | parts
        set_note(connection, PARTS_NOTE, msgspec.json.encode(known, order="sorted").decode())


def former_wholes(connection: sqlite3.Connection) -> dict[str, str]:
    """The replaced id that each candidate was a smaller part of."""
    noted = note(connection, PARTS_NOTE)
    return msgspec.json.decode(noted, type=dict[str, str]) if noted else {}
