"""A store of an earlier version is brought up to date, after a copy, and loses nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import peewee
from msgspec.structs import replace

from helix_tui.config import load
from helix_tui.detect.rank import brief_of
from helix_tui.engine import Engine
from helix_tui.engine.sample import keep_sample
from helix_tui.schema import Session, SessionFilter
from helix_tui.store.database import open_for_writing
from helix_tui.store.detection.candidates import list_briefs
from helix_tui.store.layout import StoreLayout
from helix_tui.store.shape import AUTO_VACUUM, SCHEMA_VERSION, migrate
from tests.claude_log import ClaudeLog, usage
from tests.conftest import Workbench
from tests.engine.retained import write_log
from tests.store.downgrading import TO_SECOND_VERSION, WITHOUT_INSTRUCTIONS, downgrade

# What later migrations added, taken away again.
TO_FIFTH_VERSION = f"""
{WITHOUT_INSTRUCTIONS}
DROP INDEX counted_eligible;
DROP INDEX counted_last;
ALTER TABLE candidate DROP COLUMN brief;
DELETE FROM schema_migration WHERE name LIKE '0006%';
PRAGMA user_version = 5;
"""


def without_versions(sessions: dict[str, Session]) -> dict[str, Session]:
    """Sessions as of a store that did not keep with which version of its agent each began."""
    return {name: replace(one, agent_version=None) for name, one in sessions.items()}


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
    assert bench.sessions() == without_versions(before)
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
    assert (bench.sessions(), bench.engine().usage("day")) == (without_versions(before), used)
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
        listed = list_briefs(database, 3, 2, brief_of)
    shown = {one.id: one for one in listed if one.tier != "rest"}
    assert shown == {one.brief.id: one.brief for one in before if one.brief.sessions >= 3}
    assert Engine(config).candidates.listing()[:3] == (before, "", [])
    with closing(sqlite3.connect(store / "store.db")) as connection:
        left = "SELECT count(*) FROM candidate WHERE brief IS NULL AND sessions >= 3"
        assert connection.execute(left).fetchone() == (0,)
    assert all(check.is_ok for check in Engine(config).doctor())


def test_a_new_store_is_what_the_migrations_make_of_an_empty_file(tmp_path: Path) -> None:
    open_for_writing(StoreLayout(tmp_path / "store")).close()
    migrated = peewee.SqliteDatabase(str(tmp_path / "migrated.db"), pragmas=(AUTO_VACUUM,))
    migrate(migrated)
    migrated.close()
    new, old = (
        contents(path) for path in (tmp_path / "store" / "store.db", tmp_path / "migrated.db")
    )
    assert new == old
    assert new["user_version"] == [(SCHEMA_VERSION,)]
    assert new["auto_vacuum"] == [(2,)], "incremental"


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """What is defined in a database, and which migrations it has seen."""
    statements = {
        "defined": "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name",
        "seen": "SELECT name FROM schema_migration ORDER BY name",
        "user_version": "PRAGMA user_version",
        "auto_vacuum": "PRAGMA auto_vacuum",
    }
    with closing(sqlite3.connect(path)) as database:
        return {name: database.execute(sql).fetchall() for name, sql in statements.items()}
