"""A table, column or index that is missing, or is not ours, is told by doctor and mended."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from helix_tui.store.database import open_for_writing
from helix_tui.store.layout import StoreLayout
from tests.conftest import Workbench
from tests.engine.repairing import Filled, view
from tests.engine.retained import set_caps


def _names() -> Iterator[tuple[str, str]]:
    """Every table and index of a new store, those of the search index among them."""
    with tempfile.TemporaryDirectory() as folder:
        open_for_writing(StoreLayout(Path(folder))).close()
        with closing(sqlite3.connect(Path(folder) / "store.db")) as database:
            yield from database.execute(
                "SELECT type, name FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' ORDER BY 1, 2"
            ).fetchall()


NAMES = list(_names())
TABLES = [name for kind, name in NAMES if kind == "table"]
# Rows that are nowhere else once raw bytes and logs are gone.
_ONLY_THERE = {"session", "evicted", "fold", "usage", "search_text", "part", "event", "frame"}
# Rows that no session needs.
_KEPT_BESIDE = {"regrouped", "instructed", "instruction_text"}


def execute(store: Path, *statements: str) -> None:
    with closing(sqlite3.connect(store / "store.db")) as database, database:
        for statement in statements:
            database.execute(statement)


def wrong(bench: Workbench) -> dict[str, str]:
    """What doctor finds wrong, with what it says to do."""
    checks = bench.engine().doctor()
    return {check.name: f"{check.detail} {check.todo}" for check in checks if not check.is_ok}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    return Filled(tmp_path_factory.mktemp("filled"), sessions=4)


@pytest.fixture
def filled(made: Filled) -> Workbench:
    return made.again()


class TestMissing:
    """With the logs there, what comes of a repair is what was there."""

    @pytest.mark.parametrize(("kind", "name"), NAMES)
    def test_is_told_and_mended(
        self, filled: Workbench, made: Filled, kind: str, name: str
    ) -> None:
        execute(filled.store, f"DROP {kind.upper()} {name}")
        said = wrong(filled)["schema"]
        assert f"{kind} {name}" in said
        assert "Run `helix doctor --repair`" in said
        report = filled.engine().repair()
        assert report.aside is not None
        assert view(filled) == made.view
        assert wrong(filled) == {}

    @pytest.mark.parametrize("name", TABLES)
    def test_costs_no_more_than_was_in_it(self, filled: Workbench, name: str) -> None:
        set_caps(filled, 9_000)
        filled.sweep()
        before = filled.sessions()
        assert {session.raw for session in before.values()} == {"full", "evicted"}
        shutil.rmtree(filled.home / ".claude")
        execute(filled.store, f"DROP TABLE {name}")
        report = filled.engine().repair()
        assert report.is_before_known is (name not in _ONLY_THERE | _KEPT_BESIDE)
        assert wrong(filled) == {}
        if name == "session":
            assert filled.sessions().keys() <= before.keys()
        else:
            assert filled.sessions().keys() == before.keys()

    def test_all_of_them_at_once(self, filled: Workbench, made: Filled) -> None:
        execute(filled.store, "DROP TABLE search_index")
        there = [name for name in TABLES if not name.startswith("search_index")]
        execute(filled.store, *(f"DROP TABLE {name}" for name in there))
        assert "missing: " in wrong(filled)["schema"]
        filled.engine().repair()
        assert view(filled) == made.view
        assert wrong(filled) == {}


class TestOther:
    """What is there and should not be, or is not what it should be."""

    @pytest.mark.parametrize(
        ("statement", "told"),
        [
            ("CREATE TABLE mine (x)", "not of Helix: table mine"),
            ("CREATE INDEX mine ON session (cwd)", "not of Helix: index mine"),
            ("CREATE VIEW mine AS SELECT 1", "not of Helix: view mine"),
            (
                "CREATE TRIGGER mine AFTER INSERT ON note BEGIN SELECT 1; END",
                "not of Helix: trigger mine",
            ),
            ("ALTER TABLE session ADD COLUMN mine", "not of Helix: column session.mine"),
            (
                "ALTER TABLE usage RENAME COLUMN session TO owner",
                "missing: column usage.session; not of Helix: column usage.owner",
            ),
        ],
    )
    def test_is_told_and_mended(
        self, filled: Workbench, made: Filled, statement: str, told: str
    ) -> None:
        execute(filled.store, statement)
        assert told in wrong(filled)["schema"]
        filled.engine().repair()
        assert view(filled) == made.view
        assert wrong(filled) == {}

    def test_an_index_over_other_columns(self, filled: Workbench) -> None:
        execute(
            filled.store,
            "DROP INDEX fold_session",
            "CREATE INDEX fold_session ON fold (session, part)",
        )
        assert "defined otherwise: index fold_session" in wrong(filled)["schema"]

    def test_what_sqlite_keeps_for_itself_is_fine(self, filled: Workbench) -> None:
        execute(filled.store, "ANALYZE")
        assert wrong(filled) == {}
