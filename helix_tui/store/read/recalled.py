"""Sessions as recall needs them: where they ran, what they are called, what they left open."""

from __future__ import annotations

import sqlite3

from helix_tui.schema.recall import SessionBrief
from helix_tui.store.detection.signals import unpack_profile

_BRIEFS = (
    "SELECT s.id, s.flavor, s.native_id, coalesce(c.root, s.id), coalesce(s.repo, ''), "
    "coalesce(s.cwd, ''), coalesce(s.last_ts, 0), s.profile FROM session s "
    "LEFT JOIN counted c ON c.key = s.key WHERE s.parent IS NULL AND s.turns > 0"
)


def session_briefs(
    connection: sqlite3.Connection, repo: str | None, since_ts: int | None, most: int
) -> list[SessionBrief]:
    """The sessions of a repository, or of all, the latest first; sub-agents are none of them."""
    query, given = _BRIEFS, list[object]()
    if repo is not None:
        query, given = f"{query} AND s.repo = ?", [repo]
    if since_ts is not None:
        query, given = f"{query} AND s.last_ts >= ?", [*given, since_ts]
    rows = connection.execute(f"{query} ORDER BY s.last_ts DESC, s.id LIMIT ?", (*given, most))
    return [_brief(*row) for row in rows.fetchall()]


def repos_with_folders(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Repository, folder and agent of all sessions, each combination once."""
    rows = connection.execute(
        "SELECT DISTINCT repo, cwd, flavor FROM session "
        "WHERE parent IS NULL AND turns > 0 AND repo IS NOT NULL AND cwd IS NOT NULL"
    )
    return [(str(repo), str(cwd), str(flavor)) for repo, cwd, flavor in rows]


def repo_activity(connection: sqlite3.Connection) -> dict[str, tuple[int, int]]:
    """How many sessions and events each repository has, which says whether anything is new."""
    rows = connection.execute(
        "SELECT repo, count(*), sum(events + coalesce(last_ts, 0) % 1000003) FROM session "
        "WHERE repo IS NOT NULL GROUP BY repo"
    )
    return {str(repo): (int(count), int(events or 0)) for repo, count, events in rows}


def _brief(
    name: str,
    flavor: str,
    native_id: str,
    root: str,
    repo: str,
    cwd: str,
    last_ts: int,
    packed: bytes | None,
) -> SessionBrief:
    profile = unpack_profile(packed)
    passed = [check for check, fact in (profile.checks or {}).items() if fact.state == "passed"]
    return SessionBrief(
        name,
        flavor,
        native_id,
        root,
        repo,
        cwd,
        last_ts,
        profile.title,
        tuple(profile.left_open or ()),
        tuple(passed),
    )
