"""Where Copilot CLI keeps its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.copilot.reader import CopilotReader

STATE = "session-state"
LOG, WORKSPACE = "log", "workspace"
_EVENTS, _WORKSPACE, _FLAT = "events.jsonl", "workspace.yaml", ".jsonl"


class CopilotAdapter(PlainAdapter):
    """Copilot's folders, and a reader of its sessions."""

    flavor = "copilot"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `session-state`, a folder for each session."""
        if not path:
            return [name for name in names if name == STATE]
        return names if len(path) == 1 else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """A session's events and what it is called; flat files are those of before 1.0.11."""
        if len(path) == 1:
            return [PartFile(name) for name in names if name.endswith(_FLAT)]
        if len(path) != 2 or _EVENTS not in names:
            return ()
        events = PartFile(_EVENTS, path[1], LOG)
        if _WORKSPACE not in names:
            return [events]
        return [events, PartFile(_WORKSPACE, path[1], WORKSPACE, is_document=True)]

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> CopilotReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.copilot.reader import CopilotReader

        *_, folder, name = next(iter(paths.values())).split("/")
        own = folder if name in (_EVENTS, _WORKSPACE) else name.removesuffix(_FLAT)
        return CopilotReader(own, state)
