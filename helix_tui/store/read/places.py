"""Where and when sessions ran, and what their logs record of instructions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from helix_tui.schema.context import RecordedText, SessionPlace
from helix_tui.store.packs.zstd import Zstd
from helix_tui.store.sql import chunks, marks

_PLACES = (
    "SELECT s.key, s.id, c.root, s.flavor, coalesce(s.repo, ''), coalesce(s.cwd, ''), "
    "coalesce(s.first_ts, 0), coalesce(s.last_ts, 0) "
    "FROM session s JOIN counted c ON c.key = s.key WHERE c.gate IS NULL"
)
_LARGEST = 16 << 20
_zstd = Zstd(3)


def session_places(connection: sqlite3.Connection) -> list[SessionPlace]:
    """The sessions that count, each with its place."""
    return [SessionPlace._make(row) for row in connection.execute(f"{_PLACES} ORDER BY s.key")]


def place_of(connection: sqlite3.Connection, key: int) -> SessionPlace | None:
    """The place of one session; none where it does not count."""
    row = connection.execute(f"{_PLACES} AND s.key = ?", (key,)).fetchone()
    return None if row is None else SessionPlace._make(row)


def recorded_texts(
    connection: sqlite3.Connection, session: int | None = None
) -> dict[int, list[RecordedText]]:
    """What logs record of instructions, by session, in the order of time."""
    where, given = ("WHERE session = ?", (session,)) if session is not None else ("", ())
    rows = connection.execute(
        f"SELECT session, hash, source, ts, cut FROM instructed {where} ORDER BY session, ts, hash",
        given,
    )
    found: dict[int, list[RecordedText]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(RecordedText._make(row))
    return found


def texts_by_hash(connection: sqlite3.Connection, hashes: Iterable[int]) -> dict[int, str]:
    """The recorded texts of these hashes, redacted."""
    texts: dict[int, str] = {}
    for some in chunks(sorted(hashes)):
        rows = connection.execute(
            f"SELECT hash, data FROM instruction_text WHERE hash IN ({marks(some)})", some
        )
        texts.update(
            (digest, _zstd.decompress(data, _LARGEST).decode("utf-8", "replace"))
            for digest, data in rows
        )
    return texts


def instructions_revision(connection: sqlite3.Connection) -> str:
    """A text that differs when sessions or records of instructions came or went."""
    row = connection.execute(
        "SELECT (SELECT count(*) FROM instructed), (SELECT coalesce(max(key), 0) FROM instructed), "
        "(SELECT count(*) FROM counted), (SELECT coalesce(sum(length(id)), 0) FROM counted)"
    ).fetchone()
    return repr(row)


def models_by_session(connection: sqlite3.Connection) -> dict[int, str]:
    """The last model of each session that names one."""
    return dict(connection.execute("SELECT key, model FROM session WHERE model IS NOT NULL"))


def agent_versions_by_session(connection: sqlite3.Connection) -> dict[int, str]:
    """The version of its agent that each session began with, where its log records one."""
    rows = connection.execute(
        "SELECT key, agent_version FROM session WHERE agent_version IS NOT NULL"
    )
    return dict(rows)
