"""Where Gemini CLI keeps its sessions, for how long, and which project a folder is of."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helix_tui.capture.adapters import PartFile, PlainAdapter

if TYPE_CHECKING:
    from helix_tui.capture.adapters.gemini.reader import GeminiReader

DEFAULT_CLEANUP_DAYS = 30
SETTINGS = "settings.json"
_CHATS_DEPTH = 3  # tmp/<project>/chats
_AGE = re.compile(r"(\d{1,6})([hdwm])")
_DAYS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30}


class GeminiAdapter(PlainAdapter):
    """Gemini's folders, and a reader of its sessions."""

    flavor = "gemini"

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Below `tmp`, a folder for each project; in its `chats`, one for each parent."""
        only = {0: "tmp", 2: "chats"}.get(len(path))
        if only is None:
            return names if len(path) in (1, _CHATS_DEPTH) else ()
        return [name for name in names if name == only]

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Documents of old, and files of lines; a sub-agent's is called by its id alone."""
        if len(path) == _CHATS_DEPTH:
            return [
                PartFile(name, is_document=name.endswith(".json"))
                for name in names
                if name.startswith("session-") and name.endswith((".json", ".jsonl"))
            ]
        if len(path) == _CHATS_DEPTH + 1:
            return [PartFile(name) for name in names if name.endswith(".jsonl")]
        return ()

    def settings_files(self) -> tuple[str, ...]:
        """The settings in which a person may change how long sessions are kept."""
        return (SETTINGS,)

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """Thirty, unless the settings say otherwise or switch it off."""
        try:
            value = json.loads(settings.get(SETTINGS, b"{}"))
        except (ValueError, RecursionError):
            return DEFAULT_CLEANUP_DAYS
        for name in ("general", "sessionRetention"):
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            return DEFAULT_CLEANUP_DAYS
        if value.get("enabled") is False:
            return None
        told = value.get("maxAge")
        age = _AGE.fullmatch(told) if isinstance(told, str) else None
        return max(1, int(int(age[1]) * _DAYS[age[2]])) if age else DEFAULT_CLEANUP_DAYS

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> GeminiReader:
        """A reader for one session, which is told the project that its folder is of."""
        # Loaded by those that read: listing what changed must not wait for it.
        from helix_tui.capture.adapters.gemini.project import place_of
        from helix_tui.capture.adapters.gemini.reader import GeminiReader

        path = paths["log"]
        return GeminiReader(path, place_of(path), state)
