"""Reads evicted events again from the agents' own logs, as long as those exist."""

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
from helix_tui.store.cursors import PartPlace, parts_of_session
from helix_tui.store.database import Database
from helix_tui.store.evicted import evicted_of
from helix_tui.store.frames import event_tuples
from helix_tui.store.transcript import Placed
from helix_tui.workers.plugins import Plugins

_UNREAD = FileStamp(0, 0, 0, 0)


class Recalled(NamedTuple):
    """What the logs still have of a session's evicted events, and how many they no longer have."""

    events: list[Placed]
    missing: int


class _NoFolds:
    """Reading for a transcript folds nothing."""

    def restart(self, part: str) -> None:
        """There is nothing to forget."""

    def fold(self, part: str, session_id: str, events: Sequence[EventTuple]) -> Folded:
        """There is no state."""
        return NOT_FOLDED


def recall(database: Database, key: int, session_id: str) -> Recalled:
    """The evicted events of a session, each where the least path and position has it."""
    wanted = evicted_of(database.connection(), key)
    found: dict[int, Placed] = {}
    found_parts = [part for part in parts_of_session(database, key) if _is_there(part.path)]
    for (flavor, unit), parts in _units(found_parts).items():
        keys = {part.name: part.key for part in parts}
        for batch in _batches(_task(flavor, unit, parts)):
            for patch in batch.patches:
                if patch.id != session_id or patch.frame is None:
                    continue
                for event in map(StoredEvent, *zip(*event_tuples(patch.frame), strict=True)):
                    if event.fingerprint in wanted:
                        _take(found, batch.path, keys[batch.part], event)
    return Recalled(list(found.values()), len(wanted) - len(found))


def _batches(task: UnitTask) -> Iterator[UnitBatch]:
    with Plugins() as plugins:
        if plugins.reads(task.flavor):
            yield from plugins.read(task)
        else:
            yield from read_unit(task, _NoFolds())


def _is_there(path: str) -> bool:
    """Whether a file can be asked: one that is gone must not cost the other parts of its unit."""
    return path.startswith("/") and Path(path).exists()


def _units(parts: list[PartPlace]) -> dict[tuple[str, str], list[PartPlace]]:
    units: dict[tuple[str, str], list[PartPlace]] = {}
    for part in parts:
        units.setdefault((part.flavor, part.unit), []).append(part)
    return units


def _task(flavor: str, unit: str, parts: list[PartPlace]) -> UnitTask:
    tasks = [PartTask(part.name, part.path, part.is_document, _UNREAD, None, {}) for part in parts]
    return UnitTask(flavor, unit, tasks, b"")


def _take(found: dict[int, Placed], path: str, part: int, event: StoredEvent) -> None:
    placed = Placed(path, event.position, event.ts, event.fingerprint, part, -1, -1, event)
    known = found.get(event.fingerprint)
    if known is None or (path, event.position) < (known.path, known.position):
        found[event.fingerprint] = placed
