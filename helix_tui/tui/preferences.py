"""What the workstation remembers from one start to the next: the theme."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

import msgspec

log = logging.getLogger(__name__)
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600


class _Kept(msgspec.Struct):
    theme: str = ""


class Preferences:
    """A small file in the state folder; without one, nothing is remembered."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._kept = _Kept()
        if file is not None:
            # A file that is not there, or is none of ours, is as good as none.
            with suppress(OSError, msgspec.MsgspecError):
                self._kept = msgspec.json.decode(file.read_bytes(), type=_Kept)

    @property
    def theme(self) -> str:
        """The theme that was used last; empty where there was none."""
        return self._kept.theme

    def keep_theme(self, name: str) -> None:
        """Remember a theme; a disk that takes nothing costs only the memory."""
        if name == self._kept.theme:
            return
        self._kept.theme = name
        if self._file is None:
            return
        new = self._file.with_name(f"{self._file.name}.new")
        try:
            self._file.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            new.write_bytes(msgspec.json.encode(self._kept))
            new.chmod(_FILE_MODE)
            new.replace(self._file)
        except OSError as error:
            log.warning("the theme is not remembered: %s", error)
