"""A power cut in the first sweep leaves packs with an empty database: the next goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from helix_tui.errors import HelixError
from helix_tui.store.database import writing
from helix_tui.store.layout import StoreLayout
from tests.conftest import Workbench
from tests.engine.repairing import lose_database, view
from tests.engine.retained import name_of, write_log


def empty_file(store: Path) -> None:
    (store / "store.db").write_bytes(b"")


def no_tables(store: Path) -> None:
    """As SQLite leaves it between the first pragma and the first migration."""
    (store / "store.db").unlink()
    with closing(sqlite3.connect(store / "store.db", isolation_level=None)) as database:
        database.execute("PRAGMA auto_vacuum = incremental")
        database.execute("PRAGMA journal_mode = wal")
    (store / "store.db").chmod(0o600)


@pytest.fixture
def swept(bench: Workbench) -> Workbench:
    for number in range(3):
        write_log(bench, number, steps=5)
    bench.sweep()
    return bench


@pytest.mark.parametrize("left", [empty_file, no_tables])
@pytest.mark.parametrize("beside", [[], ["-wal"], ["-journal"], ["-wal", "-journal"]])
class TestCutOff:
    """No rows came to last, and packs did."""

    def test_the_next_sweep_goes_on(
        self, swept: Workbench, left: Callable[[Path], None], beside: list[str]
    ) -> None:
        before = view(swept)
        _cut(swept.store, left, beside)
        said = swept.helix("doctor", check=False)
        assert (said.code, "Run `helix --sweep`" in said.out) == (3, True)
        assert swept.helix("--sweep").code == 0
        assert view(swept) == before
        assert "Everything is fine." in swept.helix("doctor").out

    def test_what_only_a_pack_has_is_kept(
        self, swept: Workbench, left: Callable[[Path], None], beside: list[str]
    ) -> None:
        before = {name: swept.events(name) for name in swept.sessions()}
        for log in swept.home.rglob(f"{name_of(0)}.jsonl"):
            log.unlink()
        _cut(swept.store, left, beside)
        assert swept.helix("--sweep").code == 0
        assert {name: swept.events(name) for name in swept.sessions()} == before
        assert "Everything is fine." in swept.helix("doctor").out


def _cut(store: Path, left: Callable[[Path], None], beside: list[str]) -> None:
    left(store)
    for suffix in beside:
        (store / f"store.db{suffix}").touch(0o600)


class TestLost:
    """What is no power cut in the first sweep is not taken for one."""

    def test_a_sweep_without_a_database_leaves_none(self, swept: Workbench) -> None:
        lose_database(swept.store)
        for _ in range(2):
            ran = swept.helix("--sweep", check=False)
            assert (ran.code, "doctor --repair" in ran.err) == (74, True)
        assert not (swept.store / "store.db").exists()

    def test_rows_that_only_the_log_has_are_taken_over(self, swept: Workbench) -> None:
        before = view(swept)
        log = swept.store / "store.db-wal"
        with writing(StoreLayout(swept.store)) as database:
            database.execute_sql("VACUUM")  # which writes every page anew
            written = log.read_bytes()
        log.write_bytes(written)
        (swept.store / "store.db").write_bytes(b"")
        shutil.rmtree(swept.home / ".claude")
        ran = swept.helix("--sweep", check=False)
        assert (ran.code, "doctor --repair" in ran.err) == (74, True)
        swept.helix("doctor", "--repair")
        assert view(swept) == before

    def test_tables_without_a_version_are_no_empty_database(self, swept: Workbench) -> None:
        before = view(swept)
        with closing(sqlite3.connect(swept.store / "store.db")) as database:
            database.execute("PRAGMA user_version = 0")
        with suppress(HelixError):
            assert not swept.sessions()
        ran = swept.helix("--sweep", check=False)
        assert (ran.code, "doctor --repair" in ran.err) == (74, True)
        assert "doctor --repair" in swept.helix("doctor", check=False).out
        swept.helix("doctor", "--repair")
        assert view(swept) == before
