"""What the workstation remembers from one start to the next: theme, views, hints that are done."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

import msgspec

log = logging.getLogger(__name__)
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600


class View(msgspec.Struct, frozen=True):
    """A filter of the candidate list and its order, under a name."""

    name: str
    filter: str
    sort: str = ""


class _Kept(msgspec.Struct):
    theme: str = ""
    views: list[View] = []
    hints_done: list[str] = []


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
        if name != self._kept.theme:
            self._kept.theme = name
            self._keep()

    @property
    def views(self) -> list[View]:
        """The views, in the order in which they were kept."""
        return list(self._kept.views)

    def keep_view(self, view: View) -> None:
        """Remember a view; one of the same name gives way."""
        others = [one for one in self._kept.views if one.name != view.name]
        self._kept.views = [*others, view]
        self._keep()

    def drop_view(self, name: str) -> None:
        """Forget a view."""
        self._kept.views = [one for one in self._kept.views if one.name != name]
        self._keep()

    def is_hint_done(self, name: str) -> bool:
        """Whether somebody did what a hint says."""
        return name in self._kept.hints_done

    def hint_done(self, name: str) -> None:
        """Show a hint no more."""
        self._kept.hints_done = [*self._kept.hints_done, name]
        self._keep()

    def _keep(self) -> None:
        if self._file is None:
            return
        new = self._file.with_name(f"{self._file.name}.new")
        try:
            self._file.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            new.write_bytes(msgspec.json.encode(self._kept))
            new.chmod(_FILE_MODE)
            new.replace(self._file)
        except OSError as error:
            log.warning("what was chosen is not remembered: %s", error)
