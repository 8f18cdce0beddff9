"""Names that people type: beginnings of ids with what they stand for, agents, repositories."""

from __future__ import annotations

from helix_tui.store.database import Database
from helix_tui.store.detection.signals import unpack_profile


def session_names(database: Database, beginning: str, most: int) -> list[tuple[str, str]]:
    """Sessions whose id or native id begins so, the latest first, each with its title.

    A name is as it was begun: with the agent before it, or without.
    """
    column = "id" if ":" in beginning else "native_id"
    rows = database.execute_sql(
        f"SELECT {column}, profile FROM session WHERE turns > 0 AND substr({column}, 1, ?) = ? "
        "ORDER BY parent IS NOT NULL, last_ts DESC LIMIT ?",
        (len(beginning), beginning, most),
    )
    return [(name, unpack_profile(profile).title) for name, profile in rows.fetchall()]


def agent_names(database: Database) -> list[str]:
    """The agents that sessions are of."""
    rows = database.execute_sql("SELECT DISTINCT flavor FROM session WHERE turns > 0 ORDER BY 1")
    return [name for (name,) in rows.fetchall()]


def repo_names(database: Database) -> list[str]:
    """The repositories that sessions are of, those with the most sessions first."""
    rows = database.execute_sql(
        "SELECT repo FROM session WHERE turns > 0 AND repo IS NOT NULL "
        "GROUP BY repo ORDER BY count(*) DESC, repo"
    )
    return [name for (name,) in rows.fetchall()]
