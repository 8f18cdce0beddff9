"""Where Codex keeps its rollouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.codex.index import CodexIndexReader
    from helix_tui.capture.adapters.codex.reader import CodexReader

INDEX = "session_index.jsonl"
SESSIONS, ARCHIVED = "sessions", "archived_sessions"
_SUFFIXES = (".jsonl", ".jsonl.zst")
_DEEPEST = 4  # sessions/YYYY/MM/DD


class CodexAdapter(PlainAdapter):
    """Codex's folders, and a reader of its rollouts."""

    flavor = "codex"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Rollouts are in folders by day, and flat where they were archived."""
        if not path:
            return [name for name in names if name in (SESSIONS, ARCHIVED)]
        return names if path[0] == SESSIONS and len(path) < _DEEPEST else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """A rollout keeps its name when it is compressed or archived, so that names the unit.

        Beside them is the index of what the threads are called.
        """
        if not path:
            return [PartFile(INDEX, unit=INDEX)] if INDEX in names else ()
        return [
            PartFile(name, unit=stem_of(name))
            for name in names
            if name.startswith("rollout-") and name.endswith(_SUFFIXES)
        ]

    def reader(
        self, unit: str, paths: Mapping[str, str], state: bytes
    ) -> CodexReader | CodexIndexReader:
        """A reader for one rollout, or for the names of all threads."""
        # Loaded by those that read: listing what changed must not wait for it.
        if paths["log"].rpartition("/")[2] == INDEX:
            from helix_tui.capture.adapters.codex.index import CodexIndexReader

            return CodexIndexReader()
        from helix_tui.capture.adapters.codex.reader import CodexReader

        return CodexReader(stem_of(paths["log"].rpartition("/")[2]), state)


def stem_of(name: str) -> str:
    """The name of a rollout without its suffixes."""
    return name.removesuffix(".zst").removesuffix(".jsonl")
