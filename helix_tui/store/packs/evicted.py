"""Evicted events stay known by their fingerprints: eight bytes each, sorted, in one row."""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections.abc import Iterable


def evicted_of(connection: sqlite3.Connection, session_key: int) -> frozenset[int]:
    """The fingerprints of a session's evicted events."""
    row = connection.execute(
        "SELECT fingerprints FROM evicted WHERE session = ?", (session_key,)
    ).fetchone()
    return frozenset(unpack_fingerprints(row[0])) if row else frozenset()


def remember_evicted(
    connection: sqlite3.Connection,
    session_key: int,
    fingerprints: Iterable[int],
    parts: Iterable[int],
) -> int:
    """Add fingerprints to those of a session; return how many it has now."""
    all_fingerprints = sorted(evicted_of(connection, session_key).union(fingerprints))
    all_parts = sorted(parts_of_evicted(connection, session_key).union(parts))
    connection.execute(
        "INSERT OR REPLACE INTO evicted VALUES (?, ?, ?)",
        (session_key, _pack(all_fingerprints), ",".join(map(str, all_parts))),
    )
    return len(all_fingerprints)


def parts_of_evicted(connection: sqlite3.Connection, session_key: int) -> frozenset[int]:
    """The parts that had a session's evicted events."""
    row = connection.execute(
        "SELECT parts FROM evicted WHERE session = ?", (session_key,)
    ).fetchone()
    return frozenset(map(int, row[0].split(","))) if row and row[0] else frozenset()


def _pack(fingerprints: list[int]) -> bytes:
    values = array("q", fingerprints)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def unpack_fingerprints(data: bytes) -> array[int]:
    """Decode fingerprints from a row."""
    values = array("q")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
