"""The protocol of adapters: how one agent's folders and records become units and events.

`claude/`, `codex/` and `grok/` are the adapters of Helix; `installed.py` finds those of plug-ins.
`fields.py` and `lenient.py` help to read records that typed decoders refuse. A plug-in implements
`Adapter` and `UnitReader`; most begin with `PlainAdapter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from helix_tui.capture.adapters.installed import OURS

if TYPE_CHECKING:
    from helix_tui.capture.draft import UnitDraft


class PartFile(NamedTuple):
    """A file that belongs to a unit.

    `unit` names the unit within its root and must survive what the agent does to the file
    (archiving, compressing); empty means the file's own path. Files of the same unit and part are
    copies of one part, of which one is read. A name that ends in `.zst` is read decompressed.
    A database (`is_database`) holds many sessions, each of which becomes a unit of its own, unless
    `unit` names the one that it is all about.
    """

    name: str
    unit: str = ""
    part: str = "log"
    is_document: bool = False
    is_database: bool = False


# The values of one row of a database, as SQLite gives them.
Row = tuple[Any, ...]


class Query(msgspec.Struct, array_like=True, frozen=True):
    """A query for rows of one session, with one parameter: the session's id.

    For each of its rows the `inner` queries follow, whose parameter is the row's first value.
    """

    name: str
    sql: str
    inner: tuple[Query, ...] = ()


class DatabaseReads(msgspec.Struct, array_like=True, frozen=True):
    """What is read of a database, and of no other table than those named.

    `units` gives a row for each session: its id, how many rows it has, and what else differs once
    something of it was added, changed or deleted. `rows` are what a reader is handed of one.
    """

    tables: tuple[str, ...]
    units: str
    rows: tuple[Query, ...]


class Again(NamedTuple):
    """A part that a reader needs once more: from which offset, and whether from scratch."""

    offset: int
    is_anew: bool


class UnitReader(Protocol):
    """Read the parts of one unit, in order, without I/O and with its own memory.

    Three more methods are called where a reader has them. `end(part, draft)`: the part has no more
    lines for now. `again(part) -> Again | None`, once all parts are read: whether the part is
    needed once more, to join it with the others. `project() -> str`: the folder that the unit
    worked in, for an agent whose own folders do not tell. A reader of databases has
    `read_rows(part, name, position, rows, draft)`: some rows of the query of that name, in order,
    the first of which is the row at `position` of its session.
    """

    def read_lines(self, part: str, offset: int, lines: Sequence[bytes], draft: UnitDraft) -> None:
        """Take complete lines of a part, the first of which begins at `offset`."""

    def read_document(self, part: str, content: bytes, draft: UnitDraft) -> None:
        """Take a part that is one document, whole, each time it changes."""

    def restart(self, part: str) -> None:
        """Forget a part that is read again from its beginning."""

    def state(self) -> bytes:
        """What the next reader of this unit needs to know; empty for nothing."""


class Adapter(Protocol):
    """One flavor of agent.

    `flavor` is the name of its entry point. `version` goes up when the adapter finds more files
    than before: folders are then looked at again, and what is known of a file stays.
    `joins_parts` says that the parts of a unit explain one another: its reader then hears of all
    of them when one has changed, in the order of its `part_order`. `joins_roots`, where it is
    set, says that parts of one unit may lie in several roots. An adapter of an agent with a
    database has `database(name, tables) -> DatabaseReads | None`: what to read of one with these
    tables and their columns, or None if it is not the agent's.
    """

    flavor: str

    @property
    def version(self) -> int:
        """A number that goes up when the adapter finds more files than before."""

    @property
    def joins_parts(self) -> bool:
        """Whether the parts of a unit explain one another."""

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

    def reader(self, unit: str, paths: Mapping[str, str], state: bytes) -> UnitReader:
        """A reader for a unit: its parts' paths by name, and the state an earlier reader left."""


class PlainAdapter:
    """What most adapters have in common: every folder may hold logs, and none are deleted."""

    version = 1
    joins_parts = False

    def subfolders(self, path: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """All of them."""
        return names

    def is_excluded(self, path: Sequence[str], globs: Sequence[str]) -> bool:
        """No folder belongs to a project."""
        return False

    def cleanup_days(self, settings: Mapping[str, bytes]) -> int | None:
        """The agent never deletes a log."""
        return None

    def settings_files(self) -> tuple[str, ...]:
        """There is no setting to look at."""
        return ()

    def database(self, name: str, tables: Mapping[str, Sequence[str]]) -> DatabaseReads | None:
        """The agent has no database."""
        return None


_targets: dict[str, str] = {}


def tell_adapters(targets: Iterable[str]) -> None:
    """Set the adapters of a plug-in's process, in place of ours."""
    for target in targets:
        flavor, _, place = target.partition("=")
        _targets.setdefault(flavor, place)


class LazyAdapters(Mapping[str, "Adapter"]):
    """Adapters by flavor, each loaded when it is first asked for: most people have few agents."""

    def __init__(self, load: Mapping[str, Callable[[], Adapter]]) -> None:
        self._load = load
        self._loaded: dict[str, Adapter] = {}

    def __getitem__(self, flavor: str) -> Adapter:
        adapter = self._loaded.get(flavor)
        if adapter is None:
            adapter = self._loaded[flavor] = self._load[flavor]()
        return adapter

    def __contains__(self, flavor: object) -> bool:
        return flavor in self._load

    def __iter__(self) -> Iterator[str]:
        return iter(self._load)

    def __len__(self) -> int:
        return len(self._load)


@cache
def adapters() -> Mapping[str, Adapter]:
    """The adapters of this process, by flavor: ours, unless it is a plug-in's process."""
    if not _targets:
        tell_adapters(OURS)
    return LazyAdapters(
        {flavor: partial(_load, flavor, target) for flavor, target in _targets.items()}
    )


def _load(flavor: str, target: str) -> Adapter:
    module, _, name = target.partition(":")
    adapter: Adapter = attrgetter(name)(import_module(module))()
    if adapter.flavor != flavor:
        raise ValueError(f"its flavor is {adapter.flavor!r}, not the name of its entry point")
    return adapter


def fault_of(flavor: str, error: BaseException) -> str:
    """The message for an adapter that raised; its text may hold words of a log."""
    from helix_tui.capture.draft import safe_reason

    return safe_reason(f"the {flavor} adapter failed: {type(error).__name__}: {error}")
