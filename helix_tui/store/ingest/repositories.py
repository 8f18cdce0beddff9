"""The repositories of stored sessions, named anew where a folder's path says more than its name."""

from __future__ import annotations

import sqlite3
from pathlib import PurePosixPath, PureWindowsPath

from helix_tui.store.ingest.session_state import RepoOf


def name_worktrees(connection: sqlite3.Connection, repo_of: RepoOf) -> None:
    """Give sessions that are named after their folder the repository that its path tells.

    A name that a folder's own git gave stays: the folder may be gone by now.
    """
    rows = connection.execute("SELECT DISTINCT cwd FROM session WHERE cwd IS NOT NULL").fetchall()
    for (cwd,) in rows:
        folder = PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)
        named = repo_of(cwd, "")
        if named != folder.name:
            connection.execute(
                "UPDATE session SET repo = ? WHERE cwd = ? AND repo = ?", (named, cwd, folder.name)
            )
