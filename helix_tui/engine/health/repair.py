"""Rebuild a damaged store from the agents' logs, its packs and its readable rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import msgspec

from helix_tui.capture.repo import repo_of
from helix_tui.config import Config
from helix_tui.digest.codec import is_sound
from helix_tui.engine.candidates.grouping import group_changes
from helix_tui.engine.health.doctor import (
    check_detection,
    check_digests,
    check_owners,
    check_search,
    check_store,
)
from helix_tui.engine.sweep.analysis import analyze_pending, judge_stored
from helix_tui.engine.sweep.sweep import Sweep
from helix_tui.store.database import Database, bring_up_to_date, translated, writing
from helix_tui.store.detection.candidates import note_regrouped
from helix_tui.store.detection.removing import drop_detection
from helix_tui.store.digests.search_index import index_pending, rebuild_index
from helix_tui.store.ingest.writer import StoreWriter
from helix_tui.store.layout import StoreLayout
from helix_tui.store.lock import writer_lock
from helix_tui.store.read.sessions import session_ids
from helix_tui.store.repair.rebuild import (
    adopt_evicted,
    fact_batches,
    mark_repaired,
    pack_batches,
    recovered_sessions,
    sessions_with_fewer_tokens,
    set_aside,
)
from helix_tui.store.repair.salvage import SalvagedStore, salvage_database
from helix_tui.store.user_lists import forgotten_sessions


class RepairReport(msgspec.Struct, frozen=True):
    """What a repair did; without `aside`, the folder of damaged files, nothing was rebuilt."""

    aside: Path | None = None
    sessions_before: int = 0
    sessions_after: int = 0
    is_before_known: bool = True
    lost_sessions: list[str] = []
    lost_raw: dict[str, int] = {}
    lost_digests: list[str] = []
    lost_facts: list[str] = []
    lost_tokens: list[str] = []
    is_index_rebuilt: bool = False
    is_detection_rebuilt: bool = False
    taken_over: int | None = None


def run_repair(config: Config, layout: StoreLayout, cancelled: Callable[[], bool]) -> RepairReport:
    """Repair parts where that suffices, else rebuild; an interrupted repair starts over."""
    with writer_lock(layout), translated(layout):
        if layout.unfinished_repair() is None:
            bring_up_to_date(layout)
            if _is_sound(layout):
                return RepairReport(
                    taken_over=_take_over(config, layout, cancelled),
                    is_index_rebuilt=_rebuild_index(layout, cancelled),
                    is_detection_rebuilt=_rebuild_detection(config, layout),
                )
        return _rebuild(config, layout, cancelled)


def _rebuild(config: Config, layout: StoreLayout, cancelled: Callable[[], bool]) -> RepairReport:
    """Set the damaged files aside, and build a new store from them and the logs."""
    aside = set_aside(layout)
    damaged = salvage_database(aside / layout.database.name)
    with damaged as salvaged, writing(layout, is_repair=True) as database:
        sweep = Sweep(config, layout, database, cancelled)
        for _ in sweep.take_in():
            pass
        if not sweep.is_complete():
            # Going on would lose what the logs still hold; the next call starts over.
            raise sweep.trouble()
        in_packs = _adopt_packs(database, layout, aside, salvaged)
        lost_raw = adopt_evicted(database, salvaged, is_sound)
        for _ in analyze_pending(database, layout, cancelled):
            pass
        index_pending(database, layout, cancelled)
        note_regrouped(database.connection(), salvaged.regrouped)
        group_changes(config, database)
        report = _report(database, layout, aside, salvaged, in_packs, lost_raw)
    mark_repaired(aside)
    return report


def _take_over(config: Config, layout: StoreLayout, cancelled: Callable[[], bool]) -> int | None:
    """Take in events that no row owns, after the logs; None where all are owned."""
    if all(check.is_ok for check in check_owners(layout)):
        return None
    with writing(layout) as database:
        sweep = Sweep(config, layout, database, cancelled)
        for _ in sweep.take_in():
            pass
        if not sweep.is_complete():
            raise sweep.trouble()
        index_pending(database, layout, cancelled)
        group_changes(config, database)
        return sweep.taken_over


def _rebuild_index(layout: StoreLayout, cancelled: Callable[[], bool]) -> bool:
    """Rebuild the index where it alone is wrong; a sweep continues an interrupted rebuild."""
    if all(check.is_ok for check in check_search(layout)):
        return False
    with writing(layout) as database:
        rebuild_index(database)
        index_pending(database, layout, cancelled)
    return True


def _rebuild_detection(config: Config, layout: StoreLayout) -> bool:
    """Rebuild signals and candidates from the digests, where they alone are wrong."""
    if all(check.is_ok for check in check_detection(layout)):
        return False
    with writing(layout) as database:
        drop_detection(database)
        group_changes(config, database)
    return True


def _is_sound(layout: StoreLayout) -> bool:
    return all(check.is_ok for check in (*check_store(layout), *check_digests(layout)))


def _adopt_packs(
    database: Database, layout: StoreLayout, aside: Path, salvaged: SalvagedStore
) -> set[str]:
    """Adopt from rows and packs what the logs lack; return the sessions of the packs."""
    writer = StoreWriter(database, layout, repo_of, judge_stored)
    sessions: set[str] = set()
    for batch in chain(fact_batches(salvaged), pack_batches(aside, salvaged)):
        sessions.update(patch.id for patch in batch.patches if patch.frame is not None)
        writer.add(batch)
    writer.flush()
    writer.close()
    return sessions


def _report(
    database: Database,
    layout: StoreLayout,
    aside: Path,
    salvaged: SalvagedStore,
    in_packs: set[str],
    lost_raw: dict[str, int],
) -> RepairReport:
    listed = {name for name, session in salvaged.sessions.items() if session.state.turns}
    unlisted = salvaged.sessions.keys() - listed
    before = (listed | (in_packs - unlisted)) - forgotten_sessions(layout)
    after = session_ids(database)
    return RepairReport(
        aside,
        len(before),
        len(after),
        salvaged.is_whole,
        sorted(before - after.keys()),
        lost_raw,
        sorted(name for name, is_whole in after.items() if not is_whole),
        sorted(recovered_sessions(database) - salvaged.sessions.keys()),
        sessions_with_fewer_tokens(database, salvaged),
    )
