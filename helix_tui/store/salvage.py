"""Reads what can still be read of a damaged database, row by row around the damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helix_tui.schema import UsageClaim
from helix_tui.store.evicted import unpack_fingerprints
from helix_tui.store.session_state import COLUMNS, SessionState

_PART = "key, flavor, unit, name, path, is_document"
_USAGE = "key, ts, model, input, output, cache_read, cache_write, reasoning, session"


@dataclass(slots=True)
class SalvagedSession:
    """A session as the damaged database had it."""

    state: SessionState
    stored: set[int] = field(default_factory=set)
    evicted: set[int] = field(default_factory=set)
    folds: dict[int, bytes] = field(default_factory=dict)
    usage: list[UsageClaim] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SalvagedPart:
    """A part as the damaged database had it."""

    flavor: str
    unit: str
    name: str
    path: str
    is_document: bool


@dataclass(slots=True)
class Salvaged:
    """Everything that could be read; `is_whole` says whether that was all there was."""

    sessions: dict[str, SalvagedSession] = field(default_factory=dict)
    parts: dict[int, SalvagedPart] = field(default_factory=dict)
    is_whole: bool = True


def salvage_database(path: Path) -> Salvaged:
    """The sessions of a database of any state; nothing of the file is changed."""
    found = Salvaged()
    if not path.exists():
        found.is_whole = False
        return found
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        _Salvager(connection, found).run()
    finally:
        connection.close()
    return found


class _Salvager:
    """Reads table after table; an unreadable page costs the rows on it."""

    def __init__(self, connection: sqlite3.Connection, found: Salvaged) -> None:
        self._connection = connection
        self._found = found

    def run(self) -> None:
        by_key: dict[int, SalvagedSession] = {}
        for row in self._by_rowid("session", ", ".join(COLUMNS)):
            session = SalvagedSession(SessionState(*row))
            session.state.is_analyzed = bool(session.state.is_analyzed)
            by_key[session.state.key] = self._found.sessions[session.state.id] = session
        for key, *part in self._by_rowid("part", _PART):
            self._found.parts[key] = SalvagedPart(*part)
        for owner, of_part, data in self._by_rowid("fold", "session, part, data"):
            if owner in by_key:
                by_key[owner].folds[of_part] = data
        for owner, fingerprints in self._by_rowid("evicted", "session, fingerprints"):
            if owner in by_key:
                by_key[owner].evicted = set(unpack_fingerprints(fingerprints))
        for *claim, owner in self._from_both_ends("usage", _USAGE):
            if owner in by_key:
                by_key[owner].usage.append(UsageClaim(*claim))
        for key, session in by_key.items():
            session.stored = self._fingerprints(key)

    def _by_rowid(self, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
        """Rows in order; behind a damaged page the search goes on in growing steps."""
        last, step = -1, 1
        while True:
            try:
                rows = self._connection.execute(
                    f"SELECT rowid, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid", (last,)
                )
                for row in rows:
                    last, step = row[0], 1
                    yield row[1:]
            except sqlite3.DatabaseError:
                self._found.is_whole = False
                last, step = last + step, step * 2
                if step > 1 << 40:
                    return
            else:
                return

    def _from_both_ends(self, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
        seen: set[str] = set()
        for order in ("ASC", "DESC"):
            try:
                rows = self._connection.execute(
                    f"SELECT {columns} FROM {table} ORDER BY key {order}"
                )
                for row in rows:
                    if row[0] not in seen:
                        seen.add(row[0])
                        yield row
            except sqlite3.DatabaseError:
                self._found.is_whole = False
            else:
                return

    def _fingerprints(self, session: int) -> set[int]:
        try:
            rows = self._connection.execute(
                "SELECT fingerprint FROM event WHERE session = ?", (session,)
            )
            return {row[0] for row in rows}
        except sqlite3.DatabaseError:
            self._found.is_whole = False
            return set()
