"""Count each provider message once, in the earliest session that holds it."""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Callable, Iterable

import msgspec

from helix_tui.schema import UsageClaim
from helix_tui.store.ingest.session_state import SessionState
from helix_tui.store.read.spend import SpendBook
from helix_tui.store.sql import chunks, insert_rows, marks

SessionByKey = Callable[[int], SessionState]

# The fields of a claim in their order, and the session that owns it.
USAGE_COLUMNS = (*UsageClaim.__struct_fields__, "session")
_COLUMNS = ", ".join(USAGE_COLUMNS)
_REQUEST = "input + cache_read + cache_write + output"


class UsageLedger:
    """Apply the claims of one transaction and keep sessions' totals in step.

    A message that one session holds is a row with its owner. Only where a second session holds
    it too are the holders stored, so that it can pass to whichever began earlier.
    """

    def __init__(self, connection: sqlite3.Connection, session_by_key: SessionByKey) -> None:
        self._connection = connection
        self._session_by_key = session_by_key
        self._spend = SpendBook(connection)
        self._messages: dict[str, UsageClaim] = {}
        self._owners: dict[str, int] = {}
        self._changed: set[str] = set()
        self._contested: set[str] = set()
        self._holders: set[tuple[str, int]] = set()

    def load(self, keys: Iterable[str]) -> None:
        """Read the stored messages that are about to be claimed."""
        for some in chunks(sorted(set(keys) - self._messages.keys())):
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM usage WHERE key IN ({marks(some)})", some
            )
            for *message, owner in rows:
                claim = UsageClaim(*message)
                self._messages[claim.key] = claim
                self._owners[claim.key] = owner

    def claim(self, session: SessionState, claim: UsageClaim) -> bool:
        """Record what a session says about a message; return whether that was news."""
        stored = self._messages.get(claim.key)
        if stored is None:
            self._messages[claim.key] = claim
            self._owners[claim.key] = session.key
            self._changed.add(claim.key)
            self._count(session, claim)
            return True
        before = copy.copy(stored)
        stored.raise_to(claim)
        owner = self._owners[claim.key]
        if owner != session.key:
            self._holders |= {(claim.key, owner), (claim.key, session.key)}
            self._contested.add(claim.key)
        if before == stored:
            return False
        self._changed.add(claim.key)
        owning = self._session_by_key(owner)
        self._count(owning, before, -1)
        self._count(owning, stored)
        return True

    def _count(self, session: SessionState, message: UsageClaim, sign: int = 1) -> None:
        """Add a message to all totals of its owner, or (sign -1) subtract it."""
        session.add_tokens(message.tokens(), sign)
        self._spend.count(session.key, message, sign)

    def began_earlier(self, session: SessionState) -> None:
        """Contest the messages that a session shares, since its rank has changed."""
        rows = self._connection.execute(
            "SELECT key FROM usage_holder WHERE session = ?", (session.key,)
        )
        shared = [key for (key,) in rows]
        self.load(shared)
        self._contested.update(shared)

    def settle(self) -> None:
        """Pass contested messages to the least of their holders; write everything that changed."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO usage_holder (key, session) VALUES (?, ?)", sorted(self._holders)
        )
        for key in sorted(self._contested):
            holders = self._connection.execute(
                "SELECT session FROM usage_holder WHERE key = ?", (key,)
            )
            sessions = [self._session_by_key(holder) for (holder,) in holders.fetchall()]
            rightful = min(sessions, key=SessionState.rank)
            owner = self._owners[key]
            if rightful.key != owner:
                self._count(self._session_by_key(owner), self._messages[key], -1)
                self._count(rightful, self._messages[key])
                self._owners[key] = rightful.key
                self._changed.add(key)
        insert_rows(
            self._connection,
            f"INSERT OR REPLACE INTO usage ({_COLUMNS})",
            [
                (*msgspec.structs.astuple(self._messages[key]), self._owners[key])
                for key in sorted(self._changed)
            ],
        )
        self._spend.write()

    def withdraw(self, session: SessionState, standing: set[str]) -> int:
        """Take back the session's own messages that are gone; return how many.

        Its own are those whose keys begin with its id; one that two sessions hold stays.
        """
        rows = self._connection.execute(
            "SELECT key FROM usage WHERE key > ? AND key < ? AND session = ? "
            "AND key NOT IN (SELECT key FROM usage_holder)",
            (f"{session.id}:", f"{session.id};", session.key),
        )
        gone = [key for (key,) in rows.fetchall() if key not in standing]
        self.load(gone)
        for key in gone:
            self._count(session, self._messages.pop(key), -1)
            del self._owners[key]
            self._connection.execute("DELETE FROM usage WHERE key = ?", (key,))
        return len(gone)

    def release(self, session_key: int) -> None:
        """Take a session out: shared messages pass to another holder, its own are dropped."""
        shared = [
            key
            for (key,) in self._connection.execute(
                "SELECT key FROM usage_holder WHERE session = ?", (session_key,)
            )
        ]
        self._connection.execute("DELETE FROM usage_holder WHERE session = ?", (session_key,))
        self.load(shared)
        for key in shared:
            if self._owners[key] != session_key:
                continue
            row = self._connection.execute(
                "SELECT session FROM usage_holder WHERE key = ? LIMIT 1", (key,)
            ).fetchone()
            if row is None:
                self._contested.discard(key)
                self._changed.discard(key)
                continue
            self._owners[key] = row[0]
            self._count(self._session_by_key(row[0]), self._messages[key])
            self._contested.add(key)
            self._changed.add(key)
        self._connection.execute("DELETE FROM usage WHERE session = ?", (session_key,))
        self._spend.drop(session_key)


def fresh_tokens(connection: sqlite3.Connection, keys: Iterable[str]) -> dict[str, int]:
    """Tokens of each stored message that were not read from a cache, by key."""
    tokens: dict[str, int] = {}
    for chunk in chunks(sorted(set(keys))):
        rows = connection.execute(
            f"SELECT key, input + cache_write + output FROM usage WHERE key IN ({marks(chunk)})",
            chunk,
        )
        tokens.update(rows.fetchall())
    return tokens


def request_tokens(connection: sqlite3.Connection, keys: Iterable[str]) -> dict[str, int]:
    """Tokens of each message's whole request, by key: the size of the context at that moment."""
    tokens: dict[str, int] = {}
    for chunk in chunks(sorted(set(keys))):
        rows = connection.execute(
            f"SELECT key, {_REQUEST} FROM usage WHERE requests = 1 AND key IN ({marks(chunk)})",
            chunk,
        )
        tokens.update(rows.fetchall())
    return tokens


def dated_requests(
    connection: sqlite3.Connection, owner: str, since_ts: int
) -> list[tuple[int, int]]:
    """Time and tokens of the requests whose keys name a session (`flavor:id`)."""
    rows = connection.execute(
        f"SELECT ts, {_REQUEST} FROM usage "
        "WHERE key > ? AND key < ? AND requests = 1 AND ts > ? ORDER BY ts, key",
        (f"{owner}:", f"{owner};", since_ts),
    )
    return rows.fetchall()
