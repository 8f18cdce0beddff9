"""Instructions that logs record: each text is kept once, whichever sessions were given it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

from helix_tui.schema import Instructed
from helix_tui.schema.context import READ
from helix_tui.schema.session import Instructions
from helix_tui.store.packs.zstd import Zstd
from helix_tui.store.sql import marks
from helix_tui.text.hashing import hash64

_INSERT_TEXT = "INSERT OR IGNORE INTO instruction_text VALUES (?, ?, ?)"
# The same text may stand in several records and logs: the earliest counts, in any order.
_INSERT = (
    "INSERT INTO instructed (session, hash, source, ts, cut) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (session, hash) DO UPDATE SET source = min(source, excluded.source), "
    "ts = coalesce(min(ts, excluded.ts), ts, excluded.ts), "
    "cut = coalesce(min(cut, excluded.cut), cut, excluded.cut)"
)
_SELECT = (
    "SELECT i.session, i.hash, t.size, i.cut FROM instructed i "
    "LEFT JOIN instruction_text t ON t.hash = i.hash"
)
_LARGEST = 16 << 20
_zstd = Zstd(3)
_WRAP = (1 << 64) - 1


def write_instructions(
    connection: sqlite3.Connection, found: Iterable[tuple[int, Instructed]]
) -> None:
    """Store what sessions, by key, were given."""
    for key, given in found:
        if given.text:
            connection.execute(_INSERT_TEXT, (given.hash, given.size, given.text))
        connection.execute(_INSERT, (key, given.hash, given.source, given.ts, given.cut))


def drop_instructions(connection: sqlite3.Connection, keys: Sequence[int]) -> None:
    """Drop what sessions were given, and texts that no other one was."""
    connection.executemany("DELETE FROM instructed WHERE session = ?", [(key,) for key in keys])
    connection.execute(
        "DELETE FROM instruction_text WHERE hash NOT IN (SELECT hash FROM instructed)"
    )


def instructions_of(
    connection: sqlite3.Connection, keys: Sequence[int] | None = None
) -> dict[int, Instructions]:
    """What sessions were given, by key; one of which nothing is recorded is not among them.

    What an agent read by itself is no record of all that it was given.
    """
    among = f" AND i.session IN ({marks(keys)})" if keys is not None else ""
    where = f" WHERE i.source != '{READ}'{among}"
    rows = connection.execute(f"{_SELECT}{where} ORDER BY i.session, i.hash", keys or ()).fetchall()
    return {
        key: _summed([row[1:] for row in listed]) for key, listed in groupby(rows, itemgetter(0))
    }


def instruction_texts(connection: sqlite3.Connection, key: int) -> list[str]:
    """The texts that a session was given, redacted, in the order of their times."""
    rows = connection.execute(
        "SELECT t.data FROM instructed i JOIN instruction_text t ON t.hash = i.hash "
        "WHERE i.session = ? ORDER BY i.ts, i.hash",
        (key,),
    )
    return [_zstd.decompress(data, _LARGEST).decode("utf-8", "replace") for (data,) in rows]


def _summed(rows: list[tuple[int, int | None, int | None]]) -> Instructions:
    texts = [row for row in rows if row[0]]
    if not texts:
        return Instructions("none")
    hashes = [digest & _WRAP for digest, _, _ in texts]
    joined = hashes[0] if len(hashes) == 1 else hash64(repr(hashes).encode()) & _WRAP
    cuts = [cut for _, _, cut in texts if cut is not None]
    size = sum(size or 0 for _, size, _ in texts)
    return Instructions("recorded", f"{joined:016x}", size, min(cuts, default=None), len(texts))
