"""Runs one job of the engine in this process: `driver JOB HOME STORE CONFIG [CHANGE ...]`.

Transactions are made small, so that a small home has several. A change makes the store write
otherwise than it does: most turn an order round on purpose, to show that the tests would notice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from helix_tui.config import load
from helix_tui.engine import Engine
from helix_tui.engine.sweep import sweep
from helix_tui.errors import HelixError
from helix_tui.events import CandidateCounts, UnitIngested
from helix_tui.retain import apply
from helix_tui.schema.candidate import CandidateFilter
from helix_tui.store.database import Database, open_for_writing
from helix_tui.store.ingest import writer
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.packs import eviction, packs
from helix_tui.store.repair import rebuild
from tests.forked import reserve_little

ONE_SYNC = "one-sync"
ROWS_FIRST = "rows-before-packs"
UNLINK_FIRST = "unlink-before-rows"
UNGROUPED = "ungrouped"
UNSYNCED_PACKS = "unsynced-packs"
UNSYNCED_ROWS = "unsynced-rows"


def run(engine: Engine, job: str) -> None:
    """Does one job, whose name may carry a session: `forget=SESSION`."""
    name, _, session = job.partition("=")
    if name == "sweep":
        for _ in engine.sweep():
            pass
    elif name == "hold":
        _hold(engine)
    elif name == "retain":
        engine.retain(is_dry_run=False)
    elif name == "detect":
        engine.candidates.detect(CandidateFilter())
    elif name == "forget":
        engine.forget(session)
    elif name == "pin":
        engine.pin(session, is_pinned=True)
    elif name == "repair":
        engine.repair()
    elif name == "migrate":
        _migrate(StoreLayout(engine.config.store))
    else:
        raise SystemExit(f"there is no job {name}")


def _hold(engine: Engine) -> None:
    """Sweeps, and waits behind the first commit until a line comes in."""
    reserve_little()  # what it leaves is held against a sweep of such a process
    is_held = False
    for event in engine.sweep():
        if isinstance(event, UnitIngested) and not is_held:
            is_held = True
            print("held", flush=True)
            sys.stdin.readline()


def _migrate(layout: StoreLayout) -> None:
    """Opens a store as a writer does, and brings it up to date by that."""
    with writer_lock(layout):
        open_for_writing(layout).close()


def take_small_steps() -> None:
    """Makes a few logs enough for several transactions and several groups of evictions."""
    _set(writer, "FLUSH_BATCHES", 4)
    _set(apply, "_SESSIONS_AT_ONCE", 2)


def stop_the_clock() -> None:
    """Has damaged files set aside in the same folder each time: faults are found by paths."""
    _set(rebuild, "_moment", lambda: "20260101-000000")


def sync_together() -> None:
    """Makes three packs enough to sync the whole file system instead of each."""
    _set(packs, "_MANY_FILES", 3)


def write_rows_first() -> None:
    """Has packs written after the rows that point into them are committed."""
    waiting: list[tuple[Path, int, bytes]] = []
    write, flush = packs._write_behind, writer.StoreWriter.flush

    def write_later(path: Path, committed: int, data: bytes) -> None:
        waiting.append((path, committed, data))

    def flush_and_write(self: writer.StoreWriter) -> list[writer.Committed]:
        committed = flush(self)
        for item in waiting:
            write(*item)
        waiting.clear()
        return committed

    _set(packs, "_write_behind", write_later)
    _set(packs.PackAppender, "sync", lambda self: None)
    _set(writer.StoreWriter, "flush", flush_and_write)


def unlink_first() -> None:
    """Has packs unlinked before the rows that point into them are gone."""

    def unlink_and_evict(
        database: Database, layout: StoreLayout, session_keys: Sequence[int]
    ) -> None:
        for key in session_keys:
            layout.pack(key).unlink(missing_ok=True)
        eviction.evict(database, layout, session_keys)

    _set(apply, "evict", unlink_and_evict)


def group_nothing() -> None:
    """Has a sweep end before it groups."""
    _set(sweep, "group_changes", lambda config, database: CandidateCounts())


def sync_no_packs() -> None:
    """Has rows committed that point into packs which are not on the disk yet."""
    _set(packs.PackAppender, "sync", lambda self: None)


def sync_no_rows() -> None:
    """Has packs unlinked while the commit that gives them up may still be undone."""
    _set(eviction, "durably", lambda database: database.atomic("IMMEDIATE"))


def _set(owner: ModuleType | type, name: str, value: object) -> None:
    """Replaces what must be there: a name that has gone would make the test one of nothing."""
    if not hasattr(owner, name):
        raise SystemExit(f"{owner.__name__} has no {name} any more")
    setattr(owner, name, value)


CHANGES: dict[str, Callable[[], None]] = {
    ONE_SYNC: sync_together,
    ROWS_FIRST: write_rows_first,
    UNLINK_FIRST: unlink_first,
    UNGROUPED: group_nothing,
    UNSYNCED_PACKS: sync_no_packs,
    UNSYNCED_ROWS: sync_no_rows,
}


def main(arguments: Sequence[str]) -> int:
    """Does the job; an error is a sentence and its exit code."""
    job, home, store, config, *changes = arguments
    take_small_steps()
    stop_the_clock()
    for change in changes:
        CHANGES[change]()
    try:
        run(Engine(load(Path(config), Path(store), {"HOME": home})), job)
    except HelixError as error:
        print(f"helix: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
