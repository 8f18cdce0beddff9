"""What an adapter is: how one agent's folders and records become units, sessions and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple, Protocol

from helix_tui.capture.draft import Draft

GROUP = "helix.adapters"


class PartFile(NamedTuple):
    """A file that belongs to a unit.

    `unit` names the unit within its flavor and must survive what the agent does to the file
    (archiving, compressing); an empty one means the file's own path.
    """

    name: str
    unit: str = ""
    part: str = "log"
    is_document: bool = False


class Folder(NamedTuple):
    """What an adapter makes of one folder: files that are parts, folders to look into."""

    parts: Sequence[PartFile] = ()
    folders: Sequence[str] = ()


class UnitReader(Protocol):
    """Reads the parts of one unit, in order; does no I/O and keeps its own memory."""

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: Draft) -> None:
        """Takes complete lines of a part, the first of which begins at `offset`."""

    def read_document(self, part: str, content: bytes, draft: Draft) -> None:
        """Takes a part that is one document, whole, each time it changes."""

    def restart(self, part: str) -> None:
        """Forgets what was remembered of a part that is read again from its beginning."""

    def state(self) -> bytes:
        """What the next reader of this unit needs to know; empty when that is nothing."""


class Adapter(Protocol):
    """One flavor of agent."""

    flavor: str

    def list_folder(
        self, path: Sequence[str], folders: Sequence[str], files: Sequence[str]
    ) -> Folder:
        """Which entries of the folder at `path` below a root matter."""

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Whether the folder at `path` is a project that one of the user's globs excludes."""

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """After how many days the agent deletes a log, given its settings files; None is never."""

    def settings_files(self) -> tuple[str, ...]:
        """The settings files below a root that `cleanup_days` wants to see."""

    def reader(self, unit: str, path: str, state: bytes) -> UnitReader:
        """A reader for a unit, with the state that an earlier one left."""


@cache
def adapters() -> dict[str, Adapter]:
    """Every installed adapter by flavor, the built-in ones among them."""
    return {entry.name: entry.load()() for entry in entry_points(group=GROUP)}
