"""Finds what changed: the configured roots, against marks and cursors."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from helix_tui.capture.adapters import Adapter, fault_of
from helix_tui.capture.discover import ChangedFolder, FoundPart, LogRoot, SourceListing, discover
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
    """What discovery knows of one flavor; `captured` fills up while the sweep commits."""

    flavor: str
    unit_count: int
    changed: list[ChangedFolder]
    tasks: list[UnitTask]
    captured: dict[str, FileStamp]
    is_enabled: bool

    def mark_folders(self, database: Database) -> None:
        """Marks the folders in which every part is now captured just as discovery listed it."""
        marks = {
            folder.path: _mark(folder)
            for folder in self.changed
            if all(self.captured.get(part.path) == part.stamp for part in folder.parts)
        }
        if marks:
            save_marks(database, self.flavor, marks)


def _mark(folder: ChangedFolder) -> FolderMark:
    shared = sorted({part.unit for part in folder.parts if part.unit != part.path})
    own = sum(part.unit == part.path for part in folder.parts)
    return FolderMark(folder.digest, own, shared)


class Discovery(msgspec.Struct):
    """What discovery found in all sources."""

    flavors: dict[str, FlavorFound] = {}
    problems: list[Problem] = []

    @property
    def discovered(self) -> int:
        """How many units there are."""
        return sum(flavor.unit_count for flavor in self.flavors.values())

    @property
    def tasks(self) -> list[UnitTask]:
        """The units to read."""
        return [task for flavor in self.flavors.values() for task in flavor.tasks]


def sources_of(config: Config, flavor: str) -> list[LogRoot]:
    """The roots of a flavor, each place once however often it is named."""
    settings = config.sources.get(flavor)
    if settings is None or not settings.enabled:
        return []
    # By its real path a root keeps its identity, however it is named next time.
    places = dict.fromkeys(os.path.realpath(root) for root in settings.roots)
    exclude = (*settings.exclude, *_own_sessions(config))
    return [LogRoot(flavor, place, exclude, settings.has_own_roots) for place in places]


def _own_sessions(config: Config) -> Iterator[str]:
    """Globs for the folder in which distillers run: what they cause is nobody's session."""
    run = os.fspath(StoreLayout(config.store).run)
    for place in dict.fromkeys((os.path.abspath(run), os.path.realpath(run))):  # noqa: PTH100
        yield f"{glob.escape(place)}*"
        if glob.has_magic(place):
            # Claude Code names folders by their letters and digits only.
            yield f"{_NO_LETTER.sub('-', place)}*"


def find_changes(config: Config, database: Database | None, plugins: Plugins) -> Discovery:
    """Every unit there is, and tasks for those with something new.

    A plug-in that cannot list costs its flavor; one that is waited for when somebody asks to stop
    costs all behind it.
    """
    found = Discovery()
    for flavor, adapter in plugins.adapters().items():
        marks = folder_marks(database, flavor) if database else {}
        listing = SourceListing()
        sources = sources_of(config, flavor)
        for source in sources:
            try:
                discover(source, adapter, marks, listing)
            except InterruptedJobError:
                return found
            except Exception as error:
                if isinstance(error, HelixError):
                    raise
                reason = str(error) if isinstance(error, PluginError) else fault_of(flavor, error)
                listing.problems.append(Problem(source.root, None, reason))
                break
        found.problems += listing.problems
        found.flavors[flavor] = _compare(adapter, listing, database, sources)
    return found


def _compare(
    adapter: Adapter, listing: SourceListing, database: Database | None, sources: list[LogRoot]
) -> FlavorFound:
    """Sorts the parts of changed folders by what their cursors say."""
    flavor = adapter.flavor
    parts = _without_twins(part for folder in listing.changed for part in folder.parts)
    units = listing.unchanged_units | {part.unit for part in parts}
    unit_count = listing.unchanged_files + len(units)
    found = FlavorFound(flavor, unit_count, listing.changed, [], {}, bool(sources))
    known = cursors_of(database, flavor, (part.unit for part in parts)) if database else {}
    changed = {part.unit for part in parts if not _is_as_known(part, known)}
    grown = changed & {unit for unit, _ in known}
    folds = folds_of_units(database, flavor, grown) if database and grown else {}
    tasks: dict[str, list[PartTask]] = {}
    for part in parts:
        is_as_known = _is_as_known(part, known)
        if is_as_known:
            found.captured[part.path] = part.stamp
        if not is_as_known or (adapter.joins_parts and part.unit in changed):
            place = part.unit, part.part
            cursor, path = known.get(place, (None, part.path))
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
    states = unit_states(database, flavor, tasks) if database and known else {}
    exclude = sources[0].exclude if sources else ()
    found.tasks = [
        UnitTask(flavor, unit, parts, states.get(unit, b""), exclude)
        for unit, parts in tasks.items()
    ]
    return found


def _is_as_known(part: FoundPart, known: Mapping[tuple[str, str], KnownPart]) -> bool:
    before = known.get((part.unit, part.part))
    return before is not None and before.cursor.stamp == part.stamp and before.path == part.path


def _without_twins(parts: Iterable[FoundPart]) -> list[FoundPart]:
    """Each part once: plain rather than compressed, the larger one, the one of the least path."""
    chosen: dict[tuple[str, str], FoundPart] = {}
    for part in parts:
        place = part.unit, part.part
        if place not in chosen or _preference(part) < _preference(chosen[place]):
            chosen[place] = part
    return list(chosen.values())


def _preference(part: FoundPart) -> tuple[bool, int, str]:
    return part.path.endswith(COMPRESSED), -part.stamp.size, part.path
