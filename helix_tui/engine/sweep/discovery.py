"""Find what changed in the configured roots, by marks and cursors."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from helix_tui.capture.adapters import Adapter, fault_of
from helix_tui.capture.discover import (
    NO_FOLDER,
    ChangedFolder,
    FoundPart,
    LogRoot,
    SourceListing,
    discover,
    root_trouble,
)
from helix_tui.capture.tail import COMPRESSED
from helix_tui.config import Config
from helix_tui.errors import HelixError, InterruptedJobError
from helix_tui.schema import FileStamp, FolderMark, PartTask, Problem, UnitTask
from helix_tui.store.database import Database
from helix_tui.store.digests.folds import folds_of_units
from helix_tui.store.ingest.cursors import (
    KnownPart,
    cursors_of,
    folder_marks,
    save_marks,
    unit_states,
)
from helix_tui.store.layout import StoreLayout
from helix_tui.workers.plugins import PluginError, Plugins

_NO_LETTER = re.compile(r"[^A-Za-z0-9]")


class FlavorFound(msgspec.Struct):
    """What discovery found of one flavor; `captured` grows as the sweep commits."""

    flavor: str
    unit_count: int
    changed: list[ChangedFolder]
    tasks: list[UnitTask]
    captured: dict[tuple[str, str], FileStamp]
    is_enabled: bool
    # Whether one of its folders is on this machine.
    is_there: bool = False

    def mark_folders(self, database: Database) -> None:
        """Mark the folders whose parts are all captured as discovery listed them."""
        marks = {
            folder.path: _mark(folder, folder.digest)
            for folder in self.changed
            if folder.digest is not None
            and all(
                self.captured.get((part.unit, part.part)) == part.stamp for part in folder.parts
            )
        }
        if marks:
            save_marks(database, self.flavor, marks)


def _mark(folder: ChangedFolder, digest: int) -> FolderMark:
    shared = sorted({part.unit for part in folder.parts if part.unit != part.path})
    own = sum(part.unit == part.path for part in folder.parts)
    return FolderMark(digest, own, shared)


class Discovery(msgspec.Struct):
    """The result of discovery in all sources."""

    flavors: dict[str, FlavorFound] = {}
    problems: list[Problem] = []

    @property
    def discovered(self) -> int:
        """The number of units."""
        return sum(flavor.unit_count for flavor in self.flavors.values())

    @property
    def tasks(self) -> list[UnitTask]:
        """The units to read."""
        return [task for flavor in self.flavors.values() for task in flavor.tasks]


def sources_of(config: Config, flavor: str, own: Sequence[str] | None = None) -> list[LogRoot]:
    """List the roots of a flavor, each real path once; who asks for many finds `own` but once."""
    settings = config.sources.get(flavor)
    if settings is None or not settings.enabled:
        return []
    # The real path identifies a root, however it is spelled next time.
    places = dict.fromkeys(os.path.realpath(root) for root in settings.roots)
    exclude = (*settings.exclude, *(own_sessions(config) if own is None else own))
    return [LogRoot(flavor, place, exclude, settings.has_own_roots) for place in places]


def own_sessions(config: Config) -> list[str]:
    """List globs for the folder in which distillers run: their sessions are not a person's."""
    run = os.fspath(StoreLayout(config.store).run)
    globs: list[str] = []
    for place in dict.fromkeys((os.path.abspath(run), os.path.realpath(run))):  # noqa: PTH100
        globs.append(f"{glob.escape(place)}*")
        if glob.has_magic(place):
            # Claude Code names folders by their letters and digits only.
            globs.append(f"{_NO_LETTER.sub('-', place)}*")
    return globs


def is_there(source: LogRoot) -> bool:
    """Whether a root is on this machine; what a person named has to be."""
    return source.is_required or root_trouble(source.root) != NO_FOLDER


