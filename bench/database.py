"""A database of a gigabyte with a thousand sessions: taking it in, one change, and none."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.corpus import WORK, fresh_store
from bench.measure import clean_environ, in_turns, run
from bench.row import Row

_SCHEMA = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL,
  title TEXT NOT NULL, version TEXT NOT NULL, time_created INTEGER NOT NULL,
  time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
  time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_session_idx ON part (session_id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
"""
_START = 1_790_000_000_000
_MESSAGES = 40
_HELIX = [sys.executable, "-m", "helix_tui", "--sweep", "--json"]


def database() -> Iterator[Row]:
    """A sweep of all of it, and sweeps that find one session changed, or nothing."""
    large, small = _home(1000), _home(20)
    store = fresh_store("database")
    first = run([*_HELIX, "--store", str(store)], clean_environ(large), (0, 1))
    again = fresh_store("database-small")
    little = run([*_HELIX, "--store", str(again)], clean_environ(small), (0, 1))
    yield Row("database 1 GB", "memory", first.rss_mb, "20 MB database", little.rss_mb, 2.0, "MB")
    yield Row("database 1 GB", "CPU", first.cpu, "50 x of 20 MB", 50 * little.cpu, None)
    command = [*_HELIX, "--store", str(store)]
    costs = in_turns({"same": lambda: run(command, clean_environ(large), (0, 1))}, 5)
    yield Row("database 1 GB", "unchanged, wall", costs["same"].wall, "limit", 2.0, 1.0)
    changed = []
    for number in range(3):
        _add(large, number)
        changed.append(run(command, clean_environ(large), (0, 1)).wall)
    yield Row("database 1 GB", "one changed", min(changed), "limit", 2.0, None)


def _home(megabytes: int) -> Path:
    """A home with a database of about so many megabytes, made once."""
    home = WORK / f"database-{megabytes}"
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    if path.exists():
        return home
    making = home.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    place = making / path.relative_to(home)
    place.parent.mkdir(parents=True)
    chance = random.Random(megabytes)
    words = [f"word{number}" for number in range(5000)]
    with sqlite3.connect(place) as rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.executescript(_SCHEMA)
        for number in range(megabytes):
            _write(rows, number, chance, words)
    rows.close()
    making.rename(home)
    return home


def _write(rows: sqlite3.Connection, number: int, chance: random.Random, words: list[str]) -> None:
    """A session of about a megabyte: prompts, and calls with outputs of some 25 KB."""
    name, now = f"ses_{number:05}", _START + number * 3_600_000
    place = f"/work/repo{number % 17}"
    title = f"Work on matter {number}"
    rows.execute(
        "INSERT INTO session VALUES (?, NULL, ?, ?, '1.18.3', ?, ?)", (name, place, title, now, now)
    )
    for nth in range(_MESSAGES):
        key, now = f"msg_{number:05}_{nth:03}", now + 20_000
        info: dict[str, object] = {"role": "user", "time": {"created": now}}
        part: dict[str, object] = {"type": "text", "text": " ".join(chance.choices(words, k=20))}
        if nth % 8:
            cache = {"read": 900, "write": 10}
            tokens = {"input": 10, "output": 50, "reasoning": 5, "cache": cache, "total": 975}
            info |= {"role": "assistant", "modelID": "some-model", "tokens": tokens}
            output = "\n".join(" ".join(chance.choices(words, k=12)) for _ in range(270))
            state = {
                "status": "completed",
                "input": {"command": f"make target{chance.randrange(50)}"},
                "output": output,
                "metadata": {"exit": int(chance.random() < 0.1)},
                "time": {"start": now, "end": now + 900},
            }
            part = {"type": "tool", "callID": f"call_{key}", "tool": "bash", "state": state}
        rows.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (key, name, now, now, json.dumps(info))
        )
        rows.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
            (f"prt_{key}", key, name, now, now, json.dumps(part)),
        )


def _add(home: Path, number: int) -> None:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    name = "ses_00003"
    with sqlite3.connect(path) as rows:
        count = rows.execute("SELECT count(*) FROM message").fetchone()[0]
        key, now = f"msg_more_{count}_{number}", _START + 10**10 + count
        info = json.dumps({"role": "user", "time": {"created": now}})
        rows.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (key, name, now, now, info))
        part = json.dumps({"type": "text", "text": f"and then {number}"})
        rows.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", (f"p{key}", key, name, now, now, part)
        )
    rows.close()
