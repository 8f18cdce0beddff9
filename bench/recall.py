"""What comes back to agents over 10,000 sessions: the hook at a start, an error that was seen."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from bench import corpus
from bench.corpus import fresh_store
from bench.filled import filled_store
from bench.hooks import at_share
from bench.measure import Stopwatch, clean_environ
from bench.row import Row
from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.engine.memory.preparing import prepare
from helix_tui.mcp.tools import Toolbox
from helix_tui.memory.hooks.command import hook_command
from helix_tui.memory.places import MemoryPlaces
from helix_tui.memory.recall import prepared
from helix_tui.schema import SessionFilter

_SESSIONS = 10_000
_INDEXED = 100_000
_ROUNDS = 60
_FLUSHED = 40
_REPEATED = re.compile(r"-\d{1,3}$")
# What may pass, in milliseconds.
_AT_A_START = 150
_OF_AN_ANSWER = 100
_MESSAGES = (
    "bash: rg: command not found",
    "ModuleNotFoundError: No module named 'requests'",
    "error: an error that no session ever met, in a sentence of its own",
    "fatal: not a git repository (or any of the parent directories): .git",
    "E   AssertionError: assert 3 == 4",
)


def recall_rows() -> Iterator[Row]:
    """The hook, the tools, and what a sweep pays to keep them ready."""
    made = filled_store(_SESSIONS)
    store = fresh_store("recall")
    shutil.copytree(made, store)
    engine = Engine(load(None, store, {"HOME": str(made.parent / "home")}))
    assert engine.count_sessions(SessionFilter()) >= _SESSIONS
    folder = _in_a_folder(store)
    _index(store)
    _remember(engine, folder.name)
    prepared.begin(MemoryPlaces(store))
    yield from _preparing(engine)
    yield from _starting(store, folder)
    yield from _asking(engine, folder)


def _in_a_folder(store: Path) -> Path:
    """The folder of this machine in which the repository of most sessions now is."""
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        (repo,) = database.execute(
            "SELECT repo FROM session WHERE repo > '' GROUP BY repo ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        folder = corpus.WORK / "repositories" / str(repo)
        (folder / ".git").mkdir(parents=True, exist_ok=True)
        database.execute("UPDATE session SET cwd = ? WHERE repo = ?", (str(folder), repo))
        last = time.time() * 1000
        (latest,) = database.execute("SELECT max(last_ts) FROM session").fetchone()
        later = int(last - latest - 60_000)
        database.execute("UPDATE session SET last_ts = last_ts + ?", (later,))
    return folder


def _index(store: Path) -> None:
    """As many further rows of the index as no 10,000 sessions have."""
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        rows = database.execute("SELECT key, bucket, template, data FROM seen").fetchall()
        assert rows
        many = (
            (key ^ (number << 8), bucket ^ number, template, data)
            for number in range(1, _INDEXED // len(rows) + 1)
            for key, bucket, template, data in rows
        )
        database.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?)", many)


def _remember(engine: Engine, repo: str) -> None:
    """Flush the sessions of a repository that have a transcript: repeated ones have none."""
    sessions = engine.sessions(SessionFilter(repo=repo))
    own = [one for one in sessions if not one.parent and not _REPEATED.search(one.id)]
    for session in own[:_FLUSHED]:
        engine.memory.flush(session)
    engine.memory.compile(is_now=True)


def _preparing(engine: Engine) -> Iterator[Row]:
    def whole() -> None:
        prepare(engine.config, engine.recall, is_all=True)

    def unchanged() -> None:
        prepare(engine.config, engine.recall)

    whole()
    assert prepared.all_prepared(MemoryPlaces(engine.config.store))
    for name, work in (("all made again", whole), ("nothing new", unchanged)):
        watch = Stopwatch(work)
        for _ in range(5):
            watch()
        taken = watch.seconds / 5 * 1e3
        yield Row("recall 10k", f"kept ready, {name}, CPU", taken, "a second", 1e3, None, "ms")


def _starting(store: Path, folder: Path) -> Iterator[Row]:
    """The command as an agent runs it, interpreter and shell included."""
    command = ["/bin/sh", "-c", hook_command(store, "claude", has_context=True)]
    start = {
        "session_id": "11111111-1111-4111-8111-111111111111",
        "transcript_path": "/home/dev/.claude/projects/-x/11111111.jsonl",
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    data, environ = json.dumps(start).encode(), clean_environ(store)
    walls = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        done = subprocess.run(command, input=data, env=environ, check=True, capture_output=True)
        walls.append((time.perf_counter() - began) * 1e3)
        assert b"additionalContext" in done.stdout
    (store / "spool.jsonl").unlink()
    for share, aim in ((0.5, None), (0.95, 1.0)):
        taken = at_share(walls, share)
        name = f"start of a session, p{share * 100:.0f}"
        yield Row("recall 10k", name, taken, "aim", _AT_A_START, aim, "ms")


def _asking(engine: Engine, folder: Path) -> Iterator[Row]:
    toolbox = Toolbox(engine, folder)
    toolbox.warm_up()
    asked: dict[str, list[Callable[[], str]]] = {
        "seen_before": [
            partial(toolbox.call, "seen_before", {"message": message}, "claude")
            for message in _MESSAGES
        ],
        "recall": [partial(toolbox.call, "recall", {"words": "tests"}, "claude")],
    }
    for name, calls in asked.items():
        walls = []
        watches = [Stopwatch(call) for call in calls]
        for _ in range(40):
            for watch in watches:
                began = time.perf_counter()
                watch()
                walls.append((time.perf_counter() - began) * 1e3)
        cpu = max(watch.seconds / 40 * 1e3 for watch in watches)
        aim = 1.0 if name == "seen_before" else None
        yield Row("recall 10k", f"{name}, CPU", cpu, "aim", _OF_AN_ANSWER, aim, "ms")
        for share in (0.5, 0.95):
            taken = at_share(walls, share)
            title = f"{name}, p{share * 100:.0f}"
            yield Row("recall 10k", title, taken, "aim", _OF_AN_ANSWER, aim, "ms")