def find_changes(config: Config, database: Database | None, plugins: Plugins) -> Discovery:
    """List every unit, and tasks for those with something new.

    A plug-in that fails to list costs only its flavor. If somebody stops the sweep during a
    plug-in's listing, the flavors after it are left out.
    """
    discovery = Discovery()
    adapters = plugins.adapters()
    own = own_sessions(config)
    for flavor in adapters:
        listing = SourceListing()
        sources = sources_of(config, flavor, own)
        present = [source for source in sources if is_there(source)]
        if not present:
            discovery.flavors[flavor] = FlavorFound(flavor, 0, [], [], {}, bool(sources))
            continue
        marks = folder_marks(database, flavor) if database else {}
        for source in present:
            try:
                discover(source, adapters[flavor], marks, listing)
            except InterruptedJobError:
                return discovery
            except Exception as error:
                if isinstance(error, HelixError):
                    raise
                reason = str(error) if isinstance(error, PluginError) else fault_of(flavor, error)
                listing.problems.append(Problem(source.root, None, reason))
                break
        discovery.problems += listing.problems
        discovery.flavors[flavor] = compare(adapters[flavor], listing, database, sources)
    return discovery


def compare(
    adapter: Adapter, listing: SourceListing, database: Database | None, sources: list[LogRoot]
) -> FlavorFound:
    """Compare the parts of changed folders with their cursors."""
    flavor = adapter.flavor
    parts = _without_twins(part for folder in listing.changed for part in folder.parts)
    read = set(parts)
    for folder in listing.changed:
        if folder.is_database:
            folder.parts = [part for part in folder.parts if part in read]
    units = listing.unchanged_units | {part.unit for part in parts}
    unit_count = listing.unchanged_files + len(units)
    discovered = FlavorFound(flavor, unit_count, listing.changed, [], {}, bool(sources), True)
    cursors = cursors_of(database, flavor, (part.unit for part in parts)) if database else {}
    changed = {part.unit for part in parts if not _is_as_known(part, cursors)}
    grown = changed & {unit for unit, _ in cursors}
    folds = folds_of_units(database, flavor, grown) if database and grown else {}
    tasks: dict[str, list[PartTask]] = {}
    for part in parts:
        is_as_known = _is_as_known(part, cursors)
        if is_as_known:
            discovered.captured[part.unit, part.part] = part.stamp
        if not is_as_known or (adapter.joins_parts and part.unit in changed):
            place = part.unit, part.part
            cursor, path, _ = cursors.get(place, (None, part.path, False))
            task = PartTask(
                part.part,
                part.path,
                part.is_document,
                part.stamp,
                cursor,
                folds.get(place, {}),
                part.path != path,
            )
            tasks.setdefault(part.unit, []).append(task)
    if changed and cursors and adapter.joins_parts:
        found = {(part.unit, part.part) for part in parts}
        for place, known in cursors.items():
            if place[0] in changed and place not in found and os.path.exists(known.path):  # noqa: PTH110
                tasks.setdefault(place[0], []).append(_unchanged(place[1], known, folds.get(place)))
    states = unit_states(database, flavor, tasks) if database and cursors else {}
    exclude = sources[0].exclude if sources else ()
    discovered.tasks = [
        UnitTask(flavor, unit, parts, states.get(unit, b""), exclude)
        for unit, parts in tasks.items()
    ]
    return discovered


def _unchanged(name: str, known: KnownPart, folds: dict[str, bytes] | None) -> PartTask:
    """A part of a changed unit whose own folder did not change: its reader hears of all parts."""
    cursor = known.cursor
    stamp = cursor.stamp or FileStamp(0, 0, -1, 0)
    return PartTask(name, known.path, known.is_document, stamp, cursor, folds or {})


def _is_as_known(part: FoundPart, cursors: Mapping[tuple[str, str], KnownPart]) -> bool:
    before = cursors.get((part.unit, part.part))
    return before is not None and before.cursor.stamp == part.stamp and before.path == part.path


def _without_twins(parts: Iterable[FoundPart]) -> list[FoundPart]:
    """Keep each part once: plain rather than compressed, the larger, the first path."""
    chosen: dict[tuple[str, str], FoundPart] = {}
    for part in parts:
        place = part.unit, part.part
        if place not in chosen or _preference(part) < _preference(chosen[place]):
            chosen[place] = part
    return list(chosen.values())


def _preference(part: FoundPart) -> tuple[int, bool, int, str]:
    return part.rank, part.path.endswith(COMPRESSED), -part.stamp.size, part.path
