"""Stores of as many candidates and sessions as wanted, made once of the bundled sample's."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from zlib import crc32

import msgspec

from bench import corpus
from helix_tui.config import load
from helix_tui.detect.rank import brief_of
from helix_tui.engine import Engine
from helix_tui.engine.candidates.grouping import signals_version
from helix_tui.sample import write_sample
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.schema.quality import DetectSettings
from helix_tui.store.detection.candidates import unpack_candidate
from helix_tui.store.shape import SCHEMA_VERSION

_FEW_SESSIONS = 4
_MINUTE = 60_000
_BUCKETS = 1 << 40
# How the columns of a repeated session differ: it is another one, and older.
_OTHERS = {
    "key": "key + n * :step",
    "session": "session + n * :step",
    "id": "id || '-' || n",
    "native_id": "native_id || '-' || n",
    "root": "root || '-' || n",
    "parent": "parent || '-' || n",
    "first_ts": f"first_ts - n * {_MINUTE}",
    "last_ts": f"last_ts - n * {_MINUTE}",
}


def filled_store(count: int, *, has_candidates: bool = True) -> Path:
    """A store with so many candidates that a list shows, and at least so many sessions.

    A store of a version that grouped otherwise is not taken: its made-up candidates would go, since
    no signal stands behind them, as soon as that is grouped again.
    """
    name = "filled" if has_candidates else "sessions"
    place = corpus.WORK / f"{name}-{count}-{SCHEMA_VERSION}-{_version()}"
    if not (place / "complete").exists():
        shutil.rmtree(place, ignore_errors=True)
        home = place / "home"
        write_sample(home, 7, datetime.now(UTC).date())
        engine = Engine(load(None, place / "store", {"HOME": str(home)}))
        for _ in engine.sweep():
            pass
        looked_at = _with_words_of_logs(engine)
        with closing(sqlite3.connect(place / "store" / "store.db")) as database, database:
            _drop(database, looked_at)
            if has_candidates:
                _add_candidates(database, count)
            _add_sessions(database, count)
        if has_candidates:
            _check(engine, count)
        (place / "complete").touch()
    return place / "store"


def _version() -> str:
    """What the candidates of a store depend on besides its shape, in a few signs."""
    made_by = f"{signals_version()} {DetectSettings().settings()}"
    return f"{crc32(made_by.encode()):08x}"


def _check(engine: Engine, count: int) -> None:
    """A list that shows fewer would be measured as one of so many, and keys run out of rows."""
    listed = len(engine.candidates.listing().listed)
    if listed < count:
        raise SystemExit(f"bench: of {count:,} made-up candidates the list shows {listed:,}")


def copy_of(store: Path, name: str) -> Path:
    """A store to write into; those of before are set aside."""
    place = corpus.fresh_store(name)
    shutil.copytree(store, place)
    return place


def _with_words_of_logs(engine: Engine) -> list[str]:
    """Candidates of which a key opens the editor instead of approving them."""
    names = [one.ranked.candidate.id for one in engine.candidates.board(CandidateFilter()).reviewed]
    return [name for name in names if engine.verdicts.preview(name).words_of_log]


def _drop(database: sqlite3.Connection, names: Iterable[str]) -> None:
    database.executemany("DELETE FROM candidate WHERE id = ?", [(name,) for name in names])


def _add_candidates(database: sqlite3.Connection, count: int) -> None:
    """Repeats candidates that lists show under other names, each of as few sessions as most."""
    rows = database.execute("SELECT data FROM candidate WHERE sessions >= 3 ORDER BY id").fetchall()
    models = [one for (data,) in rows if (one := unpack_candidate(data)).tier != "rest"]
    for one in models:
        one.members = dict(islice(one.members.items(), _FEW_SESSIONS))
        del one.evidence[_FEW_SESSIONS:]
        one.cure = None
    names = [(one.id, one.title) for one in models]
    made = []
    for number in range(count - len(models)):
        at = number % len(models)
        one, (name, title) = models[at], names[at]
        one.id, one.title = f"{name}-{number:06x}", f"{title}, case {number:,}"
        brief, data = msgspec.msgpack.encode(brief_of(one)), msgspec.msgpack.encode(one)
        made.append((one.id, _BUCKETS + number, len(one.members), brief, data))
    database.executemany("INSERT INTO candidate VALUES (?, ?, ?, ?, ?)", made)


def _add_sessions(database: sqlite3.Connection, count: int) -> None:
    """Repeats sessions, how they count and what they cost; their texts are not repeated."""
    (there, step) = database.execute("SELECT count(*), max(key) FROM session").fetchone()
    times = -(-count // there) - 1
    for table in ("session", "counted", "spend", "triggered"):
        columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
        others = ", ".join(_OTHERS.get(name, f'"{name}"') for name in columns)
        database.execute(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers "
            f"WHERE n < :times) INSERT INTO {table} SELECT {others} FROM {table}, numbers "
            "WHERE :times > 0",
            {"step": step, "times": times},
        )
