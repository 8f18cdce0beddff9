"""Follow what is gone from a database that was read again: events, usage and times of a session.

A log only grows, and what a rewritten one lacks is kept. A database is what its agent says it is:
what somebody took back there, with its tokens, is taken out of the session here. A session that is
gone as a whole stays, as one does whose log was deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from helix_tui.schema import EventRow, SessionPatch
from helix_tui.store.ingest.session_state import SessionState
from helix_tui.store.ingest.usage import UsageLedger


class Standing(msgspec.Struct):
    """What a database still says of one session, over all batches of one reading."""

    claims: set[str] = set()
    first_ts: int | None = None
    last_ts: int | None = None

    def take(self, patch: SessionPatch) -> None:
        """Add what one batch says."""
        self.claims.update(claim.key for claim in patch.usage)
        for ts in (patch.first_ts, patch.last_ts):
            if ts is not None:
                self.first_ts = ts if self.first_ts is None else min(ts, self.first_ts)
                self.last_ts = ts if self.last_ts is None else max(ts, self.last_ts)


def drop_vanished(
    connection: sqlite3.Connection,
    ledger: UsageLedger,
    part: int,
    standing: Mapping[int, Standing],
    session_by_key: Mapping[int, SessionState],
) -> list[SessionState]:
    """Take out of each session what its rows no longer have; return those that lost something.

    What was read again has its place; what lies before all places was not.
    """
    changed: list[SessionState] = []
    for key, still in standing.items():
        session = session_by_key[key]
        rows: list[EventRow] = connection.execute(
            "SELECT fingerprint, position, ts, kind, is_error FROM event "
            "WHERE session = ? AND part = ? AND position < 0",
            (key, part),
        ).fetchall()
        withdrawn = ledger.withdraw(session, still.claims)
        if not rows and not withdrawn:
            continue
        session.count(rows, -1)
        session.is_analyzed = False
        session.first_ts, session.last_ts = still.first_ts, still.last_ts
        connection.execute(
            "DELETE FROM event WHERE session = ? AND part = ? AND position < 0", (key, part)
        )
        changed.append(session)
    ledger.settle()
    return changed
