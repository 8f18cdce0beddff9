"""Sweep an archive: its listing is compared with what the store has, an engine reads what is new.

The store's own cursors are the ledger: an object is known by its address, size, time and the mark
that its storage gives it, and is read again when one of these is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from helix_tui.agent_homes import FLAVORS
from helix_tui.archive.engines import Engine
from helix_tui.archive.places import Archive
from helix_tui.archive.unit import packed_task, unpacked_batches
from helix_tui.capture.adapters import adapters
from helix_tui.capture.discover import LogRoot, SourceListing, discover
from helix_tui.capture.units import failed_batch
from helix_tui.config import Config
from helix_tui.engine.sweep.discovery import Discovery, compare
from helix_tui.errors import NotFoundError
from helix_tui.schema import UnitBatch, UnitTask
from helix_tui.store.database import Database
from helix_tui.store.ingest.cursors import folder_marks
from helix_tui.workers.plugins import Plugins


class ArchiveLogs:
    """The logs of an archive, as a sweep's source."""

    def __init__(self, archive: Archive, engine: Engine, flavor: str = "") -> None:
        self._archive = archive
        self._engine = engine
        self._flavor = flavor

    def find(self, config: Config, database: Database, plugins: Plugins) -> Discovery:
        """List the agents' folders of the archive, and what in them is new."""
        homes = {name: home.roots for name, home in FLAVORS.items()}
        roots = self._archive.roots(homes, self._flavor)
        if not roots:
            names = ", ".join(sorted({root.removeprefix("~/") for root in sum(homes.values(), ())}))
            raise NotFoundError(
                f"There is no agent's folder below {self._archive.url}.",
                f"Such folders are called {names}; --as takes the archive itself for one.",
            )
        discovery = Discovery()
        for flavor in dict.fromkeys(root.flavor for root in roots):
            settings = config.sources.get(flavor)
            exclude = settings.exclude if settings is not None else ()
            sources = [
                LogRoot(flavor, root.url, exclude) for root in roots if root.flavor == flavor
            ]
            listing = SourceListing()
            marks = folder_marks(database, flavor)
            for source in sources:
                discover(source, adapters()[flavor], marks, listing, self._archive.entries_in)
            discovery.problems += listing.problems
            discovery.flavors[flavor] = compare(adapters()[flavor], listing, database, sources)
        return discovery

    def read(
        self, tasks: Sequence[UnitTask], workers: int, stop: Callable[[], bool], plugins: Plugins
    ) -> Iterator[UnitBatch]:
        """The batches of all units; one that cannot be read is a problem of its own."""
        messages = [packed_task(task) for task in tasks]
        for read in self._engine.read(messages, stop):
            task = tasks[read.at]
            if read.failure:
                yield failed_batch(task, task.parts[-1], read.failure)
            yield from unpacked_batches(read.batches)
            if stop():
                return
