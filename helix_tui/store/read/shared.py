"""What a store knows of sessions that a team may see: read whole, changed by nobody here."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from helix_tui.schema import TURN_KINDS, SearchText, UsageClaim
from helix_tui.schema.signal import Profile, Signal
from helix_tui.store.detection.conversations import pairs_of_all
from helix_tui.store.detection.signals import unpack_profile, unpack_signals
from helix_tui.store.digests.folds import StoredFold, folds_of
from helix_tui.store.digests.search_index import texts_of
from helix_tui.store.sql import chunks, marks
from helix_tui.text.hashing import hash64

# A copy begins as its original does: so many of the first messages and turns tell.
_FIRST = 8
_TURNS = ", ".join(map(str, sorted(TURN_KINDS)))
_COLUMNS = (
    "key, id, flavor, native_id, parent, repo, cwd, branch, model, first_ts, last_ts, events, "
    "turns, prompts, tool_calls, tool_errors, compactions, input, output, cache_read, "
    "cache_write, reasoning, ended, outcome, outcome_confidence, outcome_reason, evicted_events"
)


class SharedSession(NamedTuple):
    """A session's row."""

    key: int
    id: str
    flavor: str
    native_id: str
    parent: str | None
    repo: str
    cwd: str | None
    branch: str | None
    model: str | None
    first_ts: int | None
    last_ts: int | None
    events: int
    turns: int
    prompts: int
    tool_calls: int
    tool_errors: int
    compactions: int
    input: int
    output: int
    cache_read: int
    cache_write: int
    reasoning: int
    ended: str | None
    outcome: str
    outcome_confidence: float | None
    outcome_reason: str | None
    evicted_events: int


def repositories(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Every repository that sessions name, with the folders that they ran in, the latest first."""
    rows = connection.execute(
        "SELECT repo, cwd FROM session WHERE repo IS NOT NULL AND turns > 0 "
        "GROUP BY repo, cwd ORDER BY max(last_ts) DESC"
    )
    found: dict[str, list[str]] = {}
    for repo, cwd in rows:
        found.setdefault(repo, []).extend([cwd] if cwd else [])
    return found


def sessions_in(connection: sqlite3.Connection, repos: Collection[str]) -> list[SharedSession]:
    """The sessions of some repositories, the oldest first."""
    found: list[SharedSession] = []
    for chunk in chunks(sorted(repos)):
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM session WHERE turns > 0 AND is_analyzed = 1 "
            f"AND repo IN ({marks(chunk)})",
            chunk,
        )
        found += map(SharedSession._make, rows)
    return sorted(found, key=lambda one: (one.first_ts or 0, one.id))


def stamps(connection: sqlite3.Connection, sessions: Sequence[SharedSession]) -> dict[int, int]:
    """By key a hash of all that is pushed of a session: another one where anything changed."""
    wanted = {one.key for one in sessions}
    parts: dict[int, list[object]] = {one.key: [tuple(one)] for one in sessions}
    for select in (
        "SELECT session, bucket, data FROM signal ORDER BY session, bucket",
        "SELECT key, profile, 0 FROM session",
        "SELECT session, names, 0 FROM triggered",
        "SELECT key >> 20, key, length(data) FROM search_text ORDER BY key",
        "SELECT session, count(*), 0 FROM usage_holder GROUP BY session",
    ):
        for key, first, second in connection.execute(select):
            if key in wanted:
                other = hash64(second) if isinstance(second, bytes) else second
                parts[key].append((first, other))
    return {key: hash64(repr(found).encode()) for key, found in parts.items()}


def profile_in(connection: sqlite3.Connection, key: int) -> Profile:
    """What lists and the quality gate know of a session."""
    (data,) = connection.execute("SELECT profile FROM session WHERE key = ?", (key,)).fetchone()
    return unpack_profile(data)


def signals_in(connection: sqlite3.Connection, key: int) -> list[Signal]:
    """All signals of a session."""
    rows = connection.execute("SELECT data FROM signal WHERE session = ? ORDER BY bucket", (key,))
    return [signal for (data,) in rows.fetchall() for signal in unpack_signals(data)]


def triggers_in(connection: sqlite3.Connection, key: int) -> str:
    """What a session did that makes candidates possible, a line each."""
    row = connection.execute("SELECT names FROM triggered WHERE session = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def folds_in(connection: sqlite3.Connection, key: int) -> list[StoredFold]:
    """A session's folds."""
    return list(folds_of(connection, key).values())


def texts_in(connection: sqlite3.Connection, key: int) -> list[SearchText]:
    """A session's texts that can be searched."""
    return texts_of(connection, key)


def messages_in(connection: sqlite3.Connection, key: int) -> Iterator[UsageClaim]:
    """The messages whose usage counts for a session."""
    for row in connection.execute(
        "SELECT key, ts, model, input, output, cache_read, cache_write, reasoning, cost_ticks, "
        "cache_write_1h, requests FROM usage WHERE session = ? ORDER BY ts, key",
        (key,),
    ):
        yield UsageClaim(*row)


class Marks:
    """What sessions of one conversation have in common, as numbers that say nothing else.

    Those of one store are known to belong together; a copy on another machine begins with the same
    messages, or at the same moment with the same turns.
    """

    def __init__(self, connection: sqlite3.Connection, origin: str) -> None:
        self._connection = connection
        self._origin = origin
        self._roots: dict[int, int] = {}
        for one, two in sorted(pairs_of_all(connection)):
            least, other = sorted((self._root(one), self._root(two)))
            self._roots[other] = least
        named = {key for pair in self._roots.items() for key in pair}
        self._names: dict[int, str] = {}
        for chunk in chunks(sorted(named)):
            self._names.update(
                connection.execute(
                    f"SELECT key, id FROM session WHERE key IN ({marks(chunk)})", chunk
                ).fetchall()
            )
        self._ends = {self._root(key) for key in self._roots}

    def of(self, session: SharedSession) -> list[int]:
        """The marks of a session, in order."""
        return sorted({*self._together(session), *self._messages(session), *self._turns(session)})

    def _root(self, key: int) -> int:
        while (above := self._roots.get(key, key)) != key:
            key = above
        return key

    def _together(self, session: SharedSession) -> Iterator[int]:
        root = self._root(session.key)
        if root in self._ends:
            yield hash64(f"together\0{self._origin}\0{self._names[root]}".encode())

    def _messages(self, session: SharedSession) -> Iterator[int]:
        rows = self._connection.execute(
            "SELECT u.key FROM usage u WHERE u.session = ?1 OR u.key IN "
            "(SELECT key FROM usage_holder WHERE session = ?1) ORDER BY u.ts, u.key LIMIT ?2",
            (session.key, _FIRST),
        )
        for (name,) in rows.fetchall():
            yield hash64(f"message\0{session.flavor}\0{name}".encode())

    def _turns(self, session: SharedSession) -> Iterator[int]:
        if session.parent is not None:
            return
        rows = self._connection.execute(
            f"SELECT fingerprint FROM event WHERE session = ? AND kind IN ({_TURNS}) "
            "ORDER BY ts, fingerprint LIMIT ?",
            (session.key, _FIRST),
        )
        for (fingerprint,) in rows.fetchall():
            yield hash64(f"turn\0{session.flavor}\0{session.first_ts}\0{fingerprint}".encode())
