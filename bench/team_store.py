"""A team's store of many made-up sessions, loaded by COPY past the triggers; kept between runs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

import msgspec

from helix_tui.detect.keys import bucket
from helix_tui.schema.signal import Profile, Signal
from helix_tui.team.database import TeamDatabase
from helix_tui.team.roles import grant, make_schema
from helix_tui.text.hashing import hash64

ORIGINS, REPOS, KINDS, MONTHS = 50, 400, 40_000, 24
_SIGNALS = 4
_LAST = datetime(2026, 3, 1, tzinfo=UTC)
_SPAN_MS = MONTHS * 30 * 86_400_000
_SPOKEN, _ABANDONED = 0.01, 0.08
_WISHES = (
    "no, don't commit anything, leave commits to me",
    "stop, that's wrong: use pnpm, not npm",
    "you forgot the migration again",
    "never push without asking me",
)
_encode = msgspec.json.Encoder().encode
_PROFILE = _encode(Profile(prompts=3, tasks=2, useful_calls=20)).decode()
# Few kinds are common: the most frequent is in one session of forty.
_WEIGHTS = list(accumulate(1 / (rank + 30) ** 0.9 for rank in range(KINDS)))
COLUMNS = (
    "month, key, uid, origin, owner, flavor, native_id, repo, repo_name, branch, first_ts, "
    "last_ts, events, turns, prompts, tool_calls, tool_errors, compactions, input, output, "
    "cache_read, cache_write, reasoning, outcome, profile, marks, share, signals_version, "
    "extractor, revision, hash"
)


def fill(opened: TeamDatabase, sessions: int, owner: str) -> None:
    """Make the tables and the sessions in them."""
    with opened.atomic():
        make_schema(opened, "bench")
        grant(opened, "bench")
    for origin in range(ORIGINS):
        opened.rows(
            "INSERT INTO helix.origin (origin, owner) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (f"origin{origin:02d}", owner),
        )
    for month in _months():
        opened.rows("SELECT helix.make_month(%s)", (month,))
    connection = opened.connection
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")
        _copy(
            connection,
            "session_key (uid, key, month, origin, owner)",
            ((row[2], row[1], row[0], row[3], row[4]) for row, _ in made(sessions, owner)),
        )
        _copy(connection, f"session ({COLUMNS})", (row for row, _ in made(sessions, owner)))
        _copy(
            connection,
            "signal (month, key, bucket, data)",
            (
                (row[0], row[1], name, _encode(some).decode())
                for row, signals in made(sessions, owner)
                for name, some in signals.items()
            ),
        )
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('helix.session_key', 'key'), %s)", (sessions + 1,)
        )
    connection.execute("ANALYZE")


def _copy(connection: Any, into: str, rows: Iterator[tuple[object, ...]]) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY helix.{into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _months() -> list[int]:
    first = _LAST.timestamp() * 1000 - _SPAN_MS
    days = range(0, MONTHS * 30 + 1)
    return sorted({_month(int(first + day * 86_400_000)) for day in days})


def _month(ts: int) -> int:
    when = datetime.fromtimestamp(ts / 1000, UTC)
    return when.year * 100 + when.month


def made(
    sessions: int, owner: str, first: int = 1
) -> Iterator[tuple[tuple[Any, ...], dict[int, list[Signal]]]]:
    """Sessions from a number on, the same each time."""
    for key in range(first, first + sessions):
        chance = random.Random(key)
        origin = f"origin{chance.randrange(ORIGINS):02d}"
        repo = int(REPOS * chance.random() ** 2)
        ended = int(_LAST.timestamp() * 1000) - int(chance.random() * _SPAN_MS) + 3_600_000
        began = ended - 3_600_000
        flavor = chance.choice(("claude", "claude", "codex", "grok"))
        native = f"{key:08x}-0000-4000-8000-{chance.getrandbits(48):012x}"
        row = (
            *(_month(began), key, f"{flavor}:{native}.{origin}", origin, owner, flavor, native),
            *(f"{repo:016x}", f"repo{repo}", f"{chance.randrange(5):016x}", began, ended),
            *(60, 12, 3, 30, 4, 0, 1000, 500, 0, 0, 0, "success", _PROFILE),
            *(f"{{{key * 2},{key * 2 + 1}}}", "excerpts", "1", 1, 1, f"{key:x}"),
        )
        yield row, dict(_signals_of(key, began, chance))


def _signals_of(key: int, began: int, chance: random.Random) -> Iterator[tuple[int, list[Signal]]]:
    kinds = chance.choices(range(KINDS), cum_weights=_WEIGHTS, k=_SIGNALS)
    for kind in sorted(set(kinds)):
        ts = began + chance.randrange(3_000_000)
        signal = Signal(
            "env_missing",
            "shell",
            "module_not_found",
            f"module{kind}",
            count=1 + chance.randrange(3),
            first_ts=ts,
            last_ts=ts + 5_000,
            chars=chance.randrange(4_000),
            ms=chance.randrange(60_000),
            fingerprints=[hash64(f"{key}:{kind}".encode())],
            text=f"ModuleNotFoundError: No module named 'module{kind}'",
            shape="uv run pytest {test}",
            shapes={"uv run pytest {test}": 1},
        )
        yield bucket(signal), [signal]
    if chance.random() < _ABANDONED:
        left = Signal(
            "abandoned", first_ts=began, last_ts=began, fingerprints=[hash64(b"%d" % key)]
        )
        yield bucket(left), [left]
    if chance.random() < _SPOKEN:
        said = Signal(
            "user_correction",
            first_ts=began,
            last_ts=began,
            fingerprints=[hash64(b"said %d" % key)],
            text=chance.choice(_WISHES),
            verb="correction",
        )
        yield bucket(said), [said]
