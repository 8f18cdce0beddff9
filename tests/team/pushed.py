"""Rows of a local store, pushed without the machinery around it: in any order, a few at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from helix_tui.engine.team.masking import Masking
from helix_tui.engine.team.repos import RepoNames
from helix_tui.engine.team.rows import RowMaker
from helix_tui.schema.team_settings import Share
from helix_tui.store.read.shared import repositories, sessions_in
from helix_tui.team.database import TeamDatabase
from helix_tui.team.secret import TeamSecret
from tests.team.postgresql import KEY


def rows_of(
    store: Path, origin: str, *, share: Share = "excerpts", names: Sequence[str] = ("*",)
) -> list[str]:
    """What leaves of every session of a store, one JSON object each."""
    secret = TeamSecret("", KEY)
    with closing(sqlite3.connect(store / "store.db")) as connection:
        repos = repositories(connection)
        made = RowMaker(
            connection,
            origin,
            secret,
            Masking([], [], machine=[]),
            RepoNames({}, secret, names),
            share,
        )
        from helix_tui.engine.team.rows import encoded

        return [encoded(made.row(one)).decode() for one in sessions_in(connection, repos)]


def revised(row: str, revision: int) -> str:
    """A row with the number that orders what a machine says of a session."""
    return json.dumps(json.loads(row) | {"revision": revision})


def join(opened: TeamDatabase, origin: str) -> None:
    """Enter a data folder of whoever is signed in."""
    opened.rows("INSERT INTO helix.origin (origin) VALUES (%s) ON CONFLICT DO NOTHING", (origin,))


def push_rows(opened: TeamDatabase, rows: Sequence[str]) -> list[tuple[str, str]]:
    """Send rows as a push does; what the store answers for each session."""
    began = {json.loads(row)["first_ts"] for row in rows}
    for month in {opened.value("SELECT helix.month_of(%s)", (ts,)) for ts in began}:
        opened.rows("SELECT helix.make_month(%s)", (month,))
    with opened.atomic():
        opened.rows("CREATE TEMP TABLE incoming (row text) ON COMMIT DROP")
        for row in rows:
            opened.rows("INSERT INTO pg_temp.incoming VALUES (%s)", (row,))
        return [(uid, state) for uid, state in opened.rows("SELECT * FROM helix.take()")]
