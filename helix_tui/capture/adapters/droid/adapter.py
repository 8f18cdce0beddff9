"""Where Droid keeps its sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.droid.reader import DroidReader

LOG, SETTINGS = "log", "settings"
_LOG, _SETTINGS = ".jsonl", ".settings.json"
_DEPTH = 2  # sessions/<cwd>


class DroidAdapter(PlainAdapter):
    """Droid's folders, and a reader of its sessions."""

    flavor = "droid"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `sessions`, a folder for each working directory."""
        if not path:
            return [name for name in names if name == "sessions"]
        return names if len(path) < _DEPTH else ()

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """A session's log, and beside it the document with what it has used."""
        if not path:
            return ()
        found: list[PartFile] = []
        for name in names:
            if not name.endswith(_LOG):
                continue
            stem = name.removesuffix(_LOG)
            unit = "/".join((*path[1:], stem))
            found.append(PartFile(name, unit=unit, part=LOG))
            if f"{stem}{_SETTINGS}" in names:
                settings = PartFile(f"{stem}{_SETTINGS}", unit, SETTINGS, is_document=True)
                found.append(settings)
        return found

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> DroidReader:
        """A reader for one session."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.droid.reader import DroidReader

        return DroidReader(unit.rpartition("/")[2].rpartition("#")[2], state)
