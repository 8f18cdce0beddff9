"""Where Claude Code keeps its logs and when it deletes them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile

if TYPE_CHECKING:
    from helix_tui.capture.adapters.claude.reader import ClaudeReader

DEFAULT_CLEANUP_DAYS = 30
_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9*?\[\]]")


class ClaudeAdapter:
    """Claude Code's folders, and a reader of its records."""

    flavor = "claude"
    version = 1
    joins_parts = False

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Logs are in a project's folder, sub-agents' below `<session>/subagents`."""
        only = {0: "projects", 3: "subagents"}.get(len(path))
        return names if only is None else [name for name in names if name == only]

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Any log of a project; below `subagents` only those of agents, no journals."""
        if len(path) < 2 or len(path) == 3:
            return ()
        prefix = "" if len(path) == 2 else "agent-"
        return [
            PartFile(name) for name in names if name.endswith(".jsonl") and name.startswith(prefix)
        ]

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Match globs against a project's folder name, or the directory it stands for."""
        # The folder's name is the directory with every other character made a dash (older
        # versions kept some): both are turned that way, since the name cannot be turned back.
        if len(path) != 2:
            return False
        slug = _NOT_IN_SLUG.sub("-", path[1])
        return any(fnmatchcase(slug, _NOT_IN_SLUG.sub("-", glob)) for glob in globs)

    def settings_files(self) -> tuple[str, ...]:
        """The settings in which a person may change how long logs are kept."""
        return ("settings.json", "settings.local.json")

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """`cleanupPeriodDays`, the later file winning, or Claude Code's own default."""
        days = DEFAULT_CLEANUP_DAYS
        for name in self.settings_files():
            try:
                value = json.loads(settings.get(name, b"{}")).get("cleanupPeriodDays")
            except (ValueError, AttributeError, RecursionError):
                continue  # Claude Code itself ignores settings that it cannot read
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                days = value
        return days

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> ClaudeReader:
        """A reader for one file."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.claude.reader import ClaudeReader

        return ClaudeReader(paths["log"], state)
