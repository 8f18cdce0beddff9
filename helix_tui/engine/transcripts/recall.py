"""Read evicted events again from the agents' own logs, as long as those exist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from helix_tui.capture.units import read_unit
from helix_tui.schema import (
    NOT_FOLDED,
    EventTuple,
    FileStamp,
    Folded,
    PartTask,
    StoredEvent,
    UnitBatch,
    UnitTask,
)
from helix_tui.store.database import Database
from helix_tui.store.ingest.cursors import PartPlace, parts_of_session
from helix_tui.store.packs.evicted import evicted_of
from helix_tui.store.packs.frames import event_tuples
from helix_tui.store.packs.transcript import Placed
from helix_tui.workers.plugins import Plugins

_UNREAD = FileStamp(0, 0, 0, 0)


class Recalled(NamedTuple):
    """The evicted events of a session that the logs still have, and how many they lack."""

    events: list[Placed]
    missing: int


class _NoFolds:
    """Folds that stay empty: a transcript needs no digest."""

    def restart(self, part: str) -> None:
        """There is nothing to forget."""

    def fold(self, part: str, session_id: str, events: Sequence[EventTuple]) -> Folded:
        """There is no state."""
        return NOT_FOLDED


def recall(database: Database, key: int, session_id: str) -> Recalled:
    """Read the evicted events of a session, each from the first path and position."""
    wanted = evicted_of(database.connection(), key)
    by_fingerprint: dict[int, Placed] = {}
    found_parts = [part for part in parts_of_session(database, key) if _is_there(part.path)]
    for (flavor, unit), parts in _units(found_parts).items():
        keys = {part.name: part.key for part in parts}
        for batch in _batches(_task(flavor, unit, parts)):
            for patch in batch.patches:
                if patch.id != session_id or patch.frame is None:
                    continue
                for event in map(StoredEvent, *zip(*event_tuples(patch.frame), strict=True)):
                    if event.fingerprint in wanted:
                        _take(by_fingerprint, batch.path, keys[batch.part], event)
    return Recalled(list(by_fingerprint.values()), len(wanted) - len(by_fingerprint))


def _batches(task: UnitTask) -> Iterator[UnitBatch]:
    with Plugins() as plugins:
        if plugins.reads(task.flavor):
            yield from plugins.read(task)
        else:
            yield from read_unit(task, _NoFolds())


def _is_there(path: str) -> bool:
    """Whether a file exists: a missing one must not cost the other parts of its unit."""
    return path.startswith("/") and Path(path).exists()


def _units(parts: list[PartPlace]) -> dict[tuple[str, str], list[PartPlace]]:
    units: dict[tuple[str, str], list[PartPlace]] = {}
    for part in parts:
        units.setdefault((part.flavor, part.unit), []).append(part)
    return units


def _task(flavor: str, unit: str, parts: list[PartPlace]) -> UnitTask:
    tasks = [PartTask(part.name, part.path, part.is_document, _UNREAD, None, {}) for part in parts]
    return UnitTask(flavor, unit, tasks, b"")


def _take(by_fingerprint: dict[int, Placed], path: str, part: int, event: StoredEvent) -> None:
    at = (path, event.position, event.ts, event.fingerprint, part, -1, -1)
    placed = Placed(*at, event, event.is_error, event.kind)
    earlier = by_fingerprint.get(event.fingerprint)
    if earlier is None or (path, event.position) < (earlier.path, earlier.position):
        by_fingerprint[event.fingerprint] = placed
