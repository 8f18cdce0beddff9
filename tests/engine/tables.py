"""Statements on the tables of a store."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from tests.conftest import Workbench


def sql(bench: Workbench, statement: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(bench.store / "store.db")) as database, database:
        return database.execute(statement, values).fetchall()
