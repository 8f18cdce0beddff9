"""Whether 200 patterns helped, over 10,000 sessions; and what one more session costs a sweep."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.corpus import WORK
from bench.distribute import made_pattern
from bench.filled import copy_of, filled_store
from bench.measure import clean_environ, run
from bench.row import Row
from helix_tui.config import load
from helix_tui.curate.page.page import write_page
from helix_tui.detect.rank import brief_of
from helix_tui.digest.triggers import triggers_of
from helix_tui.engine import Engine
from helix_tui.engine.distribute.ledger import DistributionLedger
from helix_tui.engine.sweep.analysis import digest_of_stored
from helix_tui.schema.candidate import Candidate, Member
from helix_tui.schema.distribute import USER, LedgerLine, LedgerRule
from helix_tui.store.detection.signals import folds_by_session
from helix_tui.store.detection.triggers import write_triggers
from helix_tui.text.hashing import hash64
from helix_tui.text.times import iso

_SESSIONS, _PATTERNS, _PEERS = 10_000, 200, 1_000
_BUCKETS = 1 << 41
_PROGRAMS = ("git", "pytest", "grep", "cargo", "go", "npm", "pnpm", "curl", "cat", "ls")
# One session in so many has it before, and since.
_BEFORE, _SINCE = 6, 60


class _Session(NamedTuple):
    root: str
    flavor: str
    repo: str
    at: int
    triggers: str


def effect_rows() -> Iterator[Row]:
    """The command over all patterns and over one, and one more session."""
    store = copy_of(filled_store(_SESSIONS, has_candidates=False), "effect")
    folder = WORK / "effect"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "catalog").mkdir(parents=True)
    config = folder / "config.toml"
    config.write_text('[curate]\ncatalog_dir = "catalog"\nreview_log = "review/journal.jsonl"\n')
    _furnish(store, folder, config)
    options = ["--config", str(config), "--store", str(store), "--json"]
    command = [sys.executable, "-m", "helix_tui", "effect"]
    environ = clean_environ(folder)
    walls = [run([*command, *options], environ).wall for _ in range(5)]
    yield Row("effect", "200 patterns, 10,000 sessions", min(walls), "aim", 1.0, 1.0)
    walls = [run([*command, "made-000", *options], environ).wall for _ in range(3)]
    yield Row("effect", "one of them", min(walls), "aim", 1.0, 1.0)
    engine = Engine(load(config, store, {"HOME": str(folder)}))
    states = [one.effect.state for one in engine.effects.all().measured]
    assert len(states) == _PATTERNS, f"{len(states)} patterns measured"
    assert "helped" in states, "some of them helped"
    yield Row("effect", "one more session", _one_more(store) * 1e3, "aim", 20.0, 1.0, "ms")


def _furnish(store: Path, folder: Path, config: Path) -> None:
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        sessions = [
            _Session(*row)
            for row in database.execute(
                "SELECT c.root, c.flavor, c.repo, c.first_ts, t.names FROM counted c "
                "JOIN triggered t ON t.session = c.key WHERE c.gate IS NULL AND c.id = c.root"
            )
        ]
        times = sorted(one.at for one in sessions)
        came_in = times[len(times) // 2]
        rows = []
        for number in range(_PATTERNS + _PEERS):
            one = _candidate(number, sessions, came_in)
            brief, data = msgspec.msgpack.encode(brief_of(one)), msgspec.msgpack.encode(one)
            rows.append((one.id, _BUCKETS + number, len(one.members), brief, data))
        database.executemany("INSERT OR REPLACE INTO candidate VALUES (?, ?, ?, ?, ?)", rows)
    repos = sorted({one.repo for one in sessions})
    at = iso(came_in) or ""
    by_site: dict[str, list[LedgerRule]] = {}
    for number in range(_PATTERNS):
        pattern = made_pattern(number, "user", f"made-{number:03d}")
        (folder / "catalog" / f"{pattern.id}.md").write_text(write_page(pattern))
        site = USER if number % 2 else repos[number % len(repos)]
        text = f"Keep to rule {number}."
        rule = LedgerRule(pattern.id, "1.0.0", text, at, ["claude", "codex", "grok"])
        by_site.setdefault(site, []).append(rule)
    lines = [
        LedgerLine(
            id=site, batch="1", at=at, author="a", action="apply", site=site, root="/gone",
            file=f"/gone/{site}/AGENTS.md", rules=rules,
        )
        for site, rules in by_site.items()
    ]  # fmt: skip
    ledger = DistributionLedger(load(config, store, {"HOME": str(folder)}))
    with ledger.locked():
        done = LedgerLine(id="done", batch="1", at=at, author="a", action="done")
        ledger.append(*lines, done)


def _candidate(number: int, sessions: list[_Session], came_in: int) -> Candidate:
    """One that happens in some of the sessions that ran its program, less often since."""
    program = _PROGRAMS[number % len(_PROGRAMS)]
    every = 1 if number < _PATTERNS else 20
    members = {
        one.root: Member(one.flavor, one.repo, 1, one.at, one.at)
        for one in sessions
        if f"run {program}\n" in f"{one.triggers}\n"
        and not hash64(f"{number} {one.root}".encode())
        % ((_BEFORE if one.at < came_in else _SINCE) * every)
    }
    name = f"made-{number:03d}"
    return Candidate(
        name, "problem", "tool_error", {"tool_error": len(members)}, "shell", "", "",
        f"`{program}` fails", members, [], shape=f"{program} {{test}}",
    )  # fmt: skip


def _one_more(store: Path) -> float:
    """The longest that any session takes to be looked through for its triggers and stored."""
    longest = 0.0
    with closing(sqlite3.connect(store / "store.db")) as database:
        for key, _, folds in folds_by_session(database):
            digest = digest_of_stored(folds)
            began = time.process_time()
            # In the transaction that the session is stored in.
            write_triggers(database, key, triggers_of(digest.facts))
            longest = max(longest, time.process_time() - began)
    return longest
