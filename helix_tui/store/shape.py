"""The shape of a database: every table, column, index and trigger of the current schema."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from pathlib import Path

from helix_tui.store.orm import peewee

MIGRATIONS = Path(__file__).with_name("migrations")
SCHEMA_VERSION = max(int(path.name[:4]) for path in MIGRATIONS.glob("[0-9]*.py"))
# Takes effect only as the first pragma of a new file, before journal_mode.
AUTO_VACUUM = ("auto_vacuum", "incremental")

# Each item by name ("index fold_session", "column fold.data"), with its definition.
Shape = dict[str, str]


def migrate(database: peewee.SqliteDatabase, migrations: Path | None = None) -> None:
    """Run every migration that a database has not seen."""
    from playhouse.migrations import Runner

    Runner(database, str(migrations or MIGRATIONS)).up()


def create(database: peewee.SqliteDatabase) -> None:
    """Make an empty database what all migrations make of one, in one transaction."""
    _migrated(MIGRATIONS).connection().backup(database.connection())


def trouble_in_shape(connection: sqlite3.Connection) -> str:
    """What is missing, of another kind or not of Helix; empty where all is as it must be."""
    expected, actual = _expected(MIGRATIONS), _shape_of(connection)
    missing = _outermost(expected.keys() - actual.keys())
    foreign = _outermost(actual.keys() - expected.keys())
    other = [name for name in expected.keys() & actual.keys() if expected[name] != actual[name]]
    findings = (("missing", missing), ("defined otherwise", other), ("not of Helix", foreign))
    return "; ".join(
        f"{problem}: {', '.join(sorted(names))}" for problem, names in findings if names
    )


@cache
def _expected(migrations: Path) -> Shape:
    """The shape that the migrations give an empty database."""
    return _shape_of(_migrated(migrations).connection())


@cache
def _migrated(migrations: Path) -> peewee.SqliteDatabase:
    """A database in memory that is empty but for what the migrations make; for all threads."""
    database = peewee.SqliteDatabase(
        ":memory:", pragmas=(AUTO_VACUUM,), check_same_thread=False, thread_safe=False
    )
    database.connect()
    migrate(database, migrations)
    return database


def _shape_of(connection: sqlite3.Connection) -> Shape:
    rows: list[tuple[str, str, str | None]] = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'"
    ).fetchall()
    shape: Shape = {}
    for kind, name, sql in rows:
        plain = re.sub(r"\s+", " ", sql or "").strip()
        if kind != "table" or plain.upper().startswith("CREATE VIRTUAL"):
            shape[f"{kind} {name}"] = plain
        else:
            # The SQL of an altered table depends on the version of SQLite.
            shape[f"table {name}"] = "WITHOUT ROWID" if plain.endswith("WITHOUT ROWID") else ""
            shape |= _columns(connection, name) | _constraints(connection, name)
    return shape


def _columns(connection: sqlite3.Connection, table: str) -> Shape:
    rows = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (table,)).fetchall()
    return {f"column {table}.{row[1]}": str(row[2:]) for row in rows}


def _constraints(connection: sqlite3.Connection, table: str) -> Shape:
    """Unique constraints of the table's own definition; a named index is listed by itself."""
    rows = connection.execute(
        "SELECT i.origin, group_concat(c.name, ', ') FROM pragma_index_list(?) i, "
        "pragma_index_info(i.name) c WHERE i.origin <> 'c' GROUP BY i.name",
        (table,),
    ).fetchall()
    return {f"constraint {table}.{origin} ({columns})": "" for origin, columns in rows}


def _outermost(names: set[str]) -> list[str]:
    """The names without those of parts of a table that is itself among them."""
    tables = {name.removeprefix("table ") for name in names if name.startswith("table ")}
    return [
        name
        for name in names
        if not name.startswith(("column ", "constraint "))
        or name.split(" ", 1)[1].split(".", 1)[0] not in tables
    ]
