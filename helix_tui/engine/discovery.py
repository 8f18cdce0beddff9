"""Finds what changed: the configured roots, against marks and cursors."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from helix_tui.capture.adapters import adapters
from helix_tui.capture.discover import ChangedFolder, Listing, Source, discover
from helix_tui.config import Config
from helix_tui.schema import FileStamp, FolderMark, PartTask, Problem, UnitTask
from helix_tui.store.cursors import cursors_of, folder_marks, save_marks, unit_states
from helix_tui.store.database import Database
from helix_tui.store.folds import folds_of_units


@dataclass(slots=True)
class FlavorFound:
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


@dataclass(slots=True)
class Found:
    """What discovery found in all sources."""

    flavors: dict[str, FlavorFound] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def discovered(self) -> int:
        """How many units there are."""
        return sum(flavor.unit_count for flavor in self.flavors.values())

    @property
    def tasks(self) -> list[UnitTask]:
        """The units to read."""
        return [task for flavor in self.flavors.values() for task in flavor.tasks]


def sources_of(config: Config, flavor: str) -> list[Source]:
    """The roots of a flavor, each place once however often it is named."""
    settings = config.sources.get(flavor)
    if settings is None or not settings.enabled:
        return []
    # By its real path a root keeps its identity, however it is named next time.
    places = dict.fromkeys(os.path.realpath(root) for root in settings.roots)
    return [Source(flavor, place, settings.exclude, settings.has_own_roots) for place in places]


def find_changes(config: Config, database: Database | None) -> Found:
    """Every unit there is, and tasks for those with something new."""
    found = Found()
    for flavor, adapter in adapters().items():
        marks = folder_marks(database, flavor) if database else {}
        listing = Listing()
        sources = sources_of(config, flavor)
        for source in sources:
            discover(source, adapter, marks, listing)
        found.problems += listing.problems
        found.flavors[flavor] = _compare(flavor, listing, database, bool(sources))
    return found


def _compare(
    flavor: str, listing: Listing, database: Database | None, is_enabled: bool
) -> FlavorFound:
    """Sorts the parts of changed folders by what their cursors say."""
    parts = [part for folder in listing.changed for part in folder.parts]
    units = listing.unchanged_units | {part.unit for part in parts}
    unit_count = listing.unchanged_files + len(units)
    found = FlavorFound(flavor, unit_count, listing.changed, [], {}, is_enabled)
    cursors = cursors_of(database, flavor, (part.unit for part in parts)) if database else {}
    grown = {
        part.unit
        for part in parts
        if (cursor := cursors.get((part.unit, part.part))) and cursor.stamp != part.stamp
    }
    folds = folds_of_units(database, flavor, grown) if database and grown else {}
    changed: dict[str, list[PartTask]] = {}
    for part in parts:
        cursor = cursors.get((part.unit, part.part))
        if cursor is not None and cursor.stamp == part.stamp:
            found.captured[part.path] = part.stamp
        else:
            so_far = folds.get((part.unit, part.part), {})
            task = PartTask(part.part, part.path, part.is_document, part.stamp, cursor, so_far)
            changed.setdefault(part.unit, []).append(task)
    states = unit_states(database, flavor, changed) if database and cursors else {}
    found.tasks = [
        UnitTask(flavor, unit, tasks, states.get(unit, b"")) for unit, tasks in changed.items()
    ]
    return found
