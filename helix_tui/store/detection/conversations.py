"""Which sessions continue, fork or copy each other, by what they share or name."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from helix_tui.schema import TURN_KINDS
from helix_tui.schema.signal import LINK
from helix_tui.store.detection.signals import unpack_profile
from helix_tui.store.sql import chunks, marks

Pairs = set[tuple[int, int]]
_TURNS = ", ".join(map(str, sorted(TURN_KINDS)))
_HOLDERS = (
    "SELECT DISTINCT a.session, b.session FROM usage_holder a JOIN usage_holder b "
    "ON b.key = a.key AND b.session <> a.session"
)
# Sub-agents belong to whoever started them.
_BEGUN = (
    "SELECT a.key, b.key FROM session a JOIN session b ON b.first_ts = a.first_ts "
    "AND b.flavor = a.flavor AND b.key <> a.key "
    "WHERE a.parent IS NULL AND b.parent IS NULL AND a.turns > 0 AND b.turns > 0"
)
_BEGUN_AS_COUNTED = (
    "SELECT a.key, c.key FROM session a JOIN counted c ON c.first_ts = a.first_ts "
    "AND c.flavor = a.flavor AND c.key <> a.key JOIN session b ON b.key = c.key "
    "WHERE a.parent IS NULL AND b.parent IS NULL"
)


def pairs_of_all(connection: sqlite3.Connection) -> Pairs:
    """Every two sessions that are one conversation."""
    begun = _sorted(connection.execute(_BEGUN).fetchall())
    return (
        _sorted(connection.execute(_HOLDERS).fetchall())
        | {pair for pair in begun if _share_a_turn(connection, *pair)}
        | _linked(connection)
    )


def pairs_around(connection: sqlite3.Connection, keys: Collection[int]) -> Pairs:
    """Every two sessions that are one conversation, at least one of them among these."""
    pairs: Pairs = set()
    begun: Pairs = set()
    for chunk in chunks(sorted(keys)):
        wanted = marks(chunk)
        pairs |= _sorted(connection.execute(f"{_HOLDERS} WHERE a.session IN ({wanted})", chunk))
        begun |= _sorted(
            connection.execute(f"{_BEGUN_AS_COUNTED} AND a.key IN ({wanted})", chunk).fetchall()
        )
        # Those that came at the same time are not counted yet.
        begun |= _sorted(
            connection.execute(
                f"{_BEGUN} AND a.key IN ({wanted}) AND b.key IN ({wanted})", (*chunk, *chunk)
            )
        )
    pairs |= {pair for pair in begun if _share_a_turn(connection, *pair)}
    return pairs | {pair for pair in _linked(connection) if pair[0] in keys or pair[1] in keys}


def _share_a_turn(connection: sqlite3.Connection, one: int, two: int) -> bool:
    """Whether a prompt, reply or call of one session is another's, too.

    What a client inserts is no sign: it repeats its notices in sessions that it cleared.
    """
    row = connection.execute(
        "SELECT 1 FROM event a JOIN event b ON b.session = ? AND b.fingerprint = a.fingerprint "
        f"WHERE a.session = ? AND a.kind IN ({_TURNS}) LIMIT 1",
        (one, two),
    ).fetchone()
    return row is not None


def _linked(connection: sqlite3.Connection) -> Pairs:
    """Sessions that name the same session as what they go on with, and that session."""
    holders: dict[str, set[int]] = {}
    rows = connection.execute(
        "SELECT key, profile FROM session WHERE turns > 0 AND instr(profile, ?) > 0",
        (LINK.encode(),),
    ).fetchall()
    for key, profile in rows:
        for name in unpack_profile(profile).links:
            holders.setdefault(name.removeprefix(LINK), set()).add(key)
    for chunk in chunks(sorted(holders)):
        named = connection.execute(
            f"SELECT id, key FROM session WHERE turns > 0 AND id IN ({marks(chunk)})", chunk
        )
        for name, key in named.fetchall():
            holders[name].add(key)
    return _sorted((min(keys), key) for keys in holders.values() for key in keys)


def _sorted(pairs: Iterable[tuple[int, int]]) -> Pairs:
    return {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
