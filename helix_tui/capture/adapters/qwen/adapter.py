"""Where Qwen Code keeps its sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.qwen.reader import QwenReader

_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9*?\[\]]")
_CHATS_DEPTH = 3  # projects/<cwd>/chats


class QwenAdapter(PlainAdapter):
    """Qwen's folders, and a reader of its sessions."""

    flavor = "qwen"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `projects`, a folder for each working directory, and its `chats`."""
        only = {0: "projects", 2: "chats"}.get(len(path))
        if only is None:
            return names if len(path) == 1 else ()
        return [name for name in names if name == only]

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Each file of chats is a session."""
        if len(path) != _CHATS_DEPTH:
            return ()
        return [PartFile(name) for name in names if name.endswith(".jsonl")]

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Match globs against a project's folder name, or the directory it stands for."""
        if len(path) != 2:
            return False
        return any(fnmatchcase(path[1], _NOT_IN_SLUG.sub("-", glob)) for glob in globs)

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> QwenReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.qwen.reader import QwenReader

        return QwenReader(state)
