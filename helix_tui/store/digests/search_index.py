"""Searchable texts of sessions and the full-text index over them."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from helix_tui.schema import TEXT_KINDS, Query, SearchText, SessionFilter, Term
from helix_tui.store.database import Database
from helix_tui.store.digests.texts import TextsDamagedError, unpack_texts
from helix_tui.store.layout import StoreLayout
from helix_tui.store.packs.space import require_room

# A text's key is its session's key shifted by this many bits, plus a running number.
SHIFT = 20
# An indexing transaction ends after this many characters; a crash costs no more than that.
_INDEXED_AT_ONCE = 8 << 20
_ROWS_AT_ONCE = 4096
# What indexing may need on disk for each byte of compressed text, the log included.
_ROOM_FOR_EACH = 4
# A prompt says most about a session; errors and commands say more than replies.
_WEIGHTS = {"prompt": 4.0, "reply": 1.0, "command": 1.5, "error": 2.0}
_BM25 = f"bm25(search_index, {', '.join(str(_WEIGHTS[kind]) for kind in TEXT_KINDS)})"
_COLUMNS = ", ".join(TEXT_KINDS)
log = logging.getLogger(__name__)


class IndexHit(msgspec.Struct, frozen=True):
    """A session that matches a query; a lower rank is better."""

    key: int
    id: str
    flavor: str
    repo: str | None
    outcome: str
    first_ts: int | None
    last_ts: int | None
    rank: float
    title: str = ""


def add_texts(connection: sqlite3.Connection, texts: Iterable[tuple[int, bytes]]) -> None:
    """Add texts to sessions, to be indexed later."""
    for session_key, data in texts:
        least, last = _range(session_key)
        (key,) = connection.execute(
            "SELECT coalesce(max(key) + 1, ?) FROM search_text WHERE key BETWEEN ? AND ?",
            (least, least, last),
        ).fetchone()
        connection.execute("INSERT INTO search_text VALUES (?, ?)", (key, data))
        connection.execute("INSERT INTO search_pending VALUES (?)", (key,))


def drop_texts(connection: sqlite3.Connection, session_key: int) -> None:
    """Drop a session's texts from the index and the store."""
    rows = connection.execute(
        "SELECT t.key, t.data FROM search_text t LEFT JOIN search_pending p ON p.key = t.key "
        "WHERE t.key BETWEEN ? AND ? AND p.key IS NULL",
        _range(session_key),
    ).fetchall()
    try:
        # A contentless index deletes only what it is told again, word for word.
        connection.executemany(
            f"INSERT INTO search_index (search_index, rowid, {_COLUMNS}) "
            "VALUES ('delete', ?, ?, ?, ?, ?)",
            [(key, *_columns(unpack_texts(data))) for key, data in rows],
        )
    except TextsDamagedError:
        _empty_index(connection)  # its words can no longer be told
    for table in ("search_text", "search_pending"):
        connection.execute(f"DELETE FROM {table} WHERE key BETWEEN ? AND ?", _range(session_key))


def forget_dropped(connection: sqlite3.Connection) -> None:
    """Rewrite the index: until then dropped texts are only marked as deleted."""
    connection.execute("INSERT INTO search_index (search_index) VALUES ('optimize')")


def texts_of(connection: sqlite3.Connection, session_key: int) -> list[SearchText]:
    """A session's texts, without those that cannot be read."""
    rows = connection.execute(
        "SELECT data FROM search_text WHERE key BETWEEN ? AND ? ORDER BY key", _range(session_key)
    )
    return [text for (data,) in rows.fetchall() for text in _readable(data)]


def count_pending(connection: sqlite3.Connection) -> int:
    """How many sessions have texts that are not indexed yet."""
    row = connection.execute(
        "SELECT count(DISTINCT key >> ?) FROM search_pending", (SHIFT,)
    ).fetchone()
    return int(row[0])


def index_pending(database: Database, layout: StoreLayout, cancelled: Callable[[], bool]) -> None:
    """Index waiting texts, some megabytes a transaction; an interrupted run continues next time."""
    connection: sqlite3.Connection = database.connection()
    while not cancelled():
        size = connection.execute(
            "SELECT sum(length(data)) FROM search_text WHERE key IN "
            "(SELECT key FROM search_pending ORDER BY key LIMIT ?)",
            (_ROWS_AT_ONCE,),
        ).fetchone()[0]
        if not size:
            return
        require_room(layout, _ROOM_FOR_EACH * size)
        with database.atomic("IMMEDIATE"):
            _index(connection, cancelled)


def _index(connection: sqlite3.Connection, cancelled: Callable[[], bool]) -> None:
    """Index the first of the waiting texts, and take them off the waiting list."""
    indexed: list[tuple[int]] = []
    waiting = connection.execute(
        "SELECT p.key, t.data FROM search_pending p JOIN search_text t ON t.key = p.key "
        "ORDER BY p.key LIMIT ?",
        (_ROWS_AT_ONCE,),
    )

    def rows() -> Iterator[tuple[int, str, str, str, str]]:
        size = 0
        for key, data in waiting:
            columns = _columns(_readable(data))
            yield key, *columns
            indexed.append((key,))
            size += sum(map(len, columns))
            if size >= _INDEXED_AT_ONCE or cancelled():
                return

    connection.executemany(
        f"INSERT INTO search_index (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?)", rows()
    )
    connection.executemany("DELETE FROM search_pending WHERE key = ?", indexed)


