"""Where Grok Build keeps its sessions, and in which order the files of one are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from urllib.parse import unquote

from helix_tui.capture.adapters import PartFile, PlainAdapter
from helix_tui.capture.adapters.grok.memory import CHAT, EVENTS, SUMMARY, UPDATES

if TYPE_CHECKING:
    from helix_tui.capture.adapters.grok.reader import GrokReader

# In the order of reading: identity, outcomes of calls, times, and then the words.
_FILES = {
    "summary.json": SUMMARY,
    "events.jsonl": EVENTS,
    "updates.jsonl": UPDATES,
    "chat_history.jsonl": CHAT,
}
_SESSION_DEPTH = 3  # sessions/<encoded cwd>/<session>


class GrokAdapter(PlainAdapter):
    """Grok's folders, and a reader of its sessions."""

    flavor = "grok"
    joins_parts = True
    part_order = tuple(_FILES.values())

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `sessions`, folders by working directory, and in them one for each session."""
        if not path:
            return [name for name in names if name == "sessions"]
        return names if len(path) < _SESSION_DEPTH else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """The four files of a session that are read; a folder without a log has none."""
        if len(path) != _SESSION_DEPTH or not any(name.endswith(".jsonl") for name in names):
            return ()
        unit = "/".join(path[1:])
        return [
            PartFile(name, unit=unit, part=part, is_document=part == SUMMARY)
            for name, part in _FILES.items()
            if name in names
        ]

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Match globs against the working directory that a folder's name encodes."""
        if len(path) != 2:
            return False
        return any(fnmatchcase(unquote(path[1]), glob) for glob in globs)

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> GrokReader:
        """A reader for one session's folder."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.grok.reader import GrokReader

        folder = next(iter(paths.values())).rpartition("/")[0]
        has_times = EVENTS in paths or UPDATES in paths
        return GrokReader(folder, has_chat=CHAT in paths, has_times=has_times, state=state)
