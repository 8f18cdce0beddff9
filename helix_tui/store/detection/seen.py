"""The index of errors that were seen before: a message finds its rows by key, without a scan."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from helix_tui.schema.candidate import Candidate
from helix_tui.schema.recall import SeenError, SeenRow
from helix_tui.store.detection.candidates import unpack_candidate
from helix_tui.store.detection.signals import UNREADABLE, damaged
from helix_tui.store.sql import marks

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SeenRow).decode
# So many rows of one key, and candidates of one bucket, are looked at.
_MOST_ROWS = 200
_MOST_CANDIDATES = 40


def replace_seen(
    connection: sqlite3.Connection,
    buckets: Sequence[int],
    rows: Iterable[tuple[int, int, SeenRow]],
) -> None:
    """Replace the rows of these buckets; each row has its key and its bucket."""
    connection.execute(f"DELETE FROM seen WHERE bucket IN ({marks(buckets)})", buckets)
    connection.executemany(
        "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)",
        [(key, bucket, row.template, _encode(row)) for key, bucket, row in rows],
    )


def seen_by_key(connection: sqlite3.Connection, key: int) -> list[SeenError]:
    """The rows of a key."""
    rows = connection.execute(
        "SELECT bucket, data FROM seen WHERE key = ? LIMIT ?", (key, _MOST_ROWS)
    )
    try:
        return [SeenError(bucket, _decode(data)) for bucket, data in rows]
    except UNREADABLE as error:
        raise damaged("The index of errors that were seen") from error


def candidates_of_bucket(connection: sqlite3.Connection, bucket: int) -> list[Candidate]:
    """The candidates of a bucket, those of most sessions first."""
    rows = connection.execute(
        "SELECT data FROM candidate WHERE bucket = ? ORDER BY sessions DESC, id LIMIT ?",
        (bucket, _MOST_CANDIDATES),
    )
    return [unpack_candidate(data) for (data,) in rows]
