"""What follows a sweep when its report is out and nobody waits: catalog, hub and memory."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from helix_tui.config import Config
from helix_tui.engine.sweep.settled_marker import (
    Settled,
    has_review,
    is_there,
    last_settled,
    queue_mark,
    queued_decisions,
    remember_settled,
    review_mark,
)
from helix_tui.errors import HelixError, StoreBusyError
from helix_tui.store.database import reading
from helix_tui.store.detection.grouping_state import renamed_ids
from helix_tui.store.layout import StoreLayout
from helix_tui.text.human import plural

if TYPE_CHECKING:
    from helix_tui.curate.hub.queue import Queue

log = logging.getLogger(__name__)
_BUDGET_SECONDS = 30


def after_sweep(config: Config, cancelled: Callable[[], bool]) -> list[str]:
    """Notes edits by hand, ends what was cut off, sends what is due; says what one should know.

    The store's lock is not held by then: a hub that takes its time keeps no other sweep out.
    """
    if not has_review(config):
        return []
    said = []
    try:
        said += _settle(config)
    except StoreBusyError as error:
        log.info("the catalog is looked at by the next sweep: %s", error)
    except HelixError as error:
        log.warning("the catalog was not looked at: %s", error)
        said.append(f"The catalog was not looked at: {error}")
    if not cancelled():
        said += send_due(config, cancelled)
    return said


def has_memory_work(config: Config) -> bool:
    """Whether hooks reported something, a session waits to be flushed, or a log to be compiled.

    Nothing is read or loaded for that.
    """
    try:
        names = os.listdir(config.store)
    except OSError:
        return False  # told by whoever opens the store
    if any(name.startswith("spool.jsonl") for name in names):
        return True
    memory = config.store / "memory"
    return "memory" in names and (is_there(memory / "agenda.json") or _is_uncompiled(memory))


def _is_uncompiled(memory: Path) -> bool:
    """Whether a daily log was written to since all of them were compiled."""
    try:
        with os.scandir(memory / "daily") as logs:
            latest = max((log.stat().st_mtime_ns for log in logs if log.name[:1] != "."), default=0)
        return latest > (memory / "knowledge" / ".state.json").stat().st_mtime_ns
    except FileNotFoundError:
        return is_there(memory / "daily")
    except OSError:
        return False  # told by `helix compile`


def _settle(config: Config) -> list[str]:
    """Opens the journal as a verdict would, unless all is as the last sweep left it."""
    with reading(StoreLayout(config.store)) as database:
        renamed = {} if database is None else renamed_ids(database.connection())
    review, queue = review_mark(config, renamed), queue_mark(config)
    known = last_settled(config)
    if known is not None and (known.review, known.queue) == (review, queue):
        return []
    from helix_tui.engine.review.transaction import review_transaction

    with review_transaction(config, renamed, seconds=0) as held:
        is_queued = not held.enqueue()
        is_done = is_queued and not held.unfinished()
        notices = held.notices
    # What was touched meanwhile, by us or by others, is for the next sweep to look at.
    is_quiet = (review, queue) == (review_mark(config, renamed), queue_mark(config))
    if (
        review
        and queue
        and is_done
        and is_quiet
        and (queued := queued_decisions(config)) is not None
    ):
        remember_settled(config, Settled(review, queue, queued))
    for notice in notices:
        log.warning("%s", notice)
    more = f" And {len(notices) - 1:,} more: `helix doctor` tells." if notices[1:] else ""
    return [f"{notice}{more}" for notice in notices[:1]]


def send_due(config: Config, cancelled: Callable[[], bool]) -> list[str]:
    """Sends to the hub, if there is one, what is due; says what one should know."""
    if not config.hub.url or queued_decisions(config) == 0:
        return []
    from helix_tui.curate.hub.queue import Queue
    from helix_tui.engine.hub.decisions import send

    queue = Queue(config.curate.decision_queue)
    # The last request may begin when the budget ends.
    budget = max(1, _BUDGET_SECONDS - config.hub.timeout_seconds)
    report = send(config, queue, cancelled, is_all=False, budget_seconds=budget)
    log.info("hub: %d sent, %d queued, %d refused", report.sent, report.queued, report.dead)
    said = []
    if report.dead:
        refused = plural(report.dead, "decision")
        said.append(f"The hub refused {refused} for good: `helix decisions list` tells why.")
    if report.queued and not cancelled():
        waiting = plural(report.queued, "decision waits", "decisions wait")
        said.append(f"{waiting} for the hub: {report.problem or _earlier_problem(queue)}")
    elif report.problem:
        said.append(f"Nothing more was sent to the hub: {report.problem}")
    for one in said:
        log.warning("%s", one)
    return said


def _earlier_problem(queue: Queue) -> str:
    """Why decisions wait that were not tried just now."""
    for row in queue.rows():
        if row.state == "queued" and row.error:
            return f"{row.error} Tried again from {row.next_at} on."
    return "there was no time for more; the next sweep goes on."
