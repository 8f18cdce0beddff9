"""A store of an earlier version is brought up to date, after a copy, and loses nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from helix_tui.config import load
from helix_tui.detect.rank import brief_of
from helix_tui.engine import Engine
from helix_tui.engine.sample import keep_sample
from helix_tui.schema import SessionFilter
from helix_tui.store.database import open_for_writing
from helix_tui.store.detection.candidates import list_briefs
from helix_tui.store.layout import StoreLayout
from helix_tui.store.shape import SCHEMA_VERSION
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench
from tests.engine.retained import write_log

# What later migrations added, taken away again.
TO_FIFTH_VERSION = """
DROP INDEX counted_eligible;
DROP INDEX counted_last;
ALTER TABLE candidate DROP COLUMN brief;
DELETE FROM schema_migration WHERE name LIKE '0006%';
PRAGMA user_version = 5;
"""
TO_FOURTH_VERSION = """
DROP TABLE signal;
DROP TABLE counted;
DROP TABLE candidate;
DROP TABLE changed_bucket;
DROP TABLE changed_session;
DROP TABLE regrouped;
DROP INDEX session_parent;
ALTER TABLE session DROP COLUMN profile;
DELETE FROM note WHERE name IN ('signals', 'grouped');
DELETE FROM schema_migration WHERE name LIKE '0005%' OR name LIKE '0006%';
PRAGMA user_version = 4;
"""
TO_SECOND_VERSION = f"""
{TO_FOURTH_VERSION}
DROP TABLE search_index;
DROP TABLE search_text;
DROP TABLE search_pending;
DROP TABLE spend;
DROP TABLE model;
ALTER TABLE usage DROP COLUMN cost_ticks;
ALTER TABLE usage DROP COLUMN cache_write_1h;
ALTER TABLE usage DROP COLUMN requests;
DELETE FROM schema_migration WHERE name LIKE '0003%' OR name LIKE '0004%';
PRAGMA user_version = 2;
"""
TO_FIRST_VERSION = f"""
{TO_SECOND_VERSION}
DROP INDEX session_pending;
DROP TABLE fold;
DROP TABLE evicted;
ALTER TABLE session DROP COLUMN ended;
ALTER TABLE session DROP COLUMN outcome;
ALTER TABLE session DROP COLUMN outcome_confidence;
ALTER TABLE session DROP COLUMN outcome_reason;
ALTER TABLE session DROP COLUMN is_analyzed;
ALTER TABLE session DROP COLUMN is_exact;
ALTER TABLE session DROP COLUMN evicted_events;
ALTER TABLE part DROP COLUMN is_document;
ALTER TABLE sweep DROP COLUMN analyzed;
ALTER TABLE sweep DROP COLUMN evicted;
ALTER TABLE sweep DROP COLUMN raw_usage;
ALTER TABLE sweep DROP COLUMN distilled_usage;
DELETE FROM note;
DELETE FROM schema_migration WHERE name NOT LIKE '0001%';
PRAGMA user_version = 1;
"""


def downgrade(store: Path, script: str = TO_FIRST_VERSION) -> None:
    connection = sqlite3.connect(store / "store.db")
    connection.executescript(script)
    connection.close()


def test_sessions_of_the_first_version_are_analyzed_from_their_packs(bench: Workbench) -> None:
    for number in range(3):
        write_log(bench, number)
    bench.sweep()
    before = bench.sessions()
    digests = {name: bench.engine().digest(session) for name, session in before.items()}
    downgrade(bench.store)
    old = bench.helix("sessions", check=False)
    assert (old.code, "older version" in old.err) == (74, True)
    report = bench.sweep()
    assert (report.bytes_read, report.analyzed) == (0, 3)
    assert bench.sessions() == before
    assert {name: bench.engine().digest(s) for name, s in bench.sessions().items()} == digests
    assert bench.engine().search("task", SessionFilter(), 10).total == 3
    assert (bench.store / f"store.before-{SCHEMA_VERSION:04d}.db").exists()
    assert all(check.is_ok for check in bench.engine().doctor())


def test_messages_of_the_second_version_are_summed_up_and_priced(bench: Workbench) -> None:
    for name, model, read in (("a", "claude-opus-4-6", 250_000), ("b", "mystery", 5)):
        log = ClaudeLog(session=name)
        log.prompt()
        for number in range(3):
            log.reply(model=model, usage=usage(read=read + number), message=f"{name}{number}")
        log.reply(model=model, usage=usage(read=read), message=f"{name}x", timestamp="")
        log.write(bench.home)
    bench.sweep()
    before, used = bench.sessions(), bench.engine().usage("day")
    assert before["claude:a"].cost.usd_priced
    downgrade(bench.store, TO_SECOND_VERSION)
    assert bench.sweep().bytes_read == 0
    assert (bench.sessions(), bench.engine().usage("day")) == (before, used)
    assert all(check.is_ok for check in bench.engine().doctor())


def test_candidates_of_the_fifth_version_are_listed_as_they_were(tmp_path: Path) -> None:
    store = tmp_path / "store"
    keep_sample(store)
    config = load(None, store, {"HOME": str(tmp_path)})
    for _ in Engine(config).sweep():
        pass
    before = Engine(config).candidates.listing().listed
    downgrade(store, TO_FIFTH_VERSION)
    with closing(open_for_writing(StoreLayout(store))) as database:
        # Where nothing can be written they are made of what is stored.
        listed = list_briefs(database, config.detect.min_sessions, brief_of)
    assert {one.id: one for one in listed} == {one.brief.id: one.brief for one in before}
    assert Engine(config).candidates.listing()[:3] == (before, "", [])
    with closing(sqlite3.connect(store / "store.db")) as connection:
        left = "SELECT count(*) FROM candidate WHERE brief IS NULL AND sessions >= 3"
        assert connection.execute(left).fetchone() == (0,)
    assert all(check.is_ok for check in Engine(config).doctor())
