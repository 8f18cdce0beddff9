"""Where OpenCode keeps its sessions, and what of its database is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import DatabaseReads, PartFile, PlainAdapter, Query

if TYPE_CHECKING:
    from helix_tui.capture.adapters.opencode.reader import OpenCodeReader
    from helix_tui.capture.adapters.opencode.storage import StorageTree

STORAGE = "storage"
# Folders by which the agent's own data folder is told from a folder of exported sessions.
_OWN_FOLDERS = frozenset((STORAGE, "log", "bin", "snapshot", "tool-output", "worktree", "repos"))
# Files with tokens lie beside the database: where one of these is, no JSON file is a session.
_OWN_FILES = ("auth.json", "mcp-auth.json", "account.json")
_TABLES = ("session", "message", "part")
# Added up over all rows, times show a row that was replaced by another, where a maximum does not.
_TOLD = "count(*) AS n, max(time_updated) AS latest, sum(time_updated & 4294967295) AS total"
_UNITS = f"""
SELECT s.id, coalesce(m.n, 0) + coalesce(p.n, 0), s.time_updated, s.title,
       m.n, m.latest, m.total, p.n, p.latest, p.total
FROM session s
LEFT JOIN (SELECT session_id, {_TOLD} FROM message GROUP BY session_id) m ON m.session_id = s.id
LEFT JOIN (SELECT session_id, {_TOLD} FROM part GROUP BY session_id) p ON p.session_id = s.id
"""
_SESSION = Query(
    "session",
    "SELECT id, parent_id, directory, title, version, time_created FROM session WHERE id = ?",
)
_MESSAGES = Query(
    "message",
    "SELECT id, CAST(data AS BLOB) FROM message WHERE session_id = ? ORDER BY time_created, id",
    (Query("part", "SELECT id, CAST(data AS BLOB) FROM part WHERE message_id = ? ORDER BY id"),),
)
# Where later versions are to keep what was said; so far nothing was seen there.
_NEWER = "session_message"
_MOVED = Query("moved", f"SELECT count(*) FROM {_NEWER} WHERE session_id = ?")


class OpenCodeAdapter(PlainAdapter):
    """OpenCode's folders, and a reader of its sessions."""

    flavor = "opencode"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """None of the agent's own data, which is a database; all of a folder of exports."""
        return () if not path and not _OWN_FOLDERS.isdisjoint(names) else names

    def trees(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """The folder in which sessions were kept before there was a database."""
        return [name for name in names if name == STORAGE] if not path else ()

    def tree(self, path: str) -> StorageTree:
        """That folder, read as the database that it became."""
        from helix_tui.capture.adapters.opencode.storage import StorageTree

        return StorageTree(path)

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Databases of any name, or exported sessions where nothing else is."""
        databases = [name for name in names if name.endswith(".db")]
        if databases:
            return [PartFile(name, is_database=True) for name in databases] if not path else ()
        if any(name in names for name in _OWN_FILES):
            return ()
        return [PartFile(name, is_document=True) for name in names if name.endswith(".json")]

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        """The sessions with their messages and parts; no other table, since some hold tokens."""
        if not all(table in tables for table in _TABLES):
            return None
        if _NEWER in tables:
            return DatabaseReads((*_TABLES, _NEWER), _UNITS, (_SESSION, _MESSAGES, _MOVED))
        return DatabaseReads(_TABLES, _UNITS, (_SESSION, _MESSAGES))

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> OpenCodeReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.opencode.reader import OpenCodeReader

        return OpenCodeReader()


class KiloAdapter(OpenCodeAdapter):
    """Kilo, which keeps its sessions as OpenCode does."""

    flavor = "kilo"
