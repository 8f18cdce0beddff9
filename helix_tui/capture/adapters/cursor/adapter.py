"""Where Cursor keeps its transcripts and databases, and what of these is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import DatabaseReads, PartFile, PlainAdapter, Query

if TYPE_CHECKING:
    from helix_tui.capture.adapters.cursor.reader import CursorReader

LOG, TEXT, CHAT = "log", "text", "chat"
_PROJECTS, _CHATS, _TRANSCRIPTS = "projects", "chats", "agent-transcripts"
_SUB_AGENTS = "subagents"
_NO_LETTER = re.compile(r"[^A-Za-z0-9*?\[\]]")
_CHAT_STORE, _IDE_STORE, _VALUES = "store.db", "state.vscdb", "cursorDiskKV"
# Keys lie in ranges: what begins with `x:` is behind `x:` and before `x;`.
_COMPOSERS = "key > 'composerData:' AND key < 'composerData;'"
_BUBBLES = "key > 'bubbleId:' || ?1 || ':' AND key < 'bubbleId:' || ?1 || ';'"
_UNITS = f"""
SELECT id, (SELECT count(*) FROM {_VALUES} WHERE {_BUBBLES.replace("?1", "id")}), size, updated
FROM (SELECT substr(key, 14) AS id, length(value) AS size,
             CASE WHEN json_valid(CAST(value AS TEXT))
             THEN json_extract(CAST(value AS TEXT), '$.lastUpdatedAt') END AS updated
      FROM {_VALUES} WHERE {_COMPOSERS} AND value IS NOT NULL)
"""
_COMPOSER = Query(
    "composer", f"SELECT CAST(value AS BLOB) FROM {_VALUES} WHERE key = 'composerData:' || ?"
)
_BUBBLE = Query("bubble", f"SELECT key, CAST(value AS BLOB) FROM {_VALUES} WHERE key = ?")
_KEYS = Query("key", f"SELECT key FROM {_VALUES} WHERE {_BUBBLES}", (_BUBBLE,))
_META = Query("meta", "SELECT value FROM meta WHERE key = '0' AND ? IS NOT NULL")


class CursorAdapter(PlainAdapter):
    """Cursor's folders, and a reader of its sessions."""

    flavor = "cursor"
    joins_parts = True
    joins_roots = True
    # What databases know comes before the words that it belongs to.
    part_order = (LOG, TEXT)

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """`projects/<slug>/agent-transcripts/<id>/subagents`, `chats/<hash>/<id>`."""
        if not path:
            return [name for name in names if name in (_PROJECTS, _CHATS)]
        if path[0] == _CHATS:
            return names if len(path) < 3 else ()
        if len(path) == 2:
            return [name for name in names if name == _TRANSCRIPTS]
        if len(path) == 4:
            return [name for name in names if name == _SUB_AGENTS]
        return names if len(path) < 4 else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Transcripts, and the databases of the command line and of the editor."""
        if not path:
            return [PartFile(name, is_database=True) for name in names if name == _IDE_STORE]
        if path[0] == _CHATS:
            is_chat = len(path) == 3 and _CHAT_STORE in names
            return [PartFile(_CHAT_STORE, path[2], CHAT, is_database=True)] if is_chat else ()
        if len(path) < 3 or path[2] != _TRANSCRIPTS:
            return ()
        found: list[PartFile] = []
        for name in names:
            stem, _, kind = name.rpartition(".")
            if kind == "jsonl" and stem:
                found.append(PartFile(name, stem, LOG))
            elif kind == "txt" and stem and len(path) == 3:
                found.append(PartFile(name, stem, TEXT, is_document=True))
        return found

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Match globs against a project's folder, whose name has a dash for every sign."""
        if len(path) != 2 or path[0] != _PROJECTS:
            return False
        return any(fnmatchcase(path[1], _NO_LETTER.sub("-", glob).lstrip("-")) for glob in globs)

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        """The conversations of the editor, or what the command line calls one."""
        if name == _CHAT_STORE and "meta" in tables:
            return DatabaseReads(("meta",), "SELECT key, 1 FROM meta", (_META,))
        if _VALUES in tables:
            return DatabaseReads((_VALUES,), _UNITS, (_COMPOSER, _KEYS))
        return None

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> CursorReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.cursor.reader import CursorReader

        return CursorReader(unit.rpartition("#")[2], paths, state)