def rebuild_index(database: Database) -> None:
    """Empty the index; every text waits to be indexed again."""
    with database.atomic("IMMEDIATE"):
        _empty_index(database.connection())


def _empty_index(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO search_index (search_index) VALUES ('delete-all')")
    connection.execute("DELETE FROM search_pending")
    connection.execute("INSERT INTO search_pending SELECT key FROM search_text")


def are_indexed(connection: sqlite3.Connection) -> str:
    """What is wrong with the index; empty if it has each text once and all can be read.

    The index's own check would write to the database, which must not happen here.
    """
    try:
        (astray,) = connection.execute(
            "WITH texts AS (SELECT key FROM search_text EXCEPT SELECT key FROM search_pending), "
            "indexed AS (SELECT id FROM search_index_docsize), "
            "astray AS (SELECT key FROM search_pending EXCEPT SELECT key FROM search_text) "
            "SELECT (SELECT count(*) FROM (SELECT * FROM texts EXCEPT SELECT * FROM indexed)) + "
            "(SELECT count(*) FROM (SELECT * FROM indexed EXCEPT SELECT * FROM texts)) + "
            "(SELECT count(*) FROM astray)"
        ).fetchone()
        if astray:
            return f"{astray:,} texts are indexed otherwise than they should be"
        sizes = connection.execute("SELECT sz FROM search_index_docsize").fetchall()
        connection.execute(
            "CREATE VIRTUAL TABLE temp.search_words USING fts5vocab(main, search_index, row)"
        )
        try:
            (words,) = connection.execute(
                "SELECT coalesce(sum(cnt), 0) FROM temp.search_words"
            ).fetchone()
        finally:
            connection.execute("DROP TABLE temp.search_words")
    except sqlite3.DatabaseError as error:
        return f"the index cannot be read: {error}"
    expected = sum(_sum_of(size) for (size,) in sizes)
    return "" if words == expected else f"the index holds {words:,} words instead of {expected:,}"


def _sum_of(varints: bytes) -> int:
    """The sum of SQLite varints: seven bits to a byte, the highest first."""
    total = number = 0
    for byte in varints:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            total += number
            number = 0
    return total


def find(
    connection: sqlite3.Connection, query: Query, session_filter: SessionFilter, limit: int
) -> tuple[list[IndexHit], int]:
    """The best sessions for a query, and how many match."""
    values: list[Any] = [" OR ".join(map(_expression, query.wanted))]
    conditions = ["s.turns > 0"]
    for column, value in (
        ("s.flavor = ?", session_filter.flavor),
        ("s.repo = ?", session_filter.repo),
        ("s.outcome = ?", session_filter.outcome),
        ("s.last_ts >= ?", session_filter.since_ts),
        ("s.last_ts <= ?", session_filter.until_ts),
    ):
        if value is not None:
            conditions.append(column)
            values.append(value)
    within = f"(SELECT rowid >> {SHIFT} FROM search_index WHERE search_index MATCH ?)"
    # A single term is matched by the ranking itself.
    for terms, operator in ((query.wanted, "IN"), (query.excluded, "NOT IN")):
        if operator == "NOT IN" or len(terms) > 1:
            conditions += [f"s.key {operator} {within}"] * len(terms)
            values += map(_expression, terms)
    rows = connection.execute(
        "WITH scored (session, score) AS MATERIALIZED "
        f"(SELECT rowid >> {SHIFT}, {_BM25} FROM search_index WHERE search_index MATCH ?) "
        "SELECT s.key, min(scored.score) AS best, count(*) OVER () FROM scored "
        f"JOIN session s ON s.key = scored.session WHERE {' AND '.join(conditions)} "
        "GROUP BY s.key ORDER BY best, s.last_ts DESC, s.id LIMIT ?",
        (*values, limit),
    ).fetchall()
    return [_hit(connection, *row[:-1]) for row in rows], rows[0][-1] if rows else 0


def _hit(connection: sqlite3.Connection, key: int, rank: float) -> IndexHit:
    """Read the session of one hit; for all matches that would take as long as the search."""
    from helix_tui.store.detection.signals import unpack_profile

    row = connection.execute(
        "SELECT key, id, flavor, repo, outcome, first_ts, last_ts, profile FROM session "
        "WHERE key = ?",
        (key,),
    ).fetchone()
    return IndexHit(*(*row[:-1], rank, unpack_profile(row[-1]).title))


def _expression(term: Term) -> str:
    """A term as a quoted string of FTS5's query language, in which nothing is an operator."""
    quoted = '"' + term.text.replace('"', '""') + '"'
    return f"{quoted} *" if term.is_prefix else quoted


def _range(session_key: int) -> tuple[int, int]:
    """The least and greatest key that a session's texts can have."""
    return session_key << SHIFT, ((session_key + 1) << SHIFT) - 1


def _columns(texts: Iterable[SearchText]) -> tuple[str, str, str, str]:
    """The columns of an index row: the texts of each kind."""
    columns: list[list[str]] = [[] for _ in TEXT_KINDS]
    for kind, _, text in texts:
        columns[kind].append(text)
    prompts, replies, commands, errors = map("\n".join, columns)
    return prompts, replies, commands, errors


def _readable(data: bytes) -> list[SearchText]:
    try:
        return unpack_texts(data)
    except TextsDamagedError as error:
        log.warning("%s %s", error.what, error.todo)  # doctor names the session
        return []
