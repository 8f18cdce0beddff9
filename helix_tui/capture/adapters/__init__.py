"""What an adapter is: how one agent's folders and records become units, sessions and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import NamedTuple, Protocol

from helix_tui.capture.draft import Draft

GROUP = "helix.adapters"


class PartFile(NamedTuple):
    """A file that belongs to a unit.

    `unit` names the unit within its root and must survive what the agent does to the file
    (archiving, compressing); an empty one means the file's own path.
    """

    name: str
    unit: str = ""
    part: str = "log"
    is_document: bool = False


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
    """One flavor of agent.

    `version` goes up when the adapter finds or reads more than before: folders are then looked
    at again.
    """

    flavor: str
    version: int

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Which of the folders at `path` below a root may hold logs."""

    def parts(self, path: Sequence[str], names: Sequence[str]) -> Sequence[PartFile]:
        """Which of the files at `path` below a root are parts, in the order to read them."""

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """Whether the folder at `path` is a project that one of the user's globs excludes."""

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """After how many days the agent deletes a log, given its settings files; None is never."""

    def settings_files(self) -> tuple[str, ...]:
        """The settings files below a root that `cleanup_days` wants to see."""

    def reader(self, unit: str, path: str, state: bytes) -> UnitReader:
        """A reader for a unit, with the state that an earlier one left."""


_told: dict[str, str] = {}


def tell_adapters(targets: Iterable[str]) -> None:
    """Tells a worker what `adapter_targets` found: looking again is a fifth of its start."""
    for target in targets:
        flavor, _, place = target.partition("=")
        _told[flavor] = place


def adapter_targets() -> list[str]:
    """Where every installed adapter is, the built-in ones among them: `flavor=module:class`."""
    from importlib.metadata import entry_points

    return [f"{entry.name}={entry.value}" for entry in entry_points(group=GROUP)]


@cache
def adapters() -> dict[str, Adapter]:
    """Every installed adapter by flavor."""
    if not _told:
        tell_adapters(adapter_targets())
    return {flavor: _adapter(target) for flavor, target in _told.items()}


def _adapter(target: str) -> Adapter:
    module, _, name = target.partition(":")
    made: Adapter = attrgetter(name)(import_module(module))()
    return made
