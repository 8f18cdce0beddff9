"""Where Pi keeps its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.pi.reader import PiReader

_DEPTH = 2  # sessions/--<cwd>--


class PiAdapter(PlainAdapter):
    """Pi's folders, and a reader of its sessions; a root is the folder of one agent."""

    flavor = "pi"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `sessions`, a folder for each working directory."""
        if not path:
            return [name for name in names if name == "sessions"]
        return names if len(path) < _DEPTH else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Each file is a session; with a folder for sessions of one's own they lie flat."""
        if not path or path[0] != "sessions":
            return ()
        return [PartFile(name) for name in names if name.endswith(".jsonl")]

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> PiReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.pi.reader import PiReader

        return PiReader(paths["log"].rpartition("/")[2].removesuffix(".jsonl"), state)
